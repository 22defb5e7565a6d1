#include "analysis/assigned_dump.hpp"

#include <hlolint/checks/dump/assignment_differs.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const char* const hlo =
    "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = f32[32]{0} parameter(0)\n"
    "  %q = f32[32]{0} parameter(1)\n"
    "  %a = f32[32]{0} custom-call(%p), custom_call_target=\"a\"\n"
    "  %b = f32[32]{0} custom-call(%q), custom_call_target=\"b\"\n"
    "  ROOT %r = f32[32]{0} custom-call(%a, %b), custom_call_target=\"c\"\n}\n";

texts outcome_of(const assignment_rules& rules, target on, bool changed_order = false) {
  const hlo_module module = module_of(hlo);
  context::parts parts;
  parts.hlo = module;
  parts.buffers = assigned_dump(module, rules, changed_order);
  parts.target = on;
  return outcome(assignment_differs{}, context(std::move(parts)));
}

}  // namespace

TEST_CASE("DMP012 catches") {
  CHECK(outcome_of(assignment_rules::of(target::gpu, 20250115), target::gpu) ==
        texts{"note: the dump has 640 bytes, but XLA assigns 768 to this HLO: another version of XLA"});
  assignment_rules rules = assignment_rules::of(target::gpu, 20251115);
  rules.alignment = 512;
  CHECK(outcome_of(rules, target::gpu) ==
        texts{"note: the dump has 1024 bytes, but XLA assigns 768 to this HLO: another alignment"});
  rules.alignment = 4096;
  CHECK(outcome_of(rules, target::gpu) ==
        texts{"note: the dump has 4608 bytes, but XLA assigns 768 to this HLO: the cause is not known"});
}

TEST_CASE("DMP012 does not catch") {
  const assignment_rules rules = assignment_rules::of(target::gpu, 20251115);
  CHECK(outcome_of(rules, target::gpu).empty());
  CHECK(outcome_of(rules, target::gpu, true).empty());  // only placed in another order
  CHECK(outcome_of(assignment_rules::of(target::gpu, 20250115), target::unknown).empty());
  CHECK(outcome_of(assignment_rules::of(target::gpu, 20250115), target::tpu).empty());
}
