#include <hlolint/analysis/sizes/byte_size.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

constexpr std::optional<byte_count> unknown = std::nullopt;

struct sized {
  const char* text;
  std::optional<byte_count> bytes;
};

}  // namespace

TEST_CASE("plain: CPU and GPU") {
  for (const sized& c : {sized{"f32[]", 4},
                         {"f32[3,5]{1,0}", 60},
                         {"pred[7]{0}", 7},
                         {"bf16[3]{0}", 6},
                         {"c64[2]{0}", 16},
                         {"c128[2]{0}", 32},
                         {"f32[4,0,2]{2,1,0}", 0},
                         {"token[]", 0},
                         {"s4[3]{0}", 3},
                         {"s4[3]{0:E(4)}", 2},
                         {"u1[9]{0:E(1)}", 2},
                         {"pred[3]{0:E(32)}", 12},
                         {"(f32[9]{0}, f32[9]{0})", 16},
                         {"()", 0},
                         {"(f32[], (f32[], f32[]), f32[], f32[])", 32},
                         {"f32[3,200]{1,0:T(8,128)}", 2400},  // tiles are not used
                         {"f32[10]{0:L(16)}", 40},
                         {"s32[2,<=2,2]{2,1,0}", 32},
                         {"f8e4m3fn[5]{0}", 5},
                         {"f32[?]{0}", unknown},
                         {"f32[2,?]{1,0}", unknown},
                         {"f32[4294967296,4294967296]{1,0}", unknown},
                         {"f32[4294967296,4294967296,0]{2,1,0}", 0},
                         {"f32[2305843009213693951]{0}", 9223372036854775804},
                         {"f32[2305843009213693952]{0}", unknown},
                         {"u1[9223372036854775807]{0:E(1)}", 1152921504606846976}}) {
    INFO(c.text);
    CHECK(byte_size(shape_of(c.text), size_rule::plain) == c.bytes);
  }
  CHECK(byte_size(shape{}, size_rule::plain) == unknown);
}

TEST_CASE("plain_dynamic: 4 bytes per dimension of a dynamic array") {
  for (const sized& c : {sized{"s32[2,<=2,2]{2,1,0}", 44},
                         {"s32[2,2,2]{2,1,0}", 32},
                         {"f32[<=3]{0}", 16},
                         {"(f32[<=3]{0}, f32[<=3]{0})", 16},
                         {"f32[?]{0}", unknown}}) {
    INFO(c.text);
    CHECK(byte_size(shape_of(c.text), size_rule::plain_dynamic) == c.bytes);
  }
}

TEST_CASE("tpu_tiled: the sizes that TPU dumps print (sizes.md 4)") {
  for (const sized& c :
       {sized{"f32[]{:T(128)}", 512},
        {"f32[8,128,4096]{2,1,0:T(8,128)}", 16777216},
        {"f32[8,128,3584]{2,1,0:T(8,128)}", 14680064},
        {"f32[3584,4096]{1,0:T(8,128)}", 58720256},
        {"f32[32,512,14336]{2,1,0:T(8,128)}", 939524096},
        {"bf16[3584,4096]{1,0:T(8,128)(2,1)}", 29360128},
        {"bf16[4096,14336]{1,0:T(8,128)(2,1)}", 117440512},
        {"u32[]{:S(2)}", 4},
        {"u32[]{:T(128)S(2)}", 4},  // the context of a send to the host
        {"s32[2]{0:S(4)}", 4096},
        {"pred[]", 1024},
        {"f32[1025]{0}", 8192},
        {"s32[3]{0:S(8)}", 12},
        {"f32[2]{0:T(128)S(5)}", 512},
        {"f32[2]{0:S(1)}", 4096},
        {"(f32[])", 32},
        {"(f32[], f32[])", 32},
        {"(f32[], f32[], f32[])", 32},
        {"(f32[], f32[], f32[], f32[], f32[], f32[], f32[], f32[], f32[], f32[], f32[], f32[], f32[], f32[], f32[])",
         64},
        {"(f32[], f32[], f32[], f32[], f32[], f32[], f32[], f32[], f32[], f32[], f32[], f32[], f32[], f32[], f32[], "
         "f32[], f32[])",
         96},
        {"token[]", 0},
        {"f32[0,128]{1,0:T(8,128)}", 0},
        {"f32[8,200]{1,0:T(8,128)M(64)}", 8 * 256 * 4 + 64},
        {"f32[10]{0}", 4096}}) {
    INFO(c.text);
    CHECK(byte_size(shape_of(c.text), size_rule::tpu_tiled) == c.bytes);
  }
}

TEST_CASE("tpu_tiled: padded and unpadded sizes of out-of-memory reports") {
  struct reported {
    const char* text;
    byte_count padded, unpadded;
  };
  for (const reported& c : {reported{"s32[8388608,8,4]{2,1,0:T(8,128)}", 32_GiB, 1_GiB},
                            {"u32[12582912,1]{1,0:T(8,128)}", 6_GiB, 48_MiB},
                            {"s32[29360128,10]{1,0:T(8,128)}", 14_GiB, 1174405120},
                            {"f32[1024,245,64]{1,2,0:T(8,128)}", 64_MiB, 64225280},
                            {"f32[128,256,896,18]{0,3,2,1:T(8,128)}", 2818572288, 2113929216},
                            {"f32[4,128,128,9,18]{4,3,0,2,1:T(8,128)}", 512_MiB, 42467328},
                            {"s32[2048,1,128,128,4]{4,3,2,0,1:T(8,128)}", 16_GiB, 512_MiB},
                            {"f32[29184,1,2560]{2,1,0:T(2,128)}", 570_MiB, 285_MiB},
                            {"bf16[2048,1,2048,128]{0,1,3,2:T(4,128)(2,1)}", 4_GiB, 1_GiB},
                            {"bf16[4,512,512,64]{3,0,2,1:T(4,128)(2,1)}", 256_MiB, 128_MiB},
                            {"pred[64,512,2048]{2,1,0:T(8,128)E(32)}", 256_MiB, 64_MiB},
                            {"u8[327680,327680]{1,0:T(8,128)(4,1)}", 107374182400, 107374182400}}) {
    INFO(c.text);
    CHECK(byte_size(shape_of(c.text), size_rule::tpu_tiled) == c.padded);
    CHECK(dense_size(shape_of(c.text)) == c.unpadded);
  }
}

TEST_CASE("tpu_tiled: made-up shapes (sizes.md 4, last table)") {
  struct made_up {
    const char* text;
    byte_count padded, dense;
  };
  for (const made_up& c : {made_up{"f32[3,200]{1,0:T(8,128)}", 8192, 2400},
                           {"bf16[5,7]{1,0:T(8,128)(2,1)}", 2048, 70},
                           {"f32[3,5,200]{2,1,0:T(8,128)}", 24576, 12000},
                           {"s8[10,130]{1,0:T(8,128)(4,1)}", 4096, 1300},
                           {"f32[2,3,4]{0,1,2:T(2,128)}", 8192, 96},
                           {"bf16[1,7,300]{2,1,0:T(8,128)(2,1)}", 6144, 4200},
                           {"bf16[100]{0:T(256)(128)(2,1)}", 512, 200},
                           {"f32[10]{0:L(16)}", 64, 40},
                           {"s4[16]{0:E(4)}", 512, 8},
                           {"s4[16]{0}", 1024, 16}}) {
    INFO(c.text);
    CHECK(byte_size(shape_of(c.text), size_rule::tpu_tiled) == c.padded);
    CHECK(dense_size(shape_of(c.text)) == c.dense);
  }
}

TEST_CASE("tpu_tiled: merged dimensions, splits, layouts that do not fit") {
  for (const sized& c : {sized{"f32[4,5,6]{2,1,0:T(*,8,128)}", 3 * 8 * 128 * 4},  // 4 * 5 = 20 -> 24, 6 -> 128
                         {"f32[3,4]{1,0:T(*,128)}", 128 * 4},                     // 12 -> 128
                         {"f32[1024,128]{1,0:T(8,128)SC(0:600)}", 600 * 128 * 4},
                         {"f32[1024,128]{1,0:T(8,128)SC(0:100,600)}", 504 * 128 * 4},
                         {"f32[9,128]{1,0:T(0,128)}", unknown}}) {
    INFO(c.text);
    CHECK(byte_size(shape_of(c.text), size_rule::tpu_tiled) == c.bytes);
  }
  shape twice = shape_of("f32[3,4]{1,0:T(8,128)}");
  twice.layout->minor_to_major = {0, 0};
  CHECK(byte_size(twice, size_rule::tpu_tiled) == unknown);
  twice.layout->minor_to_major = {5, 0};
  CHECK(byte_size(twice, size_rule::tpu_tiled) == unknown);
  twice.layout->minor_to_major = {0};
  CHECK(byte_size(twice, size_rule::tpu_tiled) == unknown);
}

TEST_CASE("the general rule agrees with XLA's ArraySize, which looks at the first tile only") {
  for (const std::int64_t rows : {1, 2, 7, 8, 9, 129})
    for (const std::int64_t columns : {1, 127, 128, 200})
      for (const char* const tiles : {"T(8,128)(2,1)", "T(8,128)(4,1)", "T(2,128)", "T(8,128)", "T(16,128)(2,1)"}) {
        const shape s =
            shape_of("bf16[3," + std::to_string(rows) + "," + std::to_string(columns) + "]{2,1,0:" + tiles + "}");
        const std::int64_t step = s.layout->tiles[0].dimensions[0];
        CHECK(byte_size(s, size_rule::tpu_tiled) ==
              3 * ((rows + step - 1) / step * step) * ((columns + 127) / 128 * 128) * 2);
      }
}

TEST_CASE("sums over leaves") {
  CHECK(dense_size_of_leaves(shape_of("((f32[2]{0}, token[]), s8[3]{0}, u32[])")) == 15);
  CHECK(dense_size_of_leaves(shape_of("(f32[?]{0}, s8[3]{0})")) == unknown);
}

TEST_CASE("element_count: all arrays of a shape, never out of range") {
  const auto count = [](const char* text) {
    const shape s = shape_of(text);
    return detail::element_count(&s);
  };
  CHECK(count("f32[]") == 1);
  CHECK(count("f32[3,5]{1,0}") == 15);
  CHECK(count("f32[3,0]{1,0}") == 0);
  CHECK(count("f32[3,?]{1,0}") == 0);
  CHECK(count("token[]") == 0);
  CHECK(count("(f32[3]{0}, (s8[2,2]{1,0}, token[]), f32[])") == 8);
  CHECK(count("()") == 0);
  CHECK(count("f32[4294967296,4294967296]{1,0}") == 18446744073709551616.0);
  CHECK(detail::element_count(nullptr) == 0);
}

TEST_CASE("choose_size_rule: the fewest values that differ") {
  const auto dump = [](const std::string& lines) {
    return buffers_of("BufferAssignment:\nallocation 0: size 100000, preallocated-temp:\n" + lines + "\n");
  };
  CHECK(choose_size_rule(dump(" value: <1 a @0> (size=2400,offset=0): f32[3,200]{1,0:T(8,128)}\n")) ==
        size_rule::plain);
  CHECK(choose_size_rule(dump(" value: <1 a @0> (size=8192,offset=0): f32[3,200]{1,0:T(8,128)}\n")) ==
        size_rule::tpu_tiled);
  CHECK(choose_size_rule(dump(" value: <1 a{} @0> (size=32,offset=0): (f32[], f32[])\n")) == size_rule::tpu_tiled);
  CHECK(choose_size_rule(dump(" value: <1 a{} @0> (size=512,offset=0): (f32[], f32[])\n")) == size_rule::tpu_tiled_v5e);
  CHECK(choose_size_rule(dump(" value: <1 a{} @0> (size=1024,offset=0): (f32[], f32[])\n")) == size_rule::tpu_tiled_v3);
  CHECK(choose_size_rule(dump(" value: <1 a{} @0> (size=16,offset=0): (f32[], f32[])\n")) == size_rule::plain);
  CHECK(choose_size_rule(dump(" value: <1 a @0> (size=44,offset=0): s32[2,<=2,2]{2,1,0}\n")) ==
        size_rule::plain_dynamic);
  CHECK(choose_size_rule(dump(" value: <1 a @0> (size=4096,offset=0): s32[2]{0:S(4)}\n"
                              " value: <2 b @0> (size=8,offset=4096): f32[2]{0:S(2)}\n")) == size_rule::tpu_tiled);
  CHECK(choose_size_rule(dump(" value: <1 a{} @7> (size=0,offset=0): (f32[8,128]{1,0:T(8,128)}, f32[])\n"
                              " value: <2 b{} @0> (size=32,offset=0): (f32[], f32[])\n")) == size_rule::tpu_tiled);
  CHECK(choose_size_rule(buffer_dump{}) == size_rule::plain);
  CHECK(size_agrees(shape_of("f32[8,200]{1,0:T(8,128)M(64)}"), 8192, size_rule::tpu_tiled));
  CHECK(size_agrees(shape_of("f32[8,200]{1,0:T(8,128)M(64)}"), 8256, size_rule::tpu_tiled));
  CHECK_FALSE(size_agrees(shape_of("f32[8,200]{1,0:T(8,128)M(64)}"), 8191, size_rule::tpu_tiled));
}
