// Checks that two texts of a program compute the same values, however they fuse operations and store values
// (advise.md 13).
#pragma once

#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/same_text.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/tool/advise/schedule_constraints.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hlolint::advise {

namespace detail {

// Numbers values: two values have equal numbers if equal operations on equal values compute them. A fusion counts as
// the operations in it; a copy, a conversion to the operand's type and a bitcast to its shape count as the operand.
// Effects are values too, numbered in their order.
class value_meanings {
 public:
  // The numbers, shared by the compared modules.
  class numbers {
   public:
    std::uint32_t of(std::string text) {
      return of_.try_emplace(std::move(text), static_cast<std::uint32_t>(of_.size())).first->second;
    }

   private:
    std::unordered_map<std::string, std::uint32_t> of_;
  };

  value_meanings(const hlo_module& module, numbers& shared)
      : module_(module), shared_(shared), meanings_(module.computation_count(), none), has_effects_(meanings_.size()) {}

  // The number of the entry's result and effects; nothing if an operand or a called computation is missing, or comes
  // after its user.
  std::optional<std::uint32_t> of_entry() { return module_.entry() ? of(module_.entry()) : std::nullopt; }

 private:
  using list = std::vector<std::uint32_t>;

  static std::string text_of(const char* what, const list& parts) {
    std::string out = what;
    for (const std::uint32_t part : parts) out += ' ' + std::to_string(part);
    return out;
  }

  // Whether two shapes of one value agree in elements, dimensions and layouts; memory spaces may differ.
  static bool agree(const shape* a, const shape* b) {
    if (!a || !b) return true;
    if (a->elements.size() != b->elements.size() || !compatible(*a, *b)) return false;
    for (std::size_t k = 0; k < a->elements.size(); ++k)
      if (!agree(&a->elements[k], &b->elements[k])) return false;
    return !a->layout || !b->layout ||
           (a->layout->minor_to_major == b->layout->minor_to_major && a->layout->tiles == b->layout->tiles);
  }
  static bool is_well_called(hlo_instruction fusion) {
    if (fusion.called_computation_count() != 1 || !fusion.called_computation(0)) return false;
    for (const hlo_instruction i : fusion.called_computation(0).instructions())
      if (const auto number = i.parameter_number())
        if (*number < 0 || static_cast<std::size_t>(*number) >= fusion.operand_count() ||
            !agree(i.shape(), fusion.operand(static_cast<std::size_t>(*number)).shape()))
          return false;
    const hlo_instruction root = fusion.called_computation(0).root();
    return root && agree(root.shape(), fusion.shape());
  }

  static bool is_element(hlo_instruction i, std::int64_t index) {
    const shape* const whole = i.operand(0).shape();
    return !whole || (whole->is_tuple() && static_cast<std::size_t>(index) < whole->elements.size() &&
                      agree(&whole->elements[static_cast<std::size_t>(index)], i.shape()));
  }

  // The number of a computation with unknown arguments: of its result and its effects, in order.
  std::optional<std::uint32_t> of(hlo_computation c) {
    if (meanings_[c.id()] != none) return meanings_[c.id()];
    list effects;
    const auto result = evaluate(c, nullptr, effects);
    if (!result) return std::nullopt;
    has_effects_[c.id()] = !effects.empty();
    effects.push_back(*result);
    return meanings_[c.id()] = shared_.of(text_of("computation", effects));
  }

  std::optional<std::uint32_t> evaluate(hlo_computation c, const list* arguments, list& effects) {
    list values(c.instruction_count(), none);
    for (const hlo_instruction i : c.instructions()) {
      list operands;
      for (const hlo_instruction operand : i.operands()) {
        if (!operand || operand.computation() != c || values[operand.index_in_computation()] == none)
          return std::nullopt;
        operands.push_back(values[operand.index_in_computation()]);
      }
      const auto value = value_of(i, operands, arguments, effects);
      if (!value) return std::nullopt;
      values[i.index_in_computation()] = *value;
    }
    return c.root() ? std::optional(values[c.root().index_in_computation()]) : std::nullopt;
  }

  std::optional<std::uint32_t> value_of(hlo_instruction i, const list& operands, const list* arguments, list& effects) {
    const shape* const own = i.shape();
    const shape* const read = i.operand_count() == 1 ? i.operand(0).shape() : nullptr;
    switch (i.opcode()) {
      using enum hlo_opcode;
      case parameter: {
        const auto number = i.parameter_number();
        if (!arguments || !number) break;
        return *number >= 0 && static_cast<std::size_t>(*number) < arguments->size()
                   ? std::optional((*arguments)[static_cast<std::size_t>(*number)])
                   : std::nullopt;
      }
      case tuple: {
        const std::uint32_t out = shared_.of(text_of("tuple", operands));
        elements_.try_emplace(out, operands);
        return out;
      }
      case get_tuple_element: {
        const auto index = get_integer(i, attribute_key::index);
        const auto whole = elements_.find(operands.front());
        if (!index || *index < 0 || !is_element(i, *index)) return std::nullopt;
        if (whole == elements_.end()) return shared_.of("element " + std::to_string(*index) + text_of("", operands));
        if (static_cast<std::size_t>(*index) >= whole->second.size()) return std::nullopt;
        return whole->second[static_cast<std::size_t>(*index)];
      }
      case fusion:
        if (!is_well_called(i)) return std::nullopt;
        return evaluate(i.called_computation(0), &operands, effects);
      case copy:
        if (operands.size() == 1) return operands.front();
        break;
      case convert:
        if (own && read && own->type == read->type) return operands.front();
        break;
      case bitcast:
        if (own && read && *own == *read) return operands.front();
        break;
      default: break;
    }
    std::string text(i.opcode_text());
    if (own) text += ' ' + to_string(*own);
    text += '(' + std::string(i.argument()) + text_of(")", operands);
    if (i.opcode() == hlo_opcode::bitcast || i.opcode() == hlo_opcode::custom_call)  // layouts count
      for (const hlo_instruction operand : i.operands())
        if (operand.shape()) text += ' ' + to_string(*operand.shape());
    for (const hlo_attribute a : i.attributes())
      if (a.key != attribute_key::metadata) text.append(", ").append(a.name).append("=").append(a.value);
    bool is_effect = schedule_constraints::is_effect_itself(i);
    for (const hlo_computation called : i.called_computations()) {
      const auto meaning = called ? of(called) : std::nullopt;
      if (!meaning) return std::nullopt;
      text += ", calls " + std::to_string(*meaning);
      is_effect = is_effect || has_effects_[called.id()];
    }
    if (!is_effect) return shared_.of(std::move(text));
    effects.push_back(shared_.of(std::move(text) + ", effect " + std::to_string(effects.size())));
    return effects.back();
  }

  hlo_module module_;
  numbers& shared_;
  list meanings_;  // by computation
  std::vector<bool> has_effects_;
  std::unordered_map<std::uint32_t, list> elements_;  // of tuples
};

}  // namespace detail

/// Whether two modules compute bitwise equal results from equal arguments and have equal effects in the same order,
/// proven value by value. False if there is no proof. Precondition: the modules were read without errors. O(n log n).
inline bool compute_same_values(const hlo_module& a, const hlo_module& b) {
  if (a.attribute_count() != b.attribute_count()) return false;
  for (std::size_t k = 0; k < a.attribute_count(); ++k)
    if (a.attribute(k).name != b.attribute(k).name || !same_text(a.attribute(k).value, b.attribute(k).value))
      return false;
  detail::value_meanings::numbers shared;
  const auto first = detail::value_meanings(a, shared).of_entry(),
             second = detail::value_meanings(b, shared).of_entry();
  return first && second && *first == *second;
}

}  // namespace hlolint::advise
