#include <hlolint/analysis/program/written_instruction.hpp>

#include <hlolint/parse_hlo.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <cstddef>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

constexpr const char* implied_text = R"(HloModule m, is_scheduled=true, num_partitions=4

%body (b: f32[8]) -> f32[8] {
  %b = f32[8]{0} parameter(0)
  ROOT %bn = f32[8]{0} negate(%b)
}

ENTRY %main (p: f32[8], t: (f32[8], f32[8])) -> f32[8] {
  %p = f32[8]{0} parameter(0)
  %t = (f32[8]{0}, f32[8]{0}) parameter(1)
  %sum = f32[8]{0} add(%t#1, negate(%t#0))
  %s = ((f32[8]{0}), f32[8]{0}, u32[]) all-to-all-start(%sum), replica_groups={{0,1},{2,3}}, dimensions={0}
  %cs = ((f32[8]{0}), f32[8]{0}, u32[]) call-start(%p), to_apply=%body
  %cd = f32[8]{0} call-done(%cs)
  %last = f32[8]{0} all-to-all-done(%s)
  ROOT %r = f32[8]{0} add(%cd, %last)
}
)";

}  // namespace

TEST_CASE("every instruction that is implied leads to one that is written") {
  const hlo_module module = module_of(implied_text);
  std::size_t implied = 0;
  for (const hlo_instruction i : module.instructions()) {
    const hlo_instruction written = written_instruction(i);
    CHECK_FALSE(written.is_synthesized());
    if (!i.is_synthesized()) CHECK(written == i);
    implied += i.is_synthesized();
  }
  CHECK(implied == 7);  // two elements, negate, and a parameter and a root behind each start
  const hlo_computation entry = module.entry();
  CHECK(written_instruction(entry.find("s").called_computation(0).root()) == entry.find("s"));
  CHECK(written_instruction(entry.find("s").called_computation(0).instruction(0)) == entry.find("s"));
  CHECK(written_instruction(entry.find("cs").called_computation(0).root()) == entry.find("cs"));
  CHECK(written_instruction(entry.find("sum").operand(0)) == entry.find("sum"));
  CHECK(written_instruction(entry.find("sum").operand(1)) == entry.find("sum"));
  CHECK(written_instruction(entry.find("sum").operand(1).operand(0)) == entry.find("sum"));
  CHECK_FALSE(written_instruction(hlo_instruction{}));
}

TEST_CASE("of an instruction that stands alone, an implied parameter is all there is") {
  const hlo_module module = first_module(parse_hlo(source("f32[2] add(f32[2], f32[2])")));
  CHECK(written_instruction(module.instruction(0)) == module.instruction(0));
}

TEST_CASE("a start that is a nested operand leads to the instruction around it") {
  const hlo_module module = module_of(
      "HloModule m\nENTRY e {\n  p = f32[8] parameter(0)\n  ROOT d = f32[8] all-to-all-done(((f32[8]), f32[8], u32[]) "
      "all-to-all-start(p))\n}\n");
  for (const hlo_instruction i : module.instructions())
    if (i.is_synthesized()) CHECK(written_instruction(i).name() == "d");
}
