// The heap against one that looks at every pair of pieces.
#include <hlolint/analysis/assignment/best_fit_heap.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <utility>
#include <vector>

using namespace hlolint;

namespace {

std::optional<byte_count> place(best_fit_heap& heap, std::size_t begin, std::size_t end, byte_count size) {
  const slot_range times[] = {{begin, end}};
  return heap.place(times, size);
}

/// As assignment.md 4.3 has it.
class plain_heap {
 public:
  explicit plain_heap(byte_count alignment) : alignment_(alignment) {}
  byte_count place(const std::vector<slot_range>& times, byte_count size) {
    std::vector<std::pair<byte_count, byte_count>> taken;
    for (const piece& p : placed_)
      if (std::any_of(times.begin(), times.end(), [&](const slot_range& a) {
            return std::any_of(p.times.begin(), p.times.end(),
                               [&](const slot_range& b) { return a.begin < b.end && b.begin < a.end; });
          }))
        taken.emplace_back(p.offset, p.offset + p.size);
    std::sort(taken.begin(), taken.end());
    byte_count start = 0, best = -1, least = 0;
    for (const auto& [begin, end] : taken) {
      const byte_count gap = begin - start;
      if (gap >= size && (best < 0 || gap < least)) best = start, least = gap;
      start = std::max(start, (end + alignment_ - 1) / alignment_ * alignment_);
    }
    placed_.push_back({times, best < 0 ? start : best, size});
    return placed_.back().offset;
  }

 private:
  struct piece {
    std::vector<slot_range> times;
    byte_count offset = 0, size = 0;
  };
  byte_count alignment_;
  std::vector<piece> placed_;
};

}  // namespace

TEST_CASE("taken_pieces: as one sorted list, in rows that are not empty") {
  std::mt19937 random(3);
  const auto begins_below = [](const detail::taken_piece& a, const detail::taken_piece& b) {
    return a.begin < b.begin;
  };
  for (const bool at_once : {false, true}) {
    detail::taken_pieces pieces;
    std::vector<detail::taken_piece> plain;
    for (std::uint32_t n = 0; n < 1000; ++n) {
      const auto begin = static_cast<byte_count>(random() % 200 * 10);
      const detail::taken_piece one{begin, begin + 5, n, n};
      if (!at_once || n >= 500) pieces.insert(one);
      plain.insert(std::upper_bound(plain.begin(), plain.end(), one, begins_below), one);
      if (at_once && n == 499) pieces.assign(plain);
    }
    CAPTURE(at_once);
    std::size_t k = 0;
    for (const auto& row : pieces.rows()) {
      CHECK_FALSE(row.empty());
      for (const detail::taken_piece& p : row) {
        REQUIRE(k < plain.size());
        CHECK(p.begin == plain[k++].begin);
      }
    }
    CHECK(k == plain.size());
  }
}

TEST_CASE("taken_pieces: a piece that continues one at the same times makes it longer") {
  detail::taken_pieces pieces;
  pieces.insert({0, 10, 1, 2});
  pieces.insert({10, 20, 1, 2});
  pieces.insert({20, 30, 1, 3});
  REQUIRE(pieces.rows().size() == 1);
  REQUIRE(pieces.rows()[0].size() == 2);
  CHECK(pieces.rows()[0][0].end == 20);
}

TEST_CASE("of the gaps the smallest is taken, of equal ones the lowest") {
  best_fit_heap heap(4, 16);
  CHECK(place(heap, 0, 2, 64) == 0);
  CHECK(place(heap, 0, 4, 16) == 64);
  CHECK(place(heap, 0, 2, 32) == 80);
  CHECK(place(heap, 0, 4, 16) == 112);
  CHECK(place(heap, 2, 4, 20) == 80);  // between 80 and 112, not at 0
  CHECK(place(heap, 2, 4, 16) == 0);   // what is left there ends before its alignment
  CHECK(place(heap, 0, 1, 1) == 128);
  CHECK(heap.size() == 129);  // not rounded
}

TEST_CASE("a piece with several times leaves the time between to others") {
  best_fit_heap heap(6, 8);
  const slot_range twice[] = {{0, 2}, {4, 6}};
  CHECK(heap.place(twice, 8) == 0);
  CHECK(place(heap, 2, 4, 8) == 0);
  CHECK(place(heap, 1, 3, 8) == 8);
}

TEST_CASE("pieces that do not fit into 63 bits have no place") {
  best_fit_heap heap(2, 256);
  const byte_count most = std::numeric_limits<byte_count>::max();
  CHECK(place(heap, 0, 2, most - 1000) == 0);
  CHECK_FALSE(place(heap, 0, 1, most - 1000));
  CHECK_FALSE(place(heap, 0, 1, 2000));
}

TEST_CASE("the heap agrees with one that looks at every pair") {
  std::mt19937 random(28);
  for (int round = 0; round < 200; ++round) {
    const std::size_t slots = round % 4 != 0 ? 1 + random() % 40 : 1025 + random() % 4000;  // one block, or a tree
    const byte_count alignment = byte_count{1} << random() % 6;
    best_fit_heap heap(slots, alignment);
    plain_heap plain(alignment);
    for (int n = 0; n < 200; ++n) {
      std::vector<slot_range> times;
      std::size_t from = random() % slots;
      do {
        const std::size_t most = random() % 2 == 0 ? slots - from : std::min<std::size_t>(slots - from, 80);
        const std::size_t to = from + 1 + random() % most;
        times.push_back({from, to});
        from = to + 1 + random() % 3;
      } while (from < slots && random() % 3 == 0);
      const byte_count size = 1 + static_cast<byte_count>(random() % 100);
      CAPTURE(round);
      CAPTURE(n);
      REQUIRE(heap.place(times, size) == plain.place(times, size));
    }
  }
}
