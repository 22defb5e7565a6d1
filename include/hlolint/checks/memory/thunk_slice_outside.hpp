// MEM012: a thunk that accesses memory outside its allocation.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// buffer_dumps.md 7: compares the slices in the descriptions of thunks with the buffer assignment.
struct thunk_slice_outside {
  static constexpr rule about{
      .id = "MEM012",
      .name = "thunk-slice-outside",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .needs = need::buffers,
      .what =
          "A thunk of a GPU executable reads or writes a slice that is not inside its allocation, or whose "
          "allocation does not exist.",
      .why = "At run time the thunk touches memory that belongs to another value.",
      .advice =
          "Check whether the list of thunks and the buffer assignment come from one compilation; if so, keep "
          "both and report a bug of the compiler.",
      .example = "000: kCopy [source | next=sink] src={index:0, offset:512, size:1024}",
      .source = "XLA: BufferAllocation::Slice; buffer_dumps.md 7"};

  void operator()(const buffer_dump& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/ir/thunk_sequence.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

#include <set>
#include <utility>

namespace hlolint {

HLOLINT_INLINE void thunk_slice_outside::operator()(const buffer_dump& dump, sink_ref emit) const {
  const thunk_sequence* const sequence = dump.thunks();
  if (!sequence) return;
  std::set<std::tuple<std::int64_t, byte_count, byte_count>> reported;
  for (const thunk& t : sequence->thunks)
    for (std::size_t k = t.first_slice; k < t.first_slice + std::size_t{t.slice_count}; ++k) {
      const buffer_slice& slice = sequence->slices[k];
      if (slice.allocation < 0) continue;  // of no allocation
      const bool exists = static_cast<std::size_t>(slice.allocation) < dump.allocations().size();
      const allocation* const in = exists ? &dump.allocations()[static_cast<std::size_t>(slice.allocation)] : nullptr;
      const auto end = checked_add(slice.offset, slice.size);
      if (in && slice.offset >= 0 && end && *end <= in->size) continue;
      if (!reported.emplace(slice.allocation, slice.offset, slice.size).second) continue;
      finding d = finding_at(
          dump.where(slice.text),
          str_cat({t.kind, " works on ", slice.size, " bytes from byte ", slice.offset, " of allocation ",
                   slice.allocation, in ? str_cat({", which has ", in->size, " bytes"}) : ", which does not exist"}));
      d.buffer = buffer_place{slice.allocation, slice.offset, slice.size, {}, {}};
      if (in) d.related.push_back({dump.where(in->text), {}, {}, "the allocation"});
      emit(std::move(d));
    }
}

}  // namespace hlolint
#endif
