// Where a token of a line-oriented text ends. Unlike in HLO, blanks count in the dumps of buffers, and no token but an
// instruction runs over the end of its line.
#pragma once

#include <hlolint/grammar/x3/scan.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace hlolint::scan::lines {

/// Blanks and tabs; never null.
[[gnu::noinline]] constexpr const char* blanks(const char* p, const char* last) {
  for (; p != last && (*p == ' ' || *p == '\t'); ++p) {
  }
  return p;
}

/// Counts blanks; never null.
constexpr const char* indent(const char* p, const char* last, std::int64_t& width) {
  const char* const end = blanks(p, last);
  width = end - p;
  return end;
}
/// The end of [p, end) without blanks and line ends there.
constexpr const char* trimmed(const char* p, const char* end) {
  for (; end != p && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r' || end[-1] == '\n'); --end) {
  }
  return end;
}
/// The rest of the line, without blanks and a `\r` at its end. Never null.
[[gnu::noinline]] constexpr const char* rest(const char* p, const char* last) {
  const char* const end = find(p, last, '\n');
  return trimmed(p, end ? end : last);
}
/// Like `rest`, but at least one byte.
[[gnu::noinline]] constexpr const char* some_rest(const char* p, const char* last) {
  const char* const end = rest(p, last);
  return end == p ? nullptr : end;
}

/// Skips blanks and the line end. The end of the text also ends a line.
[[gnu::noinline]] constexpr const char* end_of_line(const char* p, const char* last) {
  for (; p != last; ++p) {
    if (*p == '\n') return p + 1;
    if (*p != ' ' && *p != '\t' && *p != '\r') return nullptr;
  }
  return p;
}
/// One or more blank lines.
[[gnu::noinline]] constexpr const char* blank_lines(const char* p, const char* last) {
  const char* end = past_blanks(p, last);
  for (; end != last && end != p && end[-1] != '\n'; --end) {
  }  // not the blanks at the beginning of the next line
  return end == p ? nullptr : end;
}

/// A name as dumps print it: no blanks, brackets, commas, colons or quotes. Wider than the identifiers of HLO.
inline constexpr auto name_ends = bytes(" \t\r\n{}<>(),:;\"|");
[[gnu::noinline]] constexpr const char* name(const char* p, const char* last) {
  return run(p, last, [](char c) { return !is(name_ends, c); });
}

[[gnu::noinline]] constexpr const char* digits(const char* p, const char* last) {
  return run(p, last, [](char c) { return is(digit_bytes, c); });
}

/// Digits as a number of 63 bits, which byte counts and positions fit in. Null also for a larger number.
template <class Integer>
[[gnu::noinline]] constexpr const char* natural(const char* p, const char* last, Integer& value) {
  std::uint64_t number = 0;
  p = whole_number(p, last, number);
  if (!p || number > static_cast<std::uint64_t>(std::numeric_limits<Integer>::max())) return nullptr;
  value = static_cast<Integer>(number);
  return p;
}
/// `[-] digits`: 63 bits and a sign.
constexpr const char* signed_number(const char* p, const char* last, std::int64_t& value) {
  const bool negative = p != last && *p == '-';
  p = natural(p + negative, last, value);
  if (p && negative) value = -value;
  return p;
}

/// `1 234 567`: digits in groups of three.
[[gnu::noinline]] constexpr const char* spaced_digits(const char* p, const char* last) {
  p = digits(p, last);
  while (p && last - p >= 4 && *p == ' ' && is(digit_bytes, p[1]) && is(digit_bytes, p[2]) && is(digit_bytes, p[3]))
    p += 4;
  return p;
}
/// `1 234 567` as a number of 63 bits.
[[gnu::noinline]] constexpr const char* spaced_number(const char* p, const char* last, std::int64_t& value) {
  const char* const end = spaced_digits(p, last);
  if (!end) return nullptr;
  std::int64_t sum = 0;
  for (; p != end; ++p) {
    if (*p == ' ') continue;
    if (__builtin_mul_overflow(sum, 10, &sum) || __builtin_add_overflow(sum, *p - '0', &sum)) return nullptr;
  }
  value = sum;
  return end;
}

/// `12` or `12.5`: no sign, no exponent.
[[gnu::noinline]] constexpr const char* decimal(const char* p, const char* last) {
  p = digits(p, last);
  if (!p || p == last || *p != '.') return p;
  const char* const fraction = digits(p + 1, last);
  return fraction ? fraction : p;
}
/// `800B`, `1.2KiB`, `65.05G`: digits with a unit.
[[gnu::noinline]] constexpr const char* human(const char* p, const char* last) {
  p = decimal(p, last);
  if (!p || p == last) return nullptr;
  if (*p == 'B') return p + 1;
  if (std::string_view("KMGTPE").find(*p) == std::string_view::npos) return nullptr;
  ++p;
  return last - p >= 2 && p[0] == 'i' && p[1] == 'B' ? p + 2 : p;
}

/// One or more bytes up to `Stop`. Null if `Stop` is not on this line.
template <char Stop>
[[gnu::noinline]] constexpr const char* up_to(const char* p, const char* last) {
  const char* const first = p;
  for (; p != last && *p != Stop && *p != '\n'; ++p) {
  }
  return p == last || p == first || *p != Stop ? nullptr : p;
}
/// Up to the last ` (` of the line: free text before a note in parentheses.
[[gnu::noinline]] constexpr const char* up_to_last_parenthesis(const char* p, const char* last) {
  for (const char* at = rest(p, last); at - p > 1; --at)
    if (at[-1] == '(' && at[-2] == ' ') return at - 2;
  return nullptr;
}
/// Up to the end of `text`. Null if `text` is not on this line.
[[gnu::noinline]] constexpr const char* after(const char* p, const char* last, std::string_view text) {
  const std::size_t at = view(p, rest(p, last)).find(text);
  return at == text.npos ? nullptr : p + at + text.size();
}
/// An indented line, from its first byte that is not a blank.
constexpr const char* indentation(const char* p, const char* last) {
  const char* const text = blanks(p, last);
  return text == p || end_of_line(text, last) ? nullptr : text;
}

/// A shape in a list: up to the next `, ` outside brackets or the end of the line. Null if a bracket is not closed
/// there.
[[gnu::noinline]] constexpr const char* shape_text(const char* p, const char* last) {
  const char* const first = p;
  const char* const end = rest(p, last);
  int depth = 0;
  for (; p != end && depth >= 0 && !(*p == ',' && depth == 0); ++p) {
    if (*p == '(' || *p == '[' || *p == '{') ++depth;
    if (*p == ')' || *p == ']' || *p == '}') --depth;
  }
  return depth == 0 && p != first ? p : nullptr;
}
/// An unknown flag of an allocation: `, ` and text up to the next comma or the colon at the end of the line. Commas and
/// colons within `|...|` and brackets belong to the flag.
[[gnu::noinline]] constexpr const char* unknown_flag(const char* p, const char* last) {
  if (last - p < 3 || p[0] != ',' || p[1] != ' ') return nullptr;
  bool in_shape = false;
  int depth = 0;
  const char* const end = rest(p, last);
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
/// The first word of a flag; never null.
[[gnu::noinline]] constexpr const char* flag_word(const char* p, const char* last) {
  const char* const first = p;
  for (; p != last && (is(name_start, *p) || *p == '-' || *p == ' '); ++p) {
  }
  return trimmed(first, p);
}

/// A line stating that the live range is not available.
[[gnu::noinline]] constexpr const char* unavailable(const char* p, const char* last) {
  const char* const end = rest(p, last);
  const std::string_view text(p, static_cast<std::size_t>(end - p));
  const std::size_t at = text.find("ive range");
  return at != text.npos && at < 64 && text.find("not available", at) != text.npos ? end : nullptr;
}

/// The beginnings of landmarks: lines that end a list in every part of a dump. Frequent ones come first. Each has at
/// least two bytes.
inline constexpr std::string_view landmarks[] = {" uses:",
                                                 " from instruction:",
                                                 "BufferAssignment",
                                                 "allocation ",
                                                 " value:",
                                                 "  value:",
                                                 " reused by",
                                                 "Total bytes",
                                                 "Used values:",
                                                 " positions:",
                                                 " uses are",
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
/// The beginning of a landmark, or a blank line. Each of them ends a list.
[[gnu::noinline]] constexpr const char* landmark(const char* p, const char* last) {
  if (const char* const end = end_of_line(p, last)) return end;
  const std::string_view text(p, static_cast<std::size_t>(last - p));
  for (const std::string_view beginning : landmarks)
    if (text.size() > 1 && text[0] == beginning[0] && text[1] == beginning[1] && text.starts_with(beginning))
      return p + beginning.size();
  return *p == '<' && last - p > 1 && is(digit_bytes, p[1]) ? p + 1 : nullptr;
}

/// The drawing before a node of a tree (`│   ├── `). Its value is the depth of the node's branch.
[[gnu::noinline]] constexpr const char* branch(const char* p, const char* last, std::int64_t& depth) {
  constexpr std::string_view fork = "\xE2\x94\x9C\xE2\x94\x80\xE2\x94\x80 ";       // ├──
  constexpr std::string_view last_fork = "\xE2\x94\x94\xE2\x94\x80\xE2\x94\x80 ";  // └──
  constexpr std::string_view stem = "\xE2\x94\x82";                                // │
  std::int64_t columns = 0;
  for (;;) {
    const char* const before = p;
    while (p != last && *p == ' ') ++p;
    columns += p - before;
    const std::string_view left(p, static_cast<std::size_t>(last - p));
    if (left.starts_with(stem)) {
      p += stem.size();
      ++columns;
    } else if (left.starts_with(fork) || left.starts_with(last_fork)) {
      depth = columns < 6 ? 1 : (columns - 6) / 4 + 1;
      return p + fork.size();
    } else {
      depth = 0;
      return columns < 2 ? nullptr : p;
    }
  }
}

/// `kKernel`
constexpr const char* thunk_kind(const char* p, const char* last) {
  return last - p >= 2 && *p == 'k' && p[1] >= 'A' && p[1] <= 'Z' ? identifier(p, last) : nullptr;
}
/// Blanks up to a tab, and the tab.
constexpr const char* up_to_tab(const char* p, const char* last) {
  while (p != last && *p == ' ') ++p;
  return p != last && *p == '\t' ? p + 1 : nullptr;
}
/// Free text up to the next slice of a buffer; may be empty. Null if no slice follows on this line.
[[gnu::noinline]] constexpr const char* up_to_slice(const char* p, const char* last) {
  const std::size_t at = view(p, rest(p, last)).find("{index:");
  return at == std::string_view::npos ? nullptr : p + at;
}
/// A line that ends in a colon, up to the colon.
[[gnu::noinline]] constexpr const char* label(const char* p, const char* last) {
  const char* const end = rest(p, last);
  return end - p > 1 && end[-1] == ':' ? end - 1 : nullptr;
}

/// `hbm`: a word without a full stop.
[[gnu::noinline]] constexpr const char* plain_word(const char* p, const char* last) {
  return run(p, last, [](char c) { return is(name_bytes, c) && c != '.'; });
}

}  // namespace hlolint::scan::lines
