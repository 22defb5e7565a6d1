// Which transfers are under way in a value, as a walk over the schedule passes values on (time_model.md 6.2).
#pragma once

#include <hlolint/ir/module_data.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace hlolint::detail {

/// A transfer under way: when it was issued, when it began to move and when it ends, in seconds.
struct pending_transfer {
  id transfer = none;  ///< whose: an index that the walk chooses
  double issued = 0, begin = 0, end = 0;
  id blocker = none;  ///< the transfer that it had to wait for
  std::size_t block = static_cast<std::size_t>(-1);  ///< its block in a record of the walk
};

/// Values that are, or are tuples of, transfers under way. They never change; a handle stays valid.
class pending_values {
 public:
  /// A value, or `nothing`.
  using handle = std::int32_t;
  static constexpr handle nothing = -1;

  handle add(const pending_transfer& one) {
    nodes_.push_back({static_cast<std::uint32_t>(transfers_.size()), 0});
    transfers_.push_back(one);
    return static_cast<handle>(nodes_.size() - 1);
  }
  /// Elements that are pending; `nothing` if none is.
  handle add_tuple(const record_list<std::pair<std::uint32_t, handle>>& elements) {
    if (elements.empty()) return nothing;
    nodes_.push_back({static_cast<std::uint32_t>(elements_.size()), static_cast<std::uint32_t>(elements.size())});
    elements_.insert(elements_.end(), elements.begin(), elements.end());
    return static_cast<handle>(nodes_.size() - 1);
  }

  /// Null if the value is a tuple or nothing.
  const pending_transfer* transfer(handle h) const {
    return h == nothing || node_of(h).count > 0 ? nullptr : &transfers_[node_of(h).first];
  }
  /// An element of a tuple; of a transfer the transfer.
  handle element(handle h, std::uint32_t index) const {
    if (h == nothing || node_of(h).count == 0) return h;
    const node n = node_of(h);
    for (std::uint32_t i = 0; i < n.count; ++i)
      if (elements_[n.first + i].first == index) return elements_[n.first + i].second;
    return nothing;
  }
  /// The first transfer in it; null if there is none.
  const pending_transfer* first_transfer(handle h) const {
    while (h != nothing && node_of(h).count > 0) h = elements_[node_of(h).first].second;
    return transfer(h);
  }

  /// The same value with all its transfers later by `seconds`.
  handle later(handle h, double seconds) {
    if (h == nothing) return h;
    record_list<handle> reached{h};
    for (std::size_t at = 0; at < reached.size(); ++at) {
      const node n = node_of(reached[at]);
      for (std::uint32_t i = 0; i < n.count; ++i) reached.push_back(elements_[n.first + i].second);
      if (reached.size() > 2 * nodes_.size()) break;  // elements in common are visited often: once is enough
    }
    std::sort(reached.begin(), reached.end());  // elements are made before their tuples
    reached.erase(std::unique(reached.begin(), reached.end()), reached.end());
    record_list<handle> moved(reached.size());
    const auto now = [&](handle old) {
      const auto at = std::lower_bound(reached.begin(), reached.end(), old);
      return at != reached.end() && *at == old ? moved[static_cast<std::size_t>(at - reached.begin())] : old;
    };
    for (std::size_t at = 0; at < reached.size(); ++at) {
      if (const pending_transfer* const one = transfer(reached[at])) {
        pending_transfer copy = *one;
        copy.issued += seconds, copy.begin += seconds, copy.end += seconds;
        moved[at] = add(copy);
        continue;
      }
      const node n = node_of(reached[at]);
      record_list<std::pair<std::uint32_t, handle>> elements(elements_.begin() + n.first,
                                                             elements_.begin() + n.first + n.count);
      for (auto& [index, value] : elements) value = now(value);
      moved[at] = add_tuple(elements);
    }
    return now(h);
  }

 private:
  struct node {
    std::uint32_t first = 0, count = 0;  ///< elements; of a transfer its index and 0
  };
  node node_of(handle h) const { return nodes_[static_cast<std::size_t>(h)]; }

  record_list<node> nodes_;
  record_list<pending_transfer> transfers_;
  record_list<std::pair<std::uint32_t, handle>> elements_;
};

}  // namespace hlolint::detail
