// Which rules hold for a module, and when a doubt remains.
#include "analysis/module_of.hpp"

#include <hlolint/analysis/assignment/likely_rules.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// Two temporary values of 128 bytes at the same time.
hlo_module two_values(const std::string& tables = {}, const std::string& space = {}) {
  return module_of("HloModule m, is_scheduled=true\n" + tables +
                   "\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n"
                   "  %a = f32[32]{0" + space + "} custom-call(%p), custom_call_target=\"a\"\n"
                   "  %b = f32[32]{0" + space + "} custom-call(%p), custom_call_target=\"b\"\n"
                   "  ROOT %r = f32[8]{0} custom-call(%a, %b), custom_call_target=\"c\"\n}\n");
}
likely_assignment assigned(const hlo_module& module, target on, xla_period period) {
  return assign_likely(buffer_assignment(module, assignment_rules::of(on, period.likely())), on, period);
}
constexpr const char* tables =
    "\nFileNames\n1 \"a.py\"\n\nFunctionNames\n1 \"f\"\n\nFileLocations\n"
    "1 {file_name_id=1 function_name_id=1 line=1 end_line=1 column=0 end_column=1}\n\n"
    "StackFrames\n1 {file_location_id=1 parent_frame_id=1}\n\n";

}  // namespace

TEST_CASE("a version that is not known is a doubt where its rules show in the result") {
  const hlo_module module = two_values();
  const xla_period any = period_of(module);
  CHECK_FALSE(any.is_known());
  CHECK(assigned(module, target::gpu, any).doubt ==
        "the version of XLA is not known (--xla-date), and earlier ones assign 320 bytes instead of 448");
  CHECK(assigned(module, target::gpu, {20250616, 20250616}).doubt.empty());
  CHECK(assigned(module, target::gpu, {20250616, 20250616}).plan.total == 320);
  CHECK(assigned(module, target::cpu, any).doubt.empty());
}

TEST_CASE("tables of stack frames date a text") {
  const hlo_module module = two_values(tables);
  CHECK(period_of(module).first == 20251201);
  CHECK(assigned(module, target::gpu, period_of(module)).doubt.empty());
}

TEST_CASE("shapes of operands and lines of source files show an older text") {
  const hlo_module shaped = module_of(
      "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n"
      "  %a = f32[32]{0} custom-call(f32[8]{0} %p), custom_call_target=\"a\"\n"
      "  %b = f32[32]{0} custom-call(f32[8]{0} %p), custom_call_target=\"b\"\n"
      "  ROOT %r = f32[8]{0} custom-call(f32[32]{0} %a, f32[32]{0} %b), custom_call_target=\"c\"\n}\n");
  CHECK(period_of(shaped).last == 20250311);
  CHECK(assigned(shaped, target::gpu, period_of(shaped)).plan.total == 320);
  CHECK(assigned(shaped, target::gpu, period_of(shaped)).doubt.empty());

  const hlo_module lines = module_of(
      "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n"
      "  %a = f32[32]{0} custom-call(%p), custom_call_target=\"a\", metadata={op_name=\"a\" source_file=\"a.py\" "
      "source_line=1}\n"
      "  %b = f32[32]{0} custom-call(%p), custom_call_target=\"b\"\n"
      "  ROOT %r = f32[8]{0} custom-call(%a, %b), custom_call_target=\"c\"\n}\n");
  CHECK(period_of(lines).last == 20251201);
  CHECK(period_of(lines).likely() == 20250616);
  CHECK(assigned(lines, target::gpu, period_of(lines)).plan.total == 320);
  CHECK(assigned(lines, target::gpu, period_of(lines)).doubt ==
        "the version of XLA is not known (--xla-date), and later ones assign 448 bytes instead of 320");
  CHECK(assigned(lines, target::cpu, period_of(lines)).doubt.empty());
  CHECK(xla_period{20250701, 20251201}.likely() == 20251201);
  CHECK(xla_period{}.likely() == xla_rules::newest);
}

TEST_CASE("a dump beside the module dates it, even without an assignment") {
  const hlo_module module = two_values();
  const buffer_dump ranges = buffers_of("HloLiveRange (max 1):\n  InstructionSequence:\n    0:p\n  BufferLiveRange:\n"
                                        "    p{}:0-1\n  Live ranges at 0 (peak):\n    p: 4 bytes\n");
  REQUIRE(ranges.live_ranges());
  CHECK(period_of(module, &ranges).last == 20250115);
  CHECK(period_of(module, &ranges).is_known());
  CHECK_FALSE(period_of(module, nullptr).is_known());
}

TEST_CASE("what is not known of a target is a doubt") {
  const hlo_module module = two_values();
  CHECK(assigned(module, target::unknown, {}).doubt == "the target is not known (--target)");
  CHECK(assigned(module, target::tpu, {}).doubt.find("TPUs") != std::string::npos);
  const hlo_module collective = two_values({}, ":S(1)");
  CHECK(assigned(collective, target::gpu, {}).doubt.find("collectives") != std::string::npos);
  CHECK(assigned(collective, target::gpu, {20260616, 20260616}).doubt.empty());
  CHECK(assigned(collective, target::cpu, {}).doubt.empty());
}
