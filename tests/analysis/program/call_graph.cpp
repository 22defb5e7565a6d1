#include <hlolint/analysis/program/call_graph.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

constexpr const char* text = R"(HloModule m, is_scheduled=true

%add (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}

%fused (fp: f32[4]) -> f32[] {
  %fp = f32[4]{0} parameter(0)
  %zero = f32[] constant(0)
  ROOT %r = f32[] reduce(%fp, %zero), dimensions={0}, to_apply=%add
}

%inner (ip: f32[]) -> f32[] {
  %ip = f32[] parameter(0)
  ROOT %in = f32[] negate(%ip)
}

%wrapped (wp: f32[]) -> f32[] {
  %wp = f32[] parameter(0)
  ROOT %wc = f32[] call(%wp), to_apply=%inner
}

%body (bp: f32[]) -> f32[] {
  %bp = f32[] parameter(0)
  %st = ((f32[]), f32[]) async-start(%bp), calls=%wrapped
  ROOT %dn = f32[] async-done(%st)
}

%condition (cp: f32[]) -> pred[] {
  %cp = f32[] parameter(0)
  ROOT %lt = pred[] compare(%cp, %cp), direction=LT
}

%branch (brp: f32[]) -> f32[] {
  ROOT %brp = f32[] parameter(0)
}

%uncalled (np: f32[]) -> f32[] {
  ROOT %np = f32[] parameter(0)
}

ENTRY %main (p: f32[4], q: pred[]) -> f32[] {
  %p = f32[4]{0} parameter(0)
  %q = pred[] parameter(1)
  %f = f32[] fusion(%p), kind=kLoop, calls=%fused
  %w = f32[] while(%f), condition=%condition, body=%body
  ROOT %c = f32[] conditional(%q, %w, %w), true_computation=%branch, false_computation=%branch
}
)";

}  // namespace

TEST_CASE("call_graph distinguishes steps of the schedule from parts of instructions") {
  const hlo_module module = module_of(text);
  const call_graph graph(module);
  const auto execution_of = [&](const char* name) { return graph.execution_of(module.find_computation(name)); };
  CHECK(execution_of("main") == execution::sequential);
  CHECK(execution_of("body") == execution::sequential);
  CHECK(execution_of("condition") == execution::sequential);
  CHECK(execution_of("branch") == execution::sequential);
  CHECK(execution_of("fused") == execution::embedded);
  CHECK(execution_of("add") == execution::embedded);
  CHECK(execution_of("wrapped") == execution::async);
  CHECK(execution_of("inner") == execution::async);
  CHECK(execution_of("uncalled") == execution::unreached);
  std::vector<std::string> callers;
  for (const hlo_instruction i : graph.callers(module.find_computation("branch"))) callers.emplace_back(i.name());
  CHECK(callers == std::vector<std::string>{"c", "c"});
  CHECK(graph.callers(module.find_computation("main")).empty());
}
