#include <hlolint/checks/collectives/uncombined_small.hpp>
#include <hlolint/lint/lint.hpp>

#include "all_settings.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// `count` all-reduces of 32 B, each of the parameter, or each of the one before.
findings lint_reductions(int count, bool chained = false, const std::string& odd_groups = "{}",
                         const uncombined_small& check = {}, target on = target::unknown) {
  std::string body;
  for (int i = 0; i < count; ++i)
    body += "  %r" + std::to_string(i) + "x = f32[8]{0} all-reduce(%" +
            (chained && i > 0 ? "r" + std::to_string(i - 1) + "x" : "p") +
            "), replica_groups=" + (i % 2 ? odd_groups : "{}") + ", to_apply=%add\n";
  const auto list = as_catalogue(check);
  return lint(list,
              context({.hlo = module_of("HloModule m, is_scheduled=true, replica_count=2\n\n"
                                        "%add (a: f32[], b: f32[]) -> f32[] {\n"
                                        "  %a = f32[] parameter(0)\n  %b = f32[] parameter(1)\n"
                                        "  ROOT %ab = f32[] add(%a, %b)\n}\n\n"
                                        "ENTRY %main {\n  %p = f32[8]{0} parameter(0)\n" +
                                        body + "  ROOT %n = f32[8]{0} negate(%p)\n}\n"),
                       .target = on}),
              all_settings(list));
}

}  // namespace

TEST_CASE("COL015 catches") {
  const findings found = lint_reductions(5);
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::note);
  CHECK(found[0].instruction == "r0x");
  CHECK(found[0].bytes == 160);
  CHECK(found[0].message ==
        "5 independent all-reduce of at most 32B, together 160B, could be one (position 1 of 7 in main)");
  CHECK(found[0].related.size() == 4);
  CHECK(found[0].advice.find("--xla_gpu") == std::string::npos);
  const findings on_gpu = lint_reductions(5, false, "{}", {}, target::gpu);
  REQUIRE(on_gpu.size() == 1);
  CHECK(on_gpu[0].advice.find("--xla_gpu_all_reduce_combine_threshold_bytes") != std::string::npos);
}

TEST_CASE("COL015 does not catch") {
  CHECK(lint_reductions(3).empty());
  CHECK(lint_reductions(5, true).empty());              // each needs the one before
  CHECK(lint_reductions(6, false, "{{0,1}}").empty());  // three of each group
  CHECK(lint_reductions(6, false, "{{0},{1}}").empty());
  CHECK(lint_reductions(5, false, "{}", uncombined_small{.small_bytes = 16}).empty());
}
