#include <hlolint/analysis/time/instruction_times.hpp>

#include "analysis/timed.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

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
