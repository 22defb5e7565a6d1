#include <hlolint/analysis/values/fusion_hero.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

// The hero of the root of a fusion that adds `second` to the transpose %t.
std::string hero_of(const std::string& from, const std::string& to, const std::string& more = {},
                    const std::string& second = "%q", const std::string& last = {}) {
  const hlo_module module =
      module_of("HloModule m\n\n%f {\n  %p = f32" + from + "{1,0} parameter(0)\n  %q = f32" + to +
                "{1,0} parameter(1)\n  %t = f32" + to + "{1,0} transpose(%p), dimensions={1,0}\n" + more +
                (last.empty() ? "  ROOT " : "  ") + "%sum = f32" + to + "{1,0} add(%t, " + second + ")\n" +
                (last.empty() ? "" : "  ROOT " + last + "\n") + "}\n\nENTRY %e {\n  %x = f32" + from +
                "{1,0} parameter(0)\n  %y = f32" + to + "{1,0} parameter(1)\n  ROOT %r = f32" + to +
                "{1,0} fusion(%x, %y), kind=kInput, calls=%f\n}\n");
  const module_tables tables(module);
  std::size_t steps = 0;
  const hlo_instruction found = fusion_hero(tables).of(module.find_computation("f").root(), steps);
  CHECK(steps > 0);
  return std::string(found.name());
}

}  // namespace

TEST_CASE("fusion_hero: a transpose that is worth tiles, else the first that is more than elementwise") {
  CHECK(hero_of("[32,64]", "[64,32]") == "t");
  CHECK(hero_of("[8,1024]", "[1024,8]") == "t");  // a short side, and many elements
  CHECK(hero_of("[4,1024]", "[1024,4]") == "sum");
  CHECK(hero_of("[8,8]", "[8,8]") == "sum");
  CHECK(hero_of("[32,64]", "[64,32]", "  %other = f32[64,32]{1,0} transpose(%p), dimensions={1,0}\n", "%other") ==
        "sum");  // two that are worth it
  CHECK(hero_of("[32,64]", "[64,32]", "  %rev = f32[64,32]{1,0} reverse(%t), dimensions={0}\n") ==
        "sum");  // something else reads it
  CHECK(hero_of("[32,64]", "[64,32]", {}, "%q", "%n = f32[64,32]{1,0} negate(%sum)") == "t");
  CHECK(hero_of("[4,1024]", "[1024,4]", {}, "%q", "%n = f32[1024,4]{1,0} negate(%sum)") == "sum");
}
