// ALI012: a small update in a loop that copies or moves the whole array.
#pragma once

#include <hlolint/lint/check.hpp>
#include <hlolint/lint/option.hpp>

#include <tuple>

namespace hlolint {

/// The update itself always works on its operand's buffer (buffer_dumps.md 5.1); what makes it expensive is a copy that
/// was put before it, so that is what is looked for.
struct dus_not_in_place {
  static constexpr rule about{
      .id = "ALI012",
      .name = "dus-not-in-place",
      .level = severity::warning,
      .costs = cost_kind::both,
      .what = "In a loop, a big array is copied only to update a small part of it.",
      .why = "Every iteration moves the whole array, where a few elements would do, and a second buffer is needed.",
      .advice = "The copy is there because the old array is read again, or must not be changed (a parameter that is "
                "not donated, a constant, a loop invariant): carry the array through the loop and use only its newest "
                "version.",
      .example = "%c = f32[4096,4096]{1,0} copy(%old)\n"
                 "%u = f32[4096,4096]{1,0} dynamic-update-slice(%c, %row, %i, %zero)",
      .source = "openxla/xla PR #18292; XLA: copy_insertion.cc"};
  static constexpr need needs = need::scheduled;

  byte_count min_bytes = 16_MiB;
  double max_share = 0.25;
  static constexpr auto options = std::tuple{
      option{"min-bytes", &dus_not_in_place::min_bytes, "smaller arrays are not reported (one iteration)"},
      option{"max-share", &dus_not_in_place::max_share, "updates of a larger share of the array are not reported"}};

  /// The opcodes that it is called for.
  static constexpr bool looks_at(hlo_opcode opcode) {
    return opcode == hlo_opcode::dynamic_update_slice || opcode == hlo_opcode::fusion;
  }

  /// Called for each instruction; reports a small update in a loop that copies or moves the whole array.
  void operator()(hlo_instruction i, const context& dump, sink_ref report) const;

 private:
  struct code;
};

}  // namespace hlolint

#ifdef HLOLINT_CHECK_CODE
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/program/sole_operation.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/finding_costs.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace hlolint {

struct dus_not_in_place::code : dus_not_in_place {
  void operator()(hlo_instruction i, const context& dump, sink_ref report) const {
    if (!looks_at(i.opcode())) return;
    const auto& all_loops = dump.get<loops>();
    if (!all_loops.around(i.computation()) || !dump.get<call_graph>().is_sequential(i.computation())) return;
    const hlo_instruction update = dump.get<sole_operations>().of(i);
    if (!update || update.opcode() != hlo_opcode::dynamic_update_slice || update.operand_count() < 2 || !update.shape())
      return;
    const shape* const written = shape_of_operand(update, 1);
    const auto whole = dense_size(*update.shape()), part = written ? dense_size(*written) : std::nullopt;
    if (!whole || !part || *whole < min_bytes || static_cast<double>(*part) > max_share * static_cast<double>(*whole))
      return;
    const hlo_instruction base = base_of(i, update);
    const hlo_instruction copy = base ? dump.get<sole_operations>().of(base) : hlo_instruction{};
    if (!copy || copy.opcode() != hlo_opcode::copy || dump.get<users>().count(base) != 1) return;
    finding d =
        finding_at(i, std::string(i.name()) + " updates " + human(*part) + " of " + std::string(base.name()) +
                          ", a copy of " + human(*whole) + repetition_text(all_loops, i.computation()));
    d.bytes = *whole;
    d.saves = {{base}};
    d.related.push_back(related_at(base, "the copy"));
    if (base.operand_count() > 0 && base.operand(0)) d.related.push_back(related_at(base.operand(0), "what is copied"));
    report(std::move(d));
  }

 private:
  static constexpr std::size_t most_bitcasts = 64;  // more are in no real program

  /// What stands outside for the updated array; an empty view if it is not an operand.
  static hlo_instruction base_of(hlo_instruction i, hlo_instruction update) {
    hlo_instruction at = update.operand(0);
    for (std::size_t steps = 0; steps < most_bitcasts && at && at.opcode() == hlo_opcode::bitcast &&
                                at.operand_count() == 1 && at.operand(0) && at.operand(0).id() < at.id();
         ++steps)
      at = at.operand(0);
    if (i == update || !at || at.opcode() != hlo_opcode::parameter) return i == update ? at : hlo_instruction{};
    const auto number = at.parameter_number();
    return number && *number >= 0 && static_cast<std::size_t>(*number) < i.operand_count()
               ? i.operand(static_cast<std::size_t>(*number))
               : hlo_instruction{};
  }
};

HLOLINT_INLINE void dus_not_in_place::operator()(hlo_instruction i, const context& dump, sink_ref report) const {
  code{*this}(i, dump, report);
}

}  // namespace hlolint
#endif
