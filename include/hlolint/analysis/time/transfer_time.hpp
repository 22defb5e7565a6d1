// The transfers of a module and how long each takes on a device (time_model.md 3, 6.1).
#pragma once

#include <hlolint/analysis/program/callers_first.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/time/link_time.hpp>
#include <hlolint/analysis/time/transfer_groups.hpp>
#include <hlolint/analysis/transfers/async_work.hpp>
#include <hlolint/analysis/transfers/collective_kind.hpp>
#include <hlolint/analysis/transfers/tpu_async_fusion.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

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
    const std::vector<hlo_computation> order = callers_first(module);
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
  /// Whether a fusion is one of those that begin, carry on or end a transfer of the TPU.
  bool is_async_fusion(hlo_instruction i) const { return roles_.of(i) != nullptr; }

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
  std::vector<id> inside_;  // by computation
};

/// The times of all transfers of a module.
class transfer_times {
 public:
  /// O(n log n) in the module, and linear in the devices of its transfers.
  transfer_times(const hlo_module& module, const device& on)
      : device_(on), sources_(module), times_(module.instruction_count(), none) {
    transfer_groups groups(module, on.domain_size);
    for (const hlo_instruction i : module.instructions()) {
      if (!transfer_sources::may_transfer(i.opcode())) continue;
      const hlo_instruction transfer = sources_.transfer_of(i);
      if (!transfer) continue;
      times_[i.id()] = static_cast<id>(made_.size());
      made_.push_back(time_of(transfer, groups, sources_.is_scatter(i, transfer)));
      if (i.opcode() == hlo_opcode::async_start) add_others(i, transfer, groups);
    }
  }

  /// Null if the instruction neither starts nor is a transfer.
  const transfer_time* of(hlo_instruction i) const { return times_[i.id()] == none ? nullptr : &made_[times_[i.id()]]; }
  /// What starts and ends transfers.
  const transfer_sources& sources() const { return sources_; }

 private:
  /// A marked group of transfers in one async computation is one launch: their bytes go one after the other.
  void add_others(hlo_instruction start, hlo_instruction first, transfer_groups& groups) {
    const hlo_computation wrapped = first_called(start);
    transfer_time& sum = made_.back();
    for (const hlo_instruction i : wrapped.instructions()) {
      if (i == first || !(is_synchronous_collective(i.opcode()) || transfer_sources::is_pair_opcode(i.opcode())))
        continue;
      const transfer_time other = time_of(i, groups);
      sum.bytes += other.bytes, sum.wire_bytes += other.wire_bytes, sum.network_bytes += other.network_bytes;
      sum.within += other.within, sum.between += other.between, sum.latency = std::max(sum.latency, other.latency);
      if (other.path == transfer_path::network) sum.path = other.path;
    }
  }
  static double bytes_of(const shape* s) {
    double sum = 0;
    if (s)
      for_each_subshape(*s, [&](const shape_index&, const shape& part) {
        if (!part.is_tuple()) sum += static_cast<double>(dense_size(part).value_or(0));
      });
    return sum;
  }
  static double operand_bytes(hlo_instruction i) {
    double sum = 0;
    for (std::size_t k = 0; k < i.operand_count(); ++k) sum += bytes_of(shape_of_operand(i, k));
    return sum;
  }
  static const shape* part(hlo_instruction i, std::uint32_t at) {
    const shape* const whole = i.shape();
    return whole && whole->is_tuple() ? whole->at({at}) : whole;
  }

  transfer_time time_of(hlo_instruction i, transfer_groups& groups, bool scatters = false) const {
    using enum hlo_opcode;
    const hlo_opcode kind = scatters ? reduce_scatter : i.opcode() == copy_start ? copy : collective_kind(i.opcode());
    switch (kind) {
      case copy: {
        const shape* const from = shape_of_operand(i, 0);
        return copy_time(device_, from ? bytes_of(from) : bytes_of(part(i, 0)),
                         is_in_host(from) || is_in_host(part(i, 0)));
      }
      case send:
      case recv: {
        const shape* const data = kind == recv ? part(i, 0) : shape_of_operand(i, 0);
        transfer_time t = get_boolean(i, attribute_key::is_host_transfer)
                              ? copy_time(device_, bytes_of(data), true)
                              : pair_time(device_, kind, bytes_of(data), groups.moves(i), groups.crosses(i));
        t.kind = kind;
        return t;
      }
      case collective_permute:
        return pair_time(device_, kind, operand_bytes(i), groups.moves(i), groups.crosses(i));
      default:
        break;
    }
    const bool by_operands = kind == reduce_scatter || kind == all_to_all || kind == ragged_all_to_all;
    const double bytes = by_operands                      ? operand_bytes(i)
                         : i.opcode() == all_gather_start ? bytes_of(part(i, 1))
                                                          : bytes_of(i.shape());
    return collective_time(device_, kind, bytes, groups.extent(i), device_.is_tpu() ? groups.directions(i) : 0);
  }

  static bool is_in_host(const shape* s) {
    bool found = false;
    if (s) for_each_subshape(*s, [&](const shape_index&, const shape& p) { found = found || p.memory_space() == 5; });
    return found;
  }

  device device_;
  transfer_sources sources_;
  std::vector<id> times_;  // by instruction, into made_
  std::vector<transfer_time> made_;
};

}  // namespace hlolint
