// BUD006: an allocation so large that the device may not have it free in one piece.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// XLA allocates temporary memory as one block per memory space.
struct giant_single_allocation {
  static constexpr rule about{
      .id = "BUD006",
      .name = "giant-single-allocation",
      .level = severity::note,
      .costs = cost_kind::nothing,  // a size, of which nothing may be to save
      .needs = need::memory,
      .what = "A single temporary allocation is larger than 8 GiB, or than half of the given capacity.",
      .why =
          "Free memory in pieces does not help: after other programs have run, the allocation fails although the "
          "pieces add up to enough.",
      .advice =
          "Reserve the device's memory up front (XLA_PYTHON_CLIENT_PREALLOCATE), run this program first, or "
          "let XLA split the block (--xla_multiheap_size_constraint_per_heap).",
      .example = "allocation 6: size 12884901888, preallocated-temp:",
      .source = "tensorflow #43850"};

  byte_count min_bytes = 8_GiB;
  byte_count capacity = 0;
  static constexpr auto options = std::tuple{
      option{"min-bytes", &giant_single_allocation::min_bytes, "smaller allocations are fine if no capacity is given"},
      option{"capacity", &giant_single_allocation::capacity, "bytes of the device; 0: not known"}};

  void operator()(const buffer_dump& buffers, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/checks/budget/largest_values.hpp>
#include <hlolint/text/str_cat.hpp>

namespace hlolint {

HLOLINT_INLINE void giant_single_allocation::operator()(const buffer_dump& buffers, sink_ref emit) const {
  const byte_count limit = capacity > 0 ? capacity / 2 : min_bytes;
  for (const allocation& a : buffers.allocations()) {
    if (!a.preallocated_temp || a.size <= limit) continue;
    finding d = detail::allocation_finding(
        buffers, a, str_cat({detail::allocation_text(a), " needs ", human(a.size), " in one piece"}),
        {.bytes = a.size});
    detail::add_largest_values(buffers, a, d);
    emit(std::move(d));
  }
}

}  // namespace hlolint
#endif
