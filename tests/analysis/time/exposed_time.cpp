#include <hlolint/analysis/time/exposed_time.hpp>

#include "analysis/timed.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const std::string& inputs = timed_inputs;
const std::string& matmul = timed_matmul;
const std::string& start = timed_start;

}  // namespace

TEST_CASE("a transfer is exposed as far as no work stands beside it") {
  const timed hidden = entry("%s" + start + "\n%m" + matmul + "%n" + matmul +
                             "%d = f32[70000000]{0} collective-permute-done(%s)\n"
                             "ROOT %r = (f32[70000000]{0}, bf16[8192,8192]{1,0}) tuple(%d, %m)\n");
  CHECK(hidden.of("s").exposed == 0);
  CHECK(hidden.of("s").overlap() == exposure_class::hidden);
  CHECK(hidden.of("s").done.name() == "d");
  CHECK(hidden.time->step() == nearly(2 * matmul_time));

  const timed tight = entry("%s" + start + "\n%m" + matmul +
                            "%d = f32[70000000]{0} collective-permute-done(%s)\n"
                            "ROOT %r = (f32[70000000]{0}, bf16[8192,8192]{1,0}) tuple(%d, %m)\n");
  CHECK(tight.of("s").overlap() == exposure_class::tight);

  const timed open = entry("%s" + start + "\n%d = f32[70000000]{0} collective-permute-done(%s)\n%m" + matmul +
                           "ROOT %r = (f32[70000000]{0}, bf16[8192,8192]{1,0}) tuple(%d, %m)\n");
  CHECK(open.of("s").exposed == nearly(permute_time));
  CHECK(open.of("s").overlap() == exposure_class::exposed);
  CHECK(open.time->step() == nearly(open.time->compute() + open.time->exposed()));
}

TEST_CASE("what XLA made synchronous, in both spellings") {
  const timed marked =
      entry("%s" + start + ", backend_config={\"collective_backend_config\":{\"is_sync\":true}}\n%m" + matmul +
            "%d = f32[70000000]{0} collective-permute-done(%s)\n"
            "ROOT %r = (f32[70000000]{0}, bf16[8192,8192]{1,0}) tuple(%d, %m)\n");
  CHECK(marked.of("s").overlap() == exposure_class::synchronous);
  CHECK(marked.of("s").runs == 1);
  CHECK(marked.time->step() == nearly(matmul_time + permute_time));
  const timed plain =
      entry("ROOT %c = f32[70000000]{0} collective-permute(%a), channel_id=1, source_target_pairs={{0,1},{1,0}}\n");
  CHECK(plain.of("c").overlap() == exposure_class::synchronous);
  CHECK(plain.time->exposed() == nearly(permute_time));
}

TEST_CASE("asynchronous computations: a collective, with and without sugar, and work of another thread") {
  const std::string wrapped =
      "%wrap {\n%p = f32[70000000]{0} parameter(0)\nROOT %x = f32[70000000]{0} all-to-all(%p), channel_id=1, "
      "replica_groups={{0,1,2,3}}, dimensions={0}\n}\n\n";
  const std::string rest = "%m" + matmul + "ROOT %d = f32[70000000]{0} ";
  const timed generic =
      entry("%s = ((f32[70000000]{0}), f32[70000000]{0}) async-start(%a), calls=%wrap\n" + rest + "async-done(%s)\n",
            wrapped);
  const timed sugar = entry(
      "%s = ((f32[70000000]{0}), f32[70000000]{0}) all-to-all-start(%a), channel_id=1, replica_groups={{0,1,2,3}}, "
      "dimensions={0}\n" +
      rest + "all-to-all-done(%s)\n");
  for (const timed* t : {&generic, &sugar}) {
    CHECK(t->of("s").time.kind == hlo_opcode::all_to_all);
    CHECK(t->of("s").time.group == group_extent{4, 1});
    CHECK(t->of("s").time.wire_bytes == nearly(280e6 * 3 / 4));
  }
  const timed other =
      entry("%s = ((bf16[8192,8192]{1,0}), bf16[8192,8192]{1,0}, u32[]) async-start(%w), calls=%work\n%m" + matmul +
                "ROOT %d = bf16[8192,8192]{1,0} async-done(%s)\n",
            "%work {\n%w = bf16[8192,8192]{1,0} parameter(0)\nROOT %x" + matmul + "}\n\n");
  CHECK(other.of("s").computes);
  CHECK(other.time->exposed() == 0);
  CHECK(other.time->worst_first().empty());
  CHECK(other.time->step() == nearly(matmul_time));
}

TEST_CASE("fusions of the TPU that start, carry and end a transfer") {
  const std::string attributes =
      "channel_id=2, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true, "
      "frontend_attributes={chain_id=\"0\"}";
  const std::string text =
      "%begin {\n%p = f32[1000000]{0} parameter(0)\n%g = f32[4000000]{0} all-gather(%p), " + attributes +
      "\nROOT %c = (f32[1000000]{0}, f32[4000000]{0}) custom-call(%g), "
      "custom_call_target=\"AsyncCollectiveStart\"\n}\n\n"
      "%middle {\n%p = f32[1000000]{0} parameter(0)\n%q = f32[4000000]{0} parameter(1)\n%g = f32[4000000]{0} "
      "all-gather(%p), " +
      attributes +
      "\n%n = f32[4000000]{0} negate(%q)\nROOT %t = (f32[4000000]{0}, f32[4000000]{0}) tuple(%n, %g)\n}\n\n"
      "%end {\n%p = f32[4000000]{0} parameter(0)\n%g = f32[4000000]{0} all-gather(%p), " +
      attributes +
      "\nROOT %c = f32[4000000]{0} custom-call(%g), custom_call_target=\"AsyncCollectiveDone\"\n}\n\n"
      "ENTRY %e {\n%a = f32[1000000]{0} parameter(0)\n%b = f32[4000000]{0} parameter(1)\n"
      "%s = (f32[1000000]{0}, f32[4000000]{0}) fusion(%a), kind=kCustom, calls=%begin\n"
      "%x = f32[1000000]{0} get-tuple-element(%s), index=0\n"
      "%m = (f32[4000000]{0}, f32[4000000]{0}) fusion(%x, %b), kind=kCustom, calls=%middle\n"
      "%y = f32[4000000]{0} get-tuple-element(%m), index=1\nROOT %d = f32[4000000]{0} fusion(%y), kind=kCustom, "
      "calls=%end\n}\n";
  const timed t = time_of(text, find_device("tpu-v6e").value());
  REQUIRE(t.time->transfers().size() == 1);
  CHECK(t.of("s").done.name() == "d");
  CHECK(t.of("s").time.bytes == 16e6);
  CHECK(t.of("s").work > 0);
}

TEST_CASE("loops whose count is not proven are listed by what suggests one") {
  const std::string state = "(s32[], f32[8]{0})";
  const timed t =
      time_of("%body {\n%p = " + state +
              " parameter(0)\n%i = s32[] get-tuple-element(%p), index=0\n"
              "%x = f32[8]{0} get-tuple-element(%p), index=1\n%one = s32[] constant(1)\n%next = s32[] add(%i, %one)\n"
              "%n = f32[8]{0} negate(%x)\nROOT %t = " +
              state +
              " tuple(%next, %n)\n}\n\n"
              "%counts {\n%q = " +
              state +
              " parameter(0)\n%j = s32[] get-tuple-element(%q), index=0\n"
              "%limit = s32[] constant(5)\nROOT %less = pred[] compare(%j, %limit), direction=LT\n}\n\n"
              "%always {\n%r = " +
              state +
              " parameter(0)\nROOT %go = pred[] constant(true)\n}\n\n"
              "ENTRY %e {\n%in = " +
              state + " parameter(0)\n%assumed = " + state +
              " while(%in), condition=%counts, body=%body\nROOT %unknown = " + state +
              " while(%assumed), condition=%always, body=%body\n}\n");
  CHECK(names_in(t.time->loops_of_assumed_count()) == "assumed");
  CHECK(names_in(t.time->loops_of_unknown_count()) == "unknown");
}

TEST_CASE("instruction_times: work, and of a transfer what the schedule does not hide") {
  const std::string lines = "%s" + timed_start + "\n%d = f32[70000000]{0} collective-permute-done(%s)\n%m" +
                            timed_matmul + "%t" + timed_start + "\n%n" + timed_matmul + "%n2" + timed_matmul +
                            "%u = f32[70000000]{0} collective-permute-done(%t)\n"
                            "ROOT %r = (f32[70000000]{0}, f32[70000000]{0}, bf16[8192,8192]{1,0}) tuple(%d, %u, %m)\n";
  const hlo_module module = module_of(timed_header + ("ENTRY %e {\n" + timed_inputs) + lines + "}\n");
  const instruction_times times(module, round_device());
  const auto of = [&](const char* name) { return times.of(instruction_of(module, name)); };
  REQUIRE(of("m"));
  CHECK(of("m")->seconds == nearly(matmul_time));
  CHECK(of("m")->runs == 1);
  CHECK(of("s")->seconds == nearly(permute_time));
  CHECK(of("d") == of("s"));  // the end has the time of its start
  CHECK(of("d")->of.name() == "s");
  CHECK(of("t")->seconds == 0);  // two products stand beside it
  CHECK(of("r")->seconds == 0);
}

TEST_CASE("instruction_times: a computation of another stream has what the step waits for it") {
  const std::string text =
      timed_header +
      ("%work {\n%w = bf16[8192,8192]{1,0} parameter(0)\nROOT %x" + timed_matmul + "}\n\nENTRY %e {\n" + timed_inputs) +
      "%s = ((bf16[8192,8192]{1,0}), bf16[8192,8192]{1,0}, u32[]) async-start(%w), calls=%work\n"
      "%d = bf16[8192,8192]{1,0} async-done(%s)\nROOT %m" +
      timed_matmul + "}\n";
  const hlo_module module = module_of(text);
  const instruction_times times(module, round_device());
  CHECK(times.of(instruction_of(module, "s"))->seconds == nearly(matmul_time));
  CHECK(times.of(instruction_of(module, "d")) == times.of(instruction_of(module, "s")));
  CHECK(exposed_time(module, round_device()).other_streams() == nearly(matmul_time));
}

TEST_CASE("instruction_times: loops multiply, and without a schedule transfers have no time") {
  const std::string text =
      "num_partitions=2\n\n%body {\n%w = bf16[8192,8192]{1,0} parameter(0)\nROOT %m" + timed_matmul +
      "}\n\n%cond {\n%q = bf16[8192,8192]{1,0} parameter(0)\nROOT %go = pred[] constant(true)\n}\n\nENTRY %e {\n" +
      timed_inputs +
      "%c = f32[70000000]{0} collective-permute(%a), channel_id=1, source_target_pairs={{0,1},{1,0}}\n"
      "ROOT %l = bf16[8192,8192]{1,0} while(%w), condition=%cond, body=%body, "
      "backend_config={\"known_trip_count\":{\"n\":\"7\"}}\n}\n";
  const hlo_module scheduled = module_of("HloModule m, is_scheduled=true, " + text),
                   other = module_of("HloModule m, " + text);
  for (const hlo_module* const module : {&scheduled, &other}) {
    const instruction_times times(*module, round_device());
    CHECK(times.of(instruction_of(*module, "m"))->seconds == nearly(matmul_time));
    CHECK(times.of(instruction_of(*module, "m"))->runs == 7);
    CHECK_FALSE(times.of(instruction_of(*module, "l")));  // the time of what it calls
    CHECK(bool(times.of(instruction_of(*module, "c"))) == (module == &scheduled));
  }
}
