// PAD001: an array that is mostly padding because of its tiles.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// sizes.md 6. With a buffer dump one finding per chunk (allocation, offset, size), however many values share it, at
/// the time when it is emptiest; without one, one finding per shape that instructions store.
struct tile_padding {
  static constexpr rule about{
      .id = "PAD001",
      .name = "tile-padding",
      .costs = cost_kind::both,
      .what = "A tiled array takes much more memory than its elements: the tile rounds up its most minor dimensions.",
      .why =
          "The padding is allocated, and moved by every copy and collective, but holds nothing. On TPU a minor "
          "dimension of 1 costs 128 times its size.",
      .advice =
          "Make a long dimension the minor one, or merge short dimensions into their neighbors before the "
          "array is stored.",
      .example = "%p = u32[12582912,1]{1,0:T(8,128)} parameter(0)",
      .source =
          "XLA: shape_util.cc, ArraySize; docs/tiled_layout.md; out-of-memory reports in pytorch/xla #1965 and "
          "#6674"};

  byte_count min_waste = 16_MiB;
  double min_ratio = 1.5;
  double min_percent = 10;
  static constexpr auto options = std::tuple{
      option{"min-waste", &tile_padding::min_waste, "less padding than this is not reported"},
      option{"min-ratio", &tile_padding::min_ratio, "arrays with a smaller padded size / unpadded size are fine"},
      option{"min-percent", &tile_padding::min_percent,
             "percent of the memory space: in a small one such as VMEM less padding than min-waste is reported"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/buffers/live_chunks.hpp>
#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/analysis/program/instruction_names.hpp>
#include <hlolint/analysis/sizes/padding.hpp>
#include <hlolint/checks/padding/stored_shapes.hpp>
#include <hlolint/text/number_text.hpp>

#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint {

namespace pad001 {

/// The fewest bytes that count: `min_waste`, or `min_percent` of the memory space if that is less.
inline byte_count limit_in(const tile_padding& limits, const context& dump, std::int64_t color) {
  const byte_count capacity = memory_space_capacity(dump.target(), dump.certain_device(), color);
  if (capacity <= 0 || !(limits.min_percent > 0)) return limits.min_waste;
  return std::min(limits.min_waste, clamp_to_int64(static_cast<double>(capacity) * limits.min_percent / 100));
}
inline bool is_waste(const tile_padding& limits, const context& dump, byte_count padded, byte_count dense,
                     std::int64_t color) {
  return checked_int64(padded) - dense >= limit_in(limits, dump, color) &&
         static_cast<double>(padded) >= limits.min_ratio * static_cast<double>(dense);
}

inline std::string message_for(const shape& array, const padding_cost& cost, byte_count padded, byte_count dense) {
  std::string out = str_cat({to_string(array), " takes ", human(padded), " for ", human(dense), " of elements"});
  const double ratio = dense > 0 ? static_cast<double>(padded) / static_cast<double>(dense) : 1e15;
  if (ratio < 9e14) append_to(out, {" (", number_text(ratio), "x)"});
  const std::string tiles = array.layout ? tiles_text(*array.layout) : std::string{};
  if (const std::string causes = extents_text(cost); !causes.empty())
    append_to(out, {": ", tiles.empty() ? "" : str_cat({"tile ", tiles, " pads "}), causes});
  if (cost.stored_bits > cost.dense_bits)
    append_to(out, {cost.extents.empty() ? ": " : ", and ", "each element is stored in ", cost.stored_bits,
                    " bits instead of ", cost.dense_bits, ", E(", cost.stored_bits, ")"});
  if (const auto better = find_better_layout(array, 0.25))
    append_to(out, {"; ", to_string(better->array), " would take ", human(better->padded)});
  return out;
}

/// Adds, for a small memory space, its name and the share of it that the padding takes; and the advice if wide
/// elements are the cause, not a tile.
inline void add_space_and_advice(const context& dump, std::int64_t color, const padding_cost& cost, finding& d) {
  const byte_count capacity = color == 0 ? 0 : memory_space_capacity(dump.target(), dump.certain_device(), color);
  if (capacity > 0 && d.bytes) {
    append_to(d.message, {"; ", share_text(static_cast<double>(*d.bytes), static_cast<double>(capacity)), " of the ",
                          human(capacity), " of ", memory_space_name(dump.target(), color), " holds this padding"});
  }
  if (cost.stored_bits > cost.dense_bits && cost.extents.empty())
    d.advice =
        "A kernel reads these elements as wide as they are stored. Make them where they are read instead of storing "
        "them (a mask from iota and lengths), or store another type: no layout changes their width.";
}

// Values that share a place at one time are one buffer under several names: only what even the fullest of them leaves
// empty is wasted.
struct shared_place {
  const assigned_value* fullest = nullptr;    // most elements
  const assigned_value* explained = nullptr;  // the size of the place is its own
  byte_count dense = 0;
  std::size_t values = 0;
  bool known = true;  // the size of every value is known
};

inline shared_place place_of(const buffer_dump& buffers, std::span<const std::uint32_t> values) {
  shared_place out;
  for (const std::uint32_t i : values) {
    const assigned_value& value = buffers.values()[i];
    const shape& s = buffers.shape(value);
    ++out.values;
    const auto dense = dense_size(s), padded = byte_size(s, size_rule::tpu_tiled);
    if (!dense || !padded) {
      out.known = out.known && s.is_tuple();
      continue;
    }
    if (!out.fullest || *dense > out.dense) out.fullest = &value, out.dense = *dense;
    if (size_agrees(buffers, value, size_rule::tpu_tiled) && !out.explained) out.explained = &value;
  }
  return out;
}

inline void by_chunk(const tile_padding& limits, const context& dump, sink_ref emit) {
  const buffer_dump& buffers = *dump.buffers();
  std::vector<std::uint32_t> own_set(buffers.values().size());
  std::iota(own_set.begin(), own_set.end(), 0U);
  const live_chunks by_time(dump.share<value_table>(), own_set);  // values that meet in time are one chunk
  std::map<std::tuple<std::int64_t, byte_count, byte_count>, shared_place> chunks;  // at its emptiest time
  for (const live_chunk& chunk : by_time.chunks()) {
    const allocation& in = buffers.allocations()[chunk.allocation];
    if (in.thread_local_storage || chunk.size < limit_in(limits, dump, in.color)) continue;
    const shared_place c = place_of(buffers, by_time.values(chunk));
    if (!c.known || !c.explained) continue;
    const auto [at, is_new] = chunks.try_emplace({chunk.allocation, chunk.offset, chunk.size}, c);
    if (!is_new && c.dense < at->second.dense) at->second = c;
  }
  for (const auto& [place, c] : chunks) {
    if (!is_waste(limits, dump, std::get<2>(place), c.dense, buffers.allocation_of(*c.explained).color)) continue;
    const bool same = size_agrees(buffers, *c.fullest, size_rule::tpu_tiled);
    const assigned_value& value = same ? *c.fullest : *c.explained;
    const shape& array = buffers.shape(value);
    const auto cost = explain_padding(array);
    if (!cost) continue;
    std::string message = str_cat({to_string(value.name), ": ", message_for(array, *cost, value.size, c.dense)});
    if (c.values > 1) append_to(message, {"; ", c.values, " values share this place, none fills it more"});
    finding d = finding_at(buffers, value, nullptr, std::move(message),
                           {.bytes = (checked_int64(value.size) - c.dense).clamped()});
    if (const hlo_instruction maker =
            dump.hlo() ? dump.get<instruction_names>().find(value.name.instruction) : hlo_instruction{}) {
      d.about = maker;
      d.subject.computation = std::string(maker.computation().name());
      add_program_place(d.subject, maker);
      d.related.push_back(related_at(maker, "made here"));
    }
    add_space_and_advice(dump, buffers.allocation_of(value).color, *cost, d);
    emit(std::move(d));
  }
}

inline void by_shape(const tile_padding& limits, const context& dump, sink_ref emit) {
  const auto wanted = [&](const shape& array) {
    const auto cost = array.layout && !array.layout->tiles.empty() ? explain_padding(array) : std::nullopt;
    return cost && is_waste(limits, dump, cost->padded, cost->dense, array.memory_space());
  };
  for (const detail::stored_shape& g : detail::stored_shapes(dump, wanted)) {
    const padding_cost cost = explain_padding(g.array).value();
    finding d =
        detail::stored_shape_finding(g, dump, message_for(g.array, cost, cost.padded, cost.dense), cost.waste());
    add_space_and_advice(dump, g.array.memory_space(), cost, d);
    emit(std::move(d));
  }
}

}  // namespace pad001

HLOLINT_INLINE void tile_padding::operator()(const context& dump, sink_ref emit) const {
  if (dump.target() == target::cpu || dump.target() == target::gpu) return;  // they do not tile
  if (dump.buffers() && !dump.buffers()->values().empty()) {
    if (is_tiled(dump.get<chosen_size_rule>().value)) pad001::by_chunk(*this, dump, emit);
  } else if (dump.hlo()) {
    pad001::by_shape(*this, dump, emit);
  }
}

}  // namespace hlolint
#endif
