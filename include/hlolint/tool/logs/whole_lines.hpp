// Restores the lines of a log: removes escapes and colors, joins cut sentences, splits reports that are in one line.
#pragma once

#include <hlolint/tool/logs/line_prefix.hpp>
#include <hlolint/tool/logs/sentences.hpp>
#include <hlolint/grammar/x3/scan.hpp>
#include <hlolint/text/characters.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::logs {

/// The beginning of the first line from the one at `at` on that is not blank; the size of the text if there is none.
/// Where the splitter took HLO away, all lines of a long text may be blank.
inline std::size_t past_blank_lines(std::string_view text, std::size_t at) {
  const char* const first = text.data() + at;
  const char* const last = text.data() + text.size();
  const char* p = scan::past_blanks(first, last);
  if (p == last) return text.size();
  while (p != first && p[-1] != '\n') --p;
  return static_cast<std::size_t>(p - text.data());
}

/// The lines of a text that are not blank.
inline std::string full_lines(std::string_view text) {
  std::string out;
  for (std::size_t at = past_blank_lines(text, 0); at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out.append(text.substr(at, end - at)) += '\n';
    at = past_blank_lines(text, end);
  }
  return out;
}

/// The line without colors.
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
/// The text without escapes, up to `quote` if that is not 0.
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

/// A text without the escapes and the emphasis of Markdown, such as `get\_tuple\_element` and `**%add**`; nothing if it
/// has none. It has the same size and the same lines: what is taken off is made up by blanks at the end of its line.
inline std::optional<std::string> without_markdown(std::string_view text) {
  constexpr std::string_view escaped = "_*[]{}()<>#~|`";
  const auto is_marked = [&] {
    for (std::size_t at = text.find('\\'); at != text.npos; at = text.find('\\', at + 2))
      if (at + 1 < text.size() && escaped.find(text[at + 1]) != escaped.npos) return true;
    return text.find("**") != text.npos;
  };
  if (!is_marked()) return std::nullopt;
  const std::string_view whole = text;
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    // Emphasis is opened and closed. `/**/` is a comment, and a row of asterisks is a line of an allocator's log.
    std::size_t strong = 0;
    bool is_row = false, quoted = false;
    const auto is_strong = [&](std::size_t i) {
      return line.substr(i).starts_with("**") && (i == 0 || line[i - 1] != '/') &&
             (i + 2 == line.size() || line[i + 2] != '/');
    };
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
      if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) quoted = !quoted;
      if (line.substr(i).starts_with("***")) is_row = true;
      if (!quoted && is_strong(i)) ++strong, ++i;
    }
    const bool has_emphasis = !is_row && strong > 0 && strong % 2 == 0;
    const std::size_t begin = out.size();
    quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '\\' && i + 1 < line.size()) {
        if (escaped.find(line[i + 1]) == escaped.npos) out += line[i];
        out += line[++i];
        continue;
      }
      if (line[i] == '"') quoted = !quoted;
      if (has_emphasis && !quoted && is_strong(i)) {
        ++i;
        continue;
      }
      out += line[i];
    }
    const bool ends_in_return = line.ends_with('\r') && out.ends_with('\r');
    if (ends_in_return) out.pop_back();
    out.append(begin + line.size() - ends_in_return - out.size(), ' ');
    if (ends_in_return) out += '\r';
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out == whole ? std::nullopt : std::optional(std::move(out));
}

/// The prefix that an unknown logger puts before the lines of a report: the common beginning of its first line and of
/// those after it. Empty if there is none.
inline std::string_view prefix_of_report(std::string_view first, std::string_view second, std::string_view third) {
  const std::size_t head = std::min({first.find(sentences::ran_out.begin), first.find(sentences::out_of_memory.begin),
                                     first.find(sentences::debugging.begin), first.find(sentences::pool.begin)});
  std::size_t size = head == 0 || head == first.npos ? 0 : common_prefix_size(first, second, head);
  // XLA's own logger may begin the first two lines alike, but not those below them.
  if (size > 0 && !after_prefix(third, first.substr(0, size)).data()) size = common_prefix_size(first, third, size);
  return first.substr(0, size);
}

/// Joins two lines if a terminal cut a message between them: the second line has words that the message in the first
/// line lacks. Nothing for other lines.
inline std::optional<std::string> joined(std::string_view a, std::string_view b) {
  const std::size_t indent = b.find_first_not_of(' ');
  if (a.size() < 8 || indent > 2) return std::nullopt;
  const std::string_view tail = a.substr(a.size() - std::min<std::size_t>(a.size(), 400)), head = b.substr(0, 160);
  const auto about_memory = [](std::string_view text) {
    return holds_any(text, {"llocat", "ttempt", "emory", "reserve", "limit", "hbm", "vmem", "smem", "Hbm", "Unable",
                            "xceeds", "EXHAUST"});
  };
  if (!about_memory(tail) && !about_memory(head)) return std::nullopt;
  const auto whole = [&](std::string_view between) { return std::string(a).append(between).append(b); };
  // The buffer that would not fit, on a line of its own.
  if (tail.find(sentences::would_exceed.begin) != tail.npos && tail.find("[shape = ") == tail.npos &&
      (head.substr(indent).starts_with(":: ") || head.substr(indent).starts_with("[shape = ")))
    return whole(" ");
  const bool has_blank = a.ends_with(' ') || indent > 0;
  for (const std::string_view between : {std::string_view(), std::string_view(" ")}) {
    if (has_blank && !between.empty()) break;
    const std::string window = std::string(tail).append(between).append(head);
    // Whether words begin in the first line and end in the second one.
    const auto is_cut = [&](std::string_view words, std::size_t from) {
      for (std::size_t at = window.find(words, from); at != window.npos && at < tail.size();
           at = window.find(words, at + 1))
        if (at + words.size() > tail.size() + between.size()) return true;
      return false;
    };
    for (const sentence* const s : sentences::all) {
      if (is_cut(s->begin, 0)) return whole(between);
      const std::size_t begin = s->end.empty() ? tail.npos : tail.find(s->begin);
      if (begin != tail.npos && is_cut(s->end, begin)) return whole(between);
    }
  }
  // The cut is inside a number or before it.
  for (const sentence* const s : sentences::all) {
    const std::size_t words = s->begin.find_last_not_of(' ') + 1;
    const std::size_t at = tail.rfind(s->begin.substr(0, words));
    if (at == tail.npos || !s->begin.ends_with(' ') || head.find(s->begin) != head.npos) continue;
    const std::string_view rest = tail.substr(std::min(at + s->begin.size(), tail.size()));
    const bool only_number = rest.find_first_not_of("0123456789.") == rest.npos && s->end.empty();
    const bool ends_below = !s->end.empty() && rest.find(s->end) == rest.npos && head.find(s->end) != head.npos;
    if (!(only_number && indent < b.size() && (is_digit(b[indent]) || (!rest.empty() && b[indent] != '-'))) &&
        !ends_below)
      continue;
    const auto in_number = [](char c) { return is_digit(c) || c == '.'; };
    const bool number_cut = in_number(a.back()) && (in_number(b.front()) || std::string_view("BKMGT").find(b.front()) !=
                                                                                std::string_view::npos);
    const bool word_cut = scan::is(scan::name_bytes, a.back()) && scan::is(scan::name_bytes, b.front()) &&
                          !is_digit(a.back()) && !is_digit(b.front()) && !a.ends_with(" of") && !a.ends_with(" by");
    return whole(has_blank || number_cut || word_cut ? "" : " ");
  }
  return std::nullopt;
}

/// The lines of a log in a line of JSON: the members that containers and loggers use for text, and other texts about
/// memory. Nothing if there are none. `in_document`: the line is part of a longer JSON text, such as a notebook, whose
/// lists of strings are also lines.
inline std::optional<std::vector<std::string>> json_texts(std::string_view line, bool in_document) {
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == line.npos || !(line[first] == '{' || (in_document && (line[first] == '[' || line[first] == '"'))))
    return std::nullopt;
  std::vector<std::string> out;
  std::string_view key;
  for (std::size_t at = line.find('"', first); at != line.npos; at = line.find('"', at)) {
    std::size_t close = at + 1;
    while (close < line.size() && line[close] != '"') close += line[close] == '\\' ? 2 : 1;
    const std::string_view text = line.substr(at + 1, std::min(close, line.size()) - at - 1);
    const std::size_t next = line.find_first_not_of(" \t", close + 1);
    if (next != line.npos && line[next] == ':') {
      key = text;
    } else {
      const bool is_log =
          key == "log" || key == "textPayload" || key == "message" || key == "MESSAGE" || key == "msg" || key == "text";
      if (is_log || (in_document && at == first) || mentions_memory(text)) out.push_back(unescaped(text, '\0'));
      key = {};
    }
    at = std::min(close + 1, line.size());
  }
  return out.empty() ? std::nullopt : std::optional(std::move(out));
}

/// Whether a text is a list of records of a log in JSON over several lines each, as `gcloud logging read` prints it.
inline bool is_list_of_records(std::string_view text) {
  if (!text.starts_with('[')) return false;
  const std::size_t record = text.find_first_not_of(" \t\r\n", 1);
  if (record == text.npos || record == 1 || text[record] != '{') return false;
  const std::size_t member = text.find_first_not_of(" \t\r\n", record + 1);
  return member != text.npos && text[member] == '"' && text.substr(record, member - record).find('\n') != text.npos;
}

/// What word processors and programs for chats put in place of plain characters, and the characters themselves. @{
using replacement = std::pair<std::string_view, std::string_view>;
inline constexpr auto typographic_quotes =
    listed<replacement>(replacement{"\u201C", "\""}, replacement{"\u201D", "\""}, replacement{"\u201E", "\""},
                        replacement{"\u2018", "'"}, replacement{"\u2019", "'"});
/// Blanks keep the columns.
inline constexpr auto typography = listed<replacement>(
    replacement{"\u2192", "->"}, replacement{"\u2013>", "->"}, replacement{"\u2014>", "->"}, replacement{"\u2212", "-"},
    replacement{"\u2002", "   "}, replacement{"\u2003", "   "}, replacement{"\u2009", "   "},
    replacement{"\u202F", "   "}, replacement{"\u200B", ""}, replacement{"\u2060", ""});
/// @}

/// A text without what shows or carries it: colors, blanks that do not break, typographic quotation marks and arrows,
/// characters of HTML, and JSON around the lines of a log. It has the same size and the same lines, as
/// `without_markdown` has; nothing if there is none of these.
inline std::optional<std::string> without_wrapping(std::string_view text) {
  constexpr std::string_view hard_blank = "\xC2\xA0";
  const bool colors = text.find('\x1b') != text.npos || text.find("[0m") != text.npos,
             records = is_list_of_records(text),
             json = records || text.starts_with("{\"") || text.find("\n{\"") != text.npos,
             blanks = text.find(hard_blank) != text.npos, html = text.find("-&gt;") != text.npos,
             marks = text.find('\xE2') != text.npos;  // the first byte of all typographic ones
  if (!colors && !json && !blanks && !html && !marks) return std::nullopt;
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line(text.substr(at, end - at));
    if (records || (json && line.starts_with("{\""))) {
      if (auto texts = json_texts(line, records); texts && texts->size() == 1) {
        std::string& one = texts->front();
        if (one.ends_with('\n')) one.pop_back();
        if (one.find('\n') == one.npos) line = std::move(one);
      } else if (records && !texts) {
        line.clear();  // another member of the record
      }
    }
    if (colors) line = without_colors(line);
    const auto replace = [&](std::string_view from, std::string_view to) {
      for (std::size_t i = line.find(from); i != line.npos; i = line.find(from, i + to.size()))
        line.replace(i, from.size(), to);
    };
    if (blanks) replace(hard_blank, "  ");
    if (marks) {
      // Between plain quotation marks others are a part of the string.
      if (line.find('"') == line.npos)
        for (const auto& [from, to] : typographic_quotes) replace(from, to);
      for (const auto& [from, to] : typography) replace(from, to);
    }
    if (html) replace("&lt;", "<"), replace("&gt;", ">"), replace("&quot;", "\""), replace("&amp;", "&");
    line.resize(end - at, ' ');
    out += line;
    if (end < text.size()) out += '\n';
    at = end + 1;
  }
  return out == text ? std::nullopt : std::optional(std::move(out));
}
/// A text without wrapping and without Markdown.
inline std::optional<std::string> plain_text(std::string_view text) {
  std::optional<std::string> out = without_wrapping(text);
  if (auto unmarked = without_markdown(out ? std::string_view(*out) : text)) out = std::move(unmarked);
  return out;
}

/// A whole report that is in one line, with or without escapes, with line ends added before its parts.
inline std::optional<std::string> in_lines(std::string_view line) {
  const std::size_t escape = line.find("\\n");
  if (escape != line.npos && mentions_memory(line)) {
    std::string text = unescaped(line, '\0');
    text.resize(text.find_last_not_of("'\")]}, ") + 1);  // the end of the string
    return text;
  }
  const std::size_t mark = std::min(line.find(sentences::ran_out.begin), line.find(sentences::debugging.begin));
  if (mark == line.npos) return std::nullopt;
  if (!holds_any(line.substr(mark),
                 {" usage >= ", "Largest program allocations", "Peak buffers:", "parameter allocation:"}))
    return std::nullopt;
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::string_view rest = line.substr(i);
    const bool after_blank = i > mark && line[i - 1] == ' ';
    std::size_t digits = 0;
    while (after_blank && digits < rest.size() && is_digit(rest[digits])) ++digits;
    const bool numbered = digits > 0 && (rest.substr(digits).starts_with(". Size: "));
    const bool size = after_blank && rest.starts_with("Size: ") && !out.ends_with(". ");
    const bool part = after_blank && std::any_of(std::begin(report_lines), std::end(report_lines),
                                                 [&](std::string_view p) { return rest.starts_with(p); });
    if (numbered || size || part) out += '\n';
    out += line[i];
  }
  return out;
}

}  // namespace hlolint::logs
