// Comparing shapes as XLA's verifier does, where a difference is certain whatever options XLA verifies with, and the
// findings about a difference. Floating-point types may differ: XLA allows mixed precision. Dynamic dimensions and
// shapes that the text does not declare are not compared. Nothing is allocated before there is a finding.
#pragma once

#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/verify/findings.hpp>
#include <hlolint/verify/operands.hpp>
#include <hlolint/verify/shapes/numbers.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace hlolint::module_rules {

/// Whether two types certainly differ: neither is unknown, and not both are floating-point types.
constexpr bool certainly_differ(element_type a, element_type b) {
  return a != b && a != element_type::unknown && b != element_type::unknown &&
         !(is_floating_point(a) && is_floating_point(b));
}
constexpr bool is_integer(element_type type) { return element_type::s1 <= type && type <= element_type::u64; }
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
inline const shape* known_operand(const hlo_instruction& i, std::size_t k) { return known_array(operand_shape(i, k)); }

/// Whether an array is certainly no scalar of this type.
inline bool is_no_scalar_of(const shape& s, element_type type) {
  if (s.type == element_type::unknown) return false;
  return !s.is_array() || s.rank() > 0 || certainly_differ(s.type, type);
}

/// The size of a dimension of a known array.
inline std::int64_t size_of(const shape& s, std::int64_t dimension) {
  return s.dimensions[static_cast<std::size_t>(dimension)].size;
}
/// Whether an array has dimensions of these sizes.
inline bool has_sizes(const shape& s, const dimension_numbers& sizes) {
  if (s.rank() != sizes.size()) return false;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (s.dimensions[d].size != sizes[d]) return false;
  return true;
}

/// The array operands of an instruction for a message, such as `f32[4,8]{1,0} and f32[8,5]{1,0}`; `count` of them.
[[gnu::cold]] inline std::string operands_text(const hlo_instruction& i, std::size_t count) {
  std::string out;
  for (std::size_t k = 0; k < count; ++k)
    if (const shape* const own = operand_shape(i, k)) {
      if (!out.empty()) out += k + 1 == count ? " and " : ", ";
      append(out, *own);
    }
  return out;
}
/// `f32[2,3]`
[[gnu::cold]] inline std::string sizes_text(element_type type, const dimension_numbers& sizes) {
  shape out;
  out.type = type;
  for (const std::int64_t size : sizes) out.dimensions.push_back({size, false});
  return to_string(out);
}

[[gnu::cold]] inline void report_result(const hlo_instruction& i, std::size_t operands, const shape& result,
                                        const dimension_numbers& sizes, std::uint32_t place, findings& out) {
  out.add(place, str_cat({name_of(i.opcode()), " of ", operands_text(i, operands), " is ",
                          sizes_text(result.is_array() ? result.type : operand_shape(i, 0)->type, sizes), ", not ",
                          to_string(result)}));
}
/// The result is an array of these sizes. The message names the first `operands` operands.
inline void check_result(const hlo_instruction& i, std::size_t operands, const dimension_numbers& sizes,
                         std::uint32_t place, findings& out) {
  const shape* const result = i.shape();
  if (!result || (result->is_array() && (!result->is_static() || has_sizes(*result, sizes)))) return;
  report_result(i, operands, *result, sizes, place, out);
}
/// The result is of the element type of the operand; false after a finding.
inline bool check_type_kept(const hlo_instruction& i, const shape& own, std::uint32_t place, findings& out) {
  const shape* const result = i.shape();
  if (!result || !certainly_differ(own.type, result->type)) return true;
  out.add(place, str_cat({name_of(i.opcode()), " of ", to_string(own), " cannot be ", to_string(*result),
                          ": it keeps the element type"}));
  return false;
}
/// The result, or part of it, is certainly of another shape than this one; false after a finding.
inline bool check_same(const hlo_instruction& i, const shape& own, const shape& result, std::uint32_t place,
                       findings& out) {
  if (&own == &result || !certainly_differ(own, result)) return true;
  out.add(place, str_cat({name_of(i.opcode()), " of ", to_string(own), " cannot be ", to_string(result),
                          ": it keeps the shape"}));
  return false;
}

/// Adds the dimensions of an array that an attribute names to a set. False after a finding: one of them does not exist,
/// or is in the set already.
inline bool add_dimensions(const hlo_instruction& i, attribute_key key, const dimension_numbers& numbers,
                           const shape& of, std::uint64_t& set, findings& out) {
  for (const std::int64_t d : numbers) {
    const bool exists = d >= 0 && static_cast<std::size_t>(d) < of.rank();
    if (exists && !(set >> d & 1)) {
      set |= std::uint64_t{1} << d;
      continue;
    }
    out.add(i.attribute_location(key).at.begin,
            exists ? str_cat({"dimension ", d, " of ", to_string(of), " stands here twice"})
                   : str_cat({"there is no dimension ", d, " in ", to_string(of)}));
    return false;
  }
  return true;
}
/// The attribute that is the number of one dimension of an array; nothing if it is not readable, or after a finding.
inline std::optional<std::size_t> one_dimension(const hlo_instruction& i, attribute_key key, const shape& of,
                                                findings& out) {
  const auto numbers = numbers_of(i, key);
  std::uint64_t set = 0;
  if (!numbers || numbers->size() != 1 || !add_dimensions(i, key, *numbers, of, set, out)) return std::nullopt;
  return static_cast<std::size_t>(numbers->front());
}

}  // namespace hlolint::module_rules
