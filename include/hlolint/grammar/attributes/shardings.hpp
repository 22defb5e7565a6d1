// Shardings: classic ones, those on a named mesh, and tuples of both (hlo_text.md 7: sharding and its parts).
#pragma once

#include <hlolint/grammar/attributes/attribute_rule.hpp>
#include <hlolint/grammar/attributes/devices.hpp>
#include <hlolint/grammar/attributes/metadata.hpp>
#include <hlolint/grammar/x3/directives.hpp>
#include <hlolint/grammar/x3/fields.hpp>
#include <hlolint/grammar/x3/lists.hpp>
#include <hlolint/grammar/x3/tokens.hpp>
#include <hlolint/ir/sharding.hpp>
#include <hlolint/text/str_cat.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::grammar {

namespace sharding_rules {

using value = hlolint::sharding;
using kind = value::kind;

/// Of several kinds, the first one in the enumeration counts.
inline void add_kind(value& s, kind word) {
  if (word < s.written) s.written = word;
}
/// `device=0` replaces all devices written before it.
inline void set_device(value& s, std::int64_t device) { s.devices.listed = {device}; }
inline void set_mesh(value& s, device_mesh& m) {
  s.mesh = std::move(m);
  if (!s.mesh.maximal_device) return;
  s.written = kind::maximal;
  s.devices.listed = {*s.mesh.maximal_device};
}

[[gnu::cold]] inline void check_classic(parse_state& s, std::string_view text, const value& v) {
  const char* const at = text.data();
  const bool maximal = v.written == kind::maximal;
  const std::size_t listed = v.devices.listed.size();
  if (maximal && listed != 1)
    return s.broke(at, str_cat({"a maximal sharding needs exactly one device, found ", listed}));
  if (v.written != kind::tiled) {
    if (!maximal && listed) s.broke(at, "a replicated, manual, unknown or unreduced sharding has no devices");
    return;
  }
  if (v.tiles.empty()) return s.broke(at, "a sharding needs a kind, or devices=[...] with the numbers of tiles");
  if (v.last_tile_dims.size() > v.tiles.size())
    return s.broke(
        at, str_cat({"there are ", v.last_tile_dims.size(), " subgroups for ", v.tiles.size(), " numbers of tiles"}));
  if (!v.devices.is_iota() && listed <= 1) return s.broke(at, "a tiled sharding needs more than one device");
  if (const auto tiles = checked_product(v.tiles); v.devices.size() != tiles)
    s.broke(at, str_cat({"the tiles need ", device_rules::written(tiles), " devices, found ",
                         device_rules::written(v.devices.size())}));
}
[[gnu::cold]] inline void check_named(parse_state& s, std::string_view, const value& v) {
  std::vector<device_rules::used_part> used;
  for (const auto& d : v.dimensions) device_rules::check_axes(s, v.mesh, d.axes, used);
  for (const auto* list : {&v.replicated, &v.unreduced, &v.manual}) device_rules::check_axes(s, v.mesh, *list, used);
}

// {op_name="x"}   {{op_name="x"},{op_name="y"}}
inline constexpr auto meta = metadata | in_braces("metadata in braces, ',' or '}'")[metadata];
inline constexpr auto metadata_list = x3::lit("metadata=") >> must("metadata in braces")[meta];

// ---------------------------------------------------------------- classic: words in any order, without commas
// [2,4]<=[8]   [2,1]0,1
inline constexpr auto assign = rule<value>("tiles and devices") =
    must("the numbers of tiles, [...]")[into<&value::tiles>[bracketed_ints]] >>
    ("<=" >> must("an iota")[into<&value::devices>[iota]] |
     must("'<=' or device numbers")[into<&value::devices>[device_numbers]]);
inline constexpr auto type = one_of<value::subgroup>("maximal", "replicated", "manual", "unreduced");
inline constexpr auto group = (keyword("shard_as") >> set<&value::group>(value::relation::shard_as) |
                               keyword("shard_like") >> set<&value::group>(value::relation::shard_like)) >>
                              must("a group's number")[into<&value::group_id>[integer]];
inline constexpr auto reduction = text[one_of("sum", "max", "min")];
// Without a mesh XLA prints named shardings as {unreduced=max} and {replicated, metadata={...}}, which it does not
// read.
inline constexpr auto classic = checked<
    &check_classic>[rule<value>("words of a sharding") = *(
                        "devices=" >> same_value[assign] |
                        &(keyword("unreduced") >> '=') >> keyword("unreduced") >>
                            set<&value::written>(kind::unreduced) >> '=' >>
                            must("sum, max or min")[into<&value::reduction>[reduction]] |
                        ',' >> must("metadata=")[metadata_list] |
                        update<&add_kind>[one_of<kind>("replicated", "maximal", "manual", "unknown", "unreduced")] |
                        "device=" >> must("a device")[update<&set_device>[integer]] |
                        keyword("last_tile_dim_replicate") >> set<&value::replicate_last_tile_dim>(true) |
                        "last_tile_dims=" >>
                            must("subgroups in braces")[in_braces("maximal, replicated, manual, unreduced, ',' or '}'")
                                                            [append<&value::last_tile_dims>[type]]] |
                        metadata_list | group)];

// ---------------------------------------------------------------- named: axes of a mesh
// {'x', ?}    the axes that cut one dimension; ? comes last
inline constexpr auto dimsh = rule<value::dimension>("axes of a dimension") =
    '{' >> -(append<&value::dimension::axes>[axref] % ',' >>
                 -(',' >> must("an axis, '?' at the end, or '}'")['?' >> set<&value::dimension::open>(true)]) |
             '?' >> set<&value::dimension::open>(true)) >>
    must("an axis, '?' at the end, or '}'")['}'];
// [{'x'}, {'y', ?}]
inline constexpr auto dims = in_brackets("a dimension in braces, ',' or ']'")[append<&value::dimensions>[dimsh]];
inline constexpr auto key = by(attribute_name)(
    on("replicated")[must("axes in braces")[into<&value::replicated>[axes]]],
    on("unreduced")[-into<&value::reduction>[reduction] >> must("axes in braces")[into<&value::unreduced>[axes]]],
    on("manual")[must("axes in braces")[into<&value::manual>[axes]]], on("metadata")[must("metadata in braces")[meta]]);
inline constexpr auto also_metadata = -(',' >> must("metadata=")[metadata_list]);
// mesh['x'=2,'y'=4], [{'x'}, {'y', ?}], replicated={'z'}   mesh['x'=2], unreduced=sum {'x'}   maximal_mesh[device_id=0]
inline constexpr auto spread = -x3::lit(',') >>
                               (keyword("replicated") >> set<&value::written>(kind::replicated) >> also_metadata |
                                keyword("manual") >> set<&value::written>(kind::manual) >> also_metadata |
                                keyword("unreduced") >> set<&value::written>(kind::unreduced) >>
                                    -('=' >> must("sum, max or min")[into<&value::reduction>[reduction]]) >>
                                    -into<&value::unreduced>[axes] >> also_metadata |
                                set<&value::written>(kind::named) >>
                                    must("replicated, manual, unreduced or the dimensions in brackets")[dims] >>
                                    *(',' >> must("replicated=, unreduced=, manual= or metadata=")[key]));
inline constexpr auto named =
    checked<&check_named>[rule<value>("named sharding") = &(keyword("maximal_mesh") | keyword("single_device")) >>
                                                              update<&set_mesh>[mesh] >> also_metadata |
                                                          &keyword("mesh") >> update<&set_mesh>[mesh] >> spread];

// ---------------------------------------------------------------- one sharding, or a tuple of them
inline constexpr auto mesh_ahead = &(keyword("mesh") | keyword("maximal_mesh") | keyword("single_device"));
inline constexpr auto one = rule<value>("one sharding") = '{' >> (mesh_ahead >> same_value[named] |
                                                                  !mesh_ahead >> same_value[classic]) >>
                                                          must("a word of a sharding or '}'")['}'];

}  // namespace sharding_rules

// {devices=[2,1]<=[2]}   {{maximal device=0}, {replicated}}   {}
inline constexpr auto sharding = rule<hlolint::sharding>("sharding") =
    &('{' >> (x3::lit('{') | '}')) >> set<&hlolint::sharding::written>(hlolint::sharding::kind::tuple) >>
        in_braces("a sharding in braces, ',' or '}'")[append<&hlolint::sharding::elements>[sharding_rules::one]] |
    same_value[sharding_rules::one];

template <>
inline constexpr auto attribute_rule<hlolint::sharding> = reads<sharding>("a sharding in braces");

}  // namespace hlolint::grammar
