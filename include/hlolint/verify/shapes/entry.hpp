// The shapes of `entry_computation_layout` against those of the entry computation (hlo_text.md 8.1), with the layouts
// of a scheduled module (8.2).
#pragma once

#include <hlolint/grammar/printed/shapes.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/verify/layouts.hpp>
#include <hlolint/verify/shapes/compare.hpp>

#include <cstddef>
#include <string_view>
#include <vector>

namespace hlolint::module_rules {

/// Goes past a shape as XLA prints it, if it is written before the opcode of an instruction, too.
inline bool take_shape_of(grammar::printed::place& at, const hlo_instruction& i) {
  const char* const end = grammar::printed::shape_end(at.p, at.last);
  if (!end || !i) return false;
  const std::string_view piece = grammar::view(at.p, end), text = i.data().text.text();
  const std::size_t opcode = i.data().instructions[i.id()].opcode_at;
  if (opcode < piece.size() + 2 || text[opcode - 1] != ' ' || text[opcode - 2 - piece.size()] != ' ' ||
      text.substr(opcode - 1 - piece.size(), piece.size()) != piece)
    return false;
  at.p = end;
  return true;
}
/// Whether `entry_computation_layout` repeats the texts of the shapes, as it does in most dumps; the parameters are by
/// their numbers.
inline bool repeats_texts(std::string_view layout, const std::vector<hlo_instruction>& parameters,
                          const hlo_instruction& root) {
  grammar::printed::place at{layout.data(), layout.data() + layout.size()};
  if (!at.take("{(")) return false;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    if (k > 0 && !at.take(", ")) return false;
    at.take_index_comment();
    if (!take_shape_of(at, parameters[k])) return false;
  }
  return at.take(")->") && take_shape_of(at, root) && at.take('}') && at.p == at.last;
}

/// The entry has the parameters and the result that the header declares.
[[gnu::cold]] inline void check_entry_shapes(const hlo_module& m, findings& out) {
  const hlo_computation entry = m.entry();
  const auto text = m.attribute(attribute_key::entry_computation_layout);
  if (!text || !entry || !entry.is_marked_entry() || entry.record().damaged || !entry.record().complete) return;
  std::vector<hlo_instruction> parameters;
  for (const hlo_instruction i : entry.instructions()) {
    if (i.opcode() != hlo_opcode::parameter) continue;
    const auto number = static_cast<std::size_t>(i.parameter_number().value_or(-1));
    if (number >= entry.instruction_count()) return;
    if (number >= parameters.size()) parameters.resize(number + 1);
    parameters[number] = i;
  }
  const hlo_instruction root = entry.root();
  if (repeats_texts(*text, parameters, root)) return;
  const auto header = get<computation_layout>(m);
  if (!header) return;
  if (parameters.size() != header->parameters.size())
    return out.add(entry.where().at.begin, "the entry has ", counted(parameters.size(), "parameter"),
                   ", but entry_computation_layout ", header->parameters.size());
  out.in_computation(entry.is_anonymous() ? std::string_view{} : entry.name());
  const auto check = [&](std::string_view what, const hlo_instruction& i, const shape& expected) {
    if (!i || !i.shape()) return true;
    layout_difference differs;
    const bool is_other = certainly_differ(expected, *i.shape());
    if (!is_other && m.is_scheduled()) differs = difference_of(*i.shape(), expected, layout_parts::order_and_tiles);
    if (!is_other && !differs) return true;
    out.add(i.where().at.begin, what, " is ", is_other ? *i.shape() : *differs.one,
            ", but entry_computation_layout has ", is_other ? expected : *differs.other,
            is_other ? "" : ": in a scheduled module they have the same ", differs.what);
    out.are_of(i.name());
    return false;
  };
  bool fits = true;
  for (std::size_t k = 0; fits && k < parameters.size(); ++k)
    fits = check("this parameter", parameters[k], header->parameters[k]);
  if (fits) check("the result", root, header->result);
  out.in_computation({});
}

}  // namespace hlolint::module_rules
