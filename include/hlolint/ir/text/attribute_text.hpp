// Typed values of attributes as XLA prints them (hlo_text.md 7).
#pragma once

#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/operation_values.hpp>
#include <hlolint/ir/sharding.hpp>
#include <hlolint/ir/source_position.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/text/str_cat.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint {

namespace detail {
/// `text(item)` for each item, with `between` between two of them.
template <class List, class Text>
std::string joined(const List& list, std::string_view between, Text text) {
  std::string out;
  bool first = true;
  for (const auto& item : list) {
    if (!first) out += between;
    first = false;
    out += text(item);
  }
  return out;
}
template <class List>
std::string joined(const List& list, std::string_view between = ", ") {
  return joined(list, between, [](const auto& item) { return to_string(item); });
}
inline std::string joined_numbers(const std::vector<std::int64_t>& list) {
  return joined(list, ",", [](std::int64_t number) { return std::to_string(number); });
}
/// The joined items in braces.
template <class List, class... Args>
std::string in_braces(const List& list, Args... args) {
  return "{" + joined(list, args...) + "}";
}
}  // namespace detail

/// The value after `key=` as XLA writes it. @{
inline std::string to_string(const input_output_alias_entry& e) {
  return str_cat({to_string(e.output), ": (", e.parameter, ", ", to_string(e.parameter_index), ", ",
                  e.must_alias ? "must-alias" : "may-alias", ")"});
}
inline std::string to_string(const input_output_alias& a) { return "{ " + detail::joined(a.entries) + " }"; }
inline std::string to_string(const buffer_donor_entry& e) {
  return str_cat({"(", e.parameter, ", ", to_string(e.parameter_index), ")"});
}
inline std::string to_string(const buffer_donor& d) { return "{ " + detail::joined(d.entries) + " }"; }
inline std::string to_string(const operand_alias_entry& e) {
  return str_cat({to_string(e.output), ": (", e.operand, ", ", to_string(e.operand_index), ")"});
}
inline std::string to_string(const output_to_operand_aliasing& a) { return detail::in_braces(a.entries); }
/// Always as lists, whatever form was written.
inline std::string to_string(const replica_groups& g) {
  return detail::in_braces(g.groups, ",", [](const auto& group) { return "{" + detail::joined_numbers(group) + "}"; });
}
inline std::string to_string(const source_target_pairs& p) {
  return detail::in_braces(p.pairs, ",", [](const auto& pair) {
    return str_cat({"{", pair.first, ",", pair.second, "}"});
  });
}
inline std::string to_string(const channel_id& c) { return std::to_string(c.value); }
inline std::string to_string(const backend_config& c) { return c.text; }
/// The members that are not empty, in XLA's order.
inline std::string to_string(const op_metadata& m) {
  std::string out;
  const auto text = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) out += str_cat({out.empty() ? "" : " ", key, "=\"", value, "\""});
  };
  const auto number = [&](std::string_view key, std::int64_t value) {
    if (value) out += str_cat({out.empty() ? "" : " ", key, "=", value});
  };
  text("op_type", m.op_type), text("op_name", m.op_name), text("source_file", m.source_file);
  number("source_line", m.source_line), number("source_end_line", m.source_end_line);
  number("source_column", m.source_column), number("source_end_column", m.source_end_column);
  text("deduplicated_name", m.deduplicated_name), text("scheduling_name", m.scheduling_name);
  number("stack_frame_id", m.stack_frame_id), text("payload", m.payload);
  return "{" + out + "}";
}
inline std::string to_string(const frontend_attributes& f) {
  return detail::in_braces(f.entries, ",", [](const auto& e) { return str_cat({e.first, "=\"", e.second, "\""}); });
}
inline std::string to_string(const computation_layout& l) {
  return "{(" + detail::joined(l.parameters, ", ", [](const shape& s) { return to_string(s); }) + ")->" +
         to_string(l.result) + "}";
}
inline std::string to_string(const custom_call_target& t) { return t.name; }
inline std::string to_string(const async_execution_thread& t) { return t.name; }
inline std::string to_string(const parameter_replication& r) {
  return detail::in_braces(r.leaves, ",", [](bool same) { return same ? "true" : "false"; });
}
inline std::string to_string(const operand_layout_constraints& c) { return detail::in_braces(c.shapes); }
inline std::string to_string(const control_predecessors& p) {
  return detail::in_braces(p.names, ", ", [](std::string_view name) { return "%" + std::string(name); });
}

/// The sizes, and the fields that do not have XLA's defaults.
inline std::string to_string(const window& w) {
  const auto part = [&](std::string_view key, auto text, std::string_view usual) {
    bool any = false;
    for (const window_dimension& d : w.dimensions) any = any || text(d) != usual;
    return any ? str_cat({" ", key, "=", detail::joined(w.dimensions, "x", text)}) : std::string();
  };
  const auto number = [](std::int64_t window_dimension::*member) {
    return [member](const window_dimension& d) { return std::to_string(d.*member); };
  };
  using extent = window_dimension;
  return "{size=" + detail::joined(w.dimensions, "x", number(&extent::size)) +
         part("stride", number(&extent::stride), "1") +
         part(
             "pad",
             [](const extent& d) {
               return str_cat({d.padding_low, "_", d.padding_high});
             },
             "0_0") +
         part("lhs_dilate", number(&extent::base_dilation), "1") +
         part("rhs_dilate", number(&extent::window_dilation), "1") +
         part(
             "rhs_reversal", [](const extent& d) { return std::string(d.reversed ? "1" : "0"); }, "0") +
         "}";
}
inline std::string to_string(const padding_dimension& d) {
  return str_cat({d.low, "_", d.high, d.interior ? "_" + std::to_string(d.interior) : ""});
}
inline std::string to_string(const padding_config& c) { return detail::joined(c.dimensions, "x"); }
/// A label for each dimension: `b` and `f`, of the kernel `i` and `o`, and digits for the spatial ones.
inline std::string to_string(const convolution_dimension_numbers& n) {
  const auto labels = [](const convolution_dimension_numbers::part& part, char first, char second) {
    std::string out(part.spatial.size() + (part.first >= 0) + (part.second >= 0), '?');
    const auto put = [&](std::int64_t at, char label) {
      if (at >= 0 && static_cast<std::size_t>(at) < out.size()) out[static_cast<std::size_t>(at)] = label;
    };
    put(part.first, first);
    put(part.second, second);
    for (std::size_t i = 0; i != part.spatial.size(); ++i) put(part.spatial[i], static_cast<char>('0' + i % 10));
    return out;
  };
  return labels(n.input, 'b', 'f') + "_" + labels(n.kernel, 'i', 'o') + "->" + labels(n.output, 'b', 'f');
}
inline std::string to_string(const slice_range& r) {
  return str_cat({"[", r.start, ":", r.limit, r.stride == 1 ? "" : ":" + std::to_string(r.stride), "]"});
}
inline std::string to_string(const slices& s) { return detail::in_braces(s.dimensions); }
inline std::string to_string(precision p) {
  constexpr std::string_view names[] = {"default", "high", "highest"};
  return std::string(names[static_cast<std::size_t>(p)]);
}
inline std::string to_string(const operand_precision& p) { return detail::in_braces(p.operands, ","); }
inline std::string to_string(const dot_algorithm& a) { return std::string(a.name); }
inline std::string to_string(const statistics& s) {
  return detail::in_braces(s.entries, ",", [](const auto& e) {
    return str_cat({e.first, "=", std::to_string(e.second)});
  });
}
inline std::string to_string(const result_accuracy& r) {
  if (!r.mode.empty()) return str_cat({"{mode=", r.mode, "}"});
  return str_cat({"{tolerance={atol=", std::to_string(r.absolute_tolerance),
                  ",rtol=", std::to_string(r.relative_tolerance), ",ulps=", std::to_string(r.ulps), "}}"});
}
inline std::string to_string(const original_array& a) {
  return a.instruction.empty()
             ? "{}"
             : str_cat({"{\"", a.instruction, "\"", a.index.empty() ? "" : " " + to_string(a.index), "}"});
}
/// Each leaf with its place in the result, and the call hierarchy.
inline std::string to_string(const original_value& v) {
  if (v.synthetic_call) return "[synthetic_call]";
  const std::string leaves = detail::in_braces(
      v.leaves, ", ", [](const auto& l) { return to_string(l.position) + ": " + to_string(l.array); });
  return v.calls.empty() ? leaves : str_cat({leaves, " [\"", v.calls, "\"]"});
}

inline std::string to_string(const device_list& d) {
  if (!d.is_iota()) return detail::joined_numbers(d.listed);
  std::string out = "[" + detail::joined_numbers(d.reshape) + "]";
  bool transposed = false;
  for (std::size_t i = 0; i != d.transpose.size(); ++i) transposed |= d.transpose[i] != static_cast<std::int64_t>(i);
  return transposed ? out + "T(" + detail::joined_numbers(d.transpose) + ")" : out;
}
inline std::string to_string(const axis_reference& a) {
  if (a.pre_size) return str_cat({"'", a.axis, "':(", *a.pre_size, ")", a.size});
  return str_cat({"'", a.axis, "'"});
}
inline std::string to_string(const device_mesh& m) {
  if (m.maximal_device) return str_cat({"maximal_mesh[device_id=", *m.maximal_device, "]"});
  const std::string axes = detail::joined(m.axes, ",", [](const auto& a) {
    return str_cat({"'", a.name, "'=", a.size});
  });
  return "mesh[" + axes + "]" + (m.has_devices ? ", device_ids=(" + to_string(m.devices) + ")" : "");
}
inline std::string to_string(const sharding::dimension& d) {
  return "{" + detail::joined(d.axes) + (d.open ? (d.axes.empty() ? "?" : ", ?") : "") + "}";
}
inline std::string to_string(sharding::subgroup type) {
  constexpr std::string_view names[] = {"maximal", "replicated", "manual", "unreduced"};
  return std::string(names[static_cast<std::size_t>(type)]);
}
inline std::string to_string(const sharding& s) {
  using kind = sharding::kind;
  const auto axes = [](const std::string& key, const std::vector<axis_reference>& list) {
    return list.empty() ? std::string{} : key + detail::in_braces(list);
  };
  std::string out = "{";
  if (s.written == kind::tuple) return detail::in_braces(s.elements);
  if (s.written == kind::named) {
    out += to_string(s.mesh) + ", [" + detail::joined(s.dimensions) + "]" + axes(", replicated=", s.replicated);
    out += axes(", unreduced=" + std::string(s.reduction) + (s.reduction.empty() ? "" : " "), s.unreduced);
    out += axes(", manual=", s.manual);
  } else if (s.written == kind::tiled) {
    out += "devices=[" + detail::joined_numbers(s.tiles) + "]" + (s.devices.is_iota() ? "<=" : "");
    out += to_string(s.devices);
    if (s.replicate_last_tile_dim) out += " last_tile_dim_replicate";
    if (!s.last_tile_dims.empty()) out += " last_tile_dims=" + detail::in_braces(s.last_tile_dims);
  } else {
    constexpr std::string_view names[] = {"replicated", "maximal device=", "manual", "unknown", "unreduced"};
    out += names[static_cast<std::size_t>(s.written)];
    if (s.written == kind::maximal) out += to_string(s.devices);
    if (s.written == kind::unreduced && !s.reduction.empty()) out += str_cat({"=", s.reduction});
  }
  return out + "}";
}

inline std::string to_string(const source_position& p) {
  return p ? str_cat({p.file, ":", p.line}) : std::string("no source line");
}
/// @}

}  // namespace hlolint
