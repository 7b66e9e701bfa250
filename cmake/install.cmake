# What `cmake --install` puts below the prefix: the command, the library and its headers, the CMake
# package, fusec.pc, man pages, completions, documents; and what CPack packs.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Man pages and completions, from the tables of the command line.
set(MANUAL ${CMAKE_CURRENT_BINARY_DIR}/manual)
foreach(folder man/man1 bash-completion/completions zsh/site-functions fish/vendor_completions.d)
  file(MAKE_DIRECTORY ${MANUAL}/${folder})
endforeach()
add_executable(fusec_manual ${MANUAL_SOURCES})
target_link_libraries(fusec_manual PRIVATE fusec_cli)
add_custom_command(OUTPUT ${MANUAL}/stamp
  COMMAND fusec_manual ${MANUAL}
  COMMAND ${CMAKE_COMMAND} -E touch ${MANUAL}/stamp
  DEPENDS fusec_manual VERBATIM)
add_custom_target(manual ALL DEPENDS ${MANUAL}/stamp)

set(INSTALLED fusec)
if(TARGET libfusec)
  list(APPEND INSTALLED libfusec)
endif()
install(TARGETS ${INSTALLED} EXPORT fusec
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY runtime/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${MANUAL}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR})
install(DIRECTORY ${MANUAL}/bash-completion ${MANUAL}/zsh ${MANUAL}/fish
        DESTINATION ${CMAKE_INSTALL_DATADIR})
# Documents lie as they do in the repository, so that their links hold.
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY bench/results DESTINATION ${CMAKE_INSTALL_DOCDIR}/bench)
install(FILES README.md CONTRIBUTING.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# find_package(fusec CONFIG)
set(PACKAGE ${CMAKE_INSTALL_LIBDIR}/cmake/fusec)
install(EXPORT fusec NAMESPACE fusec:: FILE fusec-targets.cmake DESTINATION ${PACKAGE})
configure_package_config_file(cmake/fusec-config.cmake.in fusec-config.cmake
                              INSTALL_DESTINATION ${PACKAGE})
write_basic_package_version_file(fusec-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/fusec-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/fusec-config-version.cmake
              cmake/fusec-add-model.cmake
        DESTINATION ${PACKAGE})

# pkg-config fusec. Paths relative to the file itself, so that the prefix can be moved.
file(RELATIVE_PATH FROM_PKGCONFIG /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/fusec.pc.in fusec.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/fusec.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_NAME fusec)
set(CPACK_PACKAGE_CONTACT "the authors of fusec")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gcc | c-compiler")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_SOURCE_IGNORE_FILES /\\.git/ /build/ /\\.gpu/)
include(CPack)
