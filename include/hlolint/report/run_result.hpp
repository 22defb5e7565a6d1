// The whole result of a run as plain values, from which reports are written.
#pragma once

#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/lint/rank_summary.hpp>
#include <hlolint/lint/rule.hpp>
#include <hlolint/text/diagnostic.hpp>

#include <optional>
#include <string>
#include <vector>

namespace hlolint::report {

/// One file that was read, in numbers. If it holds several modules, the numbers are sums.
struct input_summary {
  std::string path;                                   ///< as given or found
  input_kind kind = input_kind::unknown;              ///< by its content
  std::string module;                                 ///< empty = not known
  hlolint::target target = hlolint::target::unknown;  ///< the backend that linting decided on
  parse_status status = parse_status::failed;         ///< how much of it could be read
  std::size_t modules = 0;                            ///< how many it holds
  std::optional<std::size_t> computations;            ///< none if it holds no HLO
  std::optional<std::size_t> instructions;            ///< of all computations
  std::optional<std::size_t> allocations;             ///< none if it holds no buffer assignment
  std::optional<std::size_t> values;                  ///< assigned to the allocations
  std::vector<file_part> parts;                       ///< of a text with several
};

/// How many findings there are of each level.
struct level_counts {
  std::size_t errors = 0;     ///< that are not dismissed
  std::size_t warnings = 0;   ///< that are not dismissed
  std::size_t notes = 0;      ///< that are not dismissed
  std::size_t dismissed = 0;  ///< by a suppression or the baseline, of any level

  /// Counts a finding.
  void add(const diagnostic& found) {
    ++(found.dismissed                    ? dismissed
       : found.level == severity::error   ? errors
       : found.level == severity::warning ? warnings
                                          : notes);
  }
};

/// The step of a checked module; the times of its findings are parts of it.
struct module_step {
  std::string module;                  ///< its name
  std::string path;                    ///< of its text
  std::string device;                  ///< of the times; empty: not known, so that only ratios of times mean anything
  std::string evidence;                ///< what the device was guessed from; empty if it is known
  double seconds = 0;                  ///< of all
  double compute = 0;                  ///< in which the device works
  double exposed = 0;                  ///< in which it waits for transfers
  double utilization = 0;              ///< model FLOP utilization, from 0 to 1
  std::size_t unknown_calls = 0;       ///< calls of unknown time: the step takes at least `seconds`
  std::size_t loops_counted_once = 0;  ///< loops of unknown count: the step takes at least `seconds`
  double recomputed = 0;               ///< of `seconds`: values that are computed again in the backward pass
  double launches = 0;                 ///< of `compute`: kernels that take longer to start than to run
  double kernels = 0;                  ///< how many of these run in a step
  bool measured = false;               ///< by a profile; otherwise the times are estimates
  double idle = 0;                     ///< measured: in which the device has nothing to do
};

/// A whole run.
struct run_result {
  std::string tool_name = "hlolint";              ///< the program that reports
  std::string tool_version;                       ///< its version
  std::vector<input_summary> inputs;              ///< in the order given
  std::vector<diagnostic> diagnostics;            ///< of the files and of all modules, in the order of the inputs
  std::vector<diagnostic> not_shown;              ///< notes that are off by default: only their number and costs count
  std::size_t not_searched = 0;                   ///< modules in which what orders could save was not counted
  std::vector<skipped_check> skipped;             ///< checks that were enabled and could not run
  std::vector<module_step> steps;                 ///< of the modules that have a schedule, in the order of the inputs
  std::size_t ignored_files = 0;                  ///< files of a directory that are not dumps
  std::optional<compare::rank_summary> compared;  ///< if ranks were
};

/// The numbers of a file. Linting sets the target later.
inline input_summary summarize(const parsed_file& file) {
  input_summary out;
  out.path = file.text.path();
  out.kind = file.kind;
  out.status = file.status;
  out.parts = file.parts;
  out.modules = file.modules().size();
  if (!file.modules().empty()) {
    out.module = file.modules().front().name();
    std::size_t computations = 0, instructions = 0;
    for (const hlo_module& module : file.modules()) {
      computations += module.computation_count();
      instructions += module.instruction_count();
    }
    out.computations = computations;
    out.instructions = instructions;
  }
  if (file.buffers && file.buffers->has_assignment()) {
    out.allocations = file.buffers->allocations().size();
    out.values = file.buffers->values().size();
  } else if (file.buffers && file.buffers->has_used_values()) {
    out.values = file.buffers->used_values().size();
  }
  return out;
}

/// Dismissed findings are counted apart.
inline level_counts count_levels(const std::vector<diagnostic>& diagnostics) {
  level_counts out;
  for (const diagnostic& found : diagnostics) out.add(found);
  return out;
}

}  // namespace hlolint::report
