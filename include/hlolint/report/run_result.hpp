// All that a run has to say, as plain values: what renderers render.
#pragma once

#include <hlolint/compare/rank_summary.hpp>
#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/lint/skipped_check.hpp>
#include <hlolint/text/diagnostic.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hlolint {

/// One file that was read, in numbers. If it holds several modules, the numbers are sums.
struct input_summary {
  std::string path;
  input_kind kind = input_kind::unknown;
  std::string module;  ///< empty = not known
  hlolint::target target = hlolint::target::unknown;
  parse_status status = parse_status::failed;
  std::size_t modules = 0;
  std::optional<std::size_t> computations;
  std::optional<std::size_t> instructions;
  std::optional<std::size_t> allocations;
  std::optional<std::size_t> values;
};

/// How many findings there are of each level.
struct level_counts {
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t notes = 0;
  std::size_t dismissed = 0;  ///< by a suppression or the baseline, of any level
  friend bool operator==(const level_counts&, const level_counts&) = default;
};

/// A whole run.
struct run_result {
  std::string tool_name = "hlolint";
  std::string tool_version;
  std::vector<input_summary> inputs;
  std::vector<diagnostic> diagnostics;
  std::vector<skipped_check> skipped;
  std::size_t ignored_files = 0;  ///< files of a directory that are no dumps
  std::optional<rank_summary> compared;  ///< if ranks were
};

/// The numbers of a file. The target is not its business: linting decides it.
inline input_summary summarize(const parsed_file& file) {
  input_summary out;
  out.path = file.text.path();
  out.kind = file.kind;
  out.status = file.status;
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
  if (file.buffers) {
    if (file.buffers->has_assignment()) {
      out.allocations = file.buffers->allocations().size();
      out.values = file.buffers->values().size();
    } else if (file.buffers->has_used_values()) {
      out.values = file.buffers->used_values().size();
    }
  }
  return out;
}

/// Dismissed findings are counted apart.
inline level_counts count_levels(const std::vector<diagnostic>& diagnostics) {
  level_counts out;
  for (const diagnostic& found : diagnostics)
    ++(found.dismissed                       ? out.dismissed
       : found.level == severity::error      ? out.errors
       : found.level == severity::warning    ? out.warnings
                                             : out.notes);
  return out;
}

}  // namespace hlolint
