#include <hlolint/analysis/assignment/known_heap.hpp>

#include "analysis/heap_of.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("ranked_times: only positions at which a value begins or ends count") {
  const record_list<time_span> ranges{{2, 7}, {90, 95}, {7, 90}};
  const record_list<std::uint32_t> both{0, 2}, first{0};
  CHECK(detail::ranked_times(both, ranges, 100) == record_list<time_span>{{1, 2}, {2, 3}});
  CHECK(detail::ranked_times(first, ranges, 100) == record_list<time_span>{{1, 2}});
}

TEST_CASE("known_heap: the first heap is found again for the same values and times") {
  heap_of heap(heap_text, {"a", "b", "c", "z"});
  const heap_events events = heap.events();
  const byte_count no_limit = std::numeric_limits<byte_count>::max();
  const record_list<time_span> times = detail::ranked_times(heap.values, heap.spans, 10);
  const record_list<std::uint32_t> came{heap.value("c"), heap.value("a"), heap.value("z"), heap.value("b")};
  detail::known_heap known;
  CHECK(known.find(heap.values, times, no_limit) == nullptr);
  CHECK(known.ascending(came, heap.facts.flow().values().size()) == heap.values);
  record_list<std::uint32_t> ascending = heap.values;
  record_list<time_span> copy = times;
  const packed_heap packed = known.pack(events, 64, no_limit, came, std::move(ascending), std::move(copy));
  CHECK(packed.size == 512);
  REQUIRE(known.find(heap.values, times, no_limit));
  CHECK(known.find(heap.values, times, no_limit)->result.offsets == packed.offsets);
  CHECK(known.find(heap.values, times, 512) == nullptr);  // not smaller
  CHECK(known.find(came, times, no_limit) == nullptr);
  record_list<time_span> later = times;
  ++later.back().end;
  CHECK(known.find(heap.values, later, no_limit) == nullptr);
  CHECK(known.empty() == record_list<std::uint32_t>{heap.value("z")});
  CHECK(known.ascending(came, 0) == heap.values);  // as remembered
}
