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
  /// Bytes read of operand `k`. Precondition: k < i.operand_count().
  double operand_bytes(hlo_instruction i, std::size_t k) const { return bytes(shape_of_operand(i, k)); }

  /// Reads all operands and writes the whole result: the traffic of an instruction about which nothing more is known.
  work whole(hlo_instruction i) const {
    work w;
    w.written = bytes(i.shape()), w.host = host_bytes(i.shape());
    for (std::size_t k = 0; k < i.operand_count(); ++k) {
      const shape* const operand = shape_of_operand(i, k);
      w.read += bytes(operand), w.host += host_bytes(operand);
    }
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

  /// The traffic of an instruction that is not a fusion and calls nothing.
  work of(hlo_instruction i) const {
    work w;
    switch (i.opcode()) {
      using enum hlo_opcode;
      // clang-format off
      case slice: case dynamic_slice: case gather: return part_of(shape_of_operand(i, 0), i.shape(), i.shape());
      case dynamic_update_slice: return part_of(shape_of_operand(i, 1), i.shape(), shape_of_operand(i, 1));
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
    const auto along = std::count_if(lengths.begin(), lengths.end(), [](std::int64_t n) { return n > 1; });
    const double passes = std::max(1.0, static_cast<double>(along));
    return fft.attribute(attribute_key::fft_type).value_or("").starts_with('I') ? std::max(inverse, passes + 1)
                                                                                : passes;
  }

  /// The traffic of a part moved from one array to another, either of which may be on the host.
  work part_of(const shape* from, const shape* to, const shape* part) const {
    work w;
    const double size = bytes(part) + host_bytes(part);
    const bool from_host = host_bytes(from) > 0, to_host = host_bytes(to) > 0;
    if (from_host || to_host) w.host = size;
    if (!from_host) w.read = size;
    if (!to_host) w.written = size;
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
