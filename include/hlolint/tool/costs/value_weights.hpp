// Attributes values in memory to parameters of the program.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/values/dependence_graph.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/tool/costs/weights_read.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hlolint {

/// Attributes a value to the parameter to which `weights_read` attributes its maker. Loop-carried values, copies and
/// stacks of results belong to the maker of the original results; with several makers that disagree, such as the
/// embedding and the layers that add to it, they are activations.
class value_weights {
 public:
  /// From a cache, which must outlive this. O(n log n).
  template <analysis_cache Cache>
  explicit value_weights(const Cache& made)
      : weights_(made.template get<weights_read>()), back_(made.template get<dependence_graph>()) {}

  /// The name of the parameter as in `weights_read`; `(no weight)` for values computed only from other results, such as
  /// activations; empty if unknown. `part` counts as in `shape_places`.
  std::string of(hlo_instruction i, std::uint32_t part) const {
    std::string name = weights_.name_of(i, part);
    if (name.empty()) name = weights_.updated_by(i, part);
    if (!name.empty()) return name;
    const shape_places& places = weights_.places();
    std::vector<place_number> met;
    bool of_results = false, of_others = false, several = false;
    back_.go(
        {places.first(i.id()) + part}, moves,
        [](hlo_instruction by, hlo_instruction from, std::uint32_t) { return by.operand(moved_operand(by)) == from; },
        [&](hlo_instruction at, std::uint32_t n) {
          const place_number place = places.first(at.id()) + n;
          if (several || met.size() == most || std::find(met.begin(), met.end(), place) != met.end()) return false;
          met.push_back(place);
          if (moves(at) || hands_on(at)) return true;
          if (is_filler(at)) return false;
          const std::string own = weights_.of(at);
          if (own.empty() && at.opcode() == hlo_opcode::fusion) return true;  // may only move elements
          if (own.empty())
            (weights_.reads_results_alone(at) ? of_results : of_others) = true;
          else if (name.empty())
            name = own;
          else
            several = several || name != own;
          return false;
        });
    const bool only_results = of_results && (!name.empty() || !of_others);
    return several || only_results ? "(no weight)" : name;
  }

 private:
  static constexpr std::size_t most = 64;  // parts visited on the way to a value's maker

  // Whether the result has the elements of one operand, possibly beside other results.
  static bool moves(hlo_instruction i) {
    return i.opcode() == hlo_opcode::dynamic_update_slice ? i.operand_count() > 1 : weights_read::moves(i);
  }
  static std::size_t moved_operand(hlo_instruction i) { return i.opcode() == hlo_opcode::dynamic_update_slice ? 1 : 0; }
  // Tuples, loops, calls and parameters of called computations. A fusion is not followed, since its result may belong
  // to a weight.
  static bool hands_on(hlo_instruction i) {
    if (i.opcode() == hlo_opcode::parameter) return !i.computation().is_entry();
    return i.opcode() != hlo_opcode::fusion && dependence_graph::passes(i);
  }
  // An initial value that a loop overwrites.
  static bool is_filler(hlo_instruction i) {
    return weights_read::is_filler(i.opcode()) ||
           (i.opcode() == hlo_opcode::custom_call && i.operand_count() == 0);  // AllocateBuffer
  }

  const weights_read& weights_;
  way_back back_;
};

}  // namespace hlolint
