// The buffer assignment of the XLA that most likely compiled a module, and why it may differ (assignment.md 7).
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

/// An assignment, and why it may be wrong.
struct likely_assignment {
  buffer_plan plan;   ///< by the rules of the likely day
  std::string doubt;  ///< why XLA's may differ, half a sentence; empty: it does not
};

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

/// The assignment of an XLA of the period. The rules of the likely day are compared with those of the first and the
/// last day: a change raises a doubt only if the result differs. `made` has the rules of the likely day. O(n log n).
inline likely_assignment assign_likely(const buffer_assignment& made, target on, xla_period period) {
  likely_assignment out{made.plan(), {}};
  const auto is_collective_memory = [](const planned_allocation& a) { return a.is_temporary() && a.color == 1; };
  if (on == target::unknown)
    out.doubt = "the target is not known (--target)";
  else if (on == target::tpu)
    out.doubt = "the compiler for TPUs divides memory spaces by rules that are not public";
  else if (made.storage().has_unknown_size())
    out.doubt = "a shape has no size that is known";
  else if (!out.plan.is_exact)
    out.doubt = "the search for places was cut short";
  else if (on == target::gpu && period.last >= assignment_rules::gpu_shares_colors &&
           std::any_of(out.plan.allocations.begin(), out.plan.allocations.end(), is_collective_memory))
    out.doubt = "since June 2026 XLA may put values into memory that collectives leave free";
  if (!out.doubt.empty() || period.is_known()) return out;
  for (const std::int32_t day : {period.first, period.last}) {
    if (day == period.likely()) continue;
    assignment_rules rules = assignment_rules::of(on, day);
    const bool same_values = made.sets().hold_by(rules.values);
    if (same_values) rules.values = made.rules().values;
    if (rules == made.rules()) continue;  // the same plan
    const buffer_plan other = detail::plan_by(rules, made, same_values);
    if (other.total == out.plan.total && other.temporaries == out.plan.temporaries) continue;
    out.doubt = "the version of XLA is not known (--xla-date), and " +
                std::string(day == period.first ? "earlier" : "later") + " ones assign " + std::to_string(other.total) +
                " bytes instead of " + std::to_string(out.plan.total);
    return out;
  }
  return out;
}

}  // namespace hlolint
