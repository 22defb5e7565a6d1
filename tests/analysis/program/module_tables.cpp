#include <hlolint/analysis/program/module_tables.hpp>

#include <hlolint/analysis/analysis_store.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

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
