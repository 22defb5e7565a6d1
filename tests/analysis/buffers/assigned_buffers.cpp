#include <hlolint/analysis/buffers/assigned_buffers.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("assigned_buffers: the plan as a dump, with flags, live ranges and names that are unique") {
  const hlo_module module = module_of(R"(HloModule m, is_scheduled=true

called {
  a = f32[64]{0} parameter(0)
  ROOT n = f32[64]{0} negate(a)
}

ENTRY e {
  p = f32[64]{0} parameter(0)
  k = f32[4]{0} constant({1, 2, 3, 4})
  a = f32[64]{0} custom-call(p, k), custom_call_target="k"
  c = f32[64]{0} call(a), to_apply=called
  b = f32[128]{0} custom-call(c), custom_call_target="k"
  ROOT r = (f32[16]{0}, f32[16]{0}) custom-call(b), custom_call_target="k"
}
)");
  const buffer_dump dump = assigned_buffers(module, assignment_rules::of(target::cpu));
  std::string out;
  for (const allocation& a : dump.allocations()) {
    out += std::to_string(a.size) + (a.parameter ? " parameter" : "") + (a.constant ? " constant" : "") +
           (a.maybe_live_out ? " result" : "") + (a.preallocated_temp ? " temporary" : "") + ":";
    for (std::size_t v = a.first_value; v < a.first_value + std::size_t{a.value_count}; ++v)
      out += " " + std::string(dump.values()[v].name.instruction) +
             (dump.values()[v].name.index ? to_string(*dump.values()[v].name.index) : "") + "@" +
             std::to_string(dump.values()[v].offset);
    out += "; ";
  }
  CHECK(out ==
        "256 parameter: p@0; 64 result: r{0}@0; 64 result: r{1}@0; 16 result: r{}@0; 16 constant: k@0; "
        "768 temporary: n@512 a.1@0 b@0; ");
  REQUIRE(dump.live_ranges());
  std::string sequence, ranges;
  for (const std::string_view name : dump.live_ranges()->sequence) sequence += std::string(name) + " ";
  for (const live_range& r : dump.live_ranges()->ranges)
    ranges +=
        std::string(r.instruction) + to_string(r.index) + std::to_string(r.start) + "-" + std::to_string(r.end) + " ";
  CHECK(sequence == "p k a.1 a n c b r ");
  CHECK(ranges.find("a.1{}2-4 ") != ranges.npos);
  CHECK(ranges.find("r{1}7-8 ") != ranges.npos);
}
