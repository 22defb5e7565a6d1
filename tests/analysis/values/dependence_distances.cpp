#include <hlolint/analysis/values/dependence_distances.hpp>

#include <hlolint/analysis/values/dependence_graph.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

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
  const dependence_distances from = graph.from(sources);
  CHECK(from.of(at("b")) == 1);
  CHECK(from.of(at("c")) == 2);
  CHECK(from.of(at("d")) == 1);
  CHECK(from.of(at("a")) == dependence_distances::unreachable);
  CHECK(from.of(at("far")) == dependence_distances::unreachable);
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
    const dependence_distances from = graph.from(copies), to = graph.to(elements);
    for (const char* reader : {"calls", "e.0", "e.1", "sum"}) CHECK(from.nearest(at(reader)) == at("c"));
    for (const char* read : {"a", "b", "c", "d", "calls"}) CHECK(to.nearest(at(read)) == at("e.1"));
  }
}
