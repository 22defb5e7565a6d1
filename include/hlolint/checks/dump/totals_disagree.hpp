// DMP002: totals of a buffer dump that differ from the sum of its allocations.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// buffer_dumps.md 2 and 6: every printed total is the plain sum of allocation sizes.
struct totals_disagree {
  static constexpr rule about{
      .id = "DMP002",
      .name = "totals-disagree",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .needs = need::buffers,
      .what =
          "The sizes of all allocations do not add up to the total that the dump or its memory usage report "
          "prints.",
      .why =
          "An allocation is missing, or the files come from different compilations: every other number is in "
          "doubt.",
      .advice = "Check whether the dump was cut off, edited, or lies beside files of another compilation.",
      .example =
          "allocation 0: size 1024, preallocated-temp:\n"
          "...\n"
          "Total bytes used: 4096 (4.0KiB)",
      .source = "XLA: BufferAssignment::ToString, MemoryUsageReport"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/checks/value_finding.hpp>
#include <hlolint/ir/memory_report.hpp>

#include <map>
#include <utility>

namespace hlolint {

HLOLINT_INLINE void totals_disagree::operator()(const context& dump, sink_ref emit) const {
  if (dump.is_read_in_part()) return;  // an allocation may be missing for that reason
  const buffer_dump& buffers = *dump.buffers();
  checked_int64 sum = 0;
  std::map<std::int64_t, checked_int64> of_color;
  for (const allocation& a : buffers.allocations()) {
    sum += a.size, of_color[a.color] += a.size;
    if (sum.is_exact()) continue;
    return emit(finding_at(buffers.where(a.text),  // where the sum overflows
                           "the sizes of all allocations add up to more than 2^63 bytes"));
  }
  const auto compare = [&](byte_count printed, byte_count found, const std::string& what, location where) {
    if (printed == found) return;
    emit(finding_at(
        std::move(where), str_cat({what, " is ", printed, " bytes, but the allocations add up to ", found}),
        {.bytes = (printed > found ? checked_int64(printed) - found : checked_int64(found) - printed).clamped()}));
  };
  const auto total = buffers.total_bytes_used();
  if (total) compare(*total, sum.clamped(), "the printed total", buffers.where(buffers.total_text()));
  const memory_report* const table = buffers.memory_report();
  if (!table) return;
  if (table->total && (!total || *total != *table->total))
    compare(*table->total, sum.clamped(), "the total of the memory usage report",
            table->allocations.empty() ? location{} : buffers.where(table->allocations.front().header.text));
  for (const report_memory_space& space : table->spaces) {
    const auto found = of_color.find(space.color);
    compare(space.total, found == of_color.end() ? 0 : found->second.clamped(),
            "the total of memory space " + std::string(space.name) + " in the memory usage report",
            buffers.where(space.text));
  }
}

}  // namespace hlolint
#endif
