// The peak that XLA prints below its live ranges (buffer_dumps.md 4, "Peak"). It counts bytes without padding, and each
// tuple element with the size of the whole tuple's table, so it is not the memory that is needed.
#pragma once

#include <hlolint/analysis/schedule/live_ranges.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/text/bytes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint {

/// The contents of a line of the list.
enum class peak_form : std::uint8_t {
  instruction,      ///< A, until 2025-04-13: the instruction, with the size of its whole result
  value,            ///< B, until 2025-05-15: the value, with its own size
  cumulative_value  ///< C: as B, biggest first, with running sums
};

/// A value live at the peak.
struct peak_entry {
  std::size_t value = 0;      ///< position in `flow().values()`
  byte_count bytes = 0;       ///< of the value, as XLA's size function has them
  byte_count cumulative = 0;  ///< sum up to here
};

/// The peak, computed again. Unknown if a live value's instruction has no size (unbounded dynamic dimensions).
class printed_peak {
 public:
  /// `form`: of the list, by the date of the XLA. `left_out`: values that do not count, by position; may be empty.
  explicit printed_peak(const live_ranges& ranges, peak_form form = peak_form::cumulative_value,
                        std::set<std::size_t> left_out = {})
      : left_out_(std::move(left_out)) {
    const dataflow& flow = ranges.flow();
    std::vector<byte_count> starts(static_cast<std::size_t>(ranges.schedule().size()) + 2), ends = starts;
    for (std::size_t v = 0; v < flow.values().size(); ++v) {
      if (!ranges.of(v) || left_out_.contains(v)) continue;
      const auto bytes = size_of({flow.values()[v].defined.instruction, 0}, flow);
      if (!bytes || !add(starts[static_cast<std::size_t>(ranges.of(v)->start)], *bytes) ||
          !add(ends[static_cast<std::size_t>(ranges.of(v)->end) + 1], *bytes))
        return;
    }
    // At one position, starts are counted before ends are subtracted.
    byte_count now = 0, highest = 0;
    std::int64_t at = 0;
    for (std::size_t t = 0; t < starts.size(); ++t) {
      if (!add(now, starts[t])) return;
      if (now > highest) highest = now, at = static_cast<std::int64_t>(t);
      now -= ends[t];
    }
    list(ranges, at, form);
  }

  /// The first schedule position with the highest sum; nothing if it is unknown.
  const std::optional<std::int64_t>& position() const { return position_; }
  /// The values that live there, in XLA's order.
  const std::vector<peak_entry>& entries() const { return entries_; }

 private:
  static std::optional<byte_count> size_of(hlo_position p, const dataflow& flow) {
    const shape* const s = flow.shape_of(p);
    return s ? byte_size(*s, size_rule::plain) : std::nullopt;
  }
  static bool add(byte_count& to, byte_count bytes) {
    const auto sum = checked_add(to, bytes);
    if (sum) to = *sum;
    return sum.has_value();
  }

  void list(const live_ranges& ranges, std::int64_t at, peak_form form) {
    const dataflow& flow = ranges.flow();
    for (std::size_t v = 0; v < flow.values().size(); ++v) {
      if (!ranges.of(v) || ranges.of(v)->start > at || ranges.of(v)->end < at || left_out_.contains(v)) continue;
      hlo_position counted = flow.values()[v].defined;
      if (form == peak_form::instruction) counted.part = 0;
      const auto bytes = size_of(counted, flow);
      if (!bytes) return entries_.clear();
      entries_.push_back({v, *bytes, 0});
    }
    position_ = at;
    if (form == peak_form::cumulative_value) {
      const instruction_names names(flow.module());
      const auto key = [&](const peak_entry& e) {
        const hlo_value& v = flow.values()[e.value];
        return std::tuple(-e.bytes, names.of(flow.instruction(v)), v.defined.part);
      };
      std::ranges::stable_sort(entries_, {}, key);
    }
    byte_count sum = 0;
    for (peak_entry& e : entries_)
      if (add(sum, e.bytes)) e.cumulative = sum;
  }

  std::set<std::size_t> left_out_;
  std::optional<std::int64_t> position_;
  std::vector<peak_entry> entries_;
};

}  // namespace hlolint
