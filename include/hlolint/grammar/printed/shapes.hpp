// Shapes as XLA prints them: known types, no blanks inside an array, `, ` between the elements of a tuple.
#pragma once

#include <hlolint/grammar/hlo/bracket_scan.hpp>
#include <hlolint/grammar/printed/place.hpp>
#include <hlolint/ir/shape.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace hlolint::grammar::printed {

/// The numbers of the dimensions of one array or tile. Arrays of more dimensions are left to the grammar.
struct numbers {
  static constexpr std::size_t most = 8;
  std::array<std::int64_t, most> values;
  std::size_t count = 0;
  bool take(place& at) { return count != most && at.take_number(values[count]) && (++count, true); }
};

/// `(8,128)`, `(*,128)`
inline bool take_tile(place& at, tile& out) {
  numbers extents;
  if (!at.take('(')) return false;
  do {
    if (extents.count != numbers::most && at.take('*'))
      extents.values[extents.count++] = tile::combined;
    else if (!extents.take(at))
      return false;
  } while (at.take(','));
  out.dimensions.assign(extents.values.data(), extents.values.data() + extents.count);
  return at.take(')');
}
/// `{1,0}`, `{1,0:T(8,128)(2,1)E(4)S(1)}`, with every dimension once.
inline bool take_layout(place& at, std::size_t rank, layout& out) {
  numbers order;
  unsigned seen = 0;
  at.take('{');
  if (!at.is(':')) do {
      if (!order.take(at)) return false;
      const std::int64_t d = order.values[order.count - 1];
      if (d >= static_cast<std::int64_t>(rank) || (seen >> d & 1u)) return false;
      seen |= 1u << d;
    } while (at.take(','));
  if (order.count != rank) return false;
  out.minor_to_major.assign(order.values.data(), order.values.data() + order.count);
  if (at.take(':')) {
    const char* const properties = at.p;
    if (at.take('T')) do {
        if (!take_tile(at, out.tiles.emplace_back())) return false;
      } while (at.is('('));
    if (at.take("E(") && (!at.take_number(out.element_size_in_bits) || !at.take(')'))) return false;
    if (at.take("S(") && (!at.take_number(out.memory_space) || !at.take(')'))) return false;
    if (at.p == properties) return false;
  }
  return at.take('}');
}
/// `f32[8,<=16]{1,0}`, `token[]`
inline bool take_array(place& at, shape& out) {
  const char* const end = scan::identifier(at.p, at.last);
  if (!end) return false;
  out.type = find_element_type(view(at.p, end));
  at.p = end;
  if (out.type == element_type::unknown || !at.take('[')) return false;
  numbers sizes;
  unsigned dynamic = 0;
  if (!at.is(']')) do {
      if (at.take("<=")) dynamic |= 1u << sizes.count;
      if (!sizes.take(at)) return false;
    } while (at.take(','));
  if (!at.take(']')) return false;
  const bool ordered = at.left() > 1 && *at.p == '{' && (at.p[1] == ':' || scan::is(scan::digit_bytes, at.p[1]));
  if (!is_array(out.type) && (sizes.count != 0 || ordered)) return false;
  out.dimensions.resize(sizes.count);
  for (std::size_t k = 0; k != sizes.count; ++k) out.dimensions[k] = {sizes.values[k], (dynamic >> k & 1u) != 0};
  return !ordered || take_layout(at, sizes.count, out.layout.emplace());
}
/// How many elements the tuple that begins here has, if it is as printed; else any number up to the size of its text.
inline std::size_t count_elements(place at) {
  std::size_t count = 1, depth = 0;
  for (; at.p != at.last; ++at.p) {
    if (*at.p == '(')
      ++depth;
    else if (*at.p == ')' && --depth == 0)
      break;
    else if (*at.p == ' ' && depth == 1)
      ++count;
  }
  return count;
}
/// A whole shape. If it is refused, `out` is unspecified.
inline bool take_shape(place& at, shape& out, std::size_t depth = 0) {
  if (!at.is('(')) return take_array(at, out);
  constexpr std::size_t deepest = 16;
  if (depth == deepest) return false;
  out.type = element_type::tuple;
  out.elements.reserve(at.left() > 1 && at.p[1] == ')' ? 0 : count_elements(at));
  at.take('(');
  if (at.take(')')) return true;
  do {
    at.take_index_comment();
    if (!take_shape(at, out.elements.emplace_back(), depth + 1)) return false;
  } while (at.take(", "));
  return at.take(')');
}

/// The end of a shape that is as printed; null for others. The text after it cannot be a part of the shape.
inline const char* shape_end(const char* p, const char* last) {
  if (p == last || *p == '(') return scan::shape_brackets<'('>(p, last);
  p = scan::identifier(p, last);
  if (!p || p == last || *p != '[') return nullptr;
  for (++p; p != last && (scan::is(scan::digit_bytes, *p) || *p == ',' || *p == '<' || *p == '='); ++p) {
  }
  if (last - p < 3 || *p != ']') return nullptr;
  ++p;
  if (*p == '{' && (p[1] == ':' || scan::is(scan::digit_bytes, p[1]))) {
    for (++p; p != last && *p != '}' && *p != '\n' && *p != '/'; ++p) {
    }
    return p == last || *p != '}' ? nullptr : p + 1;
  }
  if (*p == ',' || *p == ')') return p;
  // A blank may also come before a layout, and the brace of a body does not begin a layout.
  const char* next = p + 1;
  if (*p == ' ' && *next == '{' && last - next > 2 && next[1] == '\n') next = scan::blanks(next + 1, last);
  return *p == ' ' && next != last && (*next == '%' || scan::is(scan::name_start, *next)) ? p : nullptr;
}

}  // namespace hlolint::grammar::printed
