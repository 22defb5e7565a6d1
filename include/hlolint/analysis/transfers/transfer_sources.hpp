// What transfers, however deep it stands in async computations, fusions and calls (scheduling.md 1; time_model.md 6.1).
#pragma once

#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/callers_first.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/transfers/tpu_async_fusion.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace hlolint {

/// What an instruction is to a transfer.
enum class transfer_role : std::uint8_t {
  nothing,      ///< work, or no time at all
  starts,       ///< something else waits for its end
  synchronous,  ///< it waits itself: a plain collective, one inside a fusion, or a start that XLA marked is_sync
  finishes      ///< waits for the end of a transfer
};

/// The transfers of a module. What is transferred is looked up through async computations, fusions and calls.
class transfer_sources {
 public:
  /// Linear in the module.
  explicit transfer_sources(const hlo_module& module)
      : module_(module), roles_(module), inside_(module.computation_count(), none) {
    const record_list<hlo_computation> order = callers_first(module);
    for (auto c = order.rbegin(); c != order.rend(); ++c) inside_[c->id()] = find_inside(*c);
  }

  /// Whether an instruction with this opcode can start or be a transfer; asked first, as most cannot.
  static constexpr bool may_transfer(hlo_opcode opcode) {
    using enum hlo_opcode;
    return is_collective(opcode) || opcode == copy_start || opcode == send || opcode == recv ||
           opcode == async_start || opcode == fusion;
  }

  /// The instruction that has the opcode, the shapes and the attributes of the transfer which `i` starts or is; an
  /// empty view if there is none.
  hlo_instruction transfer_of(hlo_instruction i) const {
    using enum hlo_opcode;
    if (is_collective(i.opcode()) || i.opcode() == copy_start || i.opcode() == send || i.opcode() == recv) return i;
    if (i.opcode() == async_start) return inside(i);
    if (i.opcode() != fusion) return {};
    const async_fusion_role* const role = roles_.of(i);
    if (!role) return inside(i);
    return role->starts ? role->collective : hlo_instruction{};
  }

  /// What the instruction is to the transfer that it belongs to.
  transfer_role role_of(hlo_instruction i) const {
    const async_fusion_role* const role = roles_.of(i);
    if (is_done_opcode(i.opcode()) || (role && role->finishes && !role->starts)) return transfer_role::finishes;
    const hlo_instruction transfer = transfer_of(i);
    if (!transfer) return transfer_role::nothing;
    if (is_start_opcode(i.opcode()) || role) {
      const auto own = sync_flag(i), wrapped = transfer == i ? own : sync_flag(transfer);
      return own == true || wrapped == true ? transfer_role::synchronous : transfer_role::starts;
    }
    return transfer_role::synchronous;
  }

  /// Opcodes whose other end is a transfer of its own.
  static constexpr bool is_pair_opcode(hlo_opcode opcode) {
    return opcode == hlo_opcode::send || opcode == hlo_opcode::recv;
  }
  /// Whether a fusion holds an all-reduce of which it keeps one part: a reduce-scatter, as the TPU compiler writes it.
  bool is_scatter(hlo_instruction fusion, hlo_instruction transfer) const {
    const hlo_computation body = first_called(fusion);
    if (fusion.opcode() != hlo_opcode::fusion || transfer.opcode() != hlo_opcode::all_reduce || !body) return false;
    for (const hlo_instruction i : body.instructions())
      if (i.opcode() == hlo_opcode::dynamic_slice && i.operand_count() > 0)
        for (auto [from, hops] = std::pair(i.operand(0), 0); from && hops < 16; from = from.operand(0), ++hops) {
          if (from == transfer) return true;
          const bool same_elements = from.opcode() == hlo_opcode::bitcast || from.opcode() == hlo_opcode::reshape ||
                                     from.opcode() == hlo_opcode::copy ||
                                     from.opcode() == hlo_opcode::get_tuple_element;
          if (!same_elements || from.operand_count() == 0) break;
        }
    return false;
  }
  /// What a fusion does that begins, carries on or ends a transfer of the TPU; null for others.
  const async_fusion_role* fusion_role(hlo_instruction i) const { return roles_.of(i); }

 private:
  hlo_instruction inside(hlo_instruction i) const {
    const hlo_computation called = first_called(i);
    return called && inside_[called.id()] != none ? module_.instruction(inside_[called.id()]) : hlo_instruction{};
  }
  /// The first collective of a computation, else the first of what it fuses, calls or wraps.
  id find_inside(hlo_computation c) const {
    id nested = none;
    for (const hlo_instruction i : c.instructions()) {
      if (is_synchronous_collective(i.opcode())) return i.id();
      if (is_pair_opcode(i.opcode()) && nested == none) nested = i.id();  // a group of sends and receives
      const bool enters =
          i.opcode() == hlo_opcode::fusion || i.opcode() == hlo_opcode::call || i.opcode() == hlo_opcode::async_start;
      if (nested == none && enters)
        if (const hlo_instruction found = inside(i)) nested = found.id();
    }
    return nested;
  }

  hlo_module module_;
  async_fusion_roles roles_;
  record_list<id> inside_;  // by computation
};

}  // namespace hlolint
