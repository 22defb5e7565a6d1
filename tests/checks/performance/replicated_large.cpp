#include <hlolint/checks/performance/replicated_large.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {
findings lint_parameter(const std::string& parameter, const std::string& header = ", num_partitions=8",
                        const replicated_large& check = {}) {
  return lint(check, module_of("HloModule m" + header + "\n\nENTRY %main {\n  ROOT %p = " + parameter + "\n}\n"));
}
const std::string big = "f32[8192,4096]{1,0} parameter(0), sharding=";
}  // namespace

TEST_CASE("PRF014 catches") {
  const findings found = lint_parameter(big + "{replicated}");
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::warning);
  CHECK(found[0].instruction == "p");
  CHECK(found[0].bytes == 112_MiB);
  CHECK(found[0].message ==
        "128.00MiB are replicated on all 8 partitions; sharded over all they would be 16.00MiB on each");
  CHECK(lint_parameter(big + "{mesh['x'=4,'y'=2], [{}, {}]}").size() == 1);  // as Shardy writes it
  CHECK(lint_parameter(big + "{mesh['x'=4,'y'=2], [{'x'}, {}]}").empty());
  // Today the final module has no shardings: those before optimizations count.
  const hlo_module final =
      module_of("HloModule m, num_partitions=8\n\nENTRY %e {\n  ROOT %p = f32[8192,4096]{1,0} parameter(0)\n}\n");
  const hlo_module before =
      module_of("HloModule m, num_partitions=8\n\nENTRY %e {\n  ROOT %p = " + big + "{replicated}\n}\n");
  CHECK(lint(replicated_large{}, context({.hlo = final})).empty());
  CHECK(lint(replicated_large{}, context({.hlo = final, .compared_with = {.earlier = before}})).size() == 1);
  const findings part =
      lint_parameter("(f32[8]{0}, f32[8192,4096]{1,0}) parameter(0), sharding={{devices=[8]<=[8]}, {replicated}}");
  REQUIRE(part.size() == 1);
  CHECK(part[0].message.find("128.00MiB at {1} are replicated") == 0);
}

TEST_CASE("PRF014 adds smaller arrays up") {
  // as of optimizers: 17 of 64 MiB are more than a gigabyte
  const auto with = [](int count) {
    std::string text = "HloModule m, num_partitions=8\n\nENTRY %main {\n";
    for (int n = 0; n < count; ++n)
      text += "  %p" + std::to_string(n) + " = f32[4096,4096]{1,0} parameter(" + std::to_string(n) +
              "), sharding={replicated}\n";
    return lint(replicated_large{}, module_of(text + "  ROOT %t = () tuple()\n}\n"));
  };
  const findings found = with(17);
  REQUIRE(found.size() == 1);
  CHECK(found[0].instruction == "p0");
  CHECK(found[0].bytes == 17 * 56_MiB);
  CHECK(found[0].message ==
        "1.06GiB in 17 arrays below 128.00MiB are replicated on all 8 partitions; sharded over all they would be "
        "136.00MiB on each; this is the largest, 64.00MiB");
  CHECK(with(15).empty());
}

TEST_CASE("PRF014 does not catch") {
  CHECK(lint_parameter(big + "{devices=[8,1]<=[8]}").empty());
  CHECK(lint_parameter(big + "{replicated}", "").empty());
  CHECK(lint_parameter(big + "{replicated}", ", num_partitions=8", replicated_large{.min_bytes = 129_MiB}).empty());
  CHECK(lint_parameter("f32[8192,4096]{1,0} parameter(0)").empty());
}
