// Shardings: classic, on a named mesh, and tuples of them (hlo_text.md 7).
#pragma once

#include <hlolint/grammar/device_list.hpp>
#include <hlolint/grammar/directives.hpp>
#include <hlolint/grammar/metadata.hpp>

#include <string>
#include <utility>

namespace hlolint::grammar {

namespace sharding_rules {

using kind = hlolint::sharding::kind;
using subgroup = hlolint::sharding::subgroup;

inline constexpr std::array<std::string_view, 6> words{"replicated", "maximal",   "manual",
                                                       "unknown",    "unreduced", "last_tile_dim_replicate"};
/// Of several kinds the first of the enum counts.
[[gnu::cold]] inline bool read_kind(const char*& first, const char* last, parse_state&, sharding* out) {
  std::size_t found = 0;
  if (!take_word(first, last, words.data(), words.size(), true, found)) return false;
  if (found == 5)
    out->replicate_last_tile_dim = true;
  else if (const auto word = static_cast<kind>(found); word < out->written)
    out->written = word;
  return true;
}
inline constexpr std::array<std::string_view, 2> whole_words{"replicated", "manual"};
[[gnu::cold]] inline bool read_whole(const char*& first, const char* last, parse_state&, sharding* out) {
  std::size_t found = 0;
  if (!take_word(first, last, whole_words.data(), whole_words.size(), true, found)) return false;
  out->written = found == 0 ? kind::replicated : kind::manual;
  return true;
}
inline constexpr std::array<std::string_view, 2> relations{"shard_as", "shard_like"};
[[gnu::cold]] inline bool read_relation(const char*& first, const char* last, parse_state&, sharding::relation* out) {
  std::size_t found = 0;
  if (!take_word(first, last, relations.data(), relations.size(), true, found)) return false;
  *out = static_cast<sharding::relation>(found + 1);
  return true;
}
inline constexpr std::array<std::string_view, 4> subgroups{"maximal", "replicated", "manual", "unreduced"};
[[gnu::cold]] inline bool read_subgroup(const char*& first, const char* last, parse_state&, subgroup* out) {
  std::size_t found = 0;
  if (!take_word(first, last, subgroups.data(), subgroups.size(), true, found)) return false;
  *out = static_cast<subgroup>(found);
  return true;
}
inline constexpr std::array<std::string_view, 3> reductions{"sum", "max", "min"};
[[gnu::cold]] inline bool read_reduction(const char*& first, const char* last, parse_state&, std::string_view* out) {
  std::size_t found = 0;
  if (!take_word(first, last, reductions.data(), reductions.size(), true, found)) return false;
  *out = reductions[found];
  return true;
}
/// `device=0` takes the place of all devices before it.
[[gnu::cold]] inline bool read_one_device(const char*& first, const char* last, parse_state& s, device_list* out) {
  std::int64_t device = 0;
  if (!take_integer(first, last, s, device)) return false;
  out->listed = {device};
  return true;
}

constexpr void is_unreduced(sharding& value) { value.written = kind::unreduced; }
constexpr void is_named(sharding& value) { value.written = kind::named; }
constexpr void is_tuple(sharding& value) { value.written = kind::tuple; }
inline bool is_maximal(sharding& value) {
  if (!value.mesh.maximal_device) return false;
  value.written = kind::maximal;
  value.devices.listed = {*value.mesh.maximal_device};
  return true;
}
constexpr void is_open(sharding::dimension& d) { d.open = true; }
constexpr bool is_closed(sharding::dimension& d) { return !d.open; }

// {op_name="x"} or {{op_name="x"},{op_name="y"}}
inline constexpr auto metadata_list =
    key("metadata") >> must("metadata in braces")[metadata | in_braces("metadata in braces, ',' or '}'")[metadata]];

[[gnu::cold]] inline void check_classic(parse_state& s, const char* begin, const sharding& value) {
  const bool maximal = value.written == kind::maximal;
  const std::size_t listed = value.devices.listed.size();
  if (maximal && listed != 1)
    return s.broke(begin, say({"a maximal sharding needs exactly one device, found ", listed}));
  if (value.written != kind::tiled) {
    if (!maximal && listed) s.broke(begin, "a replicated, manual, unknown or unreduced sharding has no devices");
    return;
  }
  if (value.tiles.empty()) return s.broke(begin, "a sharding needs a kind, or devices=[...] with the numbers of tiles");
  const auto tiles = product(value.tiles);
  if (!value.devices.is_iota() && listed <= 1) return s.broke(begin, "a tiled sharding needs more than one device");
  if (value.devices.size() != tiles)
    s.broke(begin, say({"the tiles need ", device_rules::written(tiles), " devices, found ",
                        device_rules::written(value.devices.size())}));
}
[[gnu::cold]] inline void check_named(parse_state& s, const char*, const sharding& value) {
  for (const auto& d : value.dimensions) device_rules::check_axes(s, value.mesh, d.axes);
  for (const auto* list : {&value.replicated, &value.unreduced, &value.manual})
    device_rules::check_axes(s, value.mesh, *list);
}

}  // namespace sharding_rules

/// `devices=[2,1]<=[2] last_tile_dim_replicate`, `replicated`, `maximal device=0`: words in any order.
struct classic_sharding_id {};
inline constexpr x3::rule<classic_sharding_id, sharding> classic_sharding{"sharding"};
inline constexpr auto classic_sharding_def = [] {
  using namespace sharding_rules;
  const auto one_kind = same_value[value_parser<&read_kind>{}];
  const auto group = into<&sharding::group>[value_parser<&read_relation>{}] >>
                     must("a group's number")[into<&sharding::group_id>[integer]];
  const auto tiled = key("devices") >>
                     must("the numbers of tiles, [...]")[into<&sharding::tiles>[bracketed_integers]] >>
                     (at_most >> must("an iota")[into<&sharding::devices>[iota]] |
                      must("'<=' or device numbers")[into<&sharding::devices>[devices]]);
  const auto one_device = key("device") >> must("a device")[into<&sharding::devices>[value_parser<&read_one_device>{}]];
  const auto types =
      key("last_tile_dims") >>
      must("subgroups in braces")[in_braces("maximal, replicated, manual, unreduced, ',' or '}'")
                                      [append<&sharding::last_tile_dims>[value_parser<&read_subgroup>{}]]];
  return verified<&check_classic>[many[tiled | one_kind | one_device | types | metadata_list | group]];
}();

/// `{'x', ?}`: the axes that cut one dimension.
struct cut_dimension_id {};
inline constexpr x3::rule<cut_dimension_id, sharding::dimension> cut_dimension{"dimension"};
inline constexpr auto cut_dimension_def = [] {
  using namespace sharding_rules;
  return in_braces(
      "an axis, '?' at the end, or '}'")[does<&is_closed> >> ('?'_p >> does<&is_open> |
                                                              append<&sharding::dimension::axes>[axis_reference_])];
}();

/// `mesh['x'=2,'y'=4], [{'x'}, {'y', ?}], replicated={'z'}`
struct named_sharding_id {};
inline constexpr x3::rule<named_sharding_id, sharding> named_sharding{"named sharding"};
inline constexpr auto named_sharding_def = [] {
  using namespace sharding_rules;
  constexpr const char* in = "axes in braces";
  const auto reduction = into<&sharding::reduction>[value_parser<&read_reduction>{}];
  const auto unreduced_axes = into<&sharding::unreduced>[axes];
  const auto also_metadata = maybe[','_p >> must("metadata=")[metadata_list]];
  const auto unreduced = keyword("unreduced") >> does<&is_unreduced> >>
                         maybe['='_p >> must("sum, max or min")[reduction]] >> maybe[unreduced_axes];
  const auto dims = in_brackets("a dimension in braces, ',' or ']'")[append<&sharding::dimensions>[cut_dimension]];
  const auto field = metadata_list | key("replicated") >> must(in)[into<&sharding::replicated>[axes]] |
                     key("unreduced") >> maybe[reduction] >> must(in)[unreduced_axes] |
                     key("manual") >> must(in)[into<&sharding::manual>[axes]];
  const auto spread = (same_value[value_parser<&read_whole>{}] | unreduced) >> also_metadata |
                      does<&is_named> >> must("replicated, manual, unreduced or the dimensions in brackets")[dims] >>
                          many[','_p >> must("replicated=, unreduced=, manual= or metadata=")[field]];
  return verified<&check_named>[into<&sharding::mesh>[mesh] >>
                                (does<&is_maximal> >> also_metadata | maybe[','_p] >> spread)];
}();

/// `{one}`, or a tuple `{{one}, {one}}`.
struct sharding_id {};
inline constexpr x3::rule<sharding_id, sharding> sharding_{"sharding"};
struct one_sharding_id {};
inline constexpr x3::rule<one_sharding_id, sharding> one_sharding{"sharding"};
inline constexpr auto one_sharding_def = [] {
  const auto mesh_ahead = &(keyword("mesh") | keyword("maximal_mesh"));
  return '{'_p >> (mesh_ahead >> same_value[named_sharding] | !mesh_ahead >> same_value[classic_sharding]) >>
         must("a word of a sharding or '}'")['}'_p];
}();
inline constexpr auto sharding__def = [] {
  const auto tuple_ahead = &('{'_p >> ('{'_p | '}'_p));
  return tuple_ahead >> does<&sharding_rules::is_tuple> >>
             in_braces("a sharding in braces, ',' or '}'")[append<&sharding::elements>[one_sharding]] |
         !tuple_ahead >> same_value[one_sharding];
}();

BOOST_SPIRIT_DEFINE(classic_sharding, cut_dimension, named_sharding, one_sharding, sharding_)

}  // namespace hlolint::grammar
