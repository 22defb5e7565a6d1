# cmake -D COMPILER=c++ -D INCLUDES=... -D WORK=folder -P modes.cmake
# Two files of one program that are built in two ways, one with HLOLINT_COMPILED, must not link; in one way they do.

cmake_minimum_required(VERSION 3.25)
set(options -std=c++20)
foreach(folder IN LISTS INCLUDES)
  list(APPEND options -I ${folder})
endforeach()
file(MAKE_DIRECTORY ${WORK})
file(WRITE ${WORK}/main.cpp "#include <hlolint/text/compiled.hpp>\nint other();\nint main() { return other(); }\n")
file(WRITE ${WORK}/other.cpp "#include <hlolint/text/compiled.hpp>\nint other() { return 0; }\n")
file(WRITE ${WORK}/code.cpp "#include <hlolint/text/compiled.hpp>
namespace hlolint::detail { __thread char HLOLINT_COMPILED_is_defined_for_all_files_or_for_none = 0; }\n")

# links(RESULT SOURCE...): whether the sources link; those before `compiled` are built without HLOLINT_COMPILED.
function(links result)
  set(define "")
  set(objects "")
  foreach(source IN LISTS ARGN)
    if(source STREQUAL "compiled")
      set(define -DHLOLINT_COMPILED)
      continue()
    endif()
    execute_process(COMMAND ${COMPILER} ${options} ${define} -c ${source}.cpp -o ${source}.o
      WORKING_DIRECTORY ${WORK} COMMAND_ERROR_IS_FATAL ANY)
    list(APPEND objects ${source}.o)
  endforeach()
  set(ENV{LC_ALL} C)
  execute_process(COMMAND ${COMPILER} ${objects} -o program
    WORKING_DIRECTORY ${WORK} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  set(${result} FALSE PARENT_SCOPE)
  if(status EQUAL 0)
    set(${result} TRUE PARENT_SCOPE)
  elseif(NOT output MATCHES "HLOLINT_COMPILED_is_defined_for_all_files_or_for_none")
    message(FATAL_ERROR "the linker does not say what is wrong:\n${output}")
  endif()
endfunction()

links(header_only main other)
links(compiled compiled main other code)
links(mixed main compiled other code)
links(mixed_the_other_way other compiled main code)
if(NOT header_only OR NOT compiled)
  message(FATAL_ERROR "files that are built in one way do not link")
endif()
if(mixed OR mixed_the_other_way)
  message(FATAL_ERROR "files that are built in two ways link")
endif()
