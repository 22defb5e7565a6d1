// The beginnings of HLO, of thunk sequences and of the sections of buffer dumps. A few tokens after the preamble decide
// the kind of a text.
#pragma once

#include <hlolint/grammar/buffers/line_scan.hpp>
#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/text/encoding.hpp>

#include <cstddef>
#include <string_view>

namespace hlolint::scan::kind {

/// Skips the parts that may precede HLO text: a byte order mark, blanks, comments, lines that begin with `#`, `//
/// -----`.
constexpr const char* preamble(const char* p, const char* last) {
  p += byte_order_mark(view(p, last));
  for (;;) {
    p = scan::blanks(p, last);
    if (p == last || *p != '#') return p;
    const char* const end = find(p, last, '\n');
    p = end ? end + 1 : last;
  }
}

/// `HloModule`, `ENTRY`, the header of a computation, or an instruction.
constexpr bool hlo(const char* p, const char* last) {
  const auto at = [&](char c) { return p != last && *p == c; };
  const auto skip_word = [&](std::string_view word) {
    const char* const end = scan::identifier(p, last);
    if (!end || view(p, end) != word) return false;
    p = scan::blanks(end, last);
    return true;
  };
  if (skip_word("HloModule") || skip_word("FileNames")) return p != last;
  const bool entry = skip_word("ENTRY");
  if (!entry) skip_word("ROOT");
  const bool percent = at('%');
  if (percent) ++p;
  const char* const name = scan::identifier(p, last);
  if (!name) return entry && at('{');
  p = scan::blanks(name, last);
  if (entry || at('{')) return at('{') || at('(');
  if (at('=')) {
    // A shape or an opcode: `(`, `f32[`, `add(`.
    p = scan::blanks(p + 1, last);
    if (at('(')) return true;
    const char* const word = scan::identifier(p, last);
    return word && word != last && (*word == '[' || *word == '(');
  }
  // `name (parameters) -> shape {`
  if (!at('(')) return false;
  std::size_t depth = 0;
  for (; p != last; ++p) {
    if (*p == '(') ++depth;
    if (*p == ')' && --depth == 0) break;
  }
  if (p == last) return percent;
  p = scan::blanks(p + 1, last);
  return last - p > 1 && p[0] == '-' && p[1] == '>';
}

/// `kKernel   \t...`, `001: kCopy`, `No thunks.`
constexpr bool thunk(const char* p, const char* last) {
  if (view(p, last).starts_with("No thunks.")) return true;
  const char* const number = lines::digits(p, last);
  const bool numbered = number && number != last && *number == ':';
  if (numbered) p = lines::blanks(number + 1, last);
  if (last - p < 3 || *p != 'k' || p[1] < 'A' || p[1] > 'Z') return false;
  const char* const end = scan::identifier(p, last);
  const char* const next = lines::blanks(end, last);
  return numbered || scan::find(end, next, '\t');
}

/// The section of a buffer dump that a line begins; `unknown` for other lines. `text` goes on after the line.
constexpr input_kind section(std::string_view text) {
  if (text.starts_with("BufferAssignment:") || text.starts_with("allocation ")) return input_kind::buffer_assignment;
  if (text.starts_with("Used values:")) return input_kind::buffer_values;
  if (text.starts_with("HloLiveRange (max ") || text.starts_with("Stack trace breakdown for peak usage: ") ||
      text.starts_with("InstructionSequence:") || text.starts_with("BufferLiveRange:"))
    return input_kind::live_range;
  if (text.starts_with("Memory Space: ") || text.starts_with("Allocations sorted by size") ||
      text.starts_with("cumulative_size;"))
    return input_kind::memory_usage_report;
  if (text.starts_with("buffer_id,buffer_name,")) return input_kind::buffer_info;
  if (text.starts_with("Total bytes used: ")) {
    const std::size_t end = text.find('\n');
    const std::size_t next = end == text.npos ? end : text.find_first_not_of(" \t\r\n", end);
    return next != text.npos && text.substr(next).starts_with("Allocations sorted by size")
               ? input_kind::memory_usage_report
               : input_kind::buffer_values;
  }
  return input_kind::unknown;
}

}  // namespace hlolint::scan::kind
