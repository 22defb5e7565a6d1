// BUD003: one value that takes a large part of all memory.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// One finding per chunk, since values in the same bytes share their cost.
struct dominant_value {
  static constexpr rule about{
      .id = "BUD003",
      .name = "dominant-value",
      .level = severity::note,
      .costs = cost_kind::nothing,  // a size, of which nothing may be to save
      .needs = need::memory,
      .what = "One value takes 30% or more of all memory of the program.",
      .why = "No other saving of memory matters as much as this one array.",
      .advice =
          "Ask whether the whole array has to be in memory at once: shard it, keep it in a narrower type, "
          "compute it in pieces, or donate it.",
      .example = "allocation 6 of 2.69GiB, and a value of 940MiB in it",
      .source = "XLA: docs/errors/error_1000.md, scenario 2"};

  double min_share = 0.3;
  byte_count min_bytes = 64_MiB;
  static constexpr auto options =
      std::tuple{option{"min-share", &dominant_value::min_share,
                        "values with a smaller share of all allocations are not reported"},
                 option{"min-bytes", &dominant_value::min_bytes, "smaller values are not reported"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/checks/value_finding.hpp>
#include <hlolint/text/number_text.hpp>

#include <set>

namespace hlolint {

HLOLINT_INLINE void dominant_value::operator()(const context& dump, sink_ref emit) const {
  const buffer_dump& buffers = *dump.buffers();
  checked_int64 sum = 0;
  for (const allocation& a : buffers.allocations()) sum += a.size;
  const byte_count total = sum.clamped();
  std::set<std::pair<std::int64_t, byte_count>> seen;
  for (const assigned_value& value : buffers.values()) {
    const double share = share_of(value.size, total);
    if (value.size < min_bytes || share < min_share || !seen.emplace(value.allocation, value.offset).second) continue;
    finding d = detail::value_finding(dump, value, nullptr,
                                      str_cat({to_string(value.name), " (", to_string(buffers.shape(value)), ") takes ",
                                               human(value.size), ", ", share_text(share, 1), " of all memory"}),
                                      {.bytes = value.size});
    const allocation& in = buffers.allocation_of(value);
    if (!in.parameter || in.maybe_live_out)
      d.advice =
          "Ask whether the whole array has to be in memory at once: shard it, keep it in a narrower type, or "
          "compute it in pieces.";
    emit(std::move(d));
  }
}

}  // namespace hlolint
#endif
