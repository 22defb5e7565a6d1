// What if the values of an allocation were packed again: how small it could be, and where each value would lie.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/assignment/best_fit_heap.hpp>
#include <hlolint/analysis/buffers/live_chunks.hpp>
#include <hlolint/analysis/buffers/possible_alias_sets.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

namespace hlolint {

/// How a packing was found.
enum class packing_method : std::uint8_t {
  as_assigned,  ///< the dump's own; nothing better was found
  settled,      ///< in the order in which they stand in the dump, the lowest first
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

/// Packs every temporary allocation again, by XLA's rules: values that are live at the same time do not share bytes,
/// the values of a chunk (live_chunks.hpp; those of one alias set are in one) stay together, and offsets keep the
/// alignment of their memory space. The order of the dump, the largest first and the longest first are tried in XLA's
/// heap (best_fit_heap.hpp); what is found need not be the best there is. O(n log n), and as many steps as pairs live
/// at the same time, as far as affordable.
class repack {
 public:
  /// All methods are tried.
  explicit repack(const buffer_dump& dump) : repack(movable_chunks(dump)) {}
  /// As a context makes it.
  template <analysis_cache Cache>
  explicit repack(const Cache& made) : repack(movable_chunks(made.template share<value_table>())) {}
  /// From chunks that are known already.
  explicit repack(const live_chunks& chunks) : repack(chunks, false) {}
  /// `as_xla`: only what XLA's two heaps find, which may be larger than the dump's own order, if that is settled.
  repack(const live_chunks& chunks, bool as_xla) : as_xla_(as_xla) {
    const record_list<allocation>& allocations = chunks.dump().allocations();
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
  /// Of each chunk, by its position in `chunks()`.
  const record_list<byte_count>& offsets() const { return offsets_; }
  /// The largest power of two that divides all offsets of temporary values in that memory space; 1 if all are 0.
  byte_count alignment(std::int64_t color) const {
    const auto found = alignments_.find(color);
    return found == alignments_.end() ? 1 : found->second;
  }

 private:
  // A chunk for which a place is sought. Times are slots: the numbers of positions at which anything starts.
  struct item {
    byte_count offset = 0, size = 0;
    std::int64_t lifetime = 0;  // positions; as XLA's heap counts: places taken and given back meanwhile
    std::size_t first_time = 0, time_count = 0;
  };
  // One allocation while it is packed.
  struct packing {
    record_list<item> items;
    record_list<slot_range> times;
    std::size_t slot_count = 0;
    byte_count alignment = 1;
    record_list<byte_count> offsets;  // of the items

    std::span<const slot_range> times_of(const item& i) const {
      return std::span(times).subspan(i.first_time, i.time_count);
    }
    byte_count size() const {
      byte_count out = 0;
      for (std::size_t i = 0; i < items.size(); ++i) out = std::max(out, offsets[i] + items[i].size);
      return out;
    }
  };
  using order = record_list<std::uint32_t>;  // positions in `items`

  // Each chunk as XLA's heap does. False if too many live at the same time.
  static bool fit(packing& p, const order& by) {
    best_fit_heap heap(p.slot_count, p.alignment);
    const std::size_t affordable = 200'000'000 + 50 * p.items.size();
    for (const std::uint32_t i : by) {
      const best_fit_heap::place_found at = heap.place(p.times_of(p.items[i]), p.items[i].size);
      if (!at || heap.steps() > affordable) return false;
      p.offsets[i] = *at;
    }
    return true;
  }

  // Nothing if the sizes are so large that sums might not fit.
  optional<packing> packing_of(const live_chunks& chunks, std::size_t a) const {
    const std::span<const live_chunk> all_chunks = chunks.of_allocation(a);
    packing out;
    out.alignment = alignment(chunks.dump().allocations()[a].color);
    record_list<std::int64_t> starts;
    optional<byte_count> sum = 0;
    for (const live_chunk& c : all_chunks) {
      for (const position_range& r : chunks.ranges(c)) starts.push_back(r.first);
      const auto room = checked_add(c.size, out.alignment);
      sum = sum && room ? checked_add(*sum, *room) : std::nullopt;
      out.offsets.push_back(c.offset);
    }
    if (!sum) return std::nullopt;
    // Two chunks live together somewhere only if they do so where one of them starts.
    std::sort(starts.begin(), starts.end());
    starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
    out.slot_count = std::max<std::size_t>(starts.size(), 1);
    const auto slot_of = [&](std::int64_t p) {
      return static_cast<std::size_t>(std::lower_bound(starts.begin(), starts.end(), p) - starts.begin());
    };
    // At each position what begins is placed before what ends gives its place back.
    record_list<std::tuple<std::int64_t, bool, std::size_t>> events;  // position, whether it ends, chunk
    for (std::size_t c = 0; as_xla_ && c < all_chunks.size(); ++c)
      if (chunks.is_timed(all_chunks[c]))
        for (const position_range& r : chunks.ranges(all_chunks[c]))
          events.emplace_back(r.first, false, c), events.emplace_back(r.last, true, c);
    std::sort(events.begin(), events.end());
    record_list<std::int64_t> begins(all_chunks.size(), -1), lifetimes(all_chunks.size());
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
      } else {  // it is not known when, so always
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
    optional<packing> p = packing_of(chunks, a);
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
      std::sort(by.begin(), by.end(), [&](std::uint32_t x, std::uint32_t y) {
        return std::tuple(key(p->items[y]), x) < std::tuple(key(p->items[x]), y);
      });
      if (fit(*p, by)) keep_if_better(packing_method::best_fit);
    }
  }

  using sort_key = std::pair<std::int64_t, std::int64_t>;
  static sort_key by_size(const item& i) { return {i.size, i.lifetime}; }
  static sort_key by_lifetime(const item& i) { return {i.lifetime, i.size}; }

  bool as_xla_ = false;
  std::map<std::int64_t, byte_count> alignments_;  // by colour
  record_list<optional<repacked_allocation>> packed_;
  record_list<byte_count> offsets_;
};

}  // namespace hlolint
