#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/analysis/time/matmul_work.hpp>

#include "analysis/module_of.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("a product of complex elements is four real ones (version 7)") {
  const device d = find_device("a100-40").value();
  const auto flops = [&](const std::string& type) {
    const hlo_module m =
        module_of("HloModule m\n\nENTRY %e {\n  %a = " + type + "[64,128]{1,0} parameter(0)\n  %b = " + type +
                  "[128,32]{1,0} parameter(1)\n  ROOT %r = " + type +
                  "[64,32]{1,0} dot(%a, %b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n");
    return dot_flops(d, instruction_of(m, "r")).on_units;
  };
  CHECK(flops("f32") == 2.0 * 64 * 128 * 32);
  CHECK(flops("c64") == 8.0 * 64 * 128 * 32);
  CHECK(flops("c128") == 8.0 * 64 * 128 * 32);
}

TEST_CASE("positions of a window that meet an input, as counted one by one") {
  for (const std::int64_t outputs : {0, 1, 5, 16})
    for (const std::int64_t inputs : {1, 7})
      for (const std::int64_t stride : {1, 2, 3})
        for (const std::int64_t dilation : {1, 2, 4})
          for (const std::int64_t shift : {-5, -2, 0, 1, 6}) {
            std::int64_t counted = 0;
            for (std::int64_t o = 0; o < outputs; ++o) {
              const std::int64_t at = stride * o + shift;
              counted += at >= 0 && at < dilation * inputs && at % dilation == 0;
            }
            CAPTURE(outputs);
            CAPTURE(stride);
            CAPTURE(dilation);
            CAPTURE(shift);
            CHECK(detail::hit_positions(outputs, inputs, stride, dilation, shift) == counted);
          }
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  CHECK(detail::hit_positions(most, most, most, most, most) == 0);
  CHECK(detail::hit_positions(most, most, 1, 1, 0) == most);
}

TEST_CASE("a systolic array multiplies whole tiles") {
  const device tpu = find_device("tpu-v5e").value(), gpu = find_device("h100-sxm").value();
  CHECK(detail::tile_factor(gpu, 1, 1, 1) == 1);
  CHECK(detail::tile_factor(tpu, 512, 256, 128) == 1);
  CHECK(detail::tile_factor(tpu, 8, 128, 128) == 8);   // loading the array costs as much as 64 rows
  CHECK(detail::tile_factor(tpu, 128, 64, 128) == 2);  // half of it is empty
  CHECK(detail::tile_factor(tpu, 128, 129, 128) == nearly(256.0 / 129));
  const hlo_module module = module_of(R"(HloModule m

ENTRY %e {
  %a = f32[8,128]{1,0} parameter(0)
  %b = f32[128,128]{1,0} parameter(1)
  ROOT %r = f32[8,128]{1,0} dot(%a, %b), lhs_contracting_dims={1}, rhs_contracting_dims={0}, operand_precision={highest,highest}
}
)");
  const product_flops units = dot_flops(tpu, instruction_of(module, "r"));
  CHECK(units.model == 2.0 * 8 * 128 * 128);
  CHECK(units.on_units == 8 * 6 * units.model);  // in six passes of bf16
}

TEST_CASE("the type that is multiplied is looked for behind casts, and is the wider of the two") {
  const hlo_module module = module_of(R"(HloModule m

ENTRY %e {
  %a = bf16[8,8]{1,0} parameter(0)
  %b = f32[8,8]{1,0} parameter(1)
  %n = f32[8,8]{1,0} negate(%b)
  %wide = f32[8,8]{1,0} convert(%a)
  %turned = f32[8,8]{0,1} copy(%wide)
  %both = f32[8,8]{1,0} dot(%wide, %turned), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %one = f32[8,8]{1,0} dot(%wide, %n), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  %narrow = bf16[8,8]{1,0} convert(%n)
  ROOT %down = f32[8,8]{1,0} dot(%narrow, %narrow), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)");
  CHECK(detail::multiplied_type(instruction_of(module, "both")) == element_type::bf16);
  CHECK(detail::multiplied_type(instruction_of(module, "one")) == element_type::f32);
  CHECK(detail::multiplied_type(instruction_of(module, "down")) == element_type::bf16);
  CHECK(dot_flops(find_device("h100-sxm").value(), instruction_of(module, "one")).on_units == 2.0 * 8 * 8 * 8);
}

TEST_CASE("pairs of a window: what overlaps the padding does not count, and a window that is none has none") {
  window_dimension w;
  w.size = 3, w.padding_low = 1, w.padding_high = 1;
  CHECK(detail::window_pairs(3, 16, 16, w) == 46);
  w.stride = 2;
  CHECK(detail::window_pairs(3, 8, 16, w) == 23);
  w.stride = 0;
  CHECK(detail::window_pairs(3, 8, 16, w) == 0);
  CHECK(detail::window_pairs(0, 8, 16, window_dimension{}) == 0);
}
