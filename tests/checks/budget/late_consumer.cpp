#include <hlolint/checks/budget/late_consumer.hpp>
#include <hlolint/lint/lint.hpp>

#include "all_settings.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// `%v` has 256 MiB and is there before a loop; `%a` and `%b` are parameters, `%late` is made after the loop.
findings lint_entry(const std::string& after, const std::string& between = "", const late_consumer& check = {}) {
  const auto list = as_catalogue(check);
  return lint(
      list,
      context(module_of("HloModule m, is_scheduled=true, num_partitions=8\n\n"
                        "%add (x: f32[], y: f32[]) -> f32[] {\n  %x = f32[] parameter(0)\n"
                        "  %y = f32[] parameter(1)\n  ROOT %s = f32[] add(%x, %y)\n}\n\n"
                        "%body (bp: f32[1024,1024]) -> f32[1024,1024] {\n  %bp = f32[1024,1024]{1,0} parameter(0)\n"
                        "  %b1 = f32[1024,1024]{1,0} negate(%bp)\n  %b2 = f32[1024,1024]{1,0} abs(%b1)\n"
                        "  ROOT %b3 = f32[1024,1024]{1,0} sine(%b2)\n}\n\n"
                        "%condition (cp: f32[1024,1024]) -> pred[] {\n  %cp = f32[1024,1024]{1,0} parameter(0)\n"
                        "  ROOT %go = pred[] constant(true)\n}\n\n"
                        "ENTRY %main {\n  %a = f32[65536,1024]{1,0} parameter(0)\n"
                        "  %b = f32[1024,1024]{1,0} parameter(1)\n"
                        "  %v = f32[65536,1024]{1,0} multiply(%a, %a)\n" +
                        between +
                        "  %w = f32[1024,1024]{1,0} while(%b), condition=%condition, body=%body\n"
                        "  %late = f32[65536,1024]{1,0} custom-call(%w), custom_call_target=\"__cublas$gemm\"\n" +
                        after + "}\n")),
      all_settings(list));
}
const std::string contracted = ", lhs_contracting_dims={0}, rhs_contracting_dims={0}\n";
const std::string result = "  ROOT %t = (f32[1024,1024]{1,0}, f32[1024,1024]{1,0}) tuple(%g, %w)\n";

}  // namespace

TEST_CASE("BUD010 catches") {
  SUBCASE("a product that could run before the loop") {
    const findings found = lint_entry("  %g = f32[1024,1024]{1,0} dot(%v, %a)" + contracted + result, "",
                                      {.min_bytes = 128_MiB, .min_positions = 4});
    REQUIRE(found.size() == 1);
    CHECK(found[0].level == severity::warning);
    CHECK(found[0].instruction == "v");
    CHECK(found[0].bytes == 252_MiB);
    CHECK(found[0].message ==
          "v keeps 256.00MiB from position 2 to 11 of 13 for g, which makes 4.00MiB of it and could "
          "run at position 3");
    REQUIRE(found[0].related.size() == 2);
    CHECK(found[0].related[0].instruction == "g");
    CHECK(found[0].related[1].instruction == "v");
  }
  SUBCASE("a reduce-scatter, behind a bitcast and after an earlier reader") {
    const findings found = lint_entry(
        "  %flat = f32[67108864]{0} bitcast(%v)\n"
        "  %g = f32[8388608]{0} reduce-scatter(%flat), channel_id=1, replica_groups={{0,1,2,3,4,5,6,7}}, "
        "use_global_device_ids=true, dimensions={0}, to_apply=%add\n"
        "  ROOT %t = (f32[8388608]{0}, f32[1024,1024]{1,0}, f32[65536,1024]{1,0}) tuple(%g, %w, %early)\n",
        "  %early = f32[65536,1024]{1,0} negate(%v)\n", {.min_bytes = 128_MiB, .min_positions = 4});
    REQUIRE(found.size() == 1);
    CHECK(found[0].instruction == "v");
    CHECK(found[0].bytes == 224_MiB);
    CHECK(found[0].related[1].instruction == "early");
  }
}

TEST_CASE("BUD010 only notes what is kept while less memory is in use than at another time") {
  const findings found =
      lint_entry("  %g = f32[1024,1024]{1,0} dot(%v, %a)" + contracted +
                     "  %y = f32[65536,1024]{1,0} negate(%late)\n  %z = f32[65536,1024]{1,0} custom-call(%y, %late), "
                     "custom_call_target=\"sums\"\n  ROOT %t = (f32[1024,1024]{1,0}, f32[1024,1024]{1,0}, "
                     "f32[65536,1024]{1,0}, f32[65536,1024]{1,0}) tuple(%g, %w, %y, %z)\n",
                 "", {.min_bytes = 128_MiB, .min_positions = 4});
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::note);
  CHECK(found[0].message.find("; most memory is in use at another time") != std::string::npos);
}

TEST_CASE("BUD010 does not catch") {
  const late_consumer check{.min_bytes = 128_MiB, .min_positions = 4};
  // too little, and not long
  CHECK(lint_entry("  %g = f32[1024,1024]{1,0} dot(%v, %a)" + contracted + result, "", {.min_positions = 4}).empty());
  CHECK(lint_entry("  %g = f32[1024,1024]{1,0} dot(%v, %a)" + contracted + result, "", {.min_bytes = 128_MiB}).empty());
  // needs what is made late, as what a backward pass keeps from the forward one
  CHECK(lint_entry("  %g = f32[1024,1024]{1,0} dot(%v, %late)" + contracted + result, "", check).empty());
  // before the loop already
  CHECK(lint_entry(result, "  %g = f32[1024,1024]{1,0} dot(%v, %a)" + contracted, check).empty());
  // nothing smaller comes of it
  CHECK(lint_entry("  %n = f32[65536,1024]{1,0} negate(%v)\n  %g = f32[1024,1024]{1,0} slice(%n), slice={[0:1024], "
                   "[0:1024]}\n" +
                       result,
                   "", check)
            .empty());
  // part of a result
  CHECK(lint_entry("  %g = f32[1024,1024]{1,0} dot(%v, %a)" + contracted +
                       "  ROOT %t = (f32[1024,1024]{1,0}, f32[65536,1024]{1,0}) tuple(%g, %v)\n",
                   "", check)
            .empty());
  // held there on purpose
  CHECK(lint_entry("  %g = f32[1024,1024]{1,0} dot(%v, %a), lhs_contracting_dims={0}, rhs_contracting_dims={0}, "
                   "control-predecessors={%w}\n" +
                       result,
                   "", check)
            .empty());
}
