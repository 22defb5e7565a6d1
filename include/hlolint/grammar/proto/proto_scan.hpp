// Scans of protocol buffers in text form.
#pragma once

#include <hlolint/grammar/x3/scan.hpp>

#include <cstddef>
#include <string_view>

namespace hlolint::scan {

/// A name, a number or an enumerator.
constexpr const char* proto_word(const char* p, const char* last) {
  return run(p, last, [](char c) { return is(name_bytes, c) || c == '+'; });
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
/// Whether a line of a message stands alone in it: `name: value`, `name {`, `name { ... }` without `=` and `(`, or a
/// lone
/// `}` (buffer_dumps.md 1.3).
constexpr bool proto_line(std::string_view line) {
  const char* p = line.data();
  const char* const last = p + line.size();
  const auto blanks = [&] {
    while (p != last && (*p == ' ' || *p == '\t' || *p == '\r')) ++p;
  };
  const auto ends = [&] {
    blanks();
    if (p != last && (*p == ',' || *p == ';')) ++p;
    blanks();
    return p == last;
  };
  blanks();
  if (p != last && (*p == '}' || *p == '>' || *p == ']')) return ++p, ends();
  if (p != last && *p == '[') {  // the name of an extension
    const char* const end = find(p, last, ']');
    if (!end || find(p, end, ' ')) return false;
    p = end + 1;
  } else {
    if (p == last || !(is(name_bytes, *p)) || (*p >= '0' && *p <= '9') || *p == '-' || *p == '.') return false;
    while (p != last && is(name_bytes, *p) && *p != '-' && *p != '.') ++p;
  }
  blanks();
  const bool colon = p != last && *p == ':';
  if (colon) ++p;
  blanks();
  if (p == last) return false;
  if (*p == '{' || *p == '<') {
    const std::string_view rest(p + 1, static_cast<std::size_t>(last - p - 1));
    const std::size_t end = rest.find_last_not_of(" \t\r,;");
    return end == std::string_view::npos ||
           ((rest[end] == '}' || rest[end] == '>') && rest.find_first_of("=(") == std::string_view::npos);
  }
  if (!colon) return false;
  if (*p == '[') {
    const char* const end = find(p, last, ']');
    return end && (p = end + 1, ends());
  }
  std::string_view value;
  const char* const end = *p == '"' || *p == '\'' ? proto_string(p, last, value) : proto_word(p, last);
  return end && (p = end, ends());
}
/// Whether a text is a protocol buffer in text form, judged by its first three lines: all of them are fields, and no
/// line begins with `HloModule` or `ENTRY` (buffer_dumps.md 1.3). Comments and blank lines do not count. One line
/// decides only if it is a field with a number or a string: `body {` may begin a computation, and `Error: heap` is
/// prose.
constexpr bool text_proto(std::string_view text) {
  constexpr int lines_that_decide = 3;
  int lines = 0, opened = 0;
  bool tells = false;  // a field with a number or a string
  for (std::size_t at = 0; at < text.size() && lines < lines_that_decide;) {
    std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) end = text.size();
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos || line[begin] == '#') continue;
    if (!proto_line(line)) return false;
    ++lines;
    const char end_of_line = line[line.find_last_not_of(" \t\r,;")];
    if (end_of_line == '{' || end_of_line == '<') ++opened;
    if (end_of_line == '}' && line.find('{') != std::string_view::npos) tells = true;
    if (end_of_line == '"' || end_of_line == '\'' || (end_of_line >= '0' && end_of_line <= '9')) tells = true;
  }
  if (!tells && opened < 2 && lines < lines_that_decide) return false;
  for (const std::string_view word : {"HloModule", "ENTRY"})
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + word.size())) {
      std::size_t begin = at;
      while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
      const std::size_t end = at + word.size();
      if ((begin == 0 || text[begin - 1] == '\n') && (end == text.size() || !is(name_bytes, text[end]))) return false;
    }
  return true;
}

}  // namespace hlolint::scan

namespace hlolint {

/// Whether a text is a protocol buffer in text form, as `scan::text_proto` judges it.
inline constexpr auto& is_text_proto = scan::text_proto;

}  // namespace hlolint
