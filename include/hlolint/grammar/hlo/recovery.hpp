// The rules that continue after damaged text (hlo_text.md 12). They look ahead, or skip text that cannot be read and
// give it to the builder. The other files of this folder have the rules of the syntax.
#pragma once

#include <hlolint/grammar/attributes/table.hpp>
#include <hlolint/grammar/build/module_builder.hpp>
#include <hlolint/grammar/x3/names.hpp>

namespace hlolint::grammar {

using builder = build::module_builder;

/// One or more lines, up to `next` or the end of the text.
template <class Next>
constexpr auto lines_until(const Next& next) {
  return line >> *(line - (next | x3::eoi));
}
/// or_lost<&builder::lost>(p, next): p, or lines up to `next` that the builder reports as lost.
template <auto Lost, class P, class Next>
constexpr auto or_lost(const P& p, const Next& next) {
  return p | call<Lost>[lines_until(next)];
}

// ------------------------------------------------------------------ tests of the next token
/// `[ROOT] name =`
inline constexpr auto instruction_ahead = -keyword("ROOT") >> (percent_name | bare_name) >> '=';
/// The beginning of a computation or a module. Without a percent sign any word can be a name, so the whole line must
/// look like a head.
inline constexpr auto head_ahead = rule<> = [](auto) {
  return keyword("HloModule") | keyword("ENTRY") | percent_name >> (x3::lit('(') | '{') |
         bare_name >> &(x3::lit('(') | '{') >> call<&builder::looks_like_head>[line];
};
/// `head_ahead` on a line that is not indented more than the head of the current computation.
inline constexpr auto next_head = rule<> = [](auto) { return call<&builder::on_margin> >> head_ahead; };

// ------------------------------------------------------------------ values
/// `key=value` with any key and any value
inline constexpr auto any_attribute = by(attribute_head)(otherwise[balanced]);
inline constexpr auto value_end = &(x3::lit(',') | '}' | x3::eoi | instruction_ahead);
inline constexpr auto kept_as_text = call<&builder::unreadable_attribute>[any_attribute];
/// Reports a value that cannot be read and keeps it as text, if it ends in the line of the failure. Nothing else is
/// lost.
inline constexpr auto unreadable_attribute = call<&builder::may_be_unreadable> >>
                                             &(any_attribute >> value_end) >> kept_as_text;
inline constexpr auto unreadable_literal = call<&builder::unreadable_literal>[balanced >> &x3::lit(')')];

/// A known attribute, or one that cannot be read.
template <class Known, class Unreadable>
constexpr auto attribute_of(const Known& known, const Unreadable& unreadable) {
  return call<&builder::begin_attribute> >> (call<&builder::keep_attribute>[known] | unreadable);
}

// ------------------------------------------------------------------ bodies
/// A closing brace that should stand after the next instruction.
inline constexpr auto early_brace = &('}' >> instruction_ahead) >> call<&builder::closes_too_early>['}'];
/// The place to continue: the next instruction, the end of the body, or the next computation.
inline constexpr auto resume = rule<> = [](auto) {
  return call<&builder::may_be_whole> >>
         (call<&builder::may_resume> >> (instruction_ahead | call<&builder::is_left_of_lost>['}']) | next_head);
};
inline constexpr auto lost_instruction = rule<> = [](auto) {
  return call<&builder::begin_lost_instruction> >> call<&builder::end_lost_instruction>[lines_until(resume)];
};
/// Text after the closing brace that cannot be read.
inline constexpr auto unreadable_end = call<&builder::unreadable_end> >> line;

// ------------------------------------------------------------------ computations
inline constexpr auto stray_braces = call<&builder::stray_brace>['}'] >> *('}' | ',' >> line);
/// Instructions without the head of their computation.
inline constexpr auto headless = &instruction_ahead >> call<&builder::begin_headless>;
/// Skips a head that cannot be read, if instructions follow.
inline constexpr auto damaged_head = rule<> = [](auto) {
  return &(lines_until(instruction_ahead | x3::lit('}') | head_ahead) >> instruction_ahead) >>
         call<&builder::damaged_head> >> line >> *(line - instruction_ahead) >> call<&builder::end_damaged_head>;
};
/// True before the first instruction of a computation without a head: a later line closes the body or begins another
/// computation. An instruction alone has no such line.
inline constexpr auto lost_its_head = rule<> = [](auto) {
  const auto end = separator | keyword("HloModule");
  return &(lines_until(call<&builder::on_margin> >> (end | '}' | head_ahead)) >> !x3::eoi >> !end >>
           ('}' | head_ahead));
};

}  // namespace hlolint::grammar
