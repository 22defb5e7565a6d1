// The rules that continue after damaged text (hlo_text.md 12). They look ahead, or skip text that cannot be read and
// give it to the builder. The other files of this folder have the rules of the syntax.
#pragma once

#include <hlolint/grammar/attributes/table.hpp>
#include <hlolint/grammar/build/module_builder.hpp>
#include <hlolint/grammar/x3/names.hpp>

namespace hlolint::grammar {

// The functions that rules call.
using of_module = build::module_builder;
using of_computation = build::computation_builder;
using of_instruction = build::instruction_builder;

/// One or more lines, up to `next` or the end of the text.
template <class Next>
constexpr auto lines_until(const Next& next) {
  return line >> *(line - (next | x3::eoi));
}
/// or_lost<&of_module::lost>(p, next): p, or lines up to `next` that the builder reports as lost.
template <auto Lost, class P, class Next>
constexpr auto or_lost(const P& p, const Next& next) {
  return p | call<Lost>[lines_until(next)];
}

// ------------------------------------------------------------------ tests of the next token
/// `[ROOT] name =`
inline constexpr auto instruction_ahead = -keyword("ROOT") >> (percent_name | bare_name) >> '=';
/// The beginning of a computation or a module. Without a percent sign any word can be a name, so the whole line must
/// look like a head.
inline constexpr auto head_ahead = keyword("HloModule") | keyword("ENTRY") | percent_name >> (x3::lit('(') | '{') |
                                   bare_name >> &(x3::lit('(') | '{') >> call<&of_computation::looks_like_head>[line];
/// `head_ahead` on a line that is not indented more than the head of the current computation.
inline constexpr auto next_head = call<&of_computation::on_margin> >> head_ahead;

// ------------------------------------------------------------------ values
/// `key=value` with any key and any value
inline constexpr auto any_attribute = by(attribute_head)(otherwise[balanced]);
inline constexpr auto value_end = &(x3::lit(',') | '}' | x3::eoi | instruction_ahead);
inline constexpr auto kept_as_text = call<&of_instruction::unreadable_attribute>[any_attribute];
/// Reports a value that cannot be read and keeps it as text, if it ends in the line of the failure. Nothing else is
/// lost.
inline constexpr auto unreadable_attribute = call<&of_instruction::may_be_unreadable> >>
                                             &(any_attribute >> value_end) >> kept_as_text;
inline constexpr auto unreadable_literal = call<&of_instruction::unreadable_literal>[balanced >> &x3::lit(')')];

/// A known attribute, or one that cannot be read.
template <class Known, class Unreadable>
constexpr auto attribute_of(const Known& known, const Unreadable& unreadable) {
  return call<&of_instruction::begin_attribute> >> (call<&of_instruction::keep_attribute>[known] | unreadable);
}

// ------------------------------------------------------------------ bodies
/// A closing brace that should stand after the next instruction.
inline constexpr auto early_brace = &('}' >> instruction_ahead) >> call<&of_computation::closes_too_early>['}'];
/// The place to continue: the next instruction, the end of the body, or the next computation.
inline constexpr auto resume = call<&of_computation::may_be_whole> >>
                               (call<&of_computation::may_resume> >>
                                    (instruction_ahead | call<&of_computation::is_left_of_lost>['}']) |
                                next_head);
inline constexpr auto lost_instruction =
    call<&of_computation::begin_lost_instruction> >> call<&of_computation::end_lost_instruction>[lines_until(resume)];
/// Text after the closing brace that cannot be read.
inline constexpr auto unreadable_end = call<&of_computation::unreadable_end> >> line;

// ------------------------------------------------------------------ computations
inline constexpr auto stray_braces = call<&of_computation::stray_brace>['}'] >> *('}' | ',' >> line);
/// Instructions without the head of their computation.
inline constexpr auto headless = &instruction_ahead >> call<&of_computation::begin_headless>;
/// Skips a head that cannot be read, if instructions follow.
inline constexpr auto damaged_head = &(lines_until(instruction_ahead | x3::lit('}') | head_ahead) >>
                                       instruction_ahead) >>
                                     call<&of_computation::damaged_head> >> line >>
                                     *(line - instruction_ahead) >> call<&of_computation::end_damaged_head>;
/// True before the first instruction of a computation without a head: a later line closes the body or begins another
/// computation. An instruction alone has no such line.
inline constexpr auto module_over = separator | keyword("HloModule");
inline constexpr auto lost_its_head =
    &(lines_until(call<&of_computation::on_margin> >> (module_over | '}' | head_ahead)) >> !x3::eoi >> !module_over >>
      ('}' | head_ahead));

}  // namespace hlolint::grammar
