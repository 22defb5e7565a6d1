// Values that are stored in a wide type although all readers convert them to one narrower type (advise.md 14).
#pragma once

#include <hlolint/ir/element_type.hpp>
#include <hlolint/tool/advise/changes/change_candidate.hpp>
#include <hlolint/tool/advise/changes/stored_form.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace hlolint::advise {

namespace detail {

constexpr bool is_wide(element_type type) { return type == element_type::f32 || type == element_type::f64; }
// Types to which a conversion only rounds: the result depends on the number alone.
constexpr bool is_narrow(element_type type) {
  return type == element_type::bf16 || type == element_type::f16 || type == element_type::f32;
}

// A value, and the shape that all its readers convert it to.
inline std::optional<reshaped_value> narrowed_value_of(const edited_module& now, hlo_instruction value,
                                                       byte_count least) {
  const shape* const own = value.shape();
  if (!own || !is_wide(own->type) || !own->layout || !own->layout->tiles.empty() ||
      own->layout->element_size_in_bits > 0)
    return std::nullopt;
  auto found = stored_value_of(now, value, least, "kLoop kInput");
  if (!found) return std::nullopt;
  reshaped_value out{std::move(*found), *own};
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

/// Values of `least` bytes or more that could be stored narrow, the largest first.
inline std::vector<change_candidate> narrow_candidates(const edited_module& now, byte_count least) {
  return detail::stored_candidates(now, least, change_kind::narrow, hlo_opcode::convert, &detail::narrowed_value_of);
}

}  // namespace hlolint::advise
