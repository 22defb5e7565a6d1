# Included by CMakeLists.txt when HLOLINT_PROOFS is on: tests that take minutes, or need what few machines have.

# What ctest starts in here starts compilers; two at a time is enough for it.
set(jobs 2)

# --- Made-up programs of any size: one target writes them, one shows how the analyses grow ------------------------------

add_executable(hlolint_generate generate/generate.cpp)
target_link_libraries(hlolint_generate PRIVATE hlolint::hlolint hlolint_warnings)
add_executable(hlolint_scale generate/scale.cpp)
target_link_libraries(hlolint_scale PRIVATE hlolint::tool hlolint_warnings)
add_test(NAME scale COMMAND hlolint_scale 10000)

# --- The fast path for printed lines against the grammar, on many mutants ---------------------------------------------

add_test(NAME grammar.mutants COMMAND hlolint_tests_grammar --test-case=mutants*)
set(mutants 100000)
if(HLOLINT_PROOFS STREQUAL "ONLY")   # in a fifth of the time
  set(mutants 20000)
endif()
set_tests_properties(grammar.mutants PROPERTIES ENVIRONMENT HLOLINT_MUTANTS=${mutants})

# --- The headers: each alone, all in two translation units ------------------------------------------------------------

file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/include/*.hpp)
if(HLOLINT_PROOFS STREQUAL "ONLY")   # all of them take a quarter of an hour
  list(FILTER headers INCLUDE REGEX "^hlolint/[^/]*$")
endif()
if(headers)
  set(units "")
  foreach(header IN LISTS headers)
    set(unit ${CMAKE_CURRENT_BINARY_DIR}/headers/${header}.cpp)
    # Twice: a header without an include guard fails too.
    file(CONFIGURE OUTPUT ${unit} CONTENT "#include <@header@>\n#include <@header@>\n" @ONLY)
    list(APPEND units ${unit})
  endforeach()
  add_library(hlolint_headers OBJECT EXCLUDE_FROM_ALL ${units})
  target_link_libraries(hlolint_headers PRIVATE hlolint::hlolint hlolint_warnings)
  # What is not ours is read once; that each header includes what it uses of it is another test, headers.std_includes.
  set(foreign "")
  foreach(header IN LISTS headers)
    file(STRINGS ${PROJECT_SOURCE_DIR}/include/${header} lines REGEX "^#include <([a-z]|boost/)")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^#include (<[^>]*>).*" "\\1" included "${line}")
      if(NOT included MATCHES "^<hlolint/|\\.h>$")
        list(APPEND foreign ${included})
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES foreign)
  list(SORT foreign)
  target_precompile_headers(hlolint_headers PRIVATE ${foreign})
  if(NOT MSVC)
    target_compile_options(hlolint_headers PRIVATE -O0)
  endif()
  add_test(NAME headers.compile_alone
    COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --config $<CONFIG> --parallel ${jobs} --target hlolint_headers)
  set_tests_properties(headers.compile_alone PROPERTIES RUN_SERIAL ON)
endif()

set(umbrella hlolint/hlolint.hpp)
if(umbrella IN_LIST headers)
  add_executable(hlolint_tests_linkage linkage/one.cpp linkage/two.cpp)
  target_link_libraries(hlolint_tests_linkage PRIVATE hlolint::hlolint hlolint_warnings)
  if(NOT MSVC)
    target_compile_options(hlolint_tests_linkage PRIVATE -O0)
  endif()
  add_test(NAME headers.two_units COMMAND hlolint_tests_linkage)
  # Without CMake's library: all sources with HLOLINT_COMPILED, and the code in one of them.
  add_executable(hlolint_tests_implementation linkage/implementation.cpp linkage/implementation_user.cpp)
  target_link_libraries(hlolint_tests_implementation PRIVATE hlolint::hlolint hlolint_warnings)
  target_compile_definitions(hlolint_tests_implementation PRIVATE HLOLINT_COMPILED)
  if(NOT MSVC)
    target_compile_options(hlolint_tests_implementation PRIVATE -O0)
  endif()
  add_test(NAME headers.implementation COMMAND hlolint_tests_implementation)
endif()

# --- A command with rules of one's own -------------------------------------------------------------------------------

if(TARGET team_lint)
  add_test(NAME example.team_lint COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/team_lint/check $<TARGET_FILE:team_lint>)
endif()

# --- The check of misuse notices a misuse that compiles, another message, and a right use that does not compile -------

foreach(case IN ITEMS "compiles:the misuse compiles" "other_message:does not print" "never_compiles:does not compile without")
  string(REGEX MATCH "^[^:]*" name "${case}")
  string(REGEX REPLACE "^[^:]*:" "" message "${case}")
  add_test(NAME misuse.check_notices.${name}
    COMMAND ${misuse_command} -D SOURCE=${data}/misuse/${name}.cpp -P ${CMAKE_CURRENT_SOURCE_DIR}/misuse/check.cmake)
  set_tests_properties(misuse.check_notices.${name} PROPERTIES PASS_REGULAR_EXPRESSION "${message}")
endforeach()

# --- The package: installed and moved, as a part of another project, as one header ------------------------------------

set(forms fetched subdirectory cpm)
if(HLOLINT_PROOFS STREQUAL "ON")   # compiles the tests of the toolkit once more
  list(APPEND forms toolkit)
endif()
if(HLOLINT_INSTALL)
  list(APPEND forms installed)
  if(TARGET hlolint_command AND UNIX AND HLOLINT_PROOFS STREQUAL "ON")   # compiles the whole command once more
    list(APPEND forms command)
  endif()
endif()
if(TARGET hlolint_single_header)
  list(APPEND forms single_header)
endif()
foreach(form IN LISTS forms)
  add_test(NAME package.${form}
    COMMAND ${CMAKE_COMMAND}
      -D FORM=${form}
      -D SOURCE=${PROJECT_SOURCE_DIR}
      -D BINARY=${PROJECT_BINARY_DIR}
      -D WORK=${CMAKE_CURRENT_BINARY_DIR}/package_${form}
      -D GENERATOR=${CMAKE_GENERATOR}
      -D COMPILER=${CMAKE_CXX_COMPILER}
      -D CONFIG=$<CONFIG>
      -D BOOST_DIR=${Boost_DIR}
      -D "INSTALLED=${HLOLINT_INSTALLED}"
      -P ${CMAKE_CURRENT_SOURCE_DIR}/package/check.cmake)
endforeach()

# --- The reference: every public name has a comment that Doxygen can read ----------------------------------------------

if(TARGET hlolint_docs)
  add_test(NAME docs COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --config $<CONFIG> --target hlolint_docs)
else()
  add_skipped_test(docs "there is no Doxygen (Debian: apt-get install doxygen)")
endif()

# --- HTML reports in a browser: of the sample pair, of a large program, and of a real one ------------------------------

find_program(HLOLINT_NODE NAMES node nodejs)
if(TARGET hlolint_command AND HLOLINT_NODE)
  # add_browser_test(NAME INPUT...): the report of the inputs, opened and used.
  function(add_browser_test name)
    set(report ${CMAKE_CURRENT_BINARY_DIR}/${name}.html)
    add_test(NAME browser.${name}.report
      COMMAND hlolint_command ${ARGN} --isolated --format html --exit-zero --output ${report})
    add_test(NAME browser.${name} COMMAND ${HLOLINT_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/browser/report.mjs ${report})
    set_tests_properties(browser.${name}.report PROPERTIES FIXTURES_SETUP browser_${name})
    set_tests_properties(browser.${name} PROPERTIES FIXTURES_REQUIRED browser_${name} SKIP_RETURN_CODE 77)
  endfunction()

  add_browser_test(sample ${data}/sample --device tpu-v5e)
  add_browser_test(measured ${data}/sample --device tpu-v5e --profile ${data}/profile/jit_train_step.trace.json)
  add_browser_test(modules ${data}/ok ${data}/sample ${data}/language/control_flow.hlo ${data}/language/collectives.hlo)
  add_browser_test(loop ${data}/loop --device h100-sxm)
  set(many ${CMAKE_CURRENT_BINARY_DIR}/many)
  add_test(NAME browser.many.dump COMMAND hlolint_generate jax 1 ${many} 200)
  set_tests_properties(browser.many.dump PROPERTIES FIXTURES_SETUP browser_many_dump)
  add_browser_test(many ${many} --device h100-sxm)
  set_tests_properties(browser.many.report PROPERTIES FIXTURES_REQUIRED browser_many_dump)
  add_browser_test(job ${data}/job/train.log ${data}/job/fit.log ${data}/sample)
  set(large ${CMAKE_CURRENT_BINARY_DIR}/large)
  add_test(NAME browser.large.dump COMMAND hlolint_generate 100000 1 ${large} 1)
  set_tests_properties(browser.large.dump PROPERTIES FIXTURES_SETUP browser_large_dump)
  add_browser_test(large ${large})
  set_tests_properties(browser.large.report PROPERTIES FIXTURES_REQUIRED browser_large_dump)
  if(UNIX)   # whether there is a corpus is known when the test runs
    set(script [=[
      if [ -z "$HLOLINT_CORPUS" ]
      then
        echo "skipped: HLOLINT_CORPUS is not set"
        exit 77
      fi
      "$1" "$HLOLINT_CORPUS"/seeds/00[01]_*.txt --isolated --format html --exit-zero --output "$2" && exec "$3" "$4" "$2"]=])
    add_test(NAME browser.corpus
      COMMAND sh -c "${script}" sh $<TARGET_FILE:hlolint_command> ${CMAKE_CURRENT_BINARY_DIR}/corpus.html
        ${HLOLINT_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/browser/report.mjs)
    set_tests_properties(browser.corpus PROPERTIES SKIP_RETURN_CODE 77)
  endif()
elseif(TARGET hlolint_command)
  add_skipped_test(browser "there is no Node (Debian: apt-get install nodejs)")
endif()

# --- The scripts of the page are whole, each alone; what they are together is linted below -----------------------------

file(GLOB scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/hlolint/tool/report/html/*.js)
foreach(script IN LISTS scripts)
  cmake_path(GET script STEM name)
  if(HLOLINT_NODE)
    add_test(NAME page.script.${name} COMMAND ${HLOLINT_NODE} --check ${script})
  else()
    add_skipped_test(page.script.${name} "there is no Node (Debian: apt-get install nodejs)")
  endif()
endforeach()

# --- The page that lints what is dropped on it, against the command ----------------------------------------------------

if(TARGET hlolint_command AND UNIX AND HLOLINT_NODE)
  if(HLOLINT_PROOFS STREQUAL "ON")   # compiles the whole command once more
    add_test(NAME web COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/web/check $<TARGET_FILE:hlolint_command> ${PROJECT_SOURCE_DIR}
      ${CMAKE_CURRENT_BINARY_DIR}/web)
    set_tests_properties(web PROPERTIES SKIP_RETURN_CODE 77)
  else()
    add_skipped_test(web "it takes minutes to build the page (HLOLINT_PROOFS=ON)")
  endif()
endif()

# --- SARIF as Microsoft's validator wants it --------------------------------------------------------------------------

if(TARGET hlolint_command AND UNIX)
  if(HLOLINT_NODE)
    add_test(NAME sarif
      COMMAND ${HLOLINT_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/sarif/check.mjs
        $<TARGET_FILE:hlolint_command> ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/sarif)
    add_test(NAME page.lint
      COMMAND ${HLOLINT_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/page/check.mjs
        $<TARGET_FILE:hlolint_command> ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/page_lint)
    set_tests_properties(sarif page.lint PROPERTIES SKIP_RETURN_CODE 77)
  else()
    add_skipped_test(sarif "there is no Node (Debian: apt-get install nodejs npm)")
    add_skipped_test(page.lint "there is no Node (Debian: apt-get install nodejs npm)")
  endif()
endif()

# --- Agents and editors: the official client of MCP, the one of VS Code for LSP, and the grammar of the extension --------

if(TARGET hlolint_command AND UNIX)
  foreach(client IN ITEMS mcp lsp grammar)
    if(HLOLINT_NODE)
      add_test(NAME server.${client}
        COMMAND ${HLOLINT_NODE} ${CMAKE_CURRENT_SOURCE_DIR}/server/${client}.mjs $<TARGET_FILE:hlolint_command>
          ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/server_clients)
      set_tests_properties(server.${client} PROPERTIES SKIP_RETURN_CODE 77 RESOURCE_LOCK npm_server_clients)
    else()
      add_skipped_test(server.${client} "there is no Node (Debian: apt-get install nodejs npm)")
    endif()
  endforeach()
  if(Python3_FOUND)   # a minute of what runs for half an hour on request
    add_test(NAME server.soak
      COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/server/soak.py $<TARGET_FILE:hlolint_command>
        ${CMAKE_CURRENT_SOURCE_DIR}/data 1)
  endif()
endif()

# --- The hooks of pre-commit ------------------------------------------------------------------------------------------

if(TARGET hlolint_command AND UNIX)
  add_test(NAME pre_commit
    COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/pre_commit/check $<TARGET_FILE:hlolint_command> ${PROJECT_SOURCE_DIR})
  set_tests_properties(pre_commit PROPERTIES SKIP_RETURN_CODE 77)
  add_test(NAME pre_commit.fetch
    COMMAND ${CMAKE_COMMAND}
      -D SOURCE=${PROJECT_SOURCE_DIR}
      -D WORK=${CMAKE_CURRENT_BINARY_DIR}/pre_commit_fetch
      -D GENERATOR=${CMAKE_GENERATOR}
      -D COMPILER=${CMAKE_CXX_COMPILER}
      -D BOOST_DIR=${Boost_DIR}
      -P ${CMAKE_CURRENT_SOURCE_DIR}/pre_commit/fetch.cmake)
endif()

# --- The Python module: wheels in fresh virtual environments, with the JAX of each Python --------------------------------

if(UNIX)
  # Those on PATH, else those of pyenv, whose names on PATH may not run.
  function(runs result program)
    execute_process(COMMAND ${program} -c "" RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    if(NOT status EQUAL 0)
      set(${result} FALSE PARENT_SCOPE)
    endif()
  endfunction()
  file(GLOB pythons $ENV{HOME}/.pyenv/versions/*/bin $ENV{PYENV_ROOT}/versions/*/bin)
  set(found "")
  foreach(version IN ITEMS 3.11 3.13)
    find_program(HLOLINT_PYTHON${version} python${version} PATHS ${pythons} VALIDATOR runs)
    mark_as_advanced(HLOLINT_PYTHON${version})
    if(HLOLINT_PYTHON${version})
      set(from sdist)   # what users of PyPI get
      if(version STREQUAL "3.11" AND HLOLINT_PROOFS STREQUAL "ON")   # compiles all of it once more
        set(from folder)
      endif()
      list(APPEND found ${from}=${HLOLINT_PYTHON${version}})
      add_test(NAME python.${version}
        COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/python/run ${PROJECT_SOURCE_DIR}
          ${CMAKE_CURRENT_BINARY_DIR}/python/${version})
      set_tests_properties(python.${version} PROPERTIES FIXTURES_REQUIRED python_wheels SKIP_RETURN_CODE 77)
    else()
      add_skipped_test(python.${version} "there is no python${version}")
    endif()
  endforeach()
  if(found)
    add_test(NAME python.wheels
      COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/python/wheels ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/python ${found})
    set_tests_properties(python.wheels PROPERTIES FIXTURES_SETUP python_wheels SKIP_RETURN_CODE 77)
  endif()
endif()

# --- The compilers themselves: what JAX, XLA and libtpu write and report -------------------------------------------------

if(TARGET hlolint_command AND UNIX)
  set(kinds "")
  if(HLOLINT_PROOFS STREQUAL "ONLY")   # in six minutes
    set(kinds cpu v5e v6e)
  endif()
  add_test(NAME live COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/live/run $<TARGET_FILE:hlolint_command>
    ${CMAKE_CURRENT_BINARY_DIR}/live ${kinds})
  set_tests_properties(live PROPERTIES SKIP_RETURN_CODE 77 RUN_SERIAL ON TIMEOUT 3000)
endif()
