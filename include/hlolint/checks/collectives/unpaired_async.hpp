// COL004: an asynchronous start that nothing waits for, or a done that waits for nothing.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Those rules of scheduling.md 3 that a text can break.
struct unpaired_async {
  static constexpr rule about{
      .id = "COL004",
      .name = "unpaired-async",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .what = "An asynchronous operation does not have exactly one done: nothing waits for its start, several "
              "instructions do, or a done or update follows no start.",
      .why = "XLA's verifier rejects such a module: the transfer may still be writing when its buffer is used for "
             "something else, or a wait never ends.",
      .advice = "Look for the pass, or the edit by hand, that removed or duplicated the done. Only its done may use "
                "a start, reached directly or through tuples, loops and barriers.",
      .example = "%start = f32[8]{0} all-reduce-start(%p), replica_groups={}, to_apply=%add\n"
                 "%d1 = f32[8]{0} all-reduce-done(%start)\n"
                 "%d2 = f32[8]{0} all-reduce-done(%start)",
      .source = "XLA: hlo_verifier.cc, VerifyAsynchronousInstructionPairs; openxla/xla #40232"};
  static constexpr need needs = need::hlo;

  void operator()(const context& dump, sink_ref report) const;

 private:
  struct code;
};

}  // namespace hlolint

#ifdef HLOLINT_CHECK_CODE
#include <hlolint/analysis/transfers/async_windows.hpp>
#include <hlolint/checks/program_code.hpp>

namespace hlolint {

struct unpaired_async::code {
  /// The users of an instruction, each once, without custom calls that only enforce an order.
  static record_list<hlo_instruction> users_of(hlo_instruction i, const users& all_users) {
    record_list<hlo_instruction> out;
    for (const instruction_use use : all_users.of(i)) {
      if (!out.empty() && out.back() == use.user) continue;
      if (const auto called = get<custom_call_target>(use.user); called && called->name == "control_dep") continue;
      out.push_back(use.user);
    }
    return out;
  }

  /// Whether an instruction may stand between a start and its done.
  static bool carries(hlo_instruction i) {
    switch (i.opcode()) {
      using enum hlo_opcode;
      case call:
      case conditional:
      case copy:
      case custom_call:
      case domain:
      case get_tuple_element:
      case opt_barrier:
      case parameter:
      case tuple:
      case while_:
        return true;
      default:
        return false;
    }
  }

  static bool waits_for(hlo_instruction user, hlo_instruction start) {
    return start_opcode_of(user.opcode()) == start_opcode_of_chain(start) && user.operand_count() > 0 &&
           user.operand(0) == start;
  }
  static hlo_opcode start_opcode_of_chain(hlo_instruction i) {
    return i.opcode() == hlo_opcode::async_update ? hlo_opcode::async_start : i.opcode();
  }

  /// A finding `BEFORE this all-reduce-start AFTER (position 3)`.
  static finding fault(hlo_instruction i, const std::string& before, const char* after,
                       const record_list<hlo_instruction>& users = {}, const char* role = "uses it") {
    finding d = finding_at(i, str_cat({before, " this ", i.opcode_text(), after, " (", detail::position_text(i), ")"}));
    for (const hlo_instruction user : users) d.related.push_back(related_at(user, role));
    return d;
  }

  static void check_start(const async_window& w, const users& all_users, sink_ref report) {
    const hlo_instruction start = w.start;
    const record_list<hlo_instruction> used_by = users_of(start, all_users);
    // A computation may return a start to its caller as its root; XLA does not allow it for the opcodes that have a
    // done of their own.
    const bool by_root =
        start.is_root() && !is_collective_start(start.opcode()) && start.opcode() != hlo_opcode::copy_start;
    if (used_by.empty() && !by_root) report(fault(start, "nothing waits for", ""));
    std::size_t waiting = 0;
    hlo_instruction stranger;
    bool carried = false;
    for (const hlo_instruction user : used_by) {
      if (waits_for(user, start))
        ++waiting;
      else if (carries(user))
        carried = true;
      else if (!stranger)
        stranger = user;
    }
    const bool wrapped = start.opcode() == hlo_opcode::async_start;
    if (waiting > 1 || (!wrapped && waiting + carried > 1))
      report(fault(start, str_cat({used_by.size(), " instructions use"}), ", expected only its done", used_by));
    else if (stranger)
      report(fault(start, str_cat({stranger.opcode_text(), " uses the unfinished result of"}), "", {stranger},
                   "uses it before it is done"));
  }

  static void check_update(hlo_instruction update, const users& all_users, sink_ref report) {
    const record_list<hlo_instruction> used_by = users_of(update, all_users);
    if (used_by.empty() && !update.is_root()) report(fault(update, "nothing waits for", ""));
    if (used_by.size() > 1)
      report(fault(update, str_cat({used_by.size(), " instructions continue"}), ", expected one", used_by));
  }

  /// Reports a done if nothing that it leads back to could hold a start.
  static void check_done(hlo_instruction done, sink_ref report) {
    hlo_instruction at = done;
    record_list<std::int64_t> path;
    std::size_t steps = 0;
    for (hlo_instruction next; at.operand_count() > 0; at = next) {
      if (++steps > most_steps) return;  // longer than any real path
      next = at.operand(0);
      if (at.opcode() == hlo_opcode::get_tuple_element) {
        path.push_back(get_integer(at, attribute_key::index).value_or(-1));
      } else if (at.opcode() == hlo_opcode::tuple) {
        if (path.empty() || path.back() < 0 || static_cast<std::size_t>(path.back()) >= at.operand_count()) break;
        next = at.operand(static_cast<std::size_t>(path.back()));
        path.pop_back();
      } else if (!(at == done) && !carries(at) && at.opcode() != hlo_opcode::async_update) {
        break;
      }
      if (!next || next.id() >= at.id()) return;  // the text lacks it
      if (may_hold_start(next.opcode())) return;
      if (next.opcode() == start_opcode_of(done.opcode())) return;
    }
    report(finding_at(done,
        str_cat({"this ", done.opcode_text(), " follows no ", name_of(start_opcode_of(done.opcode())), " but ",
                 at.opcode_text(), " ", at.name(), " (", detail::position_text(done), ")"}),
        {.related = {related_at(at, "what it leads back to")}}));
  }
  static constexpr std::size_t most_steps = 256;
  static constexpr bool may_hold_start(hlo_opcode opcode) {
    using enum hlo_opcode;
    return opcode == parameter || opcode == while_ || opcode == call || opcode == conditional || opcode == unknown;
  }
};

HLOLINT_INLINE void unpaired_async::operator()(const context& dump, sink_ref report) const {
  const auto& windows = dump.get<async_windows>();
  const auto& all_users = dump.get<users>();
  for (const async_window& w : windows)
    if (w.form != async_form::tpu_fusion && w.start.computation().is_complete())
      code::check_start(w, all_users, report);
  for (const hlo_instruction i : dump.get<instructions_by_opcode>().of(hlo_opcode::async_update))
    if (i.computation().is_complete()) code::check_update(i, all_users, report);
  for (const hlo_instruction done : windows.unmatched())
    if (is_done_opcode(done.opcode())) code::check_done(done, report);
}

}  // namespace hlolint
#endif
