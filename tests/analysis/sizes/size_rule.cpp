#include <hlolint/analysis/sizes/size_rule.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("choose_size_rule: the fewest values that differ") {
  const auto dump = [](const std::string& lines) {
    return buffers_of("BufferAssignment:\nallocation 0: size 100000, preallocated-temp:\n" + lines + "\n");
  };
  CHECK(choose_size_rule(dump(" value: <1 a @0> (size=2400,offset=0): f32[3,200]{1,0:T(8,128)}\n")) ==
        size_rule::plain);
  CHECK(choose_size_rule(dump(" value: <1 a @0> (size=8192,offset=0): f32[3,200]{1,0:T(8,128)}\n")) ==
        size_rule::tpu_tiled);
  CHECK(choose_size_rule(dump(" value: <1 a{} @0> (size=32,offset=0): (f32[], f32[])\n")) == size_rule::tpu_tiled);
  CHECK(choose_size_rule(dump(" value: <1 a{} @0> (size=16,offset=0): (f32[], f32[])\n")) == size_rule::plain);
  CHECK(choose_size_rule(dump(" value: <1 a @0> (size=44,offset=0): s32[2,<=2,2]{2,1,0}\n")) ==
        size_rule::plain_dynamic);
  CHECK(choose_size_rule(dump(" value: <1 a @0> (size=4096,offset=0): s32[2]{0:S(4)}\n"
                              " value: <2 b @0> (size=8,offset=4096): f32[2]{0}\n")) == size_rule::tpu_tiled);
  CHECK(choose_size_rule(buffer_dump{}) == size_rule::plain);
  CHECK(size_agrees(shape_of("f32[8,200]{1,0:T(8,128)M(64)}"), 8192, size_rule::tpu_tiled));
  CHECK(size_agrees(shape_of("f32[8,200]{1,0:T(8,128)M(64)}"), 8256, size_rule::tpu_tiled));
  CHECK_FALSE(size_agrees(shape_of("f32[8,200]{1,0:T(8,128)M(64)}"), 8191, size_rule::tpu_tiled));
}
