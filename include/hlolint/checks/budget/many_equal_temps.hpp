// BUD005: many temporaries of one shape at the peak.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Counts chunks, so a value that several instructions pass on counts once.
struct many_equal_temps {
  static constexpr rule about{
      .id = "BUD005",
      .name = "many-equal-temps",
      .needs = need::memory | need::live_ranges,
      .what =
          "At the peak of memory many temporaries of one shape are alive, and together they take a large part of "
          "it.",
      .why =
          "So many equal arrays are mostly the steps of an unrolled loop, or layers kept for the backward pass, "
          "each waiting for its turn.",
      .advice =
          "Roll the loop up (lax.scan, fori_loop), rematerialize the layer (jax.checkpoint), or make the steps "
          "depend on each other so that one array can serve all of them.",
      .example = "at position 420, 100 temporaries of shape f32[4096,4096]{1,0} take 6.25GiB of 8.00GiB",
      .source = "openxla/xla #35719"};

  int min_count = 8;
  double min_share = 0.25;
  byte_count min_bytes = 256_MiB;
  static constexpr auto options = std::tuple{
      option{"min-count", &many_equal_temps::min_count, "fewer temporaries of a shape are fine"},
      option{"min-share", &many_equal_temps::min_share, "temporaries with a smaller share of the peak are fine"},
      option{"min-bytes", &many_equal_temps::min_bytes, "fewer bytes together are not reported"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/checks/value_finding.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/text/str_cat.hpp>

#include <map>
#include <set>

namespace hlolint {

HLOLINT_INLINE void many_equal_temps::operator()(const context& dump, sink_ref emit) const {
  const buffer_dump& buffers = *dump.buffers();
  const occupancy_curve curve = dump.get<occupancy>().total();
  if (curve.empty() || curve.peak() < min_bytes) return;
  const std::int64_t position = curve.peak_positions().front().first;
  struct group {
    std::size_t count = 0;
    byte_count bytes = 0;
    std::uint32_t first = 0;
  };
  std::map<std::uint32_t, group> groups;  // by shape
  std::set<std::pair<std::int64_t, byte_count>> seen;
  for (const std::uint32_t i : values_at(dump.get<live_chunks>(), position)) {
    const assigned_value& value = buffers.values()[i];
    if (!buffers.allocation_of(value).preallocated_temp || !seen.emplace(value.allocation, value.offset).second)
      continue;
    group& g = groups[value.shape];
    if (g.count++ == 0) g.first = i;
    g.bytes = (checked_int64(g.bytes) + value.size).clamped();
  }
  // Rolled-up steps share all their temporaries, so the largest group promises for all. One of each is left, or more,
  // as the input of each layer.
  const auto is_many = [&](const group& g) { return g.count >= static_cast<std::size_t>(std::max(min_count, 1)); };
  checked_int64 saves = 0, all = 0;
  std::size_t shapes = 0;
  const group* largest = nullptr;
  for (const auto& [shape, g] : groups) {
    if (!is_many(g)) continue;
    ++shapes, all += g.bytes, saves += g.bytes - g.bytes / static_cast<byte_count>(g.count);
    if (!largest || g.bytes > largest->bytes) largest = &g;
  }
  for (const auto& [shape, g] : groups) {
    if (!is_many(g) || g.bytes < min_bytes ||
        static_cast<double>(g.bytes) < min_share * static_cast<double>(curve.peak()))
      continue;
    const assigned_value& value = buffers.values()[g.first];
    finding d = detail::value_finding(
        dump, value, nullptr,
        str_cat({"at position ", position, ", where most memory is in use, ", g.count, " temporaries of shape ",
                 to_string(buffers.shape(value)), " take ", human(g.bytes), " of ", human(curve.peak())}),
        {.bytes = g.bytes});
    if (&g == largest) {
      if (shapes > 1)
        append_to(d.message,
                  {", as do ", human((all - g.bytes).clamped()), " of ", counted(shapes - 1, "other shape")});
      d.promise = promised_bytes{saves.clamped(), certainty::bound};
    }
    emit(std::move(d));
  }
}

}  // namespace hlolint
#endif
