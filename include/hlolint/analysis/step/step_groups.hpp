// The time of a step, summed by what its instructions have in common. The sums add up to the step.
#pragma once

#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/analysis/step/instruction_costs.hpp>
#include <hlolint/analysis/step/weights_read.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace hlolint {

/// What the time of a step is summed by.
enum class time_by : std::uint8_t { nothing, source, scope, opcode, category, weight, computation };

/// As the option `--by` has it; empty for `nothing`.
constexpr std::string_view name_of(time_by by) {
  constexpr std::string_view names[] = {"", "source", "scope", "opcode", "category", "weight", "computation"};
  return names[static_cast<std::size_t>(by)];
}

/// A part of the step. Seconds of all runs.
struct step_group {
  std::string name;  ///< what its instructions have in common
  double seconds = 0;             ///< work and waiting
  double exposed = 0;             ///< of these, waiting for transfers
  double matrix_seconds = 0;      ///< what its products take at the peak of the matrix units
  double memory_seconds = 0;      ///< what its bytes take at the peak of the memory
  double runs = 0;                ///< of all its instructions
  std::size_t instructions = 0;   ///< how many there are
  hlo_instruction longest;        ///< the one of them that takes most time; empty if there is none
};

/// The name of what an instruction without a source, an operation or a weight belongs to.
constexpr std::string_view without_group(time_by by) {
  return by == time_by::weight ? "(not traced)" : "(not known)";
}

/// What an instruction is counted with. `weights` is needed for `time_by::weight` alone.
inline std::string group_of(const instruction_cost& cost, time_by by, const weights_read* weights) {
  const hlo_instruction i = cost.instruction;
  switch (by) {
    case time_by::source: {
      const program_place from = program_place_of(i);
      if (!from.at) return {};
      return from.at.file + (from.at.line > 0 ? ':' + std::to_string(from.at.line) : std::string{});
    }
    case time_by::scope: {
      std::string name = program_place_of(i).op_name;
      const std::size_t end = name.rfind('/');
      return end == std::string::npos ? std::string{} : name.substr(0, end);
    }
    case time_by::opcode:
      return std::string(i.opcode_text());
    case time_by::category:
      return cost.category;
    case time_by::weight:
      if (!weights) return {};
      if (std::string weight = weights->of(i); !weight.empty()) return weight;
      return weights->reads_results_alone(i) ? "(no weight)" : "";
    case time_by::computation:
      return std::string(i.computation().name());
    case time_by::nothing:
      break;
  }
  return {};
}

/// The groups, most time first. What no instruction has is `(not attributed)`. O(n log n).
inline record_list<step_group> group_step(const instruction_costs& costs, time_by by,
                                          const weights_read* weights = nullptr) {
  record_list<step_group> out;
  std::unordered_map<std::string, std::size_t> known;
  record_list<double> longest;
  for (const instruction_cost& cost : costs.rows()) {
    if (cost.total() <= 0) continue;
    std::string name = group_of(cost, by, weights);
    if (name.empty()) name = without_group(by);
    const auto [found, added] = known.try_emplace(name, out.size());
    if (added) out.emplace_back().name = name, longest.push_back(-1);
    step_group& group = out[found->second];
    group.seconds += cost.total(), group.exposed += cost.exposed * cost.runs, group.runs += cost.runs;
    group.matrix_seconds += cost.matrix_seconds * cost.runs, group.memory_seconds += cost.memory_seconds * cost.runs;
    ++group.instructions;
    if (cost.total() > longest[found->second]) longest[found->second] = cost.total(), group.longest = cost.instruction;
  }
  if (std::abs(costs.not_attributed()) > 1e-9 * costs.step()) {
    out.emplace_back().name = "(not attributed)";
    out.back().seconds = costs.not_attributed();
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const step_group& a, const step_group& b) { return a.seconds > b.seconds; });
  return out;
}

}  // namespace hlolint
