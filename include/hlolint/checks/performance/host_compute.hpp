// PRF006: computation on the host in a program for an accelerator.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Reports work that is marked `_xla_compute_type="host"`, once per call, and compute instructions with operands in
/// host memory.
struct host_compute {
  static constexpr rule about{
      .id = "PRF006",
      .name = "host-compute",
      .costs = cost_kind::time,
      .needs = need::hlo,
      .what =
          "Part of the program runs on the host: it is marked _xla_compute_type=\"host\", or computes on arrays "
          "in host memory.",
      .why = "The host computes and reads memory many times slower than the device, which often waits for it.",
      .advice =
          "Check that this is intended (as for an optimizer that is offloaded on purpose); otherwise move the "
          "operand to the device before it is used, so that only a copy touches host memory.",
      .example = "%s = f32[4096,4096]{1,0} add(f32[4096,4096]{1,0:S(5)} %offloaded, f32[4096,4096]{1,0} %x)",
      .source = "openxla/xla #24248, #34565"};

  byte_count min_bytes = 1_MiB;
  static constexpr auto options = std::tuple{option{
      "min-bytes", &host_compute::min_bytes, "instructions with fewer bytes of operands or result are not reported"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/calling_instructions.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/program/sole_operations.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/checks/sequential_parts.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

#include <vector>

namespace hlolint {

namespace prf006 {

inline bool is_marked(hlo_instruction i) {
  if (takes_no_time(i.opcode()) || is_transfer_opcode(i.opcode()) != (i.opcode() == hlo_opcode::async_start))
    return false;
  if (!may_hold(i, attribute_key::frontend_attributes, "_xla_compute_type")) return false;
  const auto attributes = get<frontend_attributes>(i);
  const std::string* const type = attributes ? attributes->find("_xla_compute_type") : nullptr;
  return type && *type == "host";
}
inline const shape* host_operand(hlo_instruction i) {
  for (std::size_t k = 0; k < i.operand_count(); ++k)
    if (const shape* const from = shape_of_operand(i, k); from && is_host_space(from->memory_space())) return from;
  return nullptr;
}
/// Tells computation from instructions that only move or pass on data. Whether the computation of a fusion only moves
/// data is found once for each, callees first, however deep fusions nest.
class moving_bodies {
 public:
  explicit moving_bodies(const hlo_module& module) : only_moves_(module.computation_count()) {
    for (const hlo_computation c : callees_first(module)) only_moves_[c.id()] = only_moves(c);
  }
  bool computes(hlo_instruction i) const {
    if (takes_no_time(i.opcode()) || is_transfer_opcode(i.opcode()) || calls_sequentially(i.opcode())) return false;
    using enum hlo_opcode;
    constexpr opcode_set moves{copy, custom_call, dynamic_slice, dynamic_update_slice, reshape, slice, transpose};
    if (i.opcode() != fusion) return !moves.has(i.opcode());
    const hlo_computation body = first_called(i);
    return body && !only_moves_[body.id()];
  }

  /// True for slices and updates with the arithmetic on their indices.
  bool only_moves(hlo_computation body) const {
    for (const hlo_instruction i : body.instructions())
      if (i.opcode() == hlo_opcode::dynamic_slice || i.opcode() == hlo_opcode::dynamic_update_slice) return true;
    const hlo_instruction sole = sole_operation_in(body);
    return sole && !computes(sole);
  }

  std::vector<bool> only_moves_;  // by computation
};

}  // namespace prf006

HLOLINT_INLINE void host_compute::operator()(const context& dump, sink_ref emit) const {
  if (dump.target() == target::cpu) return;
  for (const hlo_instruction i : detail::sequential_instructions(dump)) {
    const bool marked = prf006::is_marked(i);
    const shape* const in_host = marked ? nullptr : prf006::host_operand(i);
    if (!marked && (!in_host || !dump.get<prf006::moving_bodies>().computes(i))) continue;
    const byte_count bytes = (marked ? transfer_bytes(i) : dense_size_of_leaves(*in_host)).value_or(0);
    if (bytes < min_bytes) continue;
    emit(finding_at(i,
                    str_cat({name_of(i.opcode()), marked ? " runs on the host, with " : " computes on ", human(bytes),
                             marked ? "" : " in host memory", repetition_text(dump.get<loops>(), i.computation()), " (",
                             detail::position_text(i), ")"}),
                    {.bytes = bytes}));
  }
}

}  // namespace hlolint
#endif
