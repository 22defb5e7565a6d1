#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/time/schedule_walk.hpp>

#include "analysis/timed.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const std::string& inputs = timed_inputs;
const std::string& matmul = timed_matmul;
const std::string& start = timed_start;

const std::string loop_parts =
    "%cond {\n%q = (s32[], f32[70000000]{0}, bf16[8192,8192]{1,0}) parameter(0)\n%j = s32[] get-tuple-element(%q), "
    "index=0\n"
    "%n = s32[] constant(5)\nROOT %lt = pred[] compare(%j, %n), direction=LT\n}\n\n";

}  // namespace

TEST_CASE("transfers of one engine wait for each other, those of two do not") {
  const std::string second =
      " = (f32[70000000]{0}, f32[70000000]{0}) collective-permute-start(%a), channel_id=2, "
      "source_target_pairs={{0,1},{1,0}}";
  const std::string rest =
      "%d = f32[70000000]{0} collective-permute-done(%s)\n%e = f32[70000000]{0} collective-permute-done(%t)\n"
      "ROOT %r = (f32[70000000]{0}, f32[70000000]{0}) tuple(%d, %e)\n";
  const timed one = entry("%s" + start + "\n%t" + second + "\n" + rest);
  CHECK(one.time->step() == nearly(2 * permute_time));
  CHECK(one.of("t").queued == nearly(permute_time));
  CHECK(one.of("t").blocker.name() == "s");
  CHECK(!one.of("s").blocker);
  // While the first is waited for no work is done that would hide the second.
  CHECK(one.of("t").work_each() == nearly(0));
  CHECK(one.of("t").overlap() == exposure_class::exposed);
  const timed two =
      entry("%s" + start + "\n%t" + second + ", frontend_attributes={_xla_gpu_collective_stream=\"p2p\"}\n" + rest);
  CHECK(two.time->step() == nearly(permute_time));
}

TEST_CASE("permutes of a TPU wait for each other only on the same link, and for collectives") {
  const auto step = [](const std::string& other) {
    const std::string pair = "(f32[70000000]{0}, f32[70000000]{0})";
    return time_of(
        "%sum {\n%x = f32[] parameter(0)\n%y = f32[] parameter(1)\nROOT %s = f32[] add(%x, %y)\n}\n\n"
        "ENTRY %e {\n" +
            timed_inputs + "%s = " + pair +
            " collective-permute-start(%a), channel_id=1, source_target_pairs={{0,1},{1,2},{2,3},{3,0}}\n" + other +
            "%d = f32[70000000]{0} collective-permute-done(%s)\nROOT %r = (f32[70000000]{0}, "
            "f32[70000000]{0}) tuple(%d, %e)\n}\n",
        find_device("tpu-v5e").value());
  };
  const auto permute = [](const char* pairs) {
    return std::string(
               "%t = (f32[70000000]{0}, f32[70000000]{0}) collective-permute-start(%a), channel_id=2, "
               "source_target_pairs={") +
           pairs + "}\n%e = f32[70000000]{0} collective-permute-done(%t)\n";
  };
  const double alone = 280e6 / 45e9 + 1e-6;
  CHECK(step(permute("{1,0},{2,1},{3,2},{0,3}")).time->step() == nearly(alone));
  CHECK(step(permute("{0,4},{4,8},{8,12},{12,0}")).time->step() == nearly(alone));
  const timed same = step(permute("{0,1},{1,2},{2,3},{3,0}"));
  CHECK(same.time->step() == nearly(2 * alone));
  // What is waited for is what runs meanwhile, and the parts add up.
  CHECK(same.of("s").exposed == nearly(alone));
  CHECK(same.of("t").exposed == nearly(alone));
  CHECK(same.time->exposed() + same.time->compute() == nearly(same.time->step()));
  const timed all = step(
      "%t = f32[70000000]{0} all-reduce-start(%a), channel_id=2, replica_groups={{0,1,2,3}}, "
      "use_global_device_ids=true, to_apply=%sum\n%e = f32[70000000]{0} all-reduce-done(%t)\n");
  CHECK(all.of("t").queued == nearly(alone));
  CHECK(all.of("t").exposed == nearly(all.of("t").time.seconds()));
}

TEST_CASE("a window across the iterations of a loop") {
  const std::string pair = "(f32[70000000]{0}, f32[70000000]{0})";
  const std::string tuple = "(s32[], " + pair + ", bf16[8192,8192]{1,0})";
  const std::string text =
      "%body {\n%p = " + tuple + " parameter(0)\n%i = s32[] get-tuple-element(%p), index=0\n%f = " + pair +
      " get-tuple-element(%p), index=1\n%w = bf16[8192,8192]{1,0} get-tuple-element(%p), index=2\n"
      "%a = f32[70000000]{0} collective-permute-done(%f)\n%s" +
      start + "\n%m" + matmul + "%n" + matmul + "ROOT %t = " + tuple +
      " tuple(%i, %s, %m)\n}\n\n"
      "%cond {\n%q = " +
      tuple +
      " parameter(0)\nROOT %go = pred[] constant(true)\n}\n\n"
      "ENTRY %e {\n" +
      inputs + "%z = s32[] parameter(2)\n%s0" + start + "\n%t0 = " + tuple + " tuple(%z, %s0, %w)\n%l = " + tuple +
      " while(%t0), condition=%cond, body=%body, "
      "backend_config={\"known_trip_count\":{\"n\":\"10\"}}\n%g = " +
      pair +
      " get-tuple-element(%l), index=1\n"
      "ROOT %r = f32[70000000]{0} collective-permute-done(%g)\n}\n";
  const timed pipe = time_of(text);
  CHECK(pipe.of("s0").exposed == nearly(permute_time));
  CHECK(pipe.of("s").exposed == nearly(0));
  CHECK(pipe.of("s").runs == 10);
  CHECK(pipe.of("s").work_each() == nearly(2 * matmul_time));
  CHECK(pipe.time->step() == nearly(20 * matmul_time + permute_time));
  CHECK(pipe.time->compute() == nearly(20 * matmul_time));
}

TEST_CASE("waiting for other transfers in each iteration is no work beside one that spans the loop") {
  const std::string tuple = "(s32[], f32[70000000]{0}, bf16[8192,8192]{1,0})";
  const std::string text =
      "%body {\n%p = " + tuple +
      " parameter(0)\n%i = s32[] get-tuple-element(%p), index=0\n"
      "%a = f32[70000000]{0} get-tuple-element(%p), index=1\n%w = bf16[8192,8192]{1,0} get-tuple-element(%p), "
      "index=2\n%m" +
      matmul + "%s" + start + "\n%d = f32[70000000]{0} collective-permute-done(%s)\nROOT %t = " + tuple +
      " tuple(%i, %d, %m)\n}\n\n%cond {\n%q = " + tuple +
      " parameter(0)\nROOT %go = pred[] constant(true)\n}\n\nENTRY %e {\n" + inputs +
      "%z = s32[] parameter(2)\n%copied = (f32[70000000]{0}, f32[70000000]{0}, u32[]) copy-start(%a)\n"
      "%t0 = " +
      tuple + " tuple(%z, %a, %w)\n%l = " + tuple +
      " while(%t0), condition=%cond, body=%body, backend_config={\"known_trip_count\":{\"n\":\"10\"}}\n"
      "ROOT %r = f32[70000000]{0} copy-done(%copied)\n}\n";
  const timed around = time_of(text);
  CHECK(around.of("s").exposed == nearly(10 * permute_time));
  CHECK(around.of("copied").work_each() == nearly(10 * matmul_time));
}

TEST_CASE("loops count by XLA's word, by their condition, or by what was assumed") {
  const std::string body =
      "%body {\n%p = (s32[], f32[70000000]{0}, bf16[8192,8192]{1,0}) parameter(0)\n%i = s32[] get-tuple-element(%p), "
      "index=0\n"
      "%a = f32[70000000]{0} get-tuple-element(%p), index=1\n%w = bf16[8192,8192]{1,0} get-tuple-element(%p), "
      "index=2\n%m" +
      matmul +
      "%c = f32[70000000]{0} collective-permute(%a), channel_id=1, source_target_pairs={{0,1},{1,0}}\n"
      "%o = s32[] constant(1)\n%j = s32[] add(%i, %o)\n"
      "ROOT %t = (s32[], f32[70000000]{0}, bf16[8192,8192]{1,0}) tuple(%j, %c, %m)\n}\n\n";
  const auto with = [&](const std::string& condition, const std::string& config, assumed_trips trips) {
    return time_of(body + condition + "ENTRY %e {\n" + inputs +
                       "%z = s32[] parameter(2)\n%t0 = (s32[], f32[70000000]{0}, bf16[8192,8192]{1,0}) tuple(%z, %a, "
                       "%w)\nROOT %l = "
                       "(s32[], f32[70000000]{0}, bf16[8192,8192]{1,0}) while(%t0), condition=%cond, body=%body" +
                       config + "\n}\n",
                   round_device(), trips);
  };
  const std::string unknown =
      "%cond {\n%q = (s32[], f32[70000000]{0}, bf16[8192,8192]{1,0}) parameter(0)\nROOT %go = pred[] "
      "constant(true)\n}\n\n";
  struct {
    const std::string &condition, config;
    std::int64_t trip;
    double runs;
    std::size_t unknown;
  } const cases[] = {{loop_parts, ", backend_config={\"known_trip_count\":{\"n\":\"9\"}}", 1, 9, 0},
                     {loop_parts, "", 3, 5, 0},
                     {unknown, "", 1, 1, 1},
                     {unknown, "", 7, 7, 1}};
  for (const auto& c : cases) {
    CAPTURE(c.config);
    const timed t = with(c.condition, c.config, {c.trip});
    CHECK(t.of("c").runs == c.runs);
    CHECK(t.time->step() == nearly(c.runs * (matmul_time + permute_time)));
    CHECK(t.time->loops_of_unknown_count().size() == c.unknown);
    CHECK(t.time->runs_of(t.module.find_computation("body")) == c.runs);
  }
}

TEST_CASE("of branches the slowest counts, and nothing of the others") {
  const timed t = entry(
      "%k = s32[] parameter(2)\nROOT %r = f32[70000000]{0} conditional(%k, %a, %a), branch_computations={%slow, "
      "%fast}\n",
      "%slow {\n%a = f32[70000000]{0} parameter(0)\nROOT %c = f32[70000000]{0} collective-permute(%a), channel_id=1, "
      "source_target_pairs={{0,8},{8,0}}\n}\n\n"
      "%fast {\n%a = f32[70000000]{0} parameter(0)\nROOT %d = f32[70000000]{0} collective-permute(%a), channel_id=2, "
      "source_target_pairs={{0,1},{1,0}}\n}\n\n");
  CHECK(t.time->worst_first().size() == 1);
  CHECK(t.of("c").time.path == transfer_path::network);
  CHECK(!t.of("d").in_step);  // and still known
  CHECK(t.of("d").exposed == nearly(permute_time));
  CHECK(t.time->exposed() == nearly(t.of("c").exposed));
  CHECK(t.time->step() == nearly(280e6 / 45e9 + 40e-6));
  CHECK(t.time->runs_of(t.module.find_computation("fast")) == 0);
}

TEST_CASE("windows that open in a call and close after it") {
  const timed t = entry("%s = (f32[70000000]{0}, f32[70000000]{0}) call(%a), to_apply=%begin\n%m" + matmul + "%n" +
                            matmul + "ROOT %d = f32[70000000]{0} collective-permute-done(%s)\n",
                        "%begin {\n%a = f32[70000000]{0} parameter(0)\nROOT %in" + start + "\n}\n\n");
  CHECK(t.of("in").exposed == 0);
  CHECK(t.of("in").work == nearly(2 * matmul_time));
}

TEST_CASE("a collective of a SparseCore runs from where its operands are bound") {
  const timed t = entry("%s" + offloaded_start + "%m" + matmul + "%u" + offloaded_update("%s", "%a") + "%n" + matmul +
                            "ROOT %d = f32[70000000]{0} async-done(%u)\n",
                        offloaded_permute);
  const exposed_transfer& found = t.of("s");
  CHECK_FALSE(found.computes);
  CHECK(found.time.kind == hlo_opcode::collective_permute);
  CHECK(found.time.seconds() == nearly(permute_time));
  CHECK(found.work == nearly(matmul_time));
  CHECK(found.begins.name() == "u");
  CHECK(found.done.name() == "d");
  CHECK(t.time->step() == nearly(2 * matmul_time));
  CHECK(collective_of(found.start).name() == "x");
  CHECK(collective_bytes(found.start) == 280'000'000);
}

TEST_CASE("calls in calls, however many, end in time") {
  std::string text = "%c0 {\n%p = f32[1024]{0} parameter(0)\nROOT %n = f32[1024]{0} negate(%p)\n}\n\n";
  for (int k = 1; k <= 60; ++k) {  // 2^60 runs
    const std::string before = std::to_string(k - 1), n = std::to_string(k);
    text += "%c" + n + " {\n%p = f32[1024]{0} parameter(0)\n%x = f32[1024]{0} call(%p), to_apply=%c" + before +
            "\nROOT %y = f32[1024]{0} call(%x), to_apply=%c" + before + "\n}\n\n";
  }
  const timed t =
      time_of(text + "ENTRY %e {\n%p = f32[1024]{0} parameter(0)\nROOT %r = f32[1024]{0} call(%p), to_apply=%c60\n}\n");
  CHECK(!t.time->is_complete());
  const timed one =
      time_of(text + "ENTRY %e {\n%p = f32[1024]{0} parameter(0)\nROOT %r = f32[1024]{0} call(%p), to_apply=%c0\n}\n");
  CHECK(one.time->is_complete());
  CHECK(t.time->compute() == nearly(std::ldexp(one.time->compute(), 60)));
}
