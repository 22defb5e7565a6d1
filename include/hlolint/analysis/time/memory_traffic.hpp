// Bytes that an instruction moves to and from the device's memory (time_model.md 4.3).
#pragma once

#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/time/amount_of_work.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/optional.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
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
    double sum = 0, host = 0;
    add_bytes(s, sum, host);
    return sum;
  }
  /// Of the arrays of a shape that are in the host's memory.
  double host_bytes(const shape* s) const {
    double sum = 0, host = 0;
    add_bytes(s, sum, host);
    return host;
  }
  /// Bytes read of operand `k`. Precondition: k < i.operand_count().
  double operand_bytes(hlo_instruction i, std::size_t k) const { return bytes(shape_of_operand(i, k)); }

  /// All operands and the result: what an instruction moves when nothing more is known.
  work whole(hlo_instruction i) const {
    work w;
    for (std::size_t k = 0; k < i.operand_count(); ++k) add_bytes(shape_of_operand(i, k), w.read, w.host);
    add_bytes(i.shape(), w.written, w.host);
    return w;
  }

  /// The operand that an update in place writes into another one; nothing for other instructions.
  static optional<std::size_t> updated_operand(hlo_instruction i) {
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

  void add_bytes(const shape* s, double& of_device, double& of_host) const {
    if (!s) return;
    if (!s->is_tuple()) return add_leaf(*s, of_device, of_host);
    for (const shape& element : s->elements) add_bytes(&element, of_device, of_host);  // as deep as the parser allows
  }
  void add_leaf(const shape& leaf, double& of_device, double& of_host) const {
    if (leaf.type == element_type::token || leaf.type == element_type::opaque) return;
    if (is_host_space(leaf.memory_space()))
      of_host += stored_bytes(leaf);
    else if (!tpu_ || !is_on_chip(leaf.memory_space()))
      of_device += stored_bytes(leaf);
  }
  double stored_bytes(const shape& leaf) const {
    optional<byte_count> size = tpu_ ? byte_size(leaf, size_rule::tpu_tiled) : std::nullopt;
    if (!size) size = dense_size(leaf);
    return static_cast<double>(std::max<byte_count>(0, size.value_or(0)));
  }

  bool tpu_;
};

}  // namespace hlolint
