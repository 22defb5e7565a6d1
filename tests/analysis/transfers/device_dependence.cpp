#include <hlolint/analysis/transfers/device_dependence.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("what depends on the device's number") {
  const hlo_module module = module_of(R"(HloModule m

%add (a: u32[], b: u32[]) -> u32[] {
  %a = u32[] parameter(0)
  %b = u32[] parameter(1)
  ROOT %s = u32[] add(%a, %b)
}

%fused (fp: u32[], fq: u32[]) -> u32[] {
  %fp = u32[] parameter(0)
  %fq = u32[] parameter(1)
  ROOT %fm = u32[] multiply(%fp, %fq)
}

ENTRY %main {
  %p = u32[] parameter(0)
  %id = u32[] partition-id()
  %n = u32[] negate(%id)
  %f = u32[] fusion(%n, %p), kind=kLoop, calls=%fused
  %uniform = u32[] all-reduce(%f), replica_groups={}, to_apply=%add
  %t = token[] after-all()
  %in = (u32[], token[]) infeed(%t)
  ROOT %read = u32[] get-tuple-element(%in), index=0
}
)");
  const device_dependence dependence(module);
  for (const char* const name : {"id", "n", "f", "fp", "fm"})
    CHECK(dependence.on_device_id(instruction_of(module, name)));
  for (const char* const name : {"p", "fq", "uniform", "in", "read"})
    CHECK_FALSE(dependence.on_device_id(instruction_of(module, name)));
  CHECK(dependence.at_all(instruction_of(module, "read")));
  CHECK_FALSE(dependence.at_all(instruction_of(module, "uniform")));
}
