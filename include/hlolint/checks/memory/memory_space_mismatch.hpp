// MEM008: a value of one memory space in an allocation of another one.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// buffer_dumps.md 4 (d). Values that the allocation lists under `reused by buffers of a different color` are there on
/// purpose.
struct memory_space_mismatch {
  static constexpr rule about{
      .id = "MEM008",
      .name = "memory-space-mismatch",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .needs = need::buffers,
      .what =
          "A value lies in an allocation of another memory space (color) than its own. An error for the "
          "program's parameters and results, a warning for temporary memory.",
      .why =
          "The code addresses another memory than the one that the value was given: on TPU vmem instead of HBM, "
          "on GPU memory that a collective may not use.",
      .advice =
          "Keep the dump and report it. If the value is donated, check whether argument and result ask for "
          "different memory kinds.",
      .example =
          "allocation 0: size 1024, parameter 0, shape |f32[256]| at ShapeIndex {}, maybe-live-out:\n"
          " value: <0 p.0 @0> (size=1024,offset=0): f32[256]{0}\n"
          " value: <4 add.1 @1> (size=1024,offset=0): f32[256]{0:S(1)}",
      .source = "XLA: BufferAllocation::AddAssignment; openxla/xla #29270 and #44279"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/checks/value_finding.hpp>

#include <unordered_set>

namespace hlolint {

HLOLINT_INLINE void memory_space_mismatch::operator()(const context& dump, sink_ref emit) const {
  const buffer_dump& buffers = *dump.buffers();
  std::unordered_set<std::string_view> listed;
  for (const allocation& in : buffers.allocations()) {
    listed.clear();
    for (const recolored_value& value : buffers.recolored(in)) listed.insert(value.name.instruction);
    for (const assigned_value& value : buffers.values(in)) {
      if (!value.name.color || *value.name.color == in.color || listed.count(value.name.instruction)) continue;
      const bool is_passed = in.parameter || in.maybe_live_out;
      emit(detail::value_finding(dump, value, nullptr,
                                 str_cat({to_string(value.name), " is of color ", *value.name.color,
                                          " but lies in allocation ", in.number, " of color ", in.color}),
                                 {.level = is_passed ? about.level : severity::warning,
                                  .bytes = value.size,
                                  .related = {{buffers.where(in.text), {}, {}, "the allocation"}}}));
    }
  }
}

}  // namespace hlolint
#endif
