// Values merged where control flow meets, and which of them merge nothing after all (buffer_dumps.md 5.2, "Phi
// values").
#pragma once

#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hlolint::detail {

/// Phi values and what arrives at them; values are numbers.
class phi_values {
 public:
  static constexpr std::uint32_t no_node = 0xFFFFFFFFu;

  /// Sets what arrives at `phi`, in place of what was set before.
  void arrive(std::uint32_t phi, const record_list<std::uint32_t>& inputs) {
    const std::uint32_t own = node_of(phi);
    for (const std::uint32_t input : inputs) node_of(input);
    nodes_[own].inputs = inputs;
    nodes_[own].is_phi = true;
  }
  const record_list<std::uint32_t>& inputs(std::uint32_t phi) const { return nodes_[node_[phi]].inputs; }

  /// Finds the phis that stand for one other value: those at which, themselves left out, only one value arrives, and
  /// those groups that only one value that is not a phi enters. False if that takes too many steps, and some are left.
  bool simplify() {
    std::size_t affordable = 20'000'000 + 16 * nodes_.size();
    const auto spend = [&](std::size_t steps) { affordable -= std::min(affordable, steps); };
    for (node& n : nodes_)
      for (std::uint32_t& input : n.inputs) input = node_[input];
    for (bool changed = true; changed;) {
      if (affordable == 0) return false;
      spend(nodes_.size());
      changed = false;
      for (node& n : nodes_) n.checked = false;
      for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        node& n = nodes_[i];
        if (!n.is_phi || find(i) != i) continue;
        for (std::uint32_t& input : n.inputs) input = find(input);
        n.inputs.erase(std::remove(n.inputs.begin(), n.inputs.end(), i), n.inputs.end());
        if (n.inputs.empty()) continue;
        if (std::all_of(n.inputs.begin(), n.inputs.end(), [&](std::uint32_t k) { return k == n.inputs[0]; })) {
          n.stands_for = n.inputs[0];
          changed = true;
        } else if (!n.checked && affordable > 0) {
          changed = simplify_group(i) || changed;
          spend(group_.size());
        }
      }
    }
    return true;
  }

  /// The value that is there in place of `value`; itself for most.
  std::uint32_t resolve(std::uint32_t value) {
    return value < node_.size() && node_[value] != no_node ? nodes_[find(node_[value])].value : value;
  }

 private:
  struct node {
    std::uint32_t value = 0;
    std::uint32_t stands_for = 0;  // a node
    record_list<std::uint32_t> inputs;  // values, nodes once they are simplified
    bool is_phi = false;
    bool checked = false;
    std::uint32_t seen_by = 0;  // a visit
  };

  std::uint32_t node_of(std::uint32_t value) {
    if (value >= node_.size()) node_.resize(value + 1, no_node);
    if (node_[value] == no_node) {
      node_[value] = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({value, node_[value], {}, false, false, 0});
    }
    return node_[value];
  }

  std::uint32_t find(std::uint32_t i) {
    while (nodes_[i].stands_for != i) i = nodes_[i].stands_for = nodes_[nodes_[i].stands_for].stands_for;
    return i;
  }

  // All phis from which only one value that is not a phi is reached stand for it.
  bool simplify_group(std::uint32_t from) {
    group_.assign(1, from);
    nodes_[from].seen_by = ++visits_;
    std::uint32_t only = no_node;
    for (std::size_t at = 0; at < group_.size(); ++at) {
      const std::uint32_t i = group_[at];
      nodes_[i].checked = true;
      if (!nodes_[i].is_phi) {
        if (only != no_node) return false;
        only = i;
        continue;
      }
      for (const std::uint32_t input : nodes_[i].inputs) {
        const std::uint32_t next = find(input);
        if (nodes_[next].seen_by == visits_) continue;
        nodes_[next].seen_by = visits_;
        group_.push_back(next);
      }
    }
    if (only == no_node) return false;
    for (const std::uint32_t i : group_)
      if (i != only) nodes_[i].stands_for = only;
    return true;
  }

  record_list<node> nodes_;          // in the order in which they were first mentioned
  record_list<std::uint32_t> node_;  // by value
  record_list<std::uint32_t> group_;
  std::uint32_t visits_ = 0;
};

}  // namespace hlolint::detail
