// The starts of kernels in a step, and the kernels that run shorter than they take to start (time_model.md 4.2).
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/ir/module.hpp>

#include <algorithm>
#include <vector>

namespace hlolint {

/// Kernels of one step. On a TPU, whose core runs one program, there are none.
struct launches {
  /// Linear in the module. Precondition: `time` is of it.
  launches(const hlo_module& module, const exposed_time& time) {
    if (time.on().is_tpu()) return;
    double most = 0;
    std::vector<bool> beside(module.computation_count());  // kernels that start on another stream
    for (const hlo_instruction i : module.instructions())
      if (i.opcode() == hlo_opcode::async_start)
        if (const hlo_computation called = first_called(i)) beside[called.id()] = true;
    for (const hlo_computation c : module.computations()) {
      const double runs = time.runs_of(c);
      if (runs <= 0 || beside[c.id()]) continue;
      double here = 0;
      for (const hlo_instruction i : c.instructions()) {
        if (calls_sequentially(i.opcode()) || is_transfer_opcode(i.opcode())) continue;
        work w;
        const work_time own = time.work().of(i, w);
        if (own.seconds <= 0 || own.bound == work_bound::host) continue;
        here += runs * w.kernels, start_seconds += runs * std::min(own.seconds, start_of_kernel(time.on(), w));
        if (own.bound == work_bound::launch) short_kernels += runs * w.kernels, short_seconds += own.seconds * runs;
      }
      kernels += here;
      if (here > most) most = here, busiest = c;
    }
    busiest_kernels = most;
  }
  /// From a cache.
  template <analysis_cache Cache>
  explicit launches(const Cache& made) : launches(*made.hlo(), made.template get<exposed_time>()) {}

  double kernels = 0;          ///< that run
  double start_seconds = 0;    ///< what starting them takes: no step of these kernels is shorter
  double short_kernels = 0;    ///< that run shorter than they take to start
  double short_seconds = 0;    ///< of those, with their start
  hlo_computation busiest;     ///< the computation that runs most of them; empty if there are none
  double busiest_kernels = 0;  ///< how many of them it runs in a step
};

}  // namespace hlolint
