// A step in a few numbers: its time, what is computed in it, and what no model knows (time_model.md 4.2, 6.2).
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace hlolint {

/// Of one run of a scheduled module's entry. Seconds; they mean nothing on a device without a name.
struct step_summary {
  /// Precondition: the module is scheduled, and `time` is of it.
  step_summary(const hlo_module& module, const exposed_time& time)
      : step(time.step()), compute(time.compute()), exposed(time.exposed()) {
    loops_counted_once = time.loops_of_unknown_count().size();
    // What was asked for to know the step is all that runs.
    record_list<detail::summed_work::noted_work> noted = time.seconds().noted();
    std::sort(noted.begin(), noted.end(), [](const auto& a, const auto& b) { return a.instruction < b.instruction; });
    device whole = time.on();
    whole.matrix_unit = 0;  // operations of the model, not those that fill up tiles
    optional<work_times> counted;
    double flops = 0;
    for (const detail::summed_work::noted_work& w : noted) {
      const hlo_instruction i{&module.data(), w.instruction};
      const double runs = time.runs_of(i.computation());
      if (runs <= 0 || !may_multiply(i.opcode())) continue;
      unknown_calls += w.unknown;
      if (w.flops <= 0 || is_recomputed(i)) continue;
      if (time.on().matrix_unit > 0 && !counted) counted.emplace(module, whole);
      flops += (counted ? counted->work_of(i).flops : w.flops) * runs;
    }
    if (step > 0 && whole.f16_flops > 0) utilisation = flops / (step * whole.f16_flops);
  }
  /// As a context makes it.
  template <analysis_cache Cache>
  explicit step_summary(const Cache& made) : step_summary(*made.hlo(), made.template get<exposed_time>()) {}
  /// As `exposed_time` is made.
  step_summary(const hlo_module& module, const device& on) : step_summary(module, exposed_time(module, on)) {}

  double step = 0;     ///< of all
  double compute = 0;  ///< in which the device works
  double exposed = 0;  ///< in which it waits for transfers
  /// Model FLOP utilisation: multiplications of the program, without what is computed a second time to save memory, as
  /// a share of what the matrix units could do in 16 bits meanwhile.
  double utilisation = 0;
  /// Calls of which no model knows the time: the step takes at least `step`.
  std::size_t unknown_calls = 0;
  /// Loops of which nothing gives the number of iterations: likewise.
  std::size_t loops_counted_once = 0;

 private:
  static constexpr bool may_multiply(hlo_opcode opcode) {
    using enum hlo_opcode;
    return opcode == dot || opcode == convolution || opcode == fusion || opcode == custom_call ||
           opcode == ragged_dot || opcode == scaled_dot || opcode == cholesky || opcode == triangular_solve;
  }
  static bool is_recomputed(hlo_instruction i) {
    if (i.name().find(".remat") != std::string_view::npos) return true;
    const auto metadata = i.attribute(attribute_key::metadata);
    return metadata && metadata->find("rematted_computation") != std::string_view::npos;
  }
};

}  // namespace hlolint
