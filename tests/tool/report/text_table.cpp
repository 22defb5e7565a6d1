#include <hlolint/tool/report/text_table.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::report;

namespace {

std::vector<std::string> lines_of(const text_table& table, std::size_t width) {
  std::ostringstream out;
  table.write(out, width);
  std::istringstream in(out.str());
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

text_table two_long_columns() {
  text_table table({"#size", "name", "shape"});
  table.add({"1234567.00MiB", std::string(30, 'n'), std::string(60, 's')});
  table.add_remark(std::string(120, 'r'));
  table.add({"1B", "short", "f32[]"});
  return table;
}

}  // namespace

TEST_CASE("text_table: without a width only very long texts lose their middle") {
  const auto lines = lines_of(two_long_columns(), 0);
  REQUIRE(lines.size() == 4);
  CHECK(lines[1] == "  1234567.00MiB  " + std::string(30, 'n') + "  " + std::string(60, 's'));
  CHECK(lines[2] == "      " + std::string(120, 'r'));
  text_table table({"#size", "file"});
  table.add({"1B", "/usr/lib/" + std::string(100, 'u') + "/site-packages/flax/linen/linear.py:271"});
  CHECK(lines_of(table, 0)[1] == "    1B  .../flax/linen/linear.py:271");
}

TEST_CASE("text_table: texts are cut to the width, the longest first, and numbers are not") {
  for (const std::size_t width : {80u, 60u, 50u}) {
    CAPTURE(width);
    const auto lines = lines_of(two_long_columns(), width);
    REQUIRE(lines.size() == 4);
    for (const std::string& line : lines) CHECK(line.size() <= width);
    CHECK(lines[1].find("1234567.00MiB") == 2);
    CHECK(lines[1].find("s...s") != std::string::npos);
    CHECK(lines[2].find("r...r") != std::string::npos);
    CHECK(lines[3].find("short") != std::string::npos);
  }
  CHECK(lines_of(two_long_columns(), 80)[1].find(std::string(30, 'n')) != std::string::npos);  // the shape was longer
  CHECK(lines_of(two_long_columns(), 60)[1].find("n...n") != std::string::npos);               // now both are cut
}

TEST_CASE("text_table: a width that no row fits into") {
  text_table numbers({"#a", "#b"});
  numbers.add({std::string(30, '1'), std::string(30, '2')});
  for (const std::string& line : lines_of(numbers, 20)) CHECK(line.size() <= 20);
  for (const std::string& line : lines_of(two_long_columns(), 3)) CHECK(line.size() <= 3);
}

TEST_CASE("text_table: spare columns go before numbers are cut, and only where there is no room") {
  text_table table({"name", "#first", "#second", "#third"}, {3, 1});
  table.add({"n", std::string(20, '1'), std::string(20, '2'), std::string(20, '3')});
  CHECK(lines_of(table, 0)[0].find("third") != std::string::npos);
  CHECK(lines_of(table, 80)[0].find("third") != std::string::npos);
  CHECK(lines_of(table, 60)[1] == "  n     " + std::string(20, '1') + "  " + std::string(20, '2'));
  CHECK(lines_of(table, 40)[1] == "  n     " + std::string(20, '2'));
}

TEST_CASE("text_table: sentences are as wide as the terminal, but no wider than is easy to read") {
  CHECK(sentence_width(0) == 100);
  CHECK(sentence_width(80) == 80);
  CHECK(sentence_width(200) == 100);
}
