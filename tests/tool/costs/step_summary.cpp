#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/tool/costs/step_summary.hpp>

#include "analysis/module_of.hpp"
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
  CHECK(sum.utilization == nearly(2.0 * 8192 * 8192 * 8192 / (989e12 * sum.step)));  // one of the two
  CHECK(sum.unknown_calls == 1);
  CHECK(sum.loops_counted_once == 0);
}

TEST_CASE("step_summary: what a callback on the host returns is awaited for an unknown time (version 11)") {
  const timed t = time_of(
      "ENTRY %e {\n%a = f32[8]{0} parameter(0)\n%t = token[] after-all()\n"
      "%s = (f32[8]{0}, u32[], token[]) send(%a, %t), channel_id=1, is_host_transfer=true\n"
      "%sd = token[] send-done(%s), channel_id=1, is_host_transfer=true\n"
      "%r = (f32[8]{0}, u32[], token[]) recv(%sd), channel_id=2, is_host_transfer=true\n"
      "%rd = (f32[8]{0}, token[]) recv-done(%r), channel_id=2, is_host_transfer=true\n"
      "ROOT %g = f32[8]{0} get-tuple-element(%rd), index=0\n}\n",
      find_device("tpu-v5e").value());
  CHECK(step_summary(t.module, *t.time).unknown_calls == 1);
  CHECK(work_by_source(t.module, *t.time).unknown_calls() == 1);
}

TEST_CASE("step_summary: products of eight bits are a share of the peak in eight bits") {
  const timed t = time_of(
      "ENTRY %e {\n%w = f8e4m3fn[8192,8192]{1,0} parameter(0)\n"
      "ROOT %m = f32[8192,8192]{1,0} dot(%w, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n");
  const step_summary sum(t.module, *t.time);
  CHECK(sum.utilization == nearly(2.0 * 8192 * 8192 * 8192 / (1979e12 * sum.step)));
  CHECK(sum.utilization <= 0.8001);
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
  CHECK(sum.utilization == nearly(2.0 * 8 * 2048 * 2048 / (tpu.f16_flops * sum.step)));
}

TEST_CASE("work is summed by place and kind over all runs, most time first") {
  const hlo_module module = module_of(R"(HloModule m, is_scheduled=true

body {
  p = (s32[], f32[1048576]{0}) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[1048576]{0} get-tuple-element(p), index=1
  y = f32[1048576]{0} negate(x), metadata={op_name="f/neg" source_file="f.py" source_line=7}
  z = f32[1048576]{0} negate(y), metadata={op_name="g/neg" source_file="f.py" source_line=7}
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT t = (s32[], f32[1048576]{0}) tuple(j, z)
}

cond {
  q = (s32[], f32[1048576]{0}) parameter(0)
  k = s32[] get-tuple-element(q), index=0
  n = s32[] constant(5)
  ROOT c = pred[] compare(k, n), direction=LT
}

ENTRY main {
  a = f32[1048576]{0} parameter(0)
  zero = s32[] constant(0)
  init = (s32[], f32[1048576]{0}) tuple(zero, a)
  loop = (s32[], f32[1048576]{0}) while(init), condition=cond, body=body, backend_config={"known_trip_count":{"n":"5"}}
  r = f32[1048576]{0} get-tuple-element(loop), index=1
  s = f32[1048576]{0} sine(r), metadata={op_name="h/sin"}
  ROOT u = f32[1048576]{0} custom-call(s), custom_call_target="mystery"
}
)");
  const exposed_time time(module, find_device("h100-sxm").value(), {});
  const work_by_source work(module, time);
  REQUIRE(work.list().size() >= 3);
  const source_work& first = work.list().front();
  CHECK(first.source == "f.py:7");
  CHECK(first.kind == "negate");
  CHECK(first.runs == 10);
  CHECK(first.instructions == 2);
  CHECK(first.longest.name() == "y");
  for (std::size_t i = 1; i < work.list().size(); ++i) CHECK(work.list()[i].seconds <= work.list()[i - 1].seconds);
  CHECK(work.unknown_calls() == 1);
  std::size_t sines = 0;
  for (const source_work& w : work.list()) {
    if (w.kind != "sine") continue;
    ++sines;
    CHECK(w.source == "h/sin");
    CHECK(w.runs == 1);
  }
  CHECK(sines == 1);
}

TEST_CASE("rows of several instructions without a line are not named like the longest alone") {
  source_work row;
  const timed t = entry("ROOT %copy.7 = f32[70000000]{0} copy(%a)\n");
  row.longest = instruction_of(t.module, "copy.7");
  row.instructions = 1;
  CHECK(row.place() == "copy.7");
  row.instructions = 8;
  CHECK(row.place() == "8 without a line, the longest copy.7");
  row.source = "moe.py:1434";
  CHECK(row.place() == "moe.py:1434");
}
