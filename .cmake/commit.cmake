# Sets hlolint_COMMIT to the commit of the checkout. What git passes to hooks is about another repository.
find_package(Git QUIET)
if(NOT GIT_FOUND)
  return()
endif()
set(git ${CMAKE_COMMAND} -E env --unset=GIT_DIR --unset=GIT_WORK_TREE --unset=GIT_INDEX_FILE
  ${GIT_EXECUTABLE} -C ${PROJECT_SOURCE_DIR} rev-parse)
execute_process(COMMAND ${git} --short=12 --verify --quiet HEAD
  OUTPUT_VARIABLE hlolint_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
# Configured anew after each commit.
execute_process(COMMAND ${git} --git-path logs/HEAD
  OUTPUT_VARIABLE log OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(log)
  cmake_path(ABSOLUTE_PATH log BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
  if(EXISTS ${log})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${log})
  endif()
endif()
