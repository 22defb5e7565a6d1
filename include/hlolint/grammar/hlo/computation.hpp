// Computations, and where reading goes on after one that is damaged (hlo_text.md 3, 12).
#pragma once

#include <hlolint/grammar/hlo/instruction.hpp>
#include <hlolint/grammar/printed/reader.hpp>

namespace hlolint::grammar {

// ------------------------------------------------------------------ heads
/// `p0: f32[4]`
inline constexpr auto param = must("a parameter name")[name] >> -x3::lit(':') >> must("a shape")[shape_number];
/// `(p0: f32[4], p1: s32[]) -> f32[4]`
inline constexpr auto signature = rare<>("signature") = [] {
  return '(' >> -(!x3::lit(')') >> param % ',') >> must("',' or ')' after a parameter")[')'] >> must("'->'")["->"] >>
                                  must("a result shape")[to<&builder::declared_result>[shape_number]];
};
/// `[ENTRY] name [signature] {`
inline constexpr auto computation_head = rare<>("computation head") = [] {
  return -(keyword("ENTRY") >> to<&builder::mark_entry>[x3::eps]) >> must("a computation")[to<&builder::computation_name>[name]] >>
    -to<&builder::signature>[text[signature]] >> must("'{' before the instructions")['{'] >> to<&builder::end_head>[x3::eps];
};

/// What a computation or a module begins with. Without a percent sign a name can be anything, so the line must look like
/// a head.
inline constexpr auto head_ahead = rare<>("head ahead") = [] {
  return keyword("HloModule") | keyword("ENTRY") | percent_name >> (x3::lit('(') | '{') |
    bare_name >> &(x3::lit('(') | '{') >> to<&builder::looks_like_head>[line];
};
/// The same on a line that is not further right than the head of the computation that is being read.
inline constexpr auto next_head = rule<>("next head") = [] {
  return to<&builder::on_margin>[here] >> head_ahead;
};

// ------------------------------------------------------------------ bodies
/// Of an instruction that touches the end of the text it cannot be known whether it is whole.
inline constexpr auto more = some_text | to<&builder::touches_end>[x3::eps];
inline constexpr auto body_instruction = rule<>("instruction of a body") = [] {
  return to<&builder::begin_body_instruction>[x3::eps] >> to<&builder::end_body_instruction>[text[instruction >> more]];
};
/// A brace that has changed places with the instruction after it.
inline constexpr auto early_brace = &('}' >> instruction_ahead) >> to<&builder::closes_too_early>[text['}']];
/// Reading goes on at the next instruction, at the end of the body, or at the next computation.
inline constexpr auto resume = rare<>("resume") = [] {
  return to<&builder::may_resume>[here] >> (instruction_ahead | to<&builder::is_left_of_lost>[text['}']]) | next_head;
};
inline constexpr auto lost_instruction = rare<>("lost instruction") = [] {
  return to<&builder::begin_lost_instruction>[here] >> (to<&builder::touched_end>[x3::eps] >> *line | line >> *(line - (resume | x3::eoi))) >>
         (x3::eoi >> to<&builder::lose_rest_of_body>[x3::eps] | to<&builder::end_lost_instruction>[x3::eps]);
};
inline constexpr auto body_over = x3::eoi | '}' | next_head;
inline constexpr auto body_item = !body_over >> (body_instruction | lost_instruction);
inline constexpr auto instructions = rule<>("instructions") = [] {
  return *(printed_instructions | early_brace | body_item);
};

// ------------------------------------------------------------------ computations
inline constexpr auto computation_end = rare<>("computation end") = [] {
  return to<&builder::close_brace>[text['}']] >> *(',' >> must("execution_thread")[to<&builder::keep_end_attribute>[computation_attribute]]) >>
    (no_comma | to<&builder::unreadable_end>[x3::eps] >> line);
};
/// The body is closed; or the text ends in it; or the next computation begins.
inline constexpr auto rest_of_computation = rule<>("rest of computation") = [] {
  return instructions >> (to<&builder::close_computation>[text[computation_end]] | x3::eoi >> to<&builder::body_ends_with_text>[x3::eps] |
                     to<&builder::brace_missing>[here]);
};

/// A head that cannot be read costs only itself if instructions follow.
inline constexpr auto damaged_head = rare<>("damaged head") = [] {
  return &(line >> *(line - (instruction_ahead | x3::lit('}') | head_ahead | x3::eoi)) >> instruction_ahead) >>
                                     to<&builder::damaged_head>[x3::eps] >> line >> *(line - instruction_ahead) >> to<&builder::end_damaged_head>[here];
};
inline constexpr auto headless = &instruction_ahead >> to<&builder::begin_headless>[here];
inline constexpr auto lost_computation = rare<>("lost computation") = [] {
  return to<&builder::begin_lost_computation>[x3::eps] >> line >> *(line - (next_head | x3::eoi)) >>
    (x3::eoi >> to<&builder::computation_lost_to_the_end>[x3::eps] | to<&builder::end_lost_computation>[x3::eps]);
};
inline constexpr auto stray_braces = to<&builder::stray_brace>[text['}']] >> *('}' | ',' >> line);

inline constexpr auto computation = rule<>("computation") = [] {
  return stray_braces |
    to<&builder::open_computation_here>[here] >> ((printed_head | headless | computation_head | damaged_head) >> rest_of_computation | lost_computation);
};

}  // namespace hlolint::grammar
