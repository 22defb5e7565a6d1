#include <hlolint/analysis/assignment/growing_heap.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

using namespace hlolint;

TEST_CASE("growing_heap: grows only where nothing fits, and shrinks from behind") {
  growing_heap heap(64);
  const heap_piece a = *heap.take(64), b = *heap.take(128), c = *heap.take(64);
  CHECK(a == heap_piece{0, 0, 64});
  CHECK(c.offset == 192);
  heap.give(b);
  CHECK(heap.take(192)->offset == 256);
  CHECK(heap.take(64)->offset == 64);
  CHECK(heap.take(64)->offset == 128);
  heap.give(a);
  heap.give(c);
  CHECK(heap.take(64)->offset == 0);  // of equal gaps the lowest
  growing_heap other(64);
  const heap_piece first = *other.take(64), last = *other.take(640);
  other.give(last);
  CHECK(other.take(128)->offset == 64);  // the bytes behind the last piece are no gap
  other.give(first);
  CHECK(other.take(64)->offset == 0);
}

TEST_CASE("growing_heap: what alignment leaves unused belongs to the piece behind it") {
  growing_heap heap(64);
  const heap_piece small = *heap.take(16), large = *heap.take(64);
  CHECK(large == heap_piece{16, 64, 128});
  heap.give(small);
  CHECK(heap.take(32)->offset == 128);  // the gap has 16 bytes
  CHECK(heap.take(16)->offset == 0);

  growing_heap joined(64);
  const heap_piece x = *joined.take(16), y = *joined.take(16), z = *joined.take(64);
  CHECK(z.begin == 80);
  joined.give(y);
  joined.give(x);
  CHECK(joined.take(80)->offset == 0);  // with the bytes between them
}

TEST_CASE("growing_heap: of the gaps the one with the fewest usable bytes") {
  growing_heap heap(64);
  std::vector<heap_piece> pieces;
  for (const byte_count size : {byte_count{256}, byte_count{64}, byte_count{128}, byte_count{64}})
    pieces.push_back(*heap.take(size));
  heap.give(pieces[0]);
  heap.give(pieces[2]);
  CHECK(heap.take(128)->offset == 320);
  CHECK(heap.take(128)->offset == 0);
  CHECK(heap.take(128)->offset == 128);
}

TEST_CASE("growing_heap: no piece ends beyond an int64") {
  growing_heap heap(64);
  constexpr byte_count most = std::numeric_limits<byte_count>::max();
  CHECK(heap.take(most));
  CHECK_FALSE(heap.take(1));
}

TEST_CASE("growing_heap: pieces that are there at one time never overlap") {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    growing_heap heap(64);
    std::vector<heap_piece> there;
    for (int step = 0; step < 200; ++step) {
      if (!there.empty() && random() % 2 == 0) {
        const std::size_t out = random() % there.size();
        heap.give(there[out]);
        there.erase(there.begin() + static_cast<std::ptrdiff_t>(out));
        continue;
      }
      const heap_piece made = *heap.take(1 + static_cast<byte_count>(random() % 500));
      CHECK(made.offset % 64 == 0);
      CHECK(made.begin <= made.offset);
      for (const heap_piece& other : there) CHECK((made.begin >= other.end || other.begin >= made.end));
      there.push_back(made);
    }
    for (const heap_piece& piece : there) heap.give(piece);
    CHECK(heap.take(1)->offset == 0);
  }
}
