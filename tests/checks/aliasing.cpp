#include <hlolint/checks/aliasing/alias_duplicate.hpp>
#include <hlolint/checks/aliasing/alias_size_mismatch.hpp>
#include <hlolint/checks/aliasing/operand_alias_invalid.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// Two parameters, two outputs.
std::string with_header(const std::string& header, const std::string& first = "f32[8]{0}",
                        const std::string& second = "f32[16]{0}") {
  return "HloModule m, " + header + "entry_computation_layout={(" + first + ", (" + second + ", token[]))->(" + first +
         ", " + second + ")}\n\nENTRY %main {\n  %p = " + first + " parameter(0)\n  %q = (" + second +
         ", token[]) parameter(1)\n  %q0 = " + second + " get-tuple-element(%q), index=0\n  ROOT %t = (" + first +
         ", " + second + ") tuple(%p, %q0)\n}\n";
}

template <class Check>
std::vector<std::string> messages(const std::string& text, target backend = target::unknown) {
  std::vector<std::string> out;
  for (const diagnostic& d : lint(Check{}, context({.hlo = module_of(text), .target = backend}))) {
    CHECK(d.level == severity::error);
    CHECK(!d.where.text().empty());
    out.push_back(d.message);
  }
  return out;
}

using texts = std::vector<std::string>;

}  // namespace

TEST_CASE("ALI001 catches") {
  CHECK(
      messages<alias_size_mismatch>(with_header("input_output_alias={ {1}: (0, {}, may-alias) }, ")) ==
      texts{"parameter 0 at index {} (f32[8]{0}) and output {1} (f32[16]{0}) share a buffer but take 32 and 64 bytes"});
  CHECK(messages<alias_size_mismatch>(
            with_header("input_output_alias={ {0}: (1, {0}, must-alias) }, ", "f32[2,4]{1,0}", "f32[2,4]{0,1}")) ==
        texts{"parameter 1 at index {0} (f32[2,4]{0,1}) and output {0} (f32[2,4]{1,0}) must alias but differ in shape, "
              "layout or memory space"});
  const findings found =
      lint(alias_size_mismatch{}, module_of(with_header("input_output_alias={ {1}: (0, {}, may-alias) }, ")));
  REQUIRE(found.size() == 1);
  CHECK(found[0].bytes == 32);
  CHECK(found[0].where.text() == "{1}: (0, {}, may-alias)");
  CHECK(found[0].instruction == "p");
  REQUIRE(found[0].related.size() == 2);
  CHECK(found[0].related[1].instruction == "t");
}

TEST_CASE("ALI001 does not catch") {
  CHECK(messages<alias_size_mismatch>(
            with_header("input_output_alias={ {0}: (0, {}, may-alias), {1}: (1, {0}, must-alias) }, "))
            .empty());
  CHECK(messages<alias_size_mismatch>(with_header("")).empty());
  // Another shape of the same size; other sizes that tiles make equal, or that they make different.
  CHECK(messages<alias_size_mismatch>(with_header("input_output_alias={ {0}: (1, {0}, may-alias) }, ", "f32[8]{0}", "s32[2,4]{1,0}")).empty());
  CHECK(messages<alias_size_mismatch>(
            with_header("input_output_alias={ {0}: (1, {0}, may-alias) }, ", "f32[100]{0:T(128)}", "f32[128]{0:T(128)}")).empty());
  CHECK(messages<alias_size_mismatch>(
            with_header("input_output_alias={ {0}: (1, {0}, may-alias) }, ", "f32[3,200]{1,0:T(8,128)}", "f32[3,200]{0,1:T(8,128)}"))
            .empty());
  CHECK(messages<alias_size_mismatch>(with_header("input_output_alias={ {0}: (1, {0}, may-alias) }, ", "f32[8]{0}", "f32[<=4]{0}")).empty());
  // Nothing is known of a module without layout whose entry is not marked.
  CHECK(messages<alias_size_mismatch>("HloModule m, input_output_alias={ {}: (0, {}, may-alias) }\n\n%c {\n"
                                      "  %p = f32[8]{0} "
                                      "parameter(0)\n  %r = f32[4]{0} slice(%p), slice={[0:4]}\n}\n")
            .empty());
}

TEST_CASE("ALI002 catches") {
  CHECK(messages<alias_duplicate>(
            with_header("input_output_alias={ {0}: (0, {}, may-alias), {1}: (0, {}, may-alias) }, ")) ==
        texts{"parameter 0 at index {} is aliased to two outputs"});
  CHECK(messages<alias_duplicate>(with_header("input_output_alias={ {0}: (2, {}, may-alias) }, ")) ==
        texts{"input_output_alias names parameter 2, but the entry has 2"});
  CHECK(messages<alias_duplicate>(with_header("input_output_alias={ {0}: (0, {0}, may-alias) }, ")) ==
        texts{"input_output_alias names parameter 0 at index {0}, which does not exist"});
  CHECK(messages<alias_duplicate>(with_header("input_output_alias={ {0}: (1, {1}, may-alias) }, ")) ==
        texts{"input_output_alias names parameter 1 at index {1}, which is no array"});
  CHECK(messages<alias_duplicate>(with_header("input_output_alias={ {}: (0, {}, may-alias) }, ")) ==
        texts{"input_output_alias names output {}, which is no array"});
  CHECK(messages<alias_duplicate>(with_header("buffer_donor={ (1, {}) }, ")) ==
        texts{"buffer_donor names parameter 1 at index {}, which is no array"});
  CHECK(messages<alias_duplicate>(
            with_header("input_output_alias={ {0}: (0, {}, may-alias) }, buffer_donor={ (0, {}) }, ")) ==
        texts{"parameter 0 at index {} is a buffer donor and is also aliased"});
  const findings found =
      lint(alias_duplicate{},
           module_of(with_header("input_output_alias={ {0}: (0, {}, may-alias), {1}: (0, {}, may-alias) }, ")));
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].related.size() == 1);
  CHECK(found[0].related[0].where.text() == "{0}: (0, {}, may-alias)");
}

TEST_CASE("ALI002 does not catch") {
  CHECK(messages<alias_duplicate>(with_header("")).empty());
  CHECK(messages<alias_duplicate>(
            with_header("input_output_alias={ {0}: (0, {}, may-alias), {1}: (1, {0}, must-alias) }, ")).empty());
  CHECK(messages<alias_duplicate>(
            with_header("input_output_alias={ {0}: (0, {}, may-alias) }, buffer_donor={ (1, {0}) }, "))
            .empty());
}

namespace {

std::string with_call(const std::string& rest, const std::string& result = "(f32[8]{0}, f32[16]{0})") {
  return "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n  %q = (f32[16]{0}, f32[]{:S(2)}) parameter(1)\n"
         "  ROOT %c = " + result + " custom-call(%p, %q), custom_call_target=\"f\", output_to_operand_aliasing={" + rest + "}\n}\n";
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
  // Fusions inside fusions may differ in tiles and memory space.
  CHECK(messages<operand_alias_invalid>(
            "HloModule m, is_scheduled=true\n\n%inner {\n  %ip = f32[8]{0:T(128)} parameter(0)\n"
            "  ROOT %in = f32[8]{0} negate(%ip)\n}\n\n"
            "%outer {\n  %op = f32[8]{0:T(128)S(1)} parameter(0)\n  ROOT %of = f32[8]{0} fusion(%op), kind=kLoop, "
            "output_to_operand_aliasing={{}: (0, {})}, calls=%inner\n}\n\nENTRY %main {\n  %p = f32[8]{0:T(128)S(1)} "
            "parameter(0)\n  ROOT %f = f32[8]{0} fusion(%p), kind=kLoop, calls=%outer\n}\n")
            .empty());
}
