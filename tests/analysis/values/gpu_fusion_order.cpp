#include <hlolint/analysis/values/gpu_fusion_order.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// Of a fusion of `x` and `y`, and two indices `i` and `j`, with this body: whether it works in place on `x`.
bool keeps(const std::string& body, const std::string& result = "f32[4]{0}", const shape_index& output = {}) {
  const hlo_module module = module_of(
      "HloModule m\n\nadd {\n  aa = f32[] parameter(0)\n  ab = f32[] parameter(1)\n  ROOT as = f32[] add(aa, ab)\n}\n\n"
      "c {\n  x = f32[4]{0} parameter(0)\n  y = f32[4]{0} parameter(1)\n  i = s32[] parameter(2)\n"
      "  j = s32[] parameter(3)\n" +
      body +
      "}\n\nENTRY e {\n  p = f32[4]{0} parameter(0)\n  q = f32[4]{0} parameter(1)\n  k = s32[] parameter(2)\n"
      "  l = s32[] parameter(3)\n  ROOT u = " +
      result + " fusion(p, q, k, l), kind=kLoop, calls=c\n}\n");
  const module_tables tables(module);
  return gpu_fusion_order(tables).keeps(instruction_of(module, "u"), 0, output);
}

}  // namespace

TEST_CASE("gpu_fusion_order: elements are written in the order in which they are read") {
  CHECK(keeps("  n = f32[4]{0} negate(x)\n  ROOT r = f32[4]{0} add(n, y)\n"));
  CHECK_FALSE(keeps("  v = f32[4]{0} reverse(x), dimensions={0}\n  ROOT r = f32[4]{0} add(v, x)\n"));
  CHECK(keeps("  v = f32[4]{0} reverse(y), dimensions={0}\n  ROOT r = f32[4]{0} add(v, x)\n"));
  CHECK(keeps("  v = f32[2,2]{1,0} bitcast(x)\n  ROOT r = f32[2,2]{1,0} negate(v)\n", "f32[2,2]{1,0}"));
  CHECK(keeps("  ROOT r = s32[4]{0} bitcast-convert(x)\n", "s32[4]{0}"));  // as wide
  CHECK_FALSE(keeps("  ROOT r = f32[2]{0} slice(x), slice={[0:2]}\n", "f32[2]{0}"));
  CHECK_FALSE(keeps("  ROOT r = f16[4]{0} convert(x)\n", "f16[4]{0}"));
  CHECK_FALSE(keeps("  ROOT c = f32[4]{0} copy(x)\n"));
}

TEST_CASE("gpu_fusion_order: of several outputs the one that is asked for, and no other in another order") {
  const std::string two = "  n = f32[4]{0} negate(x)\n  m = f32[4]{0} negate(y)\n", pair = "(f32[4]{0}, f32[4]{0})";
  CHECK(keeps(two + "  ROOT r = " + pair + " tuple(n, m)\n", pair, {0}));
  CHECK_FALSE(keeps(two + "  ROOT r = " + pair + " tuple(n, m)\n", pair, {1}));  // of y alone
  CHECK(keeps(two + "  a = f32[4]{0} abs(x)\n  ROOT r = " + pair + " tuple(n, a)\n", pair, {0}));
  const std::string whole = "(f32[4]{0}, f32[])", reduced =
                                                      "  z = f32[] constant(0)\n  s = f32[] reduce(x, z), "
                                                      "dimensions={0}, to_apply=add\n";
  CHECK(keeps("  n = f32[4]{0} negate(x)\n" + reduced + "  ROOT r = " + whole + " tuple(n, s)\n", whole, {0}));
  CHECK_FALSE(
      keeps("  n = f32[4]{0} negate(x)\n  c = f32[4]{0} copy(n)\n  ROOT r = " + pair + " tuple(n, c)\n", pair, {0}));
}

TEST_CASE("gpu_fusion_order: a slice of what the fusion updates at the same place") {
  const auto with = [](const std::string& start) {
    return keeps("  s = f32[2]{0} dynamic-slice(x, " + start +
                 "), dynamic_slice_sizes={2}\n  n = f32[2]{0} negate(s)\n"
                 "  ROOT d = f32[4]{0} dynamic-update-slice(x, n, i)\n");
  };
  CHECK(with("i"));
  CHECK_FALSE(with("j"));
}
