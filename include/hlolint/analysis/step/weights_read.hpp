// Which parameter of the program an instruction reads, traced back through loops, slices, casts and all-gathers.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/program/elementwise.hpp>
#include <hlolint/analysis/values/dependence_graph.hpp>
#include <hlolint/analysis/values/way_back.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/operation_values.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace hlolint {

/// The parameters of the entry that instructions read or update. A layer's slice of a stacked weight counts as the
/// weight, and so do its gradient and what an optimizer computes from it.
class weights_read {
 public:
  /// O(n log n) in the module and in the parts of its results, for each of a few dozen outputs.
  explicit weights_read(const hlo_module& module) : weights_read(module, dependence_graph(module)) {}
  /// As a context makes it.
  template <analysis_cache Cache>
  explicit weights_read(const Cache& made) : weights_read(*made.hlo(), made.template get<dependence_graph>()) {}

  /// The name of the parameter that a result is, in another form, such as params['mlp']['up_proj']; empty if it is
  /// none. `part` of the result as `shape_places` counts.
  std::string name_of(hlo_instruction i, std::uint32_t part = 0) const {
    const hlo_instruction parameter = from_.of(i, part);
    return parameter ? name_of_parameter(parameter, from_.part_of(i, part)) : std::string{};
  }
  /// The name of the parameter that a part of a result is the gradient or the next value of, or goes into them element
  /// by element; empty if of none.
  std::string updated_by(hlo_instruction i, std::uint32_t part) const {
    const std::uint32_t found = updates_.empty() ? none : updates_[places().first(i.id()) + part];
    return found == none ? std::string{} : name_of_parameter(updated_[found].instruction, updated_[found].part);
  }

  /// The parts of all results of the module.
  const shape_places& places() const { return from_.places(); }

  /// The parameter that the time of an instruction belongs to: of a matrix product the larger factor that is one; else
  /// the largest that is updated (`updated_by`), else the largest that is read. Empty if it reads none, or only single
  /// numbers.
  std::string of(hlo_instruction i) const {
    best found;
    const bool multiplies = look_inside(i, found);
    if (!multiplies && is_product(i.opcode())) look(i, found);
    if (found.reads) return name_of(found.reads, found.part);
    if (const std::uint32_t part = updated_part(i); part != none) return updated_by(i, part);
    if (!multiplies) look(i, found);
    return found.reads ? name_of(found.reads, found.part) : std::string{};
  }

  /// Whether an instruction reads results of others alone, as activations and their gradients are, and no parameter in
  /// any form.
  bool reads_results_alone(hlo_instruction i) const {
    for (const hlo_instruction operand : i.operands())
      for (std::uint32_t n = 0; operand && n < places().count(operand.id()); ++n)
        if (!places().is_tuple(operand.id(), n) && elements_of(operand, n) > 1 && !from_.is_computed(operand, n))
          return false;
    return true;
  }

  /// Whether the first operand is what the result has, in another place, layout, type or part.
  static bool moves(hlo_instruction i) {
    using enum hlo_opcode;
    switch (i.opcode()) {
      case dynamic_slice:
      case copy_start:
      case copy_done:
        return true;
      case copy:
      case convert:
      case bitcast:
      case bitcast_convert:
      case reduce_precision:
      case reshape:
      case transpose:
      case slice:
        return i.operand_count() == 1;
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
  /// Whether a result has no elements that were computed: it begins an array, or stands for what others have.
  static constexpr bool is_filler(hlo_opcode opcode) {
    using enum hlo_opcode;
    return opcode == parameter || opcode == constant || opcode == broadcast || opcode == iota || opcode == tuple ||
           opcode == get_tuple_element || opcode == while_;
  }

 private:
  struct output {
    std::uint32_t part;
    double elements;
  };
  struct part_of_parameter {
    hlo_instruction instruction;
    std::uint32_t part = 0;
  };
  struct best {
    hlo_instruction reads;
    std::uint32_t part = 0;
    double elements = 1;
  };

  weights_read(const hlo_module& module, const dependence_graph& graph) : from_(follow(module, graph)) {
    find_updates(module, graph);
  }

  static dependence_graph::origins follow(const hlo_module& module, const dependence_graph& graph) {
    record_list<id> parameters;
    if (const hlo_computation entry = module.entry())
      for (const hlo_instruction i : entry.instructions())
        if (i.opcode() == hlo_opcode::parameter) parameters.push_back(i.id());
    return graph.follow(parameters, moves);
  }

  void look(hlo_instruction i, best& found) const {
    for (const hlo_instruction operand : i.operands()) {
      if (!operand) continue;
      const shape_places& places = from_.places();
      for (std::uint32_t n = 0; n < places.count(operand.id()); ++n) {
        if (places.is_tuple(operand.id(), n) || !from_.of(operand, n)) continue;
        const double elements = elements_of(operand, n);
        if (elements > found.elements) found = {operand, n, elements};
      }
    }
  }
  double elements_of(hlo_instruction i, std::uint32_t part) const {
    const shape* const s = from_.places().part(i.id(), part);
    if (!s) return 0;
    double product = 1;
    for (const dimension& d : s->dimensions) product *= static_cast<double>(d.size);
    return product;
  }
  std::string name_of_parameter(hlo_instruction parameter, std::uint32_t part) const {
    const auto metadata = get<op_metadata>(parameter);
    std::string name = metadata && !metadata->op_name.empty() ? metadata->op_name : std::string(parameter.name());
    for (const std::uint32_t step : from_.places().index(parameter.id(), part))
      name += '[' + std::to_string(step) + ']';
    return name;
  }
  static constexpr bool is_product(hlo_opcode opcode) {
    using enum hlo_opcode;
    return opcode == dot || opcode == convolution || opcode == custom_call || opcode == ragged_dot ||
           opcode == scaled_dot;
  }

  // The factors of the matrix products in a fusion; false if there is none.
  bool look_inside(hlo_instruction i, best& found) const {
    record_list<hlo_instruction> open{i};
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

  // ---------------------------------------------------------------- gradients and updates
  // A training step gives each weight back in the buffer of the old one. The new value is computed element by element
  // from the weight, its gradient and the state of the optimizer: what is met on the way back, as far as it goes
  // element by element, belongs to the weight. The state is given back in the same way, but nothing multiplies it.
  void find_updates(const hlo_module& module, const dependence_graph& graph) {
    const hlo_instruction root = module.entry() ? module.entry().root() : hlo_instruction{};
    const auto aliases = get<input_output_alias>(module);
    if (!root || !aliases || aliases->entries.empty()) return;
    const record_list<bool> multiplied = multiplied_parameters(module);
    record_list<output> outputs;
    for (const input_output_alias_entry& entry : aliases->entries) {
      const std::uint32_t part = places().find(root.id(), entry.output);
      if (part != none && elements_of(root, part) > 1) outputs.push_back({part, elements_of(root, part)});
    }
    std::stable_sort(outputs.begin(), outputs.end(), [](output a, output b) { return a.elements > b.elements; });
    updates_.assign(places().size(), none);
    record_list<std::uint32_t> entered(places().size());  // by which output
    record_list<place_number> met;
    const way_back back(graph);
    std::size_t budget = most_visits * (places().size() + 1);
    for (std::uint32_t n = 0; n < outputs.size() && budget > 0; ++n) {
      met.clear();
      part_of_parameter weight;
      bool several = false;
      back.go(
          {places().first(root.id()) + outputs[n].part}, goes_through,
          [&](hlo_instruction i, hlo_instruction from, std::uint32_t part) {
            return elements_of(from, part) > 1 && is_value(from, part) && !is_cut_out_of_many(i, from);
          },
          [&](hlo_instruction i, std::uint32_t part) {
            std::uint32_t& by = entered[places().first(i.id()) + part];
            if (by == n + 1 || budget == 0) return false;
            by = n + 1, --budget;
            if (i.opcode() == hlo_opcode::parameter && i.computation().is_entry()) {
              if (!multiplied[places().first(i.id()) + part] || elements_of(i, part) != outputs[n].elements)
                return false;
              several = several || (weight.instruction && (weight.instruction != i || weight.part != part));
              weight = {i, part};
              return false;
            }
            if (!is_filler(i.opcode())) met.push_back(places().first(i.id()) + part);
            return true;
          });
      if (!weight.instruction || several) continue;
      updated_.push_back(weight);
      for (const place_number place : met)  // of two weights it is the larger one's
        if (updates_[place] == none) updates_[place] = static_cast<std::uint32_t>(updated_.size() - 1);
    }
  }
  // The part that goes into the largest weight.
  std::uint32_t updated_part(hlo_instruction i) const {
    std::uint32_t best_part = none, largest = none;
    for (std::uint32_t n = 0; !updates_.empty() && n < places().count(i.id()); ++n)
      if (const std::uint32_t weight = updates_[places().first(i.id()) + n]; weight < largest)
        largest = weight, best_part = n;
    return best_part;
  }

  // By place: the parameters that products, lookups and the like read, as no state of an optimizer is.
  record_list<bool> multiplied_parameters(const hlo_module& module) const {
    record_list<bool> out(places().size());
    for (const hlo_instruction i : module.instructions()) {
      using enum hlo_opcode;
      const hlo_opcode opcode = i.opcode();
      if (!is_product(opcode) && opcode != broadcast && opcode != gather && opcode != scatter) continue;
      for (const hlo_instruction operand : i.operands())
        for (std::uint32_t n = 0; operand && n < places().count(operand.id()); ++n)
          if (const hlo_instruction from = from_.of(operand, n))
            out[places().first(from.id()) + from_.part_of(operand, n)] = true;
    }
    return out;
  }

  // Each element of the result is made from elements of the operands, one of each, or a part of theirs.
  static bool goes_through(hlo_instruction i) {
    using enum hlo_opcode;
    switch (i.opcode()) {
      case bitcast:
      case reshape:
      case transpose:
      case slice:
      case dynamic_slice:
      case dynamic_update_slice:
      case concatenate:
      case pad:
      case copy_start:
      case copy_done:
        return true;
      case constant:
      case rng:
      case map:
        return false;
      default:
        return is_elementwise(i.opcode()) || moves(i);
    }
  }
  bool is_value(hlo_instruction i, std::uint32_t part) const {  // not an index or a mask
    const shape* const s = places().part(i.id(), part);
    return s && s->is_array() && s->type != element_type::pred;
  }
  // XLA puts updates of many weights into one array and cuts it into pieces again.
  static bool is_cut_out_of_many(hlo_instruction i, hlo_instruction from) {
    return i.opcode() == hlo_opcode::slice && from.opcode() == hlo_opcode::concatenate;
  }
  static constexpr std::size_t most_visits = 64;  // of each part

  dependence_graph::origins from_;
  record_list<part_of_parameter> updated_;  // the weights that have a new value, the largest first
  record_list<std::uint32_t> updates_;      // of these, by place; empty: none
};

}  // namespace hlolint
