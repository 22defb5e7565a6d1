#include <hlolint/analysis/program/call_roles.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <cstdint>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("the computations of a loop, in whichever order they are written") {
  const hlo_module module = module_of(R"(HloModule m

%body {
  ROOT %b = f32[8]{0} parameter(0)
}

%condition {
  %c = f32[8]{0} parameter(0)
  ROOT %go = pred[] constant(true)
}

ENTRY %e {
  %p = f32[8]{0} parameter(0)
  %v = f32[8]{0} while(%p), condition=%condition, body=%body
  ROOT %w = f32[8]{0} while(%v), body=%body, backend_config={"known_trip_count":{"n":"3"}}, condition=%condition
}
)");
  for (const char* const name : {"v", "w"}) {
    const while_parts parts = parts_of_while(instruction_of(module, name));
    CHECK(parts.condition.name() == "condition");
    CHECK(parts.body.name() == "body");
  }
}

TEST_CASE("parameters by number, those that are missing left out") {
  const hlo_module module = faulty_module_of(R"(HloModule m

%gap {
  %third = f32[] parameter(2)
  %first = f32[] parameter(0)
  %beyond = f32[] parameter(4)
  ROOT %s = f32[] add(%third, %first)
}

ENTRY %e {
  %b = f32[] parameter(1)
  %a = f32[] parameter(0)
  ROOT %r = f32[] call(%a, %b), to_apply=%gap
}
)");
  const computation_parameters parameters(module);
  const hlo_computation gap = module.find_computation("gap");
  CHECK(parameters.count(gap) == 3);
  CHECK(parameters.of(gap, 0).name() == "first");
  CHECK_FALSE(parameters.of(gap, 1));
  CHECK(parameters.of(gap, 2).name() == "third");
  CHECK_FALSE(parameters.of(gap, 4));  // a number that is not below the number of instructions
  CHECK_FALSE(parameters.of(gap, std::int64_t{-1}));
  CHECK_FALSE(parameters.of(gap, std::uint64_t{1} << 63));
  CHECK(parameters.count(module.entry()) == 2);
  CHECK(parameters.of(module.entry(), 0).name() == "a");
  CHECK(parameters.of(module.entry(), 1).name() == "b");
}
