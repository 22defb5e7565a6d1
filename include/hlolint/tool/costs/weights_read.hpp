// Attributes instructions to the parameters that they read, traced back through loops, slices, casts and all-gathers.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/ir/elementwise.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/program_pass.hpp>
#include <hlolint/analysis/program/shape_places.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/values/dependence_graph.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/operation_values.hpp>
#include <hlolint/tool/costs/carried_operands.hpp>
#include <hlolint/tool/costs/value_origins.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hlolint {

/// The reversed dependences of a graph, for many backward searches.
class way_back {
 public:
  /// Refers to the graph. O(n log n).
  explicit way_back(const dependence_graph& graph)
      : graph_(graph), in_(graph.reversed()), carried_(graph.places(), graph.module(), true) {}

  /// Goes back from parts of results through tuples, loops, calls, fusions and collectives that move or add up each
  /// operand, and from each instruction for which `through(i)` is true to the operands for which `reads(i, operand,
  /// part)` is true. Calls `enter(instruction, part)` for each part reached and stops where it returns false, which it
  /// must for a part entered before.
  template <class Through, class Reads, class Enter>
  void go(std::vector<place_number> ends, Through&& through, Reads&& reads, Enter&& enter) const {
    const shape_places& places = graph_.places();
    const auto instruction = [&](std::uint32_t node) {
      return hlo_instruction{&graph_.module().data(), graph_.owner_[node]};
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

/// The entry parameters that instructions read or update. A layer's slice of a stacked weight counts as the weight, and
/// so do its gradient and the optimizer's results.
class weights_read {
 public:
  /// O(n log n) in the module and the parts of its results, for each of a few dozen outputs.
  explicit weights_read(const hlo_module& module) : weights_read(module, dependence_graph(module)) {}
  /// From a cache.
  template <analysis_cache Cache>
  explicit weights_read(const Cache& made) : weights_read(*made.hlo(), made.template get<dependence_graph>()) {}

  /// The name of the parameter, such as params['mlp']['up_proj'], of which a result is another form; empty if there is
  /// none. `part` counts as in `shape_places`.
  std::string name_of(hlo_instruction i, std::uint32_t part = 0) const {
    const hlo_instruction parameter = from_.of(i, part);
    return parameter ? name_of_parameter(parameter, from_.part_of(i, part)) : std::string{};
  }
  /// The name of the parameter whose gradient or next value a part of a result is, or enters elementwise; empty if
  /// there is none.
  std::string updated_by(hlo_instruction i, std::uint32_t part) const {
    const std::uint32_t found = updates_.empty() ? none : updates_[places().first(i.id()) + part];
    return found == none ? std::string{} : name_of_parameter(updated_[found].instruction, updated_[found].part);
  }

  /// The parts of all results of the module.
  const shape_places& places() const { return from_.places(); }

  /// The parameter to which the time of an instruction is attributed: for a matrix product the larger factor that is a
  /// parameter; else the largest one that is updated (`updated_by`), else the largest one that is read. Empty if it
  /// reads none, or only scalars.
  std::string of(hlo_instruction i) const {
    sized_part found;  // the largest
    std::vector<hlo_instruction> products;
    if (i.opcode() == hlo_opcode::fusion) products = detail::fused_products(i);
    for (const hlo_instruction product : products) look(product, found);
    if (products.empty() && is_product(i.opcode())) look(i, found);
    if (found.instruction) return name_of(found.instruction, found.part);
    if (const std::uint32_t part = updated_part(i); part != none) return updated_by(i, part);
    if (products.empty()) look(i, found);
    return found.instruction ? name_of(found.instruction, found.part) : std::string{};
  }

  /// Whether an instruction reads only computed results, such as activations and their gradients, and no parameter in
  /// any form.
  bool reads_results_alone(hlo_instruction i) const {
    for (const hlo_instruction operand : i.operands())
      for (std::uint32_t n = 0; operand && n < places().count(operand.id()); ++n)
        if (!places().is_tuple(operand.id(), n) && elements_of(operand, n) > 1 && !from_.is_computed(operand, n))
          return false;
    return true;
  }

  /// Whether the result is the first operand, or a part of it, in another place, layout or type.
  static bool moves(hlo_instruction i) {
    using enum hlo_opcode;
    const hlo_opcode op = i.opcode();
    if (op == dynamic_slice || op == copy_start || op == copy_done) return true;
    if (op == custom_call) {
      const auto target = get<custom_call_target>(i);
      if (!target) return false;
      // The ends of a TPU fusion that gathers beside other work: the collective is their first operand.
      if (target->name == "AsyncCollectiveStart" || target->name == "AsyncCollectiveDone") return true;
      return i.operand_count() == 1 &&
             (target->name == "MoveToHost" || target->name == "MoveToDevice" || target->name == "Sharding" ||
              target->name == "SPMDFullToShardShape" || target->name == "SPMDShardToFullShape");
    }
    if (i.operand_count() != 1) return false;
    return keeps_elements(op) || op == convert || op == bitcast_convert || op == reduce_precision || op == slice;
  }
  /// Whether a result has no computed elements: it initializes an array, or forwards other values.
  static constexpr bool is_filler(hlo_opcode opcode) {
    using enum hlo_opcode;
    return opcode == parameter || opcode == constant || opcode == broadcast || opcode == iota || opcode == tuple ||
           opcode == get_tuple_element || opcode == while_;
  }

 private:
  struct sized_part {
    hlo_instruction instruction;
    std::uint32_t part = 0;
    double elements = 1;
  };

  weights_read(const hlo_module& module, const dependence_graph& graph) : from_(follow(module, graph)) {
    find_updates(module, graph);
  }

  static value_origins follow(const hlo_module& module, const dependence_graph& graph) {
    std::vector<id> parameters;
    if (const hlo_computation entry = module.entry())
      for (const hlo_instruction i : entry.instructions())
        if (i.opcode() == hlo_opcode::parameter) parameters.push_back(i.id());
    return {graph, parameters, moves};
  }

  void look(hlo_instruction i, sized_part& found) const {
    for (const hlo_instruction operand : i.operands()) {
      for (std::uint32_t n = 0; operand && n < places().count(operand.id()); ++n) {
        if (places().is_tuple(operand.id(), n) || !from_.of(operand, n)) continue;
        const double elements = elements_of(operand, n);
        if (elements > found.elements) found = {operand, n, elements};
      }
    }
  }
  double elements_of(hlo_instruction i, std::uint32_t part) const {
    const shape* const s = from_.places().part(i.id(), part);
    return s ? detail::array_elements(*s) : 0;
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

  // A training step returns each new weight in the buffer of the old one, computed elementwise from the weight, its
  // gradient and the optimizer's state. All values on the elementwise way back belong to the weight. The optimizer's
  // state is returned likewise, but no product reads it.
  void find_updates(const hlo_module& module, const dependence_graph& graph) {
    const hlo_instruction root = root_of(module.entry());
    const auto aliases = get<input_output_alias>(module);
    if (!root || !aliases || aliases->entries.empty()) return;
    const std::vector<bool> multiplied = multiplied_parameters(module);
    std::vector<sized_part> outputs;
    for (const input_output_alias_entry& entry : aliases->entries) {
      const std::uint32_t part = places().find(root.id(), entry.output);
      if (part != none && elements_of(root, part) > 1) outputs.push_back({root, part, elements_of(root, part)});
    }
    std::stable_sort(outputs.begin(), outputs.end(),
                     [](const sized_part& a, const sized_part& b) { return a.elements > b.elements; });
    updates_.assign(places().size(), none);
    std::vector<std::uint32_t> entered(places().size());  // the output from which it was entered
    std::vector<place_number> met;
    const way_back back(graph);
    std::size_t budget = most_visits * (places().size() + 1);
    for (std::uint32_t n = 0; n < outputs.size() && budget > 0; ++n) {
      met.clear();
      sized_part weight;
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
              weight = {i, part, outputs[n].elements};
              return false;
            }
            if (!is_filler(i.opcode())) met.push_back(places().first(i.id()) + part);
            return true;
          });
      if (!weight.instruction || several) continue;
      updated_.push_back(weight);
      for (const place_number place : met)  // shared values belong to the larger weight
        if (updates_[place] == none) updates_[place] = static_cast<std::uint32_t>(updated_.size() - 1);
    }
  }
  // The part that updates the largest weight.
  std::uint32_t updated_part(hlo_instruction i) const {
    std::uint32_t best_part = none, largest = none;
    for (std::uint32_t n = 0; !updates_.empty() && n < places().count(i.id()); ++n)
      if (const std::uint32_t weight = updates_[places().first(i.id()) + n]; weight < largest)
        largest = weight, best_part = n;
    return best_part;
  }

  // By place: parameters read by products and lookups, unlike the state of an optimizer.
  std::vector<bool> multiplied_parameters(const hlo_module& module) const {
    std::vector<bool> out(places().size());
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

  // Whether each result element is made from one element of each operand, or moved from one.
  static bool goes_through(hlo_instruction i) {
    using enum hlo_opcode;
    const hlo_opcode op = i.opcode();
    if (op == constant || op == rng || op == map) return false;
    return op == bitcast || op == reshape || op == transpose || op == slice || op == dynamic_update_slice ||
           op == concatenate || op == pad || is_elementwise(op) || moves(i);
  }
  bool is_value(hlo_instruction i, std::uint32_t part) const {  // not an index or a mask
    const shape* const s = places().part(i.id(), part);
    return s && s->is_array() && s->type != element_type::pred;
  }
  // XLA joins updates of many weights into one array and cuts it into pieces again.
  static bool is_cut_out_of_many(hlo_instruction i, hlo_instruction from) {
    return i.opcode() == hlo_opcode::slice && from.opcode() == hlo_opcode::concatenate;
  }
  static constexpr std::size_t most_visits = 64;  // of each part

  value_origins from_;
  std::vector<sized_part> updated_;     // the updated weights, the largest first
  std::vector<std::uint32_t> updates_;  // index into updated_, by place; empty: none
};

}  // namespace hlolint
