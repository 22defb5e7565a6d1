// Modules, and the rule for a whole file (hlo_text.md 2).
#pragma once

#include <hlolint/grammar/hlo/computation.hpp>
#include <hlolint/grammar/hlo/stack_tables.hpp>

namespace hlolint::grammar {

// ------------------------------------------------------------------ headers
inline constexpr auto module_attr = rule<> = [](auto) { return attribute_of(header_attribute, kept_as_text); };
// header = "HloModule" name { "," module_attr } ;
inline constexpr auto header = rule<> = [](auto) {
  return call<&builder::end_header>[keyword("HloModule") >>
                                    must("the module's name")[call<&builder::module_name>[name]] >>
                                    *(',' >> must("a module attribute")[module_attr]) >> !x3::lit(',')];
};
inline constexpr auto header_or_lost =
    rule<> = [](auto) { return or_lost<&builder::lost_header>(header, keyword("FileNames") | next_head); };
inline constexpr auto tables = rule<> = [](auto) { return or_lost<&builder::lost_tables>(stack_tables, next_head); };

// ------------------------------------------------------------------ one instruction alone
// single = instruction | rhs { "," attribute } ;    without a name it begins with its result shape
inline constexpr auto nameless_ahead = &(shape_outline >> word);
inline constexpr auto nameless = call<&builder::end_nameless>[part<&builder::begin_instruction>[rhs >> attributes]];
inline constexpr auto is_separated = call<&builder::is_separated>;
inline constexpr auto after_single = x3::eoi | &is_separated | call<&builder::text_after_single> >> *line;
inline constexpr auto single = rule<> = [](auto) {
  return (&instruction_ahead >> !lost_its_head | nameless_ahead) >> call<&builder::begin_single> >>
         (call<&builder::end_single>[&instruction_ahead >> whole_instruction | !instruction_ahead >> nameless] >>
              after_single |
          call<&builder::lost_single> >> *line);
};

// ------------------------------------------------------------------ files
inline constexpr auto computations =
    rule<> = [](auto) { return *(!(x3::eoi | keyword("HloModule") | is_separated) >> computation); };
// module = [ header ] [ stack_tables ] { computation } | single ;
inline constexpr auto module_ = rule<> = [](auto) {
  const auto tables_ahead = &keyword("FileNames");
  return call<&builder::begin_module> >>
         (&keyword("HloModule") >> header_or_lost >> -(tables_ahead >> tables) >> computations |
          tables_ahead >> call<&builder::header_missing> >> tables >> computations | single | computations) >>
         call<&builder::end_module>;
};
/// The first lines of lit tests.
inline constexpr auto hash_lines = *('#' >> line);
inline constexpr auto byte_order_mark = -x3::lit("\xEF\xBB\xBF");
inline constexpr auto file = byte_order_mark >> hash_lines >> *(!x3::eoi >> module_) >> call<&builder::end_file>;

}  // namespace hlolint::grammar
