# Builds the hlolint command with profile-guided optimization:
#   cmake [-D CXX=COMPILER] [-D BUILD=build-pgo] [-D JOBS=2] -P .cmake/pgo.cmake
# It is built to count what it does, run on made-up programs (tests/generate) and the sample pair, and built again with
# these counts. The command is BUILD/hlolint.
cmake_minimum_required(VERSION 3.25)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH source)
if(NOT DEFINED BUILD)
  set(BUILD ${source}/build-pgo)
endif()
cmake_path(ABSOLUTE_PATH BUILD)
if(NOT DEFINED JOBS)
  set(JOBS 2)
endif()
set(compiler "")
if(DEFINED CXX)
  set(compiler -D CMAKE_CXX_COMPILER=${CXX})
endif()

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
# No compiler cache: it may not know that counts are an input.
function(build step)
  run(${CMAKE_COMMAND} -S ${source} -B ${BUILD} ${compiler} -D CMAKE_BUILD_TYPE=Release -D HLOLINT_PGO=${step}
    -D CMAKE_CXX_COMPILER_LAUNCHER= -D HLOLINT_BENCHMARKS=OFF)
  run(${CMAKE_COMMAND} --build ${BUILD} -j ${JOBS} --target ${ARGN})
endfunction()
# Findings are no fault here, so exit status 1 is accepted; 2 is not.
function(train)
  execute_process(COMMAND ${BUILD}/hlolint --isolated ${ARGN} OUTPUT_QUIET RESULT_VARIABLE status)
  if(NOT status MATCHES "^[01]$")
    message(FATAL_ERROR "hlolint ${ARGN}: ${status}")
  endif()
endfunction()

file(REMOVE_RECURSE ${BUILD}/pgo)   # clang's counts
file(GLOB_RECURSE counts ${BUILD}/*.gcda)   # those of g++
if(counts)
  file(REMOVE ${counts})
endif()
build(generate hlolint_command hlolint_generate)

set(programs ${BUILD}/training)
file(REMOVE_RECURSE ${programs})
run(${BUILD}/tests/hlolint_generate 300 1 ${programs} 40)
run(${BUILD}/tests/hlolint_generate 40000 77 ${programs}/large)
file(GLOB sample ${source}/tests/data/sample/*.txt)
foreach(repetition RANGE 1 5)
  train(${programs})
  train(${sample})
endforeach()
train(--select ALL --format json ${programs} ${sample})
train(parse ${programs}/large.txt)
train(memory ${programs}/large-buffer-assignment.txt)

# Clang's raw counts are merged by its own tool of the same version.
file(GLOB raw ${BUILD}/pgo/*.profraw)
if(raw)
  file(STRINGS ${BUILD}/CMakeCache.txt found REGEX "^CMAKE_CXX_COMPILER:")
  string(REGEX REPLACE "^[^=]*=" "" found "${found}")
  file(REAL_PATH ${found} found)
  cmake_path(GET found PARENT_PATH beside)
  find_program(MERGE NAMES llvm-profdata HINTS ${beside} NO_DEFAULT_PATH)
  find_program(MERGE NAMES llvm-profdata)
  if(NOT MERGE)
    message(FATAL_ERROR "llvm-profdata of ${found} is missing (Debian: package llvm-14 for clang 14).")
  endif()
  run(${MERGE} merge -o ${BUILD}/pgo/merged.profdata ${raw})
endif()
build(use hlolint_command)
message(STATUS "trained: ${BUILD}/hlolint")
