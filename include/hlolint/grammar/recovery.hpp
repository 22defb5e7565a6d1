// What is said about text that cannot be read, and where reading goes on (hlo_text.md 12).
#pragma once

#include <hlolint/grammar/module_builder.hpp>
#include <hlolint/grammar/terminals.hpp>
#include <hlolint/text/say.hpp>

#include <string>
#include <string_view>

namespace hlolint::grammar {

/// The token at `p` for a message: `'%add.1'`, or `the end of the text`.
inline std::string found_at(const char* p, const char* last) {
  p = scan::blanks(p, last);
  if (p == last) return "the end of the text";
  const char* end = nullptr;
  if (*p == '%') end = scan::identifier(p + 1, last);
  if (!end) end = scan::identifier(p, last);
  if (!end) end = scan::integer(p, last);
  if (!end) end = p + 1;
  if (end - p > 40) end = p + 40;
  const auto byte = static_cast<unsigned char>(*p);
  if (end == p + 1 && (byte < 0x20 || byte > 0x7e)) {
    constexpr char digits[] = "0123456789abcdef";
    return std::string("the byte 0x") + digits[byte >> 4] + digits[byte & 15];
  }
  return say({"'", view(p, end), "'"});
}

/// SYN001 at the furthest place that could not be read; forgets it. Broken rules recorded on the way are dropped: they
/// may be consequences.
inline void report_failure(module_builder& b, const char* last) {
  const char* const where = b.failure.where ? b.failure.where : last;
  std::string message = say({"expected ", b.failure.expected ? b.failure.expected : "HLO text", ", found ", found_at(where, last)});
  b.diagnostics.push_back(b.about("SYN001", "syntax", where, std::move(message)));
  b.failure = {};
}

constexpr bool starts_with(const char* p, const char* last, std::string_view text) {
  return view(p, last).substr(0, text.size()) == text;
}

/// Whether `p`, at the first token of a line, begins `[ROOT] name =`.
inline bool begins_instruction(const char* p, const char* last) {
  const auto name = [&](const char* from) {
    if (from != last && *from == '%') return scan::identifier(from + 1, last);
    const char* const end = scan::identifier(from, last);
    return end && end != last && *end != '=' ? end : nullptr;  // `key=` continues an instruction
  };
  const char* end = name(p);
  if (end && view(p, end) == "ROOT") end = name(scan::blanks(end, last));
  if (!end) return false;
  end = scan::blanks(end, last);
  return end != last && *end == '=';
}

/// Among the blanks from `p` on, the comment that never ends; null if all do.
inline const char* endless_comment(const char* p, const char* last) {
  for (;; ++p) {
    while (p != last && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')) ++p;
    if (starts_with(p, last, "//")) {
      p = scan::find(p, last, '\n');
    } else if (starts_with(p, last, "/*")) {
      const std::size_t end = view(p, last).find("*/", 2);
      if (end == std::string_view::npos) return p;
      p += end + 1;
    } else {
      return nullptr;
    }
    if (!p) return nullptr;
  }
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

/// Of the line around `from`. Texts inside other texts are indented as a whole, so what closes a body stands left of its
/// instructions, not always in the first column.
constexpr std::size_t indentation(const char* first, const char* from, const char* last) {
  const char* line = from;
  while (line != first && line[-1] != '\n') --line;
  return line_begin(line, last).indent;
}

/// The next line after `from`, which is in the line of an instruction, that begins an instruction or closes the body;
/// null if there is none before the next computation or the end. The text begins at `first`.
inline const char* next_instruction(const char* first, const char* from, const char* last) {
  const std::size_t inside = indentation(first, from, last);
  const char* p = scan::find(from, last, '\n');
  const bool opens_body = p && view(from, p).find_last_not_of(" \t\r") == view(from, p).rfind('{');
  for (; p; p = scan::find(p, last, '\n')) {
    const auto [token, indent] = line_begin(++p, last);
    if (token == last) return nullptr;
    if (opens_body && indent > inside) continue;  // instructions of a computation inside the instruction
    const bool outside = indent == 0 || indent < inside;
    if (outside && *token == '}') return token;
    if (begins_instruction(token, last)) return token;
    if (outside && (starts_with(token, last, "ENTRY ") || starts_with(token, last, "HloModule "))) return nullptr;
  }
  return nullptr;
}

/// The next line after `from` that begins a computation or a module: a line that is not further right than that of `from`
/// and is no brace, after the brace that closes what came before. `last` if there is none.
inline const char* next_computation(const char* first, const char* from, const char* last) {
  const std::size_t outermost = indentation(first, from, last);
  bool closed = false;
  for (const char* p = scan::find(from, last, '\n'); p; p = scan::find(p, last, '\n')) {
    const auto [token, indent] = line_begin(++p, last);
    if (token == last) break;
    if (indent > outermost) continue;
    if (starts_with(token, last, "HloModule ") || starts_with(token, last, "ENTRY ")) return token;
    if (*token == '}') {
      closed = true;
    } else if (closed && (*token == '%' || scan::is(scan::name_start, *token)) && !begins_instruction(token, last)) {
      return token;
    }
  }
  return last;
}

}  // namespace hlolint::grammar
