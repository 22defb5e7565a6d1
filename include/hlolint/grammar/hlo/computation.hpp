// Computations (hlo_text.md 3).
#pragma once

#include <hlolint/grammar/hlo/instruction.hpp>
#include <hlolint/grammar/hlo/recovery.hpp>

namespace hlolint::grammar {

/// The reader of lines exactly as XLA prints them (printed/), which is tried before the rules. The context holds it
/// under this tag.
struct line_reader;
template <bool Head>
struct printed_parser : parser_part, valued<x3::unused_type> {
  template <class Context, class Rule, class To>
  bool parse(const char*& first, const char* const& last, const Context& context, Rule&, To&) const {
    if constexpr (Head)
      return x3::get<line_reader>(context).take_head(first, last, context);
    else
      return x3::get<line_reader>(context).take_instructions(first, last, context);
  }
};
inline constexpr printed_parser<true> printed_head{};
inline constexpr printed_parser<false> printed_instructions{};

// ------------------------------------------------------------------ heads
// param = name shape ;
inline constexpr auto param = must("a parameter name")[name] >> must("a shape")[shape_number];
// signature = "(" [ param { "," param } ] ")" "->" shape ;
inline constexpr auto signature = '(' >> -(!x3::lit(')') >> param % ',') >> must("',' or ')' after a parameter")[')'] >>
                                  must("'->'")["->"] >>
                                  must("a result shape")[into<&build::open_computation::declared_result>[shape_number]];
// head = [ "ENTRY" ] name [ signature ] "{" ;
inline constexpr auto computation_head =
    part<&of_computation::begin_head>[-(keyword("ENTRY") >> set<&build::open_computation::entry>(true)) >>
                                      must("a computation")[into<&build::open_computation::name>[name]] >>
                                      -into<&build::open_computation::signature>[text[signature]]] >>
    must("'{' before the instructions")[call<&of_computation::end_head>['{']];

// ------------------------------------------------------------------ bodies
inline constexpr auto body_instruction =
    part<&of_computation::begin_body_instruction, &of_computation::end_body_instruction>[instruction];
inline constexpr auto body_over = x3::eoi | '}' | next_head;
inline constexpr auto body_item = !body_over >> (body_instruction | lost_instruction);
/// `eps` passes over the blanks once for all alternatives.
inline constexpr auto instructions = *(x3::eps >> (printed_instructions | early_brace | body_item));

// end = "}" { "," ( "execution_thread=" string | "backend_config=" cfg ) } ;
inline constexpr auto end_attribute = call<&of_computation::keep_end_attribute>[computation_attribute];
inline constexpr auto computation_end = '}' >> *(',' >> must("execution_thread or backend_config")[end_attribute]) >>
                                        (no_comma | unreadable_end);

// ------------------------------------------------------------------ computations
/// The instructions, and then the end of the body, the end of the text, or the next computation.
inline constexpr auto rest_of_computation = instructions >> (call<&of_computation::close_computation>[computation_end] |
                                                             x3::eoi >> call<&of_computation::body_ends_with_text> |
                                                             call<&of_computation::brace_missing>);
// computation = head instruction { instruction } end ;
inline constexpr auto computation = stray_braces |
                                    call<&of_computation::open_computation_here> >>
                                        or_lost<&of_computation::lost_computation>((printed_head | headless |
                                                                                    computation_head | damaged_head) >>
                                                                                       rest_of_computation,
                                                                                   next_head);

}  // namespace hlolint::grammar
