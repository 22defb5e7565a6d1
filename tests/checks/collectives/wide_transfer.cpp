#include <hlolint/checks/collectives/wide_transfer.hpp>
#include <hlolint/lint/lint.hpp>

#include "all_settings.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// `%p` has 4 MiB, `%h` half as many.
hlo_module module_with(const std::string& body, const std::string& header = ", is_scheduled=true") {
  return module_of("HloModule m" + header +
                   ", num_partitions=4\n\n"
                   "%add (x: f32[], y: f32[]) -> f32[] {\n  %x = f32[] parameter(0)\n  %y = f32[] parameter(1)\n"
                   "  ROOT %sum = f32[] add(%x, %y)\n}\n\n"
                   "%narrowing (np: f32[4194304]) -> bf16[4194304] {\n  %np = f32[4194304]{0} parameter(0)\n"
                   "  %nc = bf16[4194304]{0} convert(%np)\n  ROOT %nn = bf16[4194304]{0} negate(%nc)\n}\n\n"
                   "%reading (rp: f32[4194304]) -> bf16[4194304] {\n  %rp = f32[4194304]{0} parameter(0)\n"
                   "  %rn = f32[4194304]{0} negate(%rp)\n  ROOT %rc = bf16[4194304]{0} convert(%rn)\n}\n\n"
                   "%widening (wp: bf16[1048576]) -> f32[1048576] {\n  %wp = bf16[1048576]{0} parameter(0)\n"
                   "  %wc = f32[1048576]{0} convert(%wp)\n  ROOT %wt = f32[1048576]{0} copy(%wc)\n}\n\n"
                   "ENTRY %main {\n  %p = f32[1048576]{0} parameter(0)\n  %h = bf16[1048576]{0} parameter(1)\n" +
                   body + "}\n");
}
findings lint_entry(const std::string& body, const std::string& header = ", is_scheduled=true") {
  return lint(wide_transfer{}, module_with(body, header));
}
std::string gather(const std::string& operand, const std::string& groups = "{{0,1,2,3}}") {
  return "  %g = f32[4194304]{0} all-gather(%" + operand + "), channel_id=1, replica_groups=" + groups +
         ", dimensions={0}, use_global_device_ids=true\n";
}
const std::string narrowed = "  ROOT %c = bf16[4194304]{0} convert(%g)\n";

}  // namespace

TEST_CASE("COL020 catches") {
  SUBCASE("a gather of which everybody reads half the bits") {
    const findings found = lint_entry(gather("p") + narrowed);
    REQUIRE(found.size() == 1);
    CHECK(found[0].level == severity::warning);
    CHECK(found[0].instruction == "g");
    CHECK(found[0].bytes == 8_MiB);
    CHECK(
        found[0].message ==
        "all-gather of 16.00MiB moves f32, which is converted to bf16 wherever it is read: as bf16 it would be 8.00MiB "
        "(position 2 of 4 in main)");
    CHECK(found[0].related[0].instruction == "c");
  }
  SUBCASE("in a fusion, after an asynchronous gather") {
    const findings found = lint_entry(
        "  %s = (f32[1048576]{0}, f32[4194304]{0}) all-gather-start(%p), channel_id=1, replica_groups={{0,1,2,3}}, "
        "dimensions={0}, use_global_device_ids=true\n  %g = f32[4194304]{0} all-gather-done(%s)\n"
        "  ROOT %f = bf16[4194304]{0} fusion(%g), kind=kLoop, calls=%narrowing\n");
    REQUIRE(found.size() == 1);
    CHECK(found[0].instruction == "s");
    CHECK(found[0].related[0].instruction == "nc");
  }
  SUBCASE("what was made wide only to be sent") {
    const findings found =
        lint_entry("  %w = f32[1048576]{0} convert(%h)\n" + gather("w") + "  ROOT %n = f32[4194304]{0} negate(%g)\n");
    REQUIRE(found.size() == 1);
    CHECK(found[0].related[0].instruction == "w");
    CHECK(found[0].message.find("which was converted from bf16 before") != std::string::npos);
  }
}

TEST_CASE("COL020 notes sums that are converted before and after") {
  const std::string sum =
      "  %g = f32[1048576]{0} all-reduce(%w), channel_id=1, replica_groups={{0,1,2,3}}, use_global_device_ids=true, "
      "to_apply=%add\n";
  const std::string widened = "  %w = f32[1048576]{0} convert(%h)\n",
                    back = "  ROOT %c = bf16[1048576]{0} convert(%g)\n";
  const auto list = as_catalogue(wide_transfer{});
  const auto lint_all = [&](const std::string& body) {
    return lint(list, context(module_with(body)), all_settings(list));
  };
  const findings found = lint_all(widened + sum + back);
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::note);
  CHECK(found[0].message ==
        "all-reduce of 4.00MiB moves f32, which was converted from bf16 before and is converted back after it: as bf16 "
        "it would be 2.00MiB (position 3 of 5 in main)");
  CHECK(found[0].bytes == 2_MiB);
  // Of only one conversion the sum is meant to be exact.
  CHECK(lint_all(widened + sum + "  ROOT %c = f32[1048576]{0} negate(%g)\n").empty());
  CHECK(lint_all("  %w = f32[1048576]{0} negate(%p)\n" + sum + back).empty());
}

TEST_CASE("COL020 does not catch") {
  CHECK(lint_entry(gather("p") + narrowed, "").skipped.size() == 1);
  CHECK(lint_entry(gather("p", "{{0},{1},{2},{3}}") + narrowed).empty());
  // an instruction reads all bits, alone or in a fusion, or it is a result
  CHECK(lint_entry(gather("p") + "  %n = f32[4194304]{0} negate(%g)\n" + narrowed).empty());
  CHECK(lint_entry(gather("p") + "  ROOT %f = bf16[4194304]{0} fusion(%g), kind=kLoop, calls=%reading\n").empty());
  CHECK(lint_entry("  ROOT" + gather("p").substr(1)).empty());
  // XLA:CPU's own conversions
  const std::string wide = "  %w = f32[1048576]{0} convert(%h)";
  const std::string on_cpu = ", frontend_attributes={xla_cpu_of=\"a CPU\"}";
  CHECK(lint_entry(wide + on_cpu + "\n" + gather("w") + narrowed).empty());
  CHECK(lint_entry(wide + "\n" + gather("w") + narrowed).size() == 1);
  CHECK(lint_entry("  %d = f32[1048576]{0} copy(%p)" + on_cpu + "\n" + gather("d") + narrowed).size() == 1);
  CHECK(lint_entry("  %f = f32[1048576]{0} fusion(%h), kind=kLoop, calls=%widening" + on_cpu + "\n" + gather("f") +
                   narrowed)
            .empty());
  // rounding twice is another thing than rounding once
  CHECK(lint_entry(gather("p") + "  %d = f16[4194304]{0} convert(%g)\n" + narrowed).empty());
  // a sum of rounded numbers is another one
  CHECK(lint_entry("  %g = f32[1048576]{0} all-reduce(%p), channel_id=1, replica_groups={{0,1,2,3}}, "
                   "use_global_device_ids=true, to_apply=%add\n  ROOT %c = bf16[1048576]{0} convert(%g)\n")
            .empty());
}
