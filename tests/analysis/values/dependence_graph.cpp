#include <hlolint/analysis/values/dependence_graph.hpp>

#include <analysis/module_of.hpp>
#include <match/fixtures.hpp>

#include <doctest/doctest.h>

#include <string_view>
#include <vector>

using namespace hlolint;
using testing::instruction_of;
using testing::module_of;

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
