// COL014: a reduction over devices in every iteration of a loop that only accumulates the results.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Looks for elements of the loop's tuple that are a sum of themselves and a reduced value, also through fusions.
struct allreduce_in_accumulation {
  static constexpr rule about{
      .id = "COL014",
      .name = "allreduce-in-accumulation",
      .level = severity::note,
      .costs = cost_kind::time,
      .needs = need::scheduled,
      .what =
          "A loop adds the result of an all-reduce or reduce-scatter to a value that it carries, in every "
          "iteration.",
      .why =
          "The loop could accumulate on each device, and one reduction after it would give the same sum over "
          "devices: one transfer instead of one for each iteration.",
      .advice =
          "Accumulate gradients per device and reduce them once, after the last microbatch. Only you know "
          "whether that is right: the carried value must not be read in the loop, and rounding changes.",
      .example =
          "%reduced = f32[4096]{0} all-reduce(%gradient), replica_groups={}, to_apply=%add\n"
          "%sum = f32[4096]{0} add(%carried, %reduced)",
      .source = "openxla/xla #6750, #49143; pytorch/xla #5760"};

  byte_count min_bytes = 1_MiB;
  static constexpr auto options = std::tuple{
      option{"min-bytes", &allreduce_in_accumulation::min_bytes, "smaller transfers are not reported (one iteration)"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/program/trip_count.hpp>
#include <hlolint/checks/sequential_parts.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hlolint {

namespace col014 {

inline constexpr std::size_t max_terms = 64, max_updates = 256;

/// An instruction, and the fusions that were entered to reach it, outermost first.
struct place {
  hlo_instruction at;
  std::vector<hlo_instruction> fusions;
  bool is_scaled = false;  ///< it is multiplied by a constant: no carried sum, which would fade
  bool is_selected =
      false;  ///< a constant may stand in its place, as zeros do in the first iteration: no reduced value
};

inline void enter(const place& p, std::optional<std::size_t> index, std::vector<place>& terms) {
  hlo_instruction root = root_of(first_called(p.at));
  if (root && index && root.opcode() == hlo_opcode::tuple) root = operand_of(root, *index);
  if (!root) return;
  place inside = p;
  inside.at = root;
  inside.fusions.push_back(p.at);
  terms.push_back(std::move(inside));
}

/// Leaves a fusion whose parameter this is, for its operand.
inline void leave(place& p) {
  const auto number = parameter_position(p.at);
  const hlo_instruction fusion = p.fusions.back();
  p.fusions.pop_back();
  p.at = number ? operand_of(fusion, *number) : hlo_instruction{};
}

/// Whether an instruction is a constant, or has only the elements of one.
inline bool is_constant(place p) {
  for (std::size_t steps = 0; p.at && steps < max_terms; ++steps) {
    using enum hlo_opcode;
    if (p.at.opcode() == constant) return true;
    if (p.at.opcode() == parameter && !p.fusions.empty())
      leave(p);
    else if (p.at.opcode() == bitcast || p.at.opcode() == broadcast || p.at.opcode() == convert ||
             p.at.opcode() == copy || p.at.opcode() == reshape)
      p.at = operand_of(p.at, 0);
    else
      break;
  }
  return false;
}

/// The start of a done; an empty view if it starts no reduction.
inline hlo_instruction started_by(hlo_instruction done) {
  const hlo_instruction start = follow_first_operands(operand_of(done, 0), [left = max_updates](auto i) mutable {
    return i.opcode() == hlo_opcode::async_update && left-- > 0;
  });
  const hlo_instruction transfer = start ? collective_of(start) : hlo_instruction{};
  const hlo_opcode kind = transfer ? collective_kind(transfer.opcode()) : hlo_opcode::unknown;
  return kind == hlo_opcode::all_reduce || kind == hlo_opcode::reduce_scatter ? start : hlo_instruction{};
}

/// The collective (or its start) among the terms of the sum that becomes the new element; empty unless the old
/// element is a term too.
inline hlo_instruction accumulated(hlo_instruction root, std::size_t element) {
  std::vector<place> terms{{root.operand(element), {}}};
  hlo_instruction collective;
  bool carried = false;
  for (std::size_t next = 0; next < terms.size() && terms.size() < max_terms; ++next) {
    place p = terms[next];
    if (!p.at) continue;
    const auto of_operand = [&](std::size_t operand) {
      place out = p;
      out.at = operand_of(p.at, operand);
      return out;
    };
    const auto follow = [&](std::size_t operand) { terms.push_back(of_operand(operand)); };
    switch (p.at.opcode()) {
      using enum hlo_opcode;
      case add: follow(0), follow(1); break;
      case bitcast:
      case convert:
      case copy:
      case reshape:
      case transpose: follow(0); break;
      case divide:
        if (is_constant(of_operand(1))) p.is_scaled = true, follow(0);
        break;
      case multiply:
        for (const std::size_t k : {0U, 1U})
          if (is_constant(of_operand(1 - k))) p.is_scaled = true, follow(k);
        break;
      case select:
        for (const std::size_t k : {1U, 2U})
          if (is_constant(of_operand(3 - k))) p.is_selected = true, follow(k);
        break;
      case all_reduce:
      case reduce_scatter:
        if (!p.is_selected) collective = p.at;
        break;
      case all_reduce_done:
      case async_done:
        if (!p.is_selected) collective = started_by(p.at);
        break;
      case fusion: enter(p, std::nullopt, terms); break;
      case parameter:
        if (!p.fusions.empty()) leave(p), terms.push_back(p);
        break;
      case get_tuple_element: {
        const hlo_instruction whole = p.at.operand_count() == 1 ? p.at.operand(0) : hlo_instruction{};
        const auto index = element_position(p.at);
        if (!whole || !index) break;
        if (whole.opcode() == parameter && p.fusions.empty()) {
          carried = carried || (*index == element && !p.is_scaled);
        } else if (whole.opcode() == fusion) {
          p.at = whole, enter(p, *index, terms);
        } else if (whole.opcode() == all_reduce || whole.opcode() == all_reduce_done) {
          p.at = whole, terms.push_back(p);
        }
        break;
      }
      default: break;
    }
  }
  return carried ? collective : hlo_instruction{};
}

}  // namespace col014

HLOLINT_INLINE void allreduce_in_accumulation::operator()(const context& dump, sink_ref emit) const {
  for (const auto& [loop, body] : detail::loop_parts(dump, 2)) {
    const hlo_instruction root = body.root();
    if (!root || root.opcode() != hlo_opcode::tuple) continue;
    std::unordered_set<id> reported;
    for (std::size_t element = 0; element < root.operand_count(); ++element) {
      const hlo_instruction collective = col014::accumulated(root, element);
      if (!collective || reported.count(collective.id()) > 0) continue;
      const auto bytes = collective_bytes(collective);
      if (!bytes || *bytes < min_bytes) continue;
      reported.insert(collective.id());
      finding d = finding_at(collective,
                             str_cat({detail::transfer_text(collective_kind(collective_of(collective).opcode()), bytes),
                                      repetition_text(dump.get<loops>(), body), " is added to element ", element,
                                      " of the loop (", detail::position_text(collective), ")"}),
                             {.bytes = bytes, .related = {related_at(loop, "the loop")}});
      if (const trip_count count = trip_count_of(loop); count.times > 1)  // one remains, after the loop
        d.saves = {{collective, static_cast<double>(count.times - 1) / static_cast<double>(count.times)}};
      emit(std::move(d));
    }
  }
}

}  // namespace hlolint
#endif
