// MEM001: two values in the same bytes at the same time.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// The clash of buffer_dumps.md 5.4.
struct overlapping_live_buffers {
  static constexpr rule about{
      .id = "MEM001",
      .name = "overlapping-live-buffers",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .needs = need::buffers | need::printed_ranges,
      .what = "Two values of one allocation share bytes, and one starts before the other ends.",
      .why =
          "The later value overwrites the earlier one while that is still read: the program computes wrong "
          "numbers.",
      .advice =
          "This is a bug of the compiler, or of the tool that wrote this buffer assignment: keep the dump and "
          "report it. Until it is fixed, a change of the schedule or of the fusions around the two values may "
          "hide it.",
      .example =
          "allocation 3: size 1024, preallocated-temp:\n"
          " value: <4 add.1 @0> (size=1024,offset=0): f32[256]{0}\n"
          " value: <5 multiply.1 @0> (size=1024,offset=0): f32[256]{0}\n"
          "...\n"
          "    add.1{}:2-6\n"
          "    multiply.1{}:4-8",
      .source = "XLA: BufferAssigner::LiveRangeInterferes; openxla/xla #46543"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/checks/memory/conflict_finding.hpp>

#include <optional>
#include <utility>

namespace hlolint {

HLOLINT_INLINE void overlapping_live_buffers::operator()(const context& dump, sink_ref emit) const {
  const auto& facts = dump.get<buffer_conflicts>();
  detail::reader_doubts doubts(dump, facts);
  for (const buffer_conflict& found : facts) {
    if (found.kind != overlap_class::clash) continue;
    const std::string_view doubt = detail::doubt_about(dump, facts, found, doubts);
    std::string message =
        str_cat({detail::value_text(facts, found.second), " overlaps ", detail::value_text(facts, found.first), ": ",
                 human(found.bytes), " in common, both live from ",
                 detail::schedule_text(facts.table().dump(), found.position), " on"});
    std::optional<severity> level;
    if (found.only_renamed) {
      message += "; the earlier value is not read after that, only renamed";
      level = severity::note;
    } else if (!doubt.empty()) {
      append_to(message, {"; not certain, as ", doubt});
      level = detail::level_of_doubt(dump, facts.table().used(found.first), doubt);
    }
    emit(detail::conflict_finding(dump, facts.table(), found, std::move(message), level));
  }
  for (const std::size_t cut : facts.cut_short()) {
    const allocation& in = facts.table().dump().allocations()[cut];
    emit(finding_at(facts.table().dump().where(in.text),
                    str_cat({"allocation ", in.number, ": too many values overlap to compare all pairs"})));
  }
}

}  // namespace hlolint
#endif
