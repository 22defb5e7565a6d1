// Rates and efficiencies of a device from measured steps (time_model.md 1, profiles.md 6).
#pragma once

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/ir/element_type.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/tool/measured/measured_module.hpp>
#include <hlolint/tool/measured/measured_step.hpp>
#include <hlolint/tool/profile/profile.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hlolint {

/// The parameters of a device that can be fitted.
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
inline constexpr std::size_t device_parameters = 8;  ///< their number

/// The key in a device file.
constexpr std::string_view name_of(device_parameter p) {
  constexpr std::string_view names[] = {"memory-efficiency",    "matmul-efficiency",  "f32-matmul-efficiency",
                                        "attention-efficiency", "kernel-overhead-us", "bus-gb-per-s",
                                        "network-gb-per-s",     "host-gb-per-s"};
  return names[static_cast<std::size_t>(p)];
}

namespace detail {
/// The member of a device that holds a parameter; null for `links`, which two members hold.
constexpr auto member_of(device_parameter p) {
  constexpr double device::*members[] = {&device::memory_efficiency,     &device::matmul_efficiency,
                                         &device::f32_matmul_efficiency, &device::attention_efficiency,
                                         &device::kernel_overhead,       nullptr,
                                         &device::network_rate,          &device::host_rate};
  return members[static_cast<std::size_t>(p)];
}
}  // namespace detail

/// The device with another value of a parameter; the value of `links` is a factor.
inline device with_parameter(device d, device_parameter p, double value) {
  if (const auto member = detail::member_of(p))
    d.*member = value;
  else
    d.bus_rate *= value, d.pair_rate *= value;
  return d;
}
/// The present value of a parameter; 1 for `links`, a factor.
inline double value_of(const device& d, device_parameter p) {
  const auto member = detail::member_of(p);
  return member ? d.*member : 1;
}

/// Fits the parameters of a device to measured instructions. An instruction whose time one parameter decides gives one
/// sample: the value with which the estimate equals the measurement. The median of at least `least_samples` samples
/// counts.
class calibration {
 public:
  /// Fewer samples do not determine a parameter.
  static constexpr std::size_t least_samples = 5;

  /// `base`: the device to adapt.
  explicit calibration(const device& base) : base_(base) {}

  /// Adds the samples of a module. Precondition: it is scheduled, and the profile is of it (`profile_join::holds`).
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

  /// The number of samples of a parameter.
  std::size_t samples(device_parameter p) const { return of(p).size(); }
  /// The median of the samples, if there are enough.
  std::optional<double> fitted(device_parameter p) const {
    if (samples(p) < least_samples) return std::nullopt;
    const double value = median_of(of(p));
    return is_efficiency(p) ? std::min(value, 1.0) : value;
  }
  /// The device with all fitted parameters.
  device result() const {
    device out = base_;
    for (std::size_t i = 0; i < device_parameters; ++i)
      if (const auto value = fitted(static_cast<device_parameter>(i)))
        out = with_parameter(out, static_cast<device_parameter>(i), *value);
    return out;
  }

 private:
  static constexpr double shortest = 5e-6;  // below, the start of a kernel dominates

  static bool is_efficiency(device_parameter p) { return p <= device_parameter::attention_efficiency; }
  const std::vector<double>& of(device_parameter p) const { return samples_[static_cast<std::size_t>(p)]; }
  void add_sample(device_parameter p, double value) {
    if (std::isfinite(value) && value > 0) samples_[static_cast<std::size_t>(p)].push_back(value);
  }

  void add_work(const exposed_time& time, hlo_instruction i, double seconds) {
    const work w = time.work().work_of(i);
    if (w.unknown || time.work().of(i).bound == work_bound::printed) return;
    const work_time bound = roofline(base_, w);
    const double fixed = fixed_cost(base_, w);
    if (seconds < shortest) {
      const bool has_overhead = !base_.is_tpu() || w.read > 0;
      if (has_overhead && bound.seconds > 0 && bound.seconds < seconds / 4)
        add_sample(device_parameter::kernel_overhead, seconds - bound.seconds - (fixed - base_.kernel_overhead));
      return;
    }
    const double rest = seconds - fixed;
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
  std::array<std::vector<double>, device_parameters> samples_;
};

/// Ratios of estimate to measurement of instructions of one category.
struct category_ratios {
  std::vector<double> ratios;  ///< one for each instruction that has both
  double measured = 0;         ///< seconds of a run
  double estimated = 0;        ///< seconds of a run
};

/// Adds the ratios of a module on a device, by category; instructions below a microsecond do not count.
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

/// The value of a parameter for which a module's step takes `seconds`; nothing if there is none. A step becomes shorter
/// with a higher rate or efficiency and longer with a higher overhead.
inline std::optional<double> fit_to_step(const hlo_module& module, const device& base, device_parameter p,
                                         double seconds) {
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
