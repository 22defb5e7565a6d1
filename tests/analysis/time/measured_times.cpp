#include <hlolint/analysis/time/measured_times.hpp>

#include "analysis/module_of.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <string_view>
#include <utility>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("measured_times: the start of a transfer has the time of its end too") {
  const hlo_module module = module_of(R"(HloModule m, is_scheduled=true

ENTRY %e (p: f32[4]) -> f32[4] {
  %p = f32[4]{0} parameter(0)
  %s = (f32[4]{0:S(5)}, f32[4]{0}, u32[]) copy-start(%p)
  %n = f32[4]{0} negate(%p)
  %d = f32[4]{0:S(5)} copy-done(%s)
  ROOT %r = f32[4]{0} add(%n, %p)
}
)");
  const std::vector<std::pair<std::string_view, double>> seconds{
      {"n", 300e-12}, {"s", 10e-12}, {"d", 50e-12}, {"other", 4e-12}, {"n", 1e-12}};
  const measured_times times(module, seconds);
  const auto of = [&](std::string_view name) { return times.of(module.entry().find(name)); };
  REQUIRE(of("n"));
  CHECK(*of("n") == nearly(301e-12));
  CHECK(*of("d") == nearly(50e-12));
  CHECK(*of("s") == nearly(60e-12));
  CHECK_FALSE(of("p"));
}
