#include <hlolint/analysis/sizes/padding.hpp>
#include <hlolint/ir/text/shape_text.hpp>

#include "analysis/module_of.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

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
  REQUIRE(explain_padding(shape_of("s32[2]{0:S(4)}")));
  CHECK(explain_padding(shape_of("s32[2]{0:S(4)}"))->waste() == 0);
  CHECK_FALSE(explain_padding(shape_of("token[]")));
}

TEST_CASE("tiles are spelled as XLA spells them") {
  CHECK(tiles_text(*shape_of("bf16[3,5]{0,1:T(8,128)(2,1)S(1)}").layout) == "(8,128)(2,1)");
  CHECK(tiles_text(*shape_of("f32[4,5,6]{2,1,0:T(*,8,128)}").layout) == "(*,8,128)");
  CHECK(tiles_text(*shape_of("f32[4]{0}").layout).empty());
}

TEST_CASE("the best dimension order, with the tile that libtpu chooses for it") {
  const auto order = [](const char* text) { return find_better_layout(shape_of(text), 0); };
  const auto turned = order("u32[12582912,1]{1,0:T(8,128)}");
  REQUIRE(turned);
  CHECK(turned->array.layout->minor_to_major == dimension_numbers{0, 1});
  CHECK(turned->array.layout->tiles.front().dimensions.front() == 1);
  CHECK(turned->padded == 48_MiB);
  const auto three = order("s32[8388608,8,4]{2,1,0:T(8,128)}");
  REQUIRE(three);
  CHECK(three->array.layout->minor_to_major == dimension_numbers{0, 1, 2});
  CHECK(three->padded == 1_GiB);
  CHECK_FALSE(order("f32[8,128]{1,0:T(8,128)}"));
  CHECK_FALSE(order("f32[3,200]{1,0}"));
  CHECK_FALSE(order("f32[]{:T(128)}"));
}

TEST_CASE("arrays of public out-of-memory reports: padded, unpadded, best") {
  struct row {
    const char* array;
    const char* padded;
    const char* unpadded;
    const char* best;  ///< "" if no other order is cheaper
    const char* size;  ///< of the best one
  };
  const row rows[] = {
      {"s32[8388608,8,4]{2,1,0:T(8,128)}", "32.00GiB", "1.00GiB", "s32[8388608,8,4]{0,1,2:T(8,128)}", "1.00GiB"},
      {"f32[29184,1,2560]{2,1,0:T(2,128)}", "570.00MiB", "285.00MiB", "f32[29184,1,2560]{2,0,1:T(8,128)}", "285.00MiB"},
      {"pred[64,512,2048]{2,1,0:T(8,128)E(32)}", "256.00MiB", "64.00MiB", "", "256.00MiB"},
      {"u32[12582912,1]{1,0:T(8,128)}", "6.00GiB", "48.00MiB", "u32[12582912,1]{0,1:T(1,128)}", "48.00MiB"},
      {"bf16[2048,1,2048,128]{0,1,3,2:T(4,128)(2,1)}", "4.00GiB", "1.00GiB",
       "bf16[2048,1,2048,128]{0,3,1,2:T(8,128)(2,1)}", "1.00GiB"},
      {"s32[2048,1,128,128,4]{4,3,2,0,1:T(8,128)}", "16.00GiB", "512.00MiB",
       "s32[2048,1,128,128,4]{3,2,4,0,1:T(8,128)}", "512.00MiB"},
      {"f32[1024,245,64]{1,2,0:T(8,128)}", "64.00MiB", "61.25MiB", "f32[1024,245,64]{0,2,1:T(8,128)}", "61.25MiB"},
      {"f32[4,128,128,9,18]{4,3,0,2,1:T(8,128)}", "512.00MiB", "40.50MiB", "f32[4,128,128,9,18]{2,1,4,3,0:T(8,128)}",
       "40.50MiB"},
      {"bf16[4,512,512,64]{3,0,2,1:T(4,128)(2,1)}", "256.00MiB", "128.00MiB",
       "bf16[4,512,512,64]{2,3,0,1:T(8,128)(2,1)}", "128.00MiB"},
      {"s32[29360128,10]{1,0:T(8,128)}", "14.00GiB", "1.09GiB", "s32[29360128,10]{0,1:T(8,128)}", "1.75GiB"},
      {"f32[128,256,896,18]{0,3,2,1:T(8,128)}", "2.62GiB", "1.97GiB", "f32[128,256,896,18]{0,2,3,1:T(8,128)}",
       "1.97GiB"},
      {"bf16[16,12,512,512]{3,2,1,0:T(8,128)(2,1)}", "96.00MiB", "96.00MiB", "", "96.00MiB"},
      // as compiled for v5e with that order
      {"f32[1048576,3]{1,0:T(8,128)}", "512.00MiB", "12.00MiB", "f32[1048576,3]{0,1:T(4,128)}", "16.00MiB"},
      {"bf16[1048576,2]{1,0:T(8,128)(2,1)}", "256.00MiB", "4.00MiB", "bf16[1048576,2]{0,1:T(2,128)(2,1)}", "4.00MiB"},
      {"s8[1048576,9]{1,0:T(8,128)(4,1)}", "128.00MiB", "9.00MiB", "s8[1048576,9]{0,1:T(8,128)(4,1)}", "16.00MiB"},
      {"pred[4194304,2]{1,0:T(8,128)(4,1)}", "512.00MiB", "8.00MiB", "pred[4194304,2]{0,1:T(4,128)(4,1)}", "16.00MiB"},
      {"f32[29184,2,2560]{2,1,0:T(2,128)}", "570.00MiB", "570.00MiB", "", "570.00MiB"},
      {"u8[327680,327680]{1,0:T(8,128)(4,1)}", "100.00GiB", "100.00GiB", "", "100.00GiB"},
  };
  for (const row& r : rows) {
    CAPTURE(r.array);
    const shape array = shape_of(r.array);
    const auto cost = explain_padding(array);
    REQUIRE(cost);
    CHECK(human(cost->padded) == r.padded);
    CHECK(human(cost->dense) == r.unpadded);
    const auto best = find_better_layout(array, 0);
    CHECK((best ? to_string(best->array) : "") == r.best);
    CHECK(human(best ? best->padded : cost->padded) == r.size);

    // Every other order costs at least as much, with the present tile, too.
    shape tried = array;
    dimension_numbers& order = tried.layout->minor_to_major;
    std::sort(order.begin(), order.end());
    byte_count least = cost->padded;
    do least = std::min(least, byte_size(tried, size_rule::tpu_tiled).value());
    while (std::next_permutation(order.begin(), order.end()));
    CHECK(least >= (best ? best->padded : cost->padded));
  }
}

TEST_CASE("a layout is better only if it saves enough") {
  const shape array = shape_of("f32[1024,245,64]{1,2,0:T(8,128)}");  // 64 MiB; 61.25 MiB at best
  CHECK(find_better_layout(array, 0));
  CHECK_FALSE(find_better_layout(array, 0.25));
  CHECK_FALSE(find_better_layout(shape_of("f32[3,200]{1,0}"), 0));
}
