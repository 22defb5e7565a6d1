// Distances along the dependences of a module, and the edges of a graph.
#pragma once

#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace hlolint {

/// For each instruction the nearest of some other instructions and the distance to it.
class dependence_distances {
 public:
  /// The distance without any dependence.
  static constexpr std::uint32_t unreachable = std::numeric_limits<std::uint32_t>::max();

  /// The number of dependences between an instruction and the nearest other one, or itself if it depends on itself;
  /// `unreachable` if there is none.
  std::uint32_t of(hlo_instruction i) const { return known_[i.id()].steps; }
  /// The nearest instruction, of equally near ones the first in the text; an empty view if there is none.
  hlo_instruction nearest(hlo_instruction i) const {
    const id found = known_[i.id()].nearest;
    return found == none ? hlo_instruction{} : hlo_instruction{&i.data(), found};
  }

 private:
  friend class dependence_graph;
  struct distance {
    std::uint32_t steps = unreachable;
    id nearest = none;
    // Keeps the smaller distance.
    void take(distance other) {
      if (other.steps < steps || (other.steps == steps && other.nearest < nearest)) *this = other;
    }
  };
  record_list<distance> known_;  // by instruction
};

namespace detail {
// The edges of a graph, by node.
struct adjacent_nodes {
  record_list<std::uint32_t> first, nodes;
  std::span<const std::uint32_t> of(std::uint32_t node) const {
    return std::span(nodes).subspan(first[node], first[node + 1] - first[node]);
  }
  // Allocates the edges, which `first` counts by node; then call `put(from, to)` for each edge, last one first.
  void make_room() {
    for (std::size_t n = 1; n < first.size(); ++n) first[n] += first[n - 1];
    nodes.resize(first.back());
  }
  void put(std::uint32_t from, std::uint32_t to) { nodes[--first[from]] = to; }
};
}  // namespace detail

}  // namespace hlolint
