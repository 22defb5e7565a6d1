#include <hlolint/checks/performance/layout_copy.hpp>
#include <hlolint/lint/lint.hpp>

#include "all_settings.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

findings lint_entry(const std::string& body, const layout_copy& check = {},
                    const std::string& header = ", is_scheduled=true") {
  const auto list = as_catalogue(check);
  return lint(
      list,
      context(module_of("HloModule m" + header +
                        "\n\n%wrapped (wp: f32[2048,2048]) -> f32[2048,2048] {\n"
                        "  %wp = f32[2048,2048]{1,0} parameter(0)\n  %wb = f32[2048,2048]{1,0} bitcast(%wp)\n"
                        "  ROOT %wt = f32[2048,2048]{1,0} transpose(%wb), dimensions={1,0}\n}\n\n"
                        "%fused (fp: f32[2048,2048]) -> f32[2048,2048] {\n  %fp = f32[2048,2048]{1,0} parameter(0)\n"
                        "  %fn = f32[2048,2048]{1,0} negate(%fp)\n"
                        "  ROOT %ft = f32[2048,2048]{1,0} transpose(%fn), dimensions={1,0}\n}\n\n"
                        "ENTRY %main {\n  %p = f32[2048,2048]{1,0} parameter(0)\n" +
                        body + "}\n")),
      all_settings(list));
}
const std::string copied =
    "  %c = f32[2048,2048]{0,1} copy(%p), metadata={op_name=\"f/dot\" source_file=\"f.py\" source_line=3}\n";
const std::string reader = "  ROOT %r = f32[2048,2048]{0,1} negate(%c)\n";

}  // namespace

TEST_CASE("PRF002 catches") {
  SUBCASE("a copy") {
    const findings found = lint_entry(copied + reader);
    REQUIRE(found.size() == 1);
    CHECK(found[0].level == severity::warning);
    CHECK(found[0].instruction == "c");
    CHECK(found[0].bytes == 16_MiB);
    CHECK(found[0].message ==
          "a copy of 16.00MiB only changes the dimension order: f32[2048,2048]{1,0} to f32[2048,2048]{0,1} (position 1 "
          "of 3 in main); at most 16.00MiB can be saved");
    CHECK(found[0].source_line == 3);
    CHECK(found[0].related[0].instruction == "r");
  }
  SUBCASE("a transpose, alone and wrapped") {
    CHECK(lint_entry("  %c = f32[2048,2048]{1,0} transpose(%p), dimensions={1,0}\n"
                     "  ROOT %r = f32[2048,2048]{1,0} negate(%c)\n")
              .size() == 1);
    const findings wrapped = lint_entry(
        "  %c = f32[2048,2048]{1,0} fusion(%p), kind=kInput, calls=%wrapped\n"
        "  ROOT %r = f32[2048,2048]{1,0} negate(%c)\n");
    REQUIRE(wrapped.size() == 1);
    CHECK(wrapped[0].instruction == "c");
  }
  SUBCASE("around an all-to-all, whoever reads it") {
    const std::string sends = "all-to-all(%c), channel_id=1, replica_groups={{0,1}}, dimensions={0}\n";
    const findings before = lint_entry(copied + "  ROOT %r = f32[2048,2048]{0,1} " + sends);
    REQUIRE(before.size() == 1);
    CHECK(before[0].level == severity::warning);
    const findings after = lint_entry(
        "  %s = f32[2048,2048]{1,0} all-to-all(%p), channel_id=1, replica_groups={{0,1}}, dimensions={0}\n"
        "  %b = f32[2048,2048]{1,0} bitcast(%s)\n  %c = f32[2048,2048]{0,1} copy(%b)\n"
        "  ROOT %r = f32[8]{0} custom-call(%c), custom_call_target=\"gemm\"\n");
    REQUIRE(after.size() == 1);
    CHECK(after[0].level == severity::warning);
  }
  SUBCASE("a note between a transform and an all-to-all") {
    const findings found = lint_entry(
        "  %f = f32[2048,2048]{1,0} fft(%p), fft_type=FFT, fft_length={2048}\n  %c = f32[2048,2048]{0,1} copy(%f)\n"
        "  ROOT %r = f32[2048,2048]{0,1} all-to-all(%c), channel_id=1, replica_groups={{0,1}}, dimensions={0}\n");
    REQUIRE(found.size() == 1);
    CHECK(found[0].level == severity::note);
  }
  SUBCASE("a note if only a custom call reads it") {
    const findings found = lint_entry(copied +
                                      "  %b = f32[4194304]{0} bitcast(%c)\n"
                                      "  ROOT %r = f32[8]{0} custom-call(%b), custom_call_target=\"gemm\"\n");
    REQUIRE(found.size() == 1);
    CHECK(found[0].level == severity::note);
    CHECK(found[0].related[0].instruction == "r");
  }
  SUBCASE("a note if it is the result") {
    for (const char* const end :
         {"  ROOT %c = f32[2048,2048]{0,1} copy(%p)\n",
          "  %c = f32[2048,2048]{0,1} copy(%p)\n  ROOT %t = (f32[2048,2048]{0,1}) tuple(%c)\n"}) {
      const findings found = lint_entry(end);
      REQUIRE(found.size() == 1);
      CHECK(found[0].level == severity::note);
    }
    const findings both = lint_entry(copied +
                                     "  %r = f32[2048,2048]{0,1} negate(%c)\n"
                                     "  ROOT %t = (f32[2048,2048]{0,1}) tuple(%c)\n");
    REQUIRE(both.size() == 1);
    CHECK(both[0].level == severity::warning);
  }
}

TEST_CASE("PRF002 does not catch") {
  CHECK(lint_entry(copied + reader, layout_copy{.min_bytes = 17_MiB}).empty());
  CHECK(lint_entry(copied + reader, {}, "").skipped.size() == 1);
  CHECK(lint_entry("  %c = f32[2048,2048]{1,0} copy(%p)\n  ROOT %r = f32[2048,2048]{1,0} negate(%c)\n").empty());
  // computes as well
  CHECK(lint_entry("  ROOT %c = f32[2048,2048]{1,0} fusion(%p), kind=kInput, calls=%fused\n").empty());
  // an order of dimensions of extent 1
  CHECK(lint_entry("  %q = f32[4194304,1]{1,0} parameter(1)\n  ROOT %c = f32[4194304,1]{0,1} copy(%q)\n").empty());
}

TEST_CASE("PRF002 catches many small ones together") {
  // Three copies of 16 MiB each, which is below the limit, beside a little work.
  std::string body;
  for (const char* name : {"a", "b", "c"}) body += std::string("  %") + name + " = f32[2048,2048]{0,1} copy(%p)\n";
  body += "  %s = f32[2048,2048]{0,1} add(%a, %b)\n  ROOT %r = f32[2048,2048]{0,1} add(%s, %c)\n";
  layout_copy check;
  check.min_bytes = 32_MiB;
  const findings found = lint_entry(body, check);
  REQUIRE(found.size() == 1);
  CHECK(found[0].message.find("3 copies and transposes of less than 32.00MiB each only change the dimension order: "
                              "48.00MiB in a step, ") == 0);
  CHECK(found[0].related.size() == 2);
  check.min_bytes = 64_MiB;
  CHECK(lint_entry(body, check).empty());  // too little together
  check.min_bytes = 32_MiB, check.min_percent = 99;
  CHECK(lint_entry(body, check).empty());
}
