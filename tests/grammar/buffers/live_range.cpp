#include "grammar/buffers/reading.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using buffer_reading::outcome;
using buffer_reading::read;

TEST_CASE("live ranges, the peak with sums, and its breakdown") {
  const parsed_file file = read(std::string(buffer_reading::combined));
  REQUIRE(file.buffers);
  const live_range_block* const block = file.buffers->live_ranges();
  REQUIRE(block);
  CHECK(block->max == 4);
  REQUIRE(block->sequence.size() == 4);
  CHECK(block->sequence[2] == "shift");
  REQUIRE(block->ranges.size() == 4);
  CHECK(block->ranges[0].instruction == "p0");
  CHECK(block->ranges[0].index == shape_index{0});
  CHECK(block->ranges[0].start == 0);
  CHECK(block->ranges[0].end == 4);
  CHECK(block->ranges[3].text == "    result{}:3-4");
  CHECK(block->peak_known);
  CHECK(block->peak_position == 2);
  REQUIRE(block->peak.size() == 3);
  CHECK(block->peak[1].bytes == 4096);
  CHECK(block->peak[1].cumulative == 8192);
  CHECK(block->breakdown_bytes == 12288);
  REQUIRE(block->breakdown.size() == 4);
  const std::int64_t depths[] = {0, 1, 2, 1};
  for (std::size_t i = 0; i < 4; ++i) CHECK(block->breakdown[i].depth == depths[i]);
  CHECK(block->breakdown[1].node == "jit(step) (now)");
  CHECK(block->breakdown[1].total == 8192);
  CHECK(block->breakdown[1].current == 4096);
  CHECK(block->breakdown[3].remaining == 0);
}

TEST_CASE("a file of its own, with the peak lists of other years") {
  const std::string head =
      "HloLiveRange (max 2):\n"
      "  InstructionSequence:\n"
      "    0:a\n"
      "    1:b\n"
      "  BufferLiveRange:\n"
      "    a{}:0-2\n"
      "    b{1,0}:1-1\n";
  const parsed_file form_a = read(head + "  Live ranges at 1 (peak):\n    a: 16 bytes\n    b: 8 bytes\n");
  CHECK(outcome(form_a) == "ok");
  CHECK(form_a.kind == input_kind::live_range);
  REQUIRE(form_a.buffers->live_ranges()->peak.size() == 2);
  CHECK_FALSE(form_a.buffers->live_ranges()->peak[0].index);
  CHECK_FALSE(form_a.buffers->live_ranges()->peak[0].cumulative);
  CHECK(form_a.buffers->live_ranges()->ranges[1].index == shape_index{1, 0});

  const parsed_file form_b = read(head + "  Live ranges at 1 (peak):\n    a{}: 16 bytes\n    b{1,0}: 8 bytes\n");
  CHECK(outcome(form_b) == "ok");
  CHECK(form_b.buffers->live_ranges()->peak[1].index == shape_index{1, 0});

  const parsed_file unknown = read(head + "  Peak memory could not be determined due to unbounded dynamic shape.\n");
  CHECK(outcome(unknown) == "ok");
  CHECK_FALSE(unknown.buffers->live_ranges()->peak_known);
}

TEST_CASE("there may be no live ranges") {
  const parsed_file file = read("Live range is not available for this module.\n");
  CHECK(outcome(file) == "ok");
  CHECK(file.kind == input_kind::live_range);
  REQUIRE(file.buffers);
  CHECK(file.buffers->live_ranges() == nullptr);
  CHECK_FALSE(file.buffers->data().live_ranges->available);
}

TEST_CASE("a breakdown alone") {
  const parsed_file file = read(
      "  Stack trace breakdown for peak usage: 1 048 580 bytes\n"
      "    main (100.0%, total: 1 048 580 bytes, current: 0 bytes, remaining: 1 048 580 bytes)\n"
      "      └── a (100.0%, total: 1 048 580 bytes, current: 0 bytes, remaining: 1 048 580 bytes)\n"
      "          ├── b (0.0%, total: 4 bytes, current: 4 bytes, remaining: 1 048 576 bytes)\n"
      "          └── c (100.0%, total: 1 048 576 bytes, current: 1 048 576 bytes, remaining: 0 bytes)\n");
  CHECK(outcome(file) == "ok");
  CHECK(file.kind == input_kind::live_range);
  const live_range_block* const block = file.buffers->live_ranges();
  REQUIRE(block);
  REQUIRE(block->breakdown.size() == 4);
  CHECK(block->breakdown[2].depth == 2);
  CHECK(block->breakdown[3].current == 1048576);
}

TEST_CASE("a position of the schedule that cannot be read leaves the others where they are") {
  const parsed_file file = read(
      "HloLiveRange (max 3):\n"
      "  InstructionSequence:\n"
      "    0:a\n"
      "    1;b\n"
      "    2:c\n"
      "  BufferLiveRange:\n"
      "  Live ranges at 0 (peak):\n");
  CHECK(outcome(file) == "partial 4:6 SYN001 expected ':'");
  REQUIRE(file.buffers->live_ranges()->sequence.size() == 3);
  CHECK(file.buffers->live_ranges()->sequence[1].empty());
  CHECK(file.buffers->live_ranges()->sequence[2] == "c");
}
