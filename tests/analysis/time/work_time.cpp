#include "analysis/module_of.hpp"

#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/analysis/time/time_of_work.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

// The work of the root of an entry, other computations before it.
work work_in(const std::string& lines, const std::string& before = {}, const char* on = "h100-sxm") {
  const hlo_module module = module_of("HloModule m, is_scheduled=true\n\n" + before + "ENTRY %e {\n" + lines + "}\n");
  return work_times(module, find_device(on).value()).work_of(module.entry().root());
}
work_time time_in(const std::string& lines, const char* on) {
  const hlo_module module = module_of("HloModule m, is_scheduled=true\n\nENTRY %e {\n" + lines + "}\n");
  return work_times(module, find_device(on).value()).of(module.entry().root());
}

constexpr double mebi = 1048576;

}  // namespace

TEST_CASE("operations and bytes of single instructions") {
  struct {
    const char* lines;
    double flops, vector_ops, read, written;
  } const cases[] = {
      {"%a = f32[64,128]{1,0} parameter(0)\n%b = f32[128,32]{1,0} parameter(1)\n"
       "ROOT %r = f32[64,32]{1,0} dot(%a, %b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n",
       2.0 * 64 * 32 * 128, 0, 4 * (64 * 128 + 128 * 32), 4 * 64 * 32},
      {"%a = f32[8,64,128]{2,1,0} parameter(0)\n%b = f32[8,128,32]{2,1,0} parameter(1)\n"
       "ROOT %r = f32[8,64,32]{2,1,0} dot(%a, %b), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
       "rhs_contracting_dims={1}\n",
       2.0 * 8 * 64 * 32 * 128, 0, 4 * (8 * 64 * 128 + 8 * 128 * 32), 4 * 8 * 64 * 32},
      // One of nine positions of each corner, two thirds of each edge are outside: (3 * 16 - 2) pairs along both.
      {"%a = f32[1,16,16,8]{3,2,1,0} parameter(0)\n%k = f32[3,3,8,4]{3,2,1,0} parameter(1)\n"
       "ROOT %r = f32[1,16,16,4]{3,2,1,0} convolution(%a, %k), window={size=3x3 pad=1_1x1_1}, "
       "dim_labels=b01f_01io->b01f\n",
       2.0 * 8 * 4 * 46 * 46, 0, 4 * (16 * 16 * 8 + 9 * 8 * 4), 4 * 16 * 16 * 4},
      // Every second output position meets an input: stride in the input, as in the gradient of a strided convolution.
      {"%a = f32[1,8,2]{2,1,0} parameter(0)\n%k = f32[2,2,3]{2,1,0} parameter(1)\n"
       "ROOT %r = f32[1,16,3]{2,1,0} convolution(%a, %k), window={size=2 pad=1_1 lhs_dilate=2}, "
       "dim_labels=b0f_0io->b0f\n",
       2.0 * 2 * 3 * 16, 0, 4 * (16 + 12), 4 * 48},
      {"%a = f32[1024]{0} parameter(0)\nROOT %r = f32[1024]{0} exponential(%a)\n", 0, 10240, 4096, 4096},
      {"%a = f32[1024]{0} parameter(0)\nROOT %r = f32[1024]{0} add(%a, %a)\n", 0, 1024, 8192, 4096},
      {"%a = f32[1024]{0} parameter(0)\nROOT %r = bf16[1024]{0} convert(%a)\n", 0, 0, 4096, 2048},
      {"%a = f32[1024]{0} parameter(0)\nROOT %r = f32[16]{0} slice(%a), slice={[0:16]}\n", 0, 0, 64, 64},
      {"%a = f32[1024]{0} parameter(0)\n%u = f32[8]{0} parameter(1)\n%i = s32[] parameter(2)\n"
       "ROOT %r = f32[1024]{0} dynamic-update-slice(%a, %u, %i)\n",
       0, 0, 32, 32},
      {"%a = f32[4]{0} parameter(0)\nROOT %r = f32[4,1024]{1,0} broadcast(%a), dimensions={0}\n", 0, 0, 16, 16384},
      {"%a = f32[1024]{0} parameter(0)\nROOT %r = f32[1024]{0} sort(%a), dimensions={0}, to_apply=%less\n", 0, 10240,
       4096, 4096},
      {"%a = c64[4,256]{1,0} parameter(0)\nROOT %r = c64[4,256]{1,0} fft(%a), fft_type=FFT, fft_length={256}\n", 0,
       8.0 * 1024 * 8, 8192, 8192},
      {"%a = c64[4,256]{1,0} parameter(0)\nROOT %r = c64[4,256]{1,0} fft(%a), fft_type=IFFT, fft_length={256}\n", 0,
       8.0 * 1024 * 8, 4.3 * 8192, 4.3 * 8192},
  };
  const std::string less =
      "%less {\n%x = f32[] parameter(0)\n%y = f32[] parameter(1)\nROOT %l = pred[] compare(%x, %y), "
      "direction=LT\n}\n\n";
  for (const auto& c : cases) {
    CAPTURE(c.lines);
    const work w = work_in(c.lines, less);
    CHECK(w.flops == doctest::Approx(c.flops));
    CHECK(w.vector_ops == doctest::Approx(c.vector_ops));
    CHECK(w.read == doctest::Approx(c.read));
    CHECK(w.written == doctest::Approx(c.written));
  }
}

TEST_CASE("a fusion reads of its operands what it touches") {
  const char* const sliced =
      "%inner {\n%p = f32[1048576]{0} parameter(0)\nROOT %s = f32[1024]{0} slice(%p), slice={[0:1024]}\n}\n\n"
      "%f {\n%p = f32[1048576]{0} parameter(0)\n%q = f32[1024]{0} parameter(1)\n"
      "%s = f32[1024]{0} fusion(%p), kind=kLoop, calls=%inner\nROOT %a = f32[1024]{0} add(%s, %q)\n}\n\n";
  const std::string parameters = "%a = f32[1048576]{0} parameter(0)\n%b = f32[1024]{0} parameter(1)\n";
  SUBCASE("through a nested fusion") {
    const work w = work_in(parameters + "ROOT %r = f32[1024]{0} fusion(%a, %b), kind=kLoop, calls=%f\n", sliced);
    CHECK(w.read == doctest::Approx(8192));
    CHECK(w.written == doctest::Approx(4096));
    CHECK(w.vector_ops == 1024);
  }
  SUBCASE("an update in place, the array passed on") {
    const work w =
        work_in(parameters +
                    "%i = s32[] parameter(2)\n"
                    "ROOT %r = f32[1048576]{0} fusion(%a, %b, %i), kind=kLoop, calls=%f\n",
                "%f {\n%p = f32[1048576]{0} parameter(0)\n%u = f32[1024]{0} parameter(1)\n%i = s32[] parameter(2)\n"
                "ROOT %d = f32[1048576]{0} dynamic-update-slice(%p, %u, %i)\n}\n\n");
    CHECK(w.read == doctest::Approx(4096 + 4));
    CHECK(w.written == doctest::Approx(4096));
  }
  SUBCASE("a parameter that the root only passes on") {
    const work w =
        work_in(parameters + "ROOT %r = (f32[1048576]{0}, f32[1024]{0}) fusion(%a, %b), kind=kLoop, calls=%f\n",
                "%f {\n%p = f32[1048576]{0} parameter(0)\n%u = f32[1024]{0} parameter(1)\n"
                "%n = f32[1024]{0} negate(%u)\nROOT %t = (f32[1048576]{0}, f32[1024]{0}) tuple(%p, %n)\n}\n\n");
    CHECK(w.read == doctest::Approx(4096));
    CHECK(w.written == doctest::Approx(4096));
  }
  SUBCASE("two halves are one whole, three are no more") {
    const work w = work_in(
        parameters + "ROOT %r = f32[524288]{0} fusion(%a), kind=kLoop, calls=%f\n",
        "%f {\n%p = f32[1048576]{0} parameter(0)\n%x = f32[524288]{0} slice(%p), slice={[0:524288]}\n"
        "%y = f32[524288]{0} slice(%p), slice={[524288:1048576]}\n%z = f32[524288]{0} slice(%p), slice={[1:524289]}\n"
        "%a = f32[524288]{0} add(%x, %y)\nROOT %b = f32[524288]{0} add(%a, %z)\n}\n\n");
    CHECK(w.read == doctest::Approx(4 * mebi));
  }
}

TEST_CASE("custom calls: matrix products, attention, estimates of their authors, markers") {
  const std::string matrices = "%a = bf16[512,256]{1,0} parameter(0)\n%b = bf16[256,128]{1,0} parameter(1)\n";
  SUBCASE("cuBLAS: without the workspace") {
    const work w = work_in(
        matrices +
        "ROOT %r = (bf16[512,128]{1,0}, s8[4194304]{0}) custom-call(%a, %b), custom_call_target=\"__cublas$gemm\", "
        "backend_config={\"gemm_backend_config\":{\"dot_dimension_numbers\":"
        "{\"lhs_contracting_dimensions\":[\"1\"],\"rhs_contracting_dimensions\":[\"0\"]}}}\n");
    CHECK(w.flops == 2.0 * 512 * 128 * 256);
    CHECK(w.type == element_type::bf16);
    CHECK(w.written == 2 * 512 * 128);
    CHECK(!w.unknown);
  }
  SUBCASE("attention with a causal mask") {
    const std::string heads =
        "%q = bf16[2,512,8,64]{3,2,1,0} parameter(0)\n%k = bf16[2,512,8,64]{3,2,1,0} parameter(1)\n"
        "ROOT %r = bf16[2,512,8,64]{3,2,1,0} custom-call(%q, %k), custom_call_target=";
    const double whole = 4.0 * 2 * 8 * 512 * 512 * 64;
    CHECK(work_in(heads + "\"__cudnn$fmhaSoftmax\", backend_config={\"mask_type\":\"NO_MASK\"}\n").flops == whole);
    CHECK(work_in(heads + "\"__cudnn$fmhaSoftmaxBackward\", backend_config={\"mask_type\":\"CAUSAL\"}\n").flops ==
          2.5 / 2 * whole);
    CHECK(work_in(heads + "\"te_fused_attn_forward_ffi\", backend_config={mask_type = 3 : i64}\n").flops == whole / 2);
  }
  SUBCASE("an estimate in JSON, in a string, in MLIR") {
    for (const char* const config :
         {R"({"custom_call_config":{"cost_estimate":{"flops":"5000","bytes_accessed":"15000"}}})",
          R"("{\"cost_estimate_json\":\"{\\\"flops\\\": 5000, \\\"bytes_accessed\\\": 15000}\"}")",
          R"({opaque = {cost_estimate_json = "{\22flops\22: 5000, \22bytes_accessed\22: 15000}"}})"}) {
      CAPTURE(config);
      const work w =
          work_in(matrices +
                  "ROOT %r = bf16[512,128]{1,0} custom-call(%a, %b), custom_call_target=\"tpu_custom_call\", "
                  "backend_config=" +
                  config + "\n");
      CHECK(w.flops == 5000);
      CHECK(w.bytes() == 15000);
      CHECK(w.by_hand);
    }
  }
  SUBCASE("nothing known, and nothing done") {
    const std::string call = matrices + "ROOT %r = bf16[512,128]{1,0} custom-call(%a, %b), custom_call_target=";
    CHECK(work_in(call + "\"my_kernel\"\n").unknown);
    CHECK(work_in(call + "\"my_kernel\"\n").bytes() == 2 * (512 * 256 + 256 * 128 + 512 * 128));
    CHECK(time_in(call + "\"Sharding\"\n", "h100-sxm").seconds == 0);
  }
}

TEST_CASE("what bounds the time of a kernel") {
  const std::string big = "%a = bf16[8192,8192]{1,0} parameter(0)\n%b = bf16[8192,8192]{1,0} parameter(1)\n";
  const work_time product =
      time_in(big + "ROOT %r = bf16[8192,8192]{1,0} dot(%a, %b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n",
              "h100-sxm");
  CHECK(product.bound == work_bound::compute);
  CHECK(product.seconds == doctest::Approx(2.0 * 8192 * 8192 * 8192 / (989e12 * 0.8) + 5e-6).epsilon(0.001));
  const work_time sum = time_in(big + "ROOT %r = bf16[8192,8192]{1,0} add(%a, %b)\n", "h100-sxm");
  CHECK(sum.bound == work_bound::memory);
  CHECK(sum.seconds == doctest::Approx(3.0 * 2 * 8192 * 8192 / (3352e9 * 0.85) + 2e-6).epsilon(0.001));
  CHECK(time_in("%a = f32[8]{0} parameter(0)\nROOT %r = f32[8]{0} negate(%a)\n", "h100-sxm").bound ==
        work_bound::overhead);
}

TEST_CASE("a TPU fills tiles, keeps small memories for nothing, and prints cycles") {
  const std::string product =
      "%a = bf16[8,2048]{1,0} parameter(0)\n%b = bf16[2048,2048]{1,0} parameter(1)\n"
      "ROOT %r = bf16[8,2048]{1,0} convolution(%a, %b), dim_labels=bf_io->bf";
  // Eight rows cost as much as loading the array does: 64.
  CHECK(work_in(product + "\n", {}, "tpu-v5e").flops == doctest::Approx(2.0 * 64 * 2048 * 2048));
  CHECK(work_in("%a = f32[8,100]{1,0:T(8,128)S(1)} parameter(0)\nROOT %r = f32[8,100]{1,0:T(8,128)} negate(%a)\n", {},
                "tpu-v6e")
            .bytes() == 8 * 128 * 4);
  const work_time printed =
      time_in(product + ", backend_config={\"window_config\":{\"estimated_cycles\":\"1500000\"}}\n", "tpu-v5e");
  CHECK(printed.bound == work_bound::printed);
  CHECK(printed.seconds == doctest::Approx(1e-3 + 0.65e-6));
  // No product: printed cycles are no time, and three times the roofline is the most.
  const char* const copy =
      "%a = f32[1048576]{0} parameter(0)\nROOT %r = f32[1048576]{0} copy(%a), backend_config={"
      "\"window_config\":{\"estimated_cycles\":\"1500000000\"}}\n";
  CHECK(time_in(copy, "tpu-v5e").seconds == doctest::Approx(3 * (8 * mebi / (819e9 * 0.9) + 0.65e-6) + 0.65e-6));
  for (const char* const unusable : {"0", "9223372036854775807", "nonsense"}) {
    CAPTURE(unusable);
    CHECK(time_in(product + ", backend_config={\"window_config\":{\"estimated_cycles\":\"" + unusable + "\"}}\n",
                  "tpu-v5e")
              .bound != work_bound::printed);
  }
}

TEST_CASE("the user's own latency and a GPU's recorded cost come before the estimate") {
  const std::string add = "%a = f32[1024]{0} parameter(0)\nROOT %r = f32[1024]{0} add(%a, %a)";
  CHECK(time_in(add + ", frontend_attributes={latency_metadata=\"5000\"}\n", "h100-sxm").seconds ==
        doctest::Approx(5e-6));
  CHECK(time_in(add + ", backend_config={\"reification_cost\":[{\"exec_time_us\":0},{\"exec_time_us\":156.5}]}\n",
                "h100-sxm")
            .seconds == doctest::Approx(158.5e-6));
  CHECK(time_in(add + ", backend_config={\"reification_cost\":[]}\n", "h100-sxm").bound == work_bound::overhead);
}

TEST_CASE("sizes beyond any number and missing parts are no problem") {
  for (const char* const lines :
       {"%a = f32[9223372036854775807,9223372036854775807]{1,0} parameter(0)\nROOT %r = f32[?]{0} negate(%a)\n",
        "%a = f32[1,9000000000000000000,1]{2,1,0} parameter(0)\n%k = f32[9000000000000000000,1,1]{2,1,0} parameter(1)\n"
        "ROOT %r = f32[1,9000000000000000000,1]{2,1,0} convolution(%a, %k), window={size=9000000000000000000 "
        "pad=9000000000000000000_0 rhs_dilate=9000000000000000000 stride=7 lhs_dilate=9000000000000000000}, "
        "dim_labels=b0f_0io->b0f\n"}) {
    CAPTURE(lines);
    const parsed_file file = parse(std::string("HloModule m, is_scheduled=true\n\nENTRY %e {\n") + lines + "}\n");
    REQUIRE(!file.modules().empty());
    const hlo_module& module = file.modules()[0];
    const work_times times(module, find_device("h100-sxm").value());
    for (const hlo_instruction i : module.instructions()) CHECK(times.of(i).seconds >= 0);
  }
}

TEST_CASE("solvers are unknown, and callbacks cost their bytes over the link to the host (version 2)") {
  const auto call = [](const char* target) {
    return work_in("%a = f32[1024,1024]{1,0} parameter(0)\nROOT %r = f32[1024,1024]{1,0} custom-call(%a), "
                   "custom_call_target=\"" + std::string(target) + "\"\n");
  };
  for (const char* target : {"__cublas$triangularSolve", "__cusolver$cholesky", "cusolver_syevd_ffi", "hipsolver_potrf_ffi"}) {
    CAPTURE(target);
    CHECK(call(target).unknown);
  }
  CHECK(!call("cudnn_something").unknown);
  CHECK(work_in("%a = f32[64,64]{1,0} parameter(0)\nROOT %r = f32[64,64]{1,0} cholesky(%a), lower=true\n").unknown);
  for (const char* target : {"xla_python_gpu_callback", "xla_ffi_python_gpu_callback"}) {
    CAPTURE(target);
    const work w = call(target);
    CHECK(w.host == 8 * mebi);
    CHECK(w.bytes() == 0);
    CHECK(w.unknown);
  }
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
  const work_time copied = time_in(
      "%a = f32[262144,1024]{1,0} parameter(0)\nROOT %r = f32[262144,1024]{1,0:S(5)} copy(%a)\n", "h100-sxm");
  CHECK(copied.bound == work_bound::host);
  CHECK(copied.seconds == doctest::Approx(1024 * mebi / 50e9 + 2e-6));
}
