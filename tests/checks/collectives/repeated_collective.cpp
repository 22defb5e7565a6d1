#include <hlolint/checks/collectives/repeated_collective.hpp>
#include <hlolint/lint/lint.hpp>

#include "all_settings.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// `%p` and `%q` have 4 MiB each.
findings lint_entry(const std::string& body, const std::string& header = ", is_scheduled=true") {
  const auto list = as_catalogue(repeated_collective{});
  return lint(
      list,
      context(module_of("HloModule m" + header +
                        ", num_partitions=4\n\n"
                        "%wrapped (wp: f32[1048576]) -> f32[4194304] {\n  %wp = f32[1048576]{0} parameter(0)\n"
                        "  ROOT %wg = f32[4194304]{0} all-gather(%wp), channel_id=8, replica_groups={{0,1,2,3}}, "
                        "dimensions={0}, use_global_device_ids=true\n}\n\n"
                        "ENTRY %main {\n  %p = f32[1048576]{0} parameter(0)\n  %q = f32[1048576]{0} parameter(1)\n" +
                        body + "}\n")),
      all_settings(list));
}
std::string gather(const std::string& name, const std::string& operand, const std::string& groups = "{{0,1,2,3}}") {
  return "  %" + name + " = f32[4194304]{0} all-gather(%" + operand + "), channel_id=" + std::to_string(name.size()) +
         ", replica_groups=" + groups + ", dimensions={0}, use_global_device_ids=true\n";
}
std::string made(const std::string& name, const std::string& opcode, const std::string& operand) {
  return "  %" + name + " = f32[1048576]{0} " + opcode + "(%" + operand + ")\n";
}
const std::string sum = "  ROOT %s = f32[4194304]{0} add(%a, %bb)\n";

}  // namespace

TEST_CASE("COL019 catches") {
  SUBCASE("two gathers of one array, both used later") {
    const findings found = lint_entry(gather("a", "p") + gather("bb", "p") + sum);
    REQUIRE(found.size() == 1);
    CHECK(found[0].level == severity::warning);
    CHECK(found[0].instruction == "bb");
    CHECK(found[0].bytes == 16_MiB);
    CHECK(found[0].message == "all-gather of 16.00MiB repeats a, whose result is still used (position 3 of 5 in main)");
    CHECK(found[0].related[0].instruction == "a");
  }
  SUBCASE("groups in another form, operands computed alike, one gather in an async-start") {
    CHECK(lint_entry(gather("a", "p") + gather("bb", "p", "[1,4]<=[4]") + sum).size() == 1);
    CHECK(lint_entry(made("n", "negate", "p") + made("m", "negate", "p") + gather("a", "n") + gather("bb", "m") + sum)
              .size() == 1);
    CHECK(lint_entry(gather("a", "p") +
                     "  %st = ((f32[1048576]{0}), f32[4194304]{0}) async-start(%p), calls=%wrapped\n"
                     "  %bb = f32[4194304]{0} async-done(%st)\n" +
                     sum)
              .size() == 1);
  }
  SUBCASE("as a note, where keeping the first would take memory") {
    const findings found = lint_entry(gather("a", "p") + "  %u = f32[4194304]{0} negate(%a)\n" + gather("bb", "p") +
                                      "  ROOT %s = f32[4194304]{0} add(%u, %bb)\n");
    REQUIRE(found.size() == 1);
    CHECK(found[0].level == severity::note);
  }
  SUBCASE("one operand of a combined gather") {
    const findings found = lint_entry(
        gather("a", "p") +
        "  %t = (f32[4194304]{0}, f32[4194304]{0}) all-gather(%q, %p), channel_id=5, replica_groups={{0,1,2,3}}, "
        "dimensions={0}, use_global_device_ids=true\n  %bb = f32[4194304]{0} get-tuple-element(%t), index=1\n" +
        sum);
    REQUIRE(found.size() == 1);
    CHECK(found[0].bytes == 16_MiB);
    CHECK(found[0].message.find("(1 of 2 operands)") != std::string::npos);
  }
}

TEST_CASE("COL019 does not catch") {
  CHECK(lint_entry(gather("a", "p") + gather("bb", "q") + sum).empty());
  CHECK(lint_entry(gather("a", "p") + gather("bb", "p", "{{0,2},{1,3}}") + sum).empty());
  CHECK(lint_entry(made("n", "negate", "p") + gather("a", "p") + gather("bb", "n") + sum).empty());
  CHECK(lint_entry(gather("a", "p", "{{0},{1},{2},{3}}") + gather("bb", "p", "{{0},{1},{2},{3}}") + sum).empty());
  CHECK(lint_entry(gather("a", "p") + gather("bb", "p") + sum, "").skipped.size() == 1);
  // what the text leaves out, and what differs each time
  CHECK(lint_entry("  %n = f32[1048576]{0} constant({...})\n  %m = f32[1048576]{0} constant({...})\n" +
                   gather("a", "n") + gather("bb", "m") + sum)
            .empty());
  CHECK(lint_entry("  %n = f32[1048576]{0} custom-call(%p), custom_call_target=\"random\"\n"
                   "  %m = f32[1048576]{0} custom-call(%p), custom_call_target=\"random\"\n" +
                   gather("a", "n") + gather("bb", "m") + sum)
            .empty());
}

TEST_CASE("COL019 catches an all-reduce of what is equal on all devices already") {
  const auto reduce = [](const std::string& name, const std::string& operand,
                         const std::string& groups = "{{0,1,2,3}}") {
    return "  %" + name + " = f32[1048576]{0} all-reduce(%" + operand + "), channel_id=" + std::to_string(name.size()) +
           ", replica_groups=" + groups + ", use_global_device_ids=true, to_apply=%add\n";
  };
  const auto lint_reduces = [&](const std::string& between, const std::string& operand,
                                const std::string& groups = "{{0,1,2,3}}") {
    return lint(
        repeated_collective{},
        context(module_of("HloModule m, is_scheduled=true, num_partitions=4\n\n%add {\n  %x = f32[] parameter(0)\n"
                          "  %y = f32[] parameter(1)\n  ROOT %s = f32[] add(%x, %y)\n}\n\nENTRY %main {\n"
                          "  %p = f32[1048576]{0} parameter(0)\n  %q = f32[1048576]{0} parameter(1)\n"
                          "  %c = f32[] constant(0.25)\n" +
                          reduce("a", "p") + between + reduce("bb", operand, groups) +
                          "  ROOT %r = f32[1048576]{0} negate(%bb)\n}\n")));
  };
  const findings found = lint_reduces("", "a");
  REQUIRE(found.size() == 1);
  CHECK(found[0].instruction == "bb");
  CHECK(found[0].level == severity::warning);
  CHECK(found[0].message ==
        "all-reduce of 4.00MiB combines what is equal on all its devices since a (position 4 of 6 in main)");
  CHECK(found[0].related[0].instruction == "a");
  const std::string scaled =
      "  %f = f32[1048576]{0} broadcast(%c), dimensions={}\n  %m = f32[1048576]{0} multiply(%a, %f)\n";
  CHECK(lint_reduces(scaled, "m").size() == 1);
  // With values of each device, over other devices, or by the number of the device.
  CHECK(lint_reduces("  %m = f32[1048576]{0} multiply(%a, %q)\n", "m").empty());
  CHECK(lint_reduces("", "a", "{{0,1},{2,3}}").empty());
  CHECK(lint_reduces("  %id = u32[] partition-id()\n  %n = f32[] convert(%id)\n"
                     "  %f = f32[1048576]{0} broadcast(%n), dimensions={}\n"
                     "  %m = f32[1048576]{0} multiply(%a, %f)\n",
                     "m")
            .empty());
  CHECK(lint_reduces("", "q").empty());
}
