// The attributes that an instruction needs and may have, and the demands of its opcode on their values (hlo_text.md 7,
// 8).
#pragma once

#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/grammar/attributes/opcode_rules.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/verify/operands.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace hlolint::module_rules {

/// Reports attribute number `k` of a list, which repeats an earlier one.
[[gnu::cold]] void report_repeated(const auto& attributes, std::size_t k, std::size_t first, std::string_view text,
                                   findings& out) {
  const hlo_attribute a = attributes[k], b = attributes[first];
  out.add_beside(span_of(text, a.name).begin, span_of(text, b.name).begin, "the first one", "attribute ", a.name,
                 " stands here twice");
}

/// No attribute of an instruction, a computation or a module stands twice. Few attributes are compared, many looked up.
void check_repeated(const auto& attributes, std::string_view text, findings& out) {
  constexpr std::size_t few = 32;
  const std::size_t count = attributes.size();
  if (count > few) {
    std::unordered_map<std::string_view, std::size_t> first;
    for (std::size_t k = 0; k < count; ++k)
      if (const auto [known, is_new] = first.emplace(attributes[k].name, k); !is_new)
        report_repeated(attributes, k, known->second, text, out);
    return;
  }
  for (std::size_t k = 1; k < count; ++k)
    for (std::size_t before = 0; before != k; ++before)
      if (attributes[k].name == attributes[before].name) {
        report_repeated(attributes, k, before, text, out);
        break;
      }
}

/// The value of an attribute has the form that the opcode demands.
inline void check_form(const hlo_instruction& i, const hlo_attribute& a, grammar::attribute_form form, std::uint32_t at,
                       findings& out) {
  using enum grammar::attribute_form;
  const bool numbers = a.key == attribute_key::slice_sizes || form == one_integer;
  const bool words = a.key == attribute_key::algorithm || a.key == attribute_key::mode;
  if ((!numbers && !words) || !is_readable(i, a.key)) return;
  if (a.key == attribute_key::mode) {
    if ((a.value == "rotate") != (form == shuffle))
      out.add(at, "the mode of ", i.opcode(),
              form == shuffle ? " is rotate" : " is one of collectives, such as cross_replica");
    return;
  }
  if (a.key == attribute_key::algorithm) {
    const bool of_dot = get<dot_algorithm>(i).has_value();
    if (of_dot == (form == random))
      out.add(at, "the algorithm of ", i.opcode(),
              form == random ? " is one of random numbers, such as rng_philox"
                             : " is one of dots, such as dot_bf16_bf16_f32");
    return;
  }
  const auto list = get_integers(i, a.key);
  if (form == one_integer) {
    if (list && list->size() != 1) out.add(at, "expected a list of 1 integer, found ", list->size());
  } else if (form == integer_lists) {
    if (list && !list->empty()) out.add(at, "slice_sizes of ", i.opcode(), " is a list of lists such as {{0,1},{2,3}}");
  } else if (!list) {
    out.add(at, "slice_sizes of ", i.opcode(), " is a list of integers such as {0,1}");
  }
}

/// The instruction has attributes that belong to its opcode, each once.
inline void check_attributes(const hlo_instruction& i, findings& out) {
  const std::string_view text = i.data().text.text();
  check_repeated(i.attributes(), text, out);
  for (const hlo_attribute a : i.attributes()) {
    if (a.key == attribute_key::unknown) continue;
    if (const auto form = grammar::form_of(i.opcode(), i.wrapped_opcode(), a.key))
      check_form(i, a, *form, span_of(text, a.value).begin, out);
    else
      out.add(span_of(text, a.name).begin, "attribute ", a.name, " does not belong to ", i.opcode());
    if (a.key == attribute_key::order && i.has(attribute_key::type))
      out.add(span_of(text, a.name).begin, "a comparison has a type or an order, not both");
  }
}

/// The instruction has all attributes that its opcode needs.
inline void check_required(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const auto missing = [&](attribute_key key) { out.add(place, i.opcode(), " needs the attribute ", key); };
  for (const attribute_key key : grammar::required_attributes(i.opcode(), i.wrapped_opcode()))
    if (!i.has(key)) missing(key);
  if (i.opcode() == hlo_opcode::broadcast && i.operand_count() == 1 && !i.has(attribute_key::dimensions)) {
    const shape* const from = operand_shape(i, 0);
    if (from && from->rank() > 0) missing(attribute_key::dimensions);
  }
}

/// Each of the `operand_layout_constraints` is for an operand of its shape, layouts aside.
[[gnu::cold]] void check_constraints(const hlo_instruction& i, const auto& constraints, findings& out) {
  for (std::size_t k = 0; constraints && k != i.operand_count(); ++k)
    if (const shape* const own = operand_shape(i, k); own && !compatible(constraints->shapes[k], *own))
      return out.add(place_of(i, attribute_key::operand_layout_constraints), "the layout of operand ", k, ", which is ",
                     *own, ", cannot be that of ", constraints->shapes[k]);
}

/// `parameter_replication` has one entry per array of the result, `operand_layout_constraints` one shape per operand.
inline void check_list_sizes(const hlo_instruction& i, findings& out) {
  if (i.has(attribute_key::parameter_replication) && i.shape()) {
    const auto replication = get<parameter_replication>(i);
    const std::size_t arrays = leaf_count(*i.shape());
    if (replication && replication->leaves.size() != arrays)
      out.add(place_of(i, attribute_key::parameter_replication), "parameter_replication has ",
              counted(replication->leaves.size(), "element"), " for ", counted(arrays, "array"));
  }
  if (i.opcode() == hlo_opcode::custom_call && i.has(attribute_key::operand_layout_constraints)) {
    const auto constraints = get<operand_layout_constraints>(i);
    if (constraints && constraints->shapes.size() != i.operand_count())
      out.add(place_of(i, attribute_key::operand_layout_constraints), "operand_layout_constraints has ",
              counted(constraints->shapes.size(), "shape"), " for ", counted(i.operand_count(), "operand"));
    else
      check_constraints(i, constraints, out);
  }
}

}  // namespace hlolint::module_rules
