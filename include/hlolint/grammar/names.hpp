// The names of instructions and computations (hlo_text.md 1): `%add.1` or `add.1`.
#pragma once

#include <hlolint/grammar/terminals.hpp>
#include <hlolint/ir/element_type.hpp>
#include <hlolint/text/name_table.hpp>

#include <array>
#include <string_view>

namespace hlolint::grammar {

/// Words that are no names without a percent sign; the names of element types are none either.
inline constexpr std::array<std::string_view, 19> reserved_words{
    "true", "false", "inf", "nan", "HloModule", "ENTRY", "ROOT", "FileNames", "FunctionNames", "FileLocations", "StackFrames",
    "maximal", "replicated", "manual", "last_tile_dim_replicate", "shard_as", "shard_like", "unknown", "unreduced"};

constexpr bool is_reserved(std::string_view text) {
  return name_table<reserved_words>::find(text) >= 0 || find_element_type(text) != element_type::unknown;
}

/// Whether XLA takes an instruction's name as it is: no element type, no leading `__` unless `__xla_`.
constexpr bool is_legal_instruction_name(std::string_view name) {
  return find_element_type(name) == element_type::unknown && (!name.starts_with("__") || name.starts_with("__xla_"));
}

/// A name; its attribute is the text without the percent sign. A bare name takes a colon that touches it along.
/// With `Operand`, a bare word before a parenthesis is no name: it is the opcode of a nested instruction.
template <bool Operand>
struct name_parser : x3::parser<name_parser<Operand>> {
  using attribute_type = std::string_view;
  static constexpr bool has_attribute = true, handles_container = false;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context&, RuleContext&, Attribute& attribute) const {
    const char* begin = scan::blanks(first, last);
    if (begin == last) return false;
    const bool percent = *begin == '%';
    if (percent) ++begin;
    const char* const end = scan::identifier(begin, last);
    if (!end) return false;
    const char* next = end;
    if (!percent) {
      if ((end != last && *end == '=') || is_reserved(view(begin, end))) return false;
      if (end != last && *end == ':') ++next;
      if constexpr (Operand) {
        const char* const after = scan::blanks(next, last);
        if (after != last && *after == '(') return false;
      }
    }
    assign(view(begin, end), attribute);
    first = next;
    return true;
  }
};
inline constexpr name_parser<false> instruction_name{};
inline constexpr name_parser<true> operand_name{};

}  // namespace hlolint::grammar
