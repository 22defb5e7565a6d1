#include <hlolint/analysis/assignment/heap_changes.hpp>

#include <hlolint/analysis/assignment/packed_heap.hpp>

#include "analysis/heap_of.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("heap_changes: which pieces are the same among the same others") {
  heap_of heap(three_text, {"x", "y", "z"});
  const std::vector<std::string_view> swapped{"p", "x", "z", "y", "r"};  // z before y
  const heap_events first = heap.events(), second = heap.events(swapped);
  const detail::heap_timeline before(first), now(second);
  CHECK(before.is_of(first));
  CHECK_FALSE(before.is_of(second));
  CHECK(before.of(heap.value("y")).start == 1);
  CHECK(now.of(heap.value("y")).start == 2);
  CHECK(before.tick_of(2 * heap.value("x")) == 0);
  const detail::heap_changes none_at_all(before, before), changes(before, now);
  for (const std::uint32_t c : {0u, 1u, 2u}) CHECK(none_at_all.before_of(c) == c);
  // In the second heap the pieces are x, z and y; that z moved explains all.
  CHECK(changes.before_of(0) == 0);
  CHECK(changes.before_of(1) == none);
  CHECK(changes.before_of(2) == 1);
  CHECK(changes.now_of(1) == 2);
  CHECK(changes.now_of(2) == none);
  CHECK(changes.tick_now(0) == 0);
  CHECK(changes.tick_now(1) == 2);
}

TEST_CASE("heap_changes: what is alike keeps its place, as if it were packed anew") {
  heap_of heap(three_text, {"x", "y", "z"});
  remembered_heap known;
  CHECK(pack_heap(heap.events(), 256, &known).size == 1024);
  REQUIRE(known);
  using names = std::vector<std::string_view>;
  for (const names& order :
       {names{"p", "x", "z", "y", "r"}, names{"p", "z", "y", "x", "r"}, names{"p", "x", "y", "z", "r"}}) {
    const heap_events events = heap.events(order);
    const packed_heap again = pack_heap(events, 256, &known);
    const packed_heap anew = pack_heap(events, 256);
    CHECK(again.size == anew.size);
    CHECK(again.offsets == anew.offsets);
  }
}

TEST_CASE("marked_ticks: no mark is missed, however many ticks share one") {
  for (const std::int64_t ticks : {10, 4096, 1'000'000}) {
    detail::marked_ticks marks(ticks);
    CHECK_FALSE(marks.any(0, ticks));
    marks.mark(ticks / 2, ticks / 2 + 1);
    CHECK(marks.any(ticks / 2, ticks / 2));
    CHECK(marks.any(0, ticks));
    CHECK_FALSE(marks.any(0, ticks / 4));
    CHECK_FALSE(marks.any(ticks - ticks / 4, ticks));
  }
}

TEST_CASE("order_replay: a piece whose neighbors are as they were has its place, one that differs has none") {
  heap_of heap(three_text, {"x", "y", "z"});
  const heap_events first = heap.events(), second = heap.events({"p", "x", "z", "y", "r"});
  const detail::heap_timeline before(first), now(second);
  const detail::packed_order packed{{1, 0, 2}, {0, 512, 768}};
  const detail::heap_changes same(before, before), changes(before, now);
  const std::vector<std::uint32_t> order{1, 0, 2};
  detail::order_replay all_known(same, packed, order);
  for (std::size_t k = 0; k < order.size(); ++k) {
    CHECK(all_known.place_of(order[k]) == packed.offsets[k]);
    all_known.placed(order[k], packed.offsets[k]);
  }
  const std::vector<std::uint32_t> in_second{2, 0, 1};  // y, x, and z, which moved
  detail::order_replay some_known(changes, packed, in_second);
  CHECK(some_known.place_of(2) == 0);
  some_known.placed(2, 0);
  CHECK(some_known.place_of(0) == 512);
  some_known.placed(0, 512);
  CHECK_FALSE(some_known.place_of(1));
}
