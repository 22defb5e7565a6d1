// ALI012: an array that a loop copies in order to update a small part of it.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// The update itself always works in its operand's buffer (buffer_dumps.md 5.1); a copy inserted before it makes it
/// expensive, so the rule looks for such copies.
struct dus_not_in_place {
  static constexpr rule about{
      .id = "ALI012",
      .name = "dus-not-in-place",
      .costs = cost_kind::both,
      .needs = need::scheduled,
      .looks_at =
          [](hlo_opcode opcode) { return opcode == hlo_opcode::dynamic_update_slice || opcode == hlo_opcode::fusion; },
      .what = "A loop copies a large array only to update a small part of it.",
      .why = "Every iteration moves the whole array, where a few elements would do, and needs a second buffer.",
      .advice =
          "XLA makes the copy because the old array is read again or must not change (a parameter that is not "
          "donated, a constant, a loop invariant): carry the array through the loop and use only its newest "
          "version.",
      .example =
          "%c = f32[4096,4096]{1,0} copy(%old)\n"
          "%u = f32[4096,4096]{1,0} dynamic-update-slice(%c, %row, %i, %zero)",
      .source = "openxla/xla PR #18292; XLA: copy_insertion.cc"};

  byte_count min_bytes = 16_MiB;
  double max_share = 0.25;
  static constexpr auto options = std::tuple{
      option{"min-bytes", &dus_not_in_place::min_bytes, "smaller arrays are not reported (one iteration)"},
      option{"max-share", &dus_not_in_place::max_share, "updates of a larger share of the array are not reported"}};

  void operator()(hlo_instruction i, const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/program/sole_operations.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/checks/value_readers.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

namespace hlolint {

HLOLINT_INLINE void dus_not_in_place::operator()(hlo_instruction i, const context& dump, sink_ref emit) const {
  if (!about.looks_at(i.opcode())) return;
  const auto& all_loops = dump.get<loops>();
  if (!all_loops.around(i.computation()) || !dump.get<call_graph>().is_sequential(i.computation())) return;
  const hlo_instruction update = dump.get<sole_operations>().of(i);
  if (!update || update.opcode() != hlo_opcode::dynamic_update_slice || update.operand_count() < 2 || !update.shape())
    return;
  const shape* const written = shape_of_operand(update, 1);
  const auto whole = dense_size(*update.shape()), part = written ? dense_size(*written) : std::nullopt;
  if (!whole || !part || *whole < min_bytes || static_cast<double>(*part) > max_share * static_cast<double>(*whole))
    return;
  // The operand of `i` that is the updated array.
  hlo_instruction base = detail::behind_bitcasts(update.operand(0));
  if (!(i == update)) {
    const auto number = base ? parameter_position(base) : std::nullopt;
    base = number ? operand_of(i, *number) : hlo_instruction{};
  }
  const hlo_instruction copy = base ? dump.get<sole_operations>().of(base) : hlo_instruction{};
  if (!copy || copy.opcode() != hlo_opcode::copy || dump.get<users>().count(base) != 1) return;
  finding d = finding_at(i,
                         str_cat({i.name(), " updates ", human(*part), " of ", base.name(), ", a copy of ",
                                  human(*whole), repetition_text(all_loops, i.computation())}),
                         {.bytes = *whole, .saves = {{base}}, .related = {related_at(base, "the copy")}});
  if (const hlo_instruction from = operand_of(base, 0)) d.related.push_back(related_at(from, "what is copied"));
  emit(std::move(d));
}

}  // namespace hlolint
#endif
