// The sequence of all instructions that run step by step, including called computations, as in XLA's HloLiveRange
// (buffer_dumps.md 4).
#pragma once

#include <hlolint/analysis/program/instruction_names.hpp>
#include <hlolint/analysis/program/module_tables.hpp>
#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/sorting.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace hlolint {

/// Positions count from 0. A called computation has the positions just before its first caller; computations that are
/// part of an instruction have none. The schedule of a computation is its text order, unless an explicit order is
/// given.
class flat_schedule {
 public:
  /// Positions [begin, end) of a computation.
  struct span_of_positions {
    /// Positions from 0 on; `end` is exclusive. @{
    std::int64_t begin = 0, end = 0;
    /// @}
  };

  /// In text order. O(n log n) at most.
  explicit flat_schedule(const hlo_module& module) : flat_schedule(module_tables(module)) {}
  /// A module that is not scheduled takes its order from the dump's `InstructionSequence`.
  flat_schedule(const hlo_module& module, const buffer_dump& dump)
      : flat_schedule(module_tables(module), printed_order(module, &dump)) {}
  /// From a cache.
  explicit flat_schedule(const analysis_cache auto& made)
      : flat_schedule(made.template get<module_tables>(), printed_order(*made.hlo(), made.buffers())) {}
  /// `order`: unique names of instructions; an instruction that is not listed comes first. Empty: text order.
  explicit flat_schedule(const module_tables& tables, const std::vector<std::string_view>& order = {})
      : flat_schedule(tables, std::span<const id>(ids_in(tables.module, order))) {}
  /// `order`: ids of all instructions; those of a computation fill the same positions as in the module, in the order in
  /// which they run. Empty: text order. Linear.
  flat_schedule(const module_tables& tables, std::span<const id> order)
      : positions_(tables.module.instruction_count(), unplaced),
        spans_(tables.module.computation_count(), {unplaced, unplaced}),
        async_(tables.module.computation_count(), none) {
    walk(tables, order);
  }

  /// The names that order an unscheduled module; empty for a scheduled one, or without a dump.
  static std::vector<std::string_view> printed_order(const hlo_module& module, const buffer_dump* dump) {
    const live_range_block* const block = dump ? dump->live_ranges() : nullptr;
    return block && !module.is_scheduled() ? block->sequence : std::vector<std::string_view>{};
  }

  /// All instructions, each computation's in the order of these names; empty without names.
  static std::vector<id> ids_in(const hlo_module& module, const std::vector<std::string_view>& order) {
    std::vector<id> ids;
    if (order.empty()) return ids;
    std::vector<std::size_t> ranks(module.instruction_count());
    const instruction_names names(module);
    for (std::size_t rank = 0; rank < order.size(); ++rank)
      if (const hlo_instruction i = names.find(order[rank])) ranks[i.id()] = rank;
    ids.resize(module.instruction_count());
    for (id i = 0; i < ids.size(); ++i) ids[i] = i;
    for (const hlo_computation c : module.computations()) {
      const auto first = ids.begin() + c.record().instructions.first;
      const auto last = first + static_cast<std::ptrdiff_t>(c.instruction_count());
      std::sort(first, last, [&](id a, id b) { return in_order(ranks[a], ranks[b], a, b); });
    }
    return ids;
  }

  /// Instruction ids by position.
  const std::vector<id>& sequence() const { return sequence_; }
  /// The number of positions. A live range to the end of the program ends here, one past the last position.
  std::int64_t size() const { return static_cast<std::int64_t>(sequence_.size()); }

  /// The position of an instruction; nothing if it has none.
  std::optional<std::int64_t> position_of(hlo_instruction i) const { return placed(positions_[i.id()]); }
  /// The positions of a computation; nothing if it has none.
  std::optional<span_of_positions> span_of(hlo_computation c) const {
    return spans_[c.id()].begin == unplaced ? std::nullopt : std::optional(spans_[c.id()]);
  }
  /// The position until which the result of an instruction lives at least: its own, or for a root the end of its
  /// computation.
  std::optional<std::int64_t> end_of(hlo_instruction i) const {
    return i.is_root() ? placed(spans_[i.computation().id()].end) : position_of(i);
  }
  /// The wrapped computation of an async op in which a computation was placed, or `none`.
  id async_context(hlo_computation c) const { return async_[c.id()]; }

 private:
  static constexpr std::int64_t unplaced = -1;
  static std::optional<std::int64_t> placed(std::int64_t at) {
    return at == unplaced ? std::nullopt : std::optional(at);
  }

  void walk(const module_tables& tables, std::span<const id> order) {
    const auto next_call = [&](hlo_instruction i, std::size_t call) -> std::optional<hlo_computation> {
      if (!is_async_opcode(i.opcode())) return detail::nth_run(i, call);
      const hlo_instruction start = call == 0 ? tables.chains.start_of(i) : hlo_instruction{};
      return start && tables.chains.runs_at(start) == i ? std::optional(first_called(start)) : std::nullopt;
    };
    std::vector<char> entered(tables.module.computation_count());
    const auto enter = [&](hlo_computation c, hlo_instruction caller) {
      if (tables.is_embedded(c) || std::exchange(entered[c.id()], true)) return false;
      if (caller) async_[c.id()] = is_async_opcode(caller.opcode()) ? c.id() : async_[caller.computation().id()];
      spans_[c.id()].begin = size();
      return true;
    };
    const auto visit = [&](hlo_instruction i) {
      positions_[i.id()] = size();
      sequence_.push_back(i.id());
    };
    detail::walk_called_first(tables.module.entry(), order, next_call, enter, visit,
                              [&](hlo_computation c) { spans_[c.id()].end = size(); });
  }

  std::vector<std::int64_t> positions_;   // by instruction
  std::vector<span_of_positions> spans_;  // by computation
  std::vector<id> async_;                 // by computation
  std::vector<id> sequence_;
};

}  // namespace hlolint
