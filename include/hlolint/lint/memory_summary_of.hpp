// What a module takes, from its dumps.
#pragma once

#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/lint/memory_summary.hpp>

#include <string>

namespace hlolint {

/// The numbers that a baseline keeps and a comparison begins with (buffer_dumps.md 9). For those of an estimate give
/// `with_memory(dump)`.
inline memory_summary memory_summary_of(const context& dump) {
  memory_summary out;
  out.module = std::string(module_without_number(dump.name()));
  if (!dump.buffers()) return out;
  for (const allocation& a : dump.buffers()->allocations()) {
    out.total = (checked_int64(out.total) + a.size).clamped();
    if (a.preallocated_temp) out.temp = (checked_int64(out.temp) + a.size).clamped();
  }
  if (dump.buffers()->live_ranges()) out.peak = dump.get<occupancy>().total().peak();
  return out;
}

}  // namespace hlolint
