// Instructions and the bodies they stand in (hlo_text.md 3, 4, 8).
#pragma once

#include <hlolint/grammar/attribute_value.hpp>
#include <hlolint/grammar/directives.hpp>
#include <hlolint/grammar/instruction_actions.hpp>
#include <hlolint/grammar/literal.hpp>
#include <hlolint/grammar/names.hpp>
#include <hlolint/grammar/recovery.hpp>
#include <hlolint/grammar/shape.hpp>
#include <hlolint/grammar/terminals.hpp>

namespace hlolint::grammar {

/// The number of a shape in the module's pool; equal texts are parsed once.
template <class Builder>
bool parse_interned_shape(const char*& first, const char* end, const char* last, Builder& b, id& out) {
  std::vector<shape>& pool = b.data->shapes;
  shape& parsed = pool.emplace_back();
  const char* p = first;
  const bool matched = parse_with(shape_, p, last, b, parsed);
  if (matched && p == end) {
    note_unknown_types(b, parsed, view(first, end));
    out = static_cast<id>(pool.size() - 1);
    return true;
  }
  pool.pop_back();
  if (matched) b.fail(p, last, "the end of the shape");
  return false;
}
/// Finds a shape that was read before.
inline bool take_recent_shape(const char*& first, const char* last, module_builder& b, id& out) {
  const char* const begin = scan::blanks(first, last);
  if (last - begin < 16) return false;
  const shape_table::known& guess = b.shapes.recent(begin);
  const std::size_t size = guess.text.size();
  if (size == 0 || size > static_cast<std::size_t>(last - begin) || !hlolint::detail::same({begin, size}, guess.text)) return false;
  const char* const end = begin + size;
  if (guess.text.back() == ']' && scan_shape::opens_layout(scan::blanks(end, last), last)) return false;
  out = guess.number;
  first = end;
  return true;
}
template <class Builder>
bool read_interned_shape(const char*& first, const char* last, Builder& b, id& out) {
  const char* begin = scan::blanks(first, last);
  const char* const end = scan_shape::extent(begin, last);
  if (!end) return parse_with(shape_, first, last, b) && false;  // for its message
  const std::string_view text = view(begin, end);
  id& number = b.shapes[text];
  if (number == none && !parse_interned_shape(begin, end, last, b, number)) return false;
  if (last - text.data() >= 16) b.shapes.recent(text.data()) = {text, number};
  out = number;
  first = end;
  return true;
}
/// `interned_shape`: a shape; the attribute is its number in the pool. `shape_if_written`: where no shape begins, nothing
/// is taken and the number is `none`.
template <class Builder>
bool read_shape_number(const char*& first, const char* last, Builder& b, id& out, bool optional) {
  const char* const begin = scan::blanks(first, last);
  if (optional && begin != last && *begin == '%') return true;  // an operand's name: what stands here most often
  return take_recent_shape(first, last, b, out) || (optional && !scan_shape::begins(begin, last)) ||
         read_interned_shape(first, last, b, out);
}
template <bool Optional>
struct interned_shape_parser : x3::parser<interned_shape_parser<Optional>> {
  using attribute_type = id;
  static constexpr bool has_attribute = true, handles_container = false;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext&, Attribute& attribute) const {
    id number = none;
    if (read_shape_number(first, last, builder(context), number, Optional)) return assign(id{number}, attribute), true;
    if (Optional) state(context).fail(first, last, "a shape");
    return false;
  }
};
inline constexpr interned_shape_parser<false> interned_shape{};
inline constexpr interned_shape_parser<true> shape_if_written{};

/// `on<f>[p]`: once p has matched, f(builder, what p has read) keeps it.
template <auto F, class Subject>
struct on_directive : x3::unary_parser<Subject, on_directive<F, Subject>> {
  using base = x3::unary_parser<Subject, on_directive<F, Subject>>;
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false;
  constexpr explicit on_directive(const Subject& inner) : base(inner) {}
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext&, Attribute&) const {
    typename Subject::attribute_type value{};
    if (!this->subject.parse(first, last, context, x3::unused, value)) return false;
    F(builder(context), value);
    return true;
  }
};
template <auto F>
struct on_generator {
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    return on_directive<F, Subject>{subject};
  }
};
template <auto F>
inline constexpr on_generator<F> on{};

/// `at<f>`: takes nothing and calls f(builder, where the text stands); f(builder, place, end of the text) may say false.
template <auto F>
struct at_parser : x3::parser<at_parser<F>> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext&, Attribute&) const {
    if constexpr (std::is_invocable_v<decltype(F), module_builder&, const char*, const char*>)
      return F(builder(context), first, last);
    else
      return F(builder(context), first), true;
  }
};
template <auto F>
inline constexpr at_parser<F> at{};

/// A function that reads with the builder: `bool read(const char*& first, const char* last, Builder&)`.
template <auto Read>
struct reading : x3::parser<reading<Read>> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext&, Attribute&) const {
    return Read(first, last, builder(context));
  }
};

inline constexpr x3::rule<struct right_hand_side_id> right_hand_side{"instruction"};
inline constexpr x3::rule<struct operand_id> operand{"operand"};
inline constexpr x3::rule<struct instruction_id> instruction{"instruction"};
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
  return (begin != last && *begin == ')') || parse_with(comma_separated[operand], first, last, b);
}

inline void call_named(module_builder& b, std::string_view name) { b.push_call(name); }
inline constexpr auto computation = must("a computation")[body | on<&call_named>[instruction_name]];
inline constexpr auto computations = must("a list of computations")['{'_p] >> maybe[comma_separated[computation]] >> must("',' or '}'")['}'_p];
inline constexpr auto predecessors = must("a list of instructions")['{'_p] >>
                                     comma_separated[must("an instruction")[on<&control_predecessor>[instruction_name]]] >>
                                     must("',' or '}'")['}'_p];

/// Whether a value that could not be read ends at `p`: what follows may follow an attribute.
inline bool value_ends(const char* p, const char* last) {
  p = scan::blanks(p, last);
  return p == last || *p == ',' || *p == '}' || begins_instruction(p, last);
}

/// A value that names computations or instructions. One that fails takes back what it did.
template <class Builder>
bool read_named(attribute_syntax syntax, const char*& first, const char* last, Builder& b) {
  const auto before = b.here();
  const bool matched = syntax == attribute_syntax::computation    ? parse_with(computation, first, last, b)
                       : syntax == attribute_syntax::computations ? parse_with(computations, first, last, b)
                                                                  : parse_with(predecessors, first, last, b);
  if (!matched) b.rewind(before);
  return matched;
}
[[gnu::noinline, gnu::cold]] inline void note_unknown_words(module_builder& b) {
  for (const std::string_view key_of_the_future : b.unknown_words) b.unknown("metadata key", key_of_the_future);
  b.unknown_words.clear();
}

/// One `key=value`: the key decides how the value is read. A value that cannot be read costs only itself, if its end
/// can be told.
template <class Builder>
bool read_attribute(const char*& first, const char* last, Builder& b) {
  std::string_view name;
  if (!parse_with(attribute_name, first, last, b, name)) return false;
  const auto [key, syntax] = attribute_begins(b, name);
  const char* const begin = scan::blanks(first, last);
  const bool names_something = syntax == attribute_syntax::computation || syntax == attribute_syntax::computations ||
                               syntax == attribute_syntax::names;
  if (!(names_something ? read_named(syntax, first, last, b) : parse_with(attribute_value(syntax), first, last, b))) {
    const char* const end = scan::balanced(begin, last);
    if (!end || end == last || !b.failure.where || b.failure.where == last || !value_ends(end, last)) return false;
    // A bracket too many or too few pairs with one of another line.
    if (scan::find(b.failure.where, end, '\n')) return false;
    report_failure(b, last);
    first = end;
  }
  if (!b.unknown_words.empty()) note_unknown_words(b);
  // XLA refuses it by now, but compilers of 2022 to 2024 wrote it for the original version (hlo_text.md 12.2).
  if (syntax == attribute_syntax::api_version && view(begin, first) == "API_VERSION_UNSPECIFIED") b.unknown("API version", view(begin, first));
  attribute_ends(b, key, name, view(begin, first));
  return true;
}

// Objects that call a template: unlike the address of a function, they leave it to be compiled where something is parsed.
struct argument_reader {
  bool operator()(const char*& first, const char* last, auto& b) const { return read_arguments(first, last, b); }
};
struct attribute_reader {
  bool operator()(const char*& first, const char* last, auto& b) const { return read_attribute(first, last, b); }
};
struct element_chooser {
  void operator()(auto& b, std::int64_t element) const { operand_element(b, element); }
};
struct nested_end {
  void operator()(auto& b, const char* end) const { nested_ends(b, end); }
};
struct instruction_end {
  void operator()(auto& b, const char* end) const { instruction_ends(b, end); }
};
struct anonymous_end {
  void operator()(auto& b, const char* end) const { anonymous_ends(b, end); }
};

inline constexpr reading<argument_reader{}> arguments{};
inline constexpr reading<attribute_reader{}> attribute{};

inline void result_shape(module_builder& b, id shape_number) {
  if (shape_number != none) b.pending.back().record.shape = shape_number;  // a nested instruction has its own already
}
inline void operand_shape(module_builder& b, id shape_number) { b.operands.back().declared_shape = shape_number; }

inline constexpr auto attributes = after_commas[must("an attribute")[attribute]];

}  // namespace instruction_rules_of

inline constexpr auto right_hand_side_def = [] {
  using namespace instruction_rules_of;
  return on<&result_shape>[shape_if_written] >>
         must("an opcode")[on<&grammar::opcode>[word]] >> must("'('")['('_p] >> arguments >>
         must("',' or ')' after an operand")[')'_p];
}();

/// `[shape] name {#element}` or a nested instruction.
inline constexpr auto operand_def = [] {
  using namespace instruction_rules_of;
  return at<&operand_begins> >> on<&operand_shape>[shape_if_written] >>
         must("an operand")[on<&operand_named>[operand_name] >>
                                many['#'_p >> must("the number of an element")[on<element_chooser{}>[integer]]] |
                            at<&operand_unnamed> |
                            at<&nested_begins> >> nested[right_hand_side] >> at<nested_end{}>] >>
         at<&operand_ends>;
}();

/// `[ROOT] name = right hand side {, attribute}`
inline constexpr auto instruction_def = [] {
  using namespace instruction_rules_of;
  return maybe[on<&root_marked>[text_of[keyword("ROOT")]]] >> must("an instruction or '}'")[on<&instruction_begins>[instruction_name]] >>
         must("'='")['='_p] >> right_hand_side >> attributes >> at<instruction_end{}>;
}();

/// The anonymous form of a computation: a body in place of a name.
inline constexpr auto body_def = [] {
  using namespace instruction_rules_of;
  return nested['{'_p >> at<&anonymous_begins> >> !'}'_p >> instruction >> many[!'}'_p >> instruction] >>
                must("an instruction or '}'")['}'_p] >> at<anonymous_end{}>];
}();
BOOST_SPIRIT_DEFINE(right_hand_side, operand, instruction, body)

}  // namespace hlolint::grammar
