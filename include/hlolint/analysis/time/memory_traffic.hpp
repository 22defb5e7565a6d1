// Bytes that an instruction moves to and from the device's memory (time_model.md 4.3).
#pragma once

#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/time/amount_of_work.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hlolint {

/// Bytes that instructions move to and from a device's main memory.
class memory_traffic {
 public:
  /// Only whether it is a TPU matters, and is kept.
  explicit memory_traffic(const device& on) : tpu_(on.is_tpu()) {}

  /// Of all arrays of a shape, as they are stored: with tiles on TPU, where arrays in VMEM and other small memories
  /// cost nothing. 0 for what has no size.
  double bytes(const shape* s) const {
    double sum = 0;
    if (s)
      for_each_subshape(*s, [&](const shape_index&, const shape& part) {
        if (!part.is_tuple()) sum += bytes_of_leaf(part);
      });
    return sum;
  }
  /// Of the arrays of a shape that are in the host's memory.
  double host_bytes(const shape* s) const {
    double sum = 0;
    if (s)
      for_each_subshape(*s, [&](const shape_index&, const shape& part) {
        if (!part.is_tuple() && is_host_space(part.memory_space())) sum += stored_bytes(part);
      });
    return sum;
  }
  /// Bytes read of operand `k`. Precondition: k < i.operand_count().
  double operand_bytes(hlo_instruction i, std::size_t k) const { return bytes(shape_of_operand(i, k)); }

  /// All operands and the result: what an instruction moves when nothing more is known.
  work whole(hlo_instruction i) const {
    work w;
    for (std::size_t k = 0; k < i.operand_count(); ++k)
      w.read += operand_bytes(i, k), w.host += host_bytes(shape_of_operand(i, k));
    w.written = bytes(i.shape());
    w.host += host_bytes(i.shape());
    return w;
  }

  /// The operand that an update in place writes into another one; nothing for other instructions.
  static std::optional<std::size_t> updated_operand(hlo_instruction i) {
    if (i.opcode() == hlo_opcode::dynamic_update_slice && i.operand_count() > 1) return 1;
    if (i.opcode() == hlo_opcode::scatter && i.operand_count() > 2) return i.operand_count() - 1;
    return std::nullopt;
  }

  /// Of an instruction that is not a fusion and calls nothing.
  work of(hlo_instruction i) const {
    work w;
    const double result = bytes(i.shape());
    switch (i.opcode()) {
      using enum hlo_opcode;
      case slice:
      case dynamic_slice:
      case gather:
        w = part_of(shape_of_operand(i, 0), i.shape(), i.shape());
        break;
      case dynamic_update_slice:
        w = part_of(shape_of_operand(i, 1), i.shape(), shape_of_operand(i, 1));
        break;
      case scatter:
        if (i.operand_count() > 0) w.written = operand_bytes(i, i.operand_count() - 1), w.read = 2 * w.written;
        break;
      case iota:
      case rng:
      case rng_bit_generator:
        w.written = result;
        break;
      case broadcast:
        w.read = operand_bytes(i, 0), w.written = result;
        break;
      default:
        w = whole(i);
    }
    // The inverse transforms of GPU libraries scale their result in a slow pass of its own (time_model.md 3.8).
    const std::string_view type = i.opcode() == hlo_opcode::fft && !tpu_
                                      ? i.attribute(attribute_key::fft_type).value_or(std::string_view{})
                                      : std::string_view{};
    if (type.starts_with('I')) w.read *= inverse_transform, w.written *= inverse_transform;
    return w;
  }

 private:
  static constexpr double inverse_transform = 4.3;

  /// A part goes from one array to another, whichever of them are on the device.
  work part_of(const shape* from, const shape* to, const shape* part) const {
    work w;
    const double size = bytes(part) + host_bytes(part);
    const bool from_host = host_bytes(from) > 0, to_host = host_bytes(to) > 0;
    if (from_host || to_host) w.host = size;
    if (!from_host) w.read = size;
    if (!to_host) w.written = size;
    return w;
  }

  double bytes_of_leaf(const shape& leaf) const {
    if (leaf.type == element_type::token || leaf.type == element_type::opaque) return 0;
    if (is_host_space(leaf.memory_space()) || (tpu_ && is_on_chip(leaf.memory_space()))) return 0;
    return stored_bytes(leaf);
  }
  double stored_bytes(const shape& leaf) const {
    std::optional<byte_count> size = tpu_ ? byte_size(leaf, size_rule::tpu_tiled) : std::nullopt;
    if (!size) size = dense_size(leaf);
    return static_cast<double>(std::max<byte_count>(0, size.value_or(0)));
  }

  bool tpu_;
};

}  // namespace hlolint
