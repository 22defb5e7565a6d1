#include <hlolint/analysis/sizes/same_layout.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

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
