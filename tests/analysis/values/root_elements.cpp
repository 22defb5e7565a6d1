#include <hlolint/analysis/values/root_elements.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("root_elements: which element of a loop's result an instruction is, through bitcasts") {
  const hlo_module module = module_of(R"(HloModule m

%body {
  %p = (s32[], f32[4]{0}) parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  %x = f32[4]{0} get-tuple-element(%p), index=1
  %sum = f32[2,2]{1,0} reshape(%x)
  %flat = f32[4]{0} bitcast(%sum)
  %unused = f32[4]{0} negate(%x)
  ROOT %t = (s32[], f32[4]{0}) tuple(%i, %flat)
}

%condition {
  %q = (s32[], f32[4]{0}) parameter(0)
  ROOT %go = pred[] constant(true)
}

ENTRY %e {
  %in = (s32[], f32[4]{0}) parameter(0)
  ROOT %w = (s32[], f32[4]{0}) while(%in), condition=%condition, body=%body
}
)");
  const root_elements elements(module);
  const auto of = [&](const char* name) { return elements.of(instruction_of(module, name)); };
  CHECK(of("i").reached);
  CHECK(of("i").element == 0);
  CHECK(of("flat").element == 1);
  CHECK(of("sum").element == 1);
  CHECK_FALSE(of("x").reached);
  CHECK_FALSE(of("unused").reached);
  CHECK(of("t").reached);
  CHECK_FALSE(of("t").element);
  CHECK(of("go").reached);
  CHECK_FALSE(of("w").reached);  // the entry is no loop's
}
