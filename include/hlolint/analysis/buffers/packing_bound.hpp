// How small an allocation could be at best, and where the rest of it goes (buffer_dumps.md 9).
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hlolint {

/// Bytes of one allocation.
struct packed_allocation {
  byte_count size = 0;  ///< of the allocation
  byte_count covered = 0;  ///< that any value ever takes
  byte_count bound = 0;    ///< most in use at one position: no packing of these values and live ranges is smaller
  std::int64_t position = 0;  ///< the first at which that many are in use

  /// What a perfect packing would save. Consists of gaps and packing loss.
  byte_count slack() const { return (checked_int64(size) - bound).clamped(); }
  /// Never taken by any value: alignment, mostly.
  byte_count gaps() const { return (checked_int64(size) - covered).clamped(); }
  /// Taken at some time, but never together.
  byte_count packing_loss() const { return (checked_int64(covered) - bound).clamped(); }
};

/// For each allocation whose values have live ranges, or that has no bytes. Of the others, values without a live range
/// count as covered, not as in use.
class packing_bound {
 public:
  /// O(n log n).
  explicit packing_bound(const buffer_dump& dump) : packing_bound(live_chunks(dump)) {}
  /// As a context makes it.
  template <analysis_cache Cache>
  explicit packing_bound(const Cache& made)
      : packing_bound(made.template get<live_chunks>(), made.template get<occupancy>()) {}
  /// From chunks that are known already.
  explicit packing_bound(const live_chunks& chunks) : packing_bound(chunks, occupancy(chunks)) {}
  /// From chunks and their occupancy.
  packing_bound(const live_chunks& chunks, const occupancy& in_use) {
    const record_list<allocation>& allocations = chunks.dump().allocations();
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
  record_list<optional<packed_allocation>> packed_;
};

}  // namespace hlolint
