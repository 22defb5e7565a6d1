// Joins what the sections of a buffer dump record about each value.
#pragma once

#include <hlolint/ir/buffers.hpp>
#include <hlolint/text/sorting.hpp>
#include <hlolint/text/flat_index.hpp>
#include <hlolint/text/name_table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

namespace hlolint {

/// For every assigned value of a dump (by its position in `values()`) its live range and its entry under `Used
/// values:`, found by defining instruction and index; and the schedule position of every instruction.
class value_table {
 public:
  /// Linear in the values, by hashing.
  explicit value_table(const buffer_dump& dump) : dump_(dump) {
    const std::vector<assigned_value>& values = dump_.values();
    detail::flat_index of_name(values.size());
    for (std::uint32_t i = 0; i < values.size(); ++i)
      of_name.insert(hash(values[i].name), i, [&](std::uint32_t v) { return same(values[v].name, values[i].name); });
    ranges_.resize(values.size());
    used_.resize(values.size());
    if (const live_range_block* block = dump_.live_ranges()) {
      for (const live_range& r : block->ranges) {
        const std::uint32_t found = of_name.find(hash(r.instruction, r.index), [&](std::uint32_t v) {
          return detail::same(values[v].name.instruction, r.instruction) && is_at(values[v].name, r.index);
        });
        if (found != none) ranges_[found] = &r;
      }
      const std::vector<std::string_view>& sequence = block->sequence;
      positions_.reserve(sequence.size());
      for (std::uint32_t t = 0; t < sequence.size(); ++t)
        positions_.insert(detail::hash(sequence[t]), t,
                          [&](std::uint32_t p) { return detail::same(sequence[p], sequence[t]); });
    }
    for (const used_value& u : dump_.used_values()) {
      const std::uint32_t found =
          of_name.find(hash(u.name), [&](std::uint32_t v) { return same(values[v].name, u.name); });
      if (found != none) used_[found] = &u;
    }
  }

  /// The live range of a value; null for values of embedded computations, and in dumps without the block.
  const live_range* range(std::size_t value) const { return ranges_[value]; }
  /// The entry of a value under `Used values:`; null if there is none.
  const used_value* used(std::size_t value) const { return used_[value]; }

  /// Schedule position of an instruction; nothing for one of an embedded computation.
  std::optional<std::int64_t> position_of(std::string_view instruction) const {
    if (positions_.size() == 0) return std::nullopt;
    const std::vector<std::string_view>& sequence = dump_.live_ranges()->sequence;
    const std::uint32_t found = positions_.find(
        detail::hash(instruction), [&](std::uint32_t p) { return detail::same(sequence[p], instruction); });
    return found == none ? std::nullopt : std::optional(std::int64_t{found});
  }

  /// The last schedule position at which a value is read; nothing if no use has a position. Computed for all values on
  /// first use, so one thread uses one object.
  std::optional<std::int64_t> last_use(std::size_t value) const {
    if (last_uses_.empty()) {
      last_uses_.resize(used_.size());
      for (std::size_t v = 0; v < used_.size(); ++v)
        if (used_[v])
          for (const value_use& use : dump_.uses(*used_[v]))
            if (const auto at = position_of(use.instruction); at && (!last_uses_[v] || *at > *last_uses_[v]))
              last_uses_[v] = at;
    }
    return last_uses_[value];
  }

  /// The dump.
  const buffer_dump& dump() const { return dump_; }

 private:
  static constexpr std::uint32_t none = detail::flat_index::none;

  static std::uint64_t hash(std::string_view instruction, const shape_index& index) {
    std::uint64_t h = detail::hash(instruction);
    for (const std::uint32_t step : index) h = detail::fold(h ^ step, 0x9E3779B97F4A7C15u);
    return h;
  }
  static std::uint64_t hash(const value_name& name) {
    return name.index ? hash(name.instruction, *name.index) : detail::hash(name.instruction);
  }
  static bool is_at(const value_name& name, const shape_index& index) {
    return name.index ? *name.index == index : index.empty();
  }
  static bool same(const value_name& a, const value_name& b) {
    return detail::same(a.instruction, b.instruction) && (b.index ? is_at(a, *b.index) : !a.index || a.index->empty());
  }

  buffer_dump dump_;
  std::vector<const live_range*> ranges_;
  std::vector<const used_value*> used_;
  mutable std::vector<std::optional<std::int64_t>> last_uses_;
  detail::flat_index positions_;  // in the sequence of the live ranges
};

namespace detail {

/// Calls `f(values)` for the values of each chunk, which have allocation, offset and size in common: their positions
/// in `values()`, ascending. O(n log n).
void for_each_chunk(const buffer_dump& dump, auto&& f) {
  const auto chunk_of = [&](std::uint32_t i) {
    const assigned_value& v = dump.values()[i];
    return std::tuple(v.allocation, v.offset, v.size);
  };
  std::vector<std::uint32_t> order(dump.values().size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order,
                           [&](std::uint32_t a, std::uint32_t b) { return in_order(chunk_of(a), chunk_of(b), a, b); });
  const auto same = [&](std::uint32_t a, std::uint32_t b) { return chunk_of(a) == chunk_of(b); };
  for_each_run(order, same, [&](std::size_t begin, std::size_t end) {
    f(std::span<const std::uint32_t>(order).subspan(begin, end - begin));
  });
}

}  // namespace detail

}  // namespace hlolint
