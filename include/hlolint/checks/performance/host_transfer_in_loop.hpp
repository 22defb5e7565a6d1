// PRF005: a loop that waits for the host's memory in every iteration.
#pragma once

#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/program/sole_operation.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/checks/collectives/transfer.hpp>
#include <hlolint/lint/check.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/option.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace hlolint {

/// Copies, slices and updates between host memory (`S(5)`, `S(6)`) and the device that are not a start and a done.
struct host_transfer_in_loop {
  /// Id, name, level and explanation.
  static constexpr rule about{
      .id = "PRF005",
      .name = "host-transfer-in-loop",
      .level = severity::warning,
      .since = "0.1",
      .what =
          "A while body moves an array between host and device with a synchronous copy, dynamic-slice or "
          "dynamic-update-slice.",
      .why = "The link to the host is slow, and nothing else runs while the loop waits for it, in every iteration.",
      .advice =
          "Let the transfer be asynchronous and start it an iteration ahead (pipelined host copies), move bigger "
          "pieces less often, or offload less.",
      .example =
          "%slice = f32[1,1024,1024]{2,1,0} dynamic-slice(f32[24,1024,1024]{2,1,0:S(5)} %saved, %i, %z, %z), "
          "dynamic_slice_sizes={1,1024,1024}",
      .source = "openxla/xla #26229, #32297"};
  static constexpr need needs = need::scheduled;  ///< without it the check is not run

  byte_count min_bytes = 1_MiB;  ///< smaller transfers are not reported (one iteration)
  /// What users can set, with its help.
  static constexpr auto options = std::tuple{
      option{"min-bytes", &host_transfer_in_loop::min_bytes, "smaller transfers are not reported (one iteration)"}};

  /// Reports a loop that waits for the host's memory in every iteration.
  void operator()(const context& dump, sink auto& report) const {
    if (dump.target() == target::cpu) return;
    const auto& graph = dump.template get<call_graph>();
    const auto& all_loops = dump.template get<loops>();
    for (const hlo_computation c : dump.hlo()->computations()) {
      if (!graph.is_sequential(c) || !all_loops.around(c)) continue;
      for (const hlo_instruction i : c.instructions()) {
        const hlo_instruction move = dump.template get<sole_operations>().of(i);
        const shape* const moved = move ? part_moved(move) : nullptr;
        if (!moved) continue;
        const bool from_host = any_operand_on_host(i), to_host = i.shape() && is_host_space(i.shape()->memory_space());
        if (from_host == to_host && move.opcode() != hlo_opcode::dynamic_update_slice) continue;
        // An update is on the host where base and result are; what crosses is the new part.
        const shape* const crossing = move.opcode() == hlo_opcode::dynamic_update_slice ? update_of(i, move) : moved;
        if (!crossing ||
            (move.opcode() == hlo_opcode::dynamic_update_slice && is_host_space(crossing->memory_space()) == to_host))
          continue;
        const auto bytes = dense_size(*moved);
        if (!bytes || *bytes < min_bytes) continue;
        finding d = finding_at(i, std::string(name_of(move.opcode())) + " moves " + human(*bytes) +
                                      (to_host ? " to" : " from") + " the host synchronously" +
                                      repetition_text(all_loops, c) + " (" + detail::position_text(i) + ")");
        d.bytes = repeated_bytes(all_loops, c, *bytes);
        d.related.push_back(related_at(all_loops.around(c), "the loop"));
        report(std::move(d));
      }
    }
  }

 private:
  static const shape* part_moved(hlo_instruction move) {
    switch (move.opcode()) {
      using enum hlo_opcode;
      case copy:
      case dynamic_slice:
      case slice:
        return move.shape();
      case dynamic_update_slice:
        return shape_of_operand(move, 1);
      default:
        return nullptr;
    }
  }
  static bool any_operand_on_host(hlo_instruction i) {
    for (std::size_t k = 0; k < i.operand_count(); ++k)
      if (const shape* const from = shape_of_operand(i, k); from && is_host_space(from->memory_space())) return true;
    return false;
  }
  /// The update as the instruction outside of a fusion gets it: there memory spaces are written.
  static const shape* update_of(hlo_instruction i, hlo_instruction move) {
    if (i == move) return shape_of_operand(move, 1);
    const hlo_instruction update = move.operand_count() > 1 ? move.operand(1) : hlo_instruction{};
    const auto number = update ? update.parameter_number() : std::nullopt;
    return number && *number >= 0 ? shape_of_operand(i, static_cast<std::size_t>(*number)) : nullptr;
  }
};

}  // namespace hlolint
