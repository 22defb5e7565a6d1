# The code of the command without its main, from the folder of this file: in this tree, and where hlolint is installed
# (find_package with the component `command`). The target hlolint::command has the function of command.hpp.
# Expects hlolint::tool, hlolint_VERSION and, if known, hlolint_COMMIT; sets hlolint_command_missing to the missing
# libraries.

if(TARGET hlolint::command)
  return()
endif()

find_package(CLI11 QUIET)
find_package(nlohmann_json QUIET)
find_package(tomlplusplus QUIET)
if(NOT TARGET tomlplusplus::tomlplusplus)   # Debian's package has the headers, but no CMake config
  find_path(HLOLINT_TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h)
  if(HLOLINT_TOMLPLUSPLUS_INCLUDE_DIR)
    add_library(tomlplusplus::tomlplusplus INTERFACE IMPORTED)
    target_include_directories(tomlplusplus::tomlplusplus INTERFACE ${HLOLINT_TOMLPLUSPLUS_INCLUDE_DIR})
  endif()
endif()

# Downloads missing libraries, headers only, if allowed: from their authors in the versions of Debian 12, or from PyPI,
# where packages for Python carry them.
set(HLOLINT_FETCH OFF CACHE STRING
  "Where CLI11, nlohmann-json and toml++ (and protozero, from PyPI) are downloaded from if they are missing: OFF (not at all), ON (GitHub) or PyPI")
set_property(CACHE HLOLINT_FETCH PROPERTY STRINGS OFF ON PyPI)
function(fetch_headers target name)
  if(TARGET ${target} OR NOT HLOLINT_FETCH)
    return()
  endif()
  cmake_parse_arguments(from "" "" "GITHUB;PYPI" ${ARGN})
  set(from ${from_GITHUB})
  set(host https://github.com)
  if(HLOLINT_FETCH STREQUAL "PyPI")
    set(from ${from_PYPI})
    set(host https://files.pythonhosted.org/packages)
  endif()
  if(NOT from)
    return()
  endif()
  list(GET from 0 address)
  list(GET from 1 hash)
  list(GET from 2 folder)
  include(FetchContent)
  FetchContent_Declare(${name}
    URL ${host}/${address}
    URL_HASH SHA256=${hash}
    DOWNLOAD_EXTRACT_TIMESTAMP ON
    SOURCE_SUBDIR headers_only)   # there is no such folder, so their CMake projects are left alone
  FetchContent_MakeAvailable(${name})
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} INTERFACE ${${name}_SOURCE_DIR}/${folder})
  if(EXISTS ${${name}_SOURCE_DIR}/${folder}/CLI11.hpp)   # all of it as one file; the names of its parts stand for it
    foreach(part IN ITEMS App CLI Formatter Option)
      file(WRITE ${${name}_SOURCE_DIR}/${folder}/CLI/${part}.hpp "#include <CLI11.hpp>\n")
    endforeach()
  endif()
endfunction()
fetch_headers(CLI11::CLI11 cli11
  GITHUB CLIUtils/CLI11/archive/refs/tags/v2.1.2.tar.gz
    26291377e892ba0e5b4972cdfd4a2ab3bf53af8dac1f4ea8fe0d1376b625c8cb include
  PYPI 39/2a/900b9bd6663ffbc6be7c6f9adedda691734f7a392d4ed0d4b9c0d13beab3/highspy-1.16.0.tar.gz
    83519368321b1ac0ed508b8562b335928b6fd249e2ab42ff0218491e1486d985 extern/cli11)
fetch_headers(nlohmann_json::nlohmann_json nlohmann_json
  GITHUB nlohmann/json/archive/refs/tags/v3.11.2.tar.gz
    d69f9deb6a75e2580465c6c4c5111b89c4dc2fa94e3a85fcd2ffcd9a143d9273 include
  PYPI 51/69/a42fddc89a6de959b65b27a15d69de85e88d2f99884e00b1b02c12dce301/nlohmann_json-3.12.0-py3-none-any.whl
    5f6132720fb25d0d70bf0742f8397b49a540dcc193e7312a914f6aa49f054810 nlohmann_json/include)
fetch_headers(tomlplusplus::tomlplusplus tomlplusplus
  GITHUB marzer/tomlplusplus/archive/refs/tags/v3.3.0.tar.gz
    fc1a5eb410f3c67e90e5ad1264a1386d020067cfb01b633cc8c0441789aa6cf2 include
  PYPI 10/fe/50ca1ac0c1a932d3e71311baff531c0395e546ec0cd42bc8a8a88c36e00b/pytomlpp-1.1.0.tar.gz
    61a0f73e7ba2fe8bba4e99ce6d2701491885850b53aad8f3e46d03c4b31e594d third_party/tomlplusplus/include)

set(hlolint_command_missing "")
foreach(library IN ITEMS CLI11::CLI11 nlohmann_json::nlohmann_json tomlplusplus::tomlplusplus)
  if(NOT TARGET ${library})
    list(APPEND hlolint_command_missing ${library})
  endif()
endforeach()
if(NOT TARGET hlolint::tool)
  list(APPEND hlolint_command_missing "the compiled library (-DHLOLINT_COMPILED=ON when hlolint is configured)")
endif()
if(hlolint_command_missing)
  return()
endif()

find_package(Threads REQUIRED)
add_library(hlolint_command_needs INTERFACE)   # the fuzz targets need it too, and hlolint_command_libraries
add_library(hlolint_command_libraries INTERFACE)
target_link_libraries(hlolint_command_needs INTERFACE
  hlolint::hlolint CLI11::CLI11 nlohmann_json::nlohmann_json Threads::Threads)
# Only the headers of toml++: loading its shared library takes longer than reading a small configuration.
get_target_property(folders tomlplusplus::tomlplusplus INTERFACE_INCLUDE_DIRECTORIES)   # it is not known elsewhere
target_include_directories(hlolint_command_needs SYSTEM INTERFACE ${folders})
target_compile_definitions(hlolint_command_needs INTERFACE HLOLINT_VERSION="${hlolint_VERSION}" TOML_HEADER_ONLY=1)

# Compressed inputs, as far as their libraries are found.
find_package(ZLIB QUIET)
find_package(LibLZMA QUIET)
find_path(HLOLINT_ZSTD_INCLUDE_DIR zstd.h)
find_library(HLOLINT_ZSTD_LIBRARY zstd)
set(shared "")     # what to link
set(archives "")   # the names of the same libraries
if(ZLIB_FOUND)
  target_include_directories(hlolint_command_needs SYSTEM INTERFACE ${ZLIB_INCLUDE_DIRS})
  target_compile_definitions(hlolint_command_needs INTERFACE HLOLINT_HAS_ZLIB)
  list(APPEND shared ZLIB::ZLIB)
  list(APPEND archives libz.a)
endif()
if(LIBLZMA_FOUND)
  target_include_directories(hlolint_command_needs SYSTEM INTERFACE ${LIBLZMA_INCLUDE_DIRS})
  target_compile_definitions(hlolint_command_needs INTERFACE HLOLINT_HAS_LZMA)
  list(APPEND shared LibLZMA::LibLZMA)
  list(APPEND archives liblzma.a)
endif()
if(HLOLINT_ZSTD_INCLUDE_DIR AND HLOLINT_ZSTD_LIBRARY)
  target_include_directories(hlolint_command_needs SYSTEM INTERFACE ${HLOLINT_ZSTD_INCLUDE_DIR})
  target_compile_definitions(hlolint_command_needs INTERFACE HLOLINT_HAS_ZSTD)
  list(APPEND shared ${HLOLINT_ZSTD_LIBRARY})
  list(APPEND archives libzstd.a)
endif()
# Archives of folders of dumps.
find_package(LibArchive QUIET)
if(LibArchive_FOUND)
  target_include_directories(hlolint_command_needs SYSTEM INTERFACE ${LibArchive_INCLUDE_DIRS})
  target_compile_definitions(hlolint_command_needs INTERFACE HLOLINT_HAS_ARCHIVE)
  list(APPEND shared LibArchive::LibArchive)
  list(PREPEND archives libarchive.a)            # which needs those after it
  list(APPEND archives libbz2.a libnettle.a)   # for what zip files may hold
endif()
target_link_libraries(hlolint_command_libraries INTERFACE ${shared})

# Protobuf dumps, if the headers of protozero are found, or can be had from PyPI.
find_path(HLOLINT_PROTOZERO_INCLUDE_DIR protozero/pbf_reader.hpp)
if(HLOLINT_PROTOZERO_INCLUDE_DIR AND NOT TARGET protozero::headers)
  add_library(protozero::headers INTERFACE IMPORTED)
  target_include_directories(protozero::headers INTERFACE ${HLOLINT_PROTOZERO_INCLUDE_DIR})
endif()
fetch_headers(protozero::headers protozero
  PYPI a6/33/c7cb6aa530b887370c6b8d91660d327758562f5dc8dd19d744aea0c74d45/osmium-4.3.2.tar.gz
    bea7aa809d41659ad29c7b4627ce7e1af4d420d03db45b3a4211cb6192b6926f contrib/protozero/include)
if(TARGET protozero::headers)
  target_link_libraries(hlolint_command_needs INTERFACE protozero::headers)
  target_compile_definitions(hlolint_command_needs INTERFACE HLOLINT_HAS_PROTOZERO)
endif()

# Only one source is compiled with the commit, which changes more often than anything else.
if(hlolint_COMMIT)
  set_source_files_properties(${CMAKE_CURRENT_LIST_DIR}/version.cpp PROPERTIES
    COMPILE_DEFINITIONS HLOLINT_COMMIT="${hlolint_COMMIT}")
endif()

# Compiled once for all programs that link it, whatever their checks.
file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
list(FILTER sources EXCLUDE REGEX "/hlolint.cpp$")   # main
list(REVERSE sources)   # what takes longest, the commands, is started first then
add_library(hlolint_command_code STATIC EXCLUDE_FROM_ALL ${sources})
target_link_libraries(hlolint_command_code PUBLIC hlolint_command_needs hlolint::tool)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH folder)
target_include_directories(hlolint_command_code INTERFACE ${folder})   # for <hlolint/command.hpp>
if(HLOLINT_TOGETHER)
  set_target_properties(hlolint_command_code PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16
    UNITY_BUILD_CODE_BEFORE_INCLUDE "#pragma GCC diagnostic ignored \"-Wshadow\"")   # by names of other sources
  # Each of the joined sources takes up to 4 GB with g++. Only ninja has pools.
  cmake_host_system_information(RESULT memory QUERY TOTAL_PHYSICAL_MEMORY)   # in MiB
  math(EXPR jobs "(${memory} + 4095) / 4096")
  set_property(GLOBAL APPEND PROPERTY JOB_POOLS hlolint_joined_sources=${jobs})
  set_target_properties(hlolint_command_code PROPERTIES JOB_POOL_COMPILE hlolint_joined_sources)
else()
  target_precompile_headers(hlolint_command_code PRIVATE
    <hlolint/lint/context.hpp> <hlolint/report/run_result.hpp> <algorithm> <filesystem>
    <iostream> <string> <vector>)
endif()

add_library(hlolint_command_whole INTERFACE)
add_library(hlolint::command ALIAS hlolint_command_whole)
target_link_libraries(hlolint_command_whole INTERFACE hlolint_command_code hlolint_command_libraries)
