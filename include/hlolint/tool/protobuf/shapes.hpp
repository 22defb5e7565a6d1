// ShapeProto and LayoutProto (protobuf_dumps.md 8.1 to 8.3).
#pragma once

#include <hlolint/ir/shape.hpp>
#include <hlolint/tool/protobuf/wire.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::protobuf {

/// The element type that has this number in XLA; `unknown` for 0 and for numbers of a newer XLA.
constexpr element_type element_type_of(std::int64_t number) {
  using enum element_type;
  constexpr element_type types[] = {unknown,    pred,       s8,     s16,      s32,      s64,    u8,     u16,
                                    u32,        u64,        f16,    f32,      f64,      tuple,  opaque, c64,
                                    bf16,       token,      c128,   f8e5m2,   f8e4m3fn, s4,     u4,     f8e4m3b11fnuz,
                                    f8e5m2fnuz, f8e4m3fnuz, s2,     u2,       f8e4m3,   f8e3m4, s1,     u1,
                                    f4e2m1fn,   f8e8m0fnu,  buffer, f6e3m2fn, f6e2m3fn};
  return number >= 0 && static_cast<std::size_t>(number) < std::size(types) ? types[number] : unknown;
}
inline layout read_layout(std::string_view bytes) {
  const message m(bytes);
  const auto type = [&](std::uint32_t tag) {
    return m.number(tag) ? std::optional(element_type_of(m.number(tag))) : std::nullopt;
  };
  layout out;
  for (const std::int64_t n : m.numbers(1)) out.minor_to_major.push_back(n);
  for (const std::string_view one : m.all(6)) {
    tile& t = out.tiles.emplace_back();
    for (const std::int64_t n : message(one).numbers(1)) t.dimensions.push_back(n < 0 ? tile::combined : n);
  }
  out.element_size_in_bits = m.number(7);
  out.memory_space = m.number(8);
  out.index_type = type(11);
  out.pointer_type = type(12);
  out.dynamic_shape_metadata_prefix_bytes = m.number(15);
  if (m.number(16)) out.tail_padding_alignment_in_elements = m.number(16);
  for (const std::string_view one : m.all(17)) {
    const message split(one);
    out.split_configs.push_back({split.number(1), split.numbers(2)});
  }
  return out;  // physical_shape is left out: XLA prints it, but does not read it
}

inline shape shape_of(std::string_view bytes, int depth = 0) {
  if (depth > deepest) throw bad_message("shapes nested more than " + std::to_string(deepest) + " levels deep");
  const message m(bytes);
  shape out;
  for (const std::string_view element : m.all(4)) out.elements.push_back(shape_of(element, depth + 1));
  if (m.has(5)) out.layout = read_layout(m.text(5));
  const std::int64_t type = m.number(2);
  out.type = element_type_of(type);
  if (out.type == element_type::unknown) out.unknown_type = type == 0 ? "invalid" : "type" + std::to_string(type);
  const auto sizes = m.numbers(3), dynamic = m.numbers(6);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const bool is_dynamic = i < dynamic.size() && dynamic[i] != 0;
    const bool unbounded = is_dynamic && sizes[i] == std::numeric_limits<std::int64_t>::min();
    if (sizes[i] < 0 && !unbounded) throw bad_message("the size of dimension " + std::to_string(i) + " is negative");
    out.dimensions.push_back({unbounded ? dimension::unbounded : sizes[i], is_dynamic});
  }
  if (out.layout && (!out.is_array() || (out.dimensions.empty() && *out.layout == layout()))) out.layout.reset();
  return out;
}

/// The part of a shape at an index; null if there is none.
inline const shape* subshape(const shape& whole, const std::vector<std::int64_t>& index) {
  const shape* out = &whole;
  for (const std::int64_t step : index) {
    if (!out->is_tuple() || step < 0 || static_cast<std::size_t>(step) >= out->elements.size()) return nullptr;
    out = &out->elements[static_cast<std::size_t>(step)];
  }
  return out;
}

}  // namespace hlolint::protobuf
