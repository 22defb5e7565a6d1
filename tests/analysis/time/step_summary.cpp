#include <hlolint/analysis/time/step_summary.hpp>

#include "analysis/timed.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("step_summary: products of the program, once each, as a share of the peak") {
  const std::string lines =
      "%m" + timed_matmul + "%m.remat" + timed_matmul +
      "%c = f32[70000000]{0} collective-permute(%a), channel_id=1, source_target_pairs={{0,1},{1,0}}\n"
      "%u = f32[8]{0} custom-call(%c), custom_call_target=\"mystery\"\n"
      "ROOT %r = (bf16[8192,8192]{1,0}, bf16[8192,8192]{1,0}, f32[8]{0}) tuple(%m, %m.remat, %u)\n";
  const timed t = entry(lines);
  const step_summary sum(t.module, *t.time);
  CHECK(sum.step == t.time->step());
  CHECK(sum.compute == t.time->compute());
  CHECK(sum.exposed == nearly(permute_time));
  CHECK(sum.utilisation == nearly(2.0 * 8192 * 8192 * 8192 / (989e12 * sum.step)));  // one of the two
  CHECK(sum.unknown_calls == 1);
  CHECK(sum.loops_counted_once == 0);
}

TEST_CASE("step_summary: loops that nothing counts, and operations that only fill up tiles of a TPU") {
  const std::string text =
      "%body {\n%x = bf16[8,2048]{1,0} parameter(0)\nROOT %n = bf16[8,2048]{1,0} negate(%x)\n}\n\n"
      "%cond {\n%q = bf16[8,2048]{1,0} parameter(0)\nROOT %go = pred[] constant(true)\n}\n\n"
      "ENTRY %e {\n%a = bf16[8,2048]{1,0} parameter(0)\n%b = bf16[2048,2048]{1,0} parameter(1)\n"
      "%l = bf16[8,2048]{1,0} while(%a), condition=%cond, body=%body\n"
      "ROOT %r = bf16[8,2048]{1,0} dot(%l, %b), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n";
  const device tpu = find_device("tpu-v5e").value();
  const hlo_module module = module_of(timed_header + text);
  const step_summary sum(module, tpu);
  CHECK(sum.loops_counted_once == 1);
  CHECK(sum.utilisation == nearly(2.0 * 8 * 2048 * 2048 / (tpu.f16_flops * sum.step)));
}
