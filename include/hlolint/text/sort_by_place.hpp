// Diagnostics of one text in the order of their places.
#pragma once

#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace hlolint {

/// Sorts by place; those of one place keep their order.
inline void sort_by_place(record_list<diagnostic>& diagnostics) {
  record_list<std::pair<span, std::size_t>> order;
  for (std::size_t i = 0; i < diagnostics.size(); ++i) order.emplace_back(diagnostics[i].where.at, i);
  std::sort(order.begin(), order.end());
  record_list<diagnostic> sorted;
  sorted.reserve(diagnostics.size());
  for (const auto& [at, i] : order) sorted.push_back(std::move(diagnostics[i]));
  diagnostics = std::move(sorted);
}

}  // namespace hlolint
