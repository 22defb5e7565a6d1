// The largest values, which findings about too much memory name.
#pragma once

#include <hlolint/checks/value_finding.hpp>
#include <hlolint/text/sorting.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace hlolint::detail {

/// Adds the largest of the given values (positions in the dump), one of each chunk, to the places of a finding.
inline void add_largest_of(const buffer_dump& buffers, std::vector<std::uint32_t> order, finding& d,
                           std::size_t most = 5) {
  const auto place = [&](std::uint32_t i) {
    const assigned_value& v = buffers.values()[i];
    return std::tuple((checked_int64(0) - v.size).clamped(), v.allocation, v.offset);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return in_order(place(a), place(b), a, b); });
  order.erase(
      std::unique(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return place(a) == place(b); }),
      order.end());
  for (std::size_t i = 0; i < std::min(most, order.size()); ++i) {
    const assigned_value& v = buffers.values()[order[i]];
    d.related.push_back(related_at(buffers, v, nullptr, human(v.size) + ", " + to_string(buffers.shape(v))));
  }
}

/// Adds the largest values of the allocations for which `wanted(allocation)` is true, one of each chunk.
template <class Wanted>
void add_largest_values(const buffer_dump& buffers, Wanted&& wanted, finding& d, std::size_t most = 5) {
  std::vector<std::uint32_t> order;
  for (std::size_t i = 0; i < buffers.values().size(); ++i)
    if (wanted(buffers.allocation_of(buffers.values()[i]))) order.push_back(static_cast<std::uint32_t>(i));
  add_largest_of(buffers, std::move(order), d, most);
}
/// Adds the largest values of one allocation.
inline void add_largest_values(const buffer_dump& buffers, const allocation& of, finding& d, std::size_t most = 5) {
  std::vector<std::uint32_t> order(of.value_count);
  for (std::uint32_t i = 0; i < of.value_count; ++i) order[i] = of.first_value + i;
  add_largest_of(buffers, std::move(order), d, most);
}

}  // namespace hlolint::detail
