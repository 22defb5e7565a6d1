#include <hlolint/analysis/sizes/padding.hpp>
#include <hlolint/ir/text/shape_text.hpp>

#include "analysis/module_of.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("padding is explained by dimension") {
  struct explained {
    const char* text;
    const char* why;
  };
  for (const explained& c :
       {explained{"f32[3,200]{1,0:T(8,128)}", "minor dimension 200 -> 256, second minor dimension 3 -> 8"},
        {"f32[8,128]{1,0:T(8,128)}", ""},
        {"u32[12582912,1]{1,0:T(8,128)}", "minor dimension 1 -> 128"},
        {"f32[29184,1,2560]{2,1,0:T(2,128)}", "second minor dimension 1 -> 2"},
        {"f32[]{:T(128)}", "minor extent 1 -> 128"},
        {"f32[128]{0:T(8,128)}", "second minor extent 1 -> 8"},
        {"pred[64,512,2048]{2,1,0:T(8,128)E(32)}", "element width 8 -> 32 bits"},
        {"f32[4,5,128]{2,1,0:T(*,8,128)}", "second minor extent 20 -> 24"},
        {"f32[2,3,4]{0,1,2:T(2,128)}", "minor dimension 2 -> 128, second minor dimension 3 -> 4"},
        {"f32[3,200]{1,0}", ""},
        {"f32[0,200]{1,0:T(8,128)}", ""}}) {
    INFO(c.text);
    const auto cost = explain_padding(shape_of(c.text));
    REQUIRE(cost);
    CHECK(to_string(*cost) == c.why);
  }
  const auto cost = explain_padding(shape_of("f32[3,200]{1,0:T(8,128)}"));
  CHECK(cost->extents[0] == padded_extent{0, 1, 200, 256});
  CHECK(cost->extents[1] == padded_extent{1, 0, 3, 8});
  CHECK(cost->waste() == 5792);
  CHECK(cost->ratio() == nearly(8192.0 / 2400));
  CHECK_FALSE(explain_padding(shape_of("(f32[])")));
  CHECK_FALSE(explain_padding(shape_of("s32[2]{0:S(4)}")));
  CHECK_FALSE(explain_padding(shape_of("token[]")));
}

TEST_CASE("tiles are spelled as XLA spells them") {
  CHECK(tiles_text(*shape_of("bf16[3,5]{0,1:T(8,128)(2,1)S(1)}").layout) == "(8,128)(2,1)");
  CHECK(tiles_text(*shape_of("f32[4,5,6]{2,1,0:T(*,8,128)}").layout) == "(*,8,128)");
  CHECK(tiles_text(*shape_of("f32[4]{0}").layout).empty());
}
