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

TEST_CASE("a device's number that a fusion asks for itself") {
  const hlo_module module = module_of(R"(HloModule m

%idle (ip: u32[]) -> u32[] {
  %ip = u32[] parameter(0)
  ROOT %im = u32[] negate(%ip)
}

%asks (ap: u32[]) -> u32[] {
  %ap = u32[] parameter(0)
  %own = u32[] partition-id()
  ROOT %am = u32[] multiply(%own, %ap)
}

%takes (tp: u32[], tq: u32[]) -> u32[] {
  %tp = u32[] parameter(0)
  %tq = u32[] parameter(1)
  ROOT %tm = u32[] negate(%tq)
}

ENTRY %main {
  %p = u32[] parameter(0)
  %i = u32[] fusion(%p), kind=kLoop, calls=%idle
  %id = u32[] partition-id()
  ROOT %t = u32[] fusion(%p, %id), kind=kLoop, calls=%takes
}
)");
  const device_dependence dependence(module);
  for (const char* const name : {"own", "am", "tq", "tm", "id", "t"})
    CHECK(dependence.on_device_id(instruction_of(module, name)));
  for (const char* const name : {"ip", "im", "ap", "tp", "p", "i"})
    CHECK_FALSE(dependence.on_device_id(instruction_of(module, name)));
}
