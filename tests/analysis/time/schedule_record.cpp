#include <hlolint/analysis/time/schedule_record.hpp>

#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>

#include "analysis/module_of.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const std::string matmul = " = bf16[8192,8192]{1,0} dot(%w, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n";
const std::string inputs = "%a = f32[70000000]{0} parameter(0)\n%w = bf16[8192,8192]{1,0} parameter(1)\n";
const std::string permute =
    " = (f32[70000000]{0}, f32[70000000]{0}) collective-permute-start(%a), channel_id=1, "
    "source_target_pairs={{0,1},{1,0}}\n";
const std::string done = " = f32[70000000]{0} collective-permute-done(%s)\n";

struct recorded {
  hlo_module module;
  schedule_record record;
  double step = 0, exposed = 0;
  explicit recorded(const std::string& text)
      : module(module_of("HloModule m, is_scheduled=true, num_partitions=16\n\n" + text)) {
    const exposed_time time(module, find_device("h100-sxm").value(), {}, &record);
    step = time.step(), exposed = time.exposed();
    const exposed_time alone(module, find_device("h100-sxm").value());
    CHECK(alone.step() == step);  // whether it is recorded changes nothing
  }
  std::vector<const recorded_block*> of(std::string_view name) const {
    std::vector<const recorded_block*> out;
    for (const recorded_block& b : record.blocks())
      if (module.instruction(b.instruction).name() == name) out.push_back(&b);
    return out;
  }
};

// A while loop of `trips` iterations whose body is a product of matrices and a transfer that it waits for.
std::string loop_of(const std::string& trips) {
  const std::string state = "(s32[], f32[70000000]{0}, bf16[8192,8192]{1,0})";
  return "%cond {\n%q = " + state + " parameter(0)\n%j = s32[] get-tuple-element(%q), index=0\n%n = s32[] constant(" +
         trips + ")\nROOT %lt = pred[] compare(%j, %n), direction=LT\n}\n\n%body {\n%p = " + state +
         " parameter(0)\n%i = s32[] get-tuple-element(%p), index=0\n%a = f32[70000000]{0} get-tuple-element(%p), "
         "index=1\n"
         "%w = bf16[8192,8192]{1,0} get-tuple-element(%p), index=2\n%s" +
         permute + "%m" + matmul + "%d" + done + "%o = s32[] constant(1)\n%k = s32[] add(%i, %o)\nROOT %t = " + state +
         " tuple(%k, %d, %m)\n}\n\nENTRY %e {\n%x = " + state + " parameter(0)\nROOT %loop = " + state +
         " while(%x), condition=%cond, body=%body\n}\n";
}

}  // namespace

TEST_CASE("schedule_record: a transfer beside work, which hides it") {
  const recorded r("ENTRY %e {\n" + inputs + "%s" + permute + "%m" + matmul + "%d" + done +
                   "ROOT %r = (f32[70000000]{0}, bf16[8192,8192]{1,0}) tuple(%d, %m)\n}\n");
  REQUIRE(r.of("m").size() == 1);
  REQUIRE(r.of("s").size() == 1);
  const recorded_block &work = *r.of("m")[0], &transfer = *r.of("s")[0];
  CHECK(work.lane == recorded_block::compute_lane);
  CHECK(transfer.lane == 1);
  CHECK(transfer.begin == work.begin);
  CHECK(transfer.end < work.end);
  CHECK(transfer.exposed == 0);
  CHECK(r.of("d").empty());  // nothing is waited for
}

TEST_CASE("schedule_record: what is waited for at the end of a transfer") {
  const recorded r("ENTRY %e {\n" + inputs + "%m" + matmul + "%s" + permute + "%d" + done +
                   "ROOT %r = (f32[70000000]{0}, bf16[8192,8192]{1,0}) tuple(%d, %m)\n}\n");
  REQUIRE(r.exposed > 0);
  const recorded_block &work = *r.of("m")[0], &transfer = *r.of("s")[0];
  CHECK(transfer.begin == work.end);
  CHECK(transfer.end == nearly(r.step));
  CHECK(transfer.exposed == nearly(r.exposed));
  REQUIRE(r.of("d").size() == 1);
  CHECK(r.of("d")[0]->begin == work.end);
  CHECK(r.of("d")[0]->end == transfer.end);
  CHECK(r.record.blocks()[r.of("d")[0]->waits_for].instruction == transfer.instruction);
}

TEST_CASE("schedule_record: a loop is recorded once and stands for all its iterations") {
  const recorded once(loop_of("1")), often(loop_of("9"));
  REQUIRE(often.record.loops().size() == 1);
  const recorded_loop& loop = often.record.loops()[0];
  CHECK(loop.trips == 9);
  CHECK(loop.depth == 0);
  CHECK(loop.begin == 0);
  CHECK(loop.end == nearly(once.step));
  CHECK(loop.second == loop.end);  // all iterations are alike
  CHECK(often.of("m").size() == 1);
  CHECK(often.step == nearly(9 * once.step));
  for (const recorded_block& b : often.record.blocks()) CHECK(b.end <= loop.end * (1 + 1e-12));
  CHECK(once.record.loops()[0].trips == 1);
}

TEST_CASE("schedule_record: of the branches only the slowest is recorded") {
  const std::string branch = "bf16[8192,8192]{1,0}";
  const recorded r("%slow {\n%w = " + branch + " parameter(0)\n%m" + matmul + "ROOT %m2" + matmul +
                   "}\n\n%fast {\n%w = " + branch + " parameter(0)\nROOT %f" + matmul +
                   "}\n\nENTRY %e {\n%c = pred[] parameter(0)\n%w = " + branch + " parameter(1)\nROOT %r = " + branch +
                   " conditional(%c, %w, %w), true_computation=%slow, false_computation=%fast\n}\n");
  CHECK(r.of("m").size() == 1);
  CHECK(r.of("m2").size() == 1);
  CHECK(r.of("f").empty());
  CHECK(r.of("m2")[0]->end == nearly(r.step));
}

TEST_CASE("schedule_record: one that is off records nothing") {
  schedule_record off(false);
  CHECK(off.add(0, 0, 0, 1) == recorded_block::nothing);
  off.end_loop(off.begin_loop(0, 0, 2), 1, 1);
  off.finish();
  CHECK(off.blocks().empty());
  CHECK(off.loops().empty());
  CHECK(off.is_complete());
}

TEST_CASE("exposed_transfer: how well work hides it follows from one run of several") {
  exposed_transfer t;
  t.time.latency = 1, t.runs = 4;
  const auto with = [&](double work) {
    t.work = 4 * work;
    return t.overlap();
  };
  CHECK(with(1.5) == exposure_class::hidden);
  CHECK(with(1.4) == exposure_class::tight);
  CHECK(with(0.67) == exposure_class::tight);
  CHECK(with(0.6) == exposure_class::exposed);
  CHECK(t.work_each() == nearly(0.6));
  t.exposed = 2;
  CHECK(t.exposed_each() == 0.5);
  t.synchronous = true;
  CHECK(with(9) == exposure_class::synchronous);
  t.runs = 0;
  CHECK(t.exposed_each() == 0);
  CHECK(t.work_each() == 0);
  CHECK(name_of(exposure_class::tight) == "tight");
}
