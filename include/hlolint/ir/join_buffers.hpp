// Joins the buffer dump of one module from several files, as XLA writes it since April 2026 (buffer_dumps.md 1).
#pragma once

#include <hlolint/ir/buffers.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace hlolint {

/// The sections of all parts. Of a section that several parts have, the first one is used.
inline buffer_dump join(const std::vector<buffer_dump>& parts) {
  if (parts.size() == 1) return parts.front();
  auto whole = std::make_shared<buffer_data>();
  for (const buffer_dump& part : parts) {
    const buffer_data& data = part.data();
    whole->texts.insert(whole->texts.end(), data.texts.begin(), data.texts.end());
    if (data.has_assignment && !whole->has_assignment) {
      whole->has_assignment = true;
      whole->allocations = data.allocations;
      whole->values = data.values;
      whole->recolored = data.recolored;
      whole->shapes = data.shapes;
    }
    if (data.total_bytes_used && !whole->total_bytes_used) {
      whole->total_bytes_used = data.total_bytes_used;
      whole->total_text = data.total_text;
    }
    if (data.has_used_values && !whole->has_used_values) {
      whole->has_used_values = true;
      whole->used_values = data.used_values;
      whole->positions = data.positions;
      whole->uses = data.uses;
    }
    // A file with live ranges replaces one that only states that there are none.
    if (data.live_ranges && (!whole->live_ranges || (data.live_ranges->available && !whole->live_ranges->available)))
      whole->live_ranges = data.live_ranges;
    if (!whole->memory_report) whole->memory_report = data.memory_report;
    if (!whole->buffer_info) whole->buffer_info = data.buffer_info;
    if (!whole->thunks) whole->thunks = data.thunks;
    if (!whole->oom) whole->oom = data.oom;
  }
  return buffer_dump(std::move(whole));
}

}  // namespace hlolint
