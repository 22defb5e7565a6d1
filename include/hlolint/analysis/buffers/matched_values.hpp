// Matches the values of a buffer dump with those of the HLO beside it, and completes a dump without live ranges.
// Protobuf messages never have live ranges (protobuf_dumps.md 11.2), and since April 2026 texts have them in separate
// files.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/buffers/value_table.hpp>
#include <hlolint/analysis/schedule/live_ranges.hpp>
#include <hlolint/analysis/values/dataflow.hpp>
#include <hlolint/analysis/values/named_values.hpp>
#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/module.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// Matches assigned values (by position in the dump's `values()`) with computed ones (by position in
/// `flow().values()`), by the defining instruction's name and index.
class matched_values {
 public:
  /// O(n log n). The two need not be of one program: see `same_program`.
  matched_values(const hlo_module& module, const buffer_dump& dump)
      : matched_values(std::make_shared<const value_table>(dump), std::make_shared<const live_ranges>(module, dump),
                       std::make_shared<const instruction_names>(module)) {}
  /// From a cache.
  explicit matched_values(const analysis_cache auto& made)
      : matched_values(made.template share<value_table>(), made.template share<live_ranges>(),
                       made.template share<instruction_names>()) {}
  /// From tables of one module and dump.
  matched_values(std::shared_ptr<const value_table> table, std::shared_ptr<const live_ranges> ranges,
                 std::shared_ptr<const instruction_names> names)
      : table_(std::move(table)),
        ranges_(std::move(ranges)),
        names_(flow(), std::move(names)),
        assigned_(flow().values().size(), none) {
    const buffer_dump& dump = table_->dump();
    for (const assigned_value& value : dump.values()) {
      const auto found = names_.value(value.name.instruction, value.name.at());
      computed_.push_back(found ? static_cast<std::uint32_t>(*found) : none);
      if (found) assigned_[*found] = static_cast<std::uint32_t>(computed_.size() - 1);
      same_program_ = same_program_ && found;
    }
    results_.resize(flow().values().size());
    if (const hlo_instruction root = root_of(flow().module().entry()))
      flow().for_each_in(root, [&](std::uint32_t v) { results_[v] = true; });
    const live_range_block* const block = dump.live_ranges();
    const std::vector<id>& sequence = ranges_->schedule().sequence();
    same_program_ = same_program_ && flow().is_complete();
    if (!block || !same_program_) return;
    same_program_ = std::equal(sequence.begin(), sequence.end(), block->sequence.begin(), block->sequence.end(),
                               [&](id i, std::string_view name) { return names_.name_of(i) == name; });
  }
  matched_values(const matched_values&) = delete;
  matched_values& operator=(const matched_values&) = delete;

  /// Whether every assigned value is in the HLO, and the dump's schedule, if it has one, is the HLO's. Otherwise the
  /// two are not of one compilation (DMP001) and must not be combined. Also false if the HLO could not be followed
  /// (`dataflow::is_complete`).
  bool same_program() const { return same_program_; }

  /// The computed value of an assigned one; nothing if the HLO has no such value.
  std::optional<std::size_t> computed(std::size_t assigned) const { return known(computed_[assigned]); }
  /// The assigned value of a computed one; nothing if the dump has no such value.
  std::optional<std::size_t> assigned(std::size_t computed) const { return known(assigned_[computed]); }

  /// The value at a place in the result of an instruction; nothing if there are none or several.
  std::optional<std::size_t> at(hlo_instruction i, const shape_index& index) const {
    return i ? flow().only_value_at(i, index) : std::nullopt;
  }
  /// The names in dumps, each unique in the module.
  const named_values& names() const { return names_; }
  /// Whether a value is part of the program's result.
  bool is_result(std::size_t computed) const { return results_[computed]; }

  /// The dump.
  const buffer_dump& dump() const { return table_->dump(); }
  /// The assigned values' live ranges and uses.
  const value_table& table() const { return *table_; }
  /// The live ranges that follow from the HLO.
  const live_ranges& ranges() const { return *ranges_; }
  /// The values that follow from the HLO.
  const dataflow& flow() const { return ranges_->flow(); }

 private:
  static std::optional<std::size_t> known(std::uint32_t value) {
    return value == none ? std::nullopt : std::optional<std::size_t>(value);
  }

  std::shared_ptr<const value_table> table_;
  std::shared_ptr<const live_ranges> ranges_;
  named_values names_;
  bool same_program_ = true;
  std::vector<std::uint32_t> computed_;  // by assigned value
  std::vector<std::uint32_t> assigned_;  // by computed value
  std::vector<bool> results_;            // by computed value
};

/// The dump with the block `HloLiveRange` and the section `Used values:` that XLA would print. The source line of an
/// entry is that of the value's allocation. Precondition: the module is scheduled, and the dump has an assignment.
class completed_dump {
 public:
  /// O(n log n).
  completed_dump(const hlo_module& module, const buffer_dump& dump)
      : completed_dump(std::make_shared<const matched_values>(module, dump)) {}
  /// From a cache.
  explicit completed_dump(const analysis_cache auto& made) : completed_dump(made.template share<matched_values>()) {}

  /// Null if HLO and dump are not of one program.
  const buffer_dump* dump() const { return dump_ ? &*dump_ : nullptr; }

 private:
  explicit completed_dump(std::shared_ptr<const matched_values> values) : values_(std::move(values)) {
    const buffer_dump& printed = values_->dump();
    if (!values_->same_program() || printed.values().empty()) return;
    auto data = std::make_shared<buffer_data>(printed.data());
    add_live_ranges(*data);
    if (!data->has_used_values) add_used_values(*data);
    dump_.emplace(std::move(data));
  }

  const dataflow& flow() const { return values_->flow(); }
  /// Calls `f(value, computed)` for the values of the dump that the HLO has too.
  void for_each_value(const buffer_data& data, auto&& f) const {
    for (std::size_t i = 0; i < data.values.size(); ++i)
      if (const auto computed = values_->computed(i)) f(data.values[i], *computed);
  }

  void add_live_ranges(buffer_data& to) const {
    live_range_block block;
    block.computed = true;
    const flat_schedule& schedule = values_->ranges().schedule();
    block.max = schedule.size();
    block.text = to.values.front().text;
    block.sequence.reserve(schedule.sequence().size());
    for (const id i : schedule.sequence()) block.sequence.push_back(values_->names().name_of(i));
    for_each_value(to, [&](const assigned_value& v, std::size_t computed) {
      if (const auto& range = values_->ranges().of(computed))
        block.ranges.push_back({v.name.instruction, v.name.at(), range->start, range->end, v.text});
    });
    to.live_ranges = std::move(block);
  }

  void add_used_values(buffer_data& to) const {
    const named_values& names = values_->names();
    to.has_used_values = true;
    for_each_value(to, [&](const assigned_value& v, std::size_t computed) {
      const hlo_value& value = flow().values()[computed];
      used_value used;
      used.name = v.name, used.text = v.text;
      used.first_position = static_cast<std::uint32_t>(to.positions.size());
      for (const hlo_position p : flow().positions(value))
        to.positions.push_back({names.name_of(p.instruction), names.printed_index(p)});
      used.position_count = static_cast<std::uint32_t>(to.positions.size()) - used.first_position;
      used.first_use = static_cast<std::uint32_t>(to.uses.size());
      for (const hlo_use& u : flow().uses(value)) {
        const id operand = flow().module().instruction(u.user).operand(u.operand).id();
        to.uses.push_back({names.name_of(u.user), u.operand, names.printed_index({operand, u.part})});
      }
      used.use_count = static_cast<std::uint32_t>(to.uses.size()) - used.first_use;
      to.used_values.push_back(std::move(used));
    });
  }

  std::shared_ptr<const matched_values> values_;
  std::optional<buffer_dump> dump_;
};

}  // namespace hlolint
