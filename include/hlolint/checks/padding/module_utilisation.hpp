// PAD007: a memory space that holds much padding at its peak.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Per memory space, at its own peak. A chunk counts once, with the elements of the fullest of its values.
struct module_utilisation {
  static constexpr rule about{
      .id = "PAD007",
      .name = "module-utilisation",
      .needs = need::memory | need::live_ranges,
      .what = "At the peak of a memory space, a tenth or more of the bytes in use is padding.",
      .why =
          "The program would fit into less memory, or run with a larger batch, if its arrays filled their tiles. Many "
          "small arrays, or some of 96 where tiles have 128, waste as much as a large one that is mostly padding.",
      .advice = "Start with the values named here, which pad most; PAD001 and PAD003 name the dimensions to change.",
      .example = "at position 78, 11.00GiB of HBM are in use for 140.00MiB of elements (1.3 %)",
      .source = "google/flax #1733; XLA: out-of-memory report of TPUs (\"x% utilization: Unpadded (U) Padded (P)\")"};

  double min_share = 0.9;
  byte_count min_waste = 64_MiB;
  static constexpr auto options = std::tuple{
      option{"min-share", &module_utilisation::min_share, "memory spaces with this share of elements are fine"},
      option{"min-waste", &module_utilisation::min_waste, "less padding than this is not reported"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/sizes/padding.hpp>
#include <hlolint/checks/value_finding.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/text/number_text.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hlolint {

namespace pad007 {

inline constexpr std::size_t most_named = 5;

struct contents {
  byte_count padded = 0, dense = 0;
  std::vector<std::pair<byte_count, std::uint32_t>> waste;  ///< per chunk, with its fullest value; largest first
};

inline contents contents_at(const context& dump, const std::vector<std::size_t>& allocations, std::int64_t position) {
  const buffer_dump& buffers = *dump.buffers();
  contents out;
  checked_int64 padded = 0, dense = 0;
  const auto place = [&](std::uint32_t i) {
    const assigned_value& v = buffers.values()[i];
    return std::tuple(v.allocation, v.offset, v.size);
  };
  const std::vector<std::uint32_t> live = values_at(dump.get<live_chunks>(), allocations, position);
  for (std::size_t begin = 0, end = 0; begin < live.size(); begin = end) {
    const byte_count size = buffers.values()[live[begin]].size;
    byte_count fullest = 0;
    std::uint32_t by = live[begin];
    for (; end < live.size() && place(live[end]) == place(live[begin]); ++end) {
      // A tuple's table, or a value of unknown size, counts as full.
      const byte_count held = std::min(size, dense_size(buffers.shape(buffers.values()[live[end]])).value_or(size));
      if (held > fullest) fullest = held, by = live[end];
    }
    padded += size, dense += fullest;
    out.waste.emplace_back(size - fullest, by);
  }
  out.padded = padded.clamped(), out.dense = dense.clamped();
  std::stable_sort(out.waste.begin(), out.waste.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  return out;
}

/// Chunks of one shape.
struct equal_values {
  std::uint32_t first = 0;  ///< the value that pads most
  byte_count waste = 0;     ///< of all
  std::size_t count = 0;
};

/// The shape in whose chunks most of the padding is. Precondition: there is some.
inline equal_values most_padded(const buffer_dump& buffers, const contents& found) {
  std::map<std::string, equal_values> by_shape;
  equal_values most;
  for (const auto& [bytes, value] : found.waste) {
    if (bytes == 0) break;
    equal_values& of = by_shape[to_string(buffers.shape(buffers.values()[value]))];
    if (of.count++ == 0) of.first = value;
    of.waste = (checked_int64(of.waste) + bytes).clamped();
    if (of.waste > most.waste) most = of;
  }
  return most;
}

}  // namespace pad007

HLOLINT_INLINE void module_utilisation::operator()(const context& dump, sink_ref emit) const {
  if (!is_tiled(dump.get<chosen_size_rule>().value)) return;
  const auto& in_use = dump.get<occupancy>();
  std::map<std::int64_t, std::vector<std::size_t>> allocations_of;  // by color
  for (std::size_t a = 0; a < dump.buffers()->allocations().size(); ++a)
    allocations_of[dump.buffers()->allocations()[a].color].push_back(a);
  for (std::size_t s = 0; s < in_use.space_count(); ++s) {
    const std::int64_t position = in_use.of_space(s).peak_positions().front().first;
    const pad007::contents found = pad007::contents_at(dump, allocations_of[in_use.color_of_space(s)], position);
    if (checked_int64(found.padded) - found.dense < min_waste ||
        static_cast<double>(found.dense) >= min_share * static_cast<double>(found.padded))
      continue;
    const buffer_dump& buffers = *dump.buffers();
    const pad007::equal_values most = pad007::most_padded(buffers, found);
    const assigned_value& worst = buffers.values()[most.first];
    const shape& array = buffers.shape(worst);
    std::string message =
        str_cat({"at position ", position, ", ", human(found.padded), " of ",
                 memory_space_name(dump.target(), in_use.color_of_space(s)), " are in use for ", human(found.dense),
                 " of elements (", share_text(static_cast<double>(found.dense), static_cast<double>(found.padded)),
                 "); most of the padding is in ", to_string(worst.name), ", ", to_string(array)});
    if (most.count > 1)
      append_to(message, {", and ", most.count - 1, " more of this shape, ", human(most.waste), " in all"});
    if (const auto better = find_better_layout(array, 0.1))
      append_to(message,
                {"; ", to_string(better->array), " would take ", human(better->padded), " for ", human(worst.size)});
    finding d = detail::value_finding(dump, worst, nullptr, std::move(message), {.bytes = found.padded - found.dense});
    for (std::size_t i = 0; i < std::min(found.waste.size(), pad007::most_named); ++i) {
      const auto& [bytes, value] = found.waste[i];
      if (bytes == 0) break;
      d.related.push_back(related_at(buffers, buffers.values()[value], nullptr, human(bytes) + " of padding"));
    }
    emit(std::move(d));
  }
}

}  // namespace hlolint
#endif
