// Shapes as XLA prints them (hlo_text.md 5, 13).
#pragma once

#include <hlolint/ir/shape.hpp>

#include <string>

namespace hlolint {

/// Which optional parts of a shape are printed.
struct shape_form {
  bool layout = true;          ///< `{1,0:T(8,128)}` after an array that has a layout
  bool index_comments = true;  ///< `/*index=5*/` before every fifth element of a tuple
};

/// The tiles as a layout has them, `(8,128)(2,1)`; empty without tiles.
inline std::string tiles_text(const layout& l) {
  std::string out;
  for (const tile& t : l.tiles) {
    out += '(';
    for (std::size_t i = 0; i < t.dimensions.size(); ++i)
      out += (i ? "," : "") + (t.dimensions[i] == tile::combined ? std::string("*") : std::to_string(t.dimensions[i]));
    out += ')';
  }
  return out;
}

namespace detail {

template <class Numbers>
void append_numbers(std::string& out, const Numbers& numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i) out += ',';
    out += std::to_string(numbers[i]);
  }
}

inline void append_layout(std::string& out, const layout& l) {
  const auto number = [&](const char* name, std::int64_t value) { out += name + ("(" + std::to_string(value)) + ")"; };
  out += '{';
  append_numbers(out, l.minor_to_major);
  std::string front;
  front.swap(out);  // properties follow after a colon
  if (!l.dim_level_types.empty()) out += "D" + l.dim_level_types;
  if (!l.tiles.empty()) out += 'T' + tiles_text(l);
  if (l.tail_padding_alignment_in_elements != 1) number("L", l.tail_padding_alignment_in_elements);
  if (l.index_type) out += "#(" + std::string(name_of(*l.index_type)) + ")";
  if (l.pointer_type) out += "*(" + std::string(name_of(*l.pointer_type)) + ")";
  if (l.element_size_in_bits) number("E", l.element_size_in_bits);
  if (l.memory_space) number("S", l.memory_space);
  if (!l.split_configs.empty()) out += "SC";
  for (const split_config& s : l.split_configs) {
    out += "(" + std::to_string(s.dimension) + ":";
    append_numbers(out, s.split_indices);
    out += ')';
  }
  if (l.dynamic_shape_metadata_prefix_bytes) number("M", l.dynamic_shape_metadata_prefix_bytes);
  front.swap(out);
  if (front.empty() && l.minor_to_major.empty()) return out.pop_back();  // XLA does not read `f32[]{}`
  if (!front.empty()) out += ":" + front;
  out += '}';
}

}  // namespace detail

/// Appends the shape's text.
inline void append(std::string& out, const shape& s, shape_form form = {}) {
  if (s.is_tuple()) {
    out += '(';
    for (std::size_t i = 0; i < s.elements.size(); ++i) {
      if (i) out += ", ";
      if (i && i % 5 == 0 && form.index_comments) out += "/*index=" + std::to_string(i) + "*/";
      append(out, s.elements[i], form);
    }
    out += ')';
    return;
  }
  if (s.type == element_type::buffer) {
    out += "b(";
    if (!s.elements.empty()) append(out, s.elements.front(), form);
    out += ')';
    return;
  }
  out += s.type == element_type::unknown ? std::string_view(s.unknown_type) : name_of(s.type);
  out += '[';
  for (std::size_t i = 0; i < s.dimensions.size(); ++i) {
    const dimension& d = s.dimensions[i];
    if (i) out += ',';
    if (d.size == dimension::unbounded)
      out += '?';
    else
      out += (d.dynamic ? "<=" : "") + std::to_string(d.size);
  }
  out += ']';
  if (form.layout && s.layout) detail::append_layout(out, *s.layout);
}

/// A shape as XLA prints it, `f32[8,128]{1,0}`.
inline std::string to_string(const shape& s, shape_form form = {}) {
  std::string out;
  append(out, s, form);
  return out;
}

}  // namespace hlolint
