#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/time/amount_of_work.hpp>

#include "analysis/module_of.hpp"
#include "analysis/work_of_text.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("the roofline: the slower of arithmetic and memory, or the link to the host") {
  const device d = find_device("h100-sxm").value();
  work w;
  w.flops = 989e12 * 0.8, w.type = element_type::bf16;  // a second of the matrix units
  CHECK(roofline(d, w).seconds == nearly(1 + d.matmul_overhead));
  CHECK(roofline(d, w).bound == work_bound::compute);
  w.by_hand = true;
  CHECK(roofline(d, w).seconds == nearly(0.8 / d.attention_efficiency));
  w.by_hand = false;
  w.read = w.written = 3352e9 * 0.85;
  CHECK(w.bytes() == 2 * 3352e9 * 0.85);
  CHECK(roofline(d, w).seconds == nearly(2));
  CHECK(roofline(d, w).bound == work_bound::memory);
  w.vector_ops = 3 * d.vector_ops;
  CHECK(roofline(d, w).seconds == nearly(3));
  w.host = 4 * d.host_rate;
  CHECK(roofline(d, w) == work_time{4, work_bound::host});
}

TEST_CASE("every kernel costs its start, which may be most of its time") {
  const device d = find_device("h100-sxm").value();
  CHECK(kernel_time(d, work{}) == work_time{d.kernel_overhead, work_bound::launch});
  work w;
  w.read = 3352e9 * 0.85;
  CHECK(kernel_time(d, w).seconds == nearly(1 + d.kernel_overhead));
  CHECK(kernel_time(d, w).bound == work_bound::memory);
  CHECK(name_of(work_bound::launch) == "launch");
}

TEST_CASE("the rate of a product follows its type, and a device without such units uses the next wider ones") {
  const device h100 = find_device("h100-sxm").value(), a100 = find_device("a100-80").value();
  CHECK(matmul_rate(h100, element_type::bf16, false) == nearly(989e12 * 0.8));
  CHECK(matmul_rate(h100, element_type::f8e4m3fn, false) == nearly(1979e12 * 0.8));
  CHECK(matmul_rate(a100, element_type::f8e4m3fn, false) == nearly(312e12 * 0.8));
  CHECK(matmul_rate(h100, element_type::f32, false) == nearly(494e12 * 0.65));
  CHECK(matmul_rate(h100, element_type::f64, false) == nearly(67e12 * 0.8));
  const device v100 = find_device("v100").value();
  CHECK(matmul_rate(v100, element_type::f32, false) == nearly(15.7e12 * 0.65));  // vector units
  CHECK(matmul_rate(device{}, element_type::f32, false) == 0);
}

TEST_CASE("what is read from the host's memory goes over its link (version 2)") {
  const work sliced = work_in(
      "%a = f32[64,1024]{1,0:S(5)} parameter(0)\n%i = s32[] parameter(1)\n"
      "ROOT %r = f32[1,1024]{1,0} dynamic-slice(%a, %i, %i), dynamic_slice_sizes={1,1024}\n");
  CHECK(sliced.host == 4096);
  CHECK(sliced.read == 0);
  CHECK(sliced.written == 4096);
  const work updated = work_in(
      "%a = f32[64,1024]{1,0:S(5)} parameter(0)\n%u = f32[1,1024]{1,0} parameter(1)\n%i = s32[] parameter(2)\n"
      "ROOT %r = f32[64,1024]{1,0:S(5)} dynamic-update-slice(%a, %u, %i, %i)\n");
  CHECK(updated.host == 4096);
  CHECK(updated.read == 4096);
  CHECK(updated.written == 0);
  const work_time copied =
      time_in("%a = f32[262144,1024]{1,0} parameter(0)\nROOT %r = f32[262144,1024]{1,0:S(5)} copy(%a)\n", "h100-sxm");
  CHECK(copied.bound == work_bound::host);
  CHECK(copied.seconds == nearly(1024 * mebi / 50e9 + 2e-6));
}

TEST_CASE("bytes of shapes as they are stored, on the device and on the host") {
  const memory_traffic gpu(find_device("h100-sxm").value()), on_tpu(find_device("tpu-v6e").value());
  const shape tiled = shape_of("f32[8,100]{1,0:T(8,128)}"), small = shape_of("f32[8,100]{1,0:T(8,128)S(1)}"),
              host = shape_of("f32[8]{0:S(5)}"), several = shape_of("(f32[8]{0}, (token[], f32[8]{0:S(5)}))");
  CHECK(gpu.bytes(&tiled) == 3200);
  CHECK(on_tpu.bytes(&tiled) == 4096);
  CHECK(on_tpu.bytes(&small) == 0);
  CHECK(gpu.bytes(&small) == 3200);
  CHECK(gpu.bytes(&host) == 0);
  CHECK(gpu.host_bytes(&host) == 32);
  CHECK(gpu.bytes(&several) == 32);
  CHECK(gpu.host_bytes(&several) == 32);
  CHECK(gpu.bytes(nullptr) == 0);
}

TEST_CASE("what instructions move: parts of what they cut out, and all of what they know nothing about") {
  const hlo_module module = module_of(R"(HloModule m

%set {
  %x = f32[] parameter(0)
  ROOT %y = f32[] parameter(1)
}

ENTRY %e {
  %p = f32[1024]{0} parameter(0)
  %i = s32[4]{0} parameter(1)
  %u = f32[4]{0} parameter(2)
  %cut = f32[16]{0} slice(%p), slice={[0:16]}
  %many = f32[1024]{0} iota(), iota_dimension=0
  %wide = f32[1024,2]{1,0} broadcast(%p), dimensions={0}
  %put = f32[1024]{0} scatter(%p, %i, %u), update_window_dims={}, inserted_window_dims={0},
      scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=%set
  ROOT %sum = f32[1024]{0} add(%p, %many)
}
)");
  const memory_traffic traffic(find_device("h100-sxm").value());
  const auto moved = [&](const char* name) { return traffic.of(instruction_of(module, name)); };
  CHECK(moved("cut").read == 64);
  CHECK(moved("cut").written == 64);
  CHECK(moved("many").read == 0);
  CHECK(moved("many").written == 4096);
  CHECK(moved("wide").read == 4096);
  CHECK(moved("wide").written == 8192);
  CHECK(moved("put").read == 32);
  CHECK(moved("put").written == 16);
  CHECK(moved("sum").read == 8192);
  CHECK(memory_traffic::updated_operand(instruction_of(module, "put")) == 2);
  CHECK_FALSE(memory_traffic::updated_operand(instruction_of(module, "sum")));
}

TEST_CASE("a product of complex elements is four real ones (version 7)") {
  const device d = find_device("a100-40").value();
  const auto flops = [&](const std::string& type) {
    const hlo_module m =
        module_of("HloModule m\n\nENTRY %e {\n  %a = " + type + "[64,128]{1,0} parameter(0)\n  %b = " + type +
                  "[128,32]{1,0} parameter(1)\n  ROOT %r = " + type +
                  "[64,32]{1,0} dot(%a, %b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n");
    return dot_flops(d, instruction_of(m, "r"));
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
  CHECK(dot_flops(find_device("h100-sxm").value(), instruction_of(module, "one")) == 2.0 * 8 * 8 * 8);
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

TEST_CASE("an FFT on a GPU passes over its data once for each dimension, and scales the result of an inverse one") {
  const auto read = [](const char* name, const std::string& type, const std::string& lengths) {
    const hlo_module module = module_of(
        "HloModule m\nENTRY %e {\n%p = c64[8,4,4,4]{3,2,1,0} parameter(0)\nROOT %f = "
        "c64[8,4,4,4]{3,2,1,0} fft(%p), fft_type=" +
        type + ", fft_length={" + lengths + "}\n}\n");
    return memory_traffic(*find_device(name)).of(module.entry().root()).read / (8 * 512);
  };
  CHECK(read("a100-40", "FFT", "4") == 1);
  CHECK(read("a100-40", "FFT", "4,4,4") == 3);
  CHECK(read("a100-40", "IFFT", "4") == nearly(4.3));
  CHECK(read("a100-40", "IFFT", "4,4,4") == nearly(4.3));
  CHECK(read("tpu-v5e", "FFT", "4,4,4") == read("tpu-v5e", "FFT", "4"));
}
