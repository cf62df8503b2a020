# `cpack` makes three Debian packages of what Install.cmake installs.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gdal-gpu)
set(CPACK_PACKAGE_VENDOR gdal-gpu)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own
# The maintainer is who makes the packages, as Debian's own tools know him.
if(DEFINED ENV{DEBEMAIL})
  set(CPACK_PACKAGE_CONTACT "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
else()
  set(CPACK_PACKAGE_CONTACT "the gdal-gpu developers <noreply@example.org>")
endif()
set(CPACK_SET_DESTDIR ON)  # so that gdalgpu.pc has the prefix of use
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENTS_ALL library development plugin)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SOURCE gdal-gpu)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# Packages of one build belong together: libgdalgpu0 (= 0.1.0).
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_COMPONENT_DEVELOPMENT_DEPENDS library)
set(CPACK_COMPONENT_PLUGIN_DEPENDS library)
# The one package that there was before.
set(CPACK_DEBIAN_PACKAGE_CONFLICTS gdal-gpu)
set(CPACK_DEBIAN_PACKAGE_REPLACES gdal-gpu)

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libgdalgpu0)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
file(WRITE ${CMAKE_BINARY_DIR}/packaging/shlibs "libgdalgpu 0 libgdalgpu0 (>= ${PROJECT_VERSION})\n")
set(ldconfig ${CMAKE_SOURCE_DIR}/packaging/triggers)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/packaging/shlibs ${ldconfig})
# HOST compiles kernels with g++; CUDA's driver and NVRTC aren't in Debian's main archive.
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "g++")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SUGGESTS "libcuda1, libnvrtc12")
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "GDAL's pixels on the GPU: library
Runs the arithmetic of GDAL's warper, of coordinate transformations, pixel
functions and terrain algorithms in fused kernels on an NVIDIA GPU, or on the
processor's cores.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libgdalgpu-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libgdal-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "GDAL's pixels on the GPU: development files
The C API gdal_gpu.h attaches a GPU to the options of GDAL's warper and
transforms coordinates on it. With files for pkg-config and CMake.")

set(CPACK_DEBIAN_PLUGIN_PACKAGE_NAME gdal-plugin-gpu)
set(CPACK_DEBIAN_PLUGIN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PLUGIN_PACKAGE_CONTROL_EXTRA ${ldconfig})
set(CPACK_DEBIAN_PLUGIN_PACKAGE_RECOMMENDS "gdal-bin, g++")
set(CPACK_DEBIAN_PLUGIN_DESCRIPTION "GDAL's pixels on the GPU: plugin and command
GDAL's driver GPU opens warped VRTs, hillshades and slopes on an NVIDIA GPU
for every program that uses GDAL. The command gdal-gpu starts an unmodified
program, such as gdalwarp, with the GPU in place of GDAL's warp kernel.")

# What Debian wants of each package.
configure_file(packaging/changelog.in ${CMAKE_BINARY_DIR}/packaging/changelog @ONLY)
set(changelog ${CMAKE_BINARY_DIR}/packaging/changelog.gz)
execute_process(COMMAND ${GZIP} -9nc ${CMAKE_BINARY_DIR}/packaging/changelog OUTPUT_FILE ${changelog})
foreach(component LIBRARY DEVELOPMENT PLUGIN)
  set(package ${CPACK_DEBIAN_${component}_PACKAGE_NAME})
  string(TOLOWER ${component} name)
  set(doc ${CMAKE_INSTALL_DATADIR}/doc/${package})
  install(FILES LICENSE DESTINATION ${doc} RENAME copyright COMPONENT ${name} EXCLUDE_FROM_ALL)
  install(FILES ${changelog} DESTINATION ${doc} COMPONENT ${name} EXCLUDE_FROM_ALL)
endforeach()
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/gdal-plugin-gpu COMPONENT plugin EXCLUDE_FROM_ALL)
include(CPack)
