// PRF005: a loop that waits for the host's memory in every iteration.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Looks at synchronous copies, slices and updates between host memory (`S(5)`) and the device. The memory space of
/// indices does not count.
struct host_transfer_in_loop {
  static constexpr rule about{
      .id = "PRF005",
      .name = "host-transfer-in-loop",
      .costs = cost_kind::time,
      .needs = need::scheduled,
      .what =
          "A while body moves an array between host and device with a synchronous copy, dynamic-slice or "
          "dynamic-update-slice.",
      .why = "The link to the host is slow, and nothing else runs while the loop waits for it, in every iteration.",
      .advice =
          "Make the transfer asynchronous and start it an iteration ahead (pipelined host copies), move larger "
          "pieces less often, or offload less.",
      .example =
          "%slice = f32[1,1024,1024]{2,1,0} dynamic-slice(f32[24,1024,1024]{2,1,0:S(5)} %saved, %i, %z, %z), "
          "dynamic_slice_sizes={1,1024,1024}",
      .source = "openxla/xla #26229, #32297"};

  byte_count min_bytes = 1_MiB;
  static constexpr auto options = std::tuple{
      option{"min-bytes", &host_transfer_in_loop::min_bytes, "smaller transfers are not reported (one iteration)"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/program/sole_operations.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/transfers/transfer_sources.hpp>
#include <hlolint/checks/sequential_parts.hpp>
#include <hlolint/checks/value_readers.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

namespace hlolint {

namespace prf005 {

/// Operand `k` of the move as seen by the caller of the fusion, where memory spaces are known.
inline const shape* outer_operand(hlo_instruction i, hlo_instruction move, std::size_t k) {
  if (i == move) return shape_of_operand(move, k);
  const hlo_instruction from = detail::behind_bitcasts(k < move.operand_count() ? move.operand(k) : hlo_instruction{});
  const auto number = from ? from.parameter_number() : std::nullopt;
  return number && *number >= 0 ? shape_of_operand(i, static_cast<std::size_t>(*number)) : nullptr;
}

}  // namespace prf005

HLOLINT_INLINE void host_transfer_in_loop::operator()(const context& dump, sink_ref emit) const {
  if (dump.target() == target::cpu) return;
  const auto& all_loops = dump.get<loops>();
  for (const hlo_instruction i : detail::sequential_instructions(dump)) {
    const hlo_instruction loop = all_loops.around(i.computation());
    const hlo_instruction move = loop ? dump.get<sole_operations>().of(i) : hlo_instruction{};
    const shape* const moved = move ? part_moved(move) : nullptr;
    if (!moved) continue;
    const bool updates = move.opcode() == hlo_opcode::dynamic_update_slice;
    // An update runs where its base and result are; the new part is what crosses.
    const shape* const crossing = prf005::outer_operand(i, move, updates ? 1 : 0);
    const bool to_host = i.shape() && is_host_space(i.shape()->memory_space());
    if (!crossing || is_host_space(crossing->memory_space()) == to_host) continue;
    const auto bytes = dense_size(*moved);
    if (!bytes || *bytes < min_bytes) continue;
    emit(finding_at(
        i,
        str_cat({name_of(move.opcode()), " moves ", human(*bytes), to_host ? " to" : " from", " the host synchronously",
                 repetition_text(all_loops, i.computation()), " (", detail::position_text(i), ")"}),
        {.bytes = bytes, .related = {related_at(loop, "the loop")}}));
  }
}

}  // namespace hlolint
#endif
