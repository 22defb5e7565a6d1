// MEM006: a value that does not begin at a multiple of the backend's alignment.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// buffer_dumps.md 4. TPU is not checked, since its compiler's alignments are not public.
struct misaligned_offset {
  static constexpr rule about{
      .id = "MEM006",
      .name = "misaligned-offset",
      .costs = cost_kind::nothing,
      .needs = need::buffers | need::target,
      .what =
          "A value in temporary memory begins at an offset that is not a multiple of the backend's alignment: 16 "
          "bytes on CPU, 256 on GPU (128 in dumps from before June 2025).",
      .why = "Kernels are compiled for aligned buffers: vector loads from a misaligned address are slow, or fault.",
      .advice =
          "XLA rounds every offset up: check whether the dump was edited; if not, keep it and report a bug of "
          "the compiler.",
      .example =
          "allocation 3: size 1032, preallocated-temp:\n"
          " value: <4 add.1 @0> (size=1024,offset=8): f32[256]{0}",
      .source = "XLA: backends/cpu/alignment.h; service/gpu/gpu_constants.h"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/checks/value_finding.hpp>

namespace hlolint {

HLOLINT_INLINE void misaligned_offset::operator()(const context& dump, sink_ref emit) const {
  const buffer_dump& buffers = *dump.buffers();
  // On GPU 256 since June 2025. Dumps with pages (since August 2026) or a breakdown (since July 2025) are newer.
  const live_range_block* const block = buffers.live_ranges();
  const bool has_pages = !buffers.allocations().empty() && buffers.allocations().front().page;
  const std::int64_t alignment = dump.target() == target::cpu                     ? 16  // the smallest of all builds
                                 : dump.target() != target::gpu                   ? 1
                                 : has_pages || (block && block->breakdown_bytes) ? 256
                                                                                  : 128;
  for (const assigned_value& value : buffers.values()) {
    const allocation& in = buffers.allocation_of(value);
    if (!in.preallocated_temp || value.size == 0 || value.offset % alignment == 0) continue;
    emit(detail::value_finding(
        dump, value, nullptr,
        str_cat({to_string(value.name), " begins at byte ", value.offset, " of ", detail::allocation_text(in),
                 ", which is no multiple of ", alignment, " (", name_of(dump.target()), ")"})));
  }
}

}  // namespace hlolint
#endif
