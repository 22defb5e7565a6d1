# A port of hlolint for vcpkg; use it from this folder with --overlay-ports. It takes the sources from this tree. A port in
# a registry gets them with vcpkg_from_git instead.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

vcpkg_check_features(OUT_FEATURE_OPTIONS options FEATURES command HLOLINT_EXAMPLES compiled HLOLINT_COMPILED)
set(config share/cmake/hlolint)
if("compiled" IN_LIST FEATURES)
  set(config lib/cmake/hlolint)
elseif(NOT "command" IN_LIST FEATURES)
  set(VCPKG_BUILD_TYPE release)   # nothing but headers
endif()
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${options} -DHLOLINT_INSTALL=ON -DHLOLINT_TESTS=OFF -DHLOLINT_BENCHMARKS=OFF -DHLOLINT_WERROR=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH ${config})
if("command" IN_LIST FEATURES)
  vcpkg_copy_tools(TOOL_NAMES hlolint AUTO_CLEAN)
endif()
if("compiled" IN_LIST FEATURES)
  file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
else()
  file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug" "${CURRENT_PACKAGES_DIR}/lib")
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/doc")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
