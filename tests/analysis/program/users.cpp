#include <hlolint/analysis/program/users.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <cstddef>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("users are the operand edges the other way round") {
  const hlo_module module = module_of(R"(HloModule m

%branch (brp: f32[]) -> f32[] {
  ROOT %brp = f32[] parameter(0)
}

ENTRY %main (p: f32[], q: pred[]) -> f32[] {
  %p = f32[] parameter(0)
  %q = pred[] parameter(1)
  %w = f32[] negate(%p)
  %after = f32[] negate(%p), control-predecessors={%w}
  ROOT %c = f32[] conditional(%q, %w, %w), true_computation=%branch, false_computation=%branch
}
)");
  const users all_users(module);
  const auto uses = all_users.of(instruction_of(module, "w"));
  REQUIRE(uses.size() == 2);
  CHECK(uses[0].user.name() == "c");
  CHECK(uses[0].operand == 1);
  CHECK(uses[1].operand == 2);
  CHECK(all_users.count(instruction_of(module, "c")) == 0);
  std::size_t edges = 0, operands = 0;
  for (const hlo_instruction i : module.instructions()) edges += all_users.count(i), operands += i.operand_count();
  CHECK(edges == operands);
}
