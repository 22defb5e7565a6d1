// MEM004: a value that lies outside of its allocation.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// buffer_dumps.md 4: XLA asserts this when it places a value.
struct value_exceeds_allocation {
  static constexpr rule about{
      .id = "MEM004",
      .name = "value-exceeds-allocation",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .needs = need::buffers,
      .what = "A value begins before its allocation or ends after it.",
      .why = "Writing the value overwrites memory that belongs to other buffers.",
      .advice =
          "XLA asserts that this does not happen: check whether the dump was edited or assembled from two "
          "compilations; if not, keep it and report a bug of the compiler.",
      .example =
          "allocation 3: size 1024, preallocated-temp:\n"
          " value: <4 add.1 @0> (size=1024,offset=512): f32[256]{0}",
      .source = "XLA: BufferAllocation::AddAssignment"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/checks/value_finding.hpp>

namespace hlolint {

HLOLINT_INLINE void value_exceeds_allocation::operator()(const context& dump, sink_ref emit) const {
  const buffer_dump& buffers = *dump.buffers();
  for (const assigned_value& value : buffers.values()) {
    const allocation& in = buffers.allocation_of(value);
    const auto end = checked_add(value.offset, value.size);
    if (value.offset >= 0 && value.size >= 0 && end && *end <= in.size) continue;
    finding d =
        detail::value_finding(dump, value, nullptr,
                              str_cat({to_string(value.name), " takes ", value.size, " bytes from byte ", value.offset,
                                       " of ", detail::allocation_text(in), ", which has ", in.size, " bytes"}),
                              {.related = {{buffers.where(in.text), {}, {}, "the allocation"}}});
    if (end && *end > in.size) d.bytes = (checked_int64(*end) - in.size).clamped();
    emit(std::move(d));
  }
}

}  // namespace hlolint
#endif
