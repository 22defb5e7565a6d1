// Metadata: where an instruction comes from in the user's program (hlo_text.md 7).
#pragma once

#include <hlolint/grammar/attributes/attribute_rule.hpp>
#include <hlolint/grammar/attributes/numbers.hpp>
#include <hlolint/grammar/attributes/field_tokens.hpp>
#include <hlolint/grammar/x3/fields.hpp>
#include <hlolint/grammar/x3/tokens.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/text/escape.hpp>
#include <hlolint/text/record_list.hpp>
#include <hlolint/text/str_cat.hpp>

#include <cstdint>
#include <string_view>

namespace hlolint::grammar {

/// The fields of `metadata={...}`, strings with their quotes.
struct metadata_text {
  std::string_view op_type, op_name, source_file, deduplicated_name, scheduling_name, metadata_payload;
  std::int64_t source_line = 0, source_end_line = 0, source_column = 0, source_end_column = 0, stack_frame_id = 0;
  std::uint64_t seen = 0;
};

namespace metadata_rules {

[[gnu::cold]] inline void check_profile_types(parse_state& s, std::string_view text,
                                              const record_list<std::int64_t>& types) {
  for (const std::int64_t type : types)
    if (type < 0 || type > 3) s.broke(text.data(), str_cat({"profile_type holds numbers from 0 to 3, found ", type}));
}
template <auto Member>
inline constexpr auto text_into = must("a string")[into<Member>[string]];
template <auto Member>
inline constexpr auto number_into = must("an integer")[into<Member>[int32]];

inline constexpr auto field = rule<> = [](auto) {
  return once<&metadata_text::seen>("metadata")[by(attribute_name)(
      on("op_type")[text_into<&metadata_text::op_type>], on("op_name")[text_into<&metadata_text::op_name>],
      on("source_file")[text_into<&metadata_text::source_file>],
      on("source_line")[number_into<&metadata_text::source_line>],
      on("source_end_line")[number_into<&metadata_text::source_end_line>],
      on("source_column")[number_into<&metadata_text::source_column>],
      on("source_end_column")[number_into<&metadata_text::source_end_column>],
      on("profile_type")[must("a list of integers")[checked<&check_profile_types>[ints]]],
      on("deduplicated_name")[text_into<&metadata_text::deduplicated_name>],
      on("scheduling_name")[text_into<&metadata_text::scheduling_name>],
      on("stack_frame_id")[number_into<&metadata_text::stack_frame_id>],
      on("metadata_payload")[text_into<&metadata_text::metadata_payload>],
      on("preserve_layout")[must("a value")[field_value]], otherwise[must("a value")[field_value]])];
};

}  // namespace metadata_rules

// {op_type="add" op_name="jit(f)/add" source_line=3}    blanks or commas between the fields
inline constexpr auto metadata = made[rule<metadata_text> = [](auto) {
  return '{' >> *(!x3::lit('}') >> -x3::lit(',') >>
                  must("a field of metadata such as op_name= or '}'")[metadata_rules::field]) >>
         must("a field of metadata such as op_name= or '}'")['}'];
}];

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
