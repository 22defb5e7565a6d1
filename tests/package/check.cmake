# cmake -D FORM=installed|command|fetched|subdirectory|cpm|single_header|toolkit -D SOURCE=... -D BINARY=... -D WORK=...
#       -D GENERATOR=... -D COMPILER=... -D CONFIG=... -D BOOST_DIR=... -D INSTALLED=... -P check.cmake
# Builds and runs tests/package/consumer: with find_package on an installed tree that was moved after it was installed,
# as a part of the consumer in three ways, or with the one header that hlolint_single_header made. INSTALLED lists what
# else must be in the installed tree. FORM=command builds examples/team_lint with an installed tree and runs its test.
# FORM=toolkit does all with a copy of the project that has no tool and no command, and runs the toolkit's own tests.
cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message("${output}")   # as it is; FATAL_ERROR breaks lines anew
    message(FATAL_ERROR "failed: ${command}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

if(FORM STREQUAL "command")
  run(${CMAKE_COMMAND} --install ${BINARY} --config ${CONFIG} --prefix ${WORK}/prefix)
  file(COPY ${SOURCE}/examples/team_lint DESTINATION ${WORK})
  run(${CMAKE_COMMAND} -S ${WORK}/team_lint -B ${WORK}/build -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${COMPILER}
    -D CMAKE_BUILD_TYPE=Debug -D HLOLINT_TOGETHER=ON -D Boost_DIR=${BOOST_DIR} -D CMAKE_PREFIX_PATH=${WORK}/prefix)
  run(${CMAKE_COMMAND} --build ${WORK}/build --config Debug)
  find_program(program team_lint PATHS ${WORK}/build ${WORK}/build/Debug NO_DEFAULT_PATH REQUIRED)
  run(${SOURCE}/tests/team_lint/check ${program})
  return()
elseif(FORM STREQUAL "installed")
  run(${CMAKE_COMMAND} --install ${BINARY} --config ${CONFIG} --prefix ${WORK}/first_place)
  file(RENAME ${WORK}/first_place ${WORK}/prefix)
  file(GLOB_RECURSE files ${WORK}/prefix/*.cmake)
  foreach(file IN LISTS files)
    file(STRINGS ${file} tied REGEX "${SOURCE}|${WORK}")
    if(tied)
      message(FATAL_ERROR "${file} names a folder of this machine: ${tied}")
    endif()
  endforeach()
  foreach(file IN LISTS INSTALLED)
    if(NOT EXISTS ${WORK}/prefix/${file})
      message(FATAL_ERROR "${file} is not installed")
    endif()
  endforeach()
  if("bin/hlolint" IN_LIST INSTALLED)
    run(${WORK}/prefix/bin/hlolint --version)
  endif()
  set(where -D CMAKE_PREFIX_PATH=${WORK}/prefix)
elseif(FORM STREQUAL "single_header")
  # Nothing but the one file.
  file(COPY ${BINARY}/single_header/hlolint/hlolint.hpp DESTINATION ${WORK}/include/hlolint)
  set(where -D HLOLINT_SOURCE=${WORK}/include)
elseif(FORM STREQUAL "toolkit")
  set(toolkit ${WORK}/toolkit)
  set(floors text ir grammar verify print analysis match lint checks report)
  file(COPY ${SOURCE}/CMakeLists.txt ${SOURCE}/.cmake ${SOURCE}/LICENSE ${SOURCE}/include DESTINATION ${toolkit})
  file(REMOVE_RECURSE ${toolkit}/include/hlolint/tool ${toolkit}/.cmake/compiled/tool)
  file(GLOB examples ${SOURCE}/examples/*.cpp)
  list(FILTER examples EXCLUDE REGEX "/mpi_ranks.cpp$")   # it compares, which is the tool's
  file(COPY ${examples} ${SOURCE}/examples/CMakeLists.txt DESTINATION ${toolkit}/examples)
  file(GLOB tests ${SOURCE}/tests/*)
  list(FILTER tests EXCLUDE REGEX "/(tool|command|server|faults|corpus)$")
  file(COPY ${tests} DESTINATION ${toolkit}/tests)
  run(${CMAKE_COMMAND} -S ${toolkit} -B ${WORK}/tests -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${COMPILER}
    -D CMAKE_BUILD_TYPE=None -D HLOLINT_TOGETHER=ON -D HLOLINT_BENCHMARKS=OFF -D HLOLINT_PROOFS=OFF
    -D Boost_DIR=${BOOST_DIR})
  list(TRANSFORM floors PREPEND hlolint_tests_ OUTPUT_VARIABLE targets)
  foreach(example IN LISTS examples)
    cmake_path(GET example STEM name)
    list(APPEND targets hlolint_example_${name})
  endforeach()
  run(${CMAKE_COMMAND} --build ${WORK}/tests --config Debug --target ${targets})
  list(JOIN floors "|" floors)
  run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/tests -C Debug --output-on-failure --no-tests=error
    -R "^(${floors}|example[.].*)$")
  set(FORM subdirectory)
  set(where -D HLOLINT_SOURCE=${toolkit})
else()
  set(where -D HLOLINT_SOURCE=${SOURCE})
endif()

run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${WORK}/build -G ${GENERATOR}
  -D FORM=${FORM} -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_BUILD_TYPE=None -D Boost_DIR=${BOOST_DIR} ${where})
run(${CMAKE_COMMAND} --build ${WORK}/build --config Debug)   # compiles fastest
run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/build -C Debug --output-on-failure --no-tests=error)
