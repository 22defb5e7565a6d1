#include <hlolint/checks/aliasing/operand_alias_invalid.hpp>

#include "checks/aliasing/alias_fixtures.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;
using namespace hlolint::testing::aliases;

namespace {

std::string with_call(const std::string& rest, const std::string& result = "(f32[8]{0}, f32[16]{0})") {
  return "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n  %q = (f32[16]{0}, "
         "f32[]{:S(2)}) parameter(1)\n"
         "  ROOT %c = " +
         result + " custom-call(%p, %q), custom_call_target=\"f\", output_to_operand_aliasing={" + rest + "}\n}\n";
}

}  // namespace

TEST_CASE("ALI010 catches") {
  CHECK(messages<operand_alias_invalid>(with_call("{0}: (2, {})")) ==
        texts{"aliasing names operand 2 of 2 ({0}: (2, {}))"});
  CHECK(messages<operand_alias_invalid>(with_call("{0}: (1, {2})")) ==
        texts{"aliasing names index {2} of operand 1, which has none ({0}: (1, {2}))"});
  CHECK(messages<operand_alias_invalid>(with_call("{2}: (0, {})")) ==
        texts{"aliasing names output index {2}, which does not exist ({2}: (0, {}))"});
  CHECK(messages<operand_alias_invalid>(with_call("{1}: (0, {})")) ==
        texts{"output {1} is f32[16]{0} but lies in the buffer of operand 0, which is f32[8]{0} ({1}: (0, {}))"});
  CHECK(messages<operand_alias_invalid>(with_call("{}: (0, {})", "f32[8]{0:S(1)}")).size() == 1);
  const findings found = lint(operand_alias_invalid{}, module_of(with_call("{0}: (0, {}), {1}: (0, {})")));
  REQUIRE(found.size() == 1);
  CHECK(found[0].where.text() == "{1}: (0, {})");
  CHECK(found[0].instruction == "c");
  CHECK(found[0].related[0].instruction == "p");
}

TEST_CASE("ALI010 does not judge tiles where a computation may be part of a fusion of the missing ENTRY") {
  const auto found_in = [](const std::string& shape_of_operand) {
    const parsed_file cut =
        parse_hlo(source("HloModule m, is_scheduled=true, entry_computation_layout={(f32[8]{0})->f32[8]{0}}\n\n%copy "
                         "(q: f32[8,128]) -> f32[8,128] {\n"
                         "  ROOT %q = f32[8,128]{1,0:T(8,128)} parameter(0)\n}\n\n"
                         "%fused_computation.2 {\n  %p = " +
                         shape_of_operand +
                         " parameter(0)\n  ROOT %f = f32[8,128]{1,0:T(8,128)} fusion(%p), kind=kLoop, "
                         "output_to_operand_aliasing={{}: (0, {})}, calls=%copy\n}\n"));
    CHECK_FALSE(cut.modules().at(0).entry());
    return lint(operand_alias_invalid{}, cut.modules().at(0)).size();
  };
  CHECK(found_in("f32[8,128]{1,0:T(4,128)S(1)}") == 0);
  CHECK(found_in("f32[8,64]{1,0:T(8,128)}") == 1);
}

TEST_CASE("ALI010 does not catch") {
  CHECK(messages<operand_alias_invalid>(with_call("{0}: (0, {}), {1}: (1, {0})")).empty());
  // Scalars of custom calls may lie in another memory space.
  CHECK(messages<operand_alias_invalid>(with_call("{}: (1, {1})", "f32[]")).empty());
  // A custom call may turn an array into a buffer and back.
  CHECK(messages<operand_alias_invalid>(with_call("{}: (0, {})", "b(f32[8]{0})")).empty());
  // Before layouts are assigned they may differ.
  std::string early = with_call("{}: (0, {})", "f32[8]{0:S(1)}");
  early.replace(early.find(", is_scheduled=true"), 19, "");
  CHECK(messages<operand_alias_invalid>(early).empty());
  // Nothing uses it.
  CHECK(messages<operand_alias_invalid>("HloModule m\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n"
                                        "  %c = f32[16]{0} custom-call(%p), custom_call_target=\"f\", "
                                        "output_to_operand_aliasing={{}: (0, {})}\n  ROOT %n = f32[8]{0} negate(%p)\n"
                                        "}\n")
            .empty());
  // Operands and result of a call come with its update.
  CHECK(messages<operand_alias_invalid>(
            "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n"
            "  %s = ((), (), u32[]) custom-call-start(), async_execution_thread=\"sparsecore\", "
            "custom_call_target=\"f\", output_to_operand_aliasing={{}: (0, {})}\n"
            "  %u = ((f32[8]{0}), f32[8]{0}, u32[]) custom-call-update(%s, %p)\n"
            "  ROOT %d = f32[8]{0} custom-call-done(%u)\n}\n")
            .empty());
  // Fusions inside fusions may differ in tiles and memory space.
  CHECK(messages<operand_alias_invalid>(
            "HloModule m, is_scheduled=true\n\n%inner {\n  %ip = f32[8]{0:T(128)} parameter(0)\n"
            "  ROOT %in = f32[8]{0} negate(%ip)\n}\n\n"
            "%outer {\n  %op = f32[8]{0:T(128)S(1)} parameter(0)\n  ROOT %of = f32[8]{0} fusion(%op), kind=kLoop, "
            "output_to_operand_aliasing={{}: (0, {})}, calls=%inner\n}\n\nENTRY %main {\n  %p = f32[8]{0:T(128)S(1)} "
            "parameter(0)\n  ROOT %f = f32[8]{0} fusion(%p), kind=kLoop, calls=%outer\n}\n")
            .empty());
}
