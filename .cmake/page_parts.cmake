# cmake -D FOLDER=.../html -D OUTPUT=.../hlolint/tool/report/html/parts.hpp -P page_parts.cmake
# Writes a header with the scripts (.js), styles (.css) and pages (.html) of a folder. NAME.js is the text `NAME_js`. A page
# NAME.html is two lists of texts, `NAME_head` and `NAME_tail`: what comes before and after its {{data}}, which C++ writes; a
# line {{other.js}} stands for the text of that file. A comment /* ... */ at the start of a file is for its readers.
cmake_minimum_required(VERSION 3.25)

# page_text(RESULT FILE): the text without the comment at its start.
function(page_text result file)
  file(READ ${file} text)
  string(REGEX REPLACE "^/\\*[^*]*\\*/\n" "" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# page_parts(FOLDER OUTPUT): writes the header, and again when a file has changed.
function(page_parts folder output)
  file(GLOB parts CONFIGURE_DEPENDS ${folder}/*.js ${folder}/*.css)
  file(GLOB pages CONFIGURE_DEPENDS ${folder}/*.html)
  set(header "// Made by .cmake/page_parts.cmake.\n#pragma once\n\n#include <string_view>\n\nnamespace hlolint::report::parts {\n\n")
  foreach(part IN LISTS parts)
    page_text(text ${part})
    cmake_path(GET part FILENAME name)
    string(MAKE_C_IDENTIFIER ${name} identifier)
    string(APPEND header "/// The text of ${name}.\ninline constexpr std::string_view ${identifier} = R\"part(${text})part\";\n")
  endforeach()
  foreach(page IN LISTS pages)
    cmake_path(GET page STEM name)
    file(READ ${page} text)
    string(APPEND header "/// ${name}.html before its data.\ninline constexpr std::string_view ${name}_head[] = {R\"part(")
    while(text MATCHES "{{(data)}}|{{([a-z_.]+)}}\n")
      set(mark "${CMAKE_MATCH_0}")
      set(part ${CMAKE_MATCH_2})
      string(FIND "${text}" "${mark}" at)
      string(SUBSTRING "${text}" 0 ${at} before)
      string(LENGTH "${mark}" length)
      math(EXPR at "${at} + ${length}")
      string(SUBSTRING "${text}" ${at} -1 text)
      if(NOT part)
        string(APPEND header "${before})part\"};\n"
          "/// ${name}.html after its data.\ninline constexpr std::string_view ${name}_tail[] = {R\"part(")
      else()
        string(MAKE_C_IDENTIFIER ${part} identifier)
        string(APPEND header "${before})part\", ${identifier}, R\"part(")
      endif()
    endwhile()
    string(APPEND header "${text})part\"};\n")
  endforeach()
  string(APPEND header "\n}  // namespace hlolint::report::parts\n")
  file(CONFIGURE OUTPUT ${output} CONTENT "@header@" @ONLY)   # leaves it alone if nothing has changed
  if(NOT CMAKE_SCRIPT_MODE_FILE)
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${parts} ${pages})
  endif()
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  page_parts(${FOLDER} ${OUTPUT})
endif()
