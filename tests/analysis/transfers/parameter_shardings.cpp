#include <hlolint/analysis/transfers/parameter_shardings.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {
hlo_module of_parameters(const std::string& lines) {
  return module_of("HloModule m, num_partitions=4\n\nENTRY %e {\n" + lines + "ROOT %r = () tuple()\n}\n");
}
}  // namespace

TEST_CASE("parameter_shardings: those of the module, else those of the module before optimizations") {
  const hlo_module before = of_parameters(
      "%b = f32[8]{0} parameter(1), sharding={devices=[4]<=[4]}\n%a = f32[8]{0} parameter(0)\n"
      "%c = f32[8]{0} parameter(2)\n%d = f32[8]{0} parameter(3), sharding={devices=[4]<=[4]}\n");
  const hlo_module final = of_parameters(
      "%a = f32[8]{0} parameter(0)\n%b = f32[2]{0} parameter(1)\n%c = f32[2]{0} parameter(2)\n"
      "%d = f32[2]{0} parameter(3), sharding={replicated}\n");
  const auto found = parameter_shardings(final, &before);
  REQUIRE(found.size() == 4);
  REQUIRE(found[0]);
  CHECK(found[0]->written == sharding::kind::replicated);  // as large as before it was partitioned
  REQUIRE(found[1]);
  CHECK(found[1]->written == sharding::kind::tiled);
  CHECK_FALSE(found[2]);  // cut, but not known how
  REQUIRE(found[3]);
  CHECK(found[3]->written == sharding::kind::replicated);
  const auto alone = parameter_shardings(final, nullptr);
  REQUIRE(alone.size() == 4);
  CHECK_FALSE(alone[0]);
  CHECK(alone[3]);
}

TEST_CASE("parameter_shardings: another program before is none") {
  const hlo_module before = of_parameters("%a = f32[8]{0} parameter(0), sharding={replicated}\n");
  const hlo_module final = of_parameters("%a = f32[8]{0} parameter(0)\n%b = f32[8]{0} parameter(1)\n");
  for (const auto& how : parameter_shardings(final, &before)) CHECK_FALSE(how);
}

TEST_CASE("parameter_shardings: a module without any may have been partitioned before it became HLO") {
  const hlo_module before = of_parameters("%a = f32[8]{0} parameter(0)\n"), final = before;
  const auto found = parameter_shardings(final, &before);
  REQUIRE(found.size() == 1);
  CHECK_FALSE(found[0]);
}
