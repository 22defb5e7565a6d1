// Values that are mostly padding, and take less in another order of their dimensions (advise.md 15).
#pragma once

#include <hlolint/advise/changes/change_candidate.hpp>
#include <hlolint/advise/changes/stored_form.hpp>
#include <hlolint/analysis/sizes/padding.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace hlolint::advise {

namespace detail {

// A value, and the layout in which it takes at most four fifths of its bytes, as PAD001 and PAD003 name it.
struct tightened_value {
  stored_value of;
  shape becomes;
};
inline optional<tightened_value> tightened_value_of(const edited_module& now, hlo_instruction value, byte_count least) {
  constexpr double least_share = 0.2;
  const shape* const own = value.shape();
  if (now.made->rules().sizes != size_rule::tpu_tiled || !own || !own->layout || own->layout->tiles.empty() ||
      !own->layout->split_configs.empty() || own->layout->dynamic_shape_metadata_prefix_bytes > 0)
    return std::nullopt;
  auto found = stored_value_of(now, value, least, "kLoop kInput kOutput copy");
  const auto better = found ? find_better_layout(*own, least_share) : std::nullopt;
  if (!better) return std::nullopt;
  for (const stored_value::reader& r : found->readers)
    if (r.parameter ? r.user.attribute(attribute_key::kind) == "kCustom" : r.user.opcode() != hlo_opcode::copy)
      return std::nullopt;
  return tightened_value{std::move(*found), better->array};
}

}  // namespace detail

/// The whole text with a value of a module stored in the layout in which it takes least. Nothing if there is no such
/// layout, or more than its maker and its readers depend on the one that it has.
inline optional<std::string> tightened_text(const edited_module& now, const std::string& computation,
                                            const std::string& name) {
  const hlo_computation c = now.module().find_computation(computation);
  const hlo_instruction value = c ? c.find(name) : hlo_instruction{};
  const auto found = value ? detail::tightened_value_of(now, value, 1) : std::nullopt;
  if (!found) return std::nullopt;
  return detail::stored_form(now, found->of, found->becomes, hlo_opcode::copy).run();
}

/// Values of `least` bytes or more that another layout makes smaller, the largest first.
inline record_list<change_candidate> layout_candidates(const edited_module& now, byte_count least) {
  const memory_moves moves(*now.made, *now.rules, *now.live);
  record_list<change_candidate> out;
  if (now.made->rules().sizes != size_rule::tpu_tiled) return out;
  for (const hlo_instruction i : now.module().instructions()) {
    if (!moves.is_editable(i.computation())) continue;
    const auto found = detail::tightened_value_of(now, i, least);
    if (!found || now.rules->is_effect(found->of.maker.id())) continue;
    const program_change change = change_of(change_kind::layout, found->of.value, found->of.maker, *i.shape(),
                                            found->becomes, now.made->rules().sizes);
    out.push_back({change, [change](const edited_module& state) {
                     return tightened_text(state, change.computation, change.instruction);
                   }});
  }
  sort_by_size(out);
  return out;
}

}  // namespace hlolint::advise
