// The transfers of a module and how long each takes on a device (time_model.md 3, 6.1).
#pragma once

#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/collective_kind.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/time/link_time.hpp>
#include <hlolint/analysis/time/transfer_groups.hpp>
#include <hlolint/analysis/transfers/transfer_sources.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace hlolint {

/// The times of all transfers of a module.
class transfer_times {
 public:
  /// O(n log n) in the module, and linear in the devices of its transfers.
  transfer_times(const hlo_module& module, const device& on)
      : device_(on), sources_(module), times_(module.instruction_count(), none) {
    transfer_groups groups(module, on);
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
    return collective_time(device_, kind, bytes, groups.extent(i),
                           device_.is_tpu() ? groups.directions(i, device_) : 0);
  }

  device device_;
  transfer_sources sources_;
  record_list<id> times_;  // by instruction, into made_
  record_list<transfer_time> made_;
};

}  // namespace hlolint
