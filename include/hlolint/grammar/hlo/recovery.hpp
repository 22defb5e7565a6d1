// Where reading goes on after text that is damaged (hlo_text.md 12). The rules of syntax are in the other files of this
// room; what is here looks ahead, or passes over what cannot be read and hands it to the builder.
#pragma once

#include <hlolint/grammar/attributes/table.hpp>
#include <hlolint/grammar/build/module_builder.hpp>
#include <hlolint/grammar/x3/names.hpp>

namespace hlolint::grammar {

using builder = build::module_builder;

/// Lines up to `next`, at least one, or to the end of the text.
template <class Next>
constexpr auto lines_until(const Next& next) {
  return line >> *(line - (next | x3::eoi));
}
/// or_lost<&builder::lost>(p, next): p; if it cannot be read, the lines up to `next` are lost, which the builder
/// reports.
template <auto Lost, class P, class Next>
constexpr auto or_lost(const P& p, const Next& next) {
  return p | call<Lost>[lines_until(next)];
}

// ------------------------------------------------------------------ what begins here
/// `[ROOT] name =`
inline constexpr auto instruction_ahead = -keyword("ROOT") >> (percent_name | bare_name) >> '=';
/// What a computation or a module begins with. Without a percent sign a name can be anything, so the line must look
/// like a head.
inline constexpr auto head_ahead = rule<> = [](auto) {
  return keyword("HloModule") | keyword("ENTRY") | percent_name >> (x3::lit('(') | '{') |
         bare_name >> &(x3::lit('(') | '{') >> call<&builder::looks_like_head>[line];
};
/// The same on a line that is not further right than the head of the computation that is being read.
inline constexpr auto next_head = rule<> = [](auto) { return call<&builder::on_margin> >> head_ahead; };

// ------------------------------------------------------------------ values
/// `key=value`, whatever it is
inline constexpr auto any_attribute = by(attribute_head)(otherwise[balanced]);
inline constexpr auto value_end = &(x3::lit(',') | '}' | x3::eoi | instruction_ahead);
inline constexpr auto kept_as_text = call<&builder::unreadable_attribute>[any_attribute];
/// A value that cannot be read costs only itself, if it ends in the line of the failure: it is reported and kept as
/// text.
inline constexpr auto unreadable_attribute = call<&builder::may_be_unreadable> >>
                                             &(any_attribute >> value_end) >> kept_as_text;
inline constexpr auto unreadable_literal = call<&builder::unreadable_literal>[balanced >> &x3::lit(')')];

/// An attribute of a table, or one that cannot be read.
template <class Known, class Unreadable>
constexpr auto attribute_of(const Known& known, const Unreadable& unreadable) {
  return call<&builder::begin_attribute> >> (call<&builder::keep_attribute>[known] | unreadable);
}

// ------------------------------------------------------------------ bodies
/// A brace that has changed places with the instruction after it.
inline constexpr auto early_brace = &('}' >> instruction_ahead) >> call<&builder::closes_too_early>['}'];
/// Reading goes on at the next instruction, at the end of the body, or at the next computation.
inline constexpr auto resume = rule<> = [](auto) {
  return call<&builder::may_be_whole> >>
         (call<&builder::may_resume> >> (instruction_ahead | call<&builder::is_left_of_lost>['}']) | next_head);
};
inline constexpr auto lost_instruction = rule<> = [](auto) {
  return call<&builder::begin_lost_instruction> >> call<&builder::end_lost_instruction>[lines_until(resume)];
};
/// What follows the closing brace cannot be read.
inline constexpr auto unreadable_end = call<&builder::unreadable_end> >> line;

// ------------------------------------------------------------------ computations
inline constexpr auto stray_braces = call<&builder::stray_brace>['}'] >> *('}' | ',' >> line);
/// Instructions whose head is missing.
inline constexpr auto headless = &instruction_ahead >> call<&builder::begin_headless>;
/// A head that cannot be read costs only itself if instructions follow.
inline constexpr auto damaged_head = rule<> = [](auto) {
  return &(lines_until(instruction_ahead | x3::lit('}') | head_ahead) >> instruction_ahead) >>
         call<&builder::damaged_head> >> line >> *(line - instruction_ahead) >> call<&builder::end_damaged_head>;
};
/// An instruction alone, unless a line after it closes a body: then it is the first of a computation without a head.
inline constexpr auto lost_its_head = rule<> = [](auto) {
  const auto end = separator | keyword("HloModule");
  return &(lines_until(call<&builder::on_margin> >> (end | '}' | head_ahead)) >> !x3::eoi >> !end >>
           ('}' | head_ahead));
};

}  // namespace hlolint::grammar
