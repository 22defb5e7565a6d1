// The relations that a buffer dump alone shows between values that successively lie in the same bytes (buffer_dumps.md
// 5.4, the table for dumps without HLO).
#pragma once

#include <hlolint/analysis/buffers/value_table.hpp>
#include <hlolint/analysis/values/disjoint_sets.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/parse/lone_instruction.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/name_table.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hlolint {

/// The part of XLA's alias sets (buffer_dumps.md 5.1) that the `from instruction` texts declare by
/// `output_to_operand_aliasing`.
class declared_aliases {
 public:
  /// O(n log n) in the values and their uses.
  explicit declared_aliases(const value_table& table) : sets_(table.dump().values().size()) {
    const buffer_dump& dump = table.dump();
    const std::string_view key = name_of(attribute_key::output_to_operand_aliasing);
    const auto declares = [&](std::size_t i) {
      return table.used(i) && table.used(i)->from_instruction.find(key) != std::string_view::npos;
    };
    // The values that the declaring instructions read, by instruction, operand and index.
    std::map<std::tuple<std::string_view, std::int64_t, shape_index>, std::size_t> read;
    // The entries of an instruction by the index of the output.
    using entries_by_output = std::multimap<shape_index, std::pair<std::int64_t, shape_index>>;
    std::map<std::string_view, std::optional<entries_by_output>> declared;
    for (std::size_t i = 0; i < dump.values().size(); ++i)
      if (declares(i)) declared.emplace(dump.values()[i].name.instruction, std::nullopt);
    if (declared.empty()) return;
    for (std::size_t i = 0; i < dump.values().size(); ++i)
      if (table.used(i))
        for (const value_use& use : dump.uses(*table.used(i)))
          if (declared.count(use.instruction))
            read.emplace(std::tuple(use.instruction, use.operand, use.index.value_or(shape_index{})), i);
    for (std::size_t i = 0; i < dump.values().size(); ++i) {
      if (!declares(i)) continue;
      const value_name& name = dump.values()[i].name;
      std::optional<entries_by_output>& entries = declared[name.instruction];
      if (!entries) {
        entries.emplace();
        const lone_instruction alone(table.used(i)->from_instruction);
        if (const auto written = alone.get() ? get<output_to_operand_aliasing>(alone.get()) : std::nullopt)
          for (const operand_alias_entry& entry : written->entries)
            entries->emplace(entry.output, std::pair(entry.operand, entry.operand_index));
      }
      for (auto [entry, last] = entries->equal_range(name.at()); entry != last; ++entry) {
        const auto& [number, index] = entry->second;
        const auto operand = read.find(std::tuple(name.instruction, number, index));
        if (operand != read.end()) sets_.merge(i, operand->second);
      }
    }
  }

  /// Whether two values, by their positions in `values()`, are declared to be of one set.
  bool same(std::size_t a, std::size_t b) const { return sets_.same(a, b); }

 private:
  disjoint_sets sets_;
};

/// How two values with bytes in common relate (buffer_dumps.md 5.4). In a touch the earlier value ends at the position
/// where the later one starts. HLO that agrees with the dump about both values decides; otherwise the dump alone must
/// explain a touch.
enum class overlap_class : std::uint8_t {
  no_range,          ///< one of them has no live range: cannot be judged
  disjoint,          ///< the earlier ends before the later starts
  one_buffer,        ///< touch, with HLO: one alias set
  may_share,         ///< touch, with HLO: the later one's instruction may take over its operand
  may_share_on_gpu,  ///< `may_share`, but only by the GPU backend's rules
  hand_off,          ///< touch, dump only: the later one's instruction reads the earlier value
  siblings,          ///< touch, dump only: two outputs that take over one operand
  merged,            ///< touch, dump only: one is a phi value
  chained,           ///< touch, dump only: linked by other values of the same bytes
  declared_alias,    ///< touch, dump only: by the instructions' `output_to_operand_aliasing`
  unexplained,       ///< touch, dump only: nothing is known; proves nothing
  not_shareable,     ///< touch, with HLO: the later one's instruction reads the earlier value and may not take it over
  unrelated,         ///< touch, with HLO: XLA never produces it
  partial_touch,     ///< touch at different offsets
  clash,             ///< the earlier ends after the later starts
  count              ///< number of the classes above
};

/// As texts write it: one or two words.
constexpr std::string_view name_of(overlap_class c) {
  constexpr std::array<std::string_view, static_cast<std::size_t>(overlap_class::count)> names{
      "no range",    "disjoint",      "one buffer", "may share",     "may share on GPU",
      "hand-off",    "siblings",      "merged",     "chained",       "declared alias",
      "unexplained", "not shareable", "unrelated",  "partial touch", "clash"};
  return names[static_cast<std::size_t>(c)];
}

/// Whether the class is, or may be, a fault.
constexpr bool is_conflict(overlap_class c) {
  using enum overlap_class;
  return c == clash || c == partial_touch || c == unrelated || c == not_shareable || c == unexplained ||
         c == may_share_on_gpu;
}

/// Answers for pairs of assigned values, given by their positions in `values()`. Tables are made on first use, so one
/// thread uses one object.
class value_links {
 public:
  /// Refers to the table.
  explicit value_links(const value_table& table) : table_(table), dump_(table.dump()) {}

  /// Whether an instruction reads the value.
  bool is_user(std::string_view instruction, std::size_t value) const {
    if (!read_by_) {
      read_by_.emplace();
      for (std::size_t v = 0; v < dump_.values().size(); ++v)
        if (const used_value* const used = table_.used(v))
          for (const value_use& use : dump_.uses(*used)) (*read_by_)[use.instruction].push_back(v);
    }
    const auto read = read_by_->find(instruction);
    return read != read_by_->end() && std::binary_search(read->second.begin(), read->second.end(), value);
  }

  /// Whether both are outputs of one instruction that take over the bytes of one value at their offset.
  bool are_siblings(std::size_t a, std::size_t b) const {
    const assigned_value &first = value(a), &second = value(b);
    const live_range *r = table_.range(a), *s = table_.range(b);
    if (!r || !s || r->start != s->start || first.name.instruction != second.name.instruction) return false;
    // Up to three values are enough to find one that is neither a nor b.
    const auto [known, is_new] =
        left_there_.try_emplace({first.allocation, first.offset, r->start, first.name.instruction});
    if (is_new) known->second = read_and_left(first, r->start);
    for (const std::size_t z : known->second)
      if (z != a && z != b) return true;
    return false;
  }

  /// Whether steps over values of one chunk (allocation, offset, size) link them. A step joins two values that have a
  /// position (instruction and index) in common, or of which one has a position in an instruction that reads the other.
  bool are_chained(std::size_t a, std::size_t b) const {
    if (!chains_) chains_ = make_chains();
    return chains_->same(a, b);
  }

  /// Whether declarations put them into one alias set.
  bool are_declared_aliases(std::size_t a, std::size_t b) const {
    if (!declared_) declared_ = declared_aliases(table_);
    return declared_->same(a, b);
  }

  /// Why, of two values with equal offsets, one may begin exactly where the other ends, as far as the dump shows.
  /// `unexplained` proves nothing.
  overlap_class explain_touch(std::size_t first, std::size_t second) const {
    if (is_user(value(second).name.instruction, first)) return overlap_class::hand_off;
    if (are_siblings(first, second)) return overlap_class::siblings;
    if (value(first).name.phi || value(second).name.phi) return overlap_class::merged;
    if (are_chained(first, second)) return overlap_class::chained;
    return are_declared_aliases(first, second) ? overlap_class::declared_alias : overlap_class::unexplained;
  }

 private:
  const assigned_value& value(std::size_t i) const { return dump_.values()[i]; }

  /// The first three values at the offset of `first` that end at `start` and that its instruction reads.
  std::vector<std::size_t> read_and_left(const assigned_value& first, std::int64_t start) const {
    if (ends_.empty()) {
      for (std::size_t i = 0; i < dump_.values().size(); ++i)
        if (const live_range* range = table_.range(i))
          ends_.push_back({value(i).allocation, value(i).offset, range->end, i});
      std::sort(ends_.begin(), ends_.end());
    }
    std::vector<std::size_t> out;
    const std::tuple from{first.allocation, first.offset, start, std::size_t{0}};
    for (auto at = std::lower_bound(ends_.begin(), ends_.end(), from); at != ends_.end() && out.size() < 3; ++at) {
      const auto& [allocation, offset, end, z] = *at;
      if (allocation != first.allocation || offset != first.offset || end != start) break;
      if (is_user(first.name.instruction, z)) out.push_back(z);
    }
    return out;
  }

  disjoint_sets make_chains() const {
    disjoint_sets sets(dump_.values().size());
    std::unordered_map<std::string_view, std::vector<std::size_t>> at;  // instruction -> the chunk's values found there
    std::map<std::pair<std::string_view, shape_index>, std::size_t> places;  // instruction and index -> one of them
    detail::for_each_chunk(dump_, [&](std::span<const std::uint32_t> chunk) {
      if (chunk.size() == 1) return;
      at.clear(), places.clear();
      const auto each = [&](auto&& f) {
        for (const std::size_t i : chunk)
          if (table_.range(i)) f(i);
      };
      each([&](std::size_t i) {
        const auto place = [&](std::string_view instruction, const shape_index& index) {
          at[instruction].push_back(i);
          const auto [entry, is_new] = places.emplace(std::pair(instruction, index), i);
          if (!is_new) sets.merge(entry->second, i);
        };
        place(value(i).name.instruction, value(i).name.at());
        if (const used_value* used = table_.used(i))
          for (const value_position& p : dump_.positions(*used)) place(p.instruction, p.index.value_or(shape_index{}));
      });
      each([&](std::size_t i) {
        if (const used_value* used = table_.used(i))
          for (const value_use& use : dump_.uses(*used))
            if (const auto entry = at.find(use.instruction); entry != at.end()) {
              for (const std::size_t found : entry->second) sets.merge(found, i);
              entry->second = {i};  // stands for all of them from now on
            }
      });
    });
    return sets;
  }

  const value_table& table_;
  const buffer_dump& dump_;
  mutable std::optional<std::unordered_map<std::string_view, std::vector<std::size_t>>> read_by_;  // values, ascending
  mutable std::map<std::tuple<std::int64_t, byte_count, std::int64_t, std::string_view>, std::vector<std::size_t>>
      left_there_;  // results of `read_and_left`
  mutable std::vector<std::tuple<std::int64_t, byte_count, std::int64_t, std::size_t>> ends_;
  mutable std::optional<disjoint_sets> chains_;
  mutable std::optional<declared_aliases> declared_;
};

}  // namespace hlolint
