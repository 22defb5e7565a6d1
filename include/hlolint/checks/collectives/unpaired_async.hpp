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
      .needs = need::hlo,
      .what =
          "An asynchronous operation does not have exactly one done: nothing waits for its start, several "
          "instructions do, or a done or update follows no start.",
      .why =
          "XLA's verifier rejects such a module: the transfer may still be writing when its buffer is used for "
          "something else, or a wait never ends.",
      .advice =
          "Look for the pass, or the edit by hand, that removed or duplicated the done. Only its done may use "
          "a start, reached directly or through tuples, loops and barriers.",
      .example =
          "%start = f32[8]{0} all-reduce-start(%p), replica_groups={}, to_apply=%add\n"
          "%d1 = f32[8]{0} all-reduce-done(%start)\n"
          "%d2 = f32[8]{0} all-reduce-done(%start)",
      .source = "XLA: hlo_verifier.cc, VerifyAsynchronousInstructionPairs; openxla/xla #40232"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/instructions_by_opcode.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/transfers/async_windows.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace hlolint {

namespace col004 {

/// The users of an instruction, each once, without custom calls that only enforce an order.
inline std::vector<hlo_instruction> users_of(hlo_instruction i, const users& all_users) {
  std::vector<hlo_instruction> out;
  for (const instruction_use use : all_users.of(i)) {
    if (!out.empty() && out.back() == use.user) continue;
    if (calls_target(use.user, "control_dep")) continue;
    out.push_back(use.user);
  }
  return out;
}

/// Whether an instruction may stand between a start and its done.
inline bool may_stand_between(hlo_instruction i) {
  using enum hlo_opcode;
  constexpr opcode_set between{call,        conditional, copy,  custom_call, domain, get_tuple_element,
                               opt_barrier, parameter,   tuple, while_};
  return between.has(i.opcode());
}

inline hlo_opcode start_opcode_of_chain(hlo_instruction i) {
  return i.opcode() == hlo_opcode::async_update ? hlo_opcode::async_start : i.opcode();
}

inline bool waits_for(hlo_instruction user, hlo_instruction start) {
  return start_opcode_of(user.opcode()) == start_opcode_of_chain(start) && user.operand_count() > 0 &&
         user.operand(0) == start;
}

/// A finding `BEFORE this all-reduce-start AFTER (position 3)`.
inline finding fault(hlo_instruction i, const std::string& before, const char* after,
                     const std::vector<hlo_instruction>& users = {}, const char* role = "uses it") {
  finding d = finding_at(i, str_cat({before, " this ", i.opcode_text(), after, " (", detail::position_text(i), ")"}));
  for (const hlo_instruction user : users) d.related.push_back(related_at(user, role));
  return d;
}

/// Where the unfinished result of a start goes, besides its done.
struct unfinished_uses {
  hlo_instruction reader;  ///< the first instruction that works with it; empty if there is none
  bool carried = false;    ///< a loop, a call or the result of the computation may take it to its done
};

/// An instruction that passes on an unfinished result, or has it inside of its tuple.
struct holder {
  hlo_instruction at;
  std::vector<std::int64_t> path;  ///< the elements that lead to it, innermost first
};
inline constexpr std::size_t most_holders = 256;

/// Whether an instruction may be the done of the start that a holder passes on.
inline bool may_finish(hlo_instruction user, hlo_instruction start, const holder& from) {
  return !(from.at == start) && start_opcode_of(user.opcode()) == start_opcode_of_chain(start);
}

/// Adds what `user` makes of the unfinished result of `start` that `from` holds.
inline void add_use(hlo_instruction start, const holder& from, hlo_instruction user, std::size_t operand,
                    std::vector<holder>& open, unfinished_uses& out) {
  std::vector<std::int64_t> path = from.path;
  switch (user.opcode()) {
    using enum hlo_opcode;
    case get_tuple_element:
      if (!path.empty()) {
        if (get_integer(user, attribute_key::index) != path.back()) return;
        path.pop_back();
      }
      break;
    case tuple:
      path.push_back(static_cast<std::int64_t>(operand));
      out.carried = out.carried || user.is_root();
      break;
    case bitcast:
    case copy:
    case domain:
    case opt_barrier: break;
    default:
      if (may_stand_between(user) || !path.empty() || may_finish(user, start, from))
        out.carried = true;
      else if (!out.reader)
        out.reader = user;
      return;
  }
  if (open.size() == most_holders)
    out.carried = true;  // or so it may be
  else
    open.push_back({user, std::move(path)});
}

/// Follows the result of a start through elements, tuples and copies. That of a send or receive is not followed: its
/// buffer may be read for its address.
inline unfinished_uses uses_before_done(hlo_instruction start, const users& all_users) {
  unfinished_uses out;
  const bool followed = start.opcode() != hlo_opcode::send && start.opcode() != hlo_opcode::recv;
  std::vector<holder> open{{start, {}}};
  for (std::size_t at = 0; at < open.size() && !out.reader; ++at) {
    const holder from = open[at];
    for (const instruction_use use : all_users.of(from.at)) {
      if (calls_target(use.user, "control_dep") || (at == 0 && waits_for(use.user, start))) continue;
      if (!followed && may_stand_between(use.user))
        out.carried = true;
      else
        add_use(start, from, use.user, use.operand, open, out);
    }
  }
  return out;
}

inline void check_start(const async_window& w, const users& all_users, sink_ref emit) {
  const hlo_instruction start = w.start;
  const std::vector<hlo_instruction> used_by = users_of(start, all_users);
  // A computation may return a start to its caller as its root; XLA does not allow it for the opcodes that have a
  // done of their own.
  const bool by_root =
      start.is_root() && !is_collective_start(start.opcode()) && start.opcode() != hlo_opcode::copy_start;
  const auto [reader, carried] = uses_before_done(start, all_users);
  std::size_t waiting = 0;
  for (const hlo_instruction user : used_by) waiting += waits_for(user, start);
  const bool wrapped = start.opcode() == hlo_opcode::async_start;
  if (waiting == 0 && !carried && !reader && !by_root) return emit(fault(start, "nothing waits for", ""));
  if (waiting > 1 || (!wrapped && waiting + carried > 1))
    emit(fault(start, str_cat({used_by.size(), " instructions use"}), ", expected only its done", used_by));
  else if (reader)
    emit(fault(start, str_cat({reader.opcode_text(), " uses the unfinished result of"}), "", {reader},
               "uses it before it is done"));
}

inline void check_update(hlo_instruction update, const users& all_users, sink_ref emit) {
  const std::vector<hlo_instruction> used_by = users_of(update, all_users);
  if (used_by.empty() && !update.is_root()) emit(fault(update, "nothing waits for", ""));
  if (used_by.size() > 1)
    emit(fault(update, str_cat({used_by.size(), " instructions continue"}), ", expected one", used_by));
}

inline constexpr std::size_t most_steps = 256;

inline constexpr bool may_hold_start(hlo_opcode opcode) {
  using enum hlo_opcode;
  return opcode == parameter || opcode == while_ || opcode == call || opcode == conditional || opcode == unknown;
}

/// Reports a done if nothing that it leads back to could hold a start.
inline void check_done(hlo_instruction done, sink_ref emit) {
  const hlo_opcode start = start_opcode_of(done.opcode());
  const start_walk walk = walk_to_start(
      done, [](hlo_instruction i, bool) { return may_stand_between(i) || i.opcode() == hlo_opcode::async_update; },
      [&](hlo_instruction i, bool) { return i.opcode() == start || may_hold_start(i.opcode()); },
      [](std::size_t length) { return length > most_steps; });  // longer than any real path
  if (walk.end != walk_end::work) return;
  emit(finding_at(done,
                  str_cat({"this ", done.opcode_text(), " follows no ", name_of(start), " but ", walk.at.opcode_text(),
                           " ", walk.at.name(), " (", detail::position_text(done), ")"}),
                  {.related = {related_at(walk.at, "what it leads back to")}}));
}

}  // namespace col004

HLOLINT_INLINE void unpaired_async::operator()(const context& dump, sink_ref emit) const {
  const auto& windows = dump.get<async_windows>();
  const auto& all_users = dump.get<users>();
  for (const async_window& w : windows)
    if (w.form != async_form::tpu_fusion && w.start.computation().is_complete())
      col004::check_start(w, all_users, emit);
  for (const hlo_instruction i : dump.get<instructions_by_opcode>().of(hlo_opcode::async_update))
    if (i.computation().is_complete()) col004::check_update(i, all_users, emit);
  for (const hlo_instruction done : windows.unmatched())
    if (is_done_opcode(done.opcode())) col004::check_done(done, emit);
}

}  // namespace hlolint
#endif
