# cmake -D COMMAND=.../hlolint -P readme.cmake, in the folder of the project: what the READMEs show is what comes out.
file(READ README.md readme)
file(READ examples/hlolint/README.md manual)   # of the command
file(READ examples/README.md library)
string(APPEND readme "${manual}" "${library}")
file(READ examples/quickstart.cpp quickstart)
# The rule alone: a first page does not repeat its main.
file(READ examples/custom_check.cpp own_rule)
string(REGEX REPLACE "^.*\n(struct .*)\nint main.*$" "\\1" own_rule "${own_rule}")
execute_process(COMMAND ${COMMAND} --select MEM001,PAD001 tests/data/sample OUTPUT_VARIABLE findings)
execute_process(COMMAND ${COMMAND} diff --select COL001 tests/data/ok tests/data/sample OUTPUT_VARIABLE difference)
execute_process(COMMAND ${COMMAND} ranks tests/data/ok tests/data/sample OUTPUT_VARIABLE ranks)
execute_process(
  COMMAND ${COMMAND} time --device tpu-v5e tests/data/sample/module_0042.jit_train_step.cl_1.after_codegen.txt
  OUTPUT_VARIABLE time)
execute_process(
  COMMAND ${COMMAND} time --device tpu-v5e --top 4 --profile tests/data/profile/jit_train_step.trace.json tests/data/sample
  OUTPUT_VARIABLE measured)
execute_process(COMMAND ${COMMAND} memory tests/data/job/train.log OUTPUT_VARIABLE out_of_memory)
execute_process(COMMAND ${COMMAND} memory --by source --top 5 tests/data/sample OUTPUT_VARIABLE by_source)
execute_process(COMMAND ${COMMAND} advise --device h100-sxm --recompute off tests/data/late OUTPUT_VARIABLE advice)
execute_process(COMMAND ${COMMAND} advise --device h100-sxm tests/data/merged OUTPUT_VARIABLE changes)
execute_process(
  COMMAND ${COMMAND} query "copy-start where bytes > 1MiB" tests/data/sample --explain copy-start.1 OUTPUT_VARIABLE not_found)
execute_process(COMMAND ${COMMAND} rules --format json OUTPUT_VARIABLE rules)

foreach(shown IN ITEMS advice changes out_of_memory by_source not_found findings time measured difference ranks quickstart own_rule)
  string(STRIP "${${shown}}" text)
  string(FIND "${readme}" "${text}" at)
  if(text STREQUAL "" OR at EQUAL -1)
    message(FATAL_ERROR "no README shows this (${shown}):\n${text}")
  endif()
endforeach()

string(JSON list GET "${rules}" rules)
string(JSON count LENGTH "${list}")
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  foreach(member IN ITEMS id name level what)
    string(JSON ${member} GET "${list}" ${i} ${member})
  endforeach()
  string(FIND "${readme}" "| ${id} | ${name} | ${level} | ${what} |" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "the manual's table has no row like: | ${id} | ${name} | ${level} | ${what} |")
  endif()
endforeach()
# Each line of code in the tables of what can be asked is compiled and checked by a test.
file(READ tests/lint/reference.cpp reference)
string(REGEX MATCH "## What can be asked.*## Build with it" asked "${readme}")
string(REPLACE ";" "<semicolon>" asked "${asked}")
string(REGEX MATCHALL "\n\\| `[^`]+` \\|" lines "${asked}")
list(LENGTH lines asked_count)
if(asked_count LESS 40)
  message(FATAL_ERROR "the tables of what can be asked have ${asked_count} lines only")
endif()
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^\n\\| `([^`]+)` \\|$" "\\1" code "${line}")
  string(FIND "${reference}" "${code}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "examples/README.md shows a line of code that tests/lint/reference.cpp does not have: ${code}")
  endif()
endforeach()

message("The READMEs show the findings, the comparisons, the quickstart and ${count} rules as they are")
