// The work of one instruction and the time it takes at best: a roofline (time_model.md 4.2).
#pragma once

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/time/link_time.hpp>
#include <hlolint/ir/element_type.hpp>
#include <hlolint/text/optional.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace hlolint {

/// What an instruction computes and moves. Doubles, because only the magnitude counts and sums may be beyond int64.
struct work {
  double flops = 0;                  ///< of matrix units, two for each multiplication
  double vector_ops = 0;             ///< of all other arithmetic, weighted
  double read = 0;                   ///< bytes from HBM
  double written = 0;                ///< bytes to HBM
  double host = 0;                   ///< bytes over the link to the host
  optional<element_type> type;       ///< of what the matrix units multiply
  bool by_hand = false;              ///< flops of attention and other hand-written kernels
  bool unknown = false;              ///< a call of which nothing but the operands is known
  /// Read and written in HBM.
  double bytes() const { return read + written; }
  friend bool operator==(const work&, const work&) = default;
};

/// What keeps work from being faster.
enum class work_bound : std::uint8_t {
  nothing,   ///< it takes no time
  compute,   ///< the matrix units or the vector units
  memory,    ///< HBM
  overhead,  ///< more than half of the time is the start of the kernel
  printed,   ///< the dump itself has the time
  host       ///< the link to the host
};

/// `compute`, `memory` and so on: as reports write it.
constexpr std::string_view name_of(work_bound bound) {
  constexpr std::string_view names[] = {"nothing", "compute", "memory", "overhead", "printed", "host"};
  return names[static_cast<std::size_t>(bound)];
}

/// Seconds and what they are made of.
struct work_time {
  double seconds = 0;  ///< of one run
  work_bound bound = work_bound::nothing;  ///< what most of them go to
  friend bool operator==(const work_time&, const work_time&) = default;
};

/// The rate at which a device multiplies a type, efficiency included; 0 if it cannot at all.
inline double matmul_rate(const device& d, element_type type, bool by_hand) {
  const int bits = bit_width(type);
  const bool wide = type == element_type::f64 || type == element_type::c128;
  double peak = wide ? d.f64_flops : bits <= 8 && d.f8_flops > 0 ? d.f8_flops : bits <= 16 ? d.f16_flops : d.f32_flops;
  if (peak <= 0) peak = d.vector_ops;
  return peak * (by_hand                     ? d.attention_efficiency
                 : type == element_type::f32 ? d.f32_matmul_efficiency
                                             : d.matmul_efficiency);
}

/// Without what every kernel costs, but with the extra cost of a matrix product.
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

}  // namespace hlolint
