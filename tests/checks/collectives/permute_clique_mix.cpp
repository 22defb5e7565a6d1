#include <hlolint/checks/collectives/permute_clique_mix.hpp>
#include <hlolint/lint/lint.hpp>

#include "all_settings.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

findings lint_permutes(const std::string& first, const std::string& second, target backend = target::gpu,
                       compiler_flags flags = {}) {
  const auto list = as_catalogue(permute_clique_mix{});
  return lint(list,
              context({.hlo = module_of("HloModule m\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n"
                                        "  %a = f32[8]{0} collective-permute(%p), "
                                        "source_target_pairs=" +
                                        first + "\n  ROOT %b = f32[8]{0} collective-permute(%a), source_target_pairs=" +
                                        second + "\n}\n"),
                       .target = backend,
                       .flags = std::move(flags)}),
              all_settings(list));
}

}  // namespace

TEST_CASE("COL006 catches") {
  const findings found = lint_permutes("{{0,1},{2,3}}", "{{1,2}}");
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::note);
  CHECK(found[0].instruction == "b");
  CHECK(found[0].message == "its pairs {{1,2}} join devices that a joins with others");
  CHECK(found[0].related[0].instruction == "a");
}

TEST_CASE("COL006 does not catch") {
  CHECK(lint_permutes("{{0,1},{1,0}}", "{{0,1}}").empty());  // the same devices
  CHECK(lint_permutes("{{0,1}}", "{{2,3}}").empty());        // others
  CHECK(lint_permutes("{{0,1},{2,3}}", "{{1,1}}").empty());  // moves nothing
  CHECK(lint_permutes("{{0,1},{2,3}}", "{{1,2}}", target::tpu).empty());
}

TEST_CASE("COL006 knows whether the flag that it is about is on") {
  const auto flag_is = [](const std::string& value) {
    return compiler_flags(source("--xla_gpu_collective_permute_connected_components=" + value));
  };
  CHECK(lint_permutes("{{0,1},{2,3}}", "{{1,2}}", target::gpu, flag_is("false")).empty());
  const findings found = lint_permutes("{{0,1},{2,3}}", "{{1,2}}", target::gpu, flag_is("true"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].advice.find("Without") == std::string::npos);
}
