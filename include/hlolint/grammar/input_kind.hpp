// What a file is, told from its content alone.
#pragma once

#include <hlolint/grammar/buffer_scan.hpp>
#include <hlolint/ir/parsed_file.hpp>

#include <algorithm>
#include <string_view>

namespace hlolint {

namespace scan::kind {

/// Past what may stand before HLO text: a byte order mark, blanks, comments, lines that begin with `#`, `// -----`.
constexpr const char* preamble(const char* p, const char* last) {
  if (std::string_view(p, static_cast<std::size_t>(last - p)).starts_with("\xEF\xBB\xBF")) p += 3;
  for (;;) {
    p = scan::blanks(p, last);
    if (p == last || *p != '#') return p;
    p = dump::next_line(p, last);
  }
}

/// `HloModule`, `ENTRY`, the header of a computation, or an instruction.
constexpr bool hlo(const char* p, const char* last) {
  const auto at = [&](char c) { return p != last && *p == c; };
  const auto skip_word = [&](std::string_view word) {
    const char* const end = scan::identifier(p, last);
    if (!end || std::string_view(p, static_cast<std::size_t>(end - p)) != word) return false;
    p = scan::blanks(end, last);
    return true;
  };
  if (skip_word("HloModule")) return p != last;
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
  if (std::string_view(p, static_cast<std::size_t>(last - p)).starts_with("No thunks.")) return true;
  const char* const number = dump::digits(p, last);
  const bool numbered = number && number != last && *number == ':';
  if (numbered) p = dump::blanks(number + 1, last);
  if (last - p < 3 || *p != 'k' || p[1] < 'A' || p[1] > 'Z') return false;
  const char* const end = scan::identifier(p, last);
  const char* const next = dump::blanks(end, last);
  return numbered || scan::find(end, next, '\t');
}

}  // namespace scan::kind

/// The kind of a text. Text that is nothing XLA writes is `unknown`.
inline input_kind kind_of(std::string_view text) {
  const char* const last = text.data() + text.size();
  const char* const head = scan::kind::preamble(text.data(), last);
  const std::string_view rest(head, static_cast<std::size_t>(last - head));

  // A section of a buffer dump at `line`, or unknown.
  const auto section = [](std::string_view line) {
    if (line.starts_with("BufferAssignment:") || line.starts_with("allocation ")) return input_kind::buffer_assignment;
    if (line.starts_with("Used values:")) return input_kind::buffer_values;
    if (line.starts_with("HloLiveRange (max ") || line.starts_with("Stack trace breakdown for peak usage: ") ||
        line.starts_with("InstructionSequence:") || line.starts_with("BufferLiveRange:"))
      return input_kind::live_range;
    if (line.starts_with("Memory Space: ") || line.starts_with("Allocations sorted by size") ||
        line.starts_with("cumulative_size;"))
      return input_kind::memory_usage_report;
    if (line.starts_with("buffer_id,buffer_name,")) return input_kind::buffer_info;
    if (line.starts_with("Total bytes used: ")) {
      const std::size_t end = line.find('\n');
      const std::size_t next = end == line.npos ? end : line.find_first_not_of(" \t\r\n", end);
      return next != line.npos && line.substr(next).starts_with("Allocations sorted by size")
                 ? input_kind::memory_usage_report
                 : input_kind::buffer_values;
    }
    return input_kind::unknown;
  };

  if (rest.empty()) return input_kind::unknown;
  if (const input_kind kind = section(rest); kind != input_kind::unknown) return kind;
  if (rest.front() == '<' && rest.size() > 1 && scan::is(scan::digit_bytes, rest[1]) &&
      rest.find("\n positions:") != rest.npos)
    return input_kind::buffer_values;
  if (scan::kind::thunk(head, last)) return input_kind::thunk_sequence;
  if (scan::dump::unavailable(head, last)) return input_kind::live_range;

  const bool binary = rest.substr(0, 4096).find('\0') != rest.npos;
  if (!binary && scan::kind::hlo(head, last)) return input_kind::hlo;

  // Further down: reports stand in logs, and a dump's first lines may be damaged.
  for (const std::string_view mark :
       {"Ran out of memory in memory space ", "BufferAssignment OOM Debugging.", "BufferAssignment stats:"})
    if (text.find(mark) != text.npos) return input_kind::oom_report;
  if (binary) return input_kind::unknown;
  for (const std::string_view mark :
       {"\nBufferAssignment:", "\nTotal bytes used: ", "\nUsed values:", "\nHloLiveRange (max ",
        "\nMemory Space: ", "\nAllocations sorted by size", "\nbuffer_id,buffer_name,"})
    if (const std::size_t at = text.find(mark); at != text.npos) return section(text.substr(at + 1));
  if (text.find("\nHloModule ") != text.npos) return input_kind::hlo;
  return input_kind::unknown;
}

}  // namespace hlolint
