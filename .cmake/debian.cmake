# A Debian package of all that is installed: cpack -G DEB in the build folder, or .ci/release, which makes all packages.
# The command is static, so the package depends on nothing; who compiles with the library needs the headers of Boost.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME hlolint)
set(CPACK_PACKAGE_VENDOR hlolint)
set(CPACK_PACKAGE_CONTACT "hlolint <hlolint@example.com>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES OFF)   # it would write another time into the archive of the library
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libboost1.81-dev | libboost-dev (>= 1.81)")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libcli11-dev, nlohmann-json3-dev, libtomlplusplus-dev, libprotozero-dev")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
include(CPack)
