// Metadata: where an instruction comes from in the user's program (hlo_text.md 7).
#pragma once

#include <hlolint/grammar/attributes/attribute_rule.hpp>
#include <hlolint/grammar/attributes/numbers.hpp>
#include <hlolint/grammar/attributes/field_tokens.hpp>
#include <hlolint/grammar/x3/fields.hpp>
#include <hlolint/grammar/x3/tokens.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/text/escape.hpp>
#include <hlolint/text/str_cat.hpp>

#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

namespace hlolint::grammar {

/// The fields of `metadata={...}`, strings with their quotes.
struct metadata_text {
  std::string_view op_type, op_name, source_file, deduplicated_name, scheduling_name, metadata_payload;
  std::int64_t source_line = 0, source_end_line = 0, source_column = 0, source_end_column = 0, stack_frame_id = 0;
  std::uint64_t seen = 0;
};

namespace metadata_rules {

[[gnu::cold]] inline void check_profile_types(parse_state& s, std::string_view text,
                                              const std::vector<std::int64_t>& types) {
  for (const std::int64_t type : types)
    if (type < 0 || type > 3) s.broke(text.data(), str_cat({"profile_type holds numbers from 0 to 3, found ", type}));
}
/// The name of a field, whose value goes into a member.
template <auto Member>
struct named {
  std::string_view name;
};
/// The fields that hold strings, and those that hold numbers of 32 bits, for the rule and for grammar/printed/.
inline constexpr std::tuple strings{
    named<&metadata_text::op_name>{"op_name"},
    named<&metadata_text::op_type>{"op_type"},
    named<&metadata_text::source_file>{"source_file"},
    named<&metadata_text::deduplicated_name>{"deduplicated_name"},
    named<&metadata_text::scheduling_name>{"scheduling_name"},
    named<&metadata_text::metadata_payload>{"metadata_payload"},
};
inline constexpr std::tuple numbers{
    named<&metadata_text::source_line>{"source_line"},
    named<&metadata_text::source_end_line>{"source_end_line"},
    named<&metadata_text::source_column>{"source_column"},
    named<&metadata_text::source_end_column>{"source_end_column"},
    named<&metadata_text::stack_frame_id>{"stack_frame_id"},
};
template <auto... S, auto... N>
constexpr auto table_of(const std::tuple<named<S>...>&, const std::tuple<named<N>...>&) {
  return by(attribute_name)(on(std::get<named<S>>(strings).name)[must("a string")[into<S>[string]]]...,
                            on(std::get<named<N>>(numbers).name)[must("an integer")[into<N>[int32]]]...,
                            on("profile_type")[must("a list of integers")[checked<&check_profile_types>[ints]]],
                            on("preserve_layout")[must("a value")[field_value]],
                            otherwise[must("a value")[field_value]]);
}
inline constexpr auto field = once<&metadata_text::seen>("metadata")[table_of(strings, numbers)];

}  // namespace metadata_rules

// {op_type="add" op_name="jit(f)/add" source_line=3}    blanks or commas between the fields
inline constexpr auto metadata =
    made[rule<metadata_text>("metadata") =
             '{' >> *(!x3::lit('}') >> -x3::lit(',') >>
                      must("a field of metadata such as op_name= or '}'")[metadata_rules::field]) >>
             must("a field of metadata such as op_name= or '}'")['}']];

template <>
inline constexpr auto attribute_rule<op_metadata> = reads<metadata>("metadata in braces", [](const metadata_text& m) {
  return op_metadata{.op_type = unescape(m.op_type),
                     .op_name = unescape(m.op_name),
                     .source_file = unescape(m.source_file),
                     .source_line = m.source_line,
                     .source_end_line = m.source_end_line,
                     .source_column = m.source_column,
                     .source_end_column = m.source_end_column,
                     .deduplicated_name = unescape(m.deduplicated_name),
                     .scheduling_name = unescape(m.scheduling_name),
                     .stack_frame_id = m.stack_frame_id,
                     .payload = unescape(m.metadata_payload)};
});

}  // namespace hlolint::grammar
