// From when to when each value lives, as XLA's HloLiveRange computes it from the schedule (buffer_dumps.md 4).
#pragma once

#include <hlolint/analysis/schedule/flat_schedule.hpp>
#include <hlolint/analysis/values/alias_sets.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/module.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hlolint {

/// Schedule positions, both inclusive. `end` may be one after the last: to the end of the program.
struct time_span {
  /// Schedule positions, both inclusive. @{
  std::int64_t start = 0, end = 0;
  /// @}
  friend bool operator==(const time_span&, const time_span&) = default;
};

/// The live ranges of all values, by their position in `flow().values()`. Holds what they are made from, so a user that
/// needs ranges and values or alias sets takes all from here.
class live_ranges {
 public:
  /// Precondition: the module is scheduled.
  explicit live_ranges(const hlo_module& module) : live_ranges(alias_sets(module), {}) {}
  /// In the order that the dump prints, if the module is not scheduled, and by the rules of the XLA that wrote it.
  live_ranges(const hlo_module& module, const buffer_dump& dump)
      : live_ranges(alias_sets(module, dump), flat_schedule::printed_order(module, dump)) {}
  /// `order`: see flat_schedule.
  live_ranges(alias_sets values, const std::vector<std::string_view>& order)
      : sets_(std::move(values)), schedule_(flow().tables(), order) {
    find_aliased_parameters();
    for (const hlo_value& v : flow().values()) untrimmed_.push_back(range_of(v));
    trimmed_ = untrimmed_;
    for (std::uint32_t set = 0; set < sets_.size(); ++set) trim(set);
  }

  /// As printed: two values of one alias set have no more than one position in common. Nothing for values of
  /// computations that the schedule does not go into.
  const std::optional<time_span>& of(std::size_t value) const { return trimmed_[value]; }
  /// Before values of one alias set were cut to follow each other: shows that one is still read when the next begins.
  const std::optional<time_span>& untrimmed(std::size_t value) const { return untrimmed_[value]; }

  /// The values that must share storage.
  const alias_sets& sets() const { return sets_; }
  /// The values and who reads them.
  const dataflow& flow() const { return sets_.flow(); }
  /// The positions.
  const flat_schedule& schedule() const { return schedule_; }

 private:
  using parameter_part = std::pair<std::int64_t, shape_index>;

  void find_aliased_parameters() {
    if (const auto aliases = get<input_output_alias>(flow().module()))
      for (const input_output_alias_entry& entry : aliases->entries)
        aliased_.emplace(entry.parameter, entry.parameter_index);
  }
  bool is_kept_by_caller(const hlo_value& v, hlo_instruction i) const {
    return i.opcode() == hlo_opcode::parameter && i.computation().is_entry() &&
           (!i.parameter_number() || aliased_.count({*i.parameter_number(), flow().index(v.defined)}) == 0);
  }

  std::optional<time_span> range_of(const hlo_value& v) const {
    const hlo_instruction i = flow().instruction(v);
    const auto at = schedule_.position_of(i);
    const auto around = schedule_.span_of(i.computation());
    if (!at || !around) return std::nullopt;
    time_span out{i.opcode() == hlo_opcode::parameter ? around->begin : *at, i.is_root() ? around->end : *at};
    const auto reaches = [&](std::optional<std::int64_t> t) {
      if (t && *t > out.end) out.end = *t;
    };
    if (const id context = schedule_.async_context(i.computation()); context != none)
      reaches(done_of(context, around->end));
    for (const hlo_position p : flow().positions(v).subspan(1))
      reaches(schedule_.end_of(flow().module().instruction(p.instruction)));
    if (is_kept_by_caller(v, i)) {
      out.end = schedule_.size();
      return out;
    }
    for (const hlo_use& use : flow().uses(v)) {
      hlo_instruction user = flow().module().instruction(use.user);
      if (user.opcode() == hlo_opcode::call) continue;
      if (user.opcode() == hlo_opcode::while_) {
        const hlo_computation body = parts_of_while(user).body;
        user = body ? flow().tables().parameters.of(body, 0) : hlo_instruction{};
      }
      if (user) reaches(schedule_.position_of(user));
    }
    return out;
  }

  /// When the op ends that a wrapped computation runs in; `otherwise` if nothing ends it.
  std::int64_t done_of(id wrapped, std::int64_t otherwise) const {
    const auto [known, is_new] = done_of_.try_emplace(wrapped, 0, false);
    auto& [last_done, without_done] = known->second;
    if (is_new)
      for (const hlo_instruction caller : flow().tables().calls.callers(flow().module().computation(wrapped))) {
        const hlo_instruction last = flow().tables().chains.last(caller);
        const bool done = caller.opcode() == hlo_opcode::async_start && last.opcode() == hlo_opcode::async_done;
        const auto at = done ? schedule_.position_of(last) : std::nullopt;
        last_done = std::max(last_done, at.value_or(0));
        without_done = without_done || !at;
      }
    return without_done ? std::max(last_done, otherwise) : last_done;
  }

  void trim(std::uint32_t set) {
    if (sets_.values(set).size() < 2) return;  // nearly all
    std::vector<std::uint32_t> order;
    for (const std::uint32_t v : sets_.values(set))
      if (trimmed_[v]) order.push_back(v);
    const auto key = [&](std::uint32_t v) { return std::tuple(untrimmed_[v]->start, untrimmed_[v]->end, v); };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    for (std::size_t k = 1; k < order.size(); ++k) {
      time_span &before = *trimmed_[order[k - 1]], &after = *trimmed_[order[k]];
      after.end = std::max(before.end, after.end);
      before.end = std::min(before.end, after.start);
    }
  }

  alias_sets sets_;
  flat_schedule schedule_;
  std::set<parameter_part> aliased_;
  mutable std::unordered_map<id, std::pair<std::int64_t, bool>> done_of_;  // while ranges are found: the last done of a
                                                                           // wrapped computation, and if one has none
  std::vector<std::optional<time_span>> untrimmed_, trimmed_;  // by value
};

}  // namespace hlolint
