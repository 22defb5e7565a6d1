// The bytes that instructions move to and from memory (time_model.md 4.2, 4.3).
#pragma once

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/time/amount_of_work.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/element_type.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/bytes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hlolint {

/// Bytes that instructions move to and from a device's main memory.
class memory_traffic {
 public:
  /// Keeps only whether the device is a TPU.
  explicit memory_traffic(const device& on) : tpu_(on.is_tpu()) {}

  /// The stored bytes of all arrays of a shape in main memory: with tiles on a TPU, where arrays in VMEM and other
  /// small memories do not count. An array of unknown size counts 0.
  double bytes(const shape* s) const { return s ? sum_of(*s, false) : 0; }
  /// The stored bytes of the arrays of a shape in the host's memory.
  double host_bytes(const shape* s) const { return s ? sum_of(*s, true) : 0; }
  /// Bytes read of operand `k`; none of a scalar on a TPU, which has it in a memory of its own. Precondition:
  /// k < i.operand_count().
  double operand_bytes(hlo_instruction i, std::size_t k) const {
    const shape* const s = shape_of_operand(i, k);
    return tpu_ && s && s->is_array() && s->rank() == 0 ? 0 : bytes(s);
  }

  /// Reads all operands and writes the whole result: the traffic of an instruction about which nothing more is known.
  work whole(hlo_instruction i) const {
    work w;
    w.written = bytes(i.shape()), w.host = host_bytes(i.shape());
    for (std::size_t k = 0; k < i.operand_count(); ++k)
      w.read += operand_bytes(i, k), w.host += host_bytes(shape_of_operand(i, k));
    return w;
  }

  /// The operand that an in-place update writes into another one; nothing for other instructions.
  static std::optional<std::size_t> updated_operand(hlo_instruction i) {
    if (i.opcode() == hlo_opcode::dynamic_update_slice && i.operand_count() > 1) return 1;
    if (i.opcode() == hlo_opcode::scatter && i.operand_count() > 2) return i.operand_count() - 1;
    return std::nullopt;
  }

  /// The stored bytes of an array, in whatever memory it is; 0 if its size is unknown.
  double stored(const shape* s) const { return s && s->is_array() ? stored_bytes(*s) : 0; }

  /// The stored bytes of a part of an array, in whatever memory they are: on a TPU those of the whole array's tiles
  /// that a part of these extents fills if it begins at a tile.
  double stored_part(const shape* whole, const shape* part) const {
    if (!tpu_ || !whole || !part || !whole->is_array() || !whole->layout || part->rank() != whole->rank())
      return stored(part);
    shape in_tiles = *part;
    in_tiles.layout = whole->layout;
    return std::min(stored_bytes(in_tiles), std::max(stored_bytes(*whole), stored_bytes(*part)));
  }
  /// Whether a part of an array fills tiles of it only in part, so that they are read before they are written.
  bool fills_tiles_partly(const shape* whole, const shape* part) const {
    const double elements = detail::element_count(whole);
    constexpr double nearly = 1.01;
    return tpu_ && elements > 0 &&
           stored_part(whole, part) > nearly * stored(whole) * detail::element_count(part) / elements;
  }

  /// The traffic of an instruction that is not a fusion and calls nothing.
  work of(hlo_instruction i) const {
    work w;
    switch (i.opcode()) {
      using enum hlo_opcode;
      // clang-format off
      case slice: case dynamic_slice: case gather: return moved(shape_of_operand(i, 0), i.shape(), i.shape());
      case dynamic_update_slice: return moved(shape_of_operand(i, 1), i.shape(), shape_of_operand(i, 1));
      case scatter:
        // clang-format on
        if (i.operand_count() > 0) w.written = operand_bytes(i, i.operand_count() - 1), w.read = 2 * w.written;
        return w;
      case iota:
      case rng:
      case rng_bit_generator:
      case broadcast:
        w.written = bytes(i.shape());
        if (i.opcode() == broadcast) w.read = operand_bytes(i, 0);
        return w;
      default: w = whole(i);
    }
    if (i.opcode() == hlo_opcode::fft && !tpu_) w.read *= passes_of_transform(i), w.written *= passes_of_transform(i);
    return w;
  }

 private:
  /// GPU libraries transform one dimension in each pass, and scale the result of an inverse transform in a slow extra
  /// one (time_model.md 3.8, 4.2).
  static double passes_of_transform(hlo_instruction fft) {
    constexpr double inverse = 4.3;
    const auto lengths = get_integers(fft, attribute_key::fft_length).value_or(std::vector<std::int64_t>{});
    const auto along = std::ranges::count_if(lengths, [](std::int64_t n) { return n > 1; });
    const double passes = std::max(1.0, static_cast<double>(along));
    return fft.attribute(attribute_key::fft_type).value_or("").starts_with('I') ? std::max(inverse, passes + 1)
                                                                                : passes;
  }

  /// The traffic of a part moved from one array to another, either of which may be on the host or on the chip.
  work moved(const shape* from, const shape* to, const shape* part) const {
    work w;
    if (host_bytes(from) > 0 || host_bytes(to) > 0) w.host = stored(part);
    if (bytes(from) > 0) w.read = stored_part(from, part);
    if (bytes(to) > 0) w.written = stored_part(to, part);
    if (bytes(to) > 0 && to != part && fills_tiles_partly(to, part)) w.read += w.written;
    return w;
  }

  double sum_of(const shape& s, bool in_host) const {
    double sum = 0;
    for (const shape& element : s.elements) sum += sum_of(element, in_host);  // depth is limited by the parser
    if (s.is_tuple() || s.type == element_type::token || s.type == element_type::opaque) return sum;
    const bool counts =
        is_host_space(s.memory_space()) ? in_host : !in_host && (!tpu_ || !is_on_chip(s.memory_space()));
    return counts ? stored_bytes(s) : 0;
  }
  double stored_bytes(const shape& leaf) const {
    std::optional<byte_count> size = tpu_ ? byte_size(leaf, size_rule::tpu_tiled) : std::nullopt;
    if (!size) size = dense_size(leaf);
    return static_cast<double>(std::max<byte_count>(0, size.value_or(0)));
  }

  bool tpu_;
};

}  // namespace hlolint
