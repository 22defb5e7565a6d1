// ShapeProto and LayoutProto (protobuf_dumps.md 8.1 to 8.3).
#pragma once

#include <hlolint/ir/shape.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/protobuf/wire.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::protobuf {

/// XLA's number of a type; `unknown` for 0 and for what is newer than this.
constexpr element_type element_type_of(std::int64_t number) {
  using enum element_type;
  constexpr element_type types[] = {unknown, pred,   s8,     s16,        s32,        s64,     u8,  u16,  u32,  u64,
                                    f16,     f32,    f64,    tuple,      opaque,     c64,     bf16, token, c128, f8e5m2,
                                    f8e4m3fn, s4,    u4,     f8e4m3b11fnuz, f8e5m2fnuz, f8e4m3fnuz, s2, u2, f8e4m3,
                                    f8e3m4,  s1,     u1,     f4e2m1fn,   f8e8m0fnu,  buffer,  f6e3m2fn, f6e2m3fn};
  return number >= 0 && static_cast<std::size_t>(number) < std::size(types) ? types[number] : unknown;
}
static_assert(element_type_of(11) == element_type::f32 && element_type_of(34) == element_type::buffer &&
              element_type_of(36) == element_type::f6e2m3fn && element_type_of(37) == element_type::unknown);

inline layout read_layout(std::string_view bytes) {
  layout out;
  record_list<std::int64_t> numbers;
  for_each_field(bytes, [&](const field& f) {
    const auto type = [&]() -> optional<element_type> {
      return f.number() ? optional(element_type_of(f.number())) : std::nullopt;
    };
    switch (f.key()) {
      case varint(1):
      case sized(1):
        numbers.clear();
        add_numbers(f, numbers);
        for (const std::int64_t n : numbers) out.minor_to_major.push_back(n);
        break;
      case sized(6): {
        tile& t = out.tiles.emplace_back();
        for (const std::int64_t n : message(f.bytes).numbers(1)) t.dimensions.push_back(n < 0 ? tile::combined : n);
        break;
      }
      case varint(7):
        out.element_size_in_bits = f.number();
        break;
      case varint(8):
        out.memory_space = f.number();
        break;
      case varint(11):
        out.index_type = type();
        break;
      case varint(12):
        out.pointer_type = type();
        break;
      case varint(15):
        out.dynamic_shape_metadata_prefix_bytes = f.number();
        break;
      case varint(16):
        out.tail_padding_alignment_in_elements = f.number() ? f.number() : 1;
        break;
      case sized(17): {
        const message m(f.bytes);
        out.split_configs.push_back({m.number(1), m.numbers(2)});
        break;
      }
      default:
        break;  // physical_shape: XLA prints it and does not read it again
    }
  });
  return out;
}

/// Adds the fields to those that are there: a message in several parts is all of them.
inline void read_shape(std::string_view bytes, shape& out, int depth = 0) {
  if (depth > deepest) throw bad_message("shapes nested more than " + std::to_string(deepest) + " levels deep");
  record_list<std::int64_t> sizes, dynamic;
  std::int64_t type = 0;
  for_each_field(bytes, [&](const field& f) {
    switch (f.key()) {
      case varint(2): type = f.number(); break;
      case varint(3):
      case sized(3): add_numbers(f, sizes); break;
      case sized(4):
        if (out.elements.size() == most_elements) throw bad_message("a tuple of too many elements");
        read_shape(f.bytes, out.elements.emplace_back(), depth + 1);
        break;
      case sized(5): out.layout = read_layout(f.bytes); break;
      case varint(6):
      case sized(6): add_numbers(f, dynamic); break;
      default: break;
    }
  });
  out.type = element_type_of(type);
  if (out.type == element_type::unknown) out.unknown_type = type == 0 ? "invalid" : "type" + std::to_string(type);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const bool is_dynamic = i < dynamic.size() && dynamic[i] != 0;
    const bool unbounded = is_dynamic && sizes[i] == std::numeric_limits<std::int64_t>::min();
    if (sizes[i] < 0 && !unbounded) throw bad_message("the size of dimension " + std::to_string(i) + " is negative");
    out.dimensions.push_back({unbounded ? dimension::unbounded : sizes[i], is_dynamic});
  }
  if (out.layout && (!out.is_array() || (out.dimensions.empty() && *out.layout == layout()))) out.layout.reset();
}
inline shape shape_of(std::string_view bytes) {
  shape out;
  read_shape(bytes, out);
  return out;
}

/// The part of a shape at an index; null if there is none.
inline const shape* subshape(const shape& whole, const record_list<std::int64_t>& index) {
  const shape* out = &whole;
  for (const std::int64_t step : index) {
    if (!out->is_tuple() || step < 0 || static_cast<std::size_t>(step) >= out->elements.size()) return nullptr;
    out = &out->elements[static_cast<std::size_t>(step)];
  }
  return out;
}

}  // namespace hlolint::protobuf
