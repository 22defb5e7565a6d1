// One collective as a device executes it, in what two devices must agree in (scheduling.md 1, 2).
#pragma once

#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/collective_kind.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/transfers/device_groups.hpp>
#include <hlolint/analysis/transfers/device_pairs.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/name_table.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hlolint {

/// The devices of collectives, decoded and in an order that does not depend on how they are written.
struct collective_devices {
  optional<group_mode> mode;  ///< nothing for pairs
  /// Groups by their first device, each in its own order, which numbers the parts of the data. Of a collective-permute,
  /// send or recv the pairs of source and target.
  record_list<record_list<std::int64_t>> groups;
  friend bool operator==(const collective_devices&, const collective_devices&) = default;
};

/// One step of a `collective_sequence`.
struct collective_step {
  hlo_instruction instruction;  ///< the collective, its start, or the TPU fusion that starts it; the caller if `again`
  hlo_instruction transfer;     ///< has the attributes: the instruction, or what it wraps
  hlo_opcode kind = hlo_opcode::unknown;  ///< the synchronous opcode, `send` or `recv`
  hlo_computation again;          ///< not empty: a call of something that is in the sequence already
  const shape* result = nullptr;  ///< without the operands that starts have in their shapes; null = not written
  /// Bytes of all operands and of the result. @{
  optional<byte_count> operand_bytes, result_bytes;  ///< without padding
  /// @}
  std::size_t devices = 0;                                ///< for `collective_sequence::devices_of`
  optional<std::int64_t> channel;                         ///< `channel_id`; nothing if it is not written
  hlo_opcode reduction = hlo_opcode::unknown;  ///< root of `to_apply`
  repetition runs;                             ///< by all loops around it
  hlo_instruction loop;         ///< innermost while around it; empty outside of loops
  hlo_instruction conditional;  ///< innermost conditional around it
  std::size_t branch = 0;       ///< of that
  std::uint64_t key = 0;  ///< equal for equal steps: all that is above, but names, places and the channel's number

  /// Of the bigger side.
  optional<byte_count> bytes() const {
    if (!operand_bytes || !result_bytes) return operand_bytes ? operand_bytes : result_bytes;
    return std::max(*operand_bytes, *result_bytes);
  }
};

namespace detail {

/// A running hash of numbers, the same on all machines: FNV-1a by words, with the high bits folded down.
class step_hash {
 public:
  template <class Number>
  requires(std::is_integral_v<Number> || std::is_enum_v<Number>)
  void add(Number n) {
    value_ = (value_ ^ static_cast<std::uint64_t>(n)) * 0x9E3779B97F4A7C15u;
    value_ ^= value_ >> 29;
  }
  void add(const optional<byte_count>& bytes) { add(bytes.value_or(-1)); }
  /// Type, dimensions and order in memory; not tiles and memory space, which do not change what is sent.
  void add(const shape& s) {
    add(s.type), add(s.dimensions.size()), add(s.elements.size());
    for (const char c : s.unknown_type) add(c);
    for (const dimension& d : s.dimensions) add(d.size), add(d.dynamic);
    if (s.layout)
      for (const std::int64_t d : s.layout->minor_to_major) add(d);
    for (const shape& part : s.elements) add(part);
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325u;
};

/// Sends and receives between devices; not those between a device and its host.
inline bool is_point_to_point(hlo_instruction i) {
  return (i.opcode() == hlo_opcode::send || i.opcode() == hlo_opcode::recv) &&
         !get_boolean(i, attribute_key::is_host_transfer);
}

/// The result's part of a transfer's shape (scheduling.md 1, column "start shape"); null if none is written.
inline const shape* result_part(hlo_instruction transfer) {
  const shape* const whole = transfer.shape();
  if (!whole || !is_start_opcode(transfer.opcode()) || transfer.opcode() == hlo_opcode::all_reduce_start) return whole;
  const bool after_operands = is_collective_start(transfer.opcode()) || transfer.opcode() == hlo_opcode::async_start;
  return whole->at({after_operands ? 1u : 0u});
}

inline optional<byte_count> bytes_of_operands(hlo_instruction transfer) {
  optional<byte_count> sum = 0;
  for (std::size_t k = 0; sum && k < transfer.operand_count(); ++k) {
    const shape* const operand = shape_of_operand(transfer, k);
    const auto bytes = operand ? dense_size_of_leaves(*operand) : std::nullopt;
    sum = bytes ? checked_add(*sum, *bytes) : std::nullopt;
  }
  return sum;
}

/// The devices of a module's collectives. Lists, which may be long, are decoded once for all that write them alike.
class device_table {
 public:
  explicit device_table(hlo_module of) : module_(std::move(of)) {}

  std::size_t add(hlo_instruction transfer) {
    const auto mode = group_mode_of(transfer);
    const bool point_to_point = is_point_to_point(transfer);
    const auto written = transfer.attribute(point_to_point ? attribute_key::frontend_attributes
                                            : transfer.opcode() == hlo_opcode::collective_permute ||
                                                    transfer.opcode() == hlo_opcode::collective_permute_start
                                                ? attribute_key::source_target_pairs
                                                : attribute_key::replica_groups);
    const int form = mode ? static_cast<int>(*mode) : point_to_point ? -2 : -1;
    const auto [found, added] = known_.try_emplace({form, written.value_or("")}, entries_.size());
    if (!added) return found->second;
    entry e;
    e.decoded.mode = mode;
    if (left_ == 0) {  // beyond this only equal texts are equal
      e.key = detail::hash(written.value_or(""));
      entries_.push_back(std::move(e));
      return found->second;
    }
    if (const auto between = point_to_point ? send_recv_pairs(transfer) : get<source_target_pairs>(transfer)) {
      for (const auto& [source, target] : between->pairs) e.decoded.groups.push_back({source, target});
    } else if (auto groups = find_device_groups(transfer, module_)) {
      e.decoded.groups = std::move(groups->devices);
    } else if (auto listed = get<replica_groups>(transfer)) {
      e.decoded.groups = std::move(listed->groups);
    }
    std::sort(e.decoded.groups.begin(), e.decoded.groups.end());
    step_hash hash;
    for (const record_list<std::int64_t>& group : e.decoded.groups) {
      left_ -= std::min(left_, group.size() + 1);
      hash.add(group.size());
      for (const std::int64_t device : group) hash.add(device);
    }
    e.key = hash.value();
    entries_.push_back(std::move(e));
    return found->second;
  }

  const collective_devices& of(std::size_t i) const { return entries_[i].decoded; }
  /// Equal for equal groups, whatever their mode.
  std::uint64_t key(std::size_t i) const { return entries_[i].key; }

 private:
  struct entry {
    collective_devices decoded;
    std::uint64_t key = 0;
  };
  hlo_module module_;
  std::map<std::pair<int, std::string_view>, std::size_t> known_;  // by form and text
  record_list<entry> entries_;
  std::size_t left_ = std::size_t{1} << 22;  // devices and groups that are still decoded: see `module_groups`
};

}  // namespace detail

}  // namespace hlolint
