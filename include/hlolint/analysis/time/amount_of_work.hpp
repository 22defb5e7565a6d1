// The work of an instruction, its least time by a roofline, and the bytes it moves to and from memory (time_model.md
// 4.2, 4.3).
#pragma once

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/time/link_time.hpp>
#include <hlolint/ir/element_type.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/optional.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hlolint {

/// The operations and bytes of an instruction. Doubles, since only magnitudes matter and sums may exceed int64.
struct work {
  double flops = 0;                  ///< of matrix units, two for each multiplication
  double vector_ops = 0;             ///< of all other arithmetic, weighted
  double read = 0;                   ///< bytes from HBM
  double written = 0;                ///< bytes to HBM
  double host = 0;                   ///< bytes over the link to the host
  optional<element_type> type;       ///< multiplied by the matrix units
  bool by_hand = false;              ///< flops are of attention or another hand-written kernel
  bool unknown = false;              ///< nothing but the operands is known
  /// Read and written in HBM.
  double bytes() const { return read + written; }
  friend bool operator==(const work&, const work&) = default;
};

/// The bottleneck of work.
enum class work_bound : std::uint8_t {
  nothing,   ///< it takes no time
  compute,   ///< the matrix units or the vector units
  memory,    ///< HBM
  overhead,  ///< more than half of the time is the start of the kernel
  printed,   ///< the dump prints the time
  host       ///< the link to the host
};

/// The name in reports: `compute`, `memory`.
constexpr std::string_view name_of(work_bound bound) {
  constexpr std::string_view names[] = {"nothing", "compute", "memory", "overhead", "printed", "host"};
  return names[static_cast<std::size_t>(bound)];
}

/// Seconds and their bottleneck.
struct work_time {
  double seconds = 0;  ///< of one run
  work_bound bound = work_bound::nothing;  ///< the bottleneck
  friend bool operator==(const work_time&, const work_time&) = default;
};

/// The rate at which a device multiplies a type, including efficiency; 0 if it cannot.
inline double matmul_rate(const device& d, element_type type, bool by_hand) {
  const int bits = bit_width(type);
  const bool wide = type == element_type::f64 || type == element_type::c128;
  double peak = wide ? d.f64_flops : bits <= 8 && d.f8_flops > 0 ? d.f8_flops : bits <= 16 ? d.f16_flops : d.f32_flops;
  if (peak <= 0) peak = d.vector_ops;
  return peak * (by_hand                     ? d.attention_efficiency
                 : type == element_type::f32 ? d.f32_matmul_efficiency
                                             : d.matmul_efficiency);
}

/// The time without the fixed cost of a kernel, but with the extra cost of a matrix product.
inline work_time roofline(const device& d, const work& w) {
  double compute = detail::over(w.vector_ops, d.vector_ops);
  if (w.flops > 0)
    compute = std::max(compute, detail::over(w.flops, matmul_rate(d, w.type.value_or(element_type::f32), w.by_hand)) +
                                    (w.by_hand ? 0 : d.matmul_overhead));
  const double memory = detail::over(w.bytes(), d.memory_rate * d.memory_efficiency);
  const double host = detail::over(w.host, d.host_rate);
  if (host > std::max(compute, memory)) return {host, work_bound::host};
  return {std::max(compute, memory), compute >= memory ? work_bound::compute : work_bound::memory};
}

/// The roofline time plus the fixed cost of a kernel.
inline work_time kernel_time(const device& d, const work& w) {
  work_time t = roofline(d, w);
  if (t.seconds < d.kernel_overhead) t.bound = work_bound::overhead;
  t.seconds += d.kernel_overhead;
  return t;
}

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
  static optional<std::size_t> updated_operand(hlo_instruction i) {
    if (i.opcode() == hlo_opcode::dynamic_update_slice && i.operand_count() > 1) return 1;
    if (i.opcode() == hlo_opcode::scatter && i.operand_count() > 2) return i.operand_count() - 1;
    return std::nullopt;
  }

  /// The traffic of an instruction that is not a fusion and calls nothing.
  work of(hlo_instruction i) const {
    work w;
    const double result = bytes(i.shape());
    switch (i.opcode()) {
      using enum hlo_opcode;
      case slice: case dynamic_slice: case gather:
        w = part_of(shape_of_operand(i, 0), i.shape(), i.shape());
        break;
      case dynamic_update_slice:
        w = part_of(shape_of_operand(i, 1), i.shape(), shape_of_operand(i, 1));
        break;
      case scatter:
        if (i.operand_count() > 0) w.written = operand_bytes(i, i.operand_count() - 1), w.read = 2 * w.written;
        break;
      case iota: case rng: case rng_bit_generator:
        w.written = result;
        break;
      case broadcast:
        w.read = operand_bytes(i, 0), w.written = result;
        break;
      default: w = whole(i);
    }
    // Inverse transforms of GPU libraries scale their result in a slow extra pass (time_model.md 3.8).
    const std::string_view type = i.opcode() == hlo_opcode::fft && !tpu_
                                      ? i.attribute(attribute_key::fft_type).value_or(std::string_view{})
                                      : std::string_view{};
    if (type.starts_with('I')) w.read *= inverse_transform, w.written *= inverse_transform;
    return w;
  }

 private:
  static constexpr double inverse_transform = 4.3;

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
    const bool counts = is_host_space(s.memory_space()) ? in_host
                                                        : !in_host && (!tpu_ || !is_on_chip(s.memory_space()));
    return counts ? stored_bytes(s) : 0;
  }
  double stored_bytes(const shape& leaf) const {
    optional<byte_count> size = tpu_ ? byte_size(leaf, size_rule::tpu_tiled) : std::nullopt;
    if (!size) size = dense_size(leaf);
    return static_cast<double>(std::max<byte_count>(0, size.value_or(0)));
  }

  bool tpu_;
};

}  // namespace hlolint
