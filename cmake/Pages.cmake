# The manual pages and bash's completion: printed by the built command, from the declarations that its --help prints.
set(pages ${CMAKE_BINARY_DIR}/pages)
file(MAKE_DIRECTORY ${pages})

# add_page(FILE OPTION [COMPRESS]): what `gdal-gpu help OPTION` prints.
function(add_page file option)
  if(ARGN STREQUAL "COMPRESS")
    set(compress COMMAND ${GZIP} -9nf ${file})
    set(suffix .gz)
  endif()
  add_custom_command(
    OUTPUT ${pages}/${file}${suffix}
    COMMAND $<TARGET_FILE:gdal-gpu> help ${option} > ${file}
    ${compress}
    WORKING_DIRECTORY ${pages}
    DEPENDS gdal-gpu gdalgpu
    VERBATIM)
  set_property(DIRECTORY APPEND PROPERTY gdalgpu_pages ${pages}/${file}${suffix})
endfunction()

add_page(gdal-gpu.1 --man-1 COMPRESS)
add_page(gdal-gpu-algorithms.7 --man-7 COMPRESS)
add_page(gdal-gpu --bash-completion)
get_property(page_files DIRECTORY PROPERTY gdalgpu_pages)
add_custom_target(pages ALL DEPENDS ${page_files})

install(FILES ${pages}/gdal-gpu.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT plugin)
install(FILES ${pages}/gdal-gpu-algorithms.7.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man7 COMPONENT plugin)
install(FILES ${pages}/gdal-gpu DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT plugin)
