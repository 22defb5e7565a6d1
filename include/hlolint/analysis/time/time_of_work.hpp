// The time of work of each instruction and computation on a device (time_model.md 4, 5).
#pragma once

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/calling_instructions.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/trip_count.hpp>
#include <hlolint/analysis/time/amount_of_work.hpp>
#include <hlolint/analysis/time/custom_call_work.hpp>
#include <hlolint/analysis/time/fusion_work.hpp>
#include <hlolint/analysis/time/memory_traffic.hpp>
#include <hlolint/grammar/attributes/json.hpp>
#include <hlolint/ir/module.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// The version of the model of time that time_model.md describes.
inline constexpr int time_model_version = 12;

/// Seconds that XLA printed (time_model.md 5), without the start of the kernel: from cycles of a TPU, or the first
/// usable entry of `reification_cost` of a GPU. Nothing if the text has none, 0 or "unknown".
inline std::optional<double> printed_time(const device& on, hlo_instruction i) {
  if (on.is_tpu()) {
    constexpr double unknown = 4611686018427387904.0;  // 2^62
    const auto text = config_value(i, "window_config", "estimated_cycles");
    const auto value = text ? detail::amount_in(*text) : std::nullopt;
    return value && *value > 0 && *value < unknown && on.clock > 0 ? std::optional(*value / on.clock) : std::nullopt;
  }
  if (!may_hold(i, attribute_key::backend_config, "exec_time_us")) return std::nullopt;  // nearly always
  auto list = config_value(i, "reification_cost");
  for (const std::string_view old : {"gemm_backend_config", "collective_backend_config"})
    if (!list) list = config_value(i, old, "reification_cost");
  std::optional<double> seconds;
  if (list)
    json_for_each(*list, [&](std::string_view, std::string_view entry) {
      const auto text = seconds ? std::nullopt : json_find(entry, "exec_time_us");
      const auto value = text ? detail::amount_in(*text) : std::nullopt;
      if (value && *value > 0) seconds = *value * 1e-6;
    });
  return seconds;
}

/// Seconds of the bundles of an instruction on a TPU, which its compiler counts on request (time_model.md 5); nothing
/// if it did not.
inline std::optional<double> bundle_time(const device& on, hlo_instruction i) {
  if (!on.is_tpu() || on.clock <= 0) return std::nullopt;
  const auto text = config_value(i, "bundle_analysis_data", "estimated_cycles");
  const auto cycles = text ? detail::amount_in(*text) : std::nullopt;
  return cycles && *cycles > 0 ? std::optional(*cycles / on.clock) : std::nullopt;
}

/// How many groups of rows a fusion of a TPU multiplies with a matrix each (`jax.lax.ragged_dot`); 1 for all else. Its
/// body multiplies all rows with all matrices; the products that a mask drops are skipped (time_model.md 4.2).
inline double ragged_groups(hlo_instruction fusion) {
  const auto text = config_value(fusion, "convolution_algorithm_config", "num_groups_in_ragged_dot");
  return std::max(1.0, text ? detail::amount_in(*text).value_or(1) : 1);
}

/// Seconds of an instruction from the user's `latency_metadata`, in nanoseconds.
inline std::optional<double> user_time(hlo_instruction i) {
  const auto text = frontend_value(i, "latency_metadata");
  const auto nanoseconds = text ? detail::amount_in(*text) : std::nullopt;
  return nanoseconds ? std::optional(*nanoseconds * 1e-9) : std::nullopt;
}

/// Whether an instruction takes no time on any device.
inline bool is_free(hlo_instruction i) {
  if (takes_no_time(i.opcode()) || i.opcode() == hlo_opcode::get_dimension_size) return true;
  if (i.opcode() != hlo_opcode::custom_call) return false;
  std::string_view target = i.attribute(attribute_key::custom_call_target).value_or(std::string_view{});
  if (target.size() >= 2) target = target.substr(1, target.size() - 2);  // quotes
  return is_free_target(target);
}

/// Work and times of the instructions of a module, without computations called step by step (while, call, conditional);
/// a fusion counts as a whole. One thread uses one object.
class work_times {
 public:
  /// O(n log n) in the module, at most.
  work_times(const hlo_module& module, const device& on) : device_(on), traffic_(on), fusions_(module, on) {}

  /// The work of an instruction, computed anew.
  work work_of(hlo_instruction i) const { return is_free(i) ? work{} : work_of_busy(i); }

  /// The user's own time if there is one, else the printed time, else the roofline. What TPU dumps print for a window
  /// is a price for choosing windows: it counts only for matrix products, and only near the roofline.
  work_time of(hlo_instruction i) const {
    work w;
    return of(i, w);
  }
  /// The time and, in `w`, the work, which is `unknown` only if the time is.
  work_time of(hlo_instruction i, work& w) const {
    w = {};
    if (is_free(i)) return {};
    w = work_of_busy(i);
    if (const auto own = user_time(i)) {
      w.unknown = false;
      return {*own, work_bound::printed};
    }
    const work_time estimated = kernel_time(device_, w);
    if (device_.is_tpu()) return on_tpu(i, w, estimated);
    const auto printed = printed_time(device_, i);
    if (!printed) return estimated;
    w.unknown = false;
    return {*printed + device_.kernel_overhead,
            *printed < device_.kernel_overhead ? work_bound::launch : work_bound::printed};
  }

  /// The device.
  const device& on() const { return device_; }

 private:
  /// What the compiler printed replaces the part of the roofline that it knows better (time_model.md 5).
  work_time on_tpu(hlo_instruction i, work& w, const work_time& estimated) const {
    const double efficiency = as_scheduled(device_).matmul_efficiency / device_.matmul_efficiency;
    if (const auto bundles = bundle_time(device_, i)) {
      w.unknown = false;
      const double seconds = *bundles * (w.flops > 0 ? efficiency : 1);
      work rest = w;
      rest.flops = 0, rest.vector = {};
      const work_time moved = kernel_time(device_, rest);
      return seconds >= moved.seconds ? work_time{seconds, work_bound::printed} : moved;
    }
    const bool by_matrix = w.flops > 0 && estimated.bound == work_bound::compute;
    const auto printed = by_matrix ? printed_time(device_, i) : std::nullopt;
    constexpr double most = 1.25;
    const double seconds = printed ? *printed * efficiency : 0;
    const double fixed = fixed_cost(device_, w);
    if (!printed || seconds > most * (estimated.seconds - fixed)) return estimated;
    w.unknown = false;
    work rest = w;
    rest.flops = 0;
    return {std::max(seconds, roofline(device_, rest).seconds) + fixed, work_bound::printed};
  }

  work work_of_busy(hlo_instruction i) const {
    if (is_transfer_opcode(i.opcode()) || is_collective(i.opcode())) return {};
    const hlo_opcode op = i.opcode();
    if (calls_sequentially(op)) return {};
    if (op == hlo_opcode::fusion) {
      work w = fusions_.of(i);
      w.scalar = is_scalar(i);
      if (const double groups = ragged_groups(i); groups > 1)
        w.flops /= groups, w.model_flops /= groups, w.vector /= groups;
      return w;
    }
    if (op == hlo_opcode::custom_call) {
      const auto [known, added] = custom_calls_.try_emplace(i.id());
      if (added) known->second = custom_call_work(device_, traffic_, i);
      return known->second;
    }
    if (op == hlo_opcode::infeed || op == hlo_opcode::outfeed) {
      work w = traffic_.whole(i);
      w.host += w.bytes(), w.read = w.written = 0;
      return w;
    }
    work w = arithmetic_of(device_, i);
    w.scalar = is_scalar(i);
    const work moved = traffic_.of(i);
    w.read = moved.read * w.kernels, w.written = moved.written * w.kernels, w.host = moved.host;
    return w;
  }

  /// Whether the result and all operands are scalars.
  static bool is_scalar(hlo_instruction i) {
    const auto small = [](const shape* s) { return s && s->is_array() && s->rank() == 0; };
    bool is_small = small(i.shape());
    for (std::size_t k = 0; is_small && k < i.operand_count(); ++k) is_small = small(shape_of_operand(i, k));
    return is_small;
  }

  device device_;
  memory_traffic traffic_;
  fusion_work fusions_;
  mutable std::map<id, work> custom_calls_;  // those asked for: their configurations take long to read
};

namespace detail {

/// Times of instructions, and sums over computations, each computed on first use.
class summed_work {
 public:
  /// An instruction that multiplies matrices, or whose time is unknown.
  struct noted_work {
    id instruction;
    double flops;
    bool unknown;
  };

  /// Refers to `times`. `trips`: of loops with an unknown count.
  summed_work(const work_times& times, hlo_module module, std::int64_t trips)
      : times_(times),
        module_(std::move(module)),
        trips_(std::max<std::int64_t>(trips, 1)),
        seconds_(module_.instruction_count(), -1) {}
  /// Starts with the times that `known` has computed.
  summed_work(const summed_work& known, std::int64_t trips) : summed_work(known) {
    trips_ = std::max<std::int64_t>(trips, 1);
    sums_ = {};
  }

  /// Seconds of an instruction without computations called step by step.
  double of(hlo_instruction i) {
    double& known = seconds_[i.id()];
    if (known >= 0) return known;
    work done;
    known = times_.of(i, done).seconds;
    if (done.flops > 0 || done.unknown) noted_.push_back({i.id(), done.flops, done.unknown});
    return known;
  }

  /// Seconds of all instructions of a computation in sequence: loops by their counts, of branches the slowest. 0 for a
  /// part of an instruction, such as the body of a fusion.
  double of(hlo_computation c) {
    if (sums_.empty()) sum_up();
    return sums_[c.id()];
  }

  /// The noted instructions among those computed so far, in order of computation.
  const std::vector<noted_work>& noted() const { return noted_; }

  /// Seconds of an instruction with computations called step by step; 0 for transfers.
  double with_calls(hlo_instruction i) {
    if (runs_sparse_core(i)) {
      double sum = 0;
      for (const hlo_computation called : i.called_computations())
        if (called) sum += of(called);
      return sum;
    }
    if (!calls_sequentially(i.opcode())) return is_transfer_opcode(i.opcode()) || is_collective(i.opcode()) ? 0 : of(i);
    double sum = 0, most = 0;
    for (const hlo_computation called : i.called_computations())
      if (called) sum += of(called), most = std::max(most, of(called));
    if (i.opcode() == hlo_opcode::conditional) return most;
    if (i.opcode() == hlo_opcode::call) return sum;
    const trip_count count = trip_count_of(i);
    return sum * static_cast<double>(count.basis == trip_basis::unknown ? trips_ : count.times);
  }

 private:
  /// Whether a custom call stands for HLO that a SparseCore runs.
  static bool runs_sparse_core(hlo_instruction i) {
    const hlo_computation called = i.opcode() == hlo_opcode::custom_call ? first_called(i) : hlo_computation{};
    return called && called.execution_thread() == "sparsecore";
  }

  void sum_up() {
    sums_.resize(module_.computation_count());
    // The bodies of fusions, which are most of a big program, count with their callers.
    std::vector<bool> inside(module_.computation_count()), by_step(module_.computation_count());
    for (const hlo_instruction i : module_.instructions())
      for (const hlo_computation called : i.called_computations())
        if (called)
          (calls_sequentially(i.opcode()) || is_async_opcode(i.opcode()) || runs_sparse_core(i) ? by_step
                                                                                                : inside)[called.id()] =
              true;
    for (const hlo_computation c : callees_first(module_)) {
      if (inside[c.id()] && !by_step[c.id()]) continue;
      for (const hlo_instruction i : c.instructions()) {
        sums_[c.id()] += with_calls(i);
        if (i.opcode() == hlo_opcode::async_start)  // counts as if awaited at once
          for (const hlo_computation called : i.called_computations())
            if (called) sums_[c.id()] += sums_[called.id()];
      }
    }
  }

  const work_times& times_;
  hlo_module module_;
  std::int64_t trips_;
  std::vector<double> seconds_;  // by instruction; negative: not computed
  std::vector<double> sums_;     // by computation; empty: not computed
  std::vector<noted_work> noted_;
};

}  // namespace detail

}  // namespace hlolint
