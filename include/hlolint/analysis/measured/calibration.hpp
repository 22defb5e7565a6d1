// Rates and efficiencies of a device from measured steps (time_model.md 1, profiles.md 6).
#pragma once

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/measured/measured_module.hpp>
#include <hlolint/analysis/measured/measured_step.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/ir/element_type.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/profile/profile.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace hlolint {

/// What of a device can be fitted.
enum class device_parameter : std::uint8_t {
  memory_efficiency,
  matmul_efficiency,
  f32_matmul_efficiency,
  attention_efficiency,
  kernel_overhead,
  links,  ///< `bus_rate` and `pair_rate`, by one factor
  network_rate,
  host_rate
};
inline constexpr std::size_t device_parameters = 8;  ///< how many there are

/// As the file of a device has it.
constexpr std::string_view name_of(device_parameter p) {
  constexpr std::string_view names[] = {"memory-efficiency",    "matmul-efficiency",  "f32-matmul-efficiency",
                                        "attention-efficiency", "kernel-overhead-us", "bus-gb-per-s",
                                        "network-gb-per-s",     "host-gb-per-s"};
  return names[static_cast<std::size_t>(p)];
}

/// A device with another value; of `links` it is a factor.
inline device with_parameter(device d, device_parameter p, double value) {
  switch (p) {
    case device_parameter::memory_efficiency:
      d.memory_efficiency = value;
      break;
    case device_parameter::matmul_efficiency:
      d.matmul_efficiency = value;
      break;
    case device_parameter::f32_matmul_efficiency:
      d.f32_matmul_efficiency = value;
      break;
    case device_parameter::attention_efficiency:
      d.attention_efficiency = value;
      break;
    case device_parameter::kernel_overhead:
      d.kernel_overhead = value;
      break;
    case device_parameter::links:
      d.bus_rate *= value, d.pair_rate *= value;
      break;
    case device_parameter::network_rate:
      d.network_rate = value;
      break;
    case device_parameter::host_rate:
      d.host_rate = value;
      break;
  }
  return d;
}
/// Its present value; of `links` the factor 1.
inline double value_of(const device& d, device_parameter p) {
  switch (p) {
    case device_parameter::memory_efficiency:
      return d.memory_efficiency;
    case device_parameter::matmul_efficiency:
      return d.matmul_efficiency;
    case device_parameter::f32_matmul_efficiency:
      return d.f32_matmul_efficiency;
    case device_parameter::attention_efficiency:
      return d.attention_efficiency;
    case device_parameter::kernel_overhead:
      return d.kernel_overhead;
    case device_parameter::links:
      return 1;
    case device_parameter::network_rate:
      return d.network_rate;
    case device_parameter::host_rate:
      return d.host_rate;
  }
  return 0;
}

/// Collects what measured instructions say of a device. Each instruction that one parameter decides gives one sample,
/// the value with which its estimate is what was measured; the median of at least `least_samples` counts.
class calibration {
 public:
  /// Fewer samples do not determine a parameter.
  static constexpr std::size_t least_samples = 5;

  /// `base` is what is changed.
  explicit calibration(const device& base) : base_(base) {}

  /// Adds a module. Precondition: it is scheduled, and the profile is of it (`profile_join::holds`).
  void add(const measured_module& measured, const hlo_module& module) {
    const exposed_time time(module, base_);
    const measured_step step(measured, module, time);
    std::unordered_map<id, double> each;  // seconds of one execution
    for (const measured_row& row : step.rows()) {
      if (!row.instruction || row.operation.seconds <= 0) continue;
      const double runs = time.runs_of(row.instruction.computation());
      if (runs <= 0) continue;
      each[row.instruction.id()] = row.operation.seconds / runs;
      if (row.operation.collective.empty()) add_work(time, row.instruction, row.operation.seconds / runs);
    }
    for (const exposed_transfer& t : time.transfers()) {
      const auto found = each.find(t.start.id());
      if (t.synchronous && t.in_step && !t.computes && found != each.end()) add_transfer(t.time, found->second);
    }
  }

  /// How many samples there are of a parameter.
  std::size_t samples(device_parameter p) const { return of(p).size(); }
  /// The median of the samples, if there are enough.
  optional<double> fitted(device_parameter p) const {
    if (samples(p) < least_samples) return std::nullopt;
    const double value = median_of(of(p));
    return is_efficiency(p) ? std::min(value, 1.0) : value;
  }
  /// The device with all that is determined.
  device result() const {
    device out = base_;
    for (std::size_t i = 0; i < device_parameters; ++i)
      if (const auto value = fitted(static_cast<device_parameter>(i)))
        out = with_parameter(out, static_cast<device_parameter>(i), *value);
    return out;
  }

 private:
  static constexpr double shortest = 5e-6;  // of what is not mostly the start of a kernel

  static bool is_efficiency(device_parameter p) { return p <= device_parameter::attention_efficiency; }
  const record_list<double>& of(device_parameter p) const { return samples_[static_cast<std::size_t>(p)]; }
  void add_sample(device_parameter p, double value) {
    if (std::isfinite(value) && value > 0) samples_[static_cast<std::size_t>(p)].push_back(value);
  }

  void add_work(const exposed_time& time, hlo_instruction i, double seconds) {
    const work w = time.work().work_of(i);
    if (w.unknown || time.work().of(i).bound == work_bound::printed) return;
    const work_time bound = roofline(base_, w);
    if (seconds < shortest) {
      if (bound.seconds > 0 && bound.seconds < seconds / 4)
        add_sample(device_parameter::kernel_overhead, seconds - bound.seconds);
      return;
    }
    const double rest = seconds - base_.kernel_overhead;
    if (rest <= 0) return;
    if (bound.bound == work_bound::host) return add_sample(device_parameter::host_rate, w.host / rest);
    if (bound.bound == work_bound::memory)
      return add_sample(device_parameter::memory_efficiency, detail::over(w.bytes(), base_.memory_rate) / rest);
    if (bound.bound != work_bound::compute || w.flops <= 0) return;
    device peak = base_;
    peak.matmul_efficiency = peak.f32_matmul_efficiency = peak.attention_efficiency = 1;
    const element_type type = w.type.value_or(element_type::f32);
    const double least = detail::over(w.flops, matmul_rate(peak, type, w.by_hand));
    const double multiplying = rest - (w.by_hand ? 0 : base_.matmul_overhead);
    add_sample(w.by_hand                   ? device_parameter::attention_efficiency
               : type == element_type::f32 ? device_parameter::f32_matmul_efficiency
                                           : device_parameter::matmul_efficiency,
               least / multiplying);
  }

  void add_transfer(const transfer_time& t, double seconds) {
    const double moving = seconds - t.latency;
    if (seconds < 4 * t.latency || moving <= 0) return;  // mostly latency
    if (t.between > t.within)
      add_sample(device_parameter::network_rate, t.network_bytes / moving);
    else if (t.within > 0 && t.path == transfer_path::fast)
      add_sample(device_parameter::links, t.within / moving);
  }

  device base_;
  std::array<record_list<double>, device_parameters> samples_;
};

/// Estimate over measured of instructions of one category.
struct category_ratios {
  record_list<double> ratios;  ///< one for each instruction with both
  double measured = 0;         ///< seconds of a run
  double estimated = 0;        ///< seconds of a run
};

/// Adds the ratios of a module on a device by category; instructions below a microsecond do not count.
inline void add_ratios(const measured_module& measured, const hlo_module& module, const device& on,
                       std::map<std::string, category_ratios>& to) {
  const exposed_time time(module, on);
  const measured_step step(measured, module, time);
  for (const measured_row& row : step.rows()) {
    if (!row.estimate || row.operation.seconds < 1e-6) continue;
    category_ratios& of = to[row.category];
    of.measured += row.operation.seconds, of.estimated += *row.estimate;
    of.ratios.push_back(*row.estimate / row.operation.seconds);
  }
}

/// The value of a parameter with which a module's step takes so long; nothing if no value does. Steps become shorter
/// with every rate and efficiency, and longer with overhead.
inline optional<double> fit_to_step(const hlo_module& module, const device& base, device_parameter p, double seconds) {
  const auto step = [&](double value) { return exposed_time(module, with_parameter(base, p, value)).step(); };
  const double present = value_of(base, p);
  if (present <= 0 || seconds <= 0) return std::nullopt;
  double low = present / 1e4, high = present * 1e4;
  if (p <= device_parameter::attention_efficiency) high = 1;
  const bool falls = step(low) > step(high);
  const double at_low = step(low), at_high = step(high);
  if (seconds > std::max(at_low, at_high) * 1.001 || seconds < std::min(at_low, at_high) * 0.999 || at_low == at_high)
    return std::nullopt;
  for (int i = 0; i < 60; ++i) {
    const double middle = std::sqrt(low * high);
    ((step(middle) > seconds) == falls ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

}  // namespace hlolint
