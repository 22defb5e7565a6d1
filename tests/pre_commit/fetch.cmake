# cmake -D SOURCE=... -D WORK=... -D GENERATOR=... -D COMPILER=... -D BOOST_DIR=... -P fetch.cmake
# Configures the command as if the libraries of the command were not installed: without leave to download them that must
# fail and name what to do; with it they are taken from where they were downloaded to, here a folder instead of the
# network.

file(REMOVE_RECURSE ${WORK})
set(options
  -G ${GENERATOR}
  -D CMAKE_CXX_COMPILER=${COMPILER}
  -D Boost_DIR=${BOOST_DIR}
  -D CMAKE_EXPORT_COMPILE_COMMANDS=ON
  -D HLOLINT_TESTS=OFF -D HLOLINT_BENCHMARKS=OFF -D HLOLINT_INSTALL=OFF
  -D CMAKE_DISABLE_FIND_PACKAGE_CLI11=ON
  -D CMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON
  -D CMAKE_DISABLE_FIND_PACKAGE_tomlplusplus=ON
  -D HLOLINT_TOMLPLUSPLUS_INCLUDE_DIR=OFF)

execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/refused ${options}
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
string(REGEX REPLACE "[ \n]+" " " errors "${errors}")
if(status EQUAL 0)
  message(FATAL_ERROR "it was configured without the libraries")
endif()
foreach(part IN ITEMS "needs CLI11::CLI11, nlohmann_json::nlohmann_json, tomlplusplus::tomlplusplus"
    "apt-get install libcli11-dev nlohmann-json3-dev libtomlplusplus-dev" "-DHLOLINT_FETCH=ON")
  if(NOT errors MATCHES "${part}")
    message(FATAL_ERROR "no '${part}' in:\n${errors}")
  endif()
endforeach()

foreach(name IN ITEMS CLI11 NLOHMANN_JSON TOMLPLUSPLUS)
  file(MAKE_DIRECTORY ${WORK}/${name}/include)
  # A project of its own that must not be looked at.
  file(WRITE ${WORK}/${name}/CMakeLists.txt "message(FATAL_ERROR \"this is not needed\")\n")
  list(APPEND options -D FETCHCONTENT_SOURCE_DIR_${name}=${WORK}/${name})
endforeach()
execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/fetched ${options} -D HLOLINT_FETCH=ON
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "it cannot be configured with what was downloaded:\n${output}${errors}")
endif()
if(EXISTS ${WORK}/fetched/compile_commands.json)   # not every generator writes it
  file(READ ${WORK}/fetched/compile_commands.json commands)
  foreach(name IN ITEMS CLI11 NLOHMANN_JSON TOMLPLUSPLUS)
    if(NOT commands MATCHES "-isystem ${WORK}/${name}/include")
      message(FATAL_ERROR "the command is not compiled with the headers of ${name} that were downloaded")
    endif()
  endforeach()
endif()
message(STATUS "without the libraries: refused, or with what was downloaded")
