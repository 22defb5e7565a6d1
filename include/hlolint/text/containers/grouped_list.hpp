// Records by group, as of edges by the node that they leave, without a list for each group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hlolint {

/// Records that stand one after the other, group after group; in a group they keep the order in which they came.
template <class T>
class grouped_list {
 public:
  /// Without groups.
  grouped_list() = default;
  /// `for_each(add)` calls `add(group, record)` for each record. It runs twice, with the same calls both times.
  template <class ForEach>
  grouped_list(std::size_t groups, ForEach&& for_each) : first_(groups + 1) {
    for_each([&](std::size_t group, const T&) { ++first_[group + 1]; });
    for (std::size_t g = 1; g <= groups; ++g) first_[g] += first_[g - 1];
    records_.resize(first_.back());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for_each([&](std::size_t group, const T& record) { records_[next[group]++] = record; });
  }
  /// How many groups there are.
  std::size_t size() const { return first_.empty() ? 0 : first_.size() - 1; }
  /// How many records a group has.
  std::size_t count(std::size_t group) const { return first_[group + 1] - first_[group]; }
  /// The records of a group.
  std::span<const T> of(std::size_t group) const { return {records_.data() + first_[group], count(group)}; }
  /// The records of all groups. @{
  const std::vector<T>& all() const& { return records_; }
  std::vector<T> all() && { return static_cast<std::vector<T>&&>(records_); }
  /// @}

 private:
  std::vector<std::uint32_t> first_;  // by group, into records_
  std::vector<T> records_;
};

}  // namespace hlolint
