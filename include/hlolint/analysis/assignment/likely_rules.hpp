// Which XLA made a module, as far as its texts show it, and so by which rules it assigned its buffers.
#pragma once

#include <hlolint/analysis/assignment/assignment_rules.hpp>
#include <hlolint/analysis/assignment/buffer_assignment.hpp>
#include <hlolint/analysis/program/xla_rules.hpp>
#include <hlolint/text/optional.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hlolint {

/// The days, as year, month, day, between which an XLA was made.
struct xla_period {
  std::int32_t first = 20240101;          ///< the first day; rules before it are not known
  std::int32_t last = xla_rules::newest;  ///< the last day
  /// Whether it is one day.
  constexpr bool is_known() const { return first == last; }
  /// A day whose rules hold for most of what was made in the period: years had the alignment of before June 2025, and
  /// the half year after it ends in December 2025, when texts began to show that they are newer.
  constexpr std::int32_t likely() const {
    constexpr std::int32_t before = assignment_rules::gpu_alignment_doubled - 1;
    return first < before && before < last && last <= tables_of_frames ? before : last;
  }
  /// Since then texts have the tables of stack frames in place of source files and lines.
  static constexpr std::int32_t tables_of_frames = 20251201;
  /// Since then operands are printed without their shapes.
  static constexpr std::int32_t bare_operands = 20250311;
};

/// The period that the forms of a text show.
inline xla_period period_of(const hlo_module& module) {
  xla_period out;
  if (!module.data().stack_frames.empty()) {
    out.first = xla_period::tables_of_frames;
    return out;
  }
  for (const hlo_instruction i : module.instructions()) {
    for (std::size_t k = 0; k < i.operand_count(); ++k)
      if (i.operand_shape(k)) out.last = std::min(out.last, xla_period::bare_operands);
    const auto metadata = i.attribute(attribute_key::metadata);
    if (metadata && metadata->find("source_file=") != std::string_view::npos)
      out.last = std::min(out.last, xla_period::tables_of_frames);
    if (out.last == xla_period::bare_operands) break;
  }
  return out;
}

/// The period in which a module was compiled: of the dump beside it, if there is one; it need not have an assignment.
inline xla_period period_of(const hlo_module& module, const buffer_dump* beside) {
  const optional<std::int32_t> date = beside ? shown_date(*beside) : std::nullopt;
  if (!date) return period_of(module);
  return {*date, *date};
}

/// An assignment, and what is not certain about it.
struct likely_assignment {
  buffer_plan plan;   ///< by the rules of the likely day
  std::string doubt;  ///< why XLA's may be another, half a sentence; empty: it is the same
};

namespace detail {
/// Whether temporary memory is in the space of collectives.
inline bool uses_collective_memory(const buffer_plan& plan) {
  for (const planned_allocation& a : plan.allocations)
    if (a.is_temporary() && a.color == 1) return true;
  return false;
}
}  // namespace detail

/// What XLA of that period assigns. Where its rules changed meanwhile, those of the likely day are compared with those
/// of the first and the last: a change is a doubt only if it shows in the result. `made` has the rules of the likely
/// day. O(n log n).
inline likely_assignment assign_likely(const buffer_assignment& made, target on, xla_period period) {
  likely_assignment out{made.plan(), {}};
  if (on == target::unknown)
    out.doubt = "the target is not known (--target)";
  else if (on == target::tpu)
    out.doubt = "the compiler for TPUs divides memory spaces by rules that are not public";
  else if (made.storage().has_unknown_size())
    out.doubt = "a shape has no size that is known";
  else if (!out.plan.is_exact)
    out.doubt = "the search for places was cut short";
  else if (on == target::gpu && period.last >= assignment_rules::gpu_shares_colors &&
           detail::uses_collective_memory(out.plan))
    out.doubt = "since June 2026 XLA may put values into memory that collectives leave free";
  if (!out.doubt.empty() || period.is_known()) return out;
  for (const std::int32_t day : {period.first, period.last}) {
    if (day == period.likely()) continue;
    const buffer_assignment again(made.flow().module(), assignment_rules::of(on, day));
    const buffer_plan other = again.plan();
    if (other.total == out.plan.total && other.temporaries == out.plan.temporaries) continue;
    out.doubt = "the version of XLA is not known (--xla-date), and " +
                std::string(day == period.first ? "earlier" : "later") + " ones assign " + std::to_string(other.total) +
                " bytes instead of " + std::to_string(out.plan.total);
    return out;
  }
  return out;
}

}  // namespace hlolint
