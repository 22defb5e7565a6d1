#include <hlolint/analysis/time/custom_call_work.hpp>

#include "analysis/work_of_text.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

using namespace hlolint;
using namespace hlolint::testing;

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
  SUBCASE("convolutions of cuDNN: each gradient multiplies as often as the forward one") {
    const std::string x = "bf16[8,64,28,28]", kernel = "bf16[128,16,3,3]", y = "bf16[8,128,14,14]";
    const auto flops = [](const std::string& kind, const std::string& a, const std::string& b,
                          const std::string& made) {
      return work_in("%a = " + a + " parameter(0)\n%b = " + b + " parameter(1)\nROOT %r = (" + made +
                     ", u8[4096]{0}) custom-call(%a, %b), custom_call_target=\"__cudnn$conv" + kind +
                     "\", window={size=3x3 stride=2x2 pad=0_1x0_1}, dim_labels=bf01_oi01->bf01, "
                     "feature_group_count=4\n")
          .flops;
    };
    const double forward = flops("Forward", x, kernel, y);
    CHECK(forward > 0.95 * 2 * 8 * 128 * 14 * 14 * 16 * 9);  // the last row and column read padding
    CHECK(forward <= 2.0 * 8 * 128 * 14 * 14 * 16 * 9);
    CHECK(flops("BackwardInput", y, kernel, x) == forward);
    CHECK(flops("BackwardFilter", x, y, kernel) == forward);
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
  SUBCASE("attention with packed operands, and with unknown ones") {
    const double whole = 4.0 * 2 * 8 * 512 * 512 * 64;
    const auto packed = [](const std::string& shape, const std::string& target, const std::string& others = "") {
      return work_in("%q = bf16[" + shape + "] parameter(0)\n" + others + "ROOT %r = bf16[2,512,8,64] custom-call(%q" +
                     (others.empty() ? "" : ", %k") + "), custom_call_target=\"" + target + "\"\n");
    };
    CHECK(packed("2,512,3,8,64", "te_fused_attn_forward_ffi").flops == whole);
    CHECK(packed("2,512,8,3,64", "te_fused_attn_forward_ffi").flops == whole);
    const std::string gradient = "%k = bf16[2,512,8,64] parameter(1)\n";
    CHECK(packed("2,512,3,8,64", "te_fused_attn_backward_ffi", gradient).flops == 2.5 * whole);
    const std::string keys_and_values = "%k = bf16[2,256,2,8,64] parameter(1)\n";
    CHECK(packed("2,512,8,64", "te_fused_attn_forward_ffi", keys_and_values).flops == whole / 2);
    CHECK(!packed("2,512,3,8,64", "te_fused_attn_forward_ffi").unknown);
    CHECK(packed("2,512,8,64", "te_fused_attn_forward_ffi").unknown);  // no keys
  }
  SUBCASE("a batch of small products takes the time of whole tiles") {
    const auto time = [](const std::string& m, const std::string& batch, const std::string& type) {
      const std::string k = "8";
      const work w =
          work_in("%a = " + type + "[" + batch + "," + m + "," + k + "] parameter(0)\n%b = " + type + "[" + batch +
                  "," + k + "," + m + "] parameter(1)\nROOT %r = " + type + "[" + batch + "," + m + "," + m +
                  "] custom-call(%a, %b), custom_call_target=\"__cublas$gemm\", "
                  "backend_config={\"gemm_backend_config\":{\"dot_dimension_numbers\":"
                  "{\"lhs_contracting_dimensions\":[\"2\"],\"rhs_contracting_dimensions\":[\"1\"],"
                  "\"lhs_batch_dimensions\":[\"0\"],\"rhs_batch_dimensions\":[\"0\"]}}}\n");
      return std::pair(w.flops, w.tile_flops);
    };
    CHECK(time("4", "100", "f64") == std::pair(2.0 * 100 * 4 * 4 * 8, 2.0 * 100 * 32 * 32 * 16));
    CHECK(time("4", "100", "c128").second == 4 * 2.0 * 100 * 32 * 32 * 16);
    CHECK(time("64", "100", "f64").second == 0);
    CHECK(time("4", "1", "f64").second == 0);
    CHECK(time("1", "100", "f64").second == 0);
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

TEST_CASE("solvers are unknown, and callbacks cost their bytes over the link to the host (version 2)") {
  const auto call = [](const char* target) {
    return work_in(
        "%a = f32[1024,1024]{1,0} parameter(0)\nROOT %r = f32[1024,1024]{1,0} custom-call(%a), "
        "custom_call_target=\"" +
        std::string(target) + "\"\n");
  };
  for (const char* target :
       {"__cublas$triangularSolve", "__cusolver$cholesky", "cusolver_syevd_ffi", "hipsolver_potrf_ffi"}) {
    CAPTURE(target);
    CHECK(call(target).unknown);
  }
  CHECK(!call("cudnn_something").unknown);
  CHECK(!call("X64SplitLow").unknown);  // the upper and lower halves of f64, or the parts of c64 (version 11)
  CHECK(work_in("%a = f32[64,64]{1,0} parameter(0)\nROOT %r = f32[64,64]{1,0} cholesky(%a), lower=true\n").unknown);
  for (const char* target : {"xla_python_gpu_callback", "xla_ffi_python_gpu_callback"}) {
    CAPTURE(target);
    const work w = call(target);
    CHECK(w.host == 8 * mebi);
    CHECK(w.bytes() == 0);
    CHECK(w.unknown);
  }
}

TEST_CASE("targets that only mark something, and calls of the host") {
  for (const char* const target : {"Sharding", "MoveToHost", "AllocateBuffer", "xla.sdy.FuncResultSharding"})
    CHECK(is_free_target(target));
  for (const char* const target : {"", "Sharding2", "__cublas$gemm", "annotate"}) CHECK_FALSE(is_free_target(target));
  CHECK(is_host_callback("xla_ffi_python_gpu_callback"));
  CHECK_FALSE(is_host_callback("xla_ffi_python_cpu_callback"));
  CHECK_FALSE(is_host_callback("__cublas$gemm"));
}

TEST_CASE("cost_estimate: numbers in JSON, in a string of it, in MLIR that holds a string") {
  for (const char* const config :
       {R"({"custom_call_config":{"cost_estimate":{"flops":"5000","bytes_accessed":"15000"}}})",
        R"({"cost_estimate_json":"{\"flops\": 5000, \"bytes_accessed\": 15000}"})",
        R"({opaque = {cost_estimate_json = "{\22flops\22: 5000, \22bytes_accessed\22: 15000}"}})",
        "cost_estimate flops=5e3 bytes_accessed = 1.5e4"}) {
    CAPTURE(config);
    const cost_estimate found = find_cost_estimate(config);
    CHECK(found.flops == 5000);
    CHECK(found.bytes == 15000);
  }
  const cost_estimate half = find_cost_estimate(R"({"cost_estimate":{"flops":7,"bytes_accessed":"many"}})");
  CHECK(half.flops == 7);
  CHECK_FALSE(half.bytes);
  CHECK_FALSE(find_cost_estimate(R"({"flops":7})").flops);
  CHECK_FALSE(find_cost_estimate(R"({"cost_estimate":{"flops":-7}})").flops);
  CHECK_FALSE(find_cost_estimate("").flops);
}

TEST_CASE("causal masks: cuDNN's words, and TransformerEngine's numbers from 2 on") {
  CHECK(detail::has_causal_mask(R"({"mask_type":"CAUSAL"})"));
  CHECK(detail::has_causal_mask(R"({"mask_type":"PADDING_CAUSAL"})"));
  CHECK(detail::has_causal_mask("{mask_type = 3 : i64}"));
  CHECK_FALSE(detail::has_causal_mask("{mask_type = 1 : i64}"));
  CHECK_FALSE(detail::has_causal_mask(R"({"mask_type":"NO_MASK"})"));
  CHECK_FALSE(detail::has_causal_mask(R"({"name":"causal"})"));
}
