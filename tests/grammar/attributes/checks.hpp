// How the tests of attribute values are written: a `|` in a text marks where the finding is; it is taken out before.
#pragma once

#include <hlolint/grammar/x3/tokens.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace hlolint::tests {

/// Wholly read; read, but a rule of names or numbers is broken (SYN002); not read (SYN001).
enum class outcome { fine, broken, failed };

struct checked_text {
  outcome found = outcome::fine;
  std::size_t where = std::string_view::npos;  ///< of the first broken rule, or of the furthest failure
  std::size_t findings = 0;
};

template <class Parser>
checked_text check_text(const Parser& parser, const std::string& text) {
  grammar::parse_state with;
  const char* first = text.data();
  const char* const last = first + text.size();
  const bool read = grammar::parse_alone(parser, first, last, with);
  if (read && first != last) with.fail(first, "the end");
  const auto offset = [&](const char* p) { return static_cast<std::size_t>(p - text.data()); };
  if (!read || first != last) return {outcome::failed, offset(with.furthest), with.broken.size()};
  if (!with.broken.empty()) return {outcome::broken, offset(with.broken.front().where), with.broken.size()};
  return {};
}

/// Checks one row of a table.
template <class Parser>
void check_row(const Parser& parser, std::string_view marked, outcome expected) {
  std::string text(marked);
  const std::size_t mark = text.find('|');
  if (mark != std::string::npos) text.erase(mark, 1);
  CAPTURE(marked);
  const checked_text found = check_text(parser, text);
  CHECK(found.found == expected);
  CHECK(found.where == mark);
  if (expected == outcome::broken) CHECK(found.findings == 1);
}

}  // namespace hlolint::tests
