// From parts of results back to what they are made of.
#pragma once

#include <hlolint/analysis/program/shape_places.hpp>
#include <hlolint/analysis/values/carried_operands.hpp>
#include <hlolint/analysis/values/dependence_graph.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstdint>

namespace hlolint {

/// The dependences of a graph the other way, to go back along them many times.
class way_back {
 public:
  /// The graph stays alive as long as this. O(n log n).
  explicit way_back(const dependence_graph& graph)
      : graph_(graph), in_(graph.reversed()), carried_(graph.places_, graph.module_, true) {}

  /// Goes back from parts of results through tuples, loops, calls, fusions, collectives that move or add up each
  /// operand by itself, and through each instruction of which `through(i)` holds to the operands of which `reads(i,
  /// operand, part)` does. Calls `enter(instruction, part)` for each part that it comes to, and goes no further where
  /// that is false, as it has to be for a part that was entered before.
  template <class Through, class Reads, class Enter>
  void go(record_list<place_number> ends, Through&& through, Reads&& reads, Enter&& enter) const {
    const shape_places& places = graph_.places_;
    const auto instruction = [&](std::uint32_t node) {
      return hlo_instruction{&graph_.module_.data(), graph_.owner_[node]};
    };
    const auto read = [&](hlo_instruction i, std::uint32_t operand) {
      const hlo_instruction from = instruction(operand);
      if (reads(i, from, operand - places.first(from.id()))) ends.push_back(operand);
    };
    while (!ends.empty()) {
      const std::uint32_t node = ends.back();
      ends.pop_back();
      const hlo_instruction i = instruction(node);
      if (!enter(i, node - places.first(i.id()))) continue;
      if (carries(i)) {
        carried_.for_each(node, [&](place_number from) { ends.push_back(from); });
        continue;
      }
      for (const std::uint32_t before : in_.of(node)) {
        const bool is_work = before >= places.size(), is_read = node == graph_.work_[i.id()];
        if (!is_work && !is_read) ends.push_back(before);
        if (!through(i)) continue;
        if (is_read) read(i, before);
        if (is_work)
          for (const std::uint32_t operand : in_.of(before)) read(i, operand);
      }
    }
  }

 private:
  const dependence_graph& graph_;
  dependence_graph::adjacency in_;
  carried_operands carried_;
};

}  // namespace hlolint
