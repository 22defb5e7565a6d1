#include <hlolint/analysis/assignment/packed_heap.hpp>

#include "analysis/assigned_text.hpp"
#include "analysis/heap_of.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("pack_heap: places of the pieces, and the least size") {
  heap_of heap(heap_text, {"a", "b", "c"});
  const heap_events events = heap.events();
  const packed_heap packed = pack_heap(events, 128);
  CHECK(packed.is_exact);
  CHECK(packed.size == 512);
  CHECK(packed.offsets == std::vector<byte_count>{256, 0});  // the one whose first value stays longer
  CHECK(least_heap_size(events, 128) == 512);
  CHECK(pack_heap(events, 512).size == 768);  // the second piece begins at a multiple of it
}

TEST_CASE("the smallest gap that fits is taken") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true, input_output_alias={ {0}: (1, {}, may-alias) }

ENTRY e {
  p0 = f32[512]{0} parameter(0)
  p1 = f32[192]{0} parameter(1)
  v0 = f32[1024]{0} custom-call(p0), custom_call_target="k"
  v1 = f32[512]{0} negate(p0)
  v2 = f32[128]{0} custom-call(v0, p0), custom_call_target="k"
  v3 = f32[512]{0} negate(p0)
  v4 = f32[192]{0} custom-call(p1), custom_call_target="k"
  v5 = f32[192]{0} negate(p1)
  v6 = f32[128]{0} copy(v2)
  v7 = f32[512]{0} custom-call(v4, v2), custom_call_target="k"
  ROOT r = (f32[192]{0}, f32[512]{0}, f32[512]{0}) tuple(v5, v3, p0)
}
)") == "sizes 2048 2048 768 24 4608; "
       "0: p0; "
       "1: v1 v3; "
       "2: p1 v5; "
       "3: r{}; "
       "4: v0 v2@4096 v6@2816 v4@2048 v7");
}

TEST_CASE("the longest first is taken where that is smaller") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true

ENTRY e {
  p0 = f32[1024]{0} parameter(0)
  v0 = f32[192]{0} custom-call(p0), custom_call_target="k"
  v1 = f32[192]{0} negate(v0)
  v2 = f32[192]{0} negate(v0)
  v3 = f32[1024]{0} custom-call(p0), custom_call_target="u", output_to_operand_aliasing={{}: (0, {})}
  v4 = f32[1024]{0} bitcast(p0)
  v5 = f32[192]{0} copy(v0)
  v6 = f32[192]{0} negate(v5)
  v7 = f32[256]{0} custom-call(v2), custom_call_target="k"
  ROOT r = (f32[192]{0}, f32[1024]{0}) tuple(v1, v4)
}
)") == "sizes 4096 768 16 2304; "
       "0: p0 v3; "
       "1: v1; "
       "2: r{}; "
       "3: v0@1536 v5@768 v6@768 v2 v7@768");
}

TEST_CASE("the largest first") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true

ENTRY e {
  p0 = f32[256]{0} parameter(0)
  p1 = f32[128]{0} parameter(1)
  v0 = f32[192]{0} custom-call(p0), custom_call_target="k"
  v1 = f32[1024]{0} custom-call(p0), custom_call_target="k"
  v2 = f32[1024]{0} custom-call(v0), custom_call_target="k"
  v3 = f32[256]{0} custom-call(p1, v2), custom_call_target="k"
  ROOT r = f32[128]{0} custom-call(p1), custom_call_target="k"
}
)") == "sizes 1024 512 512 5120; "
       "0: p0; "
       "1: r; "
       "2: p1; "
       "3: v1 v0@4096 v2 v3@4096");
}

TEST_CASE("of two orders that need the same the largest first is taken") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true

ENTRY e {
  p0 = f32[128]{0} parameter(0)
  v0 = f32[128]{0} negate(p0)
  v1 = f32[192]{0} custom-call(v0), custom_call_target="k"
  ROOT r = f32[128]{0} custom-call(v0), custom_call_target="k"
}
)") == "sizes 512 512 1280; "
       "0: r; "
       "1: p0; "
       "2: v0@768 v1");
}

TEST_CASE("ranked_times: only positions at which a value begins or ends count") {
  const std::vector<time_span> ranges{{2, 7}, {90, 95}, {7, 90}};
  const std::vector<std::uint32_t> both{0, 2}, first{0};
  CHECK(detail::ranked_times(both, ranges, 100) == std::vector<time_span>{{1, 2}, {2, 3}});
  CHECK(detail::ranked_times(first, ranges, 100) == std::vector<time_span>{{1, 2}});
}

TEST_CASE("known_heap: the first heap is found again for the same values and times") {
  heap_of heap(heap_text, {"a", "b", "c", "z"});
  const heap_events events = heap.events();
  const std::vector<time_span> times = detail::ranked_times(heap.values, heap.spans, 10);
  const std::vector<std::uint32_t> came{heap.value("c"), heap.value("a"), heap.value("z"), heap.value("b")};
  detail::known_heap known;
  CHECK(known.find(heap.values, times) == nullptr);
  CHECK(known.ascending(came, heap.facts.flow().values().size()) == heap.values);
  std::vector<std::uint32_t> ascending = heap.values;
  std::vector<time_span> copy = times;
  const packed_heap packed = known.pack(events, 64, false, came, std::move(ascending), std::move(copy));
  CHECK(packed.size == 512);
  REQUIRE(known.find(heap.values, times));
  CHECK(known.find(heap.values, times)->result.offsets == packed.offsets);
  CHECK(known.find(came, times) == nullptr);
  std::vector<time_span> later = times;
  ++later.back().end;
  CHECK(known.find(heap.values, later) == nullptr);
  CHECK(known.empty() == std::vector<std::uint32_t>{heap.value("z")});
  CHECK(known.ascending(came, 0) == heap.values);  // as remembered
}

TEST_CASE("pack_by_time: the heap of libtpu is filled in the order of the program") {
  // The small piece comes first and lies below the large ones, which begin after it.
  heap_of heap(heap_text, {"a", "b", "c"});
  const heap_events events = heap.events();
  const packed_heap by_time = pack_by_time(events, 64), by_size = pack_heap(events, 64);
  REQUIRE(by_time.offsets.size() == events.chunks().size());
  CHECK(by_time.is_exact);
  std::size_t first = 0;
  for (std::size_t c = 1; c < events.chunks().size(); ++c)
    if (events.chunks()[c].start < events.chunks()[first].start) first = c;
  CHECK(by_time.offsets[first] == 0);
  CHECK(by_time.size >= by_size.size);
}

TEST_CASE("pack_by_time: a piece keeps its bytes between its values") {
  // Nothing of the loop is in its bytes while `y` is there.
  assignment_rules rules = plain_rules();
  rules.sharing = target::tpu, rules.in_program_order = true;
  rules.temporaries_apart = true;
  CHECK(assigned(R"(HloModule m, is_scheduled=true

c {
  cp = (f32[64]{0}) parameter(0)
  ROOT more = pred[] custom-call(cp), custom_call_target="k"
}

b {
  bp = (f32[64]{0}) parameter(0)
  g = f32[64]{0} get-tuple-element(bp), index=0
  x = f32[64]{0} custom-call(g), custom_call_target="k"
  y = f32[64]{0} custom-call(x), custom_call_target="k"
  v = f32[64]{0} custom-call(y), custom_call_target="k"
  z = f32[64]{0} custom-call(v), custom_call_target="k"
  ROOT t = (f32[64]{0}) tuple(z)
}

ENTRY e {
  p = f32[64]{0} parameter(0)
  a = f32[64]{0} custom-call(p), custom_call_target="k"
  i = (f32[64]{0}) tuple(a)
  w = (f32[64]{0}) while(i), condition=c, body=b
  o = f32[64]{0} get-tuple-element(w), index=0
  ROOT r = f32[64]{0} custom-call(o), custom_call_target="k"
}
)",
                 rules) ==
        "sizes 256 256 1024; "
        "0: r; "
        "1: p; "
        "2: more@512 x@512 y@768 v@512 z@256 t{} a@256 i{} cp{} bp{} cp{0}@256 bp{0}@256 w{} w{0}@256");
}
