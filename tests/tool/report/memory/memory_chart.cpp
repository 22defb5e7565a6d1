#include <hlolint/tool/report/memory/memory_chart.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::report;

namespace {

std::string drawn(const std::vector<occupancy_step>& steps, std::int64_t last, chart_options options) {
  std::string out;
  for (const std::string& line : chart_of(occupancy_curve(steps), last, options)) out += line + "\n";
  return out;
}

}  // namespace

TEST_CASE("chart_of: several columns for a position, and `^` at the peak") {
  CHECK(drawn({{0, 100}, {1, 400}, {2, 50}, {3, 0}}, 3, {9, 4, false}) ==
        "      400B |  ##\n"
        "           |  ##\n"
        "           |  ##\n"
        "           |######\n"  // 50 of 100 for a row: rounded up
        "        0B +--^^----\n"
        "            0      3\n");
}

TEST_CASE("chart_of: several positions for a column show the most of them") {
  CHECK(drawn({{0, 10}, {5, 20}, {6, 10}, {9, 0}}, 9, {5, 2, false}) ==
        "       20B |  #\n"
        "           |#####\n"
        "        0B +--^--\n"
        "            0   9\n");
}

TEST_CASE("chart_of: blocks show eighths") {
  CHECK(drawn({{0, 3}, {1, 16}, {2, 0}}, 2, {3, 2, true}) ==
        "       16B | \xE2\x96\x88\n"
        "           |\xE2\x96\x83\xE2\x96\x88\n"
        "        0B +-^-\n"
        "            0 2\n");
}

TEST_CASE("chart_of: little is not nothing, and nothing is no chart") {
  CHECK(drawn({{0, 1}, {1, 1'000'000}, {2, 0}}, 2, {3, 1, false}).starts_with("  976.6KiB |##\n"));
  CHECK(drawn({}, 5, {}).empty());
}

TEST_CASE("chart_of: positions far beyond the schedule do no harm") {
  const std::int64_t far = std::numeric_limits<std::int64_t>::max() - 1;
  CHECK(chart_of(occupancy_curve(std::vector<occupancy_step>{{far - 1, 8}, {far, 0}}), 3).size() == 12);
  CHECK(chart_of(occupancy_curve(std::vector<occupancy_step>{{0, 8}, {far, 0}}), far).size() == 12);
}
