// Reads queries on instructions (query.md). The text that XLA prints for an instruction is a query. It can also have
// conditions after `where`, captures `$x`, and `...` for any further parts.
#pragma once

#include <hlolint/grammar/query/query_grammar.hpp>
#include <hlolint/grammar/x3/tokens.hpp>
#include <hlolint/ir/query/query.hpp>
#include <hlolint/text/optional.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::grammar::queries {

/// The result of reading a query.
struct query_reading {
  optional<query> value;  ///< nothing if the query is not well formed
  std::size_t at = 0;     ///< without a value: the byte where reading failed
  std::string wrong;      ///< without a value: the message
};

/// Reads one whole query. Refuses a text of more than 64 KiB.
inline query_reading read_query(source written) {
  query_reading out;
  const std::string_view whole = written.text();
  if (whole.size() > std::size_t{1} << 16) {
    out.wrong = "a query has at most 64 KiB";
    return out;
  }
  parse_state state;
  query value;
  const char* first = whole.data();
  const bool read = parse_alone(whole_query, first, whole.data() + whole.size(), state, value);
  if (read && state.broken.empty()) {
    value.text = std::move(written);
    out.value = std::move(value);
    return out;
  }
  const char* where = read ? state.broken.front().where : state.furthest ? state.furthest : first;
  out.at = static_cast<std::size_t>(where - whole.data());
  out.wrong =
      read ? state.broken.front().message : std::string("expected ") + (state.expected ? state.expected : "a query");
  return out;
}

/// Reads a property such as `bytes($x)`; nothing if the text is not a property.
inline optional<query_property> read_property(std::string_view whole) {
  return value_of<query_property>(query_property_, whole);
}

}  // namespace hlolint::grammar::queries
