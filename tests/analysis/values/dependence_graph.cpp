#include <hlolint/analysis/values/dependence_graph.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <analysis/module_of.hpp>
#include <match/fixtures.hpp>
#include <string_view>
#include <utility>
#include <vector>

using namespace hlolint;
using testing::instruction_of;
using testing::module_of;
using namespace hlolint::testing;

TEST_CASE("dependences lead through loops element by element") {
  const hlo_module module = module_of(testing::step_text);
  const dependence_graph graph(module);
  const std::vector<id> weights{instruction_of(module, "p1").id()};
  const dependence_graph::distances from = graph.from(weights);
  CHECK(from.of(instruction_of(module, "init")) == 1);
  CHECK(from.of(instruction_of(module, "gather")) < dependence_graph::unreachable);
  CHECK(from.of(instruction_of(module, "dot.1")) < dependence_graph::unreachable);
  CHECK(from.of(instruction_of(module, "out")) < dependence_graph::unreachable);
  CHECK(from.of(instruction_of(module, "next")) == dependence_graph::unreachable);
  CHECK(from.of(instruction_of(module, "less")) == dependence_graph::unreachable);
  CHECK(from.of(instruction_of(module, "p1")) == dependence_graph::unreachable);
  CHECK(from.nearest(instruction_of(module, "dot.1")) == instruction_of(module, "p1"));
  CHECK_FALSE(from.nearest(instruction_of(module, "next")));

  const std::vector<id> dots{instruction_of(module, "dot.1").id()};
  const dependence_graph::distances to = graph.to(dots);
  CHECK(to.of(instruction_of(module, "gather")) < dependence_graph::unreachable);
  CHECK(to.of(instruction_of(module, "copy")) == dependence_graph::unreachable);
  CHECK(to.of(instruction_of(module, "dot.1")) < dependence_graph::unreachable);  // through the loop
}

TEST_CASE("a branch takes its operand, and the conditional all results") {
  const hlo_module module = module_of(R"(HloModule m
%yes (a: f32[2]) -> f32[2] {
  %a = f32[2]{0} parameter(0)
  ROOT %n = f32[2]{0} negate(%a)
}
%no (b: f32[2]) -> f32[2] {
  ROOT %b = f32[2]{0} parameter(0)
}
ENTRY %e {
  %p = pred[] parameter(0)
  %x = f32[2]{0} parameter(1)
  %y = f32[2]{0} parameter(2)
  ROOT %c = f32[2]{0} conditional(%p, %x, %y), true_computation=%yes, false_computation=%no
}
)");
  const dependence_graph graph(module);
  const auto depends = [&](const char* on, const char* of) {
    const std::vector<id> sources{instruction_of(module, on).id()};
    return graph.from(sources).of(instruction_of(module, of)) != dependence_graph::unreachable;
  };
  CHECK(depends("x", "n"));
  CHECK_FALSE(depends("y", "n"));
  CHECK(depends("y", "b"));
  CHECK(depends("x", "c"));
  CHECK(depends("p", "c"));
}

TEST_CASE("the distance is the number of dependences to the nearest, and not to itself") {
  const hlo_module module = module_of(R"(HloModule m
ENTRY %e {
  %a = f32[2]{0} parameter(0)
  %b = f32[2]{0} negate(%a)
  %c = f32[2]{0} negate(%b)
  %far = f32[2]{0} parameter(1)
  ROOT %d = f32[2]{0} add(%a, %c)
}
)");
  const auto at = [&](const char* called) { return instruction_of(module, called); };
  const dependence_graph graph(module);
  const std::vector<id> sources{at("a").id()};
  const dependence_graph::distances from = graph.from(sources);
  CHECK(from.of(at("b")) == 1);
  CHECK(from.of(at("c")) == 2);
  CHECK(from.of(at("d")) == 1);
  CHECK(from.of(at("a")) == dependence_graph::unreachable);
  CHECK(from.of(at("far")) == dependence_graph::unreachable);
  CHECK(from.nearest(at("c")) == at("a"));
  CHECK_FALSE(from.nearest(at("far")));
}

TEST_CASE("of several that are equally near, the first in the text is the nearest") {
  const hlo_module module = module_of(R"(HloModule m
ENTRY %e {
  %a = f32[2]{0} parameter(0)
  %b = f32[2]{0} parameter(1)
  %c = f32[2]{0} copy(%b)
  %d = f32[2]{0} copy(%a)
  %calls = (f32[2]{0}, f32[2]{0}) custom-call(%d, %c), custom_call_target="both"
  %e.1 = f32[2]{0} get-tuple-element(%calls), index=1
  %e.0 = f32[2]{0} get-tuple-element(%calls), index=0
  ROOT %sum = f32[2]{0} subtract(%d, %c)
}
)");
  const dependence_graph graph(module);
  const auto at = [&](const char* called) { return instruction_of(module, called); };
  for (const bool turned : {false, true}) {  // in whatever order they are asked for
    std::vector<id> copies{at("c").id(), at("d").id()}, elements{at("e.1").id(), at("e.0").id()};
    if (turned) std::swap(copies[0], copies[1]), std::swap(elements[0], elements[1]);
    const dependence_graph::distances from = graph.from(copies), to = graph.to(elements);
    for (const char* reader : {"calls", "e.0", "e.1", "sum"}) CHECK(from.nearest(at(reader)) == at("c"));
    for (const char* read : {"a", "b", "c", "d", "calls"}) CHECK(to.nearest(at(read)) == at("e.1"));
  }
}
