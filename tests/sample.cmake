# cmake -D COMMAND=hlolint -D PAIR=sample|ok -P sample.cmake   (in the top folder of the project)
# tests/data/sample has one fault or waste of each family, and a finding for each and no other; tests/data/ok is the
# same program with all four repaired.

execute_process(COMMAND ${COMMAND} --format json tests/data/${PAIR}
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE errors)

set(expected_sample "ALI001;COL001;MEM001;PAD001")
set(expected_ok "")
set(status_sample 1)
set(status_ok 0)

string(JSON count ERROR_VARIABLE bad LENGTH "${output}" diagnostics)
set(rules "")
if(bad)
  set(count 0)
  set(rules "no JSON: ${bad}")
endif()
math(EXPR last "${count} - 1")
if(count GREATER 0)
  foreach(i RANGE ${last})
    string(JSON rule GET "${output}" diagnostics ${i} rule)
    list(APPEND rules ${rule})
  endforeach()
endif()
list(SORT rules)

if(NOT status EQUAL status_${PAIR} OR NOT rules STREQUAL expected_${PAIR})
  message(   # as it is; FATAL_ERROR breaks lines anew
    "expected exit ${status_${PAIR}} and the rules '${expected_${PAIR}}', got exit ${status} and '${rules}'\n"
    "${errors}\n${output}")
  message(FATAL_ERROR "the findings in tests/data/${PAIR} are not the expected ones")
endif()
