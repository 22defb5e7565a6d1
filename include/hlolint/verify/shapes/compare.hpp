// Comparing shapes as XLA's verifier does, where a difference is certain whatever options XLA verifies with, and the
// findings about a difference. Floating-point types may differ: XLA allows mixed precision. Dynamic dimensions and
// shapes that the text does not declare are not compared. Nothing is allocated before there is a finding.
#pragma once

#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/verify/findings.hpp>
#include <hlolint/verify/operands.hpp>
#include <hlolint/verify/shapes/numbers.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::module_rules {

/// Whether two types certainly differ: neither is unknown, and not both are floating-point types.
constexpr bool certainly_differ(element_type a, element_type b) {
  return a != b && a != element_type::unknown && b != element_type::unknown &&
         !(is_floating_point(a) && is_floating_point(b));
}
constexpr bool is_integer(element_type type) { return element_type::s1 <= type && type <= element_type::u64; }

/// The size of a dimension of a known array.
inline std::int64_t size_of(const shape& s, std::int64_t dimension) {
  return s.dimensions[static_cast<std::size_t>(dimension)].size;
}
/// The sizes of all dimensions.
inline dimension_numbers sizes_of(const shape& s) {
  dimension_numbers out;
  for (const dimension& d : s.dimensions) out.push_back(d.size);
  return out;
}
/// An array of these sizes.
inline shape array_of_sizes(element_type type, const dimension_numbers& sizes) {
  shape out;
  out.type = type;
  for (const std::int64_t size : sizes) out.dimensions.push_back({size, false});
  return out;
}
/// Whether an array has dimensions of these sizes.
inline bool has_sizes(const shape& s, const dimension_numbers& sizes) {
  if (s.rank() != sizes.size()) return false;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (s.dimensions[d].size != sizes[d]) return false;
  return true;
}
/// Whether the dimensions of two arrays certainly differ.
inline bool dimensions_differ(const shape& a, const shape& b) {
  if (!a.is_array() || !b.is_array() || !a.is_static() || !b.is_static()) return false;
  if (a.rank() != b.rank()) return true;
  for (std::size_t d = 0; d < a.rank(); ++d)
    if (a.dimensions[d].size != b.dimensions[d].size) return true;
  return false;
}

/// Whether two shapes certainly differ, in a part that is no array: in the number of its elements.
inline bool certainly_differ(const shape& a, const shape& b) {
  if (&a == &b || a.type == element_type::unknown || b.type == element_type::unknown) return false;
  if (a.is_tuple() != b.is_tuple()) return true;
  if (!a.is_tuple()) return certainly_differ(a.type, b.type) || dimensions_differ(a, b);
  if (a.elements.size() != b.elements.size()) return true;
  for (std::size_t k = 0; k < a.elements.size(); ++k)
    if (certainly_differ(a.elements[k], b.elements[k])) return true;
  return false;
}

/// An array of a known number of dimensions of known sizes, or null. Sets of its dimensions fit in a word.
inline const shape* known_array(const shape* s) {
  constexpr std::size_t most = 64;
  return s && s->is_array() && s->rank() <= most && s->is_static() ? s : nullptr;
}

/// Whether an array is certainly no scalar of this type.
inline bool is_no_scalar_of(const shape& s, element_type type) {
  if (s.type == element_type::unknown) return false;
  return !s.is_array() || s.rank() > 0 || certainly_differ(s.type, type);
}

/// Element `k` of a tuple; null if there is none.
inline const shape* element_of(const shape* whole, std::size_t k) {
  return whole && whole->is_tuple() && k < whole->elements.size() ? &whole->elements[k] : nullptr;
}
/// The part of a result or of a root that belongs to one of `arrays` arrays: the whole, or an element of a tuple; null
/// if there is none.
inline const shape* part_of(const shape* whole, std::size_t k, std::size_t arrays) {
  return whole && !whole->is_tuple() && arrays == 1 ? whole : element_of(whole, k);
}

/// What a check gives after a finding: there is nothing more to compare.
struct refused {
  constexpr operator bool() const { return false; }
};

/// What is certain about a result from the operands, the attributes and the computations of an instruction: it has the
/// shape of another value, or it is an array of certain sizes.
struct inferred {
  const shape* same = nullptr;                ///< the shape of another value; null if it is not that
  const shape* like = nullptr;                ///< an array of the element type that the result certainly has, or null
  std::size_t operands = 0;                   ///< how many operands make the sizes; 0 if these are not certain
  dimension_numbers sizes;                    ///< of an array
  element_type type = element_type::unknown;  ///< what XLA takes if the text does not give it

  inferred() = default;
  inferred(refused) {}
  explicit inferred(const shape* s, element_type of_type = element_type::unknown) : same(s), type(of_type) {}
  inferred(dimension_numbers all, std::size_t of, const shape* typed, element_type of_type = element_type::unknown)
      : like(typed), operands(of), sizes(std::move(all)), type(typed ? typed->type : of_type) {}
};

/// An instruction whose shapes are inferred and checked, and where its findings go.
struct shape_case {
  const hlo_instruction& i;
  std::uint32_t place;  ///< of findings that have no better one: the opcode
  findings& out;
  const shape* result = i.shape();           ///< as it is declared; null if it is not
  const shape* const* inferred_before = {};  ///< the shapes of the instructions before; null: as they are declared

  /// The shape of an operand; null if it is not known. @{
  const shape* operand(std::size_t k) const {
    if (!inferred_before) return operand_shape(i, k);
    const hlo_instruction o = k < i.operand_count() ? i.operand(k) : hlo_instruction{};
    return o && o.id() < i.id() ? inferred_before[o.id()] : nullptr;
  }
  const shape* array(std::size_t k) const { return known_array(operand(k)); }
  /// @}
  std::string_view name() const { return name_of(i.opcode()); }
  auto numbers(attribute_key key) const { return numbers_of(i, key); }
  std::uint32_t at(attribute_key key) const { return place_of(i, key); }

  /// Reports a fault at the opcode, at an attribute, or with another place that takes part. @{
  refused fail(const auto&... parts) const { return out.add(place, parts...), refused{}; }
  refused fail_at(attribute_key key, const auto&... parts) const { return out.add(at(key), parts...), refused{}; }
  refused fail_beside(const auto& other, std::string_view role, const auto&... parts) const {
    return out.add_beside(place, other.where().at.begin, role, parts...), refused{};
  }
  /// @}
};

/// The array operands of an instruction for a message, such as `f32[4,8]{1,0} and f32[8,5]{1,0}`; `count` of them.
[[gnu::cold]] inline std::string operands_text(const shape_case& c, std::size_t count) {
  std::string out;
  for (std::size_t k = 0; k < count; ++k)
    if (const shape* const own = c.operand(k)) {
      if (!out.empty()) out += k + 1 == count ? " and " : ", ";
      append(out, *own);
    }
  return out;
}

/// The rest of a check of one shape against another; all are false after a finding. @{
[[gnu::cold]] inline refused fail_kept(const shape_case& c, const shape& own, const shape& result,
                                       std::string_view what) {
  return c.fail(c.name(), " of ", own, " cannot be ", result, ": it keeps the ", what);
}
/// The result, or part of it, is of the element type of the operand.
inline bool check_type_kept(const shape_case& c, const shape& own, const shape& result) {
  return !certainly_differ(own.type, result.type) || fail_kept(c, own, result, "element type");
}
/// The result, or part of it, has this shape.
inline bool check_same(const shape_case& c, const shape& own, const shape& result) {
  return &own == &result || !certainly_differ(own, result) || fail_kept(c, own, result, "shape");
}
/// The result, or part of it, is an array of certain sizes.
inline bool check_sizes(const shape_case& c, const inferred& expected, const shape& result) {
  if (result.is_array() && (!result.is_static() || has_sizes(result, expected.sizes))) return true;
  return c.fail(c.name(), " of ", operands_text(c, expected.operands), " is ",
                array_of_sizes(result.is_array() ? result.type : c.operand(0)->type, expected.sizes), ", not ", result);
}
/// The result is what is certain about it.
inline bool check_result(const shape_case& c, const inferred& expected) {
  if (!c.result) return true;
  if (expected.same) return check_same(c, *expected.same, *c.result);
  return expected.operands == 0 ||
         ((!expected.like || check_type_kept(c, *expected.like, *c.result)) && check_sizes(c, expected, *c.result));
}
/// @}

/// Adds the dimensions of an array that an attribute names to a set. False after a finding: one of them does not exist,
/// or is in the set already.
inline bool add_dimensions(const shape_case& c, attribute_key key, const dimension_numbers& numbers, const shape& of,
                           std::uint64_t& set) {
  for (const std::int64_t d : numbers) {
    if (d < 0 || static_cast<std::size_t>(d) >= of.rank())
      return c.fail_at(key, "there is no dimension ", d, " in ", of);
    if (set >> d & 1) return c.fail_at(key, "dimension ", d, " of ", of, " stands here twice");
    set |= std::uint64_t{1} << d;
  }
  return true;
}
/// The attribute that is the number of one dimension of an array; nothing if it is not readable, or after a finding.
inline std::optional<std::size_t> one_dimension(const shape_case& c, attribute_key key, const shape& of) {
  const auto numbers = c.numbers(key);
  std::uint64_t set = 0;
  if (!numbers || numbers->size() != 1 || !add_dimensions(c, key, *numbers, of, set)) return std::nullopt;
  return static_cast<std::size_t>(numbers->front());
}
/// The sizes of the dimensions of an array that are not in a set.
inline void append_others(dimension_numbers& sizes, const shape& s, std::uint64_t set) {
  for (std::size_t d = 0; d < s.rank(); ++d)
    if (!(set >> d & 1)) sizes.push_back(s.dimensions[d].size);
}
/// An integer attribute that is the number of a dimension of an array; nothing if it is not readable, or after a
/// finding.
inline std::optional<std::int64_t> dimension_number(const shape_case& c, attribute_key key, const shape& of) {
  const auto number = get_integer(c.i, key);
  if (!number || (*number >= 0 && static_cast<std::size_t>(*number) < of.rank())) return number;
  return c.fail_at(key, "there is no dimension ", *number, " in ", of), std::nullopt;
}

}  // namespace hlolint::module_rules
