// Queries on instructions (query.md): what XLA prints is a query, with `where` for conditions, `$x` for captures and
// `...` for the rest.
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

/// What reading a query came to.
struct query_reading {
  optional<query> value;  ///< nothing if it is not well formed
  std::size_t at = 0;     ///< then where reading failed, in bytes
  std::string wrong;      ///< and what was expected there
};

/// Reads one whole query. A text of more than 64 KiB is refused.
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

/// One property, `bytes($x)`; nothing if the text is not one.
inline optional<query_property> read_property(std::string_view whole) {
  return value_of<query_property>(query_property_, whole);
}

}  // namespace hlolint::grammar::queries
