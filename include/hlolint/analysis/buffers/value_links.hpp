// What a buffer dump alone shows of values that lie in the same bytes one after the other (buffer_dumps.md 5.4, the
// table for dumps without HLO).
#pragma once

#include <hlolint/analysis/buffers/declared_aliases.hpp>
#include <hlolint/analysis/buffers/overlap_class.hpp>
#include <hlolint/analysis/buffers/value_table.hpp>
#include <hlolint/analysis/values/disjoint_sets.hpp>
#include <hlolint/text/name_table.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace hlolint {

/// Answers for pairs of assigned values, given by their positions in `values()`. Tables are made when first asked for,
/// so one thread uses one object.
class value_links {
 public:
  /// Refers to the table.
  explicit value_links(const value_table& table) : table_(table), dump_(table.dump()) {}

  /// Whether an instruction reads the value.
  bool is_user(std::string_view instruction, std::size_t value) const {
    if (!readers_) {
      readers_.emplace();
      for (std::size_t v = 0; v < dump_.values().size(); ++v)
        if (const used_value* const used = table_.used(v))
          for (const value_use& use : dump_.uses(*used)) readers_->insert({use.instruction, v});
    }
    return readers_->count({instruction, value}) > 0;
  }

  /// Outputs of one instruction that both take over what a value of their offset leaves there.
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

  /// Linked by steps over values of one chunk (allocation, offset, size), where a step joins two values that have a
  /// position in common (instruction and index), or of which one has a position in an instruction that reads the other.
  bool are_chained(std::size_t a, std::size_t b) const {
    if (!chains_) chains_ = make_chains();
    return chains_->same(a, b);
  }

  /// In one alias set by what the instructions declare.
  bool are_declared_aliases(std::size_t a, std::size_t b) const {
    if (!declared_) declared_ = declared_aliases(table_);
    return declared_->same(a, b);
  }

  /// Why of two values with equal offsets one may begin exactly where the other ends, as far as the dump shows it.
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
  record_list<std::size_t> read_and_left(const assigned_value& first, std::int64_t start) const {
    if (ends_.empty()) {
      for (std::size_t i = 0; i < dump_.values().size(); ++i)
        if (const live_range* range = table_.range(i))
          ends_.push_back({value(i).allocation, value(i).offset, range->end, i});
      std::sort(ends_.begin(), ends_.end());
    }
    record_list<std::size_t> out;
    const std::tuple<std::int64_t, byte_count, std::int64_t, std::size_t> from{first.allocation, first.offset, start,
                                                                               0};
    for (auto at = std::lower_bound(ends_.begin(), ends_.end(), from); at != ends_.end() && out.size() < 3; ++at) {
      const auto& [allocation, offset, end, z] = *at;
      if (allocation != first.allocation || offset != first.offset || end != start) break;
      if (is_user(first.name.instruction, z)) out.push_back(z);
    }
    return out;
  }

  disjoint_sets make_chains() const {
    disjoint_sets sets(dump_.values().size());
    record_list<std::size_t> order(dump_.values().size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto chunk = [&](std::size_t i) { return std::tuple(value(i).allocation, value(i).offset, value(i).size); };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::tuple(chunk(a), a) < std::tuple(chunk(b), b);
    });
    std::unordered_map<std::string_view, record_list<std::size_t>> at;  // instruction -> the chunk's values found there
    std::map<std::pair<std::string_view, shape_index>, std::size_t> places;  // instruction and index -> one of them
    for (std::size_t first = 0; first < order.size();) {
      std::size_t last = first;
      while (last < order.size() && chunk(order[last]) == chunk(order[first])) ++last;
      at.clear(), places.clear();
      const auto each = [&](auto&& f) {
        for (std::size_t k = first; k < last && last - first > 1; ++k)
          if (table_.range(order[k])) f(order[k]);
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
      first = last;
    }
    return sets;
  }

  struct reader {
    std::string_view instruction;
    std::size_t value = 0;
    friend bool operator==(const reader&, const reader&) = default;
  };
  struct reader_hash {
    std::size_t operator()(const reader& r) const {
      return static_cast<std::size_t>(detail::hash(r.instruction) ^ (r.value * 0x9E3779B97F4A7C15u));
    }
  };

  const value_table& table_;
  const buffer_dump& dump_;
  mutable optional<std::unordered_set<reader, reader_hash>> readers_;
  mutable std::map<std::tuple<std::int64_t, byte_count, std::int64_t, std::string_view>, record_list<std::size_t>>
      left_there_;  // what `read_and_left` gave
  mutable record_list<std::tuple<std::int64_t, byte_count, std::int64_t, std::size_t>> ends_;
  mutable optional<disjoint_sets> chains_;
  mutable optional<declared_aliases> declared_;
};

}  // namespace hlolint
