#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/program/module_tables.hpp>
#include <hlolint/analysis/schedule/clobbers.hpp>

#include "analysis/facts_of.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("module_tables: the same from a module and from a cache, and what is only part of an instruction") {
  const hlo_module module = module_of(R"(HloModule m

%fused {
  %fp = f32[8]{0} parameter(0)
  ROOT %fn = f32[8]{0} negate(%fp)
}

%called {
  ROOT %cp = f32[8]{0} parameter(0)
}

%unused {
  ROOT %up = f32[8]{0} parameter(0)
}

ENTRY %e {
  %p = f32[8]{0} parameter(0)
  %f = f32[8]{0} fusion(%p), kind=kLoop, calls=%fused
  ROOT %c = f32[8]{0} call(%f), to_apply=%called
}
)");
  const module_tables own(module), shared{module_facts(module)};
  for (const module_tables* const tables : {&own, &shared}) {
    CHECK(tables->is_embedded(module.find_computation("fused")));
    CHECK(tables->is_embedded(module.find_computation("unused")));
    CHECK_FALSE(tables->is_embedded(module.find_computation("called")));
    CHECK_FALSE(tables->is_embedded(module.entry()));
    CHECK(tables->all_users.count(instruction_of(module, "p")) == 1);
    CHECK(tables->parameters.of(module.find_computation("called"), 0).name() == "cp");
    CHECK(tables->places.size() == module.instruction_count());
    CHECK_FALSE(tables->chains.start_of(instruction_of(module, "f")));
  }
}

TEST_CASE("module_tables: made once for all analyses of a cache") {
  const module_facts facts(
      module_of("HloModule m, is_scheduled=true\n\nENTRY %e {\n  ROOT %p = f32[8] parameter(0)\n}\n"));
  const module_tables* const made = &facts.get<module_tables>();
  CHECK(&facts.get<dataflow>().tables() == made);
  CHECK(&facts.get<alias_sets>().flow().tables() == made);
  CHECK(&facts.get<live_ranges>().flow().tables() == made);
  CHECK(&facts.get<clobbers>().ranges().flow().tables() == made);
  CHECK(facts.get<flat_schedule>().size() == 1);
}

TEST_CASE("post order: operands before users, control predecessors before operands") {
  const auto order_of = [](std::string_view text) {
    const hlo_module module = module_of(text);
    std::string out;
    for (const id i : post_order(module_tables(module))) out += std::string(module.instruction(i).name()) + " ";
    return out;
  };
  CHECK(order_of(entry_text("  p = s32[] parameter(0)\n  a = s32[] negate(p)\n  b = s32[] abs(p)\n"
                            "  ROOT r = s32[] add(b, a)\n")) == "p b a r ");
  CHECK(order_of(entry_text("  p = s32[] parameter(0)\n  a = s32[] negate(p)\n"
                            "  b = s32[] abs(p), control-predecessors={a}\n  ROOT r = s32[] add(b, a)\n")) ==
        "p a b r ");
  CHECK(order_of(entry_text("  p = s32[] parameter(0)\n  a = s32[] negate(p)\n  c = s32[] negate(p)\n"
                            "  b = s32[] abs(p), control-predecessors={%a, %c}\n  ROOT r = s32[] add(b, a)\n")) ==
        "p c a b r ");
  // What no one uses is where the text has it.
  CHECK(order_of(entry_text("  p = s32[] parameter(0)\n  u = s32[] negate(p)\n  q = s32[] parameter(1)\n"
                            "  ROOT r = s32[] negate(q)\n")) == "p u q r ");
}

TEST_CASE("post order: computations that are not wanted leave their positions empty, a circle does not") {
  const hlo_module module = module_of(
      "HloModule m\n\nf {\n  x = s32[] parameter(0)\n  ROOT n = s32[] negate(x)\n}\n\nENTRY e {\n"
      "  p = s32[] parameter(0)\n  ROOT r = s32[] fusion(p), kind=kLoop, calls=f\n}\n");
  CHECK(post_order(module_tables(module), {false, true}) == std::vector<id>{none, none, 2, 3});
  CHECK(post_order(module_tables(module), {true, false}) == std::vector<id>{0, 1, none, none});

  const parsed_file file =
      parse(entry_text("  a = s32[] negate(b)\n  b = s32[] negate(a)\n  ROOT c = s32[] parameter(0)\n"));
  REQUIRE(file.modules().size() == 1);
  std::vector<id> order = post_order(module_tables(file.modules()[0]));
  std::sort(order.begin(), order.end());
  CHECK(order == std::vector<id>{0, 1, 2});
}

TEST_CASE("ranks go into called computations before their callers, and not into fusions") {
  const hlo_module module = module_of(R"(HloModule m

%fused {
  %fp = f32[8]{0} parameter(0)
  ROOT %fn = f32[8]{0} negate(%fp)
}

%body {
  %bp = f32[8]{0} parameter(0)
  ROOT %bn = f32[8]{0} fusion(%bp), kind=kLoop, calls=%fused
}

%condition {
  %cp = f32[8]{0} parameter(0)
  ROOT %go = pred[] constant(true)
}

ENTRY %e {
  %p = f32[8]{0} parameter(0)
  ROOT %w = f32[8]{0} while(%p), body=%body, condition=%condition
}
)");
  const module_tables tables(module);
  const std::vector<std::uint32_t> ranks = called_first_ranks(tables, post_order(tables));
  std::string order;
  for (const char* const name : {"p", "cp", "go", "bp", "bn", "w", "fp", "fn"})
    order += std::to_string(ranks[instruction_of(module, name).id()]) + " ";
  CHECK(order == "0 1 2 3 4 5 0 0 ");
}
