// Parts of results that lie in parts of operands (buffer_dumps.md 5.1, the table of in-place operations).
#pragma once

#include <hlolint/analysis/program/calling_instructions.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/module_tables.hpp>
#include <hlolint/analysis/program/xla_rules.hpp>
#include <hlolint/analysis/values/value_definitions.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/module.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace hlolint {

/// Part `output` of the result shares storage with part `operand_index` of operand `operand`.
struct in_place_pair {
  std::size_t operand = 0;    ///< number of the operand, 0-based
  shape_index operand_index;  ///< the part of the operand
  shape_index output;         ///< the part of the result
  friend bool operator==(const in_place_pair&, const in_place_pair&) = default;
};

/// The pairs of all instructions of a module. Refers to the tables.
class in_place_pairs {
 public:
  /// Refers to the tables, which must outlive it.
  in_place_pairs(const module_tables& tables, const xla_rules& rules)
      : tables_(tables), rules_(rules), fusions_(tables.module.instruction_count(), none) {
    // Nested fusions first, since outer ones use their pairs.
    const std::vector<hlo_computation> order = callers_first(tables.module);
    for (auto c = order.rbegin(); c != order.rend(); ++c)
      for (const hlo_instruction i : c->instructions())
        if (i.opcode() == hlo_opcode::fusion) add_fusion(i);
  }

  /// Whether an instruction can have pairs, decided by it alone. A fusion also has those of its body.
  static bool can_have(hlo_instruction i) {
    switch (i.opcode()) {
      using enum hlo_opcode;
      case dynamic_update_slice:
      case set_dimension_size:
      case scatter:
      case all_reduce_start:
      case ragged_all_to_all: return true;
      case collective_permute:
      case collective_permute_start: return i.operand_count() == 4;
      case custom_call:
      case fusion:
      case async_start:
      case async_update:
      case async_done: return i.has(attribute_key::output_to_operand_aliasing);
      default: return false;
    }
  }

  /// The pairs of an instruction; those of a fusion follow from its computation.
  std::vector<in_place_pair> of(hlo_instruction i) const {
    switch (i.opcode()) {
      using enum hlo_opcode;
      case dynamic_update_slice:
      case set_dimension_size: return {{0, {}, {}}};
      case scatter: return one_by_one(i.operand_count() > 0 ? (i.operand_count() - 1) / 2 : 0);
      case all_reduce_start: return one_by_one(i.operand_count());
      case collective_permute:
      case collective_permute_start: return of_permute(i);
      case custom_call: return annotated(i);
      case fusion: {
        if (fusions_[i.id()] == none) return annotated(i);
        const fusion_pairs& found = of_fusions_[fusions_[i.id()]];
        std::vector<in_place_pair> out = found.in_body;
        out.insert(out.end(), found.annotated.begin(), found.annotated.end());
        return out;
      }
      case async_start: return of_async_start(i);
      case async_update: return of_async_update(i);
      case async_done: return of_async_done(i);
      case ragged_all_to_all:
        if (rules_.ragged_all_to_all_aliases) return {{1, {}, {}}};
        return {};
      default: return {};
    }
  }

 private:
  struct fusion_pairs {
    std::vector<in_place_pair> in_body, annotated;
  };
  struct place_in_body {
    hlo_instruction instruction;
    shape_index index;
  };

  static std::vector<in_place_pair> one_by_one(std::size_t count) {
    if (count == 1) return {{0, {}, {}}};
    std::vector<in_place_pair> out;
    for (std::size_t k = 0; k < count; ++k) out.push_back({k, {}, {static_cast<std::uint32_t>(k)}});
    return out;
  }

  /// The pairs that `output_to_operand_aliasing` lists. On sugar of a custom-call or fusion it applies to the wrapped
  /// instruction.
  static std::vector<in_place_pair> annotated(hlo_instruction i) {
    using enum hlo_opcode;
    const bool sugar = is_async_opcode(i.opcode()) && i.wrapped_opcode() != unknown;
    const bool wrapped = i.is_synthesized() && i.computation().is_synthesized();
    const bool inside = (sugar && (i.wrapped_opcode() == custom_call || i.wrapped_opcode() == fusion));
    std::vector<in_place_pair> out;
    if (inside || (wrapped && i.opcode() != custom_call && i.opcode() != fusion)) return out;
    if (const auto aliases = get<output_to_operand_aliasing>(i))
      for (const operand_alias_entry& entry : aliases->entries)
        if (entry.operand >= 0)
          out.push_back({static_cast<std::size_t>(entry.operand), entry.operand_index, entry.output});
    return out;
  }

  std::vector<in_place_pair> of_permute(hlo_instruction i) const {
    const bool start = i.opcode() == hlo_opcode::collective_permute_start;
    std::vector<in_place_pair> out;
    if (i.operand_count() != 4 || !i.operand(1)) return out;
    if (!permutes_in_place(i) && (start || rules_.permute_in_place_needs_slice_sizes)) return out;
    const shape_index result = start ? shape_index{1} : shape_index{};
    out.push_back({1, {}, result});
    for (std::uint32_t k = 0; k < tables_.places.element_count(i.operand(1).id(), 0); ++k)
      out.push_back({1, {k}, result + k});
    return out;
  }

  bool has(hlo_instruction i, const shape_index& index) const { return tables_.places.find(i.id(), index) != none; }

  std::vector<in_place_pair> of_async_start(hlo_instruction i) const {
    std::vector<in_place_pair> out;
    if (!rules_.async_start_aliases) return out;
    const std::uint32_t result = tables_.places.element(i.id(), 0, 1);
    const bool bound_late =
        result != none && tables_.places.is_tuple(i.id(), result) && tables_.places.element_count(i.id(), result) == 0;
    for (in_place_pair& pair : annotated(i)) {
      if (bound_late && !pair.output.empty() && pair.output[0] == 1) continue;
      if (has(i, pair.output) && pair.operand < i.operand_count()) out.push_back(std::move(pair));
    }
    return out;
  }
  std::vector<in_place_pair> of_async_update(hlo_instruction i) const {
    std::vector<in_place_pair> out = annotated(i);
    const hlo_instruction start = tables_.chains.start_of(i);
    if (!start || i.operand_count() == 1 || !rules_.late_async_aliases) return out;
    const std::size_t before = tables_.chains.bound_before(i);
    for (in_place_pair& pair : annotated(start)) {
      if (pair.operand < before || pair.operand - before + 1 >= i.operand_count() || !has(i, pair.output)) continue;
      out.push_back({pair.operand - before + 1, pair.operand_index, pair.output});
    }
    return out;
  }
  std::vector<in_place_pair> of_async_done(hlo_instruction i) const {
    std::vector<in_place_pair> out;
    const hlo_instruction start = tables_.chains.start_of(i);
    if (!start || !rules_.late_async_aliases) return out;
    for (const in_place_pair& pair : annotated(start)) {
      if (pair.output.empty() || pair.output[0] != 1) continue;
      shape_index result = pair.output.without_first(1);
      if (has(i, result))
        out.push_back(
            {0, shape_index{0, static_cast<std::uint32_t>(pair.operand)} + pair.operand_index, std::move(result)});
    }
    return out;
  }

  bool steps_over(hlo_instruction i) const {
    return i.opcode() == hlo_opcode::bitcast || (rules_.reshape_is_bitcast && i.opcode() == hlo_opcode::reshape);
  }
  /// Traces a value in a fusion's body back to its origin. The search ends, since operands stand before their users; it
  /// stops after `most_steps`, which no real program needs.
  place_in_body walk_back(place_in_body at) const {
    constexpr std::size_t most_steps = 1000;
    std::size_t steps = 0;
    const auto step = [&](std::size_t operand) {
      if (++steps > most_steps) return false;
      const hlo_instruction next = operand_of(at.instruction, operand);
      if (!next || next.id() >= at.instruction.id()) return false;
      at.instruction = next;
      return true;
    };
    while (at.instruction.opcode() == hlo_opcode::tuple && !at.index.empty() && step(at.index[0]))
      at.index = at.index.without_first(1);
    while (at.instruction.opcode() == hlo_opcode::get_tuple_element) {
      const auto element = element_position(at.instruction);
      if (!element || *element > 0xFFFFFFFF || !step(0)) break;
      at.index = shape_index{static_cast<std::uint32_t>(*element)} + at.index;
    }
    while (rules_.fusions_look_through && at.index.empty() && steps_over(at.instruction) && step(0)) {
    }
    return at;
  }

  void add_fusion(hlo_instruction fusion) {
    fusions_[fusion.id()] = static_cast<std::uint32_t>(of_fusions_.size());
    fusion_pairs found;
    found.annotated = annotated(fusion);
    const hlo_instruction root = root_of(first_called(fusion));
    hlo_instruction of_outputs;  // whose pairs `by_output` holds
    std::multimap<shape_index, in_place_pair> by_output;
    for (std::uint32_t n = 0; root && n < tables_.places.count(fusion.id()); ++n) {
      if (tables_.places.is_tuple(fusion.id(), n)) continue;
      const shape_index output = tables_.places.index(fusion.id(), n);
      const place_in_body source = walk_back({root, output});
      place_in_body input;
      if (!(of_outputs == source.instruction)) {
        of_outputs = source.instruction;
        by_output.clear();
        for (in_place_pair& pair : of_source(of_outputs)) {
          shape_index written = pair.output;
          by_output.emplace(std::move(written), std::move(pair));
        }
      }
      for (auto [at, last] = by_output.equal_range(source.index); at != last; ++at) {
        const in_place_pair& pair = at->second;
        if (!operand_of(source.instruction, pair.operand)) continue;
        input = walk_back({source.instruction.operand(pair.operand), pair.operand_index});
        if (input.instruction.opcode() != hlo_opcode::fusion) continue;
        for (const in_place_pair& inner : of(input.instruction))
          if (inner.output == input.index && operand_of(input.instruction, inner.operand)) {
            input = walk_back({input.instruction.operand(inner.operand), inner.operand_index});
            break;
          }
      }
      if (input.instruction && !rules_.fusions_look_through && input.instruction.opcode() == hlo_opcode::bitcast &&
          input.instruction.operand_count() > 0)
        input.instruction = input.instruction.operand(0);
      if (!input.instruction) continue;
      if (const auto k = parameter_position(input.instruction)) found.in_body.push_back({*k, input.index, output});
    }
    of_fusions_.push_back(std::move(found));
  }
  /// The pairs of an instruction in a fusion; of a nested fusion only those of its body, since 2026-06.
  std::vector<in_place_pair> of_source(hlo_instruction i) const {
    const bool nested = i.opcode() == hlo_opcode::fusion && fusions_[i.id()] != none;
    return nested && rules_.fusions_look_through ? of_fusions_[fusions_[i.id()]].in_body : of(i);
  }

  const module_tables& tables_;
  xla_rules rules_;
  std::vector<std::uint32_t> fusions_;  // by instruction, into of_fusions_
  std::vector<fusion_pairs> of_fusions_;
};

}  // namespace hlolint
