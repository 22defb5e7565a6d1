// Distances along the dependences of a module, and the edges of a graph.
#pragma once

#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstdint>
#include <limits>

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


}  // namespace hlolint
