#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/analysis/time/memory_traffic.hpp>

#include "analysis/module_of.hpp"
#include "analysis/work_of_text.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

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
