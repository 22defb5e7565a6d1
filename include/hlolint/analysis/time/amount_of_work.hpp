// The work of an instruction, and its least time by a roofline (time_model.md 4.2).
#pragma once

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/time/link_time.hpp>
#include <hlolint/analysis/time/vector_work.hpp>
#include <hlolint/ir/element_type.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hlolint {

/// The flops of a product.
struct product_flops {
  double model = 0;     ///< two for each multiplied pair of elements, eight if they are complex
  double on_units = 0;  ///< of the matrix units: on a TPU with the filling of tiles and each pass
};

/// The operations and bytes of an instruction. Doubles, since only magnitudes matter and sums may exceed int64.
struct work {
  double flops = 0;                  ///< of matrix products, on the units
  double model_flops = 0;            ///< of matrix products, as the program has them
  double tile_flops = 0;             ///< on a GPU, of whole tiles in a batch of small products; else 0
  double vector_ops = 0;             ///< of all other arithmetic, weighted
  vector_work vector;                ///< of all other arithmetic, on a TPU
  double read = 0;                   ///< bytes from HBM
  double written = 0;                ///< bytes to HBM
  double host = 0;                   ///< bytes over the link to the host
  double kernels = 1;                ///< one after the other on a GPU, of which each moves all of the bytes
  std::optional<element_type> type;  ///< multiplied by the matrix units
  bool by_hand = false;              ///< flops are of attention or another hand-written kernel
  bool unknown = false;              ///< nothing but the operands is known
  bool scalar = false;               ///< works on scalars alone, which a TPU keeps in a memory of their own
  /// Of an instruction that is this product.
  void set_product(const product_flops& product) { flops = product.on_units, model_flops = product.model; }
  /// Read and written in HBM.
  double bytes() const { return read + written; }
  friend bool operator==(const work&, const work&) = default;
};

/// The bottleneck of work.
enum class work_bound : std::uint8_t {
  nothing,  ///< it takes no time
  compute,  ///< the matrix units or the vector units
  memory,   ///< HBM
  launch,   ///< more than half of the time is the start of the kernel
  latency,  ///< on a TPU: more than half of the time is the latency of HBM
  printed,  ///< the dump prints the time
  host      ///< the link to the host
};

/// The name in reports: `compute`, `memory`.
constexpr std::string_view name_of(work_bound bound) {
  constexpr std::string_view names[] = {"nothing", "compute", "memory", "launch", "latency", "printed", "host"};
  return names[static_cast<std::size_t>(bound)];
}

/// Seconds and their bottleneck.
struct work_time {
  double seconds = 0;                      ///< of one run
  work_bound bound = work_bound::nothing;  ///< the bottleneck
  friend bool operator==(const work_time&, const work_time&) = default;
};

/// The peak rate at which a device multiplies a type; 0 if it cannot.
inline double matmul_peak(const device& d, element_type type) {
  using enum element_type;
  const int bits = bit_width(type);
  const bool wide = type == f64 || type == c128;
  const bool integer = name_of(type).front() == 's' || name_of(type).front() == 'u';
  const bool e4m3 = type == f8e4m3 || type == f8e4m3fn || type == f8e4m3b11fnuz || type == f8e4m3fnuz;
  const double small = integer && d.s8_flops > 0 ? d.s8_flops : e4m3 && d.e4m3_flops > 0 ? d.e4m3_flops : d.f8_flops;
  const double peak = wide ? d.f64_flops : bits <= 8 && small > 0 ? small : bits <= 16 ? d.f16_flops : d.f32_flops;
  return peak > 0 ? peak : d.vector_ops;
}

/// The rate at which a device multiplies a type, including efficiency; 0 if it cannot.
inline double matmul_rate(const device& d, element_type type, bool by_hand) {
  return matmul_peak(d, type) * (by_hand                     ? d.attention_efficiency
                                 : type == element_type::f32 ? d.f32_matmul_efficiency
                                                             : d.matmul_efficiency);
}

/// Seconds of all arithmetic but matrix products at the device's peak.
inline double vector_seconds(const device& d, const work& w) {
  return d.is_tpu() ? detail::over(w.vector.cycles_on(d), d.clock) : detail::over(w.vector_ops, d.vector_ops);
}

/// The time without the fixed cost of a kernel, but with the extra cost of a matrix product.
inline work_time roofline(const device& d, const work& w) {
  double compute = vector_seconds(d, w);
  if (w.flops > 0)
    compute = std::max(compute, detail::over(std::max(w.flops, w.tile_flops),
                                             matmul_rate(d, w.type.value_or(element_type::f32), w.by_hand)) +
                                    (w.by_hand ? 0 : d.matmul_overhead));
  const double memory = detail::over(w.bytes(), d.memory_rate * d.memory_efficiency);
  const double host = detail::over(w.host, d.host_rate);
  if (host > std::max(compute, memory)) return {host, work_bound::host};
  return {std::max(compute, memory), compute >= memory ? work_bound::compute : work_bound::memory};
}

/// The fixed cost of a kernel; on a TPU the latency of HBM, where it is used (time_model.md 4.5).
inline double fixed_cost(const device& d, const work& w) {
  if (!d.is_tpu()) return d.kernel_overhead * w.kernels;
  return w.scalar ? 0 : d.kernel_overhead * ((w.read > 0) + (w.host > 0)) + d.write_overhead * (w.written > 0);
}

/// What the start of a kernel takes, of which `roofline` includes the part that only matrix products have.
inline double start_of_kernel(const device& d, const work& w) {
  return fixed_cost(d, w) + (w.flops > 0 && !w.by_hand ? d.matmul_overhead : 0);
}

/// The roofline time plus the fixed cost of a kernel.
inline work_time kernel_time(const device& d, const work& w) {
  work_time t = roofline(d, w);
  const double fixed = fixed_cost(d, w), start = start_of_kernel(d, w);
  const double working = t.seconds - (t.bound == work_bound::compute ? start - fixed : 0);
  if (start > 0 && working < (t.bound == work_bound::compute ? start : fixed))
    t.bound = d.is_tpu() ? work_bound::latency : work_bound::launch;
  t.seconds += fixed;
  if (t.seconds <= 0) t.bound = work_bound::nothing;
  return t;
}

}  // namespace hlolint
