#include <hlolint/analysis/buffers/live_overlaps.hpp>
#include <hlolint/analysis/buffers/repack.hpp>

#include "checks/memory_fixtures.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

buffer_dump temporary(std::vector<value_row> values, std::int64_t last = 20) {
  return dump_of({{", preallocated-temp", std::move(values)}}, last);
}

// The new size; fails unless the packing is legal: alignment kept, and no byte with two values at one time.
byte_count size_of(const live_chunks& chunks) {
  const repack packed(chunks);
  REQUIRE(packed.of_allocation(0));
  const byte_count alignment = packed.alignment(0);
  byte_count size = 0;
  std::vector<timed_bytes> entries;
  for (std::size_t i = 0; i < chunks.chunks().size(); ++i) {
    const live_chunk& c = chunks.chunks()[i];
    const byte_count offset = packed.offsets()[i];
    CHECK(offset % alignment == 0);
    size = std::max(size, offset + c.size);
    for (const position_range& r : chunks.ranges(c))
      entries.push_back({offset, offset + c.size, r.first, r.last, 0, i});
  }
  CHECK(for_each_live_overlap(entries, [](const timed_bytes&, const timed_bytes&) { return false; }));
  CHECK(size == packed.of_allocation(0)->size);
  CHECK(size <= chunks.dump().allocations()[0].size);
  CHECK(size >= packing_bound(chunks).of_allocation(0)->bound);
  return size;
}
byte_count size_of(const buffer_dump& dump) { return size_of(movable_chunks(dump)); }

}  // namespace

TEST_CASE("possible_alias_sets: values of the same bytes that one instruction holds or reads, or that a phi joins") {
  std::vector<value_row> looped{
      {"a", 64, 64, 1, 3, {3}}, {"b", 0, 64, 2, 5, {5}}, {"c", 128, 64, 5, 8, {7}}, {"d", 0, 64, 7, 9, {9}}};
  const auto sets = [&] { return possible_alias_sets(value_table(dump_of({{temp, looped}}))); };
  const auto chunks = [&] { return movable_chunks(dump_of({{temp, looped}})).chunks().size(); };
  CHECK(sets()[1] != sets()[3]);
  CHECK(sets()[0] != sets()[1]);
  CHECK(chunks() == 4);
  looped[3].marks = " (phi)";
  CHECK(sets()[1] == sets()[3]);
  CHECK(chunks() == 3);
  looped[3].marks.clear();
  looped[1].uses.push_back(7);  // b is read where d is made: it might be written in place
  CHECK(sets()[1] == sets()[3]);
  CHECK(chunks() == 3);
}

TEST_CASE("possible_alias_sets: what is not temporary may be any set") {
  const std::vector<value_row> apart{{"a", 0, 64, 1, 3, {3}}, {"b", 0, 64, 8, 9, {9}}, {"c", 64, 64, 8, 9, {9}}};
  const auto sets = possible_alias_sets(value_table(dump_of({{", maybe-live-out", apart}})));
  CHECK(sets[0] == sets[1]);
  CHECK(sets[0] != sets[2]);
}

TEST_CASE("repack: what leaves no room is left as it is") {
  const buffer_dump dump = temporary({{"a", 0, 64, 1, 5}, {"b", 64, 64, 2, 3}, {"c", 64, 64, 4, 5}});
  CHECK(size_of(dump) == 128);
  CHECK(repack(dump).of_allocation(0)->method == packing_method::as_assigned);
}

TEST_CASE("repack: a gap is closed") {
  const buffer_dump dump = temporary({{"a", 0, 64, 1, 5}, {"b", 128, 64, 2, 3}});
  CHECK(size_of(dump) == 64 + 128);  // the only offset is 128, so 128 is the alignment
  CHECK(size_of(temporary({{"a", 0, 64, 1, 5}, {"b", 128, 64, 2, 3}, {"c", 192, 64, 2, 2}})) == 192);
}

TEST_CASE("repack: values that never meet take the same bytes") {
  // a and c are never live together, but b lies over a's bytes while c lives.
  CHECK(size_of(temporary({{"a", 0, 64, 1, 3}, {"b", 64, 64, 3, 5}, {"c", 128, 64, 5, 7}})) == 128);
}

TEST_CASE("repack: a chunk used twice can be divided unless its values may be one alias set") {
  // As XLA 2026 does it for a chain of values of one size: three places where two would do.
  const auto chain = [](value_row last) {
    return temporary({{"a", 64, 64, 1, 3, {3}},
                      {"b", 0, 64, 3, 5, {5}},
                      {"c", 128, 64, 5, 7, {7}},
                      {"d", 0, 64, 7, 9, {9}},
                      std::move(last)});
  };
  CHECK(size_of(chain({"e", 64, 64, 9, 11})) == 128);

  // b and d stay at one offset: each of a, c has its own place, or all of them one.
  const std::vector<value_row> looped{
      {"a", 64, 64, 1, 3, {3}}, {"b", 0, 64, 2, 5, {5}}, {"c", 128, 64, 5, 8, {7}}, {"d", 0, 64, 7, 9, {9}}};
  CHECK(size_of(temporary(looped)) == 128);
}

TEST_CASE("repack: a value without live range is taken to live always") {
  const value_row untimed{"x", 64, 64, 0, 0, {}, {}, {}, {}, false};
  CHECK(size_of(temporary({{"a", 0, 64, 1, 3}, untimed, {"b", 128, 64, 5, 7}})) == 128);
  CHECK(size_of(temporary({{"a", 0, 64, 1, 3}, {"c", 64, 64, 4, 4}, {"b", 128, 64, 5, 7}})) == 64);
}

TEST_CASE("repack: a dump in which values overlap does not grow") {
  const repack packed(temporary({{"a", 0, 64, 1, 5}, {"b", 32, 64, 2, 3}}));
  REQUIRE(packed.of_allocation(0));
  CHECK(packed.of_allocation(0)->size == 96);
  CHECK(packed.of_allocation(0)->method == packing_method::as_assigned);
}

TEST_CASE("repack: temporary allocations only") {
  const repack packed(dump_of({{", maybe-live-out", {{"a", 0, 64, 1, 5}}}, {", color 1, preallocated-temp", {}}}));
  CHECK_FALSE(packed.of_allocation(0));
  REQUIRE(packed.of_allocation(1));
  CHECK(packed.of_allocation(1)->size == 0);
  CHECK(packed.alignment(0) == 1);
}

TEST_CASE("repack: many values take no less than is in use at once, and no more than one above the other") {
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    std::vector<value_row> values;
    std::int64_t offset = 0;
    for (int i = 0; i < 60; ++i) {
      const auto start = static_cast<std::int64_t>(random() % 100),
                 size = static_cast<std::int64_t>(1 + random() % 500);
      values.push_back(
          {"v" + std::to_string(i), offset, size, start, start + static_cast<std::int64_t>(random() % 20)});
      offset += (size + 15) / 16 * 16;
    }
    const buffer_dump dump = temporary(values, 130);
    CHECK(2 * size_of(dump) < dump.allocations()[0].size);
    // By hand: the most bytes that live at one position.
    std::int64_t most = 0;
    for (const value_row& at : values) {
      std::int64_t now = 0;
      for (const value_row& v : values)
        if (v.start <= at.start && at.start <= v.end) now += v.size;
      most = std::max(most, now);
    }
    CHECK(size_of(dump) >= most);
  }
}

TEST_CASE("packing_bound: slack is gaps and packing loss") {
  // Bytes 40 to 64 are never taken; at position 3 the most are in use, b and c.
  const packing_bound bound(
      dump_of({{", preallocated-temp", {{"a", 0, 40, 1, 2}, {"b", 64, 64, 2, 4}, {"c", 128, 16, 3, 3}}}}));
  const packed_allocation* const found = bound.of_allocation(0);
  REQUIRE(found);
  CHECK(found->size == 144);
  CHECK(found->bound == 104);  // a and b at 2, not b and c (80) at 3
  CHECK(found->position == 2);
  CHECK(found->slack() == 40);
  CHECK(found->gaps() == 24);
  CHECK(found->covered - found->bound == 16);  // the packing loss
}

TEST_CASE("packing_bound: overlapping chunks are covered once") {
  const packing_bound bound(
      dump_of({{", preallocated-temp", {{"a", 0, 100, 1, 2}, {"b", 0, 40, 3, 4}, {"c", 60, 80, 3, 4}}}}));
  const packed_allocation* const found = bound.of_allocation(0);
  REQUIRE(found);
  CHECK(found->covered == 140);
  CHECK(found->gaps() == 0);
  CHECK(found->bound == 120);
  CHECK(found->position == 3);
}

TEST_CASE("packing_bound: an allocation without values, one without times, one that is full") {
  const packing_bound bound(dump_of({{", color 3, preallocated-temp", {}},
                                     {", thread-local", {value_row{"x", 0, 8, 0, 0, {}, {}, {}, {}, false}}},
                                     {", maybe-live-out", {{"a", 0, 8, 1, 2}}},
                                     {", preallocated-temp", {{"empty", 0, 0, 1, 2}}}}));
  REQUIRE(bound.of_allocation(0));
  CHECK(bound.of_allocation(0)->bound == 0);
  CHECK(bound.of_allocation(0)->slack() == 0);
  CHECK_FALSE(bound.of_allocation(1));
  REQUIRE(bound.of_allocation(2));
  CHECK(bound.of_allocation(2)->slack() == 0);
  REQUIRE(bound.of_allocation(3));
  CHECK(bound.of_allocation(3)->bound == 0);
}
