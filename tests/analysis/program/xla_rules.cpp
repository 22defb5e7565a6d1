// The period of a dump, from its form (buffer_dumps.md 1), and the order in which XLA goes through instructions.
#include "analysis/facts_of.hpp"

#include <hlolint/analysis/program/post_order.hpp>
#include <hlolint/analysis/program/xla_rules.hpp>
#include <hlolint/ir/join_buffers.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

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
  CHECK(date_of_text(whole("", "p{}: 4 bytes")) >= 20250414);
  CHECK(date_of_text(whole("", "p{}: 4 bytes")) < 20250516);
  CHECK(date_of_text(whole("", newest_peak)) >= 20250516);
  CHECK(date_of_text(whole("", newest_peak)) < 20260403);
  CHECK(date_of_files("", "") >= 20260403);
  CHECK(date_of_files("", "") < 20260602);
  CHECK(date_of_files("", "  (none)\n") >= 20260602);
  CHECK(date_of_files("", "  n, operand 0\n") >= 20260602);  // nothing speaks against the newest
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
}

TEST_CASE("post order: operands before users, control predecessors before operands") {
  const auto order_of = [](std::string_view text) {
    const hlo_module module = module_of(text);
    std::string out;
    for (const id i : post_order(module_tables(module))) out += std::string(module.instruction(i).name()) + " ";
    return out;
  };
  CHECK(order_of(entry_text("  p = s32[] parameter(0)\n  a = s32[] negate(p)\n  b = s32[] abs(p)\n"
                            "  ROOT r = s32[] add(b, a)\n")) == "p b a r ");
  CHECK(order_of(entry_text("  p = s32[] parameter(0)\n  a = s32[] negate(p)\n"
                            "  b = s32[] abs(p), control-predecessors={a}\n  ROOT r = s32[] add(b, a)\n")) ==
        "p a b r ");
  CHECK(order_of(entry_text("  p = s32[] parameter(0)\n  a = s32[] negate(p)\n  c = s32[] negate(p)\n"
                            "  b = s32[] abs(p), control-predecessors={%a, %c}\n  ROOT r = s32[] add(b, a)\n")) ==
        "p c a b r ");
  // What no one uses is where the text has it.
  CHECK(order_of(entry_text("  p = s32[] parameter(0)\n  u = s32[] negate(p)\n  q = s32[] parameter(1)\n"
                            "  ROOT r = s32[] negate(q)\n")) == "p u q r ");
}

TEST_CASE("post order: computations that are not wanted leave their positions empty, a circle does not") {
  const hlo_module module =
      module_of("HloModule m\n\nf {\n  x = s32[] parameter(0)\n  ROOT n = s32[] negate(x)\n}\n\nENTRY e {\n"
                "  p = s32[] parameter(0)\n  ROOT r = s32[] fusion(p), kind=kLoop, calls=f\n}\n");
  CHECK(post_order(module_tables(module), {false, true}) == std::vector<id>{none, none, 2, 3});
  CHECK(post_order(module_tables(module), {true, false}) == std::vector<id>{0, 1, none, none});

  const parsed_file file = parse(entry_text("  a = s32[] negate(b)\n  b = s32[] negate(a)\n  ROOT c = s32[] parameter(0)\n"));
  REQUIRE(file.modules().size() == 1);
  std::vector<id> order = post_order(module_tables(file.modules()[0]));
  std::sort(order.begin(), order.end());
  CHECK(order == std::vector<id>{0, 1, 2});
}

TEST_CASE("an operand list as long as programs have them, of one asynchronous call") {
  std::string parameters, operands, shapes, body;
  constexpr int count = 20'000;
  for (int k = 0; k < count; ++k) {
    const std::string n = std::to_string(k);
    parameters += "  p" + n + " = s32[] parameter(" + n + ")\n";
    body += "  wp" + n + " = s32[] parameter(" + n + ")\n";
    operands += (k ? ", p" : "p") + n;
    shapes += k ? ", s32[]" : "s32[]";
  }
  const facts_of facts(entry_text(parameters + "  s = ((" + shapes + "), s32[], s32[]) async-start(" + operands +
                                      "), calls=w\n  ROOT d = s32[] async-done(s)\n",
                                  "\nw {\n" + body + "  ROOT wr = s32[] negate(wp7)\n}\n"));
  CHECK(facts.positions("p7") == "p7 wp7 s{0,7}");
  CHECK(facts.uses("p7") == "s.7 wr.0 d.0{0,7}");
}
