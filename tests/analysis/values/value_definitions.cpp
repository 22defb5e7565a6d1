#include <hlolint/analysis/values/value_definitions.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("defines_part: what of a result begins there, opcode by opcode") {
  const hlo_module module = module_of(R"(HloModule m

%w {
  %wp = f32[4]{0} parameter(0)
  ROOT %wn = f32[4]{0} negate(%wp)
}

ENTRY %e {
  %p = f32[4]{0} parameter(0)
  %q = f32[4]{0} parameter(1)
  %i = (s32[]) parameter(2)
  %n = f32[4]{0} negate(%p)
  %b = f32[4]{0} bitcast(%n)
  %t = (f32[4]{0}, f32[4]{0}) tuple(%p, %b)
  %cs = (f32[4]{0:S(1)}, f32[4]{0}, u32[]) copy-start(%p)
  %cd = f32[4]{0:S(1)} copy-done(%cs)
  %gs = (f32[4]{0}, f32[8]{0}) all-gather-start(%p), replica_groups={{0,1}}, dimensions={0}
  %gd = f32[8]{0} all-gather-done(%gs)
  %ps = (f32[4]{0}, f32[4]{0}, u32[], u32[]) collective-permute-start(%p), source_target_pairs={{0,1}}
  %pd = f32[4]{0} collective-permute-done(%ps)
  %pi = f32[4]{0} collective-permute(%p, %q, %i, %i), source_target_pairs={{0,1}}, slice_sizes={{1}}
  %as = ((f32[4]{0}), f32[4]{0}, u32[]) async-start(%p), calls=%w
  %au = ((f32[4]{0}), f32[4]{0}, u32[]) async-update(%as)
  ROOT %ad = f32[4]{0} async-done(%au)
}
)");
  const module_tables tables(module);
  const auto defined = [&](const char* name, const xla_rules& rules = xla_rules()) {
    const hlo_instruction i = instruction_of(module, name);
    std::string out;
    for (std::uint32_t n = 0; n < tables.places.count(i.id()); ++n)
      if (defines_part(tables, rules, i, n)) out += to_string(tables.places.index(i.id(), n)) + " ";
    return out;
  };
  CHECK(defined("p") == "{} ");
  CHECK(defined("wp").empty());  // what the caller passes
  CHECK(defined("n") == "{} ");
  CHECK(defined("b").empty());
  CHECK(defined("t") == "{} ");
  CHECK(defined("cs") == "{} {0} {2} ");
  CHECK(defined("cd").empty());
  CHECK(defined("gs") == "{} {1} ");
  CHECK(defined("gd").empty());
  CHECK(defined("ps") == "{} {1} {2} {3} ");
  CHECK(defined("as") == "{} {0} {2} ");
  CHECK(defined("au") == "{} {0} {2} ");
  CHECK(defined("au", xla_rules(20260811)) == "{} {0} ");
  CHECK(defined("ad").empty());
  CHECK(permutes_in_place(instruction_of(module, "pi")));
  CHECK_FALSE(permutes_in_place(instruction_of(module, "ps")));
}
