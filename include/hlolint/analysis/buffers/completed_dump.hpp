// A buffer dump that does not print when its values live, with what follows from the HLO beside it: protobuf messages
// never have it (protobuf_dumps.md 11.2), and since April 2026 texts have it in files of their own.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/buffers/matched_values.hpp>
#include <hlolint/text/optional.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

namespace hlolint {

/// The dump with the block `HloLiveRange` and the section `Used values:` that XLA would print; each entry stands at the
/// line of the value's allocation. Precondition: the module is scheduled, and the dump has an assignment.
class completed_dump {
 public:
  /// O(n log n).
  completed_dump(const hlo_module& module, const buffer_dump& dump)
      : completed_dump(std::make_shared<const matched_values>(module, dump)) {}
  /// As a context makes it.
  template <analysis_cache Cache>
  explicit completed_dump(const Cache& made) : completed_dump(made.template share<matched_values>()) {}

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
  /// Names are those of the module, or made by `instruction_names`, which `values_` keeps.
  std::string_view name_of(id i) const { return values_->name_of(flow().module().instruction(i)); }
  optional<shape_index> index_of(hlo_position p) const {
    return flow().tables().places.is_tuple(p.instruction, 0) ? optional(flow().index(p)) : std::nullopt;
  }
  template <class F>
  void for_each_value(const buffer_data& data, F&& f) const {
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
    for (const id i : schedule.sequence()) block.sequence.push_back(name_of(i));
    for_each_value(to, [&](const assigned_value& v, std::size_t computed) {
      if (const auto& range = values_->ranges().of(computed))
        block.ranges.push_back({v.name.instruction, v.name.at(), range->start, range->end, v.text});
    });
    to.live_ranges = std::move(block);
  }

  void add_used_values(buffer_data& to) const {
    to.has_used_values = true;
    for_each_value(to, [&](const assigned_value& v, std::size_t computed) {
      const hlo_value& value = flow().values()[computed];
      used_value used;
      used.name = v.name, used.text = v.text;
      used.first_position = static_cast<std::uint32_t>(to.positions.size());
      for (const hlo_position p : flow().positions(value))
        to.positions.push_back({name_of(p.instruction), index_of(p)});
      used.position_count = static_cast<std::uint32_t>(to.positions.size()) - used.first_position;
      used.first_use = static_cast<std::uint32_t>(to.uses.size());
      for (const hlo_use& u : flow().uses(value)) {
        const id operand = flow().module().instruction(u.user).operand(u.operand).id();
        to.uses.push_back({name_of(u.user), u.operand, index_of({operand, u.part})});
      }
      used.use_count = static_cast<std::uint32_t>(to.uses.size()) - used.first_use;
      to.used_values.push_back(std::move(used));
    });
  }

  std::shared_ptr<const matched_values> values_;
  optional<buffer_dump> dump_;
};

}  // namespace hlolint
