// Which parameter of the program an instruction reads, traced back through loops, slices, casts and all-gathers.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/values/dependence_graph.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/operation_values.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hlolint {

/// The parameters of the entry that instructions read. A layer's slice of a stacked weight counts as the weight.
class weights_read {
 public:
  /// Linear in the module and in the parts of its results.
  explicit weights_read(const hlo_module& module) : from_(follow(module, dependence_graph(module))) {}
  /// As a context makes it.
  template <analysis_cache Cache>
  explicit weights_read(const Cache& made) : from_(follow(*made.hlo(), made.template get<dependence_graph>())) {}

  /// The name of the parameter that a result is, in another form, such as params['mlp']['up_proj']; empty if it is
  /// none. `part` of the result as `shape_places` counts.
  std::string name_of(hlo_instruction i, std::uint32_t part = 0) const {
    const hlo_instruction parameter = from_.of(i, part);
    if (!parameter) return {};
    const auto metadata = get<op_metadata>(parameter);
    std::string name = metadata && !metadata->op_name.empty() ? metadata->op_name : std::string(parameter.name());
    for (const std::uint32_t step : from_.places().index(parameter.id(), from_.part_of(i, part)))
      name += '[' + std::to_string(step) + ']';
    return name;
  }

  /// The parts of all results of the module.
  const shape_places& places() const { return from_.places(); }

  /// The name of the largest parameter that an instruction reads, of a matrix product the larger factor that is one;
  /// empty if it reads none, or only single numbers.
  std::string of(hlo_instruction i) const {
    best found;
    bool multiplies = look_inside(i, found);
    if (!multiplies) look(i, found);
    return found.reads ? name_of(found.reads, found.part) : std::string{};
  }

 private:
  struct best {
    hlo_instruction reads;
    std::uint32_t part = 0;
    double elements = 1;
  };

  static dependence_graph::origins follow(const hlo_module& module, const dependence_graph& graph) {
    std::vector<id> parameters;
    if (const hlo_computation entry = module.entry())
      for (const hlo_instruction i : entry.instructions())
        if (i.opcode() == hlo_opcode::parameter) parameters.push_back(i.id());
    return graph.follow(parameters, moves);
  }

  // The first operand is what the result has, in another place, layout, type or part.
  static bool moves(hlo_instruction i) {
    using enum hlo_opcode;
    switch (i.opcode()) {
      case dynamic_slice:
      case copy_start:
      case copy_done:
      case all_gather_done:
      case collective_permute_done:
        return true;
      case copy:
      case convert:
      case bitcast:
      case bitcast_convert:
      case reduce_precision:
      case reshape:
      case transpose:
      case slice:
      case all_gather:
      case all_gather_start:
      case collective_permute:
      case collective_permute_start:
        return i.operand_count() == 1;  // one that carries several has no first one
      case custom_call: {
        const auto target = get<custom_call_target>(i);
        return target && i.operand_count() == 1 &&
               (target->name == "MoveToHost" || target->name == "MoveToDevice" || target->name == "Sharding" ||
                target->name == "SPMDFullToShardShape" || target->name == "SPMDShardToFullShape");
      }
      default:
        return false;
    }
  }

  void look(hlo_instruction i, best& found) const {
    for (const hlo_instruction operand : i.operands()) {
      if (!operand) continue;
      const shape_places& places = from_.places();
      for (std::uint32_t n = 0; n < places.count(operand.id()); ++n) {
        if (places.is_tuple(operand.id(), n) || !from_.of(operand, n)) continue;
        const shape* const s = places.part(operand.id(), n);
        const double elements = s ? elements_of(*s) : 0;
        if (elements > found.elements) found = {operand, n, elements};
      }
    }
  }
  static double elements_of(const shape& s) {
    double product = 1;
    for (const dimension& d : s.dimensions) product *= static_cast<double>(d.size);
    return product;
  }

  // The factors of the matrix products in a fusion; false if there is none.
  bool look_inside(hlo_instruction i, best& found) const {
    std::vector<hlo_instruction> open{i};
    bool multiplies = false;
    for (std::size_t next = 0; next < open.size() && next < most_inside; ++next) {
      if (open[next].opcode() != hlo_opcode::fusion) continue;
      for (const hlo_computation called : open[next].called_computations())
        if (called)
          for (const hlo_instruction inner : called.instructions()) {
            if (inner.opcode() == hlo_opcode::fusion) open.push_back(inner);
            if (inner.opcode() != hlo_opcode::dot && inner.opcode() != hlo_opcode::convolution) continue;
            multiplies = true;
            look(inner, found);
          }
    }
    return multiplies;
  }
  static constexpr std::size_t most_inside = 64;  // fusions in one fusion

  dependence_graph::origins from_;
};

}  // namespace hlolint
