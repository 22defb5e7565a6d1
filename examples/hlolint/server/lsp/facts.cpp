#include "facts.hpp"

#include <hlolint/analysis/assignment/assignment_rules.hpp>
#include <hlolint/analysis/buffers/value_table.hpp>
#include <hlolint/lint/memory_estimate.hpp>
#include <hlolint/report/findings/finding_groups.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/tool/memory/memory_profile.hpp>
#include <hlolint/tool/report/time/time_facts.hpp>

namespace hlolint::command::server::lsp {

step_times::step_times(const recorded_step& step, const hlo_module& module) : ms_(module.instruction_count()) {
  for (const instruction_cost& cost : step.costs.rows()) ms_[cost.instruction.id()] += cost.total() * 1e3;
}

double step_times::ms_of(hlo_computation c) const {
  double out = 0;
  for (const hlo_instruction i : c.instructions()) out += ms_[i.id()];
  return out;
}

const step_times* times_of(const context& module) {
  if (!report::missing_for_time(module).empty() || module.device().is_relative()) return nullptr;
  return &module.get<step_times>();
}

std::optional<byte_count> bytes_of(const shape& whole, target on) {
  checked_int64 sum = 0;
  bool known = true;
  for_each_subshape(whole, [&](const shape_index&, const shape& part) {
    if (part.is_tuple()) return;
    const auto bytes = size_in_memory(part, on);
    known = known && (bytes || !part.is_array());
    if (bytes && part.is_array()) sum += *bytes;
  });
  return known ? std::optional(sum.clamped()) : std::nullopt;
}

std::optional<byte_count> bytes_of(hlo_instruction i, const context* module) {
  return i.shape() ? bytes_of(*i.shape(), module ? module->target() : target::unknown) : std::nullopt;
}

std::optional<byte_count> in_use_at(const context& module, hlo_instruction i) {
  const context& with = with_memory(module);
  if (!with.has(need::live_ranges)) return std::nullopt;
  const auto position = with.get<value_table>().position_of(i.name());
  if (!position) return std::nullopt;
  return main_curve(with.get<occupancy>(), with.target()).at(*position);
}

std::string time_text(double ms) { return duration_text(ms / 1e3); }

}  // namespace hlolint::command::server::lsp
