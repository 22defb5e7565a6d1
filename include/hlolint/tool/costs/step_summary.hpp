// A step in a few numbers: its times, its utilization, its unknown parts, and its work by lines of the program
// (time_model.md 4.2, 6.2).
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/program_pass.hpp>
#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/analysis/transfers/transfer_sources.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/source_position.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace hlolint {

/// One run of a scheduled module's entry. Seconds, which mean nothing on a device without a name.
struct step_summary {
  /// Precondition: the module is scheduled, and `time` is of it.
  step_summary(const hlo_module& module, const exposed_time& time)
      : step(time.step()), compute(time.compute()), exposed(time.exposed()) {
    loops_counted_once = time.loops_of_unknown_count().size();
    // The times computed for the step are those of all instructions that run.
    std::vector<detail::summed_work::noted_work> noted = time.seconds().noted();
    std::stable_sort(noted.begin(), noted.end(),
                     [](const auto& a, const auto& b) { return a.instruction < b.instruction; });
    double seconds = 0;  // at the peak of the matrix units
    for (const detail::summed_work::noted_work& w : noted) {
      const hlo_instruction i{&module.data(), w.instruction};
      const double runs = time.runs_of(i.computation());
      if (runs <= 0 || !may_multiply(i.opcode())) continue;
      unknown_calls += w.unknown;
      if (w.flops <= 0 || is_recomputed(i)) continue;
      const work own = time.work().work_of(i);
      seconds += detail::over(own.model_flops, matmul_peak(time.on(), own.type.value_or(element_type::f32))) * runs;
    }
    for (const exposed_transfer& t : time.transfers()) unknown_calls += t.in_step && awaits_host(t.start);
    if (step > 0) utilization = std::min(1.0, seconds / step);
  }
  /// From a cache.
  template <analysis_cache Cache>
  explicit step_summary(const Cache& made) : step_summary(*made.hlo(), made.template get<exposed_time>()) {}
  /// With a new `exposed_time`.
  step_summary(const hlo_module& module, const device& on) : step_summary(module, exposed_time(module, on)) {}

  double step = 0;     ///< the whole step
  double compute = 0;  ///< work
  double exposed = 0;  ///< waiting for transfers
  /// Model FLOP utilization: the program's multiplications, without recomputation that saves memory, as a share of what
  /// the matrix units can do in the types that they multiply.
  double utilization = 0;
  /// Calls of unknown time, callbacks on the host among them, which make `step` a lower bound.
  std::size_t unknown_calls = 0;
  /// Loops of unknown trip count, which make `step` a lower bound.
  std::size_t loops_counted_once = 0;

 private:
  static constexpr bool may_multiply(hlo_opcode opcode) {
    using enum hlo_opcode;
    return opcode == dot || opcode == convolution || opcode == fusion || opcode == custom_call ||
           opcode == ragged_dot || opcode == scaled_dot || opcode == cholesky || opcode == triangular_solve;
  }
};

/// Work of one kind from one place of the program.
struct source_work {
  std::string source;  ///< `file:line`, else the name of the operation; empty if the text has neither
  std::string kind;    ///< the opcode, the target of a custom call, or the operation that a fusion was named for
  work_bound bound = work_bound::nothing;  ///< the bottleneck
  double seconds = 0;                      ///< of all runs in one step
  double runs = 0;                         ///< of all instructions in one step
  std::size_t instructions = 0;            ///< number of instructions
  hlo_instruction longest;                 ///< the instruction that takes most time
  /// Its place; without one the instruction's name or, of several, `8 without a line, the longest copy.731`.
  std::string place() const {
    if (!source.empty()) return source;
    const std::string name(longest.name());
    return instructions > 1 ? std::to_string(instructions) + " without a line, the longest " + name : name;
  }
};

/// The work of a step by place, kind and bound, most time first, and the calls whose work is unknown.
class work_by_source {
 public:
  /// O(n log n) in the instructions.
  explicit work_by_source(const hlo_module& module, const exposed_time& time) {
    std::map<std::tuple<std::string, std::string, work_bound>, std::size_t> known;
    std::vector<double> longest;
    for (const hlo_computation c : module.computations()) {
      const double runs = time.runs_of(c);
      if (runs <= 0) continue;
      for (const hlo_instruction i : c.instructions()) {
        const hlo_opcode op = i.opcode();
        if (is_free(i) || time.links().of(i) || is_transfer_opcode(op) || calls_sequentially(op)) continue;
        work done;
        const work_time own = time.work().of(i, done);
        const bool may_be_unknown =
            op == hlo_opcode::custom_call || op == hlo_opcode::cholesky || op == hlo_opcode::triangular_solve;
        if (may_be_unknown && own.bound != work_bound::printed && done.unknown) unknown_.push_back(i);
        if (own.seconds <= 0) continue;
        const auto [found, added] = known.try_emplace({source_of(i), kind_of(i), own.bound}, list_.size());
        if (added) {
          source_work& entry = list_.emplace_back();
          std::tie(entry.source, entry.kind, entry.bound) = found->first;
          longest.push_back(-1);
        }
        source_work& entry = list_[found->second];
        entry.seconds += own.seconds * runs, entry.runs += runs, ++entry.instructions;
        if (own.seconds * runs > longest[found->second]) longest[found->second] = own.seconds * runs, entry.longest = i;
      }
    }
    for (const exposed_transfer& t : time.transfers())
      if (t.in_step && awaits_host(t.start)) unknown_.push_back(t.start);
    std::stable_sort(list_.begin(), list_.end(),
                     [](const source_work& a, const source_work& b) { return a.seconds > b.seconds; });
  }

  /// Most time first.
  const std::vector<source_work>& list() const { return list_; }
  /// Calls of unknown time, such as solvers and callbacks on the host, which count with the least that they move or
  /// compute.
  std::size_t unknown_calls() const { return unknown_.size(); }
  /// The instructions that they are.
  const std::vector<hlo_instruction>& unknown() const { return unknown_; }

 private:
  static std::string source_of(hlo_instruction i) { return program_place_of(i).text(); }
  static std::string kind_of(hlo_instruction i) {
    if (i.opcode() != hlo_opcode::custom_call) return std::string(i.opcode_text());
    const auto target = get<custom_call_target>(i);
    return target && !target->name.empty() ? target->name : std::string("custom-call");
  }

  std::vector<source_work> list_;
  std::vector<hlo_instruction> unknown_;
};

}  // namespace hlolint
