# Included by the project's CMakeLists.txt where Doxygen is found: the target hlolint_docs writes the reference of the
# public names, from their comments, as build/docs/html. A name without a comment is an error, and so is a comment that
# Doxygen cannot read.
set(DOXYGEN_PROJECT_NAME hlolint)
set(DOXYGEN_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/docs)
set(DOXYGEN_FILE_PATTERNS *.hpp)
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

# How the formats are read and verified is not for the users of the library: the grammars, the tables and steps of the
# verifier, what each room keeps for itself in a namespace `detail`, and the one file that compiles the grammars.
set(DOXYGEN_EXCLUDE
  ${PROJECT_SOURCE_DIR}/include/hlolint/grammar
  ${PROJECT_SOURCE_DIR}/include/hlolint/parse_here.hpp)
set(DOXYGEN_EXCLUDE_SYMBOLS
  detail hlolint::detail* hlolint::*::detail* hlolint::grammar* hlolint::build* hlolint::scan* hlolint::module_rules*
  # Values compare by what they hold, iterators by where they are.
  operator== operator<=>)

doxygen_add_docs(hlolint_docs
  ${PROJECT_SOURCE_DIR}/include/hlolint
  ${PROJECT_SOURCE_DIR}/include/hlolint/grammar/attributes/get.hpp
  ${PROJECT_SOURCE_DIR}/include/hlolint/grammar/attributes/json.hpp
  ${PROJECT_SOURCE_DIR}/include/hlolint/grammar/proto/text_proto.hpp
  COMMENT "Reference of the public names: ${PROJECT_BINARY_DIR}/docs/html/index.html")
