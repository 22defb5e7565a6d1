// Device lists, meshes and their axes, replica groups (hlo_text.md 7: iota, mesh, axes, axref, replica_groups).
#pragma once

#include <hlolint/grammar/attributes/numbers.hpp>
#include <hlolint/grammar/x3/fields.hpp>
#include <hlolint/grammar/x3/lists.hpp>
#include <hlolint/grammar/x3/tokens.hpp>
#include <hlolint/ir/sharding.hpp>
#include <hlolint/text/checked.hpp>
#include <hlolint/text/sorting.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::grammar {

/// `replica_groups` as it is written; group_decoding.hpp decodes it.
struct groups_text {
  std::vector<std::vector<std::int64_t>> lists;  ///< `{{0,1},{2,3}}`
  std::vector<std::int64_t> tiles;               ///< `[2,4]<=[8]`: the numbers before the arrow
  device_list devices;                           ///< and the iota after it
  device_mesh mesh;                              ///< `mesh['x'=2] {'x'}`: the mesh
  std::vector<axis_reference> axes;              ///< and the axes in braces
};

namespace device_rules {

/// The text of a string without its quotes.
inline std::string_view unquoted(std::string_view text) { return text.substr(1, text.size() - 2); }
inline void name_axis(device_mesh::axis& axis, std::string_view name) { axis.name = unquoted(name); }
inline void refer_to_axis(axis_reference& reference, std::string_view name) { reference.axis = unquoted(name); }

inline std::optional<std::int64_t> axis_product(const device_mesh& mesh) {
  return checked_product(mesh.axes, [](const device_mesh::axis& axis) { return axis.size; });
}
/// A number of devices for a message.
inline hlolint::detail::text_part written(std::optional<std::int64_t> n) {
  using hlolint::detail::text_part;
  return n ? text_part(*n) : text_part("too many");
}

[[gnu::cold]] inline void check_iota(parse_state& s, std::string_view text, device_list& list) {
  const std::size_t rank = list.reshape.size();
  if (rank == 0) return s.broke(text.data(), "an iota has at least one dimension");
  if (rank == 1 && list.transpose.empty()) list.transpose = {0};
  if (list.transpose.size() != rank || !is_any_order(list.transpose))
    s.broke(text.data(),
            str_cat({"the transposition of an iota of rank ", rank, " must hold every number below ", rank, " once"}));
}
[[gnu::cold]] inline void check_mesh(parse_state& s, std::string_view text, const device_mesh& mesh) {
  std::vector<std::string_view> names;
  for (const device_mesh::axis& axis : mesh.axes) names.push_back(axis.name);
  std::sort(names.begin(), names.end());
  if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end())
    return s.broke(text.data(), str_cat({"the mesh has two axes '", *twice, "'"}));
  if (mesh.has_devices && mesh.devices.size() != axis_product(mesh))
    s.broke(text.data(), str_cat({"the axes of the mesh make ", written(axis_product(mesh)),
                                  " devices, but device_ids has ", written(mesh.devices.size())}));
  else if (mesh.has_devices && !mesh.devices.is_iota() && !is_any_order(mesh.devices.listed))
    s.broke(text.data(), str_cat({"device_ids must hold every number below ", mesh.devices.listed.size(), " once"}));
}

/// An axis or a part of it that something is spread over: the part between two products of the parts before.
struct used_part {
  std::size_t axis;
  std::int64_t begin, end;
};
/// The axes are those of the mesh, their parts divide them, and nothing is used twice. `used` collects them.
[[gnu::cold]] inline void check_axes(parse_state& s, const device_mesh& mesh, const std::vector<axis_reference>& axes,
                                     std::vector<used_part>& used) {
  for (const axis_reference& a : axes) {
    if (const auto at = find_axis(mesh, a.axis)) {
      const std::int64_t size = mesh.axes[*at].size, begin = a.pre_size.value_or(1);
      const std::int64_t end = a.pre_size ? checked_multiply(begin, a.size).value_or(0) : size;
      if (a.pre_size && (begin < 1 || a.size < 2 || a.size >= size || end < 1 || size % end != 0))
        return s.broke(a.axis.data(),
                       str_cat({"axis '", a.axis, "' of ", size, " devices has no part (", begin, ")", a.size}));
      for (const used_part& u : used)
        if (u.axis == *at && u.begin < end && begin < u.end)
          return s.broke(a.axis.data(), str_cat({"axis '", a.axis, "' is used twice"}));
      used.push_back({*at, begin, end});
      continue;
    }
    std::string known;
    for (const device_mesh::axis& axis : mesh.axes)
      known = str_cat({known, known.empty() ? "; its axes are " : ", ", axis.name});
    s.broke(a.axis.data(), str_cat({"the mesh has no axis '", a.axis, "'", known}));
  }
}
[[gnu::cold]] inline void check_groups(parse_state& s, std::string_view text, const groups_text& groups) {
  std::vector<used_part> used;
  check_axes(s, groups.mesh, groups.axes, used);
  if (groups.tiles.empty() && !groups.devices.is_iota()) return;
  if (groups.tiles.size() != 2)
    s.broke(text.data(),
            str_cat({"replica groups have two dimensions, groups and their size; found ", groups.tiles.size()}));
  else if (checked_product(groups.tiles) != groups.devices.size())
    s.broke(text.data(), str_cat({"the groups hold ", written(checked_product(groups.tiles)),
                                  " devices, but the iota has ", written(groups.devices.size())}));
}

}  // namespace device_rules

// T(1,0)
inline constexpr auto transposed =
    keyword("T") >> must("the order of the dimensions")[into<&device_list::transpose>[parenthesized_ints]];
// [8]   [4,2]T(1,0)    T is required unless the rank is one, and then it is not allowed
inline constexpr auto one_dimension = '[' >> integer >> ']';
inline constexpr auto iota =
    checked<&device_rules::check_iota>[rule<device_list>("iota") =
                                           &one_dimension >> into<&device_list::reshape>[bracketed_ints] >>
                                               must("no order of a single dimension")[!keyword("T")] |
                                           !one_dimension >> into<&device_list::reshape>[bracketed_ints] >>
                                               must("T(...), the order of the dimensions")[transposed]];
// 0,1,2
inline constexpr auto device_numbers = rule<device_list>("device numbers") =
    must("a device's number")[append<&device_list::listed>[integer]] % ',';
// ([4,2]T(1,0))   (0,1,2)   ()
inline constexpr auto device_ids = rule<device_list>("device ids") =
    '(' >> -(!x3::lit(')') >> (&x3::lit('[') >> same_value[iota] | !x3::lit('[') >> same_value[device_numbers])) >>
    must("a device, ',' or ')'")[')'];

// 'x'=2
inline constexpr auto axis = rule<device_mesh::axis>("axis") =
    update<&device_rules::name_axis>[string] >> must("'=' after the name of an axis")['='] >>
    must("the size of the axis")[into<&device_mesh::axis::size>[integer]];
// 'x'   'x':(2)4
inline constexpr auto axref = rule<axis_reference>("axis") =
    update<&device_rules::refer_to_axis>[string] >>
    -(':' >> must("a part of an axis such as :(2)4")['(' >> into<&axis_reference::pre_size>[integer] >> ')' >>
                                                     into<&axis_reference::size>[integer]]);
// {'x','y'}
inline constexpr auto axes = rule<std::vector<axis_reference>>("axes") =
    in_braces("an axis in quotes", "an axis, ',' or '}'")[each[axref]];

// mesh['x'=2,'y'=4], device_ids=([8])   maximal_mesh[device_id=0]   single_device[device_id=0]
inline constexpr auto mesh = checked<
    &device_rules::
        check_mesh>[rule<device_mesh>("mesh") =
                        (keyword("maximal_mesh") | keyword("single_device")) >> must("device_id=, in brackets")['['] >>
                            must("device_id=")["device_id="] >>
                            must("a device")[into<&device_mesh::maximal_device>[integer]] >> must("']'")[']'] |
                        keyword("mesh") >> must("the axes, in brackets")[in_brackets(
                                               "an axis, ',' or ']'")[append<&device_mesh::axes>[axis]]] >>
                            -(',' >> x3::lit("device_ids=") >> set<&device_mesh::has_devices>(true) >>
                              must("devices or an iota, in parentheses")[into<&device_mesh::devices>[device_ids]])];

// {{0,1},{2,3}}   [2,4]<=[4,2]T(1,0)   mesh['x'=2,'y'=4] {'y'}
inline constexpr auto replica_groups =
    checked<&device_rules::check_groups>[rule<groups_text>("device groups") =
                                             into<&groups_text::lists>[intlists] |
                                             into<&groups_text::tiles>[bracketed_ints] >> must("'<='")["<="] >>
                                                 must("an iota")[into<&groups_text::devices>[iota]] |
                                             into<&groups_text::mesh>[mesh] >>
                                                 must("the axes in braces")[into<&groups_text::axes>[axes]]];

}  // namespace hlolint::grammar
