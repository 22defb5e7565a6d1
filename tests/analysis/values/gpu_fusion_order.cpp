#include <hlolint/analysis/values/gpu_fusion_order.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <cstddef>
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

TEST_CASE("gpu_fusion_order: outputs that are joined and taken apart again") {
  const std::string pair = "(f32[4]{0}, f32[4]{0})";
  const auto joined = [](const std::string& first, const std::string& begin = "0", const std::string& end = "4") {
    return "  n = f32[4]{0} negate(x)\n  m = f32[4]{0} negate(y)\n" + first +
           "  both = f32[8]{0} concatenate(f, m), dimensions={0}\n  s = f32[4]{0} slice(both), slice={[" + begin + ":" +
           end + "]}\n  t = f32[4]{0} slice(both), slice={[4:8]}\n  ROOT r = (f32[4]{0}, f32[4]{0}) tuple(s, t)\n";
  };
  const std::string plain = "  f = f32[4]{0} reshape(n)\n";
  CHECK(keeps(joined(plain), pair, {0}));
  CHECK_FALSE(keeps(joined(plain), pair, {1}));            // of y alone
  CHECK_FALSE(keeps(joined(plain, "1", "5"), pair, {0}));  // at another place
  CHECK_FALSE(keeps(joined("  f = f32[4]{0} reverse(n), dimensions={0}\n"), pair, {0}));
  CHECK_FALSE(keeps(joined("  f = f32[4]{0} add(n, m)\n  o = f32[4]{0} reshape(f)\n"), pair, {1}));
  CHECK_FALSE(keeps("  g = f32[4]{0} reshape(x)\n  ROOT r = f32[4]{0} negate(g)\n"));
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

namespace {

// The hero of the root of a fusion that adds `second` to the transpose %t.
std::string hero_of(const std::string& from, const std::string& to, const std::string& more = {},
                    const std::string& second = "%q", const std::string& last = {}) {
  const hlo_module module =
      module_of("HloModule m\n\n%f {\n  %p = f32" + from + "{1,0} parameter(0)\n  %q = f32" + to +
                "{1,0} parameter(1)\n  %t = f32" + to + "{1,0} transpose(%p), dimensions={1,0}\n" + more +
                (last.empty() ? "  ROOT " : "  ") + "%sum = f32" + to + "{1,0} add(%t, " + second + ")\n" +
                (last.empty() ? "" : "  ROOT " + last + "\n") + "}\n\nENTRY %e {\n  %x = f32" + from +
                "{1,0} parameter(0)\n  %y = f32" + to + "{1,0} parameter(1)\n  ROOT %r = f32" + to +
                "{1,0} fusion(%x, %y), kind=kInput, calls=%f\n}\n");
  const module_tables tables(module);
  std::size_t steps = 0;
  const hlo_instruction found = fusion_hero(tables).of(module.find_computation("f").root(), steps);
  CHECK(steps > 0);
  return std::string(found.name());
}

}  // namespace

TEST_CASE("fusion_hero: a transpose that is worth tiles, else the first that is more than elementwise") {
  CHECK(hero_of("[32,64]", "[64,32]") == "t");
  CHECK(hero_of("[8,1024]", "[1024,8]") == "t");  // a short side, and many elements
  CHECK(hero_of("[4,1024]", "[1024,4]") == "sum");
  CHECK(hero_of("[8,8]", "[8,8]") == "sum");
  CHECK(hero_of("[32,64]", "[64,32]", "  %other = f32[64,32]{1,0} transpose(%p), dimensions={1,0}\n", "%other") ==
        "sum");  // two that are worth it
  CHECK(hero_of("[32,64]", "[64,32]", "  %rev = f32[64,32]{1,0} reverse(%t), dimensions={0}\n") ==
        "sum");  // something else reads it
  CHECK(hero_of("[32,64]", "[64,32]", {}, "%q", "%n = f32[64,32]{1,0} negate(%sum)") == "t");
  CHECK(hero_of("[4,1024]", "[1024,4]", {}, "%q", "%n = f32[1024,4]{1,0} negate(%sum)") == "sum");
}

TEST_CASE("same_with_layout: a layout that is not written is row-major without tiles") {
  const auto same = [](const char* a, const char* b) {
    CHECK(same_with_layout(shape_of(a), shape_of(b)) == same_with_layout(shape_of(b), shape_of(a)));
    return same_with_layout(shape_of(a), shape_of(b));
  };
  CHECK(same("f32[8,4]{1,0}", "f32[8,4]"));
  CHECK_FALSE(same("f32[8,4]{0,1}", "f32[8,4]"));
  CHECK_FALSE(same("f32[8,4]{1,0:T(8,128)}", "f32[8,4]"));
  CHECK_FALSE(same("f32[8,4]{1,0:S(1)}", "f32[8,4]{1,0}"));
  CHECK_FALSE(same("f32[8,4]{1,0}", "s32[8,4]{1,0}"));
  CHECK_FALSE(same("f32[8,4]{1,0}", "f32[4,8]{1,0}"));
  CHECK(same("(f32[8]{0}, (s32[], f32[2,2]))", "(f32[8], (s32[], f32[2,2]{1,0}))"));
  CHECK_FALSE(same("(f32[8]{0}, (s32[], f32[2,2]))", "(f32[8], (s32[], f32[2,2]{0,1}))"));
  CHECK_FALSE(same("(f32[8]{0})", "(f32[8]{0}, f32[8]{0})"));
  CHECK_FALSE(same("(f32[8]{0})", "f32[8]{0}"));
  CHECK(same("b(f32[8]{0})", "f32[8]"));
  CHECK_FALSE(same("b(f32[8]{0})", "f32[9]"));
}

TEST_CASE("layout_or_default: the last dimension is the minor one") {
  CHECK(layout_or_default(shape_of("f32[2,3,4]")).minor_to_major == dimension_numbers{2, 1, 0});
  CHECK(layout_or_default(shape_of("f32[2,3,4]{0,2,1}")).minor_to_major == dimension_numbers{0, 2, 1});
  CHECK(layout_or_default(shape_of("f32[]")).minor_to_major.empty());
}
