// PRF021: a loop stacks its results, of which little is read afterwards.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// As `ys[-1]` of `_, ys = jax.lax.scan(...)` does. All readers of the stack, also inside of fusions, are slices behind
/// the loop.
struct stack_read_in_part {
  static constexpr rule about{
      .id = "PRF021",
      .name = "stack-read-in-part",
      .costs = cost_kind::memory,
      .needs = need::scheduled,
      .what =
          "A loop writes one part of an array in each iteration, but only a small part of the array is read, after the "
          "loop.",
      .why = "The whole array is in memory during the loop, and each part is written, though most are never read.",
      .advice =
          "Carry what is read through the loop instead of stacking it: the last value is the first result of "
          "jax.lax.scan. Of every n-th value, stack the results of an outer loop over n iterations each.",
      .example =
          "%loop = (s32[], f32[64]{0}, f32[1000,64]{1,0}) while(%start), condition=%c, body=%b\n"
          "%ys = f32[1000,64]{1,0} get-tuple-element(%loop), index=2\n"
          "%last = f32[1,64]{1,0} slice(%ys), slice={[999:1000], [0:64]}",
      .source = "jax-ml/jax: lax.scan stacks all its outputs"};

  byte_count min_bytes = 16_MiB;
  double max_percent = 25;
  static constexpr auto options = std::tuple{
      option{"min-bytes", &stack_read_in_part::min_bytes, "less that is not read is not reported"},
      option{"max-percent", &stack_read_in_part::max_percent, "percent of the array that slices read, at most"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/transfers/wasted_results.hpp>
#include <hlolint/checks/aliasing/free_leaves.hpp>
#include <hlolint/checks/value_readers.hpp>
#include <hlolint/ir/elementwise.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace hlolint {

namespace prf021 {

/// The elements of one part of the state of a loop, outside of it or in its body.
inline std::vector<hlo_instruction> elements_of(hlo_instruction tuple, std::size_t element, const users& all_users) {
  std::vector<hlo_instruction> out;
  for (const instruction_use use : all_users.of(tuple))
    if (element_position(use.user) == element) out.push_back(use.user);
  return out;
}

/// Whether an iteration only writes to a part of the state: the update, alone or in a fusion, is its one reader.
inline bool is_only_written(hlo_instruction loop, std::size_t element, const context& dump) {
  const users& all_users = dump.get<users>();
  const computation_parameters& parameters = dump.get<computation_parameters>();
  const auto [condition, body] = parts_of_while(loop);
  const hlo_instruction tested = condition ? parameters.of(condition, 0) : hlo_instruction{};
  const hlo_instruction state = body ? parameters.of(body, 0) : hlo_instruction{};
  if (!state || (tested && !elements_of(tested, element, all_users).empty())) return false;
  const std::vector<hlo_instruction> carried = elements_of(state, element, all_users);
  hlo_instruction at = carried.size() == 1 ? carried.front() : hlo_instruction{};
  for (int depth = 0; at && all_users.count(at) == 1 && depth < 8; ++depth) {
    const instruction_use use = *all_users.of(at).begin();
    if (use.user.opcode() == hlo_opcode::dynamic_update_slice) return use.operand == 0;
    at = use.user.opcode() == hlo_opcode::bitcast ? use.user : parameters.inside(use.user, use.operand);
  }
  return false;
}

/// The slices that read an array, if nothing else does.
inline std::optional<std::vector<hlo_instruction>> slices_of(hlo_instruction array, const context& dump) {
  const auto takes = [](hlo_instruction user) {
    return user.opcode() == hlo_opcode::slice || user.opcode() == hlo_opcode::dynamic_slice;
  };
  return parts_taken(array, dump.get<users>(), dump.get<computation_parameters>(), takes,
                     [](instruction_use use) { return keeps_elements(use.user.opcode()); });
}

inline double elements(hlo_instruction i) { return i.shape() ? detail::array_elements(*i.shape()) : 0; }

inline void check(const stack_read_in_part& limits, hlo_instruction loop, std::size_t element, const context& dump,
                  sink_ref emit) {
  const shape& array = loop.shape()->elements[element];
  const auto size = array.is_array() ? byte_size(array, detail::size_rule_of(dump)) : std::nullopt;
  if (!size || *size < limits.min_bytes || !detail::stacks(loop, element) || !is_only_written(loop, element, dump))
    return;
  const std::vector<hlo_instruction> stacked = elements_of(loop, element, dump.get<users>());
  if (stacked.size() != 1) return;
  const auto slices = slices_of(stacked.front(), dump);
  if (!slices) return;
  double read = 0;
  for (const hlo_instruction slice : *slices) read += elements(slice);
  const double share = read / elements(stacked.front());
  const byte_count unread = clamp_to_int64((1 - share) * static_cast<double>(*size));
  if (!(share * 100 <= limits.max_percent) || unread < limits.min_bytes) return;
  finding d = finding_at(loop,
                         str_cat({"the loop stacks ", to_string(array), " (", human(*size), ") in element ", element,
                                  ", of which ", share_text(read, elements(stacked.front())), " is read"}),
                         {.bytes = unread});
  d.related.push_back(related_at(slices->front(), "reads a part of it"));
  const auto& dependence = dump.get<device_dependence>();
  if (std::ranges::any_of(*slices, [&](hlo_instruction slice) { return begins_by_device(slice, dependence); }))
    d.advice =
        "Each device keeps its own part: give the result of an iteration the sharding of the whole "
        "(with_sharding_constraint in the body), so that the loop stacks parts.";
  emit(std::move(d));
}

}  // namespace prf021

HLOLINT_INLINE void stack_read_in_part::operator()(const context& dump, sink_ref emit) const {
  for (const hlo_computation c : dump.hlo()->computations()) {
    if (!dump.get<call_graph>().is_sequential(c)) continue;
    for (const hlo_instruction loop : c.instructions())
      if (loop.opcode() == hlo_opcode::while_ && loop.shape() && loop.shape()->is_tuple() && !loop.is_root())
        for (std::size_t k = 0; k < loop.shape()->elements.size(); ++k) prf021::check(*this, loop, k, dump, emit);
  }
}

}  // namespace hlolint
#endif
