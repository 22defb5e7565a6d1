#include <hlolint/analysis/values/elementwise_paths.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <cstddef>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

constexpr const char* paths_text = R"(HloModule m

%straight {
  %sa = f32[8]{0} parameter(0)
  %sb = f32[8]{0} parameter(1)
  %se = f32[8]{0} exponential(%sa)
  %sr = f32[8]{0} reverse(%sb), dimensions={0}
  ROOT %ss = f32[8]{0} add(%se, %sr)
}

%nested {
  %na = f32[8]{0} parameter(0)
  %nb = f32[8]{0} parameter(1)
  ROOT %nf = f32[8]{0} fusion(%na, %nb), kind=kLoop, calls=%straight
}

ENTRY %e {
  %p = f32[8]{0} parameter(0)
  %q = f32[8]{0} parameter(1)
  %i = s32[] parameter(2)
  %loop = f32[8]{0} fusion(%p, %q), kind=kLoop, calls=%straight
  %input = f32[8]{0} fusion(%p, %q), kind=kInput, calls=%straight
  %outer = f32[8]{0} fusion(%p, %q), kind=kLoop, calls=%nested
  %sum = f32[8]{0} add(%p, %q)
  %turned = f32[8]{0} reverse(%p), dimensions={0}
  %narrow = s32[8]{0} bitcast-convert(%p)
  %wide = f16[8,2]{1,0} bitcast-convert(%p)
  ROOT %update = f32[8]{0} dynamic-update-slice(%p, %q, %i)
}
)";

}  // namespace

TEST_CASE("a loop fusion is element by element if all between a parameter and the root is") {
  const hlo_module module = module_of(paths_text);
  const module_tables tables(module);
  const elementwise_paths paths(tables);
  const auto on = [&](const char* name, std::size_t k) {
    return paths.is_elementwise_on(instruction_of(module, name), k);
  };
  CHECK(on("loop", 0));
  CHECK_FALSE(on("loop", 1));   // through a reverse
  CHECK_FALSE(on("input", 0));  // not of kind kLoop
  CHECK(on("outer", 0));        // through the fusion within
  CHECK_FALSE(on("outer", 1));
  CHECK(on("sum", 1));
  CHECK_FALSE(on("turned", 0));
  CHECK(on("narrow", 0));  // of equal width
  CHECK_FALSE(on("wide", 0));
  CHECK(on("update", 0));
  CHECK_FALSE(on("update", 1));
}

TEST_CASE("tuples within a fusion pass on, and end the way where the whole fusion is asked for") {
  const hlo_module module = module_of(
      "HloModule m\n\n%f {\n  %a = f32[8]{0} parameter(0)\n  %b = f32[8]{0} parameter(1)\n"
      "  %t = (f32[8]{0}, f32[8]{0}) tuple(%a, %b)\n  %g = f32[8]{0} get-tuple-element(%t), index=0\n"
      "  %n = f32[8]{0} negate(%a)\n  ROOT %r = (f32[8]{0}) tuple(%n)\n}\n\nENTRY %e {\n"
      "  %p = f32[8]{0} parameter(0)\n  ROOT %x = (f32[8]{0}) fusion(%p, %p), kind=kLoop, calls=%f\n}\n");
  const hlo_module plain = module_of(
      "HloModule m\n\n%f {\n  %a = f32[8]{0} parameter(0)\n  %n = f32[8]{0} negate(%a)\n"
      "  %t = (f32[8]{0}, f32[8]{0}) tuple(%a, %n)\n  ROOT %r = ((f32[8]{0}, f32[8]{0})) tuple(%t)\n}\n\n"
      "ENTRY %e {\n  %p = f32[8]{0} parameter(0)\n  ROOT %x = ((f32[8]{0}, f32[8]{0})) fusion(%p), kind=kLoop, "
      "calls=%f\n}\n");
  const module_tables taken(module), kept(plain);
  CHECK_FALSE(elementwise_paths(taken).is_used_elementwise(instruction_of(module, "a")));  // an element is taken out
  CHECK(elementwise_paths(kept).is_used_elementwise(instruction_of(plain, "a")));
  CHECK_FALSE(elementwise_paths(kept).is_elementwise_on(instruction_of(plain, "x"), 0));
}
