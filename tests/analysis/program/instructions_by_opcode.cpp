#include <hlolint/analysis/program/instructions_by_opcode.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("instructions by opcode, in text order") {
  const hlo_module module = module_of(R"(HloModule m

%inner (ip: f32[8]) -> f32[8] {
  %ip = f32[8]{0} parameter(0)
  ROOT %in = f32[8]{0} negate(%ip)
}

ENTRY %main {
  %p = f32[8]{0} parameter(0)
  %x = f32[8]{0} exponential(%p)
  %n = f32[8]{0} negate(%x)
  ROOT %f = f32[8]{0} fusion(%n), kind=kLoop, calls=%inner
}
)");
  const instructions_by_opcode table(module);
  const auto names = [](const auto& list) {
    std::string out;
    for (const hlo_instruction i : list) out += std::string(i.name()) + ' ';
    return out;
  };
  CHECK(names(table.of(hlo_opcode::negate)) == "in n ");
  CHECK(names(table.of(hlo_opcode::add)).empty());
  CHECK(table.of(hlo_opcode::unknown).size() == 0);
  CHECK(names(table.where([](hlo_opcode op) { return op != hlo_opcode::parameter; })) == "in x n f ");
  CHECK(table.where([](hlo_opcode) { return true; }).size() == module.instruction_count());
  CHECK(table.where([](hlo_opcode) { return false; }).empty());
}
