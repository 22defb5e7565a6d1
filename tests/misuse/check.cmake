# cmake -D COMPILER=c++ -D INCLUDES=... -D SYSTEM_INCLUDES=... -D SOURCE=file.cpp -P check.cmake
# The file must compile as it is. With -DHLOLINT_MISUSE it must not, and the compiler must print the text that the
# file's first line gives: // expect: TEXT

# Printed as it is: message(FATAL_ERROR) alone breaks lines anew.
function(fail text)
  message("${text}")
  message(FATAL_ERROR "the check of ${SOURCE} failed")
endfunction()

file(STRINGS ${SOURCE} first LIMIT_COUNT 1)
if(NOT first MATCHES "^// expect: (.+)$")
  fail("${SOURCE}: the first line must be '// expect: TEXT'")
endif()
set(expected "${CMAKE_MATCH_1}")

set(options -std=c++20 -fsyntax-only -DHLOLINT_COMPILED)   # as users have it; the bodies are not read
foreach(folder IN LISTS INCLUDES)
  list(APPEND options -I ${folder})
endforeach()
foreach(folder IN LISTS SYSTEM_INCLUDES)
  if(NOT folder STREQUAL "/usr/include")   # always searched, and at its own place in the order
    list(APPEND options -isystem ${folder})
  endif()
endforeach()

set(ENV{LC_ALL} C)
execute_process(COMMAND ${COMPILER} ${options} ${SOURCE}
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT status EQUAL 0)
  fail("${SOURCE} does not compile without HLOLINT_MISUSE:\n${output}")
endif()

execute_process(COMMAND ${COMPILER} ${options} -DHLOLINT_MISUSE ${SOURCE}
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(status EQUAL 0)
  fail("${SOURCE}: the misuse compiles")
endif()
# Only what the compiler itself writes counts: the source lines it quotes contain the text in any case.
string(REGEX REPLACE "\n +[0-9]* *\\|[^\n]*" "" printed "\n${output}")
string(FIND "${printed}" "${expected}" at)
if(at EQUAL -1)
  fail("${SOURCE}: the compiler does not print '${expected}':\n${output}")
endif()
