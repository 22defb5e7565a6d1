// Which lines of the user's program, and which kinds of instructions, a change of a module comes from.
#pragma once

#include <hlolint/compare/diff_options.hpp>
#include <hlolint/compare/module_summary.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <utility>

namespace hlolint::compare::detail {

/// Adds to `out` what changed most in the direction of the whole, beyond the tolerance: at most five lines of the
/// program and three kinds of instructions.
inline void add_origins(const origins_summary& before, const origins_summary& after, const change_tolerance& tolerance,
                        number_unit unit, bool grew, record_list<changed_number>& out) {
  const auto add = [&](const record_list<origin_summary>& was, const record_list<origin_summary>& is,
                       const std::string& title, std::size_t most) {
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> both;
    for (const origin_summary& one : was) both[one.name].first = one.amount;
    for (const origin_summary& one : is) both[one.name].second = one.amount;
    record_list<changed_number> changed;
    for (const auto& [name, amounts] : both)
      if ((amounts.second > amounts.first) == grew && !tolerance.covers(amounts.first, amounts.second))
        changed.push_back({name + title, amounts.first, amounts.second, unit});
    const auto size = [](const changed_number& n) {
      return n.after > n.before ? n.before - n.after : n.after - n.before;
    };
    std::stable_sort(changed.begin(), changed.end(),
                     [&](const changed_number& a, const changed_number& b) { return size(a) < size(b); });
    changed.resize(std::min(changed.size(), most));
    std::move(changed.begin(), changed.end(), std::back_inserter(out));
  };
  add(before.by_source, after.by_source, "", 5);
  add(before.by_kind, after.by_kind, " in all", 3);
}

}  // namespace hlolint::compare::detail
