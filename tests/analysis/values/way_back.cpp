#include <hlolint/analysis/values/way_back.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("way_back: to what a part is made of, element by element and only through what is asked for") {
  const hlo_module module = module_of(R"(HloModule m

ENTRY %e {
  %p = f32[4]{0} parameter(0)
  %q = f32[4]{0} parameter(1)
  %t = (f32[4]{0}, f32[4]{0}) tuple(%p, %q)
  %g = f32[4]{0} get-tuple-element(%t), index=0
  %a = f32[8]{0} all-gather(%g), replica_groups={{0,1}}, dimensions={0}
  %o = f32[8]{0} parameter(2)
  ROOT %m = f32[8]{0} multiply(%a, %o)
}
)");
  const dependence_graph graph(module);
  const way_back back(graph);
  const shape_places places(module);
  const auto entered = [&](const char* from, bool through, const char* not_read = "") {
    std::string out;
    record_list<bool> seen(places.size());
    back.go(
        {places.first(instruction_of(module, from).id())},
        [&](hlo_instruction i) { return through && i.opcode() == hlo_opcode::multiply; },
        [&](hlo_instruction, hlo_instruction operand, std::uint32_t) { return operand.name() != not_read; },
        [&](hlo_instruction i, std::uint32_t part) {
          const place_number at = places.first(i.id()) + part;
          if (seen[at]) return false;
          seen[at] = true;
          out += std::string(i.name()) + to_string(places.index(i.id(), part)) + " ";
          return true;
        });
    return out;
  };
  CHECK(entered("g", false) == "g{} t{0} p{} ");
  CHECK(entered("a", false) == "a{} g{} t{0} p{} ");  // a collective that moves its operand
  CHECK(entered("m", false) == "m{} ");
  CHECK(entered("m", true, "o") == "m{} a{} g{} t{0} p{} ");
  CHECK(entered("m", true, "a") == "m{} o{} ");
}
