// PRF012: a call back into the host program.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Reports callbacks into Python, outfeeds, and sends to the host for a callback; those of one line of the program
/// once.
struct host_callback {
  static constexpr rule about{
      .id = "PRF012",
      .name = "host-callback",
      .costs = cost_kind::time,
      .needs = need::hlo,
      .what =
          "A program for a GPU or TPU calls back into the host: a Python callback, an outfeed, or a send to a host "
          "callback.",
      .why =
          "The device waits for the host, data leave the device, and XLA may neither move nor remove the call; "
          "buffers stay alive for it.",
      .advice =
          "Remove jax.debug.print, jax.debug.callback, io_callback and the like from steps that must be fast; if the "
          "call is wanted (checkpoints, logging), ignore this rule for it. What a callback computes (pure_callback) is "
          "faster on the device, or outside of loops.",
      .example =
          "%c = () custom-call(%x), custom_call_target=\"xla_ffi_python_gpu_callback\", "
          "custom_call_has_side_effect=true",
      .source = "XLA: docs/errors/error_1000.md, scenario 2"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/instructions_by_opcode.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace hlolint {

namespace prf012 {

inline constexpr bool may_call_host(hlo_opcode opcode) {
  using enum hlo_opcode;
  return opcode == outfeed || opcode == custom_call || opcode == send || opcode == recv;
}
/// Whether a call begins here: its arguments and results are chained by tokens.
inline bool begins_call(hlo_instruction i) {
  using enum hlo_opcode;
  if (i.opcode() != send && i.opcode() != recv) return true;
  const hlo_instruction before = i.operand_count() > 0 ? i.operand(i.operand_count() - 1) : hlo_instruction{};
  return !before || (before.opcode() != send_done && (i.opcode() == send || before.opcode() != recv_done));
}
inline constexpr std::size_t most_named = 4;
/// The line of the program that a call stems from, else its operation, else the call itself.
inline std::string cause_of(hlo_instruction i) {
  const program_place from = program_place_of(i);
  if (from.at) return "@" + from.at.file + ":" + std::to_string(from.at.line);
  return from.op_name.empty() ? "@%" + std::string(i.name()) : "@" + from.op_name;
}
/// Whether the program uses what a callback returns.
inline bool computes(const users& all_users, hlo_instruction i) {
  if (i.opcode() == hlo_opcode::recv) {
    for (const instruction_use use : all_users.of(i))
      for (const instruction_use part : all_users.of(use.user))
        if (element_position(part.user) == 0) return true;
    return false;
  }
  if (i.opcode() != hlo_opcode::custom_call || !i.shape() || dense_size_of_leaves(*i.shape()).value_or(0) == 0)
    return false;
  return i.is_root() || all_users.count(i) > 0;
}
/// Bytes to the host and back, in one run.
inline byte_count bytes_of(hlo_instruction i) {
  if (i.opcode() == hlo_opcode::send || i.opcode() == hlo_opcode::recv) {
    const shape* const whole = i.opcode() == hlo_opcode::send ? shape_of_operand(i, 0) : i.shape();
    const shape* const moved = whole && whole->is_tuple() && !whole->elements.empty() ? &whole->elements[0] : whole;
    return moved ? dense_size_of_leaves(*moved).value_or(0) : 0;
  }
  checked_int64 sum = i.shape() ? dense_size_of_leaves(*i.shape()).value_or(0) : 0;
  for (std::size_t k = 0; k < i.operand_count(); ++k)
    if (const shape* const given = shape_of_operand(i, k)) sum += dense_size_of_leaves(*given).value_or(0);
  return sum.clamped();
}
inline std::string call_text(hlo_instruction i) {
  if (i.opcode() == hlo_opcode::outfeed) return "the program sends data to the host by outfeed";
  if (i.opcode() == hlo_opcode::custom_call) {
    const auto called = get<custom_call_target>(i);
    const auto names = [&](const char* part) { return called && called->name.find(part) != std::string::npos; };
    if (names("python") && names("callback") && !names("_cpu_"))
      return "the program calls back into Python (" + called->name + ")";
  }
  return moves_for_host_call(i) ? "the program calls a function on the host" : std::string();
}

}  // namespace prf012

HLOLINT_INLINE void host_callback::operator()(const context& dump, sink_ref emit) const {
  if (dump.target() == target::cpu) return;  // the host is the device
  const auto& graph = dump.get<call_graph>();
  std::map<std::string, std::vector<hlo_instruction>> of_cause;
  std::vector<std::string> causes;  // in text order
  for (const hlo_instruction i : dump.get<instructions_by_opcode>().where(prf012::may_call_host)) {
    const std::string what = prf012::call_text(i);
    if (what.empty() || graph.execution_of(i.computation()) == execution::unreached) continue;
    std::vector<hlo_instruction>& same = of_cause[what + prf012::cause_of(i)];
    if (same.empty()) causes.push_back(what + prf012::cause_of(i));
    same.push_back(i);
  }
  for (const std::string& cause : causes) {
    const std::vector<hlo_instruction>& calls = of_cause[cause];
    const hlo_instruction first = calls.front();
    const bool computes =
        std::ranges::any_of(calls, [&](hlo_instruction i) { return prf012::computes(dump.get<users>(), i); });
    const auto count = std::ranges::count_if(calls, &prf012::begins_call);
    std::string text = prf012::call_text(first) + (computes ? ", and waits for what that computes" : "") +
                       repetition_text(dump.get<loops>(), first.computation());
    if (count > 1) append_to(text, {"; ", count, " such calls stem from this place"});
    finding d = finding_at(first, std::move(text));
    if (computes)
      d.advice =
          "The device waits while the host computes, and for the data to go there and back. Write the function in JAX "
          "or as a custom call of the device, or call it outside of the loop.";
    checked_int64 bytes = 0;
    for (const hlo_instruction i : calls) bytes += prf012::bytes_of(i), d.saves.push_back({i});
    d.bytes = bytes.clamped();
    std::size_t named = 0;
    for (std::size_t k = 1; k < calls.size() && named < prf012::most_named; ++k)
      if (prf012::begins_call(calls[k])) ++named, d.related.push_back(related_at(calls[k], "another one"));
    emit(std::move(d));
  }
}

}  // namespace hlolint
#endif
