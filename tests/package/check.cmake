# cmake -D FORM=installed|fetched -D SOURCE=... -D BINARY=... -D WORK=... -D GENERATOR=... -D COMPILER=...
#       -D CONFIG=... -D BOOST_DIR=... -P check.cmake
# Builds and runs tests/package/consumer: with find_package on an installed tree that was moved after it was installed,
# or with FetchContent on the source tree.

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

if(FORM STREQUAL "installed")
  run(${CMAKE_COMMAND} --install ${BINARY} --config ${CONFIG} --prefix ${WORK}/first_place)
  file(RENAME ${WORK}/first_place ${WORK}/prefix)
  file(GLOB_RECURSE files ${WORK}/prefix/share/*.cmake)
  foreach(file IN LISTS files)
    file(STRINGS ${file} tied REGEX "${SOURCE}|${WORK}")
    if(tied)
      message(FATAL_ERROR "${file} names a folder of this machine: ${tied}")
    endif()
  endforeach()
  set(where -D CMAKE_PREFIX_PATH=${WORK}/prefix)
else()
  set(where -D HLOLINT_SOURCE=${SOURCE})
endif()

run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${WORK}/build -G ${GENERATOR}
  -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_BUILD_TYPE=${CONFIG} -D Boost_DIR=${BOOST_DIR} ${where})
run(${CMAKE_COMMAND} --build ${WORK}/build --config ${CONFIG})
run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/build -C ${CONFIG} --output-on-failure --no-tests=error)
