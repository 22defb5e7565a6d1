# Fuzz targets (libFuzzer) and the mutation harness, with sanitizers: clang only, made when asked for by the name
# hlolint_fuzz. tests/fuzz/run builds and runs them. What they test is compiled once for all.

set(fuzz ${CMAKE_CURRENT_SOURCE_DIR}/fuzz)
set(sanitizers -fsanitize=address,undefined,float-cast-overflow)

add_library(hlolint_fuzz_options INTERFACE)
target_compile_options(hlolint_fuzz_options INTERFACE
  -O1 -g1 -fno-omit-frame-pointer ${sanitizers} -fsanitize=fuzzer-no-link -fno-sanitize-recover=all)
target_compile_definitions(hlolint_fuzz_options INTERFACE _GLIBCXX_ASSERTIONS HLOLINT_COMPILED)
target_link_options(hlolint_fuzz_options INTERFACE ${sanitizers})
target_link_libraries(hlolint_fuzz_options INTERFACE hlolint::hlolint hlolint_warnings)

# What reads texts, which is all that the targets of CI need, and the rest that hlolint::tool is made of.
set(grammars ${PROJECT_SOURCE_DIR}/.cmake/compiled/grammars.cpp ${PROJECT_SOURCE_DIR}/.cmake/compiled/tool/logs.cpp)
file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/.cmake/compiled/*.cpp)
list(REMOVE_ITEM sources ${grammars})
add_library(hlolint_fuzz_grammars OBJECT EXCLUDE_FROM_ALL ${grammars} ${fuzz}/mutate.cpp)
target_link_libraries(hlolint_fuzz_grammars PRIVATE hlolint_fuzz_options)
add_library(hlolint_fuzz_tool OBJECT EXCLUDE_FROM_ALL ${sources})
target_link_libraries(hlolint_fuzz_tool PRIVATE hlolint_fuzz_options)

set(on_grammars hlo printed buffers)
set(on_tool parts query)
find_path(HLOLINT_PROTOZERO_INCLUDE_DIR protozero/pbf_reader.hpp)
if(HLOLINT_PROTOZERO_INCLUDE_DIR)
  list(APPEND on_tool proto profile)
endif()
set(on_command "")
if(TARGET hlolint_command)
  set(on_command pair compare settings rpc)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/hlolint/*.cpp)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/examples/hlolint/hlolint.cpp PROPERTIES
    COMPILE_DEFINITIONS main=hlolint_main)
  add_library(hlolint_fuzz_command OBJECT EXCLUDE_FROM_ALL ${sources} ${fuzz}/command.cpp)
  set_target_properties(hlolint_fuzz_command PROPERTIES UNITY_BUILD ON
    UNITY_BUILD_CODE_BEFORE_INCLUDE "#pragma GCC diagnostic ignored \"-Wshadow\"")   # by names of other sources
  target_link_libraries(hlolint_fuzz_command PRIVATE hlolint_fuzz_options hlolint_command_needs hlolint_command_libraries)
endif()

add_custom_target(hlolint_fuzz)
# add_fuzz_program(NAME SOURCE...)
function(add_fuzz_program name)
  add_executable(hlolint_fuzz_${name} EXCLUDE_FROM_ALL ${fuzz}/${name}.cpp ${ARGN} $<TARGET_OBJECTS:hlolint_fuzz_grammars>)
  target_link_libraries(hlolint_fuzz_${name} PRIVATE hlolint_fuzz_options)
  if(NOT name IN_LIST on_grammars)
    target_sources(hlolint_fuzz_${name} PRIVATE $<TARGET_OBJECTS:hlolint_fuzz_tool>)
  endif()
  if(name IN_LIST on_command OR name STREQUAL mutants)
    target_sources(hlolint_fuzz_${name} PRIVATE $<TARGET_OBJECTS:hlolint_fuzz_command>)
    target_include_directories(hlolint_fuzz_${name} PRIVATE ${PROJECT_SOURCE_DIR}/examples)
    target_link_libraries(hlolint_fuzz_${name} PRIVATE hlolint_command_needs hlolint_command_libraries)
  endif()
  add_dependencies(hlolint_fuzz hlolint_fuzz_${name})
endfunction()

foreach(name IN LISTS on_grammars on_tool on_command)
  set(mutator ${fuzz}/custom_mutator.cpp)
  if(name MATCHES "^(proto|profile)$")
    set(mutator "")   # bytes have no words
  endif()
  add_fuzz_program(${name} ${mutator})
  target_link_options(hlolint_fuzz_${name} PRIVATE -fsanitize=fuzzer)
endforeach()
add_fuzz_program(async_pairs)   # as mutants, a program of its own: it makes what it looks at
if(on_command)
  add_fuzz_program(mutants)
endif()
