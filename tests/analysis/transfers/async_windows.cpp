#include <hlolint/analysis/transfers/async_windows.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// A scheduled entry with a parameter `%p`, a fused computation and a wrapped all-to-all to call.
std::string entry_of(const std::string& body) {
  return "HloModule m, is_scheduled=true, num_partitions=2\n\n"
         "%add (a: f32[], b: f32[]) -> f32[] {\n"
         "  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n  ROOT %sum = f32[] add(%a, %b)\n}\n\n"
         "%double (fp: f32[4]) -> f32[4] {\n  %fp = f32[4]{0} parameter(0)\n  ROOT %fd = f32[4]{0} add(%fp, %fp)\n}\n\n"
         "%exchange (ep: f32[4]) -> f32[4] {\n  %ep = f32[4]{0} parameter(0)\n"
         "  ROOT %ex = f32[4]{0} all-to-all(%ep), channel_id=9, replica_groups={{0,1}}, dimensions={0}\n}\n\n"
         "ENTRY %main {\n  %p = f32[4]{0} parameter(0)\n" +
         body + "}\n";
}

const std::string reduce =
    " all-reduce-start(%p), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%add";

struct counted {
  const char* what;
  std::string body;
  hlo_opcode kind;
  std::size_t between, real, transfers;
};

}  // namespace

TEST_CASE("windows: kinds and the work between start and done") {
  for (const counted& c :
       {counted{"nothing between", "  %s = f32[4]{0}" + reduce + "\n  ROOT %d = f32[4]{0} all-reduce-done(%s)\n",
                hlo_opcode::all_reduce, 0, 0, 0},
        {"only no-ops",
         "  %s = f32[4]{0}" + reduce +
             "\n  %b = f32[4]{0} bitcast(%p)\n  %i = u32[] partition-id()\n"
             "  %t = (f32[4]{0}) tuple(%b)\n  %c = f32[] constant(1)\n  ROOT %d = f32[4]{0} all-reduce-done(%s)\n",
         hlo_opcode::all_reduce, 4, 0, 0},
        {"a fusion and a copy",
         "  %s = f32[4]{0}" + reduce +
             "\n  %f = f32[4]{0} fusion(%p), kind=kLoop, calls=%double\n"
             "  %c = f32[4]{0} copy(%f)\n  %b = f32[4]{0} bitcast(%c)\n  ROOT %d = f32[4]{0} all-reduce-done(%s)\n",
         hlo_opcode::all_reduce, 3, 2, 0},
        {"all-gather-start and another transfer inside",
         "  %s = (f32[4]{0}, f32[8]{0}) all-gather-start(%p), channel_id=1, replica_groups={{0,1}}, dimensions={0}, "
         "use_global_device_ids=true\n  %cs = (f32[4]{0:S(1)}, f32[4]{0}, u32[]) copy-start(%p)\n"
         "  %cd = f32[4]{0:S(1)} copy-done(%cs)\n  ROOT %d = f32[8]{0} all-gather-done(%s)\n",
         hlo_opcode::all_gather, 2, 0, 2},
        {"collective-permute-start",
         "  %s = (f32[4]{0}, f32[4]{0}) collective-permute-start(%p), channel_id=1, source_target_pairs={{0,1}}\n"
         "  %n = f32[4]{0} negate(%p)\n  ROOT %d = f32[4]{0} collective-permute-done(%s)\n",
         hlo_opcode::collective_permute, 1, 1, 0},
        {"async-start around an all-to-all",
         "  %s = ((f32[4]{0}), f32[4]{0}) async-start(%p), calls=%exchange\n  %n = f32[4]{0} negate(%p)\n"
         "  ROOT %d = f32[4]{0} async-done(%s)\n",
         hlo_opcode::all_to_all, 1, 1, 0},
        {"sugar with an update",
         "  %s = ((f32[4]{0}), f32[4]{0}) all-to-all-start(%p), channel_id=3, replica_groups={{0,1}}, dimensions={0}\n"
         "  %u = ((f32[4]{0}), f32[4]{0}) all-to-all-update(%s)\n  %n = f32[4]{0} negate(%p)\n"
         "  ROOT %d = f32[4]{0} all-to-all-done(%u)\n",
         hlo_opcode::all_to_all, 2, 1, 1},
        {"through a tuple and a barrier",
         "  %s = f32[4]{0}" + reduce +
             "\n  %t = (f32[4]{0}, f32[4]{0}) tuple(%p, %s)\n"
             "  %o = (f32[4]{0}, f32[4]{0}) opt-barrier(%t)\n  %g = f32[4]{0} get-tuple-element(%o), index=1\n"
             "  ROOT %d = f32[4]{0} all-reduce-done(%g)\n",
         hlo_opcode::all_reduce, 3, 0, 0}}) {
    INFO(c.what);
    const hlo_module module = module_of(entry_of(c.body));
    const async_windows windows(module);
    const async_window* const w = windows.started_by(instruction_of(module, "s"));
    REQUIRE(w != nullptr);
    CHECK(w->kind == c.kind);
    CHECK(w->is_collective());
    CHECK(w->done == instruction_of(module, "d"));
    CHECK(w->done_count == 1);
    CHECK(w->between == c.between);
    CHECK(w->real == c.real);
    CHECK(w->transfers == c.transfers);
    CHECK(w->inside().size() == c.between);
    CHECK_FALSE(w->is_sync);
    CHECK(windows.unmatched().empty());
  }
}

TEST_CASE("windows: bytes, steps and attributes") {
  const hlo_module gather = module_of(entry_of(
      "  %s = (f32[4]{0}, f32[8]{0}) all-gather-start(%p), channel_id=1, replica_groups={{0,1}}, dimensions={0}, "
      "use_global_device_ids=true, backend_config={\"collective_backend_config\":{\"is_sync\":true}}\n"
      "  ROOT %d = f32[8]{0} all-gather-done(%s)\n"));
  const async_windows gathers(gather);
  REQUIRE(gathers.size() == 1);
  CHECK(gathers.begin()->bytes == 32);
  CHECK(gathers.begin()->is_sync == true);

  const hlo_module old = module_of(entry_of("  %s = f32[4]{0}" + reduce +
                                            ", backend_config=\"{\\\"is_sync\\\":false}\"\n"
                                            "  ROOT %d = f32[4]{0} all-reduce-done(%s)\n"));
  CHECK(async_windows(old).begin()->is_sync == false);
  CHECK(async_windows(old).begin()->bytes == 16);

  const hlo_module sugar = module_of(entry_of(
      "  %s = ((f32[4]{0}), f32[4]{0}) all-to-all-start(%p), channel_id=3, replica_groups={{0,1}}, dimensions={0}\n"
      "  %u = ((f32[4]{0}), f32[4]{0}) all-to-all-update(%s)\n  ROOT %d = f32[4]{0} all-to-all-done(%u)\n"));
  const async_windows sugars(sugar);
  REQUIRE(sugars.size() == 1);
  REQUIRE(sugars.begin()->steps.size() == 1);
  CHECK(sugars.begin()->steps[0].name() == "u");
  CHECK(sugars.begin()->form == async_form::wrapped);
  CHECK(sugars.begin()->transfer.has(attribute_key::replica_groups));
}

TEST_CASE("windows: which collectives run beside other work") {
  const std::string called =
      "HloModule m, is_scheduled=true, num_partitions=2\n\n%fused (fp: f32[4]) -> f32[4] {\n"
      "  %fp = f32[4]{0} parameter(0)\n"
      "  ROOT %x = f32[4]{0} all-to-all(%fp), channel_id=9, replica_groups={{0,1}}, dimensions={0}\n}\n\n"
      "%wrapped (wp: f32[4]) -> f32[4] {\n  %wp = f32[4]{0} parameter(0)\n"
      "  ROOT %wf = f32[4]{0} fusion(%wp), kind=kCustom, calls=%fused\n}\n\nENTRY %main {\n"
      "  %p = f32[4]{0} parameter(0)\n"
      "  %s = ((f32[4]{0}), f32[4]{0}) async-start(%p), async_execution_thread=\"sparsecore\", calls=%wrapped";
  const std::string done = "\n  %n = f32[4]{0} negate(%p)\n  %d = f32[4]{0} async-done(%s)\n";
  const std::string result = "  ROOT %r = (f32[4]{0}, f32[4]{0}) tuple(%d, %n)\n}\n";
  const hlo_module beside = module_of(called + done + result);
  const async_windows windows(beside);
  const async_window* const w = windows.started_by(instruction_of(beside, "s"));
  REQUIRE(w);
  CHECK(w->kind == hlo_opcode::all_to_all);
  CHECK(w->transfer == instruction_of(beside, "x"));
  for (const char* const name : {"s", "d", "x", "wf"}) {
    INFO(name);
    CHECK(windows.around(instruction_of(beside, name)) == w);
    CHECK(windows.is_asynchronous(instruction_of(beside, name)));
  }
  CHECK_FALSE(windows.around(instruction_of(beside, "n")));
  CHECK_FALSE(windows.started_by(instruction_of(beside, "d")));

  const hlo_module marked = module_of(called + ", backend_config={\"is_sync\":true}" + done + result);
  CHECK_FALSE(async_windows(marked).is_asynchronous(instruction_of(marked, "x")));

  // The same computation, called step by step as well: one of the two waits.
  const hlo_module both = module_of(called + done + "  %k = f32[4]{0} call(%p), to_apply=%wrapped\n" +
                                    "  ROOT %r = (f32[4]{0}, f32[4]{0}) tuple(%d, %k)\n}\n");
  CHECK_FALSE(async_windows(both).is_asynchronous(instruction_of(both, "x")));
  CHECK(async_windows(both).is_asynchronous(instruction_of(both, "s")));

  const hlo_module plain = module_of(entry_of("  ROOT %f = f32[4]{0} call(%p), to_apply=%exchange\n"));
  CHECK_FALSE(async_windows(plain).is_asynchronous(instruction_of(plain, "ex")));
}

TEST_CASE("windows: starts and dones that do not meet") {
  const hlo_module lonely = module_of(entry_of("  %s = f32[4]{0}" + reduce + "\n  ROOT %n = f32[4]{0} negate(%p)\n"));
  const async_windows starts(lonely);
  REQUIRE(starts.size() == 1);
  CHECK_FALSE(starts.begin()->done);
  CHECK(starts.begin()->between == 0);
  CHECK(starts.begin()->inside().empty());

  const hlo_module twice = module_of(entry_of("  %s = f32[4]{0}" + reduce +
                                              "\n  %d = f32[4]{0} all-reduce-done(%s)\n"
                                              "  ROOT %e = f32[4]{0} all-reduce-done(%s)\n"));
  CHECK(async_windows(twice).begin()->done_count == 2);
  CHECK(async_windows(twice).begin()->done.name() == "d");

  const hlo_module foreign = module_of(entry_of("  ROOT %d = f32[4]{0} all-reduce-done(%p)\n"));
  REQUIRE(async_windows(foreign).unmatched().size() == 1);
  CHECK(async_windows(foreign).unmatched()[0].name() == "d");
}

TEST_CASE("windows: TPU async collective fusions") {
  const std::string gather =
      " all-gather(%P), channel_id=4, replica_groups={{0,1}}, dimensions={0}, "
      "use_global_device_ids=true, frontend_attributes={chain_id=\"7\"}\n";
  const auto with = [](std::string pattern, const std::string& parameter) {
    pattern.replace(pattern.find("%P"), 2, parameter);
    return pattern;
  };
  const std::string text =
      "HloModule m, is_scheduled=true, num_partitions=2\n\n"
      "%begin (bp: f32[4]) -> (f32[4], f32[8]) {\n  %bp = f32[4]{0} parameter(0)\n  %g1 = f32[8]{0}" +
      with(gather, "%bp") +
      "  ROOT %c1 = (f32[4]{0}, f32[8]{0}) custom-call(%g1), custom_call_target=\"AsyncCollectiveStart\"\n}\n\n"
      "%middle (mp: f32[4], mq: f32[8]) -> (f32[4], f32[4], f32[8]) {\n  %mp = f32[4]{0} parameter(0)\n"
      "  %mq = f32[8]{0} parameter(1)\n  %work = f32[4]{0} multiply(%mp, %mp)\n  %g2 = f32[8]{0}" +
      with(gather, "%mp") +
      "  ROOT %mt = (f32[4]{0}, f32[4]{0}, f32[8]{0}) tuple(%work, %mp, %g2)\n}\n\n"
      "%end (dp: f32[4], dq: f32[8]) -> f32[8] {\n  %dp = f32[4]{0} parameter(0)\n  %dq = f32[8]{0} parameter(1)\n"
      "  %g3 = f32[8]{0}" +
      with(gather, "%dp") +
      "  ROOT %c2 = f32[8]{0} custom-call(%dp, %dq, %g3), custom_call_target=\"AsyncCollectiveDone\"\n}\n\n"
      "ENTRY %main {\n  %p = f32[4]{0} parameter(0)\n"
      "  %s = (f32[4]{0}, f32[8]{0}) fusion(%p), kind=kCustom, output_to_operand_aliasing={{0}: (0, {})}, "
      "calls=%begin\n"
      "  %t0 = f32[4]{0} get-tuple-element(%s), index=0\n  %t1 = f32[8]{0} get-tuple-element(%s), index=1\n"
      "  %f = (f32[4]{0}, f32[4]{0}, f32[8]{0}) fusion(%t0, %t1), kind=kOutput, calls=%middle\n"
      "  %f1 = f32[4]{0} get-tuple-element(%f), index=1\n  %f2 = f32[8]{0} get-tuple-element(%f), index=2\n"
      "  ROOT %d = f32[8]{0} fusion(%f1, %f2), kind=kCustom, calls=%end\n}\n";
  const hlo_module module = module_of(text);
  const async_windows windows(module);
  REQUIRE(windows.size() == 1);
  const async_window& w = *windows.begin();
  CHECK(w.form == async_form::tpu_fusion);
  CHECK(w.kind == hlo_opcode::all_gather);
  CHECK(w.start.name() == "s");
  CHECK(w.done.name() == "d");
  CHECK(w.between == 5);
  CHECK(w.real == 1);
  REQUIRE(w.steps.size() == 1);
  CHECK(w.steps[0].name() == "f");
  CHECK(w.bytes == 32);
  CHECK(windows.is_transfer(w.start));
  CHECK(windows.is_real(w.steps[0]));
}
