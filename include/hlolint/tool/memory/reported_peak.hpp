// The peak that JAX (`peak_memory_in_bytes`) and XProf's memory viewer show (buffer_dumps.md 9).
#pragma once

#include <hlolint/analysis/assignment/assignment_rules.hpp>
#include <hlolint/analysis/assignment/storage_sets.hpp>
#include <hlolint/analysis/assignment/value_handover.hpp>
#include <hlolint/analysis/buffers/matched_values.hpp>
#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/xla_rules.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/text/checked.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hlolint {

/// The parts of that peak, in bytes.
struct reported_peak {
  byte_count lasting = 0;  ///< the largest value of each parameter, constant and result, in any memory space
  byte_count heap = 0;     ///< the highest point of any memory space's heap; 0 without `has_heap`
  bool has_heap = false;   ///< whether XLA keeps a trace of its heap; without one, temporary memory does not count
  /// What is shown.
  byte_count total() const { return (checked_int64(lasting) + heap).clamped(); }

  reported_peak() = default;
  /// Precondition: HLO and dump are of one program (`matched_values::same_program`). O(n log n).
  reported_peak(const matched_values& values, target on) {
    const buffer_dump& dump = values.dump();
    std::map<std::int64_t, std::vector<placed>> heaps;  // by memory space
    for (const allocation& a : dump.allocations()) {
      const bool lasts = (a.parameter || a.constant || a.maybe_live_out) && !a.thread_local_storage;
      byte_count largest = 0;
      for (std::size_t i = a.first_value; i < a.first_value + std::size_t{a.value_count}; ++i) {
        const assigned_value& v = dump.values()[i];
        largest = std::max(largest, v.size);
        const auto computed = values.computed(i);
        if (lasts || !a.preallocated_temp || !computed || !values.ranges().of(*computed)) continue;
        if (const shape& s = dump.shape(v); s.is_tuple()) continue;
        // Contexts are laid behind the heap.
        if (on == target::tpu && is_async_context(values.flow(), values.flow().values()[*computed])) continue;
        heaps[a.color].push_back({static_cast<std::uint32_t>(*computed), *values.ranges().of(*computed), v.size});
      }
      if (lasts) lasting = (checked_int64(lasting) + largest).clamped();
    }
    // XLA:CPU keeps no trace of its heap, and XLA:GPU kept none until 2026.
    if (on == target::cpu || (on == target::gpu && date_of(dump) <= xla_rules::before_range_files)) return;
    has_heap = true;
    const value_handover handover(values.ranges().sets(), assignment_rules::of(on, date_of(dump)));
    for (auto& [color, found] : heaps) {
      const memory_space_meaning* const space = meaning_of_space(on, color);
      const bool is_placed_before = on == target::tpu && space && space->kind == memory_space_kind::fast;
      heap = std::max(heap, is_placed_before ? placement(values, found).highest()
                                             : replay(values, handover, std::move(found)).highest());
    }
  }

 private:
  struct placed {
    std::uint32_t value = 0;  // in the dataflow
    time_span range;
    byte_count size = 0;
  };

  // The trace of a TPU's fast memory is that of memory-space assignment, which places its values before the others:
  // each is held on its own from its definition to its last use, whatever bytes it shares, a value that conditionals
  // read last only until the first branch begins, and in each branch to its last use there, and the slices of a
  // `ConcatBitcast` until that takes their place.
  class placement {
   public:
    placement(const matched_values& values, const std::vector<placed>& found)
        : flow_(values.flow()), schedule_(values.ranges().schedule()) {
      for (const placed& one : found) {
        std::map<id, use> last_in;  // by computation
        use last{one.range.start, {}};
        for (const hlo_use& u : flow_.uses(flow_.values()[one.value])) {
          const hlo_instruction user = flow_.module().instruction(u.user);
          const auto at = schedule_.position_of(user);
          if (!at) continue;
          if (*at > last.time) last = {*at, user};
          use& here = last_in.try_emplace(user.computation().id(), use{-1, {}}).first->second;
          if (*at > here.time) here = {*at, user};
        }
        if (last.user && last.user.opcode() == hlo_opcode::conditional)
          hold_in_branches(one, last.user, one.range, std::move(last_in));
        else if (!last_in.empty())
          hold(one, {one.range.start,
                     std::min(calls_target(last.user, "ConcatBitcast") ? last.time - 1 : last.time, one.range.end)});
      }
    }
    byte_count highest() const {
      checked_int64 now = 0, most = 0;
      for (const auto& [at, size] : events_) {
        now += size;
        most = std::max(most, now);
      }
      return most.clamped();
    }

   private:
    struct use {
      std::int64_t time = -1;
      hlo_instruction user;
    };
    void hold(const placed& one, time_span range) {
      events_[{range.start, false, one.value}] = one.size;
      events_[{range.end, true, one.value}] = -one.size;
    }
    void hold_in_branches(const placed& one, hlo_instruction conditional, time_span range, std::map<id, use> last_in) {
      std::vector<std::pair<hlo_instruction, time_span>> left{{conditional, range}};
      while (!left.empty()) {
        const auto [split, within] = left.back();
        left.pop_back();
        std::int64_t first = within.end;
        for (const hlo_computation branch : split.called_computations()) {
          const auto around = schedule_.span_of(branch);
          if (!around) continue;
          first = std::min(first, around->begin);
          const auto last = last_in.extract(branch.id());  // each branch once
          if (last.empty()) continue;
          const auto [time, user] = last.mapped();
          const time_span inside{around->begin, std::min(time, within.end)};
          if (user.opcode() == hlo_opcode::conditional)
            left.emplace_back(user, inside);
          else
            hold(one, inside);
        }
        hold(one, {within.start, first - 1});
      }
    }

    const dataflow& flow_;
    const flat_schedule& schedule_;
    std::map<std::tuple<std::int64_t, bool, std::uint32_t>, byte_count> events_;  // by time, allocations first
  };

  // Plays the heap of one memory space with reference counts: a value that shares the bytes of another adds nothing
  // while that one is held.
  class replay {
   public:
    replay(const matched_values& values, const value_handover& handover, std::vector<placed> values_placed)
        : values_(values), handover_(handover), all_(std::move(values_placed)) {
      std::sort(all_.begin(), all_.end(), [](const placed& a, const placed& b) {
        return std::tuple(a.range.start, a.range.end, a.value) < std::tuple(b.range.start, b.range.end, b.value);
      });
      for (std::size_t k = 0; k < all_.size(); ++k) {
        place_.emplace(all_[k].value, k);
        ends_[all_[k].range.end].insert(k);
      }
      state_.resize(all_.size());
      auto end = ends_.begin();
      for (std::size_t k = 0; k < all_.size(); ++k) {
        for (; end != ends_.end() && end->first < all_[k].range.start; ++end) free_all(end->second);
        begin(k);
        highest_ = std::max(highest_, now_);
      }
    }
    byte_count highest() const { return highest_; }

   private:
    struct state {
      std::size_t root = none_;  // whose bytes it shares
      std::size_t holders = 0;
    };
    static constexpr std::size_t none_ = static_cast<std::size_t>(-1);

    void begin(std::size_t k) {
      const alias_sets& sets = values_.ranges().sets();
      const std::uint32_t set = sets.set_of(all_[k].value);
      if (const auto first = first_of_set_.find(set); first != first_of_set_.end()) return share(k, first->second);
      if (sets.values(set).size() == 1)
        if (const std::size_t giver = giver_of(k); giver != none_) {
          ends_.at(all_[giver].range.end).erase(giver);
          release(giver);
          share(k, giver);
          all_[giver].range.end = all_[k].range.end;
          return;
        }
      hold(k);
      first_of_set_.emplace(set, k);
    }
    // A value that ends where this one begins, and whose bytes it may take.
    std::size_t giver_of(std::size_t k) const {
      const dataflow& flow = values_.flow();
      const alias_sets& sets = values_.ranges().sets();
      std::size_t giver = none_;
      const hlo_instruction user = flow.instruction(flow.values()[all_[k].value]);
      if (user.opcode() == hlo_opcode::copy) return giver;
      for (const hlo_instruction operand : user.operands()) {
        if (!operand || giver != none_) continue;
        flow.for_each_at({operand.id(), 0}, [&](std::uint32_t v) {
          const auto at = place_.find(v);
          if (giver != none_ || at == place_.end() || sets.values(sets.set_of(v)).size() > 1) return;
          const placed& from = all_[at->second];
          const auto ending = ends_.find(from.range.end);
          if (from.range.end != all_[k].range.start || ending == ends_.end() || !ending->second.contains(at->second))
            return;
          if (handover_.in_heap(v, all_[k].value)) giver = at->second;
        });
      }
      return giver;
    }
    std::size_t root_of(std::size_t k) const {
      while (state_[k].root != none_) k = state_[k].root;
      return k;
    }
    void hold(std::size_t k) {
      if (++state_[k].holders == 1) now_ = (checked_int64(now_) + all_[k].size).clamped();
    }
    void share(std::size_t k, std::size_t with) {
      const std::size_t root = root_of(with);
      state_[k].root = root == k ? none_ : root;
      hold(root);
    }
    void release(std::size_t k) {
      const std::size_t root = root_of(k);
      state_[k].root = none_;
      if (--state_[root].holders == 0) now_ -= all_[root].size;
    }
    void free_all(std::set<std::size_t>& ending) {
      for (const std::size_t k : ending) release(k);
      ending.clear();
    }

    const matched_values& values_;
    const value_handover& handover_;
    std::vector<placed> all_;                               // by begin
    std::unordered_map<std::uint32_t, std::size_t> place_;  // in all_, by value
    std::map<std::int64_t, std::set<std::size_t>> ends_;    // by position
    std::unordered_map<std::uint32_t, std::size_t> first_of_set_;
    std::vector<state> state_;
    byte_count now_ = 0, highest_ = 0;
  };
};

}  // namespace hlolint
