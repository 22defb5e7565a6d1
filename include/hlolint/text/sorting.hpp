// What sorting by several keys needs beside the algorithms of the standard library.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace hlolint {

/// Whether the first two values that differ, of `a, b, a, b, ...`, are in order: `in_order(x.id, y.id, x.at, y.at)`
/// orders x and y as comparing tuples of their ids and places would.
template <class A, class... Rest>
constexpr bool in_order(const A& a, const std::type_identity_t<A>& b, const Rest&... rest) {
  if constexpr (sizeof...(rest) == 0) {
    return a < b;
  } else {
    if (a < b) return true;
    if (b < a) return false;
    return in_order(rest...);
  }
}

/// Sorts a list and removes all but the first of equal records.
template <class List>
void sort_unique(List& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

/// Whether a list holds every number below its size, once.
template <class Numbers>
bool is_any_order(const Numbers& numbers) {
  std::vector<bool> seen(numbers.size());
  for (const std::int64_t number : numbers) {
    const auto at = static_cast<std::size_t>(number);
    if (at >= seen.size() || seen[at]) return false;
    seen[at] = true;
  }
  return true;
}

/// Calls `f(begin, end)` with the places of each run of records for which `same(first_of_run, record)` holds.
template <class List, class Same, class F>
void for_each_run(const List& list, Same&& same, F&& f) {
  for (std::size_t begin = 0, end = 0; begin < list.size(); begin = end) {
    while (end < list.size() && same(list[begin], list[end])) ++end;
    f(begin, end);
  }
}

}  // namespace hlolint
