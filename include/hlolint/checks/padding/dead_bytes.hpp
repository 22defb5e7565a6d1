// PAD006: bytes of an allocation that no value ever occupies.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// buffer_dumps.md 9, "bytes no value ever covers": the gaps between values and after the last one, with their places.
struct dead_bytes {
  static constexpr rule about{
      .id = "PAD006",
      .name = "dead-bytes",
      .level = severity::note,
      .needs = need::memory,
      .what = "An allocation has bytes that no value ever occupies.",
      .why =
          "They are reserved for the whole run and hold nothing. Gaps smaller than the alignment are normal; "
          "larger ones come from tools that place values by hand, or from values that were removed after "
          "placement.",
      .advice = "If the gaps are large, keep the dump and report it: the compiler's heap leaves no such gaps.",
      .example =
          "allocation 3: size 33554432, preallocated-temp:\n"
          " value: <4 add.1 @0> (size=1024,offset=0): f32[256]{0}\n"
          " value: <5 add.2 @0> (size=1024,offset=33553408): f32[256]{0}",
      .source = "XLA: heap_simulator.cc"};

  byte_count min_bytes = 1_MiB;
  static constexpr auto options =
      std::tuple{option{"min-bytes", &dead_bytes::min_bytes, "allocations with fewer bytes in gaps are not reported"}};

  void operator()(const buffer_dump& buffers, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/buffers/live_chunks.hpp>
#include <hlolint/checks/value_finding.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace hlolint {

HLOLINT_INLINE void dead_bytes::operator()(const buffer_dump& buffers, sink_ref emit) const {
  constexpr std::size_t most_named = 3;
  const live_chunks chunks(buffers);
  for (std::size_t a = 0; a < buffers.allocations().size(); ++a) {
    const allocation& in = buffers.allocations()[a];
    std::vector<std::pair<byte_count, byte_count>> gaps;  // begin, end
    byte_count reached = 0, dead = 0;
    const auto up_to = [&](byte_count begin) {
      if (begin > reached) gaps.emplace_back(reached, begin), dead += begin - reached;
    };
    for (const live_chunk& c : chunks.of_allocation(a)) up_to(c.offset), reached = std::max(reached, c.end());
    up_to(in.size);
    if (dead < min_bytes) continue;
    std::stable_sort(gaps.begin(), gaps.end(),
                     [](const auto& x, const auto& y) { return x.second - x.first > y.second - y.first; });
    std::string message =
        str_cat({detail::allocation_text(in), ": no value ever takes ", human(dead), " of ", human(in.size), ", in ",
                 gaps.size(), gaps.size() == 1 ? " gap" : " gaps; the largest are", " bytes"});
    for (std::size_t i = 0; i < std::min(gaps.size(), most_named); ++i)
      append_to(message, {i ? ", " : " ", gaps[i].first, " to ", gaps[i].second});
    emit(detail::allocation_finding(buffers, in, std::move(message), {.bytes = dead}));
  }
}

}  // namespace hlolint
#endif
