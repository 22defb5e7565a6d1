#include <hlolint/analysis/values/named_values.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("named_values: positions and values by the names of a dump, and back") {
  const hlo_module module = module_of(
      "HloModule m\n\nf {\n  p = f32[4]{0} parameter(0)\n  ROOT n = f32[4]{0} negate(p)\n}\n\nENTRY e {\n"
      "  p = f32[4]{0} parameter(0)\n  c = f32[4]{0} call(p), to_apply=f\n"
      "  t = (f32[4]{0}, f32[4]{0}) tuple(c, p)\n  ROOT g = f32[4]{0} get-tuple-element(t), index=1\n}\n");
  const dataflow flow(module, xla_rules{});
  const named_values names(flow);
  const hlo_instruction own = module.entry().find("p");
  CHECK(names.name_of(own) == "p.1");  // unique in the module
  REQUIRE(names.position("p.1", {}));
  CHECK(names.position("p.1", {})->instruction == own.id());
  REQUIRE(names.position("t", {1}));
  CHECK(names.text_of(*names.position("t", {1})) == "t{1}");
  CHECK(names.text_of(*names.position("n", {})) == "n");
  CHECK_FALSE(names.position("t", {2}));
  CHECK_FALSE(names.position("nothing", {}));
  REQUIRE(names.value("t", {}));
  CHECK(names.text_of(flow.values()[*names.value("t", {})]) == "t{}");
  CHECK(names.value("n", {}));
  CHECK_FALSE(names.value("t", {1}));  // it begins elsewhere
  CHECK_FALSE(names.value("g", {}));
}
