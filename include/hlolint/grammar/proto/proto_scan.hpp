// Scans of protocol buffers in text form.
#pragma once

#include <hlolint/grammar/x3/scan.hpp>

#include <string_view>

namespace hlolint::scan {

/// A name, a number or an enumerator.
constexpr const char* proto_word(const char* p, const char* last) {
  const char* const first = p;
  while (p != last && (is(name_bytes, *p) || *p == '+')) ++p;
  return p == first ? nullptr : p;
}
/// A string in single or double quotes. Its value is the text between them.
constexpr const char* proto_string(const char* p, const char* last, std::string_view& value) {
  if (p == last || (*p != '"' && *p != '\'')) return nullptr;
  const char quote = *p++;
  const char* const first = p;
  for (; p != last && *p != quote; ++p)
    if (*p == '\\' && ++p == last) return nullptr;
  if (p == last) return nullptr;
  value = {first, static_cast<std::size_t>(p - first)};
  return p + 1;
}
/// Blanks, separators of fields, and comments to the end of the line.
constexpr const char* proto_blanks(const char* p, const char* last) {
  for (; p != last; ++p) {
    if (*p == '#')
      while (p + 1 != last && p[1] != '\n') ++p;
    else if (*p != ' ' && *p != '\n' && *p != '\t' && *p != '\r' && *p != ',' && *p != ';')
      break;
  }
  return p;
}
static_assert(taken(proto_word, "-2.5e+3 ") == "-2.5e+3" && taken(proto_word, ":").empty());

}  // namespace hlolint::scan
