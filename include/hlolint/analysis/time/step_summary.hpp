// A step in a few numbers: its time, what is computed in it, and what no model knows (time_model.md 4.2, 6.2).
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>

#include <cstddef>
#include <string_view>

namespace hlolint {

/// Of one run of a scheduled module's entry. Seconds; they mean nothing on a device without a name.
struct step_summary {
  /// Precondition: the module is scheduled, and `time` is of it.
  step_summary(const hlo_module& module, const exposed_time& time)
      : step(time.step()), compute(time.compute()), exposed(time.exposed()) {
    loops_counted_once = time.loops_of_unknown_count().size();
    device whole = time.on();
    whole.matrix_unit = 0;  // operations of the model, not those that fill up tiles
    const work_times counted(module, whole);
    double flops = 0;
    for (const hlo_computation c : module.computations()) {
      const double runs = time.runs_of(c);
      if (runs <= 0) continue;
      for (const hlo_instruction i : c.instructions()) {
        if (!may_multiply(i.opcode())) continue;
        const work w = counted.work_of(i);
        unknown_calls += w.unknown && !is_free(i) && !user_time(i) && !printed_time(whole, i);
        if (w.flops > 0 && !is_recomputed(i)) flops += w.flops * runs;
      }
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
