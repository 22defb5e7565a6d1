#include <hlolint/analysis/assignment/heap_events.hpp>

#include "analysis/assigned_text.hpp"
#include "analysis/heap_of.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("heap_events: a clock of values that get and give back bytes, and which of them are one piece") {
  heap_of heap(heap_text, {"a", "b", "c", "z"});
  const heap_events events = heap.events();
  REQUIRE(events.chunks().size() == 2);
  const heap_chunk &first = events.chunks()[0], &second = events.chunks()[1];
  CHECK(first.first == heap.value("a"));
  CHECK(first.size == 256);
  CHECK(first.start == 0);
  CHECK(first.end == 1);
  CHECK(first.first_tick == 0);
  CHECK(first.last_tick == 4);  // b has the same bytes
  REQUIRE(events.members(first).size() == 2);
  CHECK(events.members(first)[1] == heap_events::member{2, 4, heap.value("b")});
  CHECK(second.first == heap.value("c"));
  CHECK(second.start == 3);
  CHECK(second.end == 5);
  CHECK(events.ticks() == 6);
  CHECK(events.members().size() == 3);
  CHECK(events.empty() == std::vector<std::uint32_t>{heap.value("z")});
}

TEST_CASE("a value and what takes its bytes are one piece of the heap") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true

ENTRY e {
  p0 = f32[64]{0} parameter(0)
  v0 = f32[192]{0} custom-call(p0), custom_call_target="k"
  v1 = f32[192]{0} negate(v0)
  ROOT r = f32[64]{0} custom-call(p0), custom_call_target="k"
}
)") == "sizes 256 256 768; "
       "0: r; "
       "1: p0; "
       "2: v0 v1");
}

TEST_CASE("the heap counts events, not positions of the schedule") {
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

TEST_CASE("of values that end together the first to begin is freed first") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true

ENTRY e {
  p0 = f32[512]{0} parameter(0)
  p1 = f32[64]{0} parameter(1)
  v0 = f32[512]{0} negate(p0)
  v1 = f32[512]{0} negate(p0)
  v2 = f32[192]{0} custom-call(v1, v0), custom_call_target="k"
  ROOT r = (f32[64]{0}, f32[192]{0}) tuple(p1, v2)
}
)") == "sizes 2048 768 256 16 4096; "
       "0: p0; "
       "1: v2; "
       "2: p1; "
       "3: r{}; "
       "4: v1 v0@2048");
}

TEST_CASE("of equal sizes the first value of a piece decides, not all of it") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true

ENTRY e {
  p0 = f32[192]{0} parameter(0)
  p1 = f32[64]{0} parameter(1)
  v0 = f32[64]{0} copy(p1)
  v1 = f32[192]{0} negate(p0)
  v2 = f32[192]{0} bitcast(p0)
  v3 = f32[128]{0} custom-call(v0), custom_call_target="k"
  v4 = f32[192]{0} custom-call(v1), custom_call_target="k"
  t5 = (f32[256]{0}, f32[64]{0}) custom-call(v4), custom_call_target="k2"
  v5 = f32[256]{0} get-tuple-element(t5), index=0
  w5 = f32[64]{0} get-tuple-element(t5), index=1
  v6 = f32[256]{0} copy(v5)
  v7 = f32[256]{0} negate(v6)
  ROOT r = (f32[64]{0}, f32[192]{0}) tuple(w5, p0)
}
)") == "sizes 768 256 256 16 2304; "
       "0: p0; "
       "1: v0 t5{1}; "
       "2: p1; "
       "3: r{}; "
       "4: v3@1024 v1@256 v4@1280 t5{} t5{0}@256 v6@1280 v7@1280");
}

TEST_CASE("between the values of a set its bytes are free") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true

left {
  a = f32[64]{0} parameter(0)
  ROOT b = f32[64]{0} custom-call(a), custom_call_target="k"
}

right {
  c = f32[64]{0} parameter(0)
  d = f32[64]{0} custom-call(c), custom_call_target="k"
  f = f32[1]{0} custom-call(d), custom_call_target="k"
  ROOT g = f32[64]{0} custom-call(f), custom_call_target="k"
}

ENTRY e {
  p = f32[64]{0} parameter(0)
  q = pred[] parameter(1)
  h = f32[64]{0} conditional(q, p, p), true_computation=left, false_computation=right
  ROOT r = f32[1]{0} custom-call(h), custom_call_target="k"
}
)") == "sizes 256 4 1 256; "
       "0: p; "
       "1: f r; "
       "2: q; "
       "3: b d g h");
}
