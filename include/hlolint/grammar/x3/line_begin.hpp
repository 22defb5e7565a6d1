// What a line begins with, for those who look at lines before a grammar reads them.
#pragma once

#include <hlolint/grammar/x3/scan.hpp>

#include <cstddef>
#include <string_view>

namespace hlolint::scan {

constexpr std::string_view text_between(const char* first, const char* last) {
  return {first, static_cast<std::size_t>(last - first)};
}
constexpr bool starts_with(const char* p, const char* last, std::string_view text) {
  return text_between(p, last).substr(0, text.size()) == text;
}

/// Whether `p`, at the first token of a line, begins `[ROOT] name =`. A comment in between is not looked through.
constexpr bool begins_instruction(const char* p, const char* last) {
  const auto blanks = [&](const char* from) {
    while (from != last && (*from == ' ' || *from == '\t')) ++from;
    return from;
  };
  const auto name = [&](const char* from) {
    if (from != last && *from == '%') return identifier(from + 1, last);
    const char* const end = identifier(from, last);
    return end && end != last && *end != '=' ? end : nullptr;  // `key=` continues an instruction
  };
  const char* end = name(p);
  if (end && text_between(p, end) == "ROOT") end = name(blanks(end));
  if (!end) return false;
  end = blanks(end);
  return end != last && *end == '=';
}

/// The first token of a line, and how many blanks stand before it.
struct line_begin {
  const char* token;
  std::size_t indent;
  constexpr line_begin(const char* line, const char* last) : token(line) {
    while (token != last && (*token == ' ' || *token == '\t' || *token == '\r')) ++token;
    indent = static_cast<std::size_t>(token - line);
  }
};

/// Whether `p`, at the first token of a line, begins a computation or a module: `HloModule`, `ENTRY`, `%name (`, `%name {`;
/// without the percent sign a name can be anything, so the line must end with the brace or hold an arrow.
constexpr bool begins_computation(const char* p, const char* last) {
  const bool percent = p != last && *p == '%';
  const char* const name = percent ? p + 1 : p;
  const char* const end = identifier(name, last);
  if (!end || end == last) return false;
  if (!percent && (text_between(name, end) == "HloModule" || text_between(name, end) == "ENTRY")) return *end == ' ' || *end == '\t';
  const char* next = end;
  while (next != last && (*next == ' ' || *next == '\t')) ++next;
  if (next == last || (*next != '(' && *next != '{')) return false;
  if (percent) return true;
  const char* const line_end = find(next, last, '\n');
  std::string_view rest = text_between(next, line_end ? line_end : last);
  if (rest.find("->") != rest.npos) return true;
  if (const std::size_t comment = rest.find("//"); comment != rest.npos) rest = rest.substr(0, comment);
  return rest.find_last_not_of(" \t\r") == rest.rfind('{');
}

/// Whether an instruction begins at a line of a text after its first: what seems to end with the text has run into it.
constexpr bool runs_into_instruction(std::string_view part) {
  const char* const last = part.data() + part.size();
  for (const char* p = find(part.data(), last, '\n'); p; p = find(p, last, '\n')) {
    const line_begin line(++p, last);
    if (line.token != last && begins_instruction(line.token, last)) return true;
  }
  return false;
}
static_assert(runs_into_instruction("{a\n  %b = f32[]") && !runs_into_instruction("%b = f32[]\n  {1}"));

}  // namespace hlolint::scan
