// Values that are stored wide, and that all readers convert to one narrower type at once (advise.md 14).
#pragma once

#include <hlolint/advise/changes/change_candidate.hpp>
#include <hlolint/advise/changes/stored_form.hpp>
#include <hlolint/ir/element_type.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace hlolint::advise {

namespace detail {

constexpr bool is_wide(element_type type) { return type == element_type::f32 || type == element_type::f64; }
// A conversion to it rounds each number to one result, and drops nothing else.
constexpr bool is_narrow(element_type type) {
  return type == element_type::bf16 || type == element_type::f16 || type == element_type::f32;
}

// A value, and the shape that all its readers convert it to.
struct narrowed_value {
  stored_value of;
  shape becomes;
};
inline optional<narrowed_value> narrowed_value_of(const edited_module& now, hlo_instruction value, byte_count least) {
  const shape* const own = value.shape();
  if (!own || !is_wide(own->type) || !own->layout || !own->layout->tiles.empty() ||
      own->layout->element_size_in_bits > 0)
    return std::nullopt;
  auto found = stored_value_of(now, value, least, "kLoop kInput");
  if (!found) return std::nullopt;
  narrowed_value out{std::move(*found), *own};
  bool known = false;
  const auto converts = [&](hlo_instruction i, bool keeps_layout) {
    if (i.opcode() != hlo_opcode::convert || !i.shape() || i.has(attribute_key::control_predecessors)) return false;
    if (!known) out.becomes.type = i.shape()->type, known = true;
    return i.shape()->type == out.becomes.type && (!keeps_layout || *i.shape() == out.becomes);
  };
  for (const stored_value::reader& r : out.of.readers) {
    if (!r.parameter) {
      if (!converts(r.user, true)) return std::nullopt;
      continue;
    }
    std::size_t uses = 0;
    for (const hlo_instruction i : r.parameter.computation().instructions())
      for (const hlo_instruction operand : i.operands())
        if (operand && operand == r.parameter) {
          if (!converts(i, false)) return std::nullopt;
          ++uses;
        }
    if (uses == 0) return std::nullopt;
  }
  if (!known || !is_narrow(out.becomes.type) || byte_width(out.becomes.type) >= byte_width(own->type))
    return std::nullopt;
  return out;
}

}  // namespace detail

/// The whole text with a value of a module stored in the type that all its readers convert it to. Nothing if there is
/// no such type.
inline optional<std::string> narrowed_text(const edited_module& now, const std::string& computation,
                                           const std::string& name) {
  const hlo_computation c = now.module().find_computation(computation);
  const hlo_instruction value = c ? c.find(name) : hlo_instruction{};
  const auto found = value ? detail::narrowed_value_of(now, value, 1) : std::nullopt;
  if (!found) return std::nullopt;
  return detail::stored_form(now, found->of, found->becomes, hlo_opcode::convert).run();
}

/// Values of `least` bytes or more that could be stored narrow, the largest first.
inline record_list<change_candidate> narrow_candidates(const edited_module& now, byte_count least) {
  const memory_moves moves(*now.made, *now.rules, *now.live);
  record_list<change_candidate> out;
  for (const hlo_instruction i : now.module().instructions()) {
    if ((i.opcode() != hlo_opcode::fusion && i.opcode() != hlo_opcode::get_tuple_element) ||
        !moves.is_editable(i.computation()))
      continue;
    const auto found = detail::narrowed_value_of(now, i, least);
    if (!found || now.rules->is_effect(found->of.maker.id())) continue;
    const program_change change = change_of(change_kind::narrow, found->of.value, found->of.maker, *i.shape(),
                                            found->becomes, now.made->rules().sizes);
    out.push_back({change, [change](const edited_module& state) {
                     return narrowed_text(state, change.computation, change.instruction);
                   }});
  }
  sort_by_size(out);
  return out;
}

}  // namespace hlolint::advise
