// Instructions and the bodies they stand in (hlo_text.md 3, 4, 8).
#pragma once

#include <hlolint/grammar/attribute_value.hpp>
#include <hlolint/grammar/instruction_actions.hpp>
#include <hlolint/grammar/literal.hpp>
#include <hlolint/grammar/names.hpp>
#include <hlolint/grammar/recovery.hpp>
#include <hlolint/grammar/shape.hpp>
#include <hlolint/grammar/terminals.hpp>

namespace hlolint::grammar {

/// The number of a shape in the module's pool; equal texts are parsed once.
template <class Builder>
bool read_interned_shape(const char*& first, const char* last, Builder& b, id& out) {
  const char* const begin = scan::blanks(first, last);
  const char* const end = scan_shape::extent(begin, last);
  if (!end) return parse_with(shape_, first, last, b) && false;  // for its message
  id& number = b.shapes[view(begin, end)];
  if (number == none) {
    shape parsed;
    const char* p = begin;
    if (!parse_with(shape_, p, last, b, parsed)) return false;
    if (p != end) {
      b.fail(p, last, "the end of the shape");
      return false;
    }
    note_unknown_types(b, parsed, view(begin, end));
    number = static_cast<id>(b.data->shapes.size());
    b.data->shapes.push_back(std::move(parsed));
  }
  out = number;
  first = end;
  return true;
}
struct interned_shape_parser : x3::parser<interned_shape_parser> {
  using attribute_type = id;
  static constexpr bool has_attribute = true, handles_container = false;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext&, Attribute& attribute) const {
    id number = none;
    if (!read_interned_shape(first, last, builder(context), number)) return false;
    assign(id{number}, attribute);
    return true;
  }
};
inline constexpr interned_shape_parser interned_shape{};

/// Where the text stands now. Takes nothing.
struct position_parser : x3::parser<position_parser> {
  using attribute_type = const char*;
  static constexpr bool has_attribute = true, handles_container = false;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const&, const Context&, RuleContext&, Attribute& attribute) const {
    assign(static_cast<const char*>(first), attribute);
    return true;
  }
};
inline constexpr position_parser position{};

inline constexpr x3::rule<struct right_hand_side_id> right_hand_side{"instruction"};
inline constexpr x3::rule<struct operand_id> operand{"operand"};
inline constexpr x3::rule<struct body_id> body{"computation body"};

namespace instruction_rules_of {

inline bool literal_ends(const char* p, const char* last) {
  p = scan::blanks(p, last);
  return p != last && *p == ')';
}

/// What stands in the parentheses depends on the opcode.
template <class Builder>
bool read_arguments(const char*& first, const char* last, Builder& b) {
  instruction_record& i = b.pending.back().record;
  const char* const begin = scan::blanks(first, last);
  if (i.opcode == hlo_opcode::parameter) {
    std::int64_t number = 0;
    if (!parse_with(must("a parameter number")[integer], first, last, b, number)) return false;
    i.argument = b.at(begin, first);
    parameter_number(b, number, begin);
    return true;
  }
  if (i.opcode == hlo_opcode::constant) {
    const shape unknown;
    const shape* const type = b.shape_of(i);
    if (!read_literal(first, last, b, type ? *type : unknown)) {
      const char* const end = scan::balanced(begin, last);
      if (!end || b.failure.where == last || !literal_ends(end, last)) return false;
      report_failure(b, last);  // the instruction is kept: its literal alone is bad
      first = end;
    }
    i.argument = b.at(begin, first);
    return true;
  }
  // The actions of an operand are not taken back, so one is begun only where one must be.
  return (begin != last && *begin == ')') || parse_with(operand % ','_p, first, last, b);
}

inline constexpr auto on_call = [](auto& c) { builder(c).push_call(x3::_attr(c)); };
inline constexpr auto on_predecessor = [](auto& c) { control_predecessor(builder(c), x3::_attr(c)); };
inline constexpr auto computation = must("a computation")[body | instruction_name[on_call]];
inline constexpr auto computations = must("a list of computations")['{'_p] >> -(computation % ','_p) >> must("',' or '}'")['}'_p];
inline constexpr auto predecessors = must("a list of instructions")['{'_p] >>
                                     must("an instruction")[instruction_name[on_predecessor]] % ','_p >> must("',' or '}'")['}'_p];

/// Whether a value that could not be read ends at `p`: what follows may follow an attribute.
inline bool value_ends(const char* p, const char* last) {
  p = scan::blanks(p, last);
  return p == last || *p == ',' || *p == '}' || begins_instruction(p, last);
}

/// One `key=value`: the key decides how the value is read. A value that cannot be read costs only itself, if its end
/// can be told.
template <class Builder>
bool read_attribute(const char*& first, const char* last, Builder& b) {
  std::string_view name;
  if (!parse_with(attribute_name, first, last, b, name)) return false;
  const auto [key, syntax] = attribute_begins(b, name);
  const char* const begin = scan::blanks(first, last);
  const module_builder::mark before = b.here();
  bool matched = false;
  switch (syntax) {
    case attribute_syntax::computation: matched = parse_with(computation, first, last, b); break;
    case attribute_syntax::computations: matched = parse_with(computations, first, last, b); break;
    case attribute_syntax::names: matched = parse_with(predecessors, first, last, b); break;
    default: matched = parse_with(attribute_value(syntax), first, last, b); break;
  }
  if (!matched) {
    const char* const end = scan::balanced(begin, last);
    if (!end || end == last || !b.failure.where || b.failure.where == last || !value_ends(end, last)) return false;
    // A bracket too many or too few pairs with one of another line.
    if (scan::find(b.failure.where, end, '\n')) return false;
    b.rewind(before);
    report_failure(b, last);
    first = end;
  }
  for (const std::string_view key_of_the_future : b.unknown_words) b.unknown("metadata key", key_of_the_future);
  b.unknown_words.clear();
  // XLA refuses it by now, but compilers of 2022 to 2024 wrote it for the original version (hlo_text.md 12.2).
  if (syntax == attribute_syntax::api_version && view(begin, first) == "API_VERSION_UNSPECIFIED") b.unknown("API version", view(begin, first));
  attribute_ends(b, key, name, view(begin, first));
  return true;
}

/// Wraps a function that reads with the builder and has no attribute.
template <auto Read>
struct reading : x3::parser<reading<Read>> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext&, Attribute&) const {
    return Read(first, last, builder(context));
  }
};
inline constexpr auto arguments = reading<[](const char*& first, const char* last, auto& b) { return read_arguments(first, last, b); }>{};
inline constexpr auto attribute = reading<[](const char*& first, const char* last, auto& b) { return read_attribute(first, last, b); }>{};

inline constexpr auto on_shape = [](auto& c) { builder(c).pending.back().record.shape = x3::_attr(c); };
inline constexpr auto on_opcode = [](auto& c) { opcode(builder(c), x3::_attr(c)); };
inline constexpr auto on_operand = [](auto& c) { operand_named(builder(c), x3::_attr(c)); };
inline constexpr auto on_operand_shape = [](auto& c) { builder(c).operands.back().declared_shape = x3::_attr(c); };
inline constexpr auto on_operand_begin = [](auto& c) { operand_begins(builder(c), x3::_attr(c)); };
inline constexpr auto on_operand_end = [](auto& c) { operand_ends(builder(c)); };
inline constexpr auto on_element = [](auto& c) { operand_element(builder(c), x3::_attr(c)); };
inline constexpr auto on_unnamed = [](auto& c) { x3::_pass(c) = operand_unnamed(builder(c), x3::_where(c).begin(), x3::_where(c).end()); };
inline constexpr auto on_nested_begin = [](auto& c) { nested_begins(builder(c), x3::_attr(c)); };
inline constexpr auto on_nested_end = [](auto& c) { nested_ends(builder(c), x3::_where(c).begin()); };
inline constexpr auto on_end = [](auto& c) { instruction_ends(builder(c), x3::_attr(c)); };
inline constexpr auto on_root = [](auto& c) { root_marked(builder(c), x3::_attr(c)); };
inline constexpr auto on_name = [](auto& c) { instruction_begins(builder(c), x3::_attr(c)); };
inline constexpr auto on_anonymous = [](auto& c) { anonymous_begins(builder(c), x3::_attr(c)); };
inline constexpr auto on_anonymous_end = [](auto& c) { anonymous_ends(builder(c), x3::_attr(c)); };

inline constexpr auto attributes = after_commas[must("an attribute")[attribute]];

}  // namespace instruction_rules_of

inline constexpr auto right_hand_side_def = [] {
  using namespace instruction_rules_of;
  return (&shape_ahead >> must("a shape")[interned_shape[on_shape]] | !shape_ahead) >> must("an opcode")[word[on_opcode]] >>
         must("'('")['('_p] >> arguments >> must("',' or ')' after an operand")[')'_p];
}();

/// `[shape] name {#element}` or a nested instruction.
inline constexpr auto operand_def = [] {
  using namespace instruction_rules_of;
  return position[on_operand_begin] >> (&shape_ahead >> must("a shape")[interned_shape[on_operand_shape]] | !shape_ahead) >>
         must("an operand")[operand_name[on_operand] >> *('#'_p >> must("the number of an element")[integer[on_element]]) |
                            x3::eps[on_unnamed] |
                            position[on_nested_begin] >> nested[right_hand_side] >> x3::eps[on_nested_end]] >>
         x3::eps[on_operand_end];
}();

/// `[ROOT] name = right hand side {, attribute}`
inline constexpr auto instruction = [] {
  using namespace instruction_rules_of;
  return -text_of[keyword("ROOT")][on_root] >>
         must("an instruction or '}'")[instruction_name[on_name]] >> must("'='")['='_p] >> right_hand_side >> attributes >> position[on_end];
}();

/// The anonymous form of a computation: a body in place of a name.
inline constexpr auto body_def = [] {
  using namespace instruction_rules_of;
  return nested['{'_p >> position[on_anonymous] >> +(!'}'_p >> instruction) >> must("an instruction or '}'")['}'_p] >> position[on_anonymous_end]];
}();
BOOST_SPIRIT_DEFINE(right_hand_side, operand, body)

}  // namespace hlolint::grammar
