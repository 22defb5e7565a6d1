// Typed values of attributes: `get<replica_groups>(instruction)`. Nothing is cut by hand: the rules that check a text
// also make its value.
#pragma once

#include <hlolint/grammar/alias.hpp>
#include <hlolint/grammar/device_list.hpp>
#include <hlolint/grammar/metadata.hpp>
#include <hlolint/grammar/number_values.hpp>
#include <hlolint/grammar/operation_values.hpp>
#include <hlolint/grammar/origin.hpp>
#include <hlolint/grammar/sharding.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/operation_values.hpp>
#include <hlolint/ir/sharding.hpp>
#include <hlolint/text/escape.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

namespace detail {

using grammar::value_of;

/// Devices of an axis reference: where they begin in the mesh's numbering and how many there are.
struct mesh_axis_part {
  std::int64_t size = 1, stride = 1;
};

/// Replica groups are written out up to this number of devices.
inline constexpr std::int64_t most_devices = std::int64_t{1} << 24;

std::optional<replica_groups> inline decode_tiles(const grammar::groups_text& text) {
  const std::int64_t count = text.tiles[0], size = text.tiles[1];
  const auto devices = text.devices.size();
  if (count < 0 || size < 0 || !devices || *devices > most_devices) return std::nullopt;
  replica_groups out{replica_groups::form::iota, {}};
  for (std::int64_t g = 0; g < count; ++g) {
    auto& group = out.groups.emplace_back();
    for (std::int64_t i = 0; i < size; ++i) group.push_back(text.devices[g * size + i]);
  }
  return out;
}

/// Groups that run over the named axes of a mesh: the other axes, in the order of the mesh, number the groups.
std::optional<replica_groups> inline decode_mesh(const grammar::groups_text& text) {
  replica_groups out{replica_groups::form::mesh, {}};
  const device_mesh& mesh = text.mesh;
  if (mesh.maximal_device) {
    out.groups = {{*mesh.maximal_device}};
    return out;
  }
  const auto devices = grammar::device_rules::axis_product(mesh);
  if (!devices || *devices > most_devices) return std::nullopt;
  // Every axis becomes up to three parts: before, within and after the part that is named.
  std::vector<mesh_axis_part> within, others;
  std::vector<std::vector<mesh_axis_part>> named(text.axes.size());
  std::int64_t stride = *devices;
  for (std::size_t a = 0; a < mesh.axes.size(); ++a) {
    std::int64_t rest = mesh.axes[a].size;
    if (rest <= 0) return std::nullopt;
    std::int64_t from = 1;  // product of the parts of this axis so far
    const std::int64_t before = stride;
    // Named parts of one axis in the order of their pre-sizes.
    for (;;) {
      const axis_reference* next = nullptr;
      std::size_t next_at = 0;
      for (std::size_t k = 0; k < text.axes.size(); ++k) {
        const axis_reference& r = text.axes[k];
        if (grammar::device_rules::find_axis(mesh, r.axis) != a || r.pre_size.value_or(1) < from || !named[k].empty())
          continue;
        if (!next || r.pre_size.value_or(1) < next->pre_size.value_or(1)) next = &r, next_at = k;
      }
      if (!next) break;
      const std::int64_t pre = next->pre_size.value_or(1), size = next->pre_size ? next->size : mesh.axes[a].size;
      if (pre <= 0 || size <= 0 || pre % from != 0 || mesh.axes[a].size % (pre * size) != 0) return std::nullopt;
      if (pre != from) others.push_back({pre / from, before / pre});
      named[next_at] = {{size, before / (pre * size)}};
      from = pre * size;
    }
    rest = mesh.axes[a].size / from;
    stride = before / mesh.axes[a].size;
    if (rest > 1) others.push_back({rest, stride});
  }
  for (const auto& parts : named) within.insert(within.end(), parts.begin(), parts.end());
  // All sums of one step per part, the last part running fastest.
  const auto sums = [](const std::vector<mesh_axis_part>& parts) {
    std::vector<std::int64_t> all{0};
    for (const mesh_axis_part& part : parts) {
      std::vector<std::int64_t> next;
      for (const std::int64_t base : all)
        for (std::int64_t i = 0; i < part.size; ++i) next.push_back(base + i * part.stride);
      all = std::move(next);
    }
    return all;
  };
  const std::vector<std::int64_t> members = sums(within);
  for (const std::int64_t base : sums(others)) {
    auto& group = out.groups.emplace_back();
    for (const std::int64_t member : members)
      group.push_back(mesh.has_devices ? mesh.devices[base + member] : base + member);
  }
  return out;
}

/// `key` and `read(text)` per type.
template <class T>
struct attribute_of;

template <class T, attribute_key Key, const auto& Rule>
struct simple_attribute {
  static constexpr attribute_key key = Key;
  template <class = void>  // compiled where it is used
  static std::optional<T> read(std::string_view text) {
    return value_of<T>(Rule, text);
  }
};

template <>
struct attribute_of<input_output_alias>
    : simple_attribute<input_output_alias, attribute_key::input_output_alias, grammar::alias_> {};
template <>
struct attribute_of<buffer_donor> : simple_attribute<buffer_donor, attribute_key::buffer_donor, grammar::donor_> {};
template <>
struct attribute_of<output_to_operand_aliasing>
    : simple_attribute<output_to_operand_aliasing, attribute_key::output_to_operand_aliasing, grammar::operand_alias_> {
};
template <>
struct attribute_of<computation_layout>
    : simple_attribute<computation_layout, attribute_key::entry_computation_layout, grammar::computation_layout_> {};
template <>
struct attribute_of<padding_config> : simple_attribute<padding_config, attribute_key::padding, grammar::padding> {};
template <>
struct attribute_of<convolution_dimension_numbers>
    : simple_attribute<convolution_dimension_numbers, attribute_key::dim_labels, grammar::dim_labels> {};
template <>
struct attribute_of<slices> : simple_attribute<slices, attribute_key::slice, grammar::slices_> {};
template <>
struct attribute_of<sharding> : simple_attribute<sharding, attribute_key::sharding, grammar::sharding_> {};
template <>
struct attribute_of<operand_precision>
    : simple_attribute<operand_precision, attribute_key::operand_precision, grammar::precision_> {};
template <>
struct attribute_of<statistics> : simple_attribute<statistics, attribute_key::statistics, grammar::statistics_> {};
template <>
struct attribute_of<result_accuracy>
    : simple_attribute<result_accuracy, attribute_key::result_accuracy, grammar::accuracy> {};
template <>
struct attribute_of<original_value> : simple_attribute<original_value, attribute_key::origin, grammar::origin> {};

template <>
struct attribute_of<replica_groups> {
  static constexpr attribute_key key = attribute_key::replica_groups;
  template <class = void>  // compiled where it is used
  static std::optional<replica_groups> read(std::string_view text) {
    auto value = value_of<grammar::groups_text>(grammar::groups, text);
    if (!value) return std::nullopt;
    if (!value->tiles.empty()) return decode_tiles(*value);
    if (!value->mesh.axes.empty() || value->mesh.maximal_device) return decode_mesh(*value);
    return replica_groups{replica_groups::form::lists, std::move(value->lists)};
  }
};
template <>
struct attribute_of<source_target_pairs> {
  static constexpr attribute_key key = attribute_key::source_target_pairs;
  template <class = void>  // compiled where it is used
  static std::optional<source_target_pairs> read(std::string_view text) {
    auto value = value_of<std::vector<std::pair<std::int64_t, std::int64_t>>>(grammar::pairs, text);
    if (!value) return std::nullopt;
    return source_target_pairs{std::move(*value)};
  }
};
template <>
struct attribute_of<channel_id> {
  static constexpr attribute_key key = attribute_key::channel_id;
  template <class = void>  // compiled where it is used
  static std::optional<channel_id> read(std::string_view text) {
    const auto value = value_of<std::int64_t>(grammar::integer, text);
    if (!value) return std::nullopt;
    return channel_id{*value};
  }
};
template <>
struct attribute_of<backend_config> {
  static constexpr attribute_key key = attribute_key::backend_config;
  template <class = void>  // compiled where it is used
  static std::optional<backend_config> read(std::string_view text) {
    return backend_config{unescape(text)};
  }
};
template <>
struct attribute_of<custom_call_target> {
  static constexpr attribute_key key = attribute_key::custom_call_target;
  template <class = void>  // compiled where it is used
  static std::optional<custom_call_target> read(std::string_view text) {
    return custom_call_target{unescape(text)};
  }
};
template <>
struct attribute_of<dot_algorithm> {
  static constexpr attribute_key key = attribute_key::algorithm;
  template <class = void>  // compiled where it is used
  static std::optional<dot_algorithm> read(std::string_view text) {
    return dot_algorithm{text};
  }
};
template <>
struct attribute_of<frontend_attributes> {
  static constexpr attribute_key key = attribute_key::frontend_attributes;
  template <class = void>  // compiled where it is used
  static std::optional<frontend_attributes> read(std::string_view text) {
    const auto value = value_of<grammar::metadata_rules::view_pairs>(grammar::frontend, text);
    if (!value) return std::nullopt;
    frontend_attributes out;
    for (const auto& [name, written] : *value) out.entries.emplace_back(std::string(name), unescape(written));
    return out;
  }
};
template <>
struct attribute_of<op_metadata> {
  static constexpr attribute_key key = attribute_key::metadata;
  template <class = void>  // compiled where it is used
  static std::optional<op_metadata> read(std::string_view text) {
    const auto m = value_of<grammar::metadata_text>(grammar::metadata, text);
    if (!m) return std::nullopt;
    op_metadata out;
    out.op_type = unescape(m->op_type);
    out.op_name = unescape(m->op_name);
    out.source_file = unescape(m->source_file);
    out.source_line = m->source_line;
    out.source_end_line = m->source_end_line;
    out.source_column = m->source_column;
    out.source_end_column = m->source_end_column;
    out.deduplicated_name = unescape(m->deduplicated_name);
    out.scheduling_name = unescape(m->scheduling_name);
    out.stack_frame_id = m->stack_frame_id;
    out.payload = unescape(m->metadata_payload);
    return out;
  }
};
template <>
struct attribute_of<window> {
  static constexpr attribute_key key = attribute_key::window;
  template <class = void>  // compiled where it is used
  static std::optional<window> read(std::string_view text) {
    auto t = value_of<grammar::window_text>(grammar::window, text);
    if (!t) return std::nullopt;
    window out;
    out.dimensions.resize(grammar::value_rules::dimension_count(t->size));
    for (window_dimension& d : out.dimensions) {
      const auto next = [](std::string_view& field, std::int64_t& value) {
        if (field.empty()) return;
        value = grammar::take_integer(field);
        grammar::take(field, 'x');
      };
      std::int64_t reversed = 0;
      next(t->size, d.size), next(t->stride, d.stride), next(t->lhs_dilate, d.base_dilation);
      next(t->rhs_dilate, d.window_dilation), next(t->rhs_reversal, reversed);
      d.reversed = reversed != 0;
      if (t->pad.empty()) continue;
      d.padding_low = grammar::take_integer(t->pad);
      grammar::take(t->pad, '_');
      next(t->pad, d.padding_high);
    }
    return out;
  }
};

}  // namespace detail

/// A typed attribute of an instruction; nothing if it is not written, or written wrong (the parser has said so then).
template <class T>
std::optional<T> get(const hlo_instruction& instruction) {
  const auto text = instruction.attribute(detail::attribute_of<T>::key);
  if (!text) return std::nullopt;
  return detail::attribute_of<T>::read(*text);
}

/// The same for the header of a module.
template <class T>
std::optional<T> get(const hlo_module& module_) {
  const auto text = module_.attribute(detail::attribute_of<T>::key);
  if (!text) return std::nullopt;
  return detail::attribute_of<T>::read(*text);
}

/// An attribute that is one number, such as `index`, `iota_dimension` or `feature_group_count`.
template <class = void>
std::optional<std::int64_t> get_integer(const hlo_instruction& instruction, attribute_key key) {
  const auto text = instruction.attribute(key);
  if (!text) return std::nullopt;
  return detail::value_of<std::int64_t>(grammar::integer, *text);
}
/// An attribute that is a list of numbers, such as `dimensions` or `slice_sizes`.
template <class = void>
std::optional<std::vector<std::int64_t>> get_integers(const hlo_instruction& instruction, attribute_key key) {
  const auto text = instruction.attribute(key);
  if (!text) return std::nullopt;
  return detail::value_of<std::vector<std::int64_t>>(grammar::integers, *text);
}
/// An attribute that is `true` or `false`; `false` if it is not written.
inline bool get_boolean(const hlo_instruction& instruction, attribute_key key) {
  return instruction.attribute(key) == "true";
}

}  // namespace hlolint
