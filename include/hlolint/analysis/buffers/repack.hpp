// How tightly each allocation is packed, the least size it could have (buffer_dumps.md 9), and a smaller packing.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/assignment/best_fit_heap.hpp>
#include <hlolint/analysis/buffers/live_chunks.hpp>
#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/analysis/buffers/value_table.hpp>
#include <hlolint/analysis/values/disjoint_sets.hpp>
#include <hlolint/text/sorting.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hlolint {

/// Bytes of one allocation.
struct packed_allocation {
  byte_count size = 0;        ///< of the allocation
  byte_count covered = 0;     ///< bytes that any value ever takes
  byte_count bound = 0;       ///< most in use at one position: no packing of the values is smaller
  std::int64_t position = 0;  ///< the first at which that many are in use

  /// Bytes that a perfect packing would save: gaps, and those that are taken but never all at one time.
  byte_count slack() const { return (checked_int64(size) - bound).clamped(); }
  /// Bytes never taken by any value: mostly alignment.
  byte_count gaps() const { return (checked_int64(size) - covered).clamped(); }
};

/// The packing of each allocation that has live ranges or no values. Values without a live range count as covered, not
/// as in use.
class packing_bound {
 public:
  /// O(n log n).
  explicit packing_bound(const buffer_dump& dump) : packing_bound(live_chunks(dump)) {}
  /// From a cache.
  explicit packing_bound(const analysis_cache auto& made)
      : packing_bound(made.template get<live_chunks>(), made.template get<occupancy>()) {}
  /// From known chunks.
  explicit packing_bound(const live_chunks& chunks) : packing_bound(chunks, occupancy(chunks)) {}
  /// From known chunks and their occupancy.
  packing_bound(const live_chunks& chunks, const occupancy& in_use) {
    const std::vector<allocation>& allocations = chunks.dump().allocations();
    packed_.resize(allocations.size());
    for (std::size_t a = 0; a < allocations.size(); ++a) {
      const occupancy_curve curve = in_use.of_allocation(a);
      if (curve.empty() && !chunks.of_allocation(a).empty()) continue;
      packed_allocation& out = packed_[a].emplace();
      out.size = allocations[a].size;
      if (curve.empty()) continue;
      out.bound = curve.peak();
      out.position = curve.peak_positions().front().first;
      byte_count end = 0;
      for (const live_chunk& c : chunks.of_allocation(a)) {  // by offset
        out.covered += std::max<byte_count>(0, c.end() - std::max(c.offset, end));
        end = std::max(end, c.end());
      }
    }
  }

  /// By position in `allocations()`; null if nothing is known.
  const packed_allocation* of_allocation(std::size_t a) const { return packed_[a] ? &*packed_[a] : nullptr; }

 private:
  std::vector<std::optional<packed_allocation>> packed_;
};

/// A number for each value, by its position in `values()`, as far as the dump alone shows (buffer_dumps.md 5.1): values
/// that can be of one alias set have equal numbers, and perhaps others too. Such values have allocation, offset and
/// size in common. XLA aliases two values only across an instruction that holds or reads both; at loops and
/// conditionals, which leave a phi value in the set; or a parameter with a result, which are not temporary.
inline std::vector<std::uint32_t> possible_alias_sets(const value_table& table) {
  const buffer_dump& dump = table.dump();
  const std::vector<assigned_value>& values = dump.values();
  disjoint_sets sets(values.size());
  std::unordered_map<std::string_view, std::uint32_t> seen;  // instruction -> a value that it holds or reads
  detail::for_each_chunk(dump, [&](std::span<const std::uint32_t> chunk) {
    if (chunk.size() == 1) return;
    seen.clear();
    for (const std::uint32_t i : chunk) {
      const used_value* const used = table.used(i);
      // All of the chunk may be of one set.
      if (!dump.allocation_of(values[i]).preallocated_temp || values[i].name.phi || !used || !used->uses_known) {
        for (const std::uint32_t other : chunk) sets.merge(other, i);
        return;
      }
      const auto meet = [&](std::string_view instruction) {
        sets.merge(seen.emplace(instruction, i).first->second, i);
      };
      meet(values[i].name.instruction);
      for (const value_position& p : dump.positions(*used)) meet(p.instruction);
      for (const value_use& u : dump.uses(*used)) meet(u.instruction);
    }
  });
  std::vector<std::uint32_t> out(values.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint32_t>(sets.find(i));
  return out;
}

/// The chunks of a dump, split into parts that can be moved independently.
inline live_chunks movable_chunks(std::shared_ptr<const value_table> table) {
  const std::vector<std::uint32_t> sets = possible_alias_sets(*table);
  return {std::move(table), sets};
}
/// From a dump.
inline live_chunks movable_chunks(const buffer_dump& dump) {
  return movable_chunks(std::make_shared<const value_table>(dump));
}

/// The method that found a packing.
enum class packing_method : std::uint8_t {
  as_assigned,  ///< the dump's own packing; none better was found
  settled,      ///< by offset in the dump, the lowest first
  best_fit,     ///< the largest or the longest first, as XLA's heap does
};

/// As texts write it: `as assigned`, `best fit`.
constexpr std::string_view name_of(packing_method method) {
  constexpr std::string_view names[] = {"as assigned", "settled", "best fit"};
  return names[static_cast<std::size_t>(method)];
}

/// The smallest packing found of one temporary allocation, never larger than the dump's own.
struct repacked_allocation {
  byte_count size = 0;                                  ///< bytes
  packing_method method = packing_method::as_assigned;  ///< how it was found
};

/// Packs every temporary allocation again, by XLA's rules: values that live at the same time do not share bytes, the
/// values of a chunk (live_chunks.hpp), which include those of one alias set, stay together, and offsets keep the
/// alignment of their memory space. XLA's heap (best_fit_heap.hpp) is tried in the order of the dump, largest first and
/// longest-lived first; the result need not be optimal. O(n log n), plus a limited number of steps for pairs that live
/// at the same time.
class repack {
 public:
  /// Tries all methods.
  explicit repack(const buffer_dump& dump) : repack(movable_chunks(dump)) {}
  /// From a cache.
  explicit repack(const analysis_cache auto& made) : repack(movable_chunks(made.template share<value_table>())) {}
  /// From known chunks. `as_xla`: try only the two orders of XLA's heap, which may find a larger packing than the order
  /// of the dump.
  explicit repack(const live_chunks& chunks, bool as_xla = false) : as_xla_(as_xla) {
    const std::vector<allocation>& allocations = chunks.dump().allocations();
    for (const live_chunk& c : chunks.chunks()) {
      offsets_.push_back(c.offset);
      const allocation& in = allocations[c.allocation];
      if (in.preallocated_temp) alignments_[in.color] |= c.offset;
    }
    for (auto& [color, bits] : alignments_) bits = bits == 0 ? 1 : bits & -bits;
    packed_.resize(allocations.size());
    for (std::size_t a = 0; a < allocations.size(); ++a)
      if (allocations[a].preallocated_temp) pack(chunks, a);
  }

  /// By position in `allocations()`; null for one that is not temporary.
  const repacked_allocation* of_allocation(std::size_t a) const { return packed_[a] ? &*packed_[a] : nullptr; }
  /// The new offset of each chunk, by its position in `chunks()`.
  const std::vector<byte_count>& offsets() const { return offsets_; }
  /// The largest power of two that divides all offsets of temporary values in the memory space; 1 if all are 0.
  byte_count alignment(std::int64_t color) const {
    const auto found = alignments_.find(color);
    return found == alignments_.end() ? 1 : found->second;
  }

 private:
  // A chunk to be placed. Times are slots, which number the positions at which any chunk starts.
  struct item {
    byte_count offset = 0, size = 0;
    std::int64_t lifetime = 0;  // in positions; `as_xla`: allocations and releases meanwhile, as XLA's heap counts
    std::size_t first_time = 0, time_count = 0;
  };
  // The packing of one allocation.
  struct packing {
    std::vector<item> items;
    std::vector<slot_range> times;
    std::size_t slot_count = 0;
    byte_count alignment = 1;
    std::vector<byte_count> offsets;  // of the items

    std::span<const slot_range> times_of(const item& i) const {
      return std::span(times).subspan(i.first_time, i.time_count);
    }
    byte_count size() const {
      byte_count out = 0;
      for (std::size_t i = 0; i < items.size(); ++i) out = std::max(out, offsets[i] + items[i].size);
      return out;
    }
  };
  using order = std::vector<std::uint32_t>;  // positions in `items`

  // Places the chunks as XLA's heap does. False if too many live at the same time.
  static bool fit(packing& p, const order& by) {
    best_fit_heap heap(p.slot_count, p.alignment);
    const std::size_t affordable = 200'000'000 + 50 * p.items.size();
    for (const std::uint32_t i : by) {
      const std::optional<byte_count> at = heap.place(p.times_of(p.items[i]), p.items[i].size);
      if (!at || heap.steps() > affordable) return false;
      p.offsets[i] = *at;
    }
    return true;
  }

  // Nothing if the sizes are so large that sums might not fit.
  std::optional<packing> packing_of(const live_chunks& chunks, std::size_t a) const {
    const std::span<const live_chunk> all_chunks = chunks.of_allocation(a);
    packing out;
    out.alignment = alignment(chunks.dump().allocations()[a].color);
    std::vector<std::int64_t> starts;
    std::optional<byte_count> sum = 0;
    for (const live_chunk& c : all_chunks) {
      for (const position_range& r : chunks.ranges(c)) starts.push_back(r.first);
      const auto room = checked_add(c.size, out.alignment);
      sum = sum && room ? checked_add(*sum, *room) : std::nullopt;
      out.offsets.push_back(c.offset);
    }
    if (!sum) return std::nullopt;
    // Two chunks overlap in time only if they do where one of them starts.
    sort_unique(starts);
    out.slot_count = std::max<std::size_t>(starts.size(), 1);
    const auto slot_of = [&](std::int64_t p) {
      return static_cast<std::size_t>(std::lower_bound(starts.begin(), starts.end(), p) - starts.begin());
    };
    // At each position, chunks that begin are placed before those that end are released.
    std::vector<std::tuple<std::int64_t, bool, std::size_t>> events;  // position, whether it ends, chunk
    for (std::size_t c = 0; as_xla_ && c < all_chunks.size(); ++c)
      if (chunks.is_timed(all_chunks[c]))
        for (const position_range& r : chunks.ranges(all_chunks[c]))
          events.emplace_back(r.first, false, c), events.emplace_back(r.last, true, c);
    std::sort(events.begin(), events.end());
    std::vector<std::int64_t> begins(all_chunks.size(), -1), lifetimes(all_chunks.size());
    for (std::size_t e = 0; e < events.size(); ++e) {
      const std::size_t c = std::get<2>(events[e]);
      if (begins[c] < 0) begins[c] = static_cast<std::int64_t>(e);
      lifetimes[c] = static_cast<std::int64_t>(e) - begins[c];
    }
    for (const live_chunk& c : all_chunks) {
      item now{c.offset, c.size, 0, out.times.size(), 0};
      checked_int64 lifetime = 0;
      if (chunks.is_timed(c) && c.range_count > 0) {
        for (const position_range& r : chunks.ranges(c)) {
          out.times.push_back({slot_of(r.first), slot_of(r.last + 1)});
          lifetime += checked_int64(r.last) - r.first + 1;
        }
        if (as_xla_) lifetime = lifetimes[static_cast<std::size_t>(&c - all_chunks.data())];
      } else {  // live throughout, as far as is known
        out.times.push_back({0, out.slot_count});
        lifetime = starts.empty() ? checked_int64(1) : checked_int64(starts.back()) - starts.front() + 1;
        if (as_xla_) lifetime = static_cast<std::int64_t>(events.size());
      }
      now.lifetime = lifetime.clamped();
      now.time_count = out.times.size() - now.first_time;
      out.items.push_back(now);
    }
    return out;
  }

  void pack(const live_chunks& chunks, std::size_t a) {
    repacked_allocation& out = packed_[a].emplace();
    out.size = chunks.dump().allocations()[a].size;
    std::optional<packing> p = packing_of(chunks, a);
    if (!p) return;
    const std::size_t first = static_cast<std::size_t>(chunks.of_allocation(a).data() - chunks.chunks().data());
    const auto keep_if_better = [&](packing_method method) {
      if (p->size() >= out.size) return;
      out = {p->size(), method};
      std::copy(p->offsets.begin(), p->offsets.end(), offsets_.begin() + static_cast<std::ptrdiff_t>(first));
    };

    order by(p->items.size());
    for (std::size_t i = 0; i < by.size(); ++i) by[i] = static_cast<std::uint32_t>(i);
    if (!as_xla_ && fit(*p, by)) keep_if_better(packing_method::settled);  // chunks stand by offset
    for (const auto key : {by_size, by_lifetime}) {
      std::ranges::stable_sort(
          by, [&](std::uint32_t x, std::uint32_t y) { return in_order(key(p->items[y]), key(p->items[x]), x, y); });
      if (fit(*p, by)) keep_if_better(packing_method::best_fit);
    }
  }

  using sort_key = std::pair<std::int64_t, std::int64_t>;
  static sort_key by_size(const item& i) { return {i.size, i.lifetime}; }
  static sort_key by_lifetime(const item& i) { return {i.lifetime, i.size}; }

  bool as_xla_ = false;
  std::map<std::int64_t, byte_count> alignments_;  // by color
  std::vector<std::optional<repacked_allocation>> packed_;
  std::vector<byte_count> offsets_;
};

}  // namespace hlolint
