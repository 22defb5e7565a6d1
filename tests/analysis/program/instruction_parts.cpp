#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/parse_hlo.hpp>

#include "analysis/module_of.hpp"
#include "first_module.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("the shape of an operand: its own, else the one written before its name") {
  const hlo_module module = module_of(
      "HloModule m\n\nENTRY %e {\n  %p = f32[8,1]{1,0} parameter(0)\n  %bare = negate(%p)\n"
      "  %n = f32[8,1]{1,0} negate(f32[8,1]{1,0} %p)\n  %w = f32[8,1]{1,0} negate(f32[8,1]{1,0} %bare)\n"
      "  ROOT %r = f32[8,1]{1,0} negate(%bare)\n}\n");
  const hlo_instruction n = instruction_of(module, "n"), w = instruction_of(module, "w");
  CHECK(shape_of_operand(n, 0) == n.operand(0).shape());
  CHECK(shape_of_operand(n, 0)->rank() == 2);
  CHECK(shape_of_operand(n, 1) == nullptr);
  REQUIRE(shape_of_operand(w, 0));
  CHECK(shape_of_operand(w, 0) == w.operand_shape(0));
  CHECK(shape_of_operand(instruction_of(module, "r"), 0) == nullptr);
}

TEST_CASE("the computation that is called first") {
  const hlo_module module = module_of(
      "HloModule m\n\n%c {\n  %cp = f32[8]{0} parameter(0)\n  ROOT %go = pred[] constant(true)\n}\n\n"
      "%b {\n  ROOT %bp = f32[8]{0} parameter(0)\n}\n\nENTRY %e {\n  %p = f32[8]{0} parameter(0)\n"
      "  ROOT %w = f32[8]{0} while(%p), condition=%c, body=%b\n}\n");
  CHECK(first_called(instruction_of(module, "w")).name() == "c");
  CHECK_FALSE(first_called(instruction_of(module, "p")));
}

TEST_CASE("words that may stand in an attribute") {
  const hlo_module module = module_of(R"(HloModule m

ENTRY %main {
  %p = f32[8]{0} parameter(0)
  %plain = f32[8]{0} all-gather(%p), replica_groups={{0}}, dimensions={0}, backend_config={"is_sync":true}
  %other = f32[8]{0} all-gather(%p), replica_groups={{0}}, dimensions={0}, backend_config={"name":"value"}
  %quoted = f32[8]{0} all-gather(%p), replica_groups={{0}}, dimensions={0}, backend_config="{\"is_sync\":true}"
  %octal = f32[8]{0} all-gather(%p), replica_groups={{0}}, dimensions={0}, backend_config="{\"\151s_sync\":true}"
  ROOT %none = f32[8]{0} all-gather(%p), replica_groups={{0}}, dimensions={0}
}
)");
  const auto may = [&](const char* name) {
    return may_hold(instruction_of(module, name), attribute_key::backend_config, "is_sync");
  };
  CHECK(may("plain"));
  CHECK_FALSE(may("other"));
  CHECK(may("quoted"));
  CHECK(may("octal"));  // an escape may stand for any letter
  CHECK_FALSE(may("none"));
}

TEST_CASE("the computations of a loop, in whichever order they are written") {
  const hlo_module module = module_of(R"(HloModule m

%body {
  ROOT %b = f32[8]{0} parameter(0)
}

%condition {
  %c = f32[8]{0} parameter(0)
  ROOT %go = pred[] constant(true)
}

ENTRY %e {
  %p = f32[8]{0} parameter(0)
  %v = f32[8]{0} while(%p), condition=%condition, body=%body
  ROOT %w = f32[8]{0} while(%v), body=%body, backend_config={"known_trip_count":{"n":"3"}}, condition=%condition
}
)");
  for (const char* const name : {"v", "w"}) {
    const while_parts parts = parts_of_while(instruction_of(module, name));
    CHECK(parts.condition.name() == "condition");
    CHECK(parts.body.name() == "body");
  }
}

TEST_CASE("parameters by number, those that are missing left out") {
  const hlo_module module = faulty_module_of(R"(HloModule m

%gap {
  %third = f32[] parameter(2)
  %first = f32[] parameter(0)
  %beyond = f32[] parameter(4)
  ROOT %s = f32[] add(%third, %first)
}

ENTRY %e {
  %b = f32[] parameter(1)
  %a = f32[] parameter(0)
  ROOT %r = f32[] call(%a, %b), to_apply=%gap
}
)");
  const computation_parameters parameters(module);
  const hlo_computation gap = module.find_computation("gap");
  CHECK(parameters.count(gap) == 3);
  CHECK(parameters.of(gap, 0).name() == "first");
  CHECK_FALSE(parameters.of(gap, 1));
  CHECK(parameters.of(gap, 2).name() == "third");
  CHECK_FALSE(parameters.of(gap, 4));  // a number that is not below the number of instructions
  CHECK_FALSE(parameters.of(gap, std::int64_t{-1}));
  CHECK_FALSE(parameters.of(gap, std::uint64_t{1} << 63));
  CHECK(parameters.count(module.entry()) == 2);
  CHECK(parameters.of(module.entry(), 0).name() == "a");
  CHECK(parameters.of(module.entry(), 1).name() == "b");
}

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

TEST_CASE("operands, roots and positions that may be missing") {
  const hlo_module module = module_of(
      "HloModule m\n\nENTRY %e {\n  %p = (f32[2], f32[2]) parameter(0)\n  %a = f32[2] get-tuple-element(%p), index=1\n"
      "  %b = f32[2] bitcast(%a)\n  ROOT %c = f32[2] bitcast(%b), frontend_attributes={k=\"v\"}\n}\n");
  const hlo_instruction p = instruction_of(module, "p"), a = instruction_of(module, "a"),
                        c = instruction_of(module, "c");
  CHECK(operand_of(a, 0) == p);
  CHECK(!operand_of(a, 1));
  CHECK(root_of(module.entry()) == c);
  CHECK(!root_of({}));
  CHECK(parameter_position(p) == std::size_t{0});
  CHECK(!parameter_position(a));
  CHECK(element_position(a) == std::size_t{1});
  CHECK(!element_position(p));
  CHECK(frontend_value(c, "k") == std::string("v"));
  CHECK(!frontend_value(c, "other"));
  CHECK(!frontend_value(a, "k"));
  CHECK(follow_first_operands(c, [](hlo_instruction i) { return i.opcode() == hlo_opcode::bitcast; }) == a);
  CHECK(!computation_parameters(module).of({}, 0));
}
