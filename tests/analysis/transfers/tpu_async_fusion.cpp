#include <hlolint/analysis/transfers/tpu_async_fusion.hpp>

#include "analysis/async_fusions.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("async_fusion_roles: which fusion starts, carries on and ends a transfer") {
  const hlo_module module = module_of(async_fusions_text);
  const async_fusion_roles roles(module);
  const auto of = [&](const char* name) { return roles.of(instruction_of(module, name)); };
  REQUIRE(of("s"));
  CHECK(of("s")->starts);
  CHECK_FALSE(of("s")->finishes);
  CHECK(of("s")->collective.name() == "g1");
  CHECK(of("s")->chain == "7/4");
  CHECK_FALSE(of("s")->carries());
  REQUIRE(of("f"));
  CHECK(of("f")->carries());
  CHECK(of("f")->chain == of("s")->chain);
  REQUIRE(of("d"));
  CHECK(of("d")->finishes);
  CHECK_FALSE(of("d")->carries());
  for (const char* const name : {"n", "p", "g1"}) CHECK(of(name) == nullptr);
}

TEST_CASE("async_fusion_roles: without a start no fusion has a role") {
  std::string text = async_fusions_text;
  const std::string start = "AsyncCollectiveStart";
  text.replace(text.find(start), start.size(), "SomethingElse");
  const hlo_module module = module_of(text);
  const async_fusion_roles roles(module);
  for (const hlo_instruction i : module.instructions()) CHECK(roles.of(i) == nullptr);
}
