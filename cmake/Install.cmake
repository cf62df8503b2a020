# Everything goes into one prefix, the plugin into its folder of GDAL plugins. Where no prefix was given it is GDAL's own,
# so that GDAL finds the plugin by itself; elsewhere GDAL_DRIVER_PATH has to say where it is. CPack makes a .deb of the
# same (cpack -G DEB).
get_target_property(gdal_location GDAL::GDAL LOCATION)
get_filename_component(gdal_libdir "${gdal_location}" DIRECTORY)
if(CMAKE_INSTALL_PREFIX_INITIALIZED_TO_DEFAULT AND gdal_libdir MATCHES "^(/.+)/(lib|lib64)(/[^/]+)?$")
  set(CMAKE_INSTALL_PREFIX ${CMAKE_MATCH_1} CACHE PATH "Install path prefix" FORCE)
endif()
include(GNUInstallDirs)
set(plugin_dir ${CMAKE_INSTALL_FULL_LIBDIR}/gdalplugins)
if(NOT CMAKE_INSTALL_FULL_LIBDIR STREQUAL gdal_libdir)
  message(STATUS "gdal-gpu: installs outside of GDAL's prefix: set GDAL_DRIVER_PATH=${plugin_dir} to use the plugin")
endif()

file(RELATIVE_PATH to_libdir ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(gdal-gpu PROPERTIES INSTALL_RPATH "$ORIGIN/${to_libdir}")
set_target_properties(gdal_GPU PROPERTIES INSTALL_RPATH "$ORIGIN/..")

install(TARGETS gdalgpu gdalgpu_preload LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS gdal_GPU LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/gdalplugins)
install(TARGETS gdal-gpu RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES plugin/doors/gdal_gpu.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/gdal-gpu RENAME copyright)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gdal-gpu)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "GDAL's warped VRTs, gdalwarp and raster algorithms on the GPU")
set(CPACK_PACKAGE_CONTACT "the gdal-gpu developers <noreply@example.org>")
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
# HOST compiles kernels with it; CUDA's driver and NVRTC aren't in Debian's main archive.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
include(CPack)
