// Why the assignment that a module's XLA made may differ from the one by the rules of its likely day (assignment.md 7).
#pragma once

#include <hlolint/analysis/assignment/assignment_rules.hpp>
#include <hlolint/analysis/assignment/buffer_assignment.hpp>
#include <hlolint/analysis/assignment/buffer_plan.hpp>
#include <hlolint/analysis/assignment/xla_period.hpp>
#include <hlolint/ir/target.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

namespace hlolint {

namespace detail {
// The plan by other rules.
inline buffer_plan plan_by(const assignment_rules& other, const buffer_assignment& made, bool same_values) {
  assignment_rules aligned = made.rules();
  aligned.alignment = other.alignment;
  if (other == aligned) return made.aligned_plan(other.alignment);
  const auto sets = same_values ? made.share_sets() : std::make_shared<const alias_sets>(made.sets().by(other.values));
  return buffer_assignment(sets, other).plan();
}
}  // namespace detail

/// Why XLA's assignment may differ from `plan`, half a sentence; empty: it does not. `plan` is that of `made` for the
/// order of the text, by the rules of the likely day of the period. They are compared with those of its first and its
/// last day: a change raises a doubt only if the result differs. O(n log n).
inline std::string assignment_doubt(const buffer_assignment& made, const buffer_plan& plan, target on,
                                    xla_period period) {
  const auto is_collective_memory = [](const planned_allocation& a) { return a.is_temporary() && a.color == 1; };
  if (on == target::unknown) return "the target is not known (--target)";
  if (on == target::tpu) return "the compiler for TPUs divides memory spaces by rules that are not public";
  if (made.storage().has_unknown_size()) return "a shape has no size that is known";
  if (!plan.is_exact) return "the search for places was cut short";
  if (on == target::gpu && period.last >= assignment_rules::gpu_shares_colors &&
      std::ranges::any_of(plan.allocations, is_collective_memory))
    return "since June 2026 XLA may put values into memory that collectives leave free";
  if (period.is_known()) return {};
  for (const std::int32_t day : {period.first, period.last}) {
    if (day == period.likely()) continue;
    assignment_rules rules = assignment_rules::of(on, day);
    const bool same_values = made.sets().hold_by(rules.values);
    if (same_values) rules.values = made.rules().values;
    if (rules == made.rules()) continue;  // the same plan
    const buffer_plan other = detail::plan_by(rules, made, same_values);
    if (other.total == plan.total && other.temporaries == plan.temporaries) continue;
    return "the version of XLA is not known (--xla-date), and " +
           std::string(day == period.first ? "earlier" : "later") + " ones assign " + std::to_string(other.total) +
           " bytes instead of " + std::to_string(plan.total);
  }
  return {};
}

}  // namespace hlolint
