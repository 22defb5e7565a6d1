// Device lists: iota forms, meshes and their axes, replica groups (hlo_text.md 7).
#pragma once

#include <hlolint/grammar/directives.hpp>
#include <hlolint/grammar/number_values.hpp>
#include <hlolint/ir/sharding.hpp>

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::grammar {

/// `[4,2]T(1,0)`; without T only if the rank is one.
[[gnu::cold]] inline bool read_iota(const char*& first, const char* last, parse_state& s, device_list* out) {
  const char* p = first;
  device_list value;
  if (!read_bracketed_integers(p, last, s, &value.reshape)) return false;
  const std::size_t rank = value.reshape.size();
  if (rank == 1) {
    value.transpose = {0};
  } else {
    const char* const begin = scan::blanks(p, last);
    std::string_view letter;
    if (!take_text(p, last, scan_name::bare, letter) || letter != "T" ||
        !read_parenthesized_integers(p, last, s, &value.transpose)) {
      s.fail(begin, last, "T(...), the order of the dimensions");
      return false;
    }
    std::vector<bool> seen(rank);
    std::size_t count = 0;
    for (const std::int64_t d : value.transpose) {
      const auto at = static_cast<std::size_t>(d);
      if (at >= rank || seen[at]) continue;
      seen[at] = true;
      ++count;
    }
    if (count != rank || value.transpose.size() != rank)
      s.broke(begin,
              say({"the transposition of an iota of rank ", rank, " must hold every number below ", rank, " once"}));
  }
  if (out) out->reshape = std::move(value.reshape), out->transpose = std::move(value.transpose);
  first = p;
  return true;
}
/// `0,1,2`
[[gnu::cold]] inline bool read_devices(const char*& first, const char* last, parse_state& s, device_list* out) {
  const char* p = first;
  do {
    std::int64_t device = 0;
    if (!take_integer(p, last, s, device)) {
      s.fail(p, last, "a device's number");
      return false;
    }
    if (out) out->listed.push_back(device);
  } while (take(p, last, ','));
  first = p;
  return true;
}
/// `([4,2]T(1,0))`, `(0,1,2)`, `()`
[[gnu::cold]] inline bool read_device_ids(const char*& first, const char* last, parse_state& s, device_list* out) {
  const char* p = first;
  if (!take(p, last, '(')) return false;
  if (!take(p, last, ')')) {
    const char* const next = scan::blanks(p, last);
    const bool listed = next == last || *next != '[';
    if (!(listed ? read_devices(p, last, s, out) : read_iota(p, last, s, out)) ||
        !take(p, last, s, ')', "a device, ',' or ')'"))
      return false;
  }
  first = p;
  return true;
}
/// `'x'=2`
[[gnu::cold]] inline bool read_mesh_axis(const char*& first, const char* last, parse_state& s, device_mesh::axis* out) {
  const char* p = first;
  std::string_view name;
  std::int64_t size = 0;
  if (!take_text(p, last, scan::string, name) || !take(p, last, s, '=', "'=' after the name of an axis")) return false;
  if (!take_integer(p, last, s, size)) {
    s.fail(p, last, "the size of the axis");
    return false;
  }
  if (out) *out = {name.substr(1, name.size() - 2), size};
  first = p;
  return true;
}
/// `'x'` or `'x':(2)4`
[[gnu::cold]] inline bool read_axis_reference(const char*& first, const char* last, parse_state& s,
                                              axis_reference* out) {
  const char* p = first;
  std::string_view name;
  if (!take_text(p, last, scan::string, name)) return false;
  std::optional<std::int64_t> pre_size;
  std::int64_t size = 0;
  if (take(p, last, ':')) {
    std::int64_t pre = 0;
    if (!take(p, last, s, '(', "'('") || !take_integer(p, last, s, pre) || !take(p, last, s, ')', "')'") ||
        !take_integer(p, last, s, size)) {
      s.fail(p, last, "a part of an axis such as :(2)4");
      return false;
    }
    pre_size = pre;
  }
  if (out) *out = {name.substr(1, name.size() - 2), pre_size, size};
  first = p;
  return true;
}
/// `{'x','y'}`
[[gnu::cold]] inline bool read_axes(const char*& first, const char* last, parse_state& s,
                                    std::vector<axis_reference>* out) {
  const char* p = first;
  if (!take(p, last, '{')) return false;
  if (!take(p, last, '}')) {
    do {
      axis_reference one;
      if (!read_axis_reference(p, last, s, &one)) {
        s.fail(p, last, "an axis in quotes");
        return false;
      }
      if (out) out->push_back(one);
    } while (take(p, last, ','));
    if (!take(p, last, s, '}', "an axis, ',' or '}'")) return false;
  }
  first = p;
  return true;
}

inline namespace tokens {
inline constexpr value_parser<&read_iota> iota{};
inline constexpr value_parser<&read_devices> devices{};
inline constexpr value_parser<&read_device_ids> device_ids{};
inline constexpr value_parser<&read_mesh_axis> mesh_axis{};
inline constexpr value_parser<&read_axis_reference> axis_reference_{};
inline constexpr value_parser<&read_axes> axes{};
}  // namespace tokens

namespace device_rules {

inline std::optional<std::int64_t> axis_product(const device_mesh& mesh) {
  std::vector<std::int64_t> sizes;
  for (const device_mesh::axis& axis : mesh.axes) sizes.push_back(axis.size);
  return product(sizes);
}
inline hlolint::detail::said written(std::optional<std::int64_t> n) {
  using hlolint::detail::said;
  return n ? said(*n) : said("too many");
}

[[gnu::cold]] inline void check_mesh(parse_state& s, const char* begin, const device_mesh& mesh) {
  if (mesh.has_devices && mesh.devices.size() != axis_product(mesh))
    s.broke(begin, say({"the axes of the mesh make ", written(axis_product(mesh)), " devices, but device_ids has ",
                        written(mesh.devices.size())}));
}
constexpr void has_devices(device_mesh& mesh) { mesh.has_devices = true; }

/// Position of a named or numbered axis in the mesh.
inline std::optional<std::size_t> find_axis(const device_mesh& mesh, std::string_view name) {
  for (std::size_t i = 0; i < mesh.axes.size(); ++i)
    if (mesh.axes[i].name == name) return i;
  std::size_t at = 0;
  const auto end = std::from_chars(name.data(), name.data() + name.size(), at);
  if (name.empty() || end.ec != std::errc{} || end.ptr != name.data() + name.size() || at >= mesh.axes.size())
    return std::nullopt;
  return at;
}
[[gnu::cold]] inline void check_axes(parse_state& s, const device_mesh& mesh, const std::vector<axis_reference>& axes) {
  for (const axis_reference& a : axes) {
    if (find_axis(mesh, a.axis)) continue;
    std::string known;
    for (const device_mesh::axis& axis : mesh.axes)
      known = say({known, known.empty() ? "; its axes are " : ", ", axis.name});
    s.broke(a.axis.data(), say({"the mesh has no axis '", a.axis, "'", known}));
  }
}

}  // namespace device_rules

/// `mesh['x'=2,'y'=4], device_ids=([8])`, `maximal_mesh[device_id=0]`
struct mesh_id {};
inline constexpr x3::rule<mesh_id, device_mesh> mesh{"mesh"};
inline constexpr auto mesh_def = [] {
  using namespace device_rules;
  const auto maximal = '['_p >> must("device_id=")[key("device_id")] >>
                       must("a device")[into<&device_mesh::maximal_device>[integer]] >> must("']'")[']'_p];
  return verified<
      &check_mesh>[keyword("maximal_mesh") >> must("device_id=, in brackets")[maximal] |
                   keyword("mesh") >> must("the axes, in brackets")[in_brackets(
                                          "an axis, ',' or ']'")[append<&device_mesh::axes>[mesh_axis]]] >>
                       maybe[','_p >> key("device_ids") >> does<&has_devices> >>
                             must("devices or an iota, in parentheses")[into<&device_mesh::devices>[device_ids]]]];
}();

/// What `replica_groups` says, as written.
struct groups_text {
  std::vector<std::vector<std::int64_t>> lists;
  std::vector<std::int64_t> tiles;
  device_list devices;
  device_mesh mesh;
  std::vector<axis_reference> axes;
};

namespace device_rules {

[[gnu::cold]] inline void check_groups(parse_state& s, const char* begin, const groups_text& groups) {
  check_axes(s, groups.mesh, groups.axes);
  if (groups.tiles.empty()) return;
  if (groups.tiles.size() != 2)
    s.broke(begin, say({"replica groups have two dimensions, groups and their size; found ", groups.tiles.size()}));
  else if (product(groups.tiles) != groups.devices.size())
    s.broke(begin, say({"the groups hold ", written(product(groups.tiles)), " devices, but the iota has ",
                        written(groups.devices.size())}));
}

}  // namespace device_rules

/// `{{0,1},{2,3}}`, `[2,4]<=[4,2]T(1,0)`, `mesh['x'=2,'y'=4] {'y'}`
struct groups_id {};
inline constexpr x3::rule<groups_id, groups_text> groups{"replica groups"};
inline constexpr auto groups_def = [] {
  using namespace device_rules;
  return verified<&check_groups>[into<&groups_text::lists>[integer_lists] |
                                 into<&groups_text::tiles>[bracketed_integers] >> must("'<='")[at_most] >>
                                     must("an iota")[into<&groups_text::devices>[iota]] |
                                 into<&groups_text::mesh>[mesh] >>
                                     must("the axes in braces")[into<&groups_text::axes>[axes]]];
}();

BOOST_SPIRIT_DEFINE(mesh, groups)

}  // namespace hlolint::grammar
