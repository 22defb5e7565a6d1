// DMP002: totals and values of a buffer dump that differ from those of its allocations.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// buffer_dumps.md 2 and 6: every printed total is the plain sum of allocation sizes, and the used values are the
/// values of the allocations.
struct totals_disagree {
  static constexpr rule about{
      .id = "DMP002",
      .name = "totals-disagree",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .needs = need::buffers,
      .what =
          "The sizes of all allocations do not add up to the total that the dump or its memory usage report "
          "prints, or its used values are not the values of the allocations.",
      .why =
          "An allocation or a value is missing, or the files come from different compilations: every other number is "
          "in "
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
#include <hlolint/analysis/buffers/value_table.hpp>
#include <hlolint/checks/dump/tally.hpp>
#include <hlolint/ir/memory_report.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>

namespace hlolint {

namespace dmp002 {

// XLA lists the same values under their allocations and as used ones.
inline void compare_values(const context& dump, sink_ref emit) {
  const buffer_dump& buffers = *dump.buffers();
  // A file of them may end before the first.
  const bool has_file = std::any_of(dump.files().begin(), dump.files().end(),
                                    [](const seen_file& file) { return file.kind == input_kind::buffer_values; });
  if (!buffers.has_assignment() || !(buffers.has_used_values() || has_file)) return;
  const auto& table = dump.get<value_table>();
  detail::tally unused, homeless;
  std::unordered_set<std::int64_t> assigned;
  for (std::size_t i = 0; i < buffers.values().size(); ++i) {
    const assigned_value& value = buffers.values()[i];
    unused.add(!table.used(i), value.name.instruction, value.text);
    assigned.insert(value.name.id);
  }
  for (const used_value& value : buffers.used_values())
    homeless.add(!assigned.contains(value.name.id), value.name.instruction, value.name.instruction);
  const auto add = [&](const detail::tally& t, std::string_view what) {
    if (std::optional<finding> d = t.finding_about(buffers, what)) {
      detail::add_maker(dump, t.instruction, *d);
      emit(std::move(*d));
    }
  };
  add(unused, "values of the allocations are missing among the used values");
  add(homeless, "used values are missing in the allocations");
}

}  // namespace dmp002

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
  dmp002::compare_values(dump, emit);
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
