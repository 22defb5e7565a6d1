# Included by the project's CMakeLists.txt where Doxygen is found: the target hlolint_docs writes the reference of the
# public names, from their comments, as build/docs/html. A name without a comment is an error, and so is a comment that
# Doxygen cannot read.
set(DOXYGEN_PROJECT_NAME hlolint)
set(DOXYGEN_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/docs)
set(DOXYGEN_FILE_PATTERNS *.hpp)
set(DOXYGEN_EXCLUDE_PATTERNS */include/hlolint/implementation/*)   # explicit instantiations, no names
set(DOXYGEN_USE_MDFILE_AS_MAINPAGE ${PROJECT_SOURCE_DIR}/.cmake/reference.md)
set(DOXYGEN_STRIP_FROM_PATH ${PROJECT_SOURCE_DIR}/include)
set(DOXYGEN_STRIP_FROM_INC_PATH ${PROJECT_SOURCE_DIR}/include)
set(DOXYGEN_GENERATE_LATEX NO)
set(DOXYGEN_HAVE_DOT NO)
set(DOXYGEN_QUIET YES)
set(DOXYGEN_WARNINGS YES)
set(DOXYGEN_WARN_IF_UNDOCUMENTED YES)
set(DOXYGEN_WARN_AS_ERROR FAIL_ON_WARNINGS)
# The first sentence of a comment is its summary, and a comment around members of one group is that of each of them.
set(DOXYGEN_JAVADOC_AUTOBRIEF YES)
set(DOXYGEN_DISTRIBUTE_GROUP_DOC YES)
set(DOXYGEN_SORT_MEMBER_DOCS NO)
set(DOXYGEN_FILTER_PATTERNS "\"*/checks/*.hpp=sed -E -f ${CMAKE_CURRENT_LIST_DIR}/checks.sed\"")

# How the formats are read and verified is not for the users of the library: the grammars, the tables and steps of the
# verifier, the readers of protobuf messages and of logs, what each room keeps for itself in a namespace `detail`, and the one
# file that compiles the grammars. The functions that read values of attributes and the kind of a file stand in the
# folder of the grammars.
set(include ${PROJECT_SOURCE_DIR}/include/hlolint)
file(GLOB documented CONFIGURE_DEPENDS ${include}/*)
list(REMOVE_ITEM documented ${include}/grammar)
list(APPEND documented
  ${PROJECT_SOURCE_DIR}/.cmake/reference.md
  ${include}/grammar/attributes/get.hpp
  ${include}/grammar/attributes/json.hpp
  ${include}/grammar/attributes/source_positions.hpp
  ${include}/grammar/input_kind.hpp
  ${include}/grammar/proto/proto_scan.hpp)
set(DOXYGEN_EXCLUDE_SYMBOLS
  detail hlolint::detail* hlolint::*::detail* hlolint::grammar* hlolint::build* hlolint::scan* hlolint::module_rules*
  hlolint::protobuf*
  hlolint::profiles* hlolint::logs*
  # The helpers of a rule are in a namespace of its id.
  hlolint::ali0* hlolint::bud0* hlolint::col0* hlolint::dmp0* hlolint::mem0* hlolint::pad0* hlolint::prf0*
  # What the operators and properties of patterns return: users write the operators.
  hlolint::match::both hlolint::match::bound hlolint::match::either hlolint::match::negation
  hlolint::match::fixed_name hlolint::match::operand_patterns hlolint::match::custom_call_*
  hlolint::match::*_property*
  # Values compare by what they hold, iterators by where they are.
  operator== operator<=>)

doxygen_add_docs(hlolint_docs ${documented}
  COMMENT "Reference of the public names: ${PROJECT_BINARY_DIR}/docs/html/index.html")
