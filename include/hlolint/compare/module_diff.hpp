// What is different in a module that was compiled again, beside findings.
#pragma once

#include <hlolint/compare/collective_diff.hpp>
#include <hlolint/compare/donation_diff.hpp>
#include <hlolint/compare/memory_diff.hpp>
#include <hlolint/compare/time_diff.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>

namespace hlolint::compare {

namespace detail {

/// Copies or constants that are new or gone. One of as many bytes is the same: it may lie in memory in another order,
/// or be of another shape.
inline void diff_arrays(const record_list<instruction_summary>& before, const record_list<instruction_summary>& after,
                        change_kind kind, const diff_options& options, record_list<module_change>& out) {
  const matched_entries found = match_entries(
      before, after, [](const instruction_summary& a) { return joined_key(a.kind, a.shape, a.op_name); },
      [](const instruction_summary& a) { return joined_key(a.kind, a.shape); },
      [](const instruction_summary& a) { return std::to_string(a.bytes); });
  const auto counts = [&](const instruction_summary& a) {
    return a.bytes >= options.large && a.bytes > options.tolerance.bytes;
  };
  change_groups groups(out);
  for (const std::size_t j : found.added)
    if (counts(after[j])) groups.add(kind, change_verdict::worse, nullptr, &after[j], " is new");
  for (const std::size_t i : found.gone)
    if (counts(before[i])) groups.add(kind, change_verdict::better, &before[i], nullptr, " is gone");
}

}  // namespace detail

/// What changed from one compilation to the other, the worse things first. What one of the two does not show is not
/// compared. Names of modules and files are not filled in.
inline record_list<module_change> diff(const module_summary& before, const module_summary& after,
                                       const diff_options& options = {}) {
  record_list<module_change> out;
  detail::diff_time(before, after, options, out);
  detail::diff_memory(before, after, options, out);
  detail::diff_donations(before, after, options, out);
  detail::diff_collectives(before, after, options, out);
  if (before.is_scheduled && after.is_scheduled)
    detail::diff_arrays(before.copies, after.copies, change_kind::copy, options, out);
  if (before.has_hlo && after.has_hlo)
    detail::diff_arrays(before.constants, after.constants, change_kind::constant, options, out);
  std::stable_sort(out.begin(), out.end(), [](const module_change& a, const module_change& b) {
    return std::tuple(a.verdict, a.kind) < std::tuple(b.verdict, b.kind);
  });
  return out;
}

}  // namespace hlolint::compare
