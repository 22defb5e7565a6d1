#include "analysis/module_of.hpp"

#include <hlolint/analysis/values/alias_sets.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

struct row {
  std::string attributes, instructions;
  bool merges = false;
};

bool merges_any(const alias_sets& sets) { return sets.size() < sets.flow().values().size(); }

}  // namespace

TEST_CASE("may_merge_values: true wherever a set has two values, false for programs of plain operations") {
  const std::string p = "  %p = f32[8]{0} parameter(0)\n", s = "  %s = s32[] constant(0)\n";
  const row rows[] = {
      {"", "  ROOT %n = f32[8]{0} negate(%p)\n", false},
      {"", "  %b = f32[8]{0} bitcast(%p)\n  ROOT %t = (f32[8]{0}, f32[8]{0}) tuple(%b, %p)\n", false},
      {"", "  ROOT %c = f32[8]{0} custom-call(%p), custom_call_target=\"x\"\n", false},
      {"", "  ROOT %f = f32[8]{0} fusion(%p), kind=kLoop, calls=%plain\n", false},
      {"", "  ROOT %c = f32[8]{0} collective-permute(%p), source_target_pairs={{0,1}}\n", false},
      {", input_output_alias={ {}: (0, {}, may-alias) }", "  ROOT %n = f32[8]{0} negate(%p)\n", true},
      {"", s + "  ROOT %d = f32[8]{0} dynamic-update-slice(%p, %p, %s)\n", true},
      {"", "  ROOT %f = f32[8]{0} fusion(%p), kind=kLoop, calls=%in_place\n", true},
      {"", "  ROOT %c = f32[8]{0} custom-call(%p), custom_call_target=\"x\", output_to_operand_aliasing={{}: (0, {})}\n", true},
      {"", "  ROOT %w = f32[8]{0} while(%p), condition=%always, body=%plain\n", true},
  };
  for (const row& r : rows) {
    CAPTURE(r.instructions);
    const hlo_module module = module_of(
        "HloModule m" + r.attributes + "\n\n%plain {\n  %q = f32[8]{0} parameter(0)\n  ROOT %e = f32[8]{0} exponential(%q)\n}\n\n" +
        (r.instructions.find("in_place") == std::string::npos
             ? ""
             : "%in_place {\n  %x = f32[8]{0} parameter(0)\n  %i = s32[] constant(0)\n  %u = f32[2]{0} constant({1, 2})\n"
               "  ROOT %y = f32[8]{0} dynamic-update-slice(%x, %u, %i)\n}\n\n") +
        "%always {\n  %z = f32[8]{0} parameter(0)\n  ROOT %k = pred[] constant(true)\n}\n\nENTRY %main {\n" + p +
        r.instructions + "}\n");
    CHECK(may_merge_values(module) == r.merges);
    if (!may_merge_values(module)) CHECK(!merges_any(alias_sets(module)));
    if (r.merges) CHECK(merges_any(alias_sets(module)));
  }
}
