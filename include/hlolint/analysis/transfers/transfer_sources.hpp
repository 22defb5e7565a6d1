// The transfers of a module, at any depth in async computations, fusions and calls (scheduling.md 1; time_model.md
// 6.1).
#pragma once

#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/calling_instructions.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/sole_operations.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/sorting.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace hlolint {

/// What a copy, slice or update moves; null for other instructions.
inline const shape* part_moved(hlo_instruction move) {
  switch (move.opcode()) {
    using enum hlo_opcode;
    case copy:
    case dynamic_slice:
    case slice: return move.shape();
    case dynamic_update_slice: return shape_of_operand(move, 1);
    default: return nullptr;
  }
}

/// Whether a send or recv is a part of a transfer between slices, which the runtime of Megascale makes by way of the
/// hosts.
inline bool goes_between_slices(hlo_instruction i) {
  return get_boolean(i, attribute_key::is_host_transfer) &&
         frontend_value(i, "_xla_host_transfer_handler_name") == "xla_megascale_runtime";
}

/// Whether it receives what a callback on the host returns, whose time the text does not show.
inline bool awaits_host(hlo_instruction i) {
  return i.opcode() == hlo_opcode::recv && get_boolean(i, attribute_key::is_host_transfer) && !goes_between_slices(i);
}

/// Whether a copy, slice or update brings its part over the link between host and device.
inline bool crosses_to_host(hlo_instruction move) {
  const shape* const from = shape_of_operand(move, move.opcode() == hlo_opcode::dynamic_update_slice ? 1 : 0);
  return part_moved(move) && is_in_host(from) != is_in_host(move.shape());
}

/// The role of a fused computation in a transfer. TPU async collective fusions are ordinary fusions with such a
/// computation (scheduling.md 1).
struct async_fusion_role {
  bool starts = false;         ///< holds a custom call `AsyncCollectiveStart`
  bool finishes = false;       ///< holds a custom call `AsyncCollectiveDone`
  hlo_instruction collective;  ///< the copy of the collective inside; empty if there is none
  std::string chain;           ///< `chain_id/channel_id`, equal in all fusions of one transfer; empty if unknown

  /// Whether it is a compute fusion that carries a transfer on.
  bool carries() const { return collective && !starts && !finishes && !chain.empty(); }
};

/// The roles of all computations of a module.
class async_fusion_roles {
 public:
  /// Linear in the module.
  explicit async_fusion_roles(const hlo_module& module) : role_of_(module.computation_count(), none) {
    for (const hlo_instruction i : module.instructions()) {
      if (i.opcode() != hlo_opcode::custom_call || !may_hold(i, attribute_key::custom_call_target, "AsyncCollective"))
        continue;
      const auto target = get<custom_call_target>(i);
      if (target && target->name == "AsyncCollectiveStart") role(i).starts = any_ = true;
      if (target && target->name == "AsyncCollectiveDone") role(i).finishes = true;
    }
    if (!any_) return;  // without a start there are no chains
    for (const hlo_instruction i : module.instructions()) {
      if (!is_synchronous_collective(i.opcode())) continue;
      const auto chain_id = frontend_value(i, "chain_id");
      if (!chain_id) continue;
      async_fusion_role& own = role(i);
      own.collective = i;
      own.chain = *chain_id + '/' + std::string(i.attribute(attribute_key::channel_id).value_or("-"));
    }
  }

  /// The role of a fusion; null for fusions without one and other instructions.
  const async_fusion_role* of(hlo_instruction i) const {
    const hlo_computation called = any_ && i.opcode() == hlo_opcode::fusion ? first_called(i) : hlo_computation{};
    return called ? in(called) : nullptr;
  }
  /// The role of a fused computation; null for others.
  const async_fusion_role* in(hlo_computation c) const {
    return any_ && role_of_[c.id()] != none ? &roles_[role_of_[c.id()]] : nullptr;
  }

 private:
  async_fusion_role& role(hlo_instruction inside) {
    id& at = role_of_[inside.computation().id()];
    if (at == none) {
      at = static_cast<id>(roles_.size());
      roles_.emplace_back();
    }
    return roles_[at];
  }

  std::vector<id> role_of_;  // by computation, into roles_
  std::vector<async_fusion_role> roles_;
  bool any_ = false;
};

/// The role of an instruction in a transfer.
enum class transfer_role : std::uint8_t {
  nothing,      ///< work, or no time at all
  starts,       ///< starts it; another instruction waits for its end
  synchronous,  ///< waits itself: a plain collective, one inside a fusion, or a start that XLA marked is_sync or moves
                ///< by a kernel of its own
  finishes      ///< waits for the end of a transfer
};

/// Finds the transfer of an instruction through async computations, fusions and calls, also custom ones.
class transfer_sources {
 public:
  /// Linear in the module.
  explicit transfer_sources(const hlo_module& module)
      : module_(module), roles_(module), inside_(module.computation_count(), none) {
    for (const hlo_computation c : callees_first(module)) inside_[c.id()] = find_inside(c);
    sort_unique(started_);
    sort_unique(scattered_);
  }

  /// Whether an instruction with this opcode can start or be a transfer; a quick test, since most cannot.
  static constexpr bool may_transfer(hlo_opcode opcode) {
    using enum hlo_opcode;
    return is_collective(opcode) || opcode == copy_start || opcode == send || opcode == recv || opcode == async_start ||
           opcode == fusion;
  }

  /// The instruction with the opcode, shapes and attributes of the transfer that `i` starts or is; an empty view if
  /// there is none.
  hlo_instruction transfer_of(hlo_instruction i) const {
    using enum hlo_opcode;
    if (is_collective(i.opcode()) || i.opcode() == copy_start || i.opcode() == send || i.opcode() == recv) return i;
    if (i.opcode() == async_start) {
      const hlo_instruction collective = inside(i);
      return collective ? collective : host_move_of(i);
    }
    if (i.opcode() != fusion) return {};
    const async_fusion_role* const role = roles_.of(i);
    if (!role) return inside(i);
    return role->starts ? role->collective : hlo_instruction{};
  }

  /// The role of an instruction in its transfer.
  transfer_role role_of(hlo_instruction i) const {
    const async_fusion_role* const role = roles_.of(i);
    if (is_done_opcode(i.opcode()) || (role && role->finishes && !role->starts)) return transfer_role::finishes;
    const hlo_instruction transfer = transfer_of(i);
    if (!transfer) return transfer_role::nothing;
    if (!is_start_opcode(i.opcode()) && !role) return transfer_role::synchronous;
    if (sync_flag(i) == true || sync_flag(transfer) == true) return transfer_role::synchronous;
    return is_moved_by_kernel(i, transfer) && !launches_fusion(i) ? transfer_role::synchronous : transfer_role::starts;
  }
  /// Whether a kernel of XLA's own moves what `i` starts, on a stream beside that of the other kernels.
  bool runs_on_own_stream(hlo_instruction i) const {
    return launches_fusion(i) && transfer_of(i) && is_moved_by_kernel(i, transfer_of(i));
  }

  /// Opcodes whose other end is a separate transfer.
  static constexpr bool is_pair_opcode(hlo_opcode opcode) {
    return opcode == hlo_opcode::send || opcode == hlo_opcode::recv;
  }
  /// The kind of a transfer, the opcode of its synchronous form: an all-reduce of which the fusion around it keeps only
  /// a part is a TPU's reduce-scatter.
  hlo_opcode kind_of(hlo_instruction transfer) const {
    return std::ranges::binary_search(scattered_, transfer.id()) ? hlo_opcode::reduce_scatter
                                                                 : collective_kind(transfer.opcode());
  }
  /// The collective that `i` is or, if it is an async-start, that it runs, at any depth; an empty view for others.
  hlo_instruction collective_of(hlo_instruction i) const {
    if (is_collective(i.opcode())) return i;
    const hlo_instruction run = i.opcode() == hlo_opcode::async_start ? inside(i) : hlo_instruction{};
    return run && is_collective(run.opcode()) ? run : hlo_instruction{};
  }
  /// Whether another instruction counts in the place of a collective: an async-start that runs it, or the TPU fusion
  /// that begins the transfer which the fusion around this one carries on or ends.
  bool is_copy(hlo_instruction collective) const {
    const async_fusion_role* const role = roles_.in(collective.computation());
    return (role && !role->starts) || std::binary_search(started_.begin(), started_.end(), collective.id());
  }
  /// The role of a TPU fusion that begins, carries on or ends a transfer; null for others.
  const async_fusion_role* fusion_role(hlo_instruction i) const { return roles_.of(i); }

 private:
  hlo_instruction inside(hlo_instruction i) const {
    const hlo_computation called = first_called(i);
    return called && inside_[called.id()] != none ? module_.instruction(inside_[called.id()]) : hlo_instruction{};
  }
  static bool is_moved_by_kernel(hlo_instruction i, hlo_instruction transfer) {
    return !kernel_strategy_of(i).empty() || (i != transfer && !kernel_strategy_of(transfer).empty());
  }
  static bool launches_fusion(hlo_instruction i) {
    const hlo_instruction run = i.opcode() == hlo_opcode::async_start ? root_of(first_called(i)) : hlo_instruction{};
    return run && run.opcode() == hlo_opcode::fusion;
  }
  /// The only operation that an async-start runs, alone or in a fusion, if it moves an array between host and device.
  static hlo_instruction host_move_of(hlo_instruction start) {
    const hlo_computation called = first_called(start);
    hlo_instruction move = called ? sole_operation_in(called) : hlo_instruction{};
    if (move && move.opcode() == hlo_opcode::fusion)
      move = first_called(move) ? sole_operation_in(first_called(move)) : hlo_instruction{};
    return move && crosses_to_host(move) ? move : hlo_instruction{};
  }
  static bool keeps_part(hlo_computation fused, hlo_instruction transfer) {
    return std::ranges::any_of(fused.instructions(), [&](hlo_instruction i) {
      using enum hlo_opcode;
      constexpr opcode_set same_elements{bitcast, reshape, copy, get_tuple_element};
      int hops = 0;
      const auto passes = [&](hlo_instruction at) { return same_elements.has(at.opcode()) && ++hops < 16; };
      return i.opcode() == dynamic_slice && follow_first_operands(operand_of(i, 0), passes) == transfer;
    });
  }
  /// The first collective of a computation, else the first one in computations that it fuses, calls or wraps. Notes
  /// those that async-starts run, and those of which a fusion keeps a part.
  id find_inside(hlo_computation c) {
    id own = none, nested = none;
    for (const hlo_instruction i : c.instructions()) {
      if (own == none && is_synchronous_collective(i.opcode())) own = i.id();
      if (is_pair_opcode(i.opcode()) && nested == none) nested = i.id();  // a group of sends and receives
      using enum hlo_opcode;
      const bool runs_others = i.opcode() == fusion || i.opcode() == call || i.opcode() == async_start ||
                               i.opcode() == custom_call;  // which hands a collective to a SparseCore
      const hlo_instruction found = runs_others ? inside(i) : hlo_instruction{};
      if (!found) continue;
      if (nested == none) nested = found.id();
      if (i.opcode() == async_start) started_.push_back(found.id());
      if (i.opcode() == fusion && found.opcode() == all_reduce && keeps_part(first_called(i), found))
        scattered_.push_back(found.id());
    }
    return own != none ? own : nested;
  }

  hlo_module module_;
  async_fusion_roles roles_;
  std::vector<id> inside_;     // by computation
  std::vector<id> started_;    // collectives that async-starts run, in ascending order
  std::vector<id> scattered_;  // all-reduces of which a fusion keeps a part, in ascending order
};

}  // namespace hlolint
