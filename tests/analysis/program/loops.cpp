#include <hlolint/analysis/program/loops.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

std::string loops_text(const std::string& outer_count, const std::string& inner_count) {
  const std::string condition =
      " (cp: f32[8]) -> pred[] {\n  %cp = f32[8]{0} parameter(0)\n"
      "  ROOT %go = pred[] constant(true)\n}\n\n";
  return "HloModule m\n\n%fused (fp: f32[8]) -> f32[8] {\n  %fp = f32[8]{0} parameter(0)\n"
         "  ROOT %fn = f32[8]{0} negate(%fp)\n}\n\n"
         "%inner_condition" +
         condition + "%outer_condition" + condition +
         "%inner (ip: f32[8]) -> f32[8] {\n  %ip = f32[8]{0} parameter(0)\n"
         "  ROOT %if = f32[8]{0} fusion(%ip), kind=kLoop, calls=%fused\n}\n\n"
         "%outer (op: f32[8]) -> f32[8] {\n  %op = f32[8]{0} parameter(0)\n"
         "  ROOT %ow = f32[8]{0} while(%op), condition=%inner_condition, body=%inner" +
         inner_count +
         "\n}\n\n"
         "ENTRY %main {\n  %p = f32[8]{0} parameter(0)\n"
         "  %once = f32[8]{0} fusion(%p), kind=kLoop, calls=%fused\n"
         "  ROOT %w = f32[8]{0} while(%once), condition=%outer_condition, body=%outer" +
         outer_count + "\n}\n";
}
std::string count(int n) { return ", backend_config={\"known_trip_count\":{\"n\":\"" + std::to_string(n) + "\"}}"; }

}  // namespace

TEST_CASE("nested loops multiply") {
  const hlo_module module = module_of(loops_text(count(3), count(5)));
  const loops all_loops(module);
  CHECK(known_trip_count(instruction_of(module, "w")) == 3);
  CHECK_FALSE(all_loops.around(module.entry()));
  CHECK(all_loops.runs_of(module.entry()) == repetition{1, true});
  CHECK(repetition_text(all_loops, module.entry()).empty());
  const hlo_computation outer = module.find_computation("outer"), inner = module.find_computation("inner");
  CHECK(all_loops.around(outer).name() == "w");
  CHECK(all_loops.around(inner).name() == "ow");
  CHECK(all_loops.runs_of(inner) == repetition{15, true});
  CHECK(repetition_text(all_loops, inner) == " x 15 iterations");
  // called from the entry too: where it runs most often counts
  CHECK(all_loops.runs_of(module.find_computation("fused")).times == 15);
}

TEST_CASE("loops without a known count") {
  const hlo_module module = module_of(loops_text("", count(5)));
  const loops all_loops(module);
  CHECK_FALSE(known_trip_count(instruction_of(module, "w")));
  CHECK(repetition_text(all_loops, module.find_computation("outer")) == " in each iteration");
  CHECK(all_loops.runs_of(module.find_computation("inner")) == repetition{5, false});
  CHECK(repetition_text(all_loops, module.find_computation("inner")) == " x at least 5 iterations");
}
