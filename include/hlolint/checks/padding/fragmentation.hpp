// PAD005: temporary memory that is larger than its values need at any time.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// buffer_dumps.md 9: the slack of a temporary allocation. The lower bound cannot always be reached, so only the bytes
/// that an actual packing saves are reported.
struct fragmentation {
  static constexpr rule about{
      .id = "PAD005",
      .name = "fragmentation",
      .needs = need::memory | need::live_ranges,
      .what =
          "A temporary allocation is much larger than necessary: the same values with the same live ranges fit "
          "into less memory.",
      .why =
          "The heap packs values of different sizes and lifetimes as well as it can; the rest is allocated and "
          "never used.",
      .advice =
          "A few very large values that begin and end at different positions pack worst: see which of them "
          "live around the peak, and let them end earlier (rematerialize, split, or reorder), or make them "
          "equal in size.",
      .example = "allocation 6 has 8.00GiB, at most 6.10GiB are in use at one time, and 6.20GiB would do",
      .source = "XLA: heap_simulator.cc, \"total fragmentation\"; tensorflow #43850"};

  byte_count min_bytes = 64_MiB;
  double min_share = 0.1;
  static constexpr auto options = std::tuple{
      option{"min-bytes", &fragmentation::min_bytes, "smaller losses are not reported"},
      option{"min-share", &fragmentation::min_share, "losses of a smaller share of the allocation are not reported"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/buffers/repack.hpp>
#include <hlolint/checks/value_finding.hpp>

namespace hlolint {

HLOLINT_INLINE void fragmentation::operator()(const context& dump, sink_ref emit) const {
  const auto is_much = [&](byte_count lost, byte_count of) {
    return lost >= min_bytes && static_cast<double>(lost) >= min_share * static_cast<double>(of);
  };
  const buffer_dump& buffers = *dump.buffers();
  const auto& packing = dump.get<packing_bound>();
  for (std::size_t a = 0; a < buffers.allocations().size(); ++a) {
    const allocation& in = buffers.allocations()[a];
    const packed_allocation* const packed = packing.of_allocation(a);
    if (!packed || !in.preallocated_temp || !is_much(packed->slack(), in.size)) continue;
    const repacked_allocation* const again = dump.get<repack>().of_allocation(a);
    if (!again || !is_much((checked_int64(in.size) - again->size).clamped(), in.size)) continue;
    emit(detail::allocation_finding(
        buffers, in,
        str_cat({detail::allocation_text(in), " has ", human(in.size), ", but at most ", human(packed->bound),
                 " are in use at one time (position ", packed->position,
                 "), and the same values in another order need ", human(again->size), ": ",
                 human((checked_int64(in.size) - again->size).clamped()), " are lost, ", human(packed->gaps()),
                 " are never used by any value"}),
        {.bytes = (checked_int64(in.size) - again->size).clamped()}));
  }
}

}  // namespace hlolint
#endif
