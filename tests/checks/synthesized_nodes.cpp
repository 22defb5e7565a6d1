// Findings on instructions that the text implies (async sugar, nested operands, elements) name what is written: the
// instruction, its computation and its position there.
#include <hlolint/checks/all.hpp>
#include <hlolint/hlolint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const std::string text = R"(HloModule m, is_scheduled=true, num_partitions=4

%body (b: f32[8]) -> f32[8] {
  %b = f32[8]{0} parameter(0)
  ROOT %bn = f32[8]{0} negate(%b)
}

ENTRY %main (p: f32[8], t: (f32[8], f32[8])) -> f32[8] {
  %p = f32[8]{0} parameter(0)
  %t = (f32[8]{0}, f32[8]{0}) parameter(1)
  %sum = f32[8]{0} add(%t#1, negate(%t#0))
  %s = ((f32[8]{0}), f32[8]{0}, u32[]) all-to-all-start(%sum), channel_id=1, replica_groups={{0,1},{2,9}}, dimensions={0}
  %cs = ((f32[8]{0}), f32[8]{0}, u32[]) call-start(%p), to_apply=%body
  %cd = f32[8]{0} call-done(%cs)
  %last = f32[8]{0} all-to-all-done(%s)
  ROOT %r = f32[8]{0} add(%cd, %last)
}
)";

}  // namespace

TEST_CASE("a finding on a collective behind async sugar names the start and its position") {
  const findings found = lint(replica_groups_bad{}, module_of(text));
  REQUIRE(found.size() == 1);
  const diagnostic& d = found[0];
  CHECK(d.instruction == "s");
  CHECK(d.computation == "main");
  CHECK(d.where.begin().line == 12);
  CHECK(d.message.find("position 6 of 11 in main") != d.message.npos);
  CHECK(d.message.find("async_wrapped") == d.message.npos);
}

TEST_CASE("no finding of any rule names a place that is not written") {
  const findings found = lint(all, module_of(text));
  for (const diagnostic& d : found) {
    CAPTURE(d.message);
    CHECK(d.computation != "async_wrapped");
    CHECK(d.message.find("async_wrapped") == d.message.npos);
    CHECK(d.message.find(".anon") == d.message.npos);
    for (const related_place& r : d.related) CHECK(r.instruction.find("async_param") == r.instruction.npos);
  }
}

TEST_CASE("an element that an operand names has an index, as if it had a line") {
  const hlo_module module = module_of(
      "HloModule m\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n"
      "  %s = (f32[8]{0}, f32[8]{0}) all-gather-start(%p), replica_groups={}, dimensions={0}\n"
      "  %t = (f32[8]{0}, (f32[8]{0}, f32[8]{0})) tuple(%p, %s)\n"
      "  ROOT %d = f32[8]{0} all-gather-done(%t#1)\n}\n");
  const hlo_instruction element = module.entry().find("d").operand(0);
  CHECK(element.is_synthesized());
  CHECK(element.attribute(attribute_key::index) == "1");
  CHECK(element.has(attribute_key::index));
  CHECK_FALSE(element.has(attribute_key::dimensions));
  CHECK_FALSE(module.entry().find("t").has(attribute_key::index));
  for (const diagnostic& d : lint(all, context(module))) CHECK(d.rule != "COL004");  // the done leads back to its start
}
