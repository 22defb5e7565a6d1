#include <hlolint/checks/performance/remat_volume.hpp>
#include <hlolint/lint/lint.hpp>

#include "all_settings.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {
/// Nine instructions write 1 MiB each, besides one named `name`.
findings lint_named(const std::string& name, const remat_volume& check = {}, const std::string& type = "f32[262144]") {
  std::string body;
  for (int i = 0; i < 9; ++i) body += "  %n" + std::to_string(i) + " = f32[262144]{0} negate(%p)\n";
  const auto list = as_catalogue(check);
  return lint(list,
              context(module_of("HloModule m, is_scheduled=true\n\nENTRY %main {\n"
                                "  %p = f32[262144]{0} parameter(0)\n  %q = " +
                                type + "{0} parameter(1)\n" + body + "  ROOT %" + name + " = " + type +
                                "{0} exponential(%q)\n}\n")),
              all_settings(list));
}
}  // namespace

TEST_CASE("PRF011 catches") {
  const findings found = lint_named("exponential.3.remat2");
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::note);
  CHECK(found[0].instruction == "exponential.3.remat2");
  CHECK(found[0].bytes == 1_MiB);
  CHECK(found[0].message ==
        "1 rematerialized instructions write 1.00MiB, 10 % of what the program writes; the biggest is this of 1.00MiB");
}

TEST_CASE("PRF011 does not catch") {
  CHECK(lint_named("exponential.3").empty());
  CHECK(lint_named("exponential.3.remat", remat_volume{.min_percent = 11}).empty());
  CHECK(lint_named("exponential.3.remat", {}, "f32[64]").empty());
  // A fill that is made anew for each update in place is no result that could be kept.
  CHECK(lint(as_catalogue(remat_volume{}),
             context(module_of("HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = f32[262144]{0} parameter(0)\n"
                               "  %z = f32[] constant(0)\n  %n = f32[262144]{0} negate(%p)\n"
                               "  ROOT %fill.remat = f32[262144]{0} broadcast(%z), dimensions={}\n}\n")),
             all_settings(as_catalogue(remat_volume{})))
            .empty());
}
