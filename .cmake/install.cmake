# Headers, the compiled library, and a package config that can be moved. Without the library nothing depends on the
# architecture.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

if(HLOLINT_COMPILED)
  set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/hlolint)
  set(independent "")
else()
  set(config_dir ${CMAKE_INSTALL_DATAROOTDIR}/cmake/hlolint)
  set(independent ARCH_INDEPENDENT)
endif()

set(command_dir ${CMAKE_INSTALL_DATAROOTDIR}/hlolint/command)
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/hlolintConfig.cmake.in
  ${PROJECT_BINARY_DIR}/package/hlolintConfig.cmake
  INSTALL_DESTINATION ${config_dir}
  PATH_VARS command_dir
  NO_SET_AND_CHECK_MACRO)
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/package/hlolintConfigVersion.cmake
  COMPATIBILITY SameMinorVersion
  ${independent})

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/hlolint
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN *.hpp)
install(DIRECTORY ${PROJECT_BINARY_DIR}/page_parts/hlolint DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} OPTIONAL)
install(TARGETS hlolint EXPORT hlolint INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(HLOLINT_COMPILED)
  install(TARGETS ${libraries} EXPORT hlolint ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(EXPORT hlolint
  NAMESPACE hlolint::
  FILE hlolintTargets.cmake
  DESTINATION ${config_dir})
install(FILES
  ${PROJECT_BINARY_DIR}/package/hlolintConfig.cmake
  ${PROJECT_BINARY_DIR}/package/hlolintConfigVersion.cmake
  DESTINATION ${config_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/hlolint)

set(HLOLINT_LICENCES "" CACHE PATH "A folder with the licences of what is linked in, to be installed beside that of hlolint")
mark_as_advanced(HLOLINT_LICENCES)
if(HLOLINT_LICENCES)
  install(DIRECTORY ${HLOLINT_LICENCES}/ DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/hlolint)
endif()

# The sources of the command, for commands with rules of one's own: find_package(hlolint COMPONENTS command).
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/hlolint
  DESTINATION ${command_dir}
  COMPONENT command
  FILES_MATCHING PATTERN *.hpp PATTERN *.cpp PATTERN *.cmake)

# The command, the schema of what it writes, and what is made from its help: completions of shells and, with help2man, a
# man page. The tests look for all of HLOLINT_INSTALLED.
set(hlolint_library ${CMAKE_INSTALL_LIBDIR}/${CMAKE_STATIC_LIBRARY_PREFIX}hlolint${CMAKE_STATIC_LIBRARY_SUFFIX})
set(HLOLINT_INSTALLED ${CMAKE_INSTALL_INCLUDEDIR}/hlolint/hlolint.hpp ${config_dir}/hlolintConfig.cmake
  ${CMAKE_INSTALL_INCLUDEDIR}/hlolint/tool/report/html/parts.hpp
  ${command_dir}/hlolint/command.hpp ${command_dir}/hlolint/command.cmake)
if(HLOLINT_COMPILED)
  list(APPEND HLOLINT_INSTALLED ${hlolint_library})
endif()
if(NOT TARGET hlolint_command)
  return()
endif()
install(TARGETS hlolint_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)
list(APPEND HLOLINT_INSTALLED ${CMAKE_INSTALL_BINDIR}/hlolint)
install(FILES ${PROJECT_SOURCE_DIR}/examples/hlolint/schema.json DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/hlolint)
list(APPEND HLOLINT_INSTALLED ${CMAKE_INSTALL_DATAROOTDIR}/hlolint/schema.json)

set(shown "")
# hlolint_tells(FILE FOLDER COMMAND...): a command makes FILE, which is installed in FOLDER.
function(hlolint_tells file folder)
  set(path ${PROJECT_BINARY_DIR}/share/${file})
  add_custom_command(OUTPUT ${path}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/share
    COMMAND ${ARGN} --output ${path}
    DEPENDS hlolint_command
    VERBATIM)
  install(FILES ${path} DESTINATION ${folder} OPTIONAL)   # as the command: what is not built is not installed
  set(shown ${shown} ${path} PARENT_SCOPE)
  set(HLOLINT_INSTALLED ${HLOLINT_INSTALLED} ${folder}/${file} PARENT_SCOPE)
endfunction()

if(CMAKE_CROSSCOMPILING)
  message(STATUS "hlolint: cross-compiling, so no man page and no completions")
  return()
endif()
hlolint_tells(hlolint ${CMAKE_INSTALL_DATAROOTDIR}/bash-completion/completions hlolint_command completions bash)
hlolint_tells(_hlolint ${CMAKE_INSTALL_DATAROOTDIR}/zsh/site-functions hlolint_command completions zsh)
hlolint_tells(hlolint.fish ${CMAKE_INSTALL_DATAROOTDIR}/fish/vendor_completions.d hlolint_command completions fish)
find_program(HLOLINT_HELP2MAN help2man)
if(HLOLINT_HELP2MAN)
  hlolint_tells(hlolint.1 ${CMAKE_INSTALL_MANDIR}/man1 ${HLOLINT_HELP2MAN} --no-info --section=1
    "--name=lint the text dumps of the XLA compiler" --include=${CMAKE_CURRENT_LIST_DIR}/hlolint.h2m
    $<TARGET_FILE:hlolint_command>)
else()
  message(STATUS "hlolint: no help2man (Debian: help2man), so no man page")
endif()
add_custom_target(hlolint_share ALL DEPENDS ${shown})
