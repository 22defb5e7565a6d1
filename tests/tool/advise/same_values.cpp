// Differences that two texts of a program may have, and differences that they must not have.
#include "tool/advise/program_changes.hpp"

#include <hlolint/tool/advise/changes/same_values.hpp>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const std::string program = R"(HloModule m, is_scheduled=true

%f (a: f32[8]) -> f32[8] {
  %a = f32[8]{0} parameter(0)
  %n = f32[8]{0} negate(%a)
  ROOT %e = f32[8]{0} exponential(%n)
}

ENTRY %main (p: f32[8], q: f32[8]) -> f32[8] {
  %p = f32[8]{0} parameter(0)
  %q = f32[8]{0} parameter(1)
  %x = f32[8]{0} fusion(%p), kind=kLoop, calls=%f
  %c = f32[8]{0} custom-call(%x), custom_call_target="writes"
  %d = f32[8]{0} custom-call(%q), custom_call_target="writes"
  %s = f32[8]{0} subtract(%x, %q)
  ROOT %r = f32[8]{0} add(%s, %c)
}
)";

bool same_with(std::string_view old, std::string_view changed) {
  return advise::compute_same_values(module_of(program), module_of(with(program, old, changed)));
}

}  // namespace

TEST_CASE("fusions, copies and conversions to the type that is there do not count") {
  CHECK(same_with("HloModule m", "HloModule m"));
  CHECK(same_with("%x = f32[8]{0} fusion(%p), kind=kLoop, calls=%f",
                  "%y = f32[8]{0} negate(%p)\n  %x = f32[8]{0} exponential(%y)"));
  CHECK(same_with("ROOT %e = f32[8]{0} exponential(%n)",
                  "%k = f32[8]{0} copy(%n)\n  ROOT %e = f32[8]{0} exponential(%k)"));
  CHECK(same_with("ROOT %e = f32[8]{0} exponential(%n)",
                  "%k = f32[8]{0} convert(%n)\n  ROOT %e = f32[8]{0} exponential(%k)"));
  CHECK(same_with("ROOT %e = f32[8]{0} exponential(%n)",
                  "%k = f32[8]{0} bitcast(%n)\n  ROOT %e = f32[8]{0} exponential(%k)"));
  CHECK(same_with("kind=kLoop", "kind=kInput"));
  CHECK(same_with("subtract(%x, %q)", "subtract(%x, %q), metadata={op_name=\"a\"}"));
}

TEST_CASE("another operation, operand, attribute, effect or order of effects counts") {
  CHECK_FALSE(same_with("negate(%a)", "abs(%a)"));
  CHECK_FALSE(same_with("subtract(%x, %q)", "subtract(%q, %x)"));
  CHECK_FALSE(same_with("custom_call_target=\"writes\"\n  %d", "custom_call_target=\"reads\"\n  %d"));
  CHECK_FALSE(same_with("custom-call(%q)", "custom-call(%p)"));  // nothing reads it
  CHECK_FALSE(same_with("  %d = f32[8]{0} custom-call(%q), custom_call_target=\"writes\"\n", ""));
  CHECK_FALSE(
      same_with("  %c = f32[8]{0} custom-call(%x), custom_call_target=\"writes\"\n"
                "  %d = f32[8]{0} custom-call(%q), custom_call_target=\"writes\"\n",
                "  %d = f32[8]{0} custom-call(%q), custom_call_target=\"writes\"\n"
                "  %c = f32[8]{0} custom-call(%x), custom_call_target=\"writes\"\n"));
  CHECK_FALSE(same_with("is_scheduled=true", "is_scheduled=true, num_partitions=2"));
}

TEST_CASE("a conversion that rounds counts, and so does a bitcast that reads another layout") {
  CHECK_FALSE(same_with("ROOT %e = f32[8]{0} exponential(%n)",
                        "%k = bf16[8]{0} convert(%n)\n  %l = f32[8]{0} convert(%k)\n"
                        "  ROOT %e = f32[8]{0} exponential(%l)"));
  const std::string flat =
      "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = f32[2,4]{1,0} parameter(0)\n"
      "  %c = f32[2,4]{1,0} copy(%p)\n  ROOT %b = f32[8]{0} bitcast(%c)\n}\n";
  CHECK_FALSE(
      advise::compute_same_values(module_of(flat), module_of(with(flat, "%c = f32[2,4]{1,0}", "%c = f32[2,4]{0,1}"))));
}

TEST_CASE("a fusion that is called with another shape than it declares proves nothing") {
  for (const char* const old : {"%a = f32[8]{0} parameter(0)", "ROOT %e = f32[8]{0}"}) {
    CAPTURE(old);
    std::string changed = old;
    changed.replace(changed.find("f32"), 3, "bf16");
    CHECK_FALSE(advise::compute_same_values(module_of(program), faulty_module_of(with(program, old, changed))));
  }
}
