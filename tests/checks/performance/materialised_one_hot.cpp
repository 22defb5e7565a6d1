#include <hlolint/checks/performance/materialised_one_hot.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// `%i` are 16384 indices, `%table` has 2048 rows; a one-hot array of bf16 has 64 MiB.
findings lint_entry(const std::string& body, const materialised_one_hot& check = {}, const std::string& what = "EQ",
                    const std::string& with = "iota(), iota_dimension=1") {
  return lint(check, module_of("HloModule m, is_scheduled=true\n\n%fused (fp: s32[16384]) -> bf16[16384,2048] {\n"
                               "  %fp = s32[16384]{0} parameter(0)\n"
                               "  %fb = s32[16384,2048]{1,0} broadcast(%fp), dimensions={0}\n"
                               "  %fi = s32[16384,2048]{1,0} " +
                               with +
                               "\n"
                               "  %fc = pred[16384,2048]{1,0} compare(%fb, %fi), direction=" +
                               what +
                               "\n"
                               "  ROOT %fr = bf16[16384,2048]{1,0} convert(%fc)\n}\n\nENTRY %main {\n"
                               "  %i = s32[16384]{0} parameter(0)\n  %table = bf16[2048,256]{1,0} parameter(1)\n" +
                               body + "}\n"));
}
const std::string fused = "  %h = bf16[16384,2048]{1,0} fusion(%i), kind=kLoop, calls=%fused\n";
const std::string other_work = "  %n = s32[16384]{0} negate(%i)\n  %m = s32[16384]{0} abs(%n)\n";
const std::string with_table =
    "  ROOT %r = bf16[16384,256]{1,0} dot(%h, %table), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n";

}  // namespace

TEST_CASE("PRF017 catches") {
  SUBCASE("a fusion, and what multiplies with it") {
    const findings found = lint_entry(fused + other_work + with_table);
    REQUIRE(found.size() == 1);
    CHECK(found[0].level == severity::warning);
    CHECK(found[0].instruction == "h");
    CHECK(found[0].bytes == 64_MiB);
    CHECK(found[0].message == "a one-hot array of 64.00MiB is written to memory and kept from position 2 to 5 of 6");
    REQUIRE(found[0].related.size() == 1);
    CHECK(found[0].related[0].instruction == "r");
    CHECK(found[0].related[0].message == "multiplies with it");
  }
  SUBCASE("instructions of their own, once, behind a bitcast") {
    const findings found = lint_entry(
        "  %b = s32[16384,2048]{1,0} broadcast(%i), dimensions={0}\n"
        "  %o = s32[2048]{0} iota(), iota_dimension=0\n"
        "  %ob = s32[16384,2048]{1,0} broadcast(%o), dimensions={1}\n"
        "  %c = pred[16384,2048]{1,0} compare(%ob, %b), direction=EQ\n"
        "  %x = bf16[16384,2048]{1,0} convert(%c)\n  %h = bf16[16384,2048]{1,0} bitcast(%x)\n" +
            with_table,
        {.min_bytes = 16_MiB});
    REQUIRE(found.size() == 1);
    CHECK(found[0].instruction == "x");
  }
}

TEST_CASE("PRF017 catches one-hot arrays as a GPU's products have them") {
  const auto lint_gpu = [](const std::string& text) {
    context::parts parts;
    parts.hlo = module_of("HloModule m, is_scheduled=true\n\n" + text);
    parts.target = target::gpu, parts.device = find_device("h100-sxm").value();
    return lint(materialised_one_hot{}, context(std::move(parts)));
  };
  SUBCASE("padded to whole tiles, and multiplied in a fusion") {
    const findings found = lint_gpu(
        "%p {\n  %i = s32[4096]{0} parameter(0)\n  %b = s32[4096,20000]{1,0} broadcast(%i), dimensions={0}\n"
        "  %o = s32[4096,20000]{1,0} iota(), iota_dimension=1\n"
        "  %e = pred[4096,20000]{1,0} compare(%b, %o), direction=EQ\n  %h = bf16[4096,20000]{1,0} convert(%e)\n"
        "  %z = bf16[] constant(0)\n  ROOT %r = bf16[4096,20032]{1,0} pad(%h, %z), padding=0_0x0_32\n}\n\n"
        "%g {\n  %a = bf16[4096,20032]{1,0} parameter(0)\n  %t = bf16[20032,64]{1,0} parameter(1)\n"
        "  ROOT %d = bf16[4096,64]{1,0} dot(%a, %t), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n\n"
        "ENTRY %main {\n  %i = s32[4096]{0} parameter(0)\n  %t = bf16[20032,64]{1,0} parameter(1)\n"
        "  %h = bf16[4096,20032]{1,0} fusion(%i), kind=kLoop, calls=%p\n"
        "  ROOT %d = bf16[4096,64]{1,0} fusion(%h, %t), kind=kCustom, calls=%g\n}\n");
    REQUIRE(found.size() == 1);
    CHECK(found[0].instruction == "h");
    CHECK(found[0].related.back().message == "multiplies with it");
  }
  SUBCASE("split along the classes") {
    const auto split = [&](const char* iota) {
      return lint_gpu(
          std::string("%f {\n  %t = bf16[8,25008,64]{2,1,0} parameter(0)\n  %i = s32[4096]{0} parameter(1)\n"
                      "  %b = s32[4096,8,25008]{2,1,0} broadcast(%i), dimensions={0}\n") +
          iota +
          "  %c = s32[4096,8,25008]{2,1,0} bitcast(%o)\n"
          "  %e = pred[4096,8,25008]{2,1,0} compare(%b, %c), direction=EQ\n"
          "  %h = bf16[4096,8,25008]{2,1,0} convert(%e)\n"
          "  ROOT %d = f32[8,4096,64]{2,1,0} dot(%h, %t), lhs_batch_dims={1}, lhs_contracting_dims={2}, "
          "rhs_batch_dims={0}, rhs_contracting_dims={1}\n}\n\n"
          "ENTRY %main {\n  %t = bf16[8,25008,64]{2,1,0} parameter(0)\n  %i = s32[4096]{0} parameter(1)\n"
          "  ROOT %g = f32[8,4096,64]{2,1,0} fusion(%t, %i), kind=kCustom, calls=%f\n}\n");
    };
    REQUIRE(split("  %o = s32[4096,200064]{1,0} iota(), iota_dimension=1\n").size() == 1);
    CHECK(split("  %o = s32[4096,200064]{1,0} iota(), iota_dimension=0\n").empty());
  }
}

TEST_CASE("PRF017 does not catch") {
  CHECK(lint_entry(fused + with_table, {.min_bytes = 65_MiB}).empty());
  CHECK(lint_entry(fused + with_table, {}, "LT").empty());                                    // a mask
  CHECK(lint_entry(fused + with_table, {}, "EQ", "broadcast(%fp), dimensions={0}").empty());  // no iota
  // an identity matrix
  CHECK(lint_entry("  %o = s32[16384,2048]{1,0} iota(), iota_dimension=0\n"
                   "  %q = s32[16384,2048]{1,0} iota(), iota_dimension=1\n"
                   "  %c = pred[16384,2048]{1,0} compare(%o, %q), direction=EQ\n"
                   "  %h = bf16[16384,2048]{1,0} convert(%c)\n" +
                       with_table,
                   {.min_bytes = 16_MiB})
            .empty());
  // made where it is read
  CHECK(lint_entry("  ROOT %r = bf16[16384,256]{1,0} custom-call(%i, %table), custom_call_target=\"rows\"\n").empty());
}

TEST_CASE("PRF017 catches a fused product that looks rows up on a GPU") {
  const auto lint_product = [](const std::string& one_hot, const std::string& other, const std::string& dot,
                               const std::string& made) {
    context::parts parts;
    parts.hlo = module_of("HloModule m, is_scheduled=true\n\n%f (t: " + other + ", i: s32[8192]) -> " + made +
                          " {\n  %t = " + other + " parameter(0)\n  %i = s32[8192]{0} parameter(1)\n  %b = s32[" +
                          one_hot + "]{1,0} broadcast(%i), dimensions={0}\n  %o = s32[" + one_hot +
                          "]{1,0} iota(), iota_dimension=1\n  %e = pred[" + one_hot +
                          "]{1,0} compare(%b, %o), direction=EQ\n  %h = bf16[" + one_hot +
                          "]{1,0} convert(%e)\n  ROOT %d = " + made + " dot(" + dot +
                          "\n}\n\nENTRY %main {\n  %table = " + other +
                          " parameter(0)\n  %indices = s32[8192]{0} parameter(1)\n  ROOT %g = " + made +
                          " fusion(%table, %indices), kind=kCustom, calls=%f\n}\n");
    parts.target = target::gpu, parts.device = find_device("h100-sxm").value();
    return lint(materialised_one_hot{}, context(std::move(parts)));
  };
  const findings found =
      lint_product("8192,32768", "bf16[32768,1024]{1,0}", "%h, %t), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
                   "bf16[8192,1024]{1,0}");
  REQUIRE(found.size() == 1);
  CHECK(found[0].instruction == "g");
  CHECK(found[0].message.find("to look up rows, which a gather moves in ~") != std::string::npos);
  // The gradient of that sums over the indices: each row of the table gets the sum of several.
  CHECK(lint_product("8192,32768", "bf16[8192,1024]{1,0}",
                     "%h, %t), lhs_contracting_dims={0}, rhs_contracting_dims={0}", "bf16[32768,1024]{1,0}")
            .empty());
}
