#include <hlolint/analysis/program/xla_rules.hpp>
#include <hlolint/ir/join_buffers.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

std::string ranges(const std::string& peak) {
  return "HloLiveRange (max 1):\n  InstructionSequence:\n    0:p\n  BufferLiveRange:\n    p{}:0-1\n"
         "  Live ranges at 0 (peak):\n    " +
         peak + "\n";
}
std::string assignment(const std::string& flags) {
  return "BufferAssignment:\nallocation 0: size 4" + flags + ":\n value: <0 p @0> (size=4,offset=0): s32[]\n";
}
std::string used(const std::string& uses) {
  return "\nTotal bytes used: 4 (4B)\n\nUsed values:\n<0 p @0>\n positions:\n  p\n uses:\n" + uses +
         " from instruction: %p = s32[] parameter(0)\n";
}
const std::string newest_peak = "p{}: 4 bytes (cumulative: 4 bytes)";

std::int32_t date_of_text(const std::string& text) { return date_of(buffers_of(text)); }
std::int32_t date_of_files(const std::string& flags, const std::string& uses) {
  return date_of(join({buffers_of(assignment(flags)), buffers_of(used(uses)), buffers_of(ranges(newest_peak))}));
}

}  // namespace

TEST_CASE("the form of a dump shows when it was written") {
  const auto whole = [](const std::string& uses, const std::string& peak) {
    return assignment("") + used(uses) + "\n\n" + ranges(peak);
  };
  CHECK(date_of_text(whole("", "p: 4 bytes")) < 20250414);
  CHECK(date_of_text(whole("", "p: 4 bytes")) > xla_rules::glued_values);
  const std::string glued = used("") + "<1 q @0>\n positions:\n  q\n uses:\n from instruction: %q = s32[] parameter(1)";
  CHECK(date_of_text(assignment("") + std::string(glued).erase(glued.find("\n<1 q"), 1) + "\n" +
                     ranges("p: 4 bytes")) == xla_rules::glued_values);
  std::string old = whole("", "p: 4 bytes");
  old.erase(old.find("instruction: ") + 12, 1);
  CHECK(date_of_text(old) == xla_rules::without_blanks);
  CHECK(date_of_text(whole("", "p{}: 4 bytes")) >= 20250414);
  CHECK(date_of_text(whole("", "p{}: 4 bytes")) < 20250516);
  CHECK(date_of_text(whole("", newest_peak)) >= 20250516);
  CHECK(date_of_text(whole("", newest_peak)) < 20260403);
  CHECK(date_of_files("", "") >= 20260403);
  CHECK(date_of_files("", "") < 20260602);
  CHECK(date_of_files("", "  (none)\n") >= 20260602);
  CHECK(date_of_files("", "  (none)\n") < 20260803);
  CHECK(date_of_files("", "  n, operand 0\n") >= 20260602);  // nothing speaks against the newest without pages
  CHECK(date_of_files("", "  n, operand 0\n") < 20260803);
  CHECK(date_of_files(", page 0", "  n, operand 0\n") >= 20260810);
  CHECK(date_of_text(whole("  (none)\n", newest_peak)) >= 20260602);
  // As a protobuf message has it: neither pages nor a sum.
  CHECK_FALSE(shown_date(buffers_of(assignment(""))));
  CHECK(date_of_text(assignment("")) == xla_rules::newest);
  CHECK(date_of_text(assignment("") + "\nTotal bytes used: 4 (4B)\n") < 20260403);
}

TEST_CASE("rules by date") {
  CHECK(xla_rules().async_update_owns_context);
  CHECK(!xla_rules(20260811).async_update_owns_context);
  CHECK(xla_rules(20260812).async_update_owns_context);
  CHECK(xla_rules(20241126).ragged_all_to_all_aliases);
  CHECK(!xla_rules(20241125).ragged_all_to_all_aliases);
  CHECK(xla_rules(xla_rules::without_blanks).calls_hold_operands);
  CHECK(!xla_rules(xla_rules::glued_values).calls_hold_operands);
}
