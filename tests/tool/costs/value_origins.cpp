// Where the parts of results come from: tuples and moves keep the origin, work ends it, and two origins are none.
#include "analysis/module_of.hpp"

#include <hlolint/tool/costs/value_origins.hpp>

#include <doctest/doctest.h>

#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("value_origins: through tuples and what moves, not through work, and one of several is none") {
  const hlo_module module = module_of(R"(HloModule m

ENTRY %e (p: f32[8], q: (f32[8], f32[8]), c: pred[]) -> f32[8] {
  %p = f32[8] parameter(0)
  %q = (f32[8], f32[8]) parameter(1)
  %c = pred[] parameter(2)
  %second = f32[8] get-tuple-element(%q), index=1
  %moved = f32[8] copy(%second)
  %sum = f32[8] add(%moved, %p)
  %pair = (f32[8], f32[8]) tuple(%sum, %moved)
  ROOT %chosen = f32[8] copy(%p)
}
)");
  const hlo_computation entry = module.entry();
  const std::vector<id> sources{entry.find("p").id(), entry.find("q").id()};
  const value_origins from(dependence_graph(module), sources,
                           [](hlo_instruction i) { return i.opcode() == hlo_opcode::copy; });
  const hlo_instruction moved = entry.find("moved"), pair = entry.find("pair");
  CHECK(from.of(moved).name() == "q");
  CHECK(from.part_of(moved) == 2);
  CHECK(from.of(entry.find("chosen")).name() == "p");
  CHECK_FALSE(from.of(entry.find("sum")));
  CHECK(from.is_computed(entry.find("sum")));
  CHECK(from.is_computed(pair, 1));
  CHECK(from.of(pair, 2).name() == "q");
  CHECK(from.is_computed(entry.find("c")));  // it is not followed
}
