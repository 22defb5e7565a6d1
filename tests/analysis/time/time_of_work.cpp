#include <hlolint/analysis/time/time_of_work.hpp>

#include "analysis/work_of_text.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

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
    CHECK(w.flops == nearly(c.flops));
    CHECK(w.vector_ops == nearly(c.vector_ops));
    CHECK(w.read == nearly(c.read));
    CHECK(w.written == nearly(c.written));
  }
}

TEST_CASE("what bounds the time of a kernel") {
  const std::string big = "%a = bf16[8192,8192]{1,0} parameter(0)\n%b = bf16[8192,8192]{1,0} parameter(1)\n";
  const work_time product =
      time_in(big + "ROOT %r = bf16[8192,8192]{1,0} dot(%a, %b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n",
              "h100-sxm");
  CHECK(product.bound == work_bound::compute);
  CHECK(product.seconds == nearly(2.0 * 8192 * 8192 * 8192 / (989e12 * 0.8) + 5e-6).epsilon(0.001));
  const work_time sum = time_in(big + "ROOT %r = bf16[8192,8192]{1,0} add(%a, %b)\n", "h100-sxm");
  CHECK(sum.bound == work_bound::memory);
  CHECK(sum.seconds == nearly(3.0 * 2 * 8192 * 8192 / (3352e9 * 0.85) + 2e-6).epsilon(0.001));
  CHECK(time_in("%a = f32[8]{0} parameter(0)\nROOT %r = f32[8]{0} negate(%a)\n", "h100-sxm").bound ==
        work_bound::launch);
}

TEST_CASE("a TPU fills tiles, keeps small memories for nothing, and prints cycles") {
  const std::string product =
      "%a = bf16[8,2048]{1,0} parameter(0)\n%b = bf16[2048,2048]{1,0} parameter(1)\n"
      "ROOT %r = bf16[8,2048]{1,0} convolution(%a, %b), dim_labels=bf_io->bf";
  // Eight rows cost as much as loading the array does: 64.
  CHECK(work_in(product + "\n", {}, "tpu-v5e").flops == nearly(2.0 * 64 * 2048 * 2048));
  CHECK(work_in("%a = f32[8,100]{1,0:T(8,128)S(1)} parameter(0)\nROOT %r = f32[8,100]{1,0:T(8,128)} negate(%a)\n", {},
                "tpu-v6e")
            .bytes() == 8 * 128 * 4);
  // What is printed for a window counts where the matrix units decide, and only near the roofline.
  const std::string on_chip =
      "%a = bf16[8,2048]{1,0:T(8,128)(2,1)S(1)} parameter(0)\n"
      "%b = bf16[2048,2048]{1,0:T(8,128)(2,1)S(1)} parameter(1)\n"
      "ROOT %r = bf16[8,2048]{1,0:T(8,128)(2,1)S(1)} convolution(%a, %b), dim_labels=bf_io->bf";
  const auto with_cycles = [](const std::string& cycles) {
    return ", backend_config={\"window_config\":{\"estimated_cycles\":\"" + cycles + "\"}}\n";
  };
  const work_time printed = time_in(on_chip + with_cycles("4300"), "tpu-v5e");
  CHECK(printed.bound == work_bound::printed);
  CHECK(printed.seconds == nearly(4300 / 1.5e9 * 0.97 / 0.80));
  const double roofline = 2.0 * 64 * 2048 * 2048 / (197e12 * 0.80);
  CHECK(time_in(on_chip + with_cycles("43000"), "tpu-v5e").seconds == nearly(roofline));
  CHECK(time_in(product + with_cycles("6103"), "tpu-v5e").bound == work_bound::memory);
  // No product: printed cycles are no time.
  const char* const copy =
      "%a = f32[1048576]{0} parameter(0)\nROOT %r = f32[1048576]{0} copy(%a), backend_config={"
      "\"window_config\":{\"estimated_cycles\":\"1500000000\"}}\n";
  CHECK(time_in(copy, "tpu-v5e").seconds == nearly(8 * mebi / (819e9 * 0.9) + 1060e-9));
  for (const char* const unusable : {"0", "9223372036854775807", "nonsense"}) {
    CAPTURE(unusable);
    CHECK(time_in(product + ", backend_config={\"window_config\":{\"estimated_cycles\":\"" + unusable + "\"}}\n",
                  "tpu-v5e")
              .bound != work_bound::printed);
  }
}

TEST_CASE("a TPU waits for HBM only where it is used, and scalars lie elsewhere") {
  const auto copy = [](const char* from, const char* to) {
    return std::string("%a = f32[8,128]{1,0:T(8,128)") + from + "} parameter(0)\nROOT %r = f32[8,128]{1,0:T(8,128)" +
           to + "} negate(%a)\n";
  };
  const double reading = 755e-9, writing = 305e-9, vector = 1.1 / 1.5e9, moved = 4096 / (819e9 * 0.9);
  CHECK(time_in(copy("S(1)", "S(1)"), "tpu-v5e").seconds == nearly(vector));
  CHECK(time_in(copy("", "S(1)"), "tpu-v5e").seconds == nearly(moved + reading));
  CHECK(time_in(copy("S(1)", ""), "tpu-v5e").seconds == nearly(moved + writing));
  CHECK(time_in(copy("", ""), "tpu-v5e").seconds == nearly(2 * moved + reading + writing));
  const work_time scalar =
      time_in("%a = u32[]{:T(128)} parameter(0)\nROOT %r = u32[]{:T(128)} negate(%a)\n", "tpu-v5e");
  CHECK(scalar.bound != work_bound::latency);
  CHECK(scalar.seconds < 0.01e-6);
  // Nor are scalars read that a larger operation needs.
  const work shifted = work_in(
      "%a = f32[8,128]{1,0:T(8,128)S(1)} parameter(0)\n%i = s32[]{:T(128)} parameter(1)\n"
      "ROOT %r = f32[8,128]{1,0:T(8,128)} dynamic-slice(%a, %i, %i), dynamic_slice_sizes={8,128}\n",
      {}, "tpu-v5e");
  CHECK(shifted.read == 0);
  CHECK(shifted.written == 4096);
  CHECK(work_in("%a = f32[8,128]{1,0:T(8,128)S(1)} parameter(0)\n%i = f32[]{:T(128)} parameter(1)\n"
                "ROOT %r = (f32[8,128]{1,0:T(8,128)S(1)}) custom-call(%a, %i), custom_call_target=\"f\"\n",
                {}, "tpu-v5e")
            .read == 0);
}

TEST_CASE("a TPU moves slices between HBM and VMEM in whole tiles, and reads those that it fills in part") {
  const auto sliced = [](const char* space) {
    return work_in(std::string("%a = f32[1000,256]{1,0:T(8,128)} parameter(0)\n%i = s32[] parameter(1)\n"
                               "ROOT %r = f32[1,256]{1,0:T(1,128)") +
                       space + "} dynamic-slice(%a, %i, %i), dynamic_slice_sizes={1,256}\n",
                   {}, "tpu-v5e");
  };
  CHECK(sliced("S(1)").read == 8192);
  CHECK(sliced("S(1)").written == 0);
  CHECK(sliced("").written == 1024);
  const auto updated = [](const char* rows) {
    return work_in(std::string("%a = f32[1000,256]{1,0:T(8,128)} parameter(0)\n%i = s32[] parameter(1)\n%u = f32[") +
                       rows +
                       ",256]{1,0:T(8,128)S(1)} parameter(2)\n"
                       "ROOT %r = f32[1000,256]{1,0:T(8,128)} dynamic-update-slice(%a, %u, %i, %i)\n",
                   {}, "tpu-v5e");
  };
  CHECK(updated("8").written == 8192);
  CHECK(updated("8").read == 0);
  CHECK(updated("1").written == 8192);
  CHECK(updated("1").read == 8192);
  const auto fused = [](const char* rows) {
    const hlo_module module = module_of(std::string("HloModule m\n\n%f {\n  %a = f32[1000,256]{1,0:T(8,128)} "
                                                    "parameter(0)\n  %i = s32[] parameter(1)\n  %u = f32[") +
                                        rows +
                                        ",256]{1,0:T(8,128)S(1)} parameter(2)\n"
                                        "  ROOT %r = f32[1000,256]{1,0:T(8,128)} dynamic-update-slice(%a, %u, %i, %i)\n"
                                        "}\n\nENTRY %e {\n  %a = f32[1000,256]{1,0:T(8,128)} parameter(0)\n"
                                        "  %i = s32[]{:T(128)S(6)} parameter(1)\n  %u = f32[" +
                                        rows +
                                        ",256]{1,0:T(8,128)S(1)} parameter(2)\n"
                                        "  ROOT %r = f32[1000,256]{1,0:T(8,128)} fusion(%a, %i, %u), kind=kLoop, "
                                        "calls=%f\n}\n");
    return work_times(module, *find_device("tpu-v5e")).work_of(module.entry().root());
  };
  CHECK(fused("8").written == 8192);
  CHECK(fused("8").read == 0);
  CHECK(fused("1").written == 8192);
  CHECK(fused("1").read == nearly(8192));
}

TEST_CASE("precision, types and the dimension along the lanes decide the time of a TPU's products") {
  const auto product = [](const char* type, const char* result, const char* more) {
    const std::string t = std::string(type) + "[2048,2048]{1,0:T(8,128)S(1)}";
    return "%a = " + t + " parameter(0)\n%b = " + t + " parameter(1)\nROOT %r = " + result +
           "[2048,2048]{1,0:T(8,128)S(1)} convolution(%a, %b), dim_labels=bf_io->bf" + more + "\n";
  };
  const double one = 2.0 * 2048 * 2048 * 2048 / (197e12 * 0.80);
  CHECK(time_in(product("f32", "f32", ""), "tpu-v5e").seconds == nearly(one));
  CHECK(time_in(product("f32", "f32", ", operand_precision={high,high}"), "tpu-v5e").seconds == nearly(3 * one));
  CHECK(time_in(product("f32", "f32", ", operand_precision={highest,highest}"), "tpu-v5e").seconds == nearly(6 * one));
  CHECK(time_in(product("s8", "s32", ""), "tpu-v5e").seconds == nearly(one / 2));
  CHECK(time_in(product("f8e5m2", "f32", ""), "tpu-v5e").seconds == nearly(one / 1.1));
  CHECK(time_in(product("f8e4m3fn", "f32", ""), "tpu-v5e").seconds == nearly(one / 0.94));
  // [N,3] x [3,3] with N along the lanes: 8 x 8 for each, where 128 x 128 would be.
  const char* const narrow =
      "%a = bf16[65536,3]{0,1:T(4,128)} parameter(0)\n%b = bf16[3,3]{1,0:T(4,128)} parameter(1)\n"
      "ROOT %r = bf16[65536,3]{0,1:T(4,128)} convolution(%a, %b), dim_labels=bf_io->bf\n";
  CHECK(work_in(narrow, {}, "tpu-v5e").flops == nearly(2.0 * 65536 * 8 * 8));
  // 8 heads of 16 features fill one unit together.
  const char* const heads =
      "%a = bf16[1,512,256]{2,1,0} parameter(0)\n%b = bf16[8,256,16]{2,1,0} parameter(1)\n"
      "ROOT %r = bf16[8,512,16]{2,1,0} convolution(%a, %b), window={size=8 pad=7_7 rhs_reversal=1}, "
      "dim_labels=0bf_0io->0bf\n";
  CHECK(work_in(heads, {}, "tpu-v5e").flops == nearly(2.0 * 512 * 256 * 128));
}

TEST_CASE("cycles of bundles count where HBM does not take longer") {
  const auto lines = [](const char* cycles) {
    return std::string(
               "%a = f32[1048576]{0:T(1024)} parameter(0)\nROOT %r = f32[1048576]{0:T(1024)} negate(%a), "
               "backend_config={\"window_config\":{\"estimated_cycles\":\"99000000\"},"
               "\"bundle_analysis_data\":{\"estimated_cycles\":\"") +
           cycles + "\"}}\n";
  };
  CHECK(time_in(lines("150000"), "tpu-v5e").seconds == nearly(100e-6));
  CHECK(time_in(lines("150"), "tpu-v5e").seconds == nearly(8 * mebi / (819e9 * 0.9) + 1060e-9));
}

TEST_CASE("what is scheduled is at the peaks") {
  const device d = as_scheduled(*find_device("tpu-v5e"));
  CHECK(d.memory_efficiency == 1);
  CHECK(d.matmul_efficiency == 0.97);
  CHECK(d.kernel_overhead + d.write_overhead == 0);
  CHECK(as_scheduled(*find_device("h100-sxm")) == *find_device("h100-sxm"));
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

TEST_CASE("what takes no time, and what is not work of the instruction itself") {
  const hlo_module module = module_of(
      "HloModule m, is_scheduled=true\n\n%f {\n  %fp = f32[1024]{0} parameter(0)\n  ROOT %fn = f32[1024]{0} "
      "negate(%fp)\n}\n\n"
      "ENTRY %e {\n  %a = f32[1024]{0} parameter(0)\n  %b = f32[1024]{0} bitcast(%a)\n"
      "  %mark = f32[1024]{0} custom-call(%b), custom_call_target=\"Sharding\"\n"
      "  %c = f32[1024]{0} call(%mark), to_apply=%f\n"
      "  ROOT %g = f32[2048]{0} all-gather(%c), replica_groups={{0,1}}, dimensions={0}\n}\n");
  const work_times times(module, find_device("h100-sxm").value());
  for (const char* const name : {"a", "b", "mark"}) {
    CHECK(is_free(instruction_of(module, name)));
    CHECK(times.of(instruction_of(module, name)) == work_time{});
  }
  for (const char* const name : {"c", "g"}) {  // the time of what it calls, and of a transfer
    CHECK_FALSE(is_free(instruction_of(module, name)));
    CHECK(times.work_of(instruction_of(module, name)) == work{});
  }
  CHECK(times.work_of(instruction_of(module, "fn")).vector_ops == 1024);
}

TEST_CASE("the user's own latency and a GPU's recorded cost come before the estimate") {
  const std::string add = "%a = f32[1024]{0} parameter(0)\nROOT %r = f32[1024]{0} add(%a, %a)";
  CHECK(time_in(add + ", frontend_attributes={latency_metadata=\"5000\"}\n", "h100-sxm").seconds == nearly(5e-6));
  CHECK(time_in(add + ", backend_config={\"reification_cost\":[{\"exec_time_us\":0},{\"exec_time_us\":156.5}]}\n",
                "h100-sxm")
            .seconds == nearly(158.5e-6));
  CHECK(time_in(add + ", backend_config={\"reification_cost\":[]}\n", "h100-sxm").bound == work_bound::launch);
}

TEST_CASE("printed times: cycles of a TPU, entries of a GPU's cost, and neither on the other device") {
  const auto printed = [](const std::string& config, const char* on) {
    const hlo_module module = module_of(
        "HloModule m\n\nENTRY %e {\n  %a = f32[8]{0} parameter(0)\n"
        "  ROOT %r = f32[8]{0} negate(%a)" +
        config + "\n}\n");
    return printed_time(find_device(on).value(), module.entry().root());
  };
  const std::string cycles = ", backend_config={\"window_config\":{\"estimated_cycles\":\"3000\"}}";
  const std::string cost = ", backend_config={\"gemm_backend_config\":{\"reification_cost\":[{\"exec_time_us\":7}]}}";
  CHECK(printed(cycles, "tpu-v5e").value() == nearly(2e-6));
  CHECK_FALSE(printed(cycles, "h100-sxm"));
  CHECK(printed(cost, "h100-sxm").value() == nearly(7e-6));
  CHECK_FALSE(printed(cost, "tpu-v5e"));
  CHECK_FALSE(printed("", "h100-sxm"));
  for (const char* const unknown : {"0", "-5", "4611686018427387904", "word"})
    CHECK_FALSE(printed(", backend_config={\"window_config\":{\"estimated_cycles\":\"" + std::string(unknown) + "\"}}",
                        "tpu-v5e"));
}

namespace {

hlo_module summed_program() {
  return module_of(R"(HloModule m, is_scheduled=true

%body {
  %p = (s32[], f32[1048576]{0}) parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  %x = f32[1048576]{0} get-tuple-element(%p), index=1
  %n = f32[1048576]{0} negate(%x)
  ROOT %t = (s32[], f32[1048576]{0}) tuple(%i, %n)
}

%condition {
  %q = (s32[], f32[1048576]{0}) parameter(0)
  ROOT %go = pred[] constant(true)
}

%short {
  %sp = f32[1048576]{0} parameter(0)
  ROOT %sn = f32[1048576]{0} negate(%sp)
}

%long {
  %lp = f32[1048576]{0} parameter(0)
  %l1 = f32[1048576]{0} negate(%lp)
  ROOT %l2 = f32[1048576]{0} negate(%l1)
}

ENTRY %e {
  %in = (s32[], f32[1048576]{0}) parameter(0)
  %k = pred[] parameter(1)
  %w = (s32[], f32[1048576]{0}) while(%in), condition=%condition, body=%body,
      backend_config={"known_trip_count":{"n":"5"}}
  %v = (s32[], f32[1048576]{0}) while(%w), condition=%condition, body=%body
  %y = f32[1048576]{0} get-tuple-element(%v), index=1
  %b = f32[1048576]{0} conditional(%k, %y, %y), true_computation=%short, false_computation=%long
  %g = f32[2097152]{0} all-gather(%b), replica_groups={{0,1}}, dimensions={0}
  ROOT %f = f32[1048576]{0} custom-call(%b), custom_call_target="mystery"
}
)");
}

}  // namespace

TEST_CASE("summed_work: loops by their counts, of branches the slowest, no transfers") {
  const hlo_module module = summed_program();
  const work_times times(module, find_device("h100-sxm").value());
  detail::summed_work sums(times, module, 3);
  const auto of = [&](const char* name) { return instruction_of(module, name); };
  const double negate = times.of(of("n")).seconds, call = times.of(of("f")).seconds;
  REQUIRE(negate > 0);
  CHECK(sums.of(of("n")) == negate);
  CHECK(sums.of(module.find_computation("body")) == negate);
  CHECK(sums.with_calls(of("w")) == nearly(5 * negate));
  CHECK(sums.with_calls(of("v")) == nearly(3 * negate));  // as often as was assumed
  CHECK(sums.with_calls(of("b")) == nearly(2 * negate));
  CHECK(sums.with_calls(of("g")) == 0);
  CHECK(sums.of(module.entry()) == nearly(10 * negate + call));
  CHECK(detail::summed_work(sums, 1).of(module.entry()) == nearly(8 * negate + call));
}

TEST_CASE("summed_work: a fusion counts as a whole, what it consists of does not") {
  const hlo_module module = module_of(R"(HloModule m, is_scheduled=true

%fused {
  %l = f32[512,512]{1,0} parameter(0)
  ROOT %d = f32[512,512]{1,0} dot(%l, %l), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}

ENTRY %e {
  %a = f32[512,512]{1,0} parameter(0)
  ROOT %f = f32[512,512]{1,0} fusion(%a), kind=kOutput, calls=%fused
}
)");
  const work_times times(module, find_device("h100-sxm").value());
  detail::summed_work sums(times, module, 1);
  CHECK(sums.of(module.entry()) == times.of(instruction_of(module, "f")).seconds);
  CHECK(sums.of(module.find_computation("fused")) == 0);
  REQUIRE(sums.noted().size() == 1);
  CHECK(sums.noted()[0].instruction == instruction_of(module, "f").id());
}

TEST_CASE("a ragged product of a TPU multiplies each row with the matrix of its group alone (version 11)") {
  const auto of = [](const std::string& config) {
    const hlo_module module = module_of(R"(HloModule m, is_scheduled=true

%fused {
  %x = bf16[8192,2048]{1,0} parameter(0)
  %w = bf16[64,2048,2048]{2,1,0} parameter(1)
  %rows = bf16[64,8192,2048]{2,1,0} broadcast(%x), dimensions={1,2}
  %d = bf16[64,8192,2048]{2,1,0} dot(%rows, %w), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
  ROOT %n = bf16[64,8192,2048]{2,1,0} negate(%d)
}

ENTRY %e {
  %a = bf16[8192,2048]{1,0} parameter(0)
  %b = bf16[64,2048,2048]{2,1,0} parameter(1)
  ROOT %f = bf16[64,8192,2048]{2,1,0} fusion(%a, %b), kind=kCustom, calls=%fused)" +
                                        config + "\n}\n");
    return work_times(module, find_device("tpu-v6e").value()).work_of(instruction_of(module, "f"));
  };
  const work all = of(""), ragged =
                               of(", backend_config={\"convolution_algorithm_config\":{\"is_ragged_dot\":true,"
                                  "\"num_groups_in_ragged_dot\":\"64\"}}");
  CHECK(all.model_flops == 64 * 2.0 * 8192 * 2048 * 2048);
  CHECK(ragged.model_flops == all.model_flops / 64);
  CHECK(ragged.flops == all.flops / 64);
  CHECK(ragged.vector.registers == all.vector.registers / 64);
  CHECK(ragged.bytes() == all.bytes());
}

TEST_CASE("summed_work: what multiplies or is not known is noted once") {
  const hlo_module module = summed_program();
  const work_times times(module, find_device("h100-sxm").value());
  detail::summed_work sums(times, module, 1);
  CHECK(sums.noted().empty());
  for (int k = 0; k < 2; ++k) sums.of(instruction_of(module, "f")), sums.of(instruction_of(module, "n"));
  REQUIRE(sums.noted().size() == 1);
  CHECK(sums.noted()[0].instruction == instruction_of(module, "f").id());
  CHECK(sums.noted()[0].unknown);
}

TEST_CASE("a custom call that stands for HLO of a SparseCore takes the time of that HLO") {
  const std::string table = "f32[1048576,128]{1,0}", rows = "s32[1024]{0}", made = "f32[1024,128]{1,0}";
  const hlo_module module = module_of(
      "HloModule m\n\n%inside (t: " + table + ", i: " + rows + ") -> " + made + " {\n%t = " + table +
      " parameter(0)\n%i = " + rows + " parameter(1)\nROOT %g = " + made +
      " gather(%t, %i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
      "slice_sizes={1,128}\n}, execution_thread=\"sparsecore\"\n\n%wrapped (p: " +
      table + ", q: " + rows + ") -> " + made + " {\n%p = " + table + " parameter(0)\n%q = " + rows +
      " parameter(1)\nROOT %c = " + made +
      " custom-call(%p, %q), custom_call_target=\"offload\", called_computations={%inside}\n}, "
      "execution_thread=\"sparsecore\"\n\nENTRY %e {\n%a = " +
      table + " parameter(0)\n%b = " + rows + " parameter(1)\n%s = ((" + table + ", " + rows + "), " + made +
      ", u32[]) async-start(%a, %b), calls=%wrapped, async_execution_thread=\"sparsecore\"\nROOT %d = " + made +
      " async-done(%s)\n}\n");
  const work_times times(module, find_device("tpu-v6e").value());
  detail::summed_work sums(times, module, 1);
  const double seconds = sums.of(module.find_computation("wrapped"));
  CHECK(seconds > 0);
  CHECK(seconds < 10e-6);  // the table of 512 MiB is not read
}

TEST_CASE("a gather on a TPU moves rows or tiles where its slices hold them, whatever its result looks like") {
  // 1024 slices of 64 x 512; the array's layout decides what of them lies together.
  const auto cycles = [](const char* layout, const char* sizes, const char* made) {
    const hlo_module module = module_of(
        std::string("HloModule m\n\nENTRY %e {\n%a = f32[64,512,2048]") + layout +
        " parameter(0)\n%i = s32[1024]{0} parameter(1)\nROOT %g = " + made +
        " gather(%a, %i), offset_dims={0,1}, collapsed_slice_dims={2}, start_index_map={2}, index_vector_dim=1, "
        "slice_sizes=" +
        sizes + "\n}\n");
    return vector_work_of(find_device("tpu-v6e").value(), module.entry().root()).other_cycles;
  };
  const char *const whole = "{64,512,1}", *const made = "f32[64,512,1024]{2,1,0}";
  const double count = 64.0 * 512 * 1024;
  CHECK(cycles("{1,0,2:T(8,128)}", whole, made) == nearly(2.7 * count / 128 / 8));
  CHECK(cycles("{1,2,0:T(8,128)}", whole, made) == nearly(2.7 * count / 128));
  CHECK(cycles("{2,1,0:T(8,128)}", whole, made) == nearly(12 * count));
  CHECK(cycles("{1,2,0:T(8,128)}", "{64,256,1}", "f32[64,256,1024]{2,1,0}") == nearly(12 * count / 2));
}

TEST_CASE("a scatter on a TPU moves rows where its updates hold them") {
  const auto cycles = [](const char* layout) {
    const hlo_module module = module_of(
        std::string("HloModule m\n\n%add {\n%x = f32[] parameter(0)\n%y = f32[] parameter(1)\nROOT %s = f32[] add(%x, "
                    "%y)\n}\n\nENTRY %e {\n%a = f32[4096,256]") +
        layout +
        " parameter(0)\n%i = s32[1024,1]{1,0} parameter(1)\n%u = f32[1024,256]{1,0} parameter(2)\nROOT %r = "
        "f32[4096,256]" +
        layout +
        " scatter(%a, %i, %u), update_window_dims={1}, inserted_window_dims={0}, "
        "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=%add\n}\n");
    return vector_work_of(find_device("tpu-v6e").value(), module.entry().root()).other_cycles;
  };
  CHECK(cycles("{1,0:T(8,128)}") == nearly(13.0 * 1024 * 2));
  CHECK(cycles("{0,1:T(8,128)}") == nearly(7.7 * 1024 * 256));
}
