#include <hlolint/checks/collectives/collective_under_divergent_branch.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// A conditional on `decides`; its branches do `yes` and `no` with their parameter.
findings lint_branches(const std::string& yes, const std::string& no, const std::string& decides = "first") {
  const auto branch = [](const std::string& name, const std::string& operation) {
    return "%" + name + " (" + name + "p: f32[8]) -> f32[8] {\n  %" + name + "p = f32[8]{0} parameter(0)\n  ROOT %" +
           name + "r = f32[8]{0} " + operation + "\n}\n\n";
  };
  return lint(collective_under_divergent_branch{},
              module_of("HloModule m, num_partitions=2\n\n" + branch("yes", yes) + branch("no", no) +
                        "ENTRY %main {\n  %p = f32[8]{0} parameter(0)\n  %given = pred[] parameter(1)\n"
                        "  %id = u32[] partition-id()\n"
                        "  %zero = u32[] constant(0)\n  %first = pred[] compare(%id, %zero), direction=EQ\n"
                        "  ROOT %c = f32[8]{0} conditional(%" +
                        decides + ", %p, %p), true_computation=%yes, false_computation=%no\n}\n"));
}
std::string permute(const std::string& name) {
  return "collective-permute(%" + name + "p), channel_id=1, source_target_pairs={{0,1},{1,0}}";
}

}  // namespace

TEST_CASE("COL012 catches") {
  const findings found = lint_branches(permute("yes"), "negate(%nop)");
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::warning);
  CHECK(found[0].instruction == "yesr");
  CHECK(found[0].message ==
        "collective-permute runs only on devices that take this branch of c, which depends on the device's number");
  REQUIRE(found[0].related.size() == 2);
  CHECK(found[0].related[0].instruction == "c");
  CHECK(found[0].related[1].instruction == "first");
}

TEST_CASE("COL012 does not catch") {
  CHECK(lint_branches(permute("yes"), permute("no")).empty());            // the same in both
  CHECK(lint_branches(permute("yes"), "negate(%nop)", "given").empty());  // decided by an argument
  CHECK(lint_branches("negate(%yesp)", "abs(%nop)").empty());
  CHECK(lint_branches("collective-permute(%yesp), channel_id=1, source_target_pairs={{0,0}}", "negate(%nop)").empty());
}
