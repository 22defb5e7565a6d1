// The grammar of protocol buffers in text form.
#pragma once

#include <hlolint/grammar/proto/proto_scan.hpp>
#include <hlolint/grammar/x3/tokens.hpp>
#include <hlolint/text/compiled.hpp>
#include <hlolint/tool/device/text_proto.hpp>

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

namespace grammar::proto {

/// The fields read so far.
struct message_state {
  std::vector<text_proto_field> fields;
  int depth = 0;
  void name(std::string_view text) { fields.push_back({text, {}, depth}); }
  void value(std::string_view text) { fields.back().value = text; }
  void open() { ++depth; }
  void close() { --depth; }
};

using blanks = skipper<&scan::proto_blanks>;
inline constexpr blanks blanks_and_separators{};

inline constexpr token<&scan::proto_word> word{};
inline constexpr token<&scan::proto_string> string{};

inline constexpr x3::rule<struct field_id> field{"field"};
// message = "{" { field } "}"
inline constexpr auto message =
    nested[call<&message_state::open>[x3::lit('{')] >> *field >> call<&message_state::close>[x3::lit('}')]];
// field = name ":" ( message | string | word ) | name message
inline constexpr auto field_def = call<&message_state::name>[word] >>
                                  (':' >> (message | call<&message_state::value>[string] |
                                           call<&message_state::value>[word]) |
                                   message);
BOOST_SPIRIT_DEFINE(field)

}  // namespace grammar::proto

HLOLINT_INLINE std::optional<std::vector<text_proto_field>> read_text_proto(std::string_view text) {
  grammar::parse_state state;
  grammar::proto::message_state fields;
  const grammar::x3::context<grammar::x3::skipper_tag, const grammar::proto::blanks> skipping{
      grammar::proto::blanks_and_separators};
  const auto shared = grammar::with(state, skipping);
  const auto context = grammar::with(fields, shared);
  const char* first = text.data();
  const char* const last = first + text.size();
  const auto whole = *grammar::proto::field >> grammar::x3::eoi;
  if (!whole.parse(first, last, context, grammar::x3::unused, grammar::x3::unused)) return std::nullopt;
  return std::move(fields.fields);
}

}  // namespace hlolint
