// The collectives of a module in the order in which a device executes them. Devices that work together must agree in it
// (scheduling.md 1, 2).
#pragma once

#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/calling_instructions.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/transfers/device_groups.hpp>
#include <hlolint/analysis/transfers/transfer_sources.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/hash.hpp>
#include <hlolint/text/name_table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// The decoded devices of a collective, in an order independent of notation.
struct collective_devices {
  std::optional<group_mode> mode;  ///< nothing for pairs
  /// Groups sorted by their first device, each in its own order, which numbers the parts of the data. For a
  /// collective-permute, send or recv the pairs of source and target.
  std::vector<std::vector<std::int64_t>> groups;
  friend bool operator==(const collective_devices&, const collective_devices&) = default;
};

/// One step of a `collective_sequence`.
struct collective_step {
  hlo_instruction instruction;  ///< the collective, its start, or the TPU fusion that starts it; the caller if `again`
  hlo_instruction transfer;     ///< the instruction with the attributes, possibly wrapped
  hlo_opcode kind = hlo_opcode::unknown;  ///< the synchronous opcode, `send` or `recv`
  hlo_computation again;                  ///< not empty: a repeated call of this computation
  const shape* result = nullptr;          ///< without the operands in the shapes of starts; null = not written
  /// Bytes of all operands and of the result. @{
  std::optional<byte_count> operand_bytes, result_bytes;  ///< without padding
  /// @}
  std::size_t devices = 0;                     ///< for `collective_sequence::devices_of`
  std::optional<std::int64_t> channel;         ///< `channel_id`; nothing if it is not written
  hlo_opcode reduction = hlo_opcode::unknown;  ///< the root of `to_apply`
  repetition runs;                             ///< by all loops around it
  hlo_instruction loop;                        ///< innermost while around it; empty outside of loops
  hlo_instruction conditional;                 ///< the innermost conditional around it
  std::size_t branch = 0;                      ///< the branch of the conditional
  std::uint64_t key = 0;  ///< equal for equal steps: covers all members but names, places and the channel's number

  /// Bytes of the bigger side.
  std::optional<byte_count> bytes() const { return detail::larger(operand_bytes, result_bytes); }
};

namespace detail {

/// A hash of a step of a sequence.
class step_hash : public number_hash {
 public:
  using number_hash::add;
  void add(const std::optional<byte_count>& bytes) { add(bytes.value_or(-1)); }
  /// Adds type, dimensions and order in memory; not tiles and memory space, which do not change the data sent.
  void add(const shape& s) {
    add(s.type), add(s.dimensions.size()), add(s.elements.size());
    for (const char c : s.unknown_type) add(c);
    for (const dimension& d : s.dimensions) add(d.size), add(d.dynamic);
    if (s.layout)
      for (const std::int64_t d : s.layout->minor_to_major) add(d);
    for (const shape& part : s.elements) add(part);
  }
};

/// Whether it is a send or receive between devices, not between a device and its host.
inline bool is_point_to_point(hlo_instruction i) {
  return (i.opcode() == hlo_opcode::send || i.opcode() == hlo_opcode::recv) &&
         !get_boolean(i, attribute_key::is_host_transfer);
}

/// The result in a transfer's shape (scheduling.md 1, column "start shape"); null if none is written.
inline const shape* result_part(hlo_instruction transfer) {
  const shape* const whole = transfer.shape();
  if (!whole || !is_start_opcode(transfer.opcode()) || transfer.opcode() == hlo_opcode::all_reduce_start) return whole;
  const bool after_operands = is_collective_start(transfer.opcode()) || transfer.opcode() == hlo_opcode::async_start;
  return whole->at({after_operands ? 1u : 0u});
}

/// The devices of a module's collectives. Equal lists, which may be long, are decoded once.
class device_table {
 public:
  explicit device_table(hlo_module of) : decoder_(std::move(of)) {}

  std::size_t add(hlo_instruction transfer) {
    const auto mode = group_mode_of(transfer);
    const bool point_to_point = is_point_to_point(transfer);
    const attribute_key key = point_to_point                  ? attribute_key::frontend_attributes
                              : is_permute(transfer.opcode()) ? attribute_key::source_target_pairs
                                                              : attribute_key::replica_groups;
    const std::string_view written = transfer.attribute(key).value_or("");
    const int form = mode ? static_cast<int>(*mode) : point_to_point ? -2 : -1;
    const auto [found, added] = known_.try_emplace({form, written}, entries_.size());
    if (!added) return found->second;
    entry& e = entries_.emplace_back();
    e.decoded.mode = mode;
    if (decoder_.is_spent()) {  // beyond the limit only equal texts are equal
      e.key = detail::hash(written);
      return found->second;
    }
    if (const auto between = point_to_point ? send_recv_pairs(transfer) : get<source_target_pairs>(transfer)) {
      for (const auto& [source, target] : between->pairs) e.decoded.groups.push_back({source, target});
      decoder_.spend(e.decoded.groups);
    } else {
      e.decoded.groups = decoder_.of(transfer);
    }
    std::sort(e.decoded.groups.begin(), e.decoded.groups.end());
    step_hash hash;
    for (const std::vector<std::int64_t>& group : e.decoded.groups) {
      hash.add(group.size());
      for (const std::int64_t device : group) hash.add(device);
    }
    e.key = hash.value();
    return found->second;
  }

  const collective_devices& of(std::size_t i) const { return entries_[i].decoded; }
  /// A key that is equal for equal groups of any mode.
  std::uint64_t key(std::size_t i) const { return entries_[i].key; }

 private:
  struct entry {
    collective_devices decoded;
    std::uint64_t key = 0;
  };
  group_decoder decoder_;
  std::map<std::pair<int, std::string_view>, std::size_t> known_;  // by form and text
  std::vector<entry> entries_;
};

}  // namespace detail

/// Called computations stand at their calls: a loop's condition and body once, all branches of a conditional. A
/// repeated call is a single step, so that a sequence is no longer than its module (a `flat_schedule` would omit it).
/// Starts count, updates and dones do not; collectives inside TPU fusions count, transfers to the host do not. The text
/// order of a computation counts as its schedule; in an unscheduled module it is the order of XLA's printer, which is
/// equal for equal programs.
class collective_sequence {
 public:
  /// Linear in the module and the devices of its collectives.
  explicit collective_sequence(const hlo_module& of) : module_(of), roles_(of), loops_(of), devices_(of) {
    find_holders();
    walk();
    detail::step_hash numbered, unnumbered;
    for (detail::step_hash* const hash : {&numbered, &unnumbered}) {
      if (!steps_.empty()) hash->add(of.replica_count()), hash->add(of.num_partitions()), hash->add(of.is_scheduled());
      for (const collective_step& s : steps_) {
        hash->add(s.key);
        if (hash == &numbered) hash->add(s.channel);
      }
    }
    fingerprint_ = numbered.value(), unnumbered_ = unnumbered.value();
  }

  /// The first step.
  auto begin() const { return steps_.begin(); }
  /// One past the last step.
  auto end() const { return steps_.end(); }
  /// The number of steps.
  std::size_t size() const { return steps_.size(); }
  /// Step `i`. Precondition: i < size().
  const collective_step& operator[](std::size_t i) const { return steps_[i]; }
  /// The devices of a step. Precondition: the step is of this sequence and not `again`.
  const collective_devices& devices_of(const collective_step& s) const { return devices_.of(s.devices); }

  /// Equal if all steps have equal keys and channels, and the modules have equal numbers of devices and are both
  /// scheduled or not. Equal for all modules without collectives.
  std::uint64_t fingerprint() const { return fingerprint_; }
  /// The fingerprint without the numbers of channels.
  std::uint64_t fingerprint_without_channels() const { return unnumbered_; }
  /// The module.
  const hlo_module& hlo() const { return module_; }

 private:
  /// A computation that is being walked.
  struct frame {
    hlo_instruction loop, conditional;  // around it
    std::size_t branch = 0;
    std::size_t first_step = 0;
  };

  /// Finds the computations that hold collectives, directly or in called computations; only they are visited.
  void find_holders() {
    holds_.resize(module_.computation_count());
    for (const hlo_computation c : callees_first(module_))
      for (const hlo_instruction i : c.instructions()) {
        if (is_collective(i.opcode()) || detail::is_point_to_point(i)) holds_[c.id()] = true;
        for (const hlo_computation called : i.called_computations())
          if (called && holds_[called.id()]) holds_[c.id()] = true;
      }
  }

  /// Hashes any part of a sequence from the keys of its steps. Prefix values of a polynomial in a fixed base are kept,
  /// so that nested parts cost nothing.
  class part_keys {
   public:
    std::uint64_t of(std::size_t first, const std::vector<collective_step>& steps) {
      for (std::size_t s = up_to_.size() - 1; s < steps.size(); ++s) {
        up_to_.push_back(up_to_.back() * base + steps[s].key);
        powers_.push_back(powers_.back() * base);
      }
      const std::size_t count = steps.size() - first;
      detail::step_hash hash;
      hash.add(count), hash.add(up_to_[steps.size()] - up_to_[first] * powers_[count]);
      return hash.value();
    }

   private:
    static constexpr std::uint64_t base = 0x9E3779B97F4A7C15u;
    std::vector<std::uint64_t> up_to_{0}, powers_{1};
  };

  void walk() {
    part_keys keys;
    std::vector<std::optional<std::uint64_t>> inside(module_.computation_count());  // keys of visited computations
    std::vector<frame> open;
    std::size_t branch = 0;  // the number of the call at hand
    const auto next_call = [&](hlo_instruction i, std::size_t call) -> std::optional<hlo_computation> {
      if (call == 0 && is_whole(i, open.back())) return std::nullopt;
      branch = call;
      return i.opcode() == hlo_opcode::while_ ? detail::nth_run(i, call) : detail::nth_called(i, call);
    };
    const auto enter = [&](hlo_computation c, hlo_instruction caller) {
      if (!holds_[c.id()]) return false;
      frame inner = open.empty() ? frame{} : open.back();
      if (caller && caller.opcode() == hlo_opcode::while_) inner.loop = caller;
      if (caller && caller.opcode() == hlo_opcode::conditional) inner.conditional = caller, inner.branch = branch;
      if (inside[c.id()]) {
        add_again(caller, c, *inside[c.id()], inner);
        return false;
      }
      inner.first_step = steps_.size();
      open.push_back(inner);
      return true;
    };
    const auto leave = [&](hlo_computation c) {
      inside[c.id()] = keys.of(open.back().first_step, steps_);
      open.pop_back();
    };
    detail::walk_called_first(
        module_.entry(), {}, next_call, enter, [](hlo_instruction) {}, leave);
  }

  /// Adds the step of an instruction. Returns false if it is no step, so that called computations must be visited.
  bool is_whole(hlo_instruction i, const frame& in) {
    if (is_async_opcode(i.opcode()) && i.opcode() != hlo_opcode::async_start) return true;
    hlo_instruction transfer = detail::is_point_to_point(i) ? i : collective_of(i);
    if (const async_fusion_role* const role = roles_.of(i)) {
      if (!role->starts || !role->collective) return true;  // part of a transfer that counts at its start
      transfer = role->collective;
    }
    if (!transfer) return false;
    collective_step s;
    s.instruction = i, s.transfer = transfer;
    s.kind = collective_kind(transfer.opcode());
    s.result = detail::result_part(transfer);
    if (s.result) s.result_bytes = dense_size_of_leaves(*s.result);
    s.operand_bytes = operand_bytes(transfer);
    s.devices = devices_.add(transfer);
    if (const auto channel = get<channel_id>(transfer)) s.channel = channel->value;
    if (const hlo_instruction applied = root_of(first_called(transfer))) s.reduction = applied.opcode();
    s.runs = loops_.runs_of(i.computation());
    detail::step_hash hash;
    hash.add(s.kind), hash.add(s.operand_bytes), hash.add(devices_.key(s.devices)), hash.add(s.reduction);
    const auto mode = devices_.of(s.devices).mode;
    hash.add(mode ? static_cast<int>(*mode) : -1), hash.add(s.channel.has_value());
    if (s.result) hash.add(*s.result);
    finish(std::move(s), in, hash);
    return true;
  }

  void add_again(hlo_instruction caller, hlo_computation called, std::uint64_t inside, const frame& in) {
    collective_step s;
    s.instruction = s.transfer = caller;
    s.again = called;
    s.runs = loops_.runs_of(caller.computation());
    if (caller.opcode() == hlo_opcode::while_) s.runs = s.runs.in_loop(trip_count_of(caller));
    detail::step_hash hash;
    hash.add(inside);
    finish(std::move(s), in, hash);
  }

  void finish(collective_step s, const frame& in, detail::step_hash hash) {
    s.loop = in.loop, s.conditional = in.conditional, s.branch = in.branch;
    hash.add(bool(s.loop)), hash.add(bool(s.conditional)), hash.add(s.branch);
    hash.add(s.runs.exact ? s.runs.times : -1);
    s.key = hash.value();
    steps_.push_back(std::move(s));
  }

  hlo_module module_;
  async_fusion_roles roles_;
  loops loops_;
  std::vector<bool> holds_;  // by computation
  detail::device_table devices_;
  std::vector<collective_step> steps_;
  std::uint64_t fingerprint_ = 0, unnumbered_ = 0;
};

}  // namespace hlolint
