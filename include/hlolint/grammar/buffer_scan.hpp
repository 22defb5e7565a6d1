// Where a token of a buffer dump ends (buffer_dumps.md 2). Unlike HLO, these texts are made of lines, and blanks count.
#pragma once

#include <hlolint/grammar/scan.hpp>

namespace hlolint::scan::dump {

/// Blanks and tabs; never null.
constexpr const char* blanks(const char* p, const char* last) {
  for (; p != last && (*p == ' ' || *p == '\t'); ++p) {}
  return p;
}

/// To the end of the line: the `\n`, the `\r` before it, the blanks before both. Never null.
constexpr const char* line(const char* p, const char* last) {
  const char* end = find(p, last, '\n');
  if (!end) end = last;
  for (; end != p && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'); --end) {}
  return end;
}
constexpr const char* some_line(const char* p, const char* last) {
  const char* const end = line(p, last);
  return end == p ? nullptr : end;
}

/// Behind the end of the line if nothing but blanks is left of it.
constexpr const char* end_of_line(const char* p, const char* last) {
  for (; p != last; ++p) {
    if (*p == '\n') return p + 1;
    if (*p != ' ' && *p != '\t' && *p != '\r') return nullptr;
  }
  return p;
}
/// The same where a line is left: never takes nothing.
constexpr const char* blank_line(const char* p, const char* last) { return p == last ? nullptr : end_of_line(p, last); }
/// Behind the line. Never null.
constexpr const char* next_line(const char* p, const char* last) {
  const char* const end = find(p, last, '\n');
  return end ? end + 1 : last;
}

/// A name as dumps print it: no blanks, brackets, commas, colons or quotes. Wider than HLO's identifiers.
inline constexpr auto name_ends = bytes(" \t\r\n{}<>(),:;\"|");
constexpr const char* name(const char* p, const char* last) {
  const char* const first = p;
  for (; p != last && !is(name_ends, *p); ++p) {}
  return p == first ? nullptr : p;
}

constexpr const char* digits(const char* p, const char* last) {
  const char* const first = p;
  for (; p != last && is(digit_bytes, *p); ++p) {}
  return p == first ? nullptr : p;
}

/// `1 234 567`: digits in groups of three.
constexpr const char* spaced_digits(const char* p, const char* last) {
  p = digits(p, last);
  while (p && last - p >= 4 && *p == ' ' && is(digit_bytes, p[1]) && is(digit_bytes, p[2]) && is(digit_bytes, p[3]))
    p += 4;
  return p;
}

/// `12` or `12.5`
constexpr const char* decimal(const char* p, const char* last) {
  p = digits(p, last);
  if (!p || p == last || *p != '.') return p;
  const char* const fraction = digits(p + 1, last);
  return fraction ? fraction : p;
}

/// `800B`, `1.2KiB`, `65.05G`: a unit must be there.
constexpr const char* printed_size(const char* p, const char* last) {
  p = decimal(p, last);
  if (!p || p == last) return nullptr;
  if (*p == 'B') return p + 1;
  if (*p != 'K' && *p != 'M' && *p != 'G' && *p != 'T' && *p != 'P' && *p != 'E') return nullptr;
  ++p;
  return last - p >= 2 && p[0] == 'i' && p[1] == 'B' ? p + 2 : p;
}

/// Up to `Stop`, which must come on this line; at least one byte.
template <char Stop>
constexpr const char* up_to(const char* p, const char* last) {
  const char* const first = p;
  for (; p != last && *p != Stop && *p != '\n'; ++p) {}
  return p == last || p == first || *p != Stop ? nullptr : p;
}

/// Up to the last ` (` of the line: free text before a note in parentheses.
constexpr const char* up_to_last_parenthesis(const char* p, const char* last) {
  for (const char* at = line(p, last); at - p > 1; --at)
    if (at[-1] == '(' && at[-2] == ' ') return at - 2;
  return nullptr;
}

/// A line that says that the live range is not available.
constexpr const char* unavailable(const char* p, const char* last) {
  const char* const end = line(p, last);
  const std::string_view text(p, static_cast<std::size_t>(end - p));
  const std::size_t at = text.find("ive range");
  return at != text.npos && at < 64 && text.find("not available", at) != text.npos ? end : nullptr;
}

/// A flag nobody knows: `, ` and what follows, up to the next comma or the end of the line with its colon. `|...|` and
/// brackets may hold both.
constexpr const char* unknown_flag(const char* p, const char* last) {
  if (last - p < 3 || p[0] != ',' || p[1] != ' ') return nullptr;
  bool in_shape = false;
  int depth = 0;
  const char* const end = line(p, last);
  for (p += 2; p < end; ++p) {
    if (*p == '|') in_shape = !in_shape;
    if (in_shape) continue;
    if (*p == '(' || *p == '[' || *p == '{') ++depth;
    if ((*p == ')' || *p == ']' || *p == '}') && depth > 0) --depth;
    if (*p == ',' && depth == 0) return p;
    if (*p == ':' && p + 1 == end) return p;
  }
  return end;
}
/// The word a flag begins with.
constexpr const char* flag_word(const char* p, const char* last) {
  const char* const first = p;
  for (; p != last && (is(name_start, *p) || *p == '-' || *p == ' '); ++p) {}
  for (; p != first && p[-1] == ' '; --p) {}
  return p;
}

/// The beginnings of lines that every part of a dump knows. Where one of them comes, a list is over.
constexpr bool landmark(const char* p, const char* last) {
  if (end_of_line(p, last)) return true;
  constexpr std::string_view beginnings[] = {"BufferAssignment",
                                             "allocation ",
                                             " value:",
                                             "  value:",
                                             " reused by",
                                             "Total bytes",
                                             "Used values:",
                                             " positions:",
                                             " uses:",
                                             " uses are",
                                             " from instruction:",
                                             "HloLiveRange ",
                                             "  InstructionSequence:",
                                             "  BufferLiveRange:",
                                             "  Live ranges at ",
                                             "  Peak memory could not",
                                             "  Stack trace breakdown",
                                             "Memory Space: ",
                                             "Allocations sorted by size",
                                             "cumulative_size;",
                                             "\tcumulative_size;",
                                             "  cumulative_size;",
                                             "The rest ",
                                             "\tThe rest ",
                                             "  The rest ",
                                             "buffer_id,"};
  const std::string_view text(p, static_cast<std::size_t>(last - p));
  for (const std::string_view beginning : beginnings)
    if (text.starts_with(beginning)) return true;
  return *p == '<' && last - p > 1 && is(digit_bytes, p[1]);
}

inline constexpr auto instruction_marks = bytes("\n\"\\()[]{}");
/// One instruction of HLO text: to the end of the line, or of a later one where brackets or strings are still open (a
/// backend's configuration may hold line ends). Never beyond a landmark.
constexpr const char* instruction_text(const char* p, const char* last) {
  const char* const first = p;
  std::size_t depth = 0;
  bool in_string = false;
  for (;; ++p) {
    while (p != last && !is(instruction_marks, *p)) ++p;
    if (p == last) break;
    const char c = *p;
    if (c == '\n') {
      if (depth == 0 && !in_string) break;
      if (landmark(p + 1, last)) break;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (in_string) {
      if (c == '\\' && p + 1 != last && p[1] != '\n') ++p;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if ((c == ')' || c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  for (; p != first && (p[-1] == ' ' || p[-1] == '\t' || p[-1] == '\r'); --p) {}
  return p == first ? nullptr : p;
}

static_assert(taken(line, "ab c \r\nx") == "ab c" && taken(end_of_line, " \r\nx") == " \r\n" &&
              taken(line, "\n").empty());
static_assert(taken(name, "fusion.1{0}") == "fusion.1" && taken(name, "{0}").empty());
static_assert(taken(spaced_digits, "1 179 648 bytes") == "1 179 648" && taken(spaced_digits, "52 bytes") == "52");
static_assert(taken(printed_size, "1.2KiB(") == "1.2KiB" && taken(printed_size, "65.05G:") == "65.05G");
static_assert(taken(printed_size, "16B;") == "16B" && taken(printed_size, "16").empty());
static_assert(taken(up_to<'|'>, "(f32[2], s8[])| at") == "(f32[2], s8[])" && taken(up_to<'|'>, "f32\n|").empty());
static_assert(taken(up_to_last_parenthesis, "jit(f) (x) (1.0%)\n (") == "jit(f) (x)");
static_assert(taken(unknown_flag, ", kind |a, b| of (c, d), constant:") == ", kind |a, b| of (c, d)");
static_assert(taken(unknown_flag, ", a:b:\n") == ", a:b" && taken(unknown_flag, ", a \n") == ", a");
static_assert(taken(instruction_text, "%a = f32[] add(%b), c={\n  \"x\": 1}\n<3 b>") ==
              "%a = f32[] add(%b), c={\n  \"x\": 1}");
static_assert(taken(unavailable, "Live range is not available.\n").size() == 28 &&
              taken(unavailable, "x\nive range not available").empty());
static_assert(taken(instruction_text, "%a = f32[] add(%b\n<3 b>") == "%a = f32[] add(%b");

}  // namespace hlolint::scan::dump
