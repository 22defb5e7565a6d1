#include <hlolint/analysis/transfers/moves_nothing.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("moves_nothing: groups of one device, and pairs of a device with itself") {
  const hlo_module module = module_of(R"(HloModule m, replica_count=4

%sum {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %add = f32[] add(%x, %y)
}

ENTRY %e {
  %p = f32[8]{0} parameter(0)
  %alone = f32[8]{0} all-reduce(%p), replica_groups={{0},{1},{2},{3}}, to_apply=%sum
  %some = f32[8]{0} all-reduce(%p), replica_groups={{0},{1},{2,3}}, to_apply=%sum
  %everyone = f32[8]{0} all-reduce(%p), replica_groups={}, to_apply=%sum
  %wrong = f32[8]{0} all-reduce(%p), replica_groups={{0,9}}, to_apply=%sum
  %still = f32[8]{0} collective-permute(%p), source_target_pairs={{0,0},{2,2}}
  %none = f32[8]{0} collective-permute(%p), source_target_pairs={}
  ROOT %step = f32[8]{0} collective-permute(%p), source_target_pairs={{0,0},{2,3}}
}
)");
  const module_groups groups(module);
  const auto nothing = [&](const char* name) {
    const hlo_instruction i = instruction_of(module, name);
    CHECK(moves_nothing(i, groups) == moves_nothing(i, module));
    return moves_nothing(i, groups);
  };
  CHECK(nothing("alone"));
  CHECK_FALSE(nothing("some"));
  CHECK_FALSE(nothing("everyone"));
  CHECK_FALSE(nothing("wrong"));  // not certain
  CHECK(nothing("still"));
  CHECK(nothing("none"));
  CHECK_FALSE(nothing("step"));
}
