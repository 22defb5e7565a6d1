#include <hlolint/ir/source_position.hpp>

#include <doctest/doctest.h>

using namespace hlolint;

TEST_CASE("file_and_line leaves out what is not known") {
  CHECK(file_and_line("train.py", 12) == "train.py:12");
  CHECK(file_and_line("train.py", 0) == "train.py");
  CHECK(file_and_line("train.py", -1) == "train.py");
  CHECK(file_and_line("", 12).empty());
}
