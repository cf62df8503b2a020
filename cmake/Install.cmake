# What goes into the prefix, in three components: library, development and plugin; Debian's packages (Packages.cmake)
# are made of the same. Where no prefix was given it is GDAL's own, so that GDAL finds the plugin by itself; elsewhere
# GDAL_DRIVER_PATH has to say where it is.
get_target_property(gdal_location GDAL::GDAL LOCATION)
get_filename_component(gdal_libdir "${gdal_location}" DIRECTORY)
if(CMAKE_INSTALL_PREFIX_INITIALIZED_TO_DEFAULT AND gdal_libdir MATCHES "^(/.+)/(lib|lib64)(/[^/]+)?$")
  set(CMAKE_INSTALL_PREFIX ${CMAKE_MATCH_1} CACHE PATH "Install path prefix" FORCE)
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(plugin_dir ${CMAKE_INSTALL_FULL_LIBDIR}/gdalplugins)
if(NOT CMAKE_INSTALL_FULL_LIBDIR STREQUAL gdal_libdir)
  message(STATUS "gdal-gpu: installs outside of GDAL's prefix: set GDAL_DRIVER_PATH=${plugin_dir} to use the plugin")
endif()

file(RELATIVE_PATH to_libdir ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(gdal-gpu PROPERTIES INSTALL_RPATH "$ORIGIN/${to_libdir}")

install(TARGETS gdalgpu EXPORT gdalgpuTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

install(FILES plugin/doors/gdal_gpu.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
set(cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gdalgpu)
install(EXPORT gdalgpuTargets NAMESPACE gdalgpu:: DESTINATION ${cmake_dir} COMPONENT development)
configure_package_config_file(packaging/gdalgpuConfig.cmake.in ${CMAKE_BINARY_DIR}/packaging/gdalgpuConfig.cmake
  INSTALL_DESTINATION ${cmake_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/packaging/gdalgpuConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/packaging/gdalgpuConfig.cmake ${CMAKE_BINARY_DIR}/packaging/gdalgpuConfigVersion.cmake
  DESTINATION ${cmake_dir} COMPONENT development)
# Written where it is installed: `cmake --install --prefix` may change the prefix.
install(CODE "
  set(libdir \"${CMAKE_INSTALL_LIBDIR}\")
  set(includedir \"${CMAKE_INSTALL_INCLUDEDIR}\")
  set(version \"${PROJECT_VERSION}\")
  set(file \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig/gdalgpu.pc\")
  message(STATUS \"Writing: \$ENV{DESTDIR}\${file}\")
  configure_file(\"${CMAKE_SOURCE_DIR}/packaging/gdalgpu.pc.in\" \"\$ENV{DESTDIR}\${file}\" @ONLY)
  list(APPEND CMAKE_INSTALL_MANIFEST_FILES \"\${file}\")"
  COMPONENT development)

install(TARGETS gdal_GPU LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/gdalplugins COMPONENT plugin)
install(TARGETS gdalgpu_preload LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT plugin)
install(TARGETS gdal-gpu RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT plugin)

install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/gdal-gpu RENAME copyright COMPONENT unpackaged)
