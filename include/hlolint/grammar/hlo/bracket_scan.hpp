// What a line of HLO begins with, and where a token in brackets ends. A bracket that is never closed ends where the
// next instruction begins, that of a dictionary some instructions later. Otherwise a text full of such brackets would
// be read to its end for each of them.
#pragma once

#include <hlolint/grammar/x3/marks.hpp>
#include <hlolint/grammar/x3/tokens.hpp>
#include <hlolint/ir/element_type.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace hlolint::scan {

constexpr bool starts_with(const char* p, const char* last, std::string_view text) {
  return view(p, last).substr(0, text.size()) == text;
}

/// Whether `[ROOT] name =` begins at `p`, the first token of a line. False if a comment stands in between.
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
  if (end && view(p, end) == "ROOT") end = name(blanks(end));
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

/// Whether a computation or a module begins at `p`, the first token of a line: `HloModule`, `ENTRY`, `%name (`, `%name
/// {`. Without the percent sign any word can be a name, so the line must end with the brace or hold an arrow.
constexpr bool begins_computation(const char* p, const char* last) {
  const bool percent = p != last && *p == '%';
  const char* const name = percent ? p + 1 : p;
  const char* const end = identifier(name, last);
  if (!end || end == last) return false;
  if (!percent && (view(name, end) == "HloModule" || view(name, end) == "ENTRY")) return *end == ' ' || *end == '\t';
  const char* next = end;
  while (next != last && (*next == ' ' || *next == '\t')) ++next;
  if (next == last || (*next != '(' && *next != '{')) return false;
  if (percent) return true;
  const char* const line_end = find(next, last, '\n');
  std::string_view rest = view(next, line_end ? line_end : last);
  if (rest.find("->") != rest.npos) return true;
  if (const std::size_t comment = rest.find("//"); comment != rest.npos) rest = rest.substr(0, comment);
  return rest.find_last_not_of(" \t\r") == rest.rfind('{');
}

/// Whether an instruction begins at a later line of a token's text: the token was not closed and has run into it.
constexpr bool runs_into_instruction(std::string_view part) {
  const char* const last = part.data() + part.size();
  for (const char* p = find(part.data(), last, '\n'); p; p = find(p, last, '\n')) {
    const line_begin line(++p, last);
    if (line.token != last && begins_instruction(line.token, last)) return true;
  }
  return false;
}

/// Whether an instruction, the entry or a module begins at the line after the line end at `p`.
[[gnu::noinline]] constexpr bool instruction_follows(const char* p, const char* last) {
  const line_begin line(p + 1, last);
  return line.token != last && (begins_instruction(line.token, last) || starts_with(line.token, last, "HloModule ") ||
                                starts_with(line.token, last, "ENTRY "));
}

#if defined(__SSE2__)
/// A JSON dictionary without escapes and line ends, like nearly all of them. Null for others, and near the end of the
/// text. Precondition: a brace stands at `p`.
inline const char* one_line_dictionary(const char* p, const char* last) {
  std::size_t depth = 0;
  for (std::uint64_t inside = 0; last - p >= 64; p += 64) {
    const block text(p);
    const std::uint64_t quoted = strings(text.where_is('"'), inside);
    const std::uint64_t others = text.where_either('\\', '\n');
    for (std::uint64_t braces = text.where_either('{', '}') & ~quoted; braces; braces &= braces - 1) {
      const char* const brace = p + __builtin_ctzll(braces);
      if (*brace == '{')
        ++depth;
      else if (--depth == 0)
        return others & (braces ^ (braces - 1)) ? nullptr : brace + 1;
    }
    if (others) return nullptr;
  }
  return nullptr;
}
#endif
/// Whether `p` can be the end of a dictionary that holds lines like instructions: its own instruction, the next one or
/// the end of the body follows, or nothing. After the brace of a computation there is another head, or a line end.
constexpr bool can_end_dictionary(const char* p, const char* last) {
  if (p == last) return true;
  p = blanks(p, last);
  return p != last && (*p == ',' || *p == '}' || begins_instruction(p, last));
}
/// A JSON dictionary, up to the matching brace. Braces inside double quotes do not count. A line of it may look like an
/// instruction, `name = "kernel"`. As the brace may be missing, so that they are instructions, few such lines are
/// passed over.
constexpr const char* dictionary_by_bytes(const char* p, const char* last) {
  if (p == last || *p != '{') return nullptr;
  constexpr std::size_t most_alike = 64;
  std::size_t depth = 0, alike = 0;
  const auto runs_away = [&] { return instruction_follows(p, last) && ++alike > most_alike; };
  for (; p != last; ++p) {
    const char c = *p;
    if (c == '"') {
      for (++p; p != last && *p != '"'; ++p) {
        if (*p == '\\' && (++p == last || *p == '\n')) return nullptr;
        if (*p == '\n' && runs_away()) return nullptr;
      }
      if (p == last) return nullptr;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return alike == 0 || can_end_dictionary(p + 1, last) ? p + 1 : nullptr;
    } else if (c == '\n' && runs_away()) {
      return nullptr;
    }
  }
  return nullptr;
}
/// Like `dictionary_by_bytes`, but reads 64 bytes at a time where it can.
constexpr const char* dictionary(const char* p, const char* last) {
#if defined(__SSE2__)
  if (!std::is_constant_evaluated() && p != last && *p == '{')
    if (const char* const end = one_line_dictionary(p, last)) return end;
#endif
  return dictionary_by_bytes(p, last);
}

/// The value of an unknown attribute: up to the next comma, closing bracket or line end outside brackets and strings.
/// Skips comments. Null if a bracket or a string is not closed.
constexpr const char* balanced(const char* p, const char* last) {
  const char* const first = p;
  const char* end = p;
  std::size_t depth = 0;
  while (p != last) {
    const char c = *p;
    if (c == '"') {
      const char* const begin = p;
      p = string(p, last);
      if (!p || runs_into_instruction(view(begin, p))) return nullptr;
      end = p;
      continue;
    }
    const bool comment = c == '/' && last - p > 1 && (p[1] == '*' || p[1] == '/');
    if (depth == 0 && (c == ',' || c == '\n' || c == '\r' || (comment && p[1] == '/'))) break;
    if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      if (depth == 0) break;
      --depth;
    } else if (comment) {
      p = blanks(p, last);
      continue;
    } else if (c == '\n' && instruction_follows(p, last)) {
      return nullptr;
    }
    ++p;
    if (c != ' ' && c != '\t') end = p;
  }
  return end == first || depth ? nullptr : end;
}

/// From an opening bracket to its closing bracket; comments do not count. No shape has quotes or percent signs: if one
/// comes, a bracket is missing.
template <char Open>
constexpr const char* shape_brackets(const char* p, const char* last) {
  if (p == last || *p != Open) return nullptr;
  constexpr auto special = bytes("([{)]}\"%/\n");
  for (std::size_t depth = 0; p != last; ++p) {
    if (!is(special, *p)) continue;
    switch (*p) {
      case '(':
      case '[':
      case '{': ++depth; break;
      case ')':
      case ']':
      case '}':
        if (--depth == 0) return p + 1;
        break;
      case '/': {
        const char* const next = blanks(p, last);
        if (next == p) return nullptr;
        p = next - 1;
        break;
      }
      case '\n':
        if (instruction_follows(p, last)) return nullptr;
        break;
      default: return nullptr;
    }
  }
  return nullptr;
}

/// The name of an element type that XLA has.
constexpr const char* known_element_type(const char* p, const char* last, element_type& value) {
  const char* const end = identifier(p, last);
  if (end) value = find_element_type(view(p, end));
  return end && value != element_type::unknown ? end : nullptr;
}

}  // namespace hlolint::scan

namespace hlolint::grammar {

inline namespace tokens {
/// A JSON dictionary, up to the matching brace.
inline constexpr token<&scan::dictionary> dictionary{};
/// Any text with balanced brackets and strings, up to a comma, a closing bracket or a line end outside them.
inline constexpr token<&scan::balanced> balanced{};
}  // namespace tokens

}  // namespace hlolint::grammar
