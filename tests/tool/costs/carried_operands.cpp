#include "analysis/module_of.hpp"

#include <hlolint/tool/costs/carried_operands.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("carried_operands: from each operand to its result, and back also through sums") {
  const hlo_module module = module_of(R"(HloModule m

%sum {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %add = f32[] add(%x, %y)
}

ENTRY %e {
  %p = f32[4]{0} parameter(0)
  %q = f32[4]{0} parameter(1)
  %g = (f32[8]{0}, f32[8]{0}) all-gather(%p, %q), replica_groups={{0,1}}, dimensions={0}
  %s = (f32[4]{0}, f32[4]{0}) collective-permute-start(%p), source_target_pairs={{0,1}}
  %d = f32[4]{0} collective-permute-done(%s)
  %r = f32[4]{0} all-reduce(%d), replica_groups={{0,1}}, to_apply=%sum
  ROOT %n = f32[4]{0} negate(%r)
}
)");
  const shape_places places(module);
  const auto goes_to = [&](bool back, const char* name, const shape_index& index = {}) {
    const carried_operands carried(places, module, back);
    const id i = instruction_of(module, name).id();
    std::string out;
    carried.for_each(places.first(i) + places.find(i, index), [&](place_number to) {
      for (const hlo_instruction of : module.instructions())
        if (to >= places.first(of.id()) && to < places.first(of.id()) + places.count(of.id()))
          out += std::string(of.name()) + to_string(places.index(of.id(), to - places.first(of.id()))) + " ";
    });
    return out;
  };
  CHECK(goes_to(false, "p") == "g{0} s{0} s{1} ");
  CHECK(goes_to(false, "q") == "g{1} ");
  CHECK(goes_to(false, "s", {1}) == "d{} ");
  CHECK(goes_to(false, "s", {0}).empty());
  CHECK(goes_to(false, "d").empty());  // a sum is no operand moved
  CHECK(goes_to(true, "g", {1}) == "q{} ");
  CHECK(goes_to(true, "d") == "s{1} ");
  CHECK(goes_to(true, "r") == "d{} ");
  CHECK(goes_to(true, "n").empty());
  CHECK(carries(instruction_of(module, "r")));
  CHECK_FALSE(carries(instruction_of(module, "n")));
  CHECK(adds_up(hlo_opcode::reduce_scatter));
  CHECK_FALSE(adds_up(hlo_opcode::all_gather));
}
