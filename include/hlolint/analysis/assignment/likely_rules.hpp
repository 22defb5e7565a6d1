// Which XLA compiled a module, as far as its texts show, and so by which rules it assigned buffers.
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

/// The period in which an XLA was built, as year, month, day.
struct xla_period {
  std::int32_t first = 20240101;          ///< the first day; rules before it are not known
  std::int32_t last = xla_rules::newest;  ///< the last day
  /// Whether the period is one day.
  constexpr bool is_known() const { return first == last; }
  /// A day whose rules hold for most builds of the period. The alignment of before June 2025 held for years; the months
  /// after it end in December 2025, since when texts show that they are newer.
  constexpr std::int32_t likely() const {
    constexpr std::int32_t before = assignment_rules::gpu_alignment_doubled - 1;
    return first < before && before < last && last <= tables_of_frames ? before : last;
  }
  /// From this day texts have tables of stack frames instead of source files and lines.
  static constexpr std::int32_t tables_of_frames = 20251201;
  /// From this day operands are printed without shapes.
  static constexpr std::int32_t bare_operands = 20250311;
};

/// The period that follows from the form of a text.
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

/// The period in which a module was compiled, from the dump beside it if there is one, which may lack an assignment.
inline xla_period period_of(const hlo_module& module, const buffer_dump* beside) {
  const optional<std::int32_t> date = beside ? shown_date(*beside) : std::nullopt;
  if (!date) return period_of(module);
  return {*date, *date};
}

/// An assignment, and why it may be wrong.
struct likely_assignment {
  buffer_plan plan;   ///< by the rules of the likely day
  std::string doubt;  ///< why XLA's may differ, half a sentence; empty: it does not
};

namespace detail {
/// Whether temporary values lie in the collectives' memory space.
inline bool uses_collective_memory(const buffer_plan& plan) {
  for (const planned_allocation& a : plan.allocations)
    if (a.is_temporary() && a.color == 1) return true;
  return false;
}
}  // namespace detail

/// The assignment of an XLA of the period. The rules of the likely day are compared with those of the first and the
/// last day: a change raises a doubt only if the result differs. `made` has the rules of the likely day. O(n log n).
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
