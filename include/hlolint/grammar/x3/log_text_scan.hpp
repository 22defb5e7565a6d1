// Lines of a job's log made whole: escapes and colours taken away, sentences joined, reports in one line taken apart.
#pragma once

#include <hlolint/grammar/x3/log_line_scan.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::scan::log {

/// The line without colours.
inline std::string without_colors(std::string_view line) {
  std::string out;
  while (!line.empty()) {
    const std::size_t at = std::min(line.find_first_of("\x1b["), line.size());
    out += line.substr(0, at);
    line.remove_prefix(at);
    if (line.empty()) break;
    const std::size_t color = color_size(line);
    if (color == 0) out += line.front();
    line.remove_prefix(std::max<std::size_t>(color, 1));
  }
  return out;
}
/// The text without backslashes: up to the closing quote, if `quote` is one.
inline std::string unescaped(std::string_view text, char quote) {
  std::string out;
  for (std::size_t i = 0; i < text.size() && (quote == '\0' || text[i] != quote); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char c = text[++i];
    if (c == 'u' && i + 4 < text.size()) {
      const std::string_view digits = text.substr(i + 1, 4);
      out += digits == "003e" || digits == "003E"   ? '>'
             : digits == "003c" || digits == "003C" ? '<'
             : digits == "001b"                     ? '\x1b'
                                                    : ' ';
      i += 4;
    } else {
      out += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
    }
  }
  return out;
}

/// What two lines are together if the second completes a sentence of the first.
inline std::optional<std::string> healed(std::string_view a, std::string_view b) {
  if (a.size() < 16 || b.find_first_not_of(" \t") != 0) return std::nullopt;
  const std::string_view tail = a.substr(a.size() - std::min<std::size_t>(a.size(), 100)), head = b.substr(0, 100);
  constexpr std::string_view words[] = {"ut of", "llocat", "ttempt", "emory", "reserve",
                                        "limit", "hbm",    "vmem",   "smem",  "possible"};
  if (std::none_of(std::begin(words), std::end(words), [&](std::string_view w) { return tail.find(w) != tail.npos; }))
    return std::nullopt;
  for (const std::string_view between : {"", " "}) {
    const std::string window = std::string(tail).append(between).append(head);
    const auto cut = [&](std::string_view phrase) {
      for (std::size_t at = window.find(phrase); at != window.npos && at < tail.size();
           at = window.find(phrase, at + 1))
        if (at + phrase.size() + (phrase.back() == ' ') > tail.size()) return true;
      return false;
    };
    if (std::any_of(marks.begin(), marks.end(), cut) || std::any_of(phrases.begin(), phrases.end(), cut))
      return std::string(a).append(between).append(b);
  }
  constexpr std::pair<std::string_view, std::string_view> sentences[] = {
      {". Used ", " capacity by "},
      {"Attempting to allocate ", " free."},
      {"Attempting to reserve ", " reservable"},
      {"trying to allocate ", "."},
      {"Scoped allocation with size ", " limit by "}};
  for (const auto& [begin, end] : sentences) {
    const std::size_t at = a.find(begin);
    if (at == a.npos || a.find(end, at + begin.size()) != a.npos || b.find(end) == b.npos) continue;
    const bool in_word = scan::is(scan::name_bytes, a.back()) || a.back() == '.';
    return std::string(a)
        .append(in_word && scan::is(scan::name_bytes, b.front()) && !(a.ends_with(" of") || a.ends_with(" by")) ? ""
                                                                                                                : " ")
        .append(b);
  }
  return std::nullopt;
}

/// A whole report in one line, with or without escapes: with a line end before each of its parts.
inline std::optional<std::string> in_lines(std::string_view line) {
  const std::size_t escape = line.find("\\n");
  if (escape != line.npos && holds_mark(line)) return unescaped(line, '\0');
  const std::size_t mark =
      std::min(line.find("Ran out of memory in memory space "), line.find("BufferAssignment OOM Debugging."));
  if (mark == line.npos) return std::nullopt;
  if (line.find(" usage >= ", mark) == line.npos && line.find("Largest program allocations", mark) == line.npos &&
      line.find("Peak buffers:", mark) == line.npos)
    return std::nullopt;
  constexpr std::string_view parts[] = {"Total ",
                                        "reserved ",
                                        "program ",
                                        "arguments ",
                                        "Output size ",
                                        "Program ",
                                        "global ",
                                        "scoped ",
                                        "HLO temp ",
                                        "overlays ",
                                        "Largest program allocations",
                                        "Operator: ",
                                        "Shape: ",
                                        "Unpadded size: ",
                                        "Extra memory due to padding: ",
                                        "XLA label: ",
                                        "XLA Label: ",
                                        "Allocation type: ",
                                        "Tag: ",
                                        "====",
                                        "BufferAssignment stats:",
                                        "Peak buffers:",
                                        "Buffer ",
                                        "parameter allocation:",
                                        "constant allocation:",
                                        "maybe_live_out allocation:",
                                        "preallocated temp ",
                                        "total allocation:",
                                        "total fragmentation:",
                                        "Entry Parameter Subshape: ",
                                        "See https://"};
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::string_view rest = line.substr(i);
    const bool after_blank = i > mark && line[i - 1] == ' ';
    std::size_t digits = 0;
    while (after_blank && digits < rest.size() && is_digit(rest[digits])) ++digits;
    const bool numbered = digits > 0 && (rest.substr(digits).starts_with(". Size: "));
    const bool size = after_blank && rest.starts_with("Size: ") && !out.ends_with(". ");
    const bool part = after_blank && std::any_of(std::begin(parts), std::end(parts),
                                                 [&](std::string_view p) { return rest.starts_with(p); });
    if (numbered || size || part) out += '\n';
    out += line[i];
  }
  return out;
}

}  // namespace hlolint::scan::log
