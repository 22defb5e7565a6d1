// The live ranges of all values, as XLA's HloLiveRange computes them from the schedule (buffer_dumps.md 4).
#pragma once

#include <hlolint/analysis/schedule/flat_schedule.hpp>
#include <hlolint/analysis/values/alias_sets.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/module.hpp>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hlolint {

/// A range of schedule positions. An `end` one past the last position means the end of the program.
struct time_span {
  /// Schedule positions, both inclusive. @{
  std::int64_t start = 0, end = 0;
  /// @}
  friend auto operator<=>(const time_span&, const time_span&) = default;
};

namespace detail {

// Computes live ranges for any schedule of a module.
class range_finder {
 public:
  /// For one schedule: the last done of each wrapped computation of an async op, and whether some caller has none.
  using known_ends = std::unordered_map<id, std::pair<std::int64_t, bool>>;

  explicit range_finder(const dataflow& flow) : flow_(flow) {
    if (const auto aliases = get<input_output_alias>(flow_.module()))
      for (const input_output_alias_entry& entry : aliases->entries)
        aliased_.emplace(entry.parameter, entry.parameter_index);
  }

  /// Whether the value is an entry parameter whose storage the caller keeps, so that it lives to the end.
  bool is_kept_by_caller(const hlo_value& v) const {
    const hlo_instruction i = flow_.instruction(v);
    return i.opcode() == hlo_opcode::parameter && i.computation().is_entry() &&
           (!i.parameter_number() || aliased_.count({*i.parameter_number(), flow_.index(v.defined)}) == 0);
  }
  /// Calls `f(instruction, whether to the end of its computation)` for all instructions to which the value lives,
  /// except its definition.
  void for_each_reached(const hlo_value& v, auto&& f) const {
    for (const hlo_position p : flow_.positions(v).subspan(1)) {
      const hlo_instruction i = flow_.module().instruction(p.instruction);
      f(i, i.is_root());
    }
    if (is_kept_by_caller(v)) return;
    for (const hlo_use& use : flow_.uses(v)) {
      hlo_instruction user = flow_.module().instruction(use.user);
      if (user.opcode() == hlo_opcode::call && !flow_.rules().calls_hold_operands) continue;
      if (user.opcode() == hlo_opcode::while_) {
        const hlo_computation body = parts_of_while(user).body;
        user = body ? flow_.tables().parameters.of(body, 0) : hlo_instruction{};
      }
      if (user) f(user, false);
    }
  }

  /// The live range; nothing for a value of a computation without positions.
  std::optional<time_span> range_of(const hlo_value& v, const flat_schedule& schedule, known_ends& known) const {
    std::optional<time_span> out = defined_at(flow_.instruction(v), schedule, known);
    if (!out) return out;
    if (is_kept_by_caller(v)) out->end = schedule.size();
    for_each_reached(v, [&](hlo_instruction i, bool to_end) {
      if (const auto t = to_end ? schedule.end_of(i) : schedule.position_of(i)) out->end = std::max(out->end, *t);
    });
    return out;
  }
  /// The positions during which an instruction defines its values.
  std::optional<time_span> defined_at(hlo_instruction i, const flat_schedule& schedule, known_ends& known) const {
    const auto at = schedule.position_of(i);
    const auto around = schedule.span_of(i.computation());
    if (!at || !around) return std::nullopt;
    time_span out{i.opcode() == hlo_opcode::parameter ? around->begin : *at, i.is_root() ? around->end : *at};
    if (const id context = schedule.async_context(i.computation()); context != none) {
      out.end = std::max(out.end, done_of(context, around->end, schedule, known));
      if (flow_.rules().async_roots_begin_at_start && i.is_root() && context == i.computation().id())
        for (const hlo_instruction caller : flow_.tables().calls.callers(i.computation()))
          if (const auto start = schedule.position_of(caller); start && caller.opcode() == hlo_opcode::async_start)
            out.start = std::max(out.start, *start), out.end = std::max(out.end, *start);
    }
    return out;
  }

 private:
  /// The end of the async op around a wrapped computation; `otherwise` if nothing ends it.
  std::int64_t done_of(id wrapped, std::int64_t otherwise, const flat_schedule& schedule, known_ends& known) const {
    const auto [at, is_new] = known.try_emplace(wrapped, 0, false);
    auto& [last_done, without_done] = at->second;
    if (!is_new) return without_done ? std::max(last_done, otherwise) : last_done;
    for (const hlo_instruction caller : flow_.tables().calls.callers(flow_.module().computation(wrapped))) {
      const hlo_instruction last = flow_.tables().chains.last(caller);
      const bool done = caller.opcode() == hlo_opcode::async_start && last.opcode() == hlo_opcode::async_done;
      const auto ends = done ? schedule.position_of(last) : std::nullopt;
      last_done = std::max(last_done, ends.value_or(0));
      without_done = without_done || !ends;
    }
    return without_done ? std::max(last_done, otherwise) : last_done;
  }

  const dataflow& flow_;
  std::set<std::pair<std::int64_t, shape_index>> aliased_;
};

// Trims the ranges of the values of one alias set, so that each ends where the next begins. `find`: the range of a
// value, or null.
void trim_ranges(std::span<const std::uint32_t> values, auto&& find) {
  if (values.size() < 2) return;  // nearly all sets
  std::vector<std::tuple<std::int64_t, std::int64_t, std::uint32_t>> order;
  for (const std::uint32_t v : values)
    if (const time_span* const range = find(v)) order.emplace_back(range->start, range->end, v);
  std::sort(order.begin(), order.end());
  for (std::size_t k = 1; k < order.size(); ++k) {
    time_span &before = *find(std::get<2>(order[k - 1])), &after = *find(std::get<2>(order[k]));
    after.end = std::max(before.end, after.end);
    before.end = std::min(before.end, after.start);
  }
}

}  // namespace detail

/// The live ranges of all values, by their position in `flow().values()`, with the values, alias sets and schedule that
/// they were computed from.
class live_ranges {
 public:
  /// Precondition: the module is scheduled.
  explicit live_ranges(const hlo_module& module) : live_ranges(alias_sets(module), {}) {}
  /// By the rules of the XLA that wrote the dump, and in the dump's order if the module is not scheduled.
  live_ranges(const hlo_module& module, const buffer_dump& dump)
      : live_ranges(alias_sets(module, dump), flat_schedule::printed_order(module, &dump)) {}
  /// From a cache.
  explicit live_ranges(const analysis_cache auto& made)
      : live_ranges(made.template share<alias_sets>(), flat_schedule::printed_order(*made.hlo(), made.buffers())) {}
  /// `order`: as in `flat_schedule`.
  live_ranges(alias_sets values, const std::vector<std::string_view>& order)
      : live_ranges(std::make_shared<const alias_sets>(std::move(values)), order) {}
  /// Of sets that others share.
  live_ranges(std::shared_ptr<const alias_sets> values, const std::vector<std::string_view>& order)
      : sets_(std::move(values)), schedule_(flow().tables(), order) {
    const detail::range_finder find(flow());
    detail::range_finder::known_ends known;
    for (const hlo_value& v : flow().values()) untrimmed_.push_back(find.range_of(v, schedule_, known));
    trimmed_ = untrimmed_;
    const auto range_of = [&](std::uint32_t v) { return trimmed_[v] ? &*trimmed_[v] : nullptr; };
    for (std::uint32_t set = 0; set < sets_->size(); ++set) detail::trim_ranges(sets_->values(set), range_of);
  }

  /// The range as printed: two values of one alias set have at most one position in common. Nothing for values of
  /// computations without positions.
  const std::optional<time_span>& of(std::size_t value) const { return trimmed_[value]; }
  /// The range before trimming, which shows whether a value is still read after the next one of its alias set begins.
  const std::optional<time_span>& untrimmed(std::size_t value) const { return untrimmed_[value]; }

  /// The values that must share storage.
  const alias_sets& sets() const { return *sets_; }
  /// The values and their uses.
  const dataflow& flow() const { return sets_->flow(); }
  /// The schedule.
  const flat_schedule& schedule() const { return schedule_; }

 private:
  std::shared_ptr<const alias_sets> sets_;
  flat_schedule schedule_;
  std::vector<std::optional<time_span>> untrimmed_, trimmed_;  // by value
};

}  // namespace hlolint
