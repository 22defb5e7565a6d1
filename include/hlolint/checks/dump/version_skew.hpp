// DMP009: files of one module that different versions of XLA wrote.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// buffer_dumps.md 1, "Period of a dump": the form of a file tells when it was written.
struct version_skew {
  static constexpr rule about{
      .id = "DMP009",
      .name = "version-skew",
      .level = severity::note,
      .costs = cost_kind::nothing,
      .what = "The formats of a module's files show that versions of XLA months apart wrote them.",
      .why = "Such files come from different compilations: a module number means nothing across runs.",
      .advice = "Empty the folder that --xla_dump_to names before every run.",
      .example =
          "a memory usage report by memory space (since March 2026) beside a buffer assignment with live "
          "ranges and used values in one file (until April 2026) and no index in its peak list (until April "
          "2025)",
      .source = "XLA: dump.cc and buffer_assignment.cc, history"};

  void operator()(const buffer_dump& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/ir/memory_report.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

#include <utility>
#include <vector>

namespace hlolint {

HLOLINT_INLINE void version_skew::operator()(const buffer_dump& dump, sink_ref emit) const {
  struct period {
    source text;
    std::int32_t earliest = 0, latest = 0;  // year, month, day
  };
  const auto day_text = [](std::int32_t day) {
    const auto two = [](std::int32_t n) { return (n < 10 ? "0" : "") + std::to_string(n); };
    return str_cat({day / 10000, "-", two(day / 100 % 100), "-", two(day % 100)});
  };
  std::vector<period> files;
  for (const source& text : dump.texts()) files.push_back({text, 0, 99999999});
  const auto in = [&](std::string_view part) -> period* {
    for (period& p : files)
      if (p.text.contains(part)) return &p;
    return nullptr;
  };
  const auto since = [](period* p, std::int32_t day) {
    if (p && p->earliest < day) p->earliest = day;
  };
  const auto until = [](period* p, std::int32_t day) {
    if (p && p->latest > day) p->latest = day;
  };

  const bool has_allocations = !dump.allocations().empty();
  period* const assignment = has_allocations ? in(dump.allocations().front().text) : nullptr;
  if (has_allocations && dump.allocations().front().page) since(assignment, 20260810);
  const live_range_block* const block = dump.live_ranges();
  period* const ranges = block ? in(block->text) : nullptr;
  if (ranges && assignment) ranges == assignment ? until(ranges, 20260402) : since(ranges, 20260403);
  if (block && !block->peak.empty()) {
    const peak_value& first = block->peak.front();
    if (!first.index) until(ranges, 20250413);
    if (first.index && !first.cumulative) since(ranges, 20250414), until(ranges, 20250515);
    if (first.cumulative) since(ranges, 20250516);
  }
  if (block && block->breakdown_bytes) since(ranges, 20250723);
  if (const memory_report* const table = dump.memory_report()) {
    if (!table->spaces.empty()) since(in(table->spaces.front().text), 20260310);
    if (!table->rows.empty() && table->total)
      since(in(table->rows.front().text), 20241004), until(in(table->rows.front().text), 20260309);
  }

  for (std::size_t b = 1; b < files.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) {
      const bool a_first = files[a].latest < files[b].earliest;
      if (!a_first && files[b].latest >= files[a].earliest) continue;
      const period &older = a_first ? files[a] : files[b], &newer = a_first ? files[b] : files[a];
      finding found = finding_at(
          {newer.text, {}}, str_cat({"an XLA of ", day_text(newer.earliest), " or later wrote this file, but one of ",
                                     day_text(older.latest), " or earlier wrote another one of the module"}));
      related_place& other = found.related.emplace_back();
      other.where = {older.text, {}}, other.message = "the older file";
      return emit(std::move(found));
    }
}

}  // namespace hlolint
#endif
