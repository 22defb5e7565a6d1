# Headers, and a package config that can be moved and does not depend on the architecture.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(config_dir ${CMAKE_INSTALL_DATAROOTDIR}/cmake/hlolint)

configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/hlolintConfig.cmake.in
  ${PROJECT_BINARY_DIR}/package/hlolintConfig.cmake
  INSTALL_DESTINATION ${config_dir}
  NO_SET_AND_CHECK_MACRO)
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/package/hlolintConfigVersion.cmake
  COMPATIBILITY SameMinorVersion
  ARCH_INDEPENDENT)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/hlolint
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN *.hpp)
install(TARGETS hlolint EXPORT hlolint INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT hlolint
  NAMESPACE hlolint::
  FILE hlolintTargets.cmake
  DESTINATION ${config_dir})
install(FILES
  ${PROJECT_BINARY_DIR}/package/hlolintConfig.cmake
  ${PROJECT_BINARY_DIR}/package/hlolintConfigVersion.cmake
  DESTINATION ${config_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/hlolint)

if(TARGET hlolint_command)
  install(TARGETS hlolint_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)
endif()
