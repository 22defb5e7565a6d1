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

/// The next line after `from` that begins an instruction, or closes a body with a brace in its first column; null if
/// there is none before the next computation or the end.
inline const char* next_instruction(const char* from, const char* last) {
  for (const char* p = scan::find(from, last, '\n'); p; p = scan::find(p, last, '\n')) {
    ++p;
    if (p == last) return nullptr;
    if (*p == '}') return p;
    const char* token = p;
    while (token != last && (*token == ' ' || *token == '\t' || *token == '\r')) ++token;
    if (token == last) return nullptr;
    if (begins_instruction(token, last)) return token;
    if (token == p && (starts_with(p, last, "ENTRY ") || starts_with(p, last, "HloModule "))) return nullptr;
  }
  return nullptr;
}

/// The next line after `from` that begins a computation or a module: a line without indentation that is no brace, after
/// the brace that closes what came before. `last` if there is none.
inline const char* next_computation(const char* from, const char* last) {
  bool closed = false;
  for (const char* p = scan::find(from, last, '\n'); p; p = scan::find(p, last, '\n')) {
    ++p;
    if (p == last) break;
    if (starts_with(p, last, "HloModule ") || starts_with(p, last, "ENTRY ")) return p;
    if (*p == '}') {
      closed = true;
    } else if (closed && (*p == '%' || scan::is(scan::name_start, *p))) {
      return p;
    }
  }
  return last;
}

}  // namespace hlolint::grammar
