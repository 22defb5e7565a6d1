// Why an assignment is not the one of the dump: dumps are made from plans by other rules.
#include "analysis/assigned_dump.hpp"
#include "analysis/module_of.hpp"

#include <hlolint/analysis/buffers/assignment_comparison.hpp>

#include <doctest/doctest.h>

#include <regex>
#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const char* const two_values =
    "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = f32[32]{0} parameter(0)\n"
    "  %q = f32[32]{0} parameter(1)\n"
    "  %a = f32[32]{0} custom-call(%p), custom_call_target=\"a\"\n"
    "  %b = f32[32]{0} custom-call(%q), custom_call_target=\"b\"\n"
    "  ROOT %r = f32[32]{0} custom-call(%a, %b), custom_call_target=\"c\"\n}\n";

}  // namespace

TEST_CASE("an assignment that follows from the HLO is equal") {
  const hlo_module module = module_of(two_values);
  const buffer_dump dump = assigned_dump(module, assignment_rules::of(target::gpu, 20251115));
  const assignment_comparison same(module, dump, target::gpu);
  CHECK(same.cause() == assignment_cause::equal);
  CHECK(same.is_equal());
  CHECK(same.values().equal == 5);
  CHECK(same.values().total == 5);
  CHECK(same.values().first.empty());
}

TEST_CASE("equal sizes in other places are another order of memory, which no text shows") {
  const hlo_module module = module_of(two_values);
  const buffer_dump dump = assigned_dump(module, assignment_rules::of(target::gpu, 20251115), true);
  const assignment_comparison other(module, dump, target::gpu);
  CHECK(other.cause() == assignment_cause::order);
  CHECK(other.is_equal());
  CHECK(other.values().equal == 3);
  CHECK(other.values().unknown == 2);
  CHECK(other.values().first.empty());
}

TEST_CASE("another alignment and another version have other totals") {
  const hlo_module module = module_of(two_values);
  const buffer_dump earlier = assigned_dump(module, assignment_rules::of(target::gpu, 20250115));
  const assignment_comparison version(module, earlier, target::gpu);
  CHECK(version.cause() == assignment_cause::version);
  CHECK_FALSE(version.is_equal());
  REQUIRE_FALSE(version.values().first.empty());
  CHECK(version.values().first[0].what == "total");
  CHECK(version.values().first[0].printed == "640");
  CHECK(version.values().first[0].computed == "768");

  assignment_rules rules = assignment_rules::of(target::gpu, 20251115);
  rules.alignment = 512;
  const buffer_dump wide = assigned_dump(module, rules);
  CHECK(assignment_comparison(module, wide, target::gpu).cause() == assignment_cause::alignment);
  rules.alignment = 4096;
  const buffer_dump unheard = assigned_dump(module, rules);
  CHECK(assignment_comparison(module, unheard, target::gpu).cause() == assignment_cause::unknown);
}

TEST_CASE("on a CPU the alignment is that of the build of XLA") {
  const hlo_module module = module_of(std::regex_replace(std::string(two_values), std::regex("f32.32."), "f32[3]"));
  assignment_rules rules = assignment_rules::of(target::cpu, 20251115);
  for (const byte_count built_for : {16, 32, 64}) {
    rules.alignment = built_for;
    const buffer_dump dump = assigned_dump(module, rules);
    const assignment_comparison same(module, dump, target::cpu);
    CHECK(same.cause() == assignment_cause::equal);
    CHECK(same.values().equal == 5);
  }
  rules.alignment = 512;
  const buffer_dump wide = assigned_dump(module, rules);
  CHECK(assignment_comparison(module, wide, target::cpu).cause() == assignment_cause::alignment);
}
