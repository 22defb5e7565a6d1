#include <hlolint/checks/performance/elided_narrowing.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

std::string at(const std::string& op_name, int line = 7) {
  return ", metadata={op_name=\"" + op_name + "\" source_file=\"f.py\" source_line=" + std::to_string(line) + "}\n";
}
hlo_module program(const std::string& body, const std::string& parameter = "f32[8]{0}") {
  return module_of("HloModule m\n\nENTRY %main {\n  %p = " + parameter + " parameter(0)\n" + body + "}\n");
}
texts outcome_of(const std::string& before, const std::string& after, const std::string& parameter = "f32[8]{0}") {
  context::parts parts;
  parts.hlo = program(after, parameter);
  parts.compared_with.earlier = program(before, parameter);
  return outcome(elided_narrowing{}, context(std::move(parts)));
}

const std::string doubled = "  %d = f32[8]{0} add(%p, %p)" + at("jit(f)/add"),
                  shown = "  ROOT %s = f32[8]{0} sine(%w)" + at("jit(f)/sin");
std::string rounded(const std::string& narrow = "bf16[8]{0}", const std::string& op_name = "jit(f)/round") {
  return doubled + "  %n = " + narrow + " convert(%d)" + at(op_name) + "  %w = f32[8]{0} convert(%n)" + at(op_name) +
         shown;
}
const std::string elided = doubled + "  ROOT %s = f32[8]{0} sine(%d)" + at("jit(f)/sin");

}  // namespace

TEST_CASE("PRF010 catches") {
  CHECK(outcome_of(rounded(), elided) == texts{"note: 1 conversion to a narrower type and back is gone in the final "
                                               "module, the first of them f32 -> bf16 -> f32"});
  CHECK(outcome_of(rounded("f8e4m3fn[8]{0}"), elided).size() == 1);
  // The same type at another place of the program.
  CHECK(outcome_of(rounded(), doubled + "  %b = bf16[8]{0} convert(%d)" + at("jit(f)/other") +
                                  "  ROOT %s = f32[8]{0} sine(%d)" + at("jit(f)/sin"))
            .size() == 1);
  CHECK(outcome_of(rounded(), doubled + "  %b = bf16[8]{0} convert(%d)" + at("jit(f)/round", 8) +
                                  "  ROOT %s = f32[8]{0} sine(%d)" + at("jit(f)/sin"))
            .size() == 1);
  CHECK(outcome_of(doubled + "  %n = bf16[8]{0} convert(%d)" + at("jit(f)/round") + "  %w = f32[8]{0} convert(%n)" +
                       at("jit(f)/round") + "  %n.1 = bf16[8]{0} convert(%w)" + at("jit(f)/again") +
                       "  %w.1 = f32[8]{0} convert(%n.1)" + at("jit(f)/again") + "  ROOT %s = f32[8]{0} sine(%w.1)" +
                       at("jit(f)/sin"),
                   elided) == texts{"note: 2 conversions to a narrower type and back are gone in the final module, the "
                                    "first of them f32 -> bf16 -> f32"});
}

TEST_CASE("PRF010 does not catch") {
  CHECK(outcome_of(rounded(), rounded()).empty());
  CHECK(outcome_of(elided, elided).empty());
  CHECK(outcome_of(rounded(), rounded("bf16[8]{0}", "jit(g)/jit(f)/round")).empty());  // inlined
  CHECK(outcome_of(rounded(), doubled + "  %b = bf16[8]{0} sine(%d)" + at("jit(f)/round") +
                                  "  ROOT %w = f32[8]{0} convert(%b)" + at("jit(f)/sin"))
            .empty());
  CHECK(outcome_of(rounded(), doubled + "  %r = f32[8]{0} reduce-precision(%d), exponent_bits=8, mantissa_bits=7" +
                                  at("jit(f)/round") + "  ROOT %s = f32[8]{0} sine(%r)" + at("jit(f)/sin"))
            .empty());
  // What became of it is unknown.
  CHECK(outcome_of(rounded(), "  ROOT %s = f32[8]{0} sine(%p)" + at("another/name")).empty());
  CHECK(
      outcome_of(rounded(), doubled + "  %b = bf16[8]{0} convert(%d)\n  %w = f32[8]{0} convert(%b)\n" + shown).empty());
  CHECK(outcome_of("  %n = bf16[8]{0} convert(%p)\n  ROOT %w = f32[8]{0} convert(%n)\n",
                   "  ROOT %c = f32[8]{0} copy(%p)\n")
            .empty());
  // Widening rounds nothing; integers are another matter; a dead pair is gone with right.
  CHECK(outcome_of(doubled + "  %n = f64[8]{0} convert(%d)" + at("jit(f)/round") + "  %w = f32[8]{0} convert(%n)" +
                       at("jit(f)/round") + shown,
                   elided)
            .empty());
  CHECK(outcome_of(rounded("s16[8]{0}"), elided).empty());
  CHECK(outcome_of(doubled + "  %n = bf16[8]{0} convert(%d)" + at("jit(f)/round") + "  %w = f32[8]{0} convert(%n)" +
                       at("jit(f)/round") + "  ROOT %s = f32[8]{0} sine(%d)" + at("jit(f)/sin"),
                   elided)
            .empty());
  const context alone(program(rounded()));
  CHECK(lint(elided_narrowing{}, alone, all_settings(as_catalogue(elided_narrowing{}))).skipped.size() == 1);
}

TEST_CASE("PRF010 points at both converts") {
  context::parts parts;
  parts.hlo = program(elided);
  parts.compared_with.earlier = program(rounded());
  const findings found =
      lint(elided_narrowing{}, context(std::move(parts)), all_settings(as_catalogue(elided_narrowing{})));
  REQUIRE(found.size() == 1);
  CHECK(found[0].instruction == "n");
  CHECK(found[0].source_line == 7);
  REQUIRE(found[0].related.size() == 1);
  CHECK(found[0].related[0].instruction == "w");
}

TEST_CASE("PRF010 does not advise a flag that is set") {
  for (const bool set : {false, true}) {
    context::parts parts;
    parts.hlo = program(elided), parts.compared_with.earlier = program(rounded());
    if (set) parts.flags = compiler_flags(source("--xla_allow_excess_precision=false"));
    const auto list = as_catalogue(elided_narrowing{});
    const findings found = lint(list, context(std::move(parts)), all_settings(list));
    REQUIRE(found.size() == 1);
    CHECK((found[0].advice.find("--xla_allow_excess_precision=false") == std::string::npos) == set);
  }
}
