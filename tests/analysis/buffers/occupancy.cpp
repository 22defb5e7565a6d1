#include <hlolint/analysis/buffers/occupancy.hpp>

#include "analysis/module_of.hpp"
#include "checks/memory_fixtures.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

using steps = std::vector<occupancy_step>;
using ranges = std::vector<position_range>;

steps steps_of(const occupancy_curve& curve) { return {curve.steps().begin(), curve.steps().end()}; }

std::vector<std::string> names_at(const buffer_dump& dump, std::int64_t position) {
  std::vector<std::string> out;
  for (const std::uint32_t i : values_at(live_chunks(dump), position)) out.push_back(to_string(dump.values()[i].name));
  return out;
}

buffer_dump three_allocations() {
  return dump_of({{", parameter 0, shape |u8[100]| at ShapeIndex {}", {{"p", 0, 100, 0, 8}}},
                  {", preallocated-temp", {{"a", 0, 64, 1, 3}, {"b", 64, 32, 2, 5}, {"c", 0, 64, 4, 5}}},
                  {", color 1, preallocated-temp", {{"d", 0, 8, 2, 2}}},
                  {", thread-local", {value_row{"x", 0, 1000, 0, 0, {}, {}, {}, {}, false}}}},
                 7);
}

}  // namespace

TEST_CASE("occupancy: bytes over time, of allocations, spaces and all together") {
  const buffer_dump dump = three_allocations();
  const occupancy in_use(dump);
  CHECK(steps_of(in_use.of_allocation(0)) == steps{{0, 100}, {9, 0}});
  CHECK(steps_of(in_use.of_allocation(1)) == steps{{1, 64}, {2, 96}, {6, 0}});  // a ends, c takes over: nothing changes
  CHECK(steps_of(in_use.of_allocation(2)) == steps{{2, 8}, {3, 0}});
  CHECK(in_use.of_allocation(3).empty());
  CHECK(in_use.of_allocation(3).peak() == 0);
  CHECK(in_use.of_allocation(3).peak_positions().empty());

  CHECK(steps_of(in_use.total()) == steps{{0, 100}, {1, 164}, {2, 204}, {3, 196}, {6, 100}, {9, 0}});
  CHECK(in_use.total().peak() == 204);
  CHECK(in_use.total().peak_positions() == ranges{{2, 2}});

  REQUIRE(in_use.space_count() == 2);
  CHECK(in_use.color_of_space(0) == 0);
  CHECK(steps_of(in_use.of_space(0)) == steps{{0, 100}, {1, 164}, {2, 196}, {6, 100}, {9, 0}});
  CHECK(in_use.of_space(0).peak_positions() == ranges{{2, 5}});
  CHECK(in_use.color_of_space(1) == 1);
  CHECK(in_use.of_space(1).peak() == 8);

  CHECK(in_use.total().at(-1) == 0);
  CHECK(in_use.total().at(0) == 100);
  CHECK(in_use.total().at(2) == 204);
  CHECK(in_use.total().at(5) == 196);
  CHECK(in_use.total().at(8) == 100);
  CHECK(in_use.total().at(9) == 0);
}

TEST_CASE("occupancy: a peak may come back") {
  const occupancy in_use(
      dump_of({{", preallocated-temp", {{"a", 0, 64, 1, 3}, {"b", 0, 64, 5, 5}, {"c", 0, 64, 6, 6}}}}));
  CHECK(in_use.total().peak_positions() == ranges{{1, 3}, {5, 6}});
}

TEST_CASE("occupancy: a byte counts once") {
  // One chunk handed on, a smaller value in a donated parameter, and a wrong dump.
  const auto peak = [](std::vector<value_row> values) {
    return occupancy(dump_of({{", preallocated-temp", std::move(values)}})).total().peak();
  };
  CHECK(peak({{"a", 0, 64, 1, 3}, {"b", 0, 64, 3, 5}}) == 64);
  CHECK(peak({{"a", 0, 64, 1, 3}, {"b", 0, 40, 3, 5}}) == 64);
  CHECK(peak({{"a", 0, 64, 1, 3}, {"b", 32, 64, 2, 5}}) == 96);
  CHECK(peak({{"a", 0, 64, 1, 3}, {"b", 64, 64, 2, 5}}) == 128);
  CHECK(peak({{"a", 0, 64, 1, 3}, {"b", 64, 64, 4, 5}}) == 64);
}

TEST_CASE("occupancy: nothing without live ranges, and no sum that does not fit") {
  const buffer_dump untimed = buffers_of(
      "BufferAssignment:\nallocation 0: size 64, preallocated-temp:\n"
      " value: <1 a @0> (size=64,offset=0): u8[64]{0}\n");
  const occupancy nothing(untimed);
  CHECK(nothing.total().empty());
  CHECK(nothing.of_allocation(0).empty());
  CHECK(nothing.space_count() == 0);
  CHECK(occupancy(buffer_dump()).total().empty());

  const occupancy too_much(buffers_of(R"(BufferAssignment:
allocation 0: size 6000000000000000000, preallocated-temp:
 value: <1 a @0> (size=6000000000000000000,offset=0): u8[6000000000000000000]{0}
allocation 1: size 6000000000000000000, preallocated-temp:
 value: <2 b @0> (size=6000000000000000000,offset=0): u8[6000000000000000000]{0}


HloLiveRange (max 2):
  InstructionSequence:
    0:a
    1:b
  BufferLiveRange:
    a{}:0-1
    b{}:1-1
  Live ranges at 0 (peak):
)"));
  CHECK(too_much.of_allocation(1).peak() == 6'000'000'000'000'000'000);
  CHECK(too_much.total().empty());
}

TEST_CASE("values_at: the biggest first, both ends inclusive, those of the same bytes together") {
  const buffer_dump dump = three_allocations();
  CHECK(names_at(dump, 2) == std::vector<std::string>{"p", "a", "b", "d"});
  CHECK(names_at(dump, 3) == std::vector<std::string>{"p", "a", "b"});
  CHECK(names_at(dump, 4) == std::vector<std::string>{"p", "c", "b"});
  CHECK(names_at(dump, 8) == std::vector<std::string>{"p"});
  CHECK(names_at(dump, 9).empty());
  CHECK(names_at(dump_of({{", preallocated-temp", {{"b", 64, 64, 2, 5}, {"a", 0, 64, 1, 3}, {"c", 0, 64, 3, 5}}}}),
                 3) == std::vector<std::string>{"a", "c", "b"});
}

TEST_CASE("peak_positions: what lives at a peak of its memory space") {
  const peak_positions peaks(three_allocations());
  CHECK(peaks.holds(1, 0, 2));  // the peak of space 0 is from 2 to 5
  CHECK(peaks.holds(1, 5, 9));
  CHECK_FALSE(peaks.holds(1, 0, 1));
  CHECK_FALSE(peaks.holds(1, 6, 9));
  CHECK(peaks.holds(2, 2, 2));
  CHECK_FALSE(peaks.holds(2, 3, 9));
  CHECK(peaks.holds(77, 0, 1));  // nothing is known of it
}

using detail::covered_bytes;

TEST_CASE("covered_bytes: a byte under several intervals counts once") {
  covered_bytes covered({0, 8, 4, 16, 8});  // 0 4 8 16
  CHECK(covered.slot_of(8) == 2);
  CHECK(covered.bytes() == 0);
  covered.add(0, 2, 1);
  CHECK(covered.bytes() == 8);
  covered.add(1, 3, 1);
  CHECK(covered.bytes() == 16);
  covered.add(0, 2, -1);
  CHECK(covered.bytes() == 12);
  covered.add(1, 1, 1);  // nothing
  CHECK(covered.bytes() == 12);
  covered.add(1, 3, -1);
  CHECK(covered.bytes() == 0);
}

TEST_CASE("covered_bytes: as counted byte by byte, whatever comes and goes") {
  std::mt19937 random(7);
  for (const std::size_t bound_count : {2u, 3u, 4u, 5u, 8u, 9u, 17u, 33u}) {
    std::vector<byte_count> bounds;
    byte_count at = 0;
    for (std::size_t i = 0; i < bound_count; ++i) bounds.push_back(at += 1 + static_cast<byte_count>(random() % 5));
    covered_bytes covered(bounds);
    std::vector<int> under(static_cast<std::size_t>(at));
    std::vector<std::pair<std::size_t, std::size_t>> open;
    for (int step = 0; step < 400; ++step) {
      std::size_t begin = random() % bound_count, end = random() % bound_count;
      if (begin > end) std::swap(begin, end);
      int by = 1;
      if (!open.empty() && random() % 2 == 0) {
        std::swap(open.back(), open[random() % open.size()]);
        std::tie(begin, end) = open.back();
        open.pop_back();
        by = -1;
      } else {
        open.emplace_back(begin, end);
      }
      covered.add(begin, end, by);
      for (byte_count b = bounds[begin]; b < bounds[end]; ++b) under[static_cast<std::size_t>(b)] += by;
      byte_count expected = 0;
      for (const int n : under) expected += n > 0 ? 1 : 0;
      REQUIRE(covered.bytes() == expected);
    }
  }
}
