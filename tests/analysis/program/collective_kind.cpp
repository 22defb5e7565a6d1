#include <hlolint/analysis/program/collective_kind.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

constexpr const char* text = R"(HloModule m, replica_count=4

%exchange (ep: f32[8]) -> f32[8] {
  %ep = f32[8]{0} parameter(0)
  ROOT %ex = f32[8]{0} all-to-all(%ep), replica_groups={{0,1},{2,3}}, dimensions={0}
}

%negated (np: f32[8]) -> f32[8] {
  %np = f32[8]{0} parameter(0)
  ROOT %nn = f32[8]{0} negate(%np)
}

ENTRY %main {
  %p = f32[8]{0} parameter(0)
  %g = (f32[8]{0}, f32[16]{0}) all-gather-start(%p), replica_groups=[2,2]<=[4], dimensions={0}
  %gd = f32[16]{0} all-gather-done(%g)
  %a = ((f32[8]{0}), f32[8]{0}) async-start(%p), calls=%exchange
  %ad = f32[8]{0} async-done(%a)
  %b = ((f32[8]{0}), f32[8]{0}) async-start(%p), calls=%negated
  %bd = f32[8]{0} async-done(%b)
  ROOT %c = f32[8]{0} call(%p), to_apply=%negated
}
)";

}  // namespace

TEST_CASE("collectives, however they are written") {
  const hlo_module module = module_of(text);
  const auto of = [&](const char* name) { return instruction_of(module, name); };
  CHECK(collective_kind(of("g").opcode()) == hlo_opcode::all_gather);
  CHECK(collective_kind(of("gd").opcode()) == hlo_opcode::all_gather_done);
  CHECK(collective_of(of("g")) == of("g"));
  CHECK(collective_of(of("a")) == of("ex"));
  CHECK_FALSE(collective_of(of("b")));
  CHECK_FALSE(collective_of(of("gd")));
  CHECK(collective_bytes(of("g")) == 64);
  CHECK(collective_bytes(of("a")) == 32);
  CHECK(collective_bytes(of("ex")) == 32);
  CHECK(same_devices(of("g"), of("ex"), module_groups(module)));  // one written as lists, one as an iota
}
