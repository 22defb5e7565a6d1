// Takes off the text that loggers, launchers, containers and terminals put around the lines of a log (oom_logs.md 5).
// The readers of HLO in logs and of messages about missing memory both use it.
#pragma once

#include <hlolint/text/characters.hpp>
#include <hlolint/text/integer.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace hlolint::logs {

/// A vertical line of a frame.
inline constexpr std::string_view box = "\xE2\x94\x82";

/// A line without the text around it.
struct bare_line {
  std::string_view text;
  std::array<std::string_view, 2> process;  ///< names of its process, outermost first: `(worker pid=7)`, `[rank0]`, `3`
  std::string_view file;  ///< of the logging statement: `compile.cc`; empty if the line has no logger's prefix
  bool info = false;      ///< logged at level INFO
  bool goes_on = false;   ///< cut by the log of a container: the next line of the process is the rest
};

/// The size of `ESC[36m` at the beginning of a text, also without the escape character, or of `ESC[K`, which erases a
/// line; 0 if there is none.
constexpr std::size_t color_size(std::string_view text) {
  std::size_t at = text.starts_with('\x1b') ? 1 : 0;
  if (at >= text.size() || text[at] != '[') return 0;
  const std::size_t digits = ++at;
  while (at < text.size() && (is_digit(text[at]) || text[at] == ';')) ++at;
  if (at < text.size() && text[at] == 'K' && text.front() == '\x1b') return at + 1;
  return at < text.size() && text[at] == 'm' && (at > digits || text.front() == '\x1b') ? at + 1 : 0;
}
constexpr bool has_colors(std::string_view line) {
  for (std::size_t at = line.find('['); at != line.npos; at = line.find('[', at + 1))
    if (color_size(line.substr(at)) > 0) return true;
  return false;
}

/// `12: ` with blanks before it, as Slurm puts it before the lines of a task and editors before lines; else empty.
constexpr std::string_view number_prefix(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == text.npos || !is_digit(text[first])) return {};
  std::size_t end = first;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end - first > 7 || end + 1 >= text.size() || text[end] != ':' || text[end + 1] != ' ') return {};
  return text.substr(0, end + 2);
}
/// The number in a prefix `12: `.
constexpr std::string_view number_of(std::string_view prefix) {
  const std::size_t first = std::min(prefix.find_first_not_of(' '), prefix.size());
  return prefix.substr(first, prefix.find(':') - first);
}

/// `  12 | `, `    12` and a tab, or `12:` and `12-` before text: the number of a line, as editors, `cat -n` and
/// `grep -n` show it.
constexpr std::size_t gutter_size(std::string_view text) {
  const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
  std::size_t end = first;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end == first || end - first > 7) return 0;
  const std::string_view rest = text.substr(end);
  if (first == 0 && (rest.starts_with(':') || rest.starts_with('-'))) {
    // No time, no date and no `12: ` of a task, but a line as HLO has them.
    const std::string_view line = rest.substr(1);
    const bool is_hlo = line.starts_with("  %") || line.starts_with("  ROOT ") || line.starts_with('%') ||
                        line.starts_with('}') || line.starts_with("HloModule ") || line.starts_with("ENTRY ");
    return is_hlo ? end + 1 : 0;
  }
  return rest.starts_with('\t') ? end + 1 : rest.starts_with(" | ") ? end + 3 : rest == " |" ? end + 2 : 0;
}

/// `2026-01-18T12:34:56.7890123Z `, followed by ` stderr F ` in a container's log.
constexpr std::size_t timestamp_size(std::string_view text, bool& goes_on) {
  if (text.size() < 20 || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || !is_digit(text[0]))
    return 0;
  std::size_t end = text.find(' ');
  if (end == text.npos || end > 40) return 0;
  ++end;
  const std::string_view rest = text.substr(end);
  if (rest.size() >= 9 && (rest.starts_with("stderr ") || rest.starts_with("stdout ")) && rest[8] == ' ' &&
      (rest[7] == 'F' || rest[7] == 'P')) {
    goes_on = rest[7] == 'P';
    return end + 9;
  }
  return end;
}

/// `(worker pid=7, ip=10.0.0.1) `, `[rank0]: `, `[1,0]<stderr>:`, `[pod/a/b] `, `10.0.0.7 [0] `, `service  | `.
constexpr std::size_t process_size(std::string_view text, std::string_view& name) {
  const auto taken = [&](std::size_t size, std::string_view what) {
    name = what;
    while (size < text.size() && size < 4096 && text[size] == ':') ++size;
    return size < text.size() && text[size] == ' ' ? size + 1 : size;
  };
  if (text.starts_with('(')) {
    const std::size_t end = text.find(')'), pid = text.find("pid=");
    return end != text.npos && pid < end ? taken(end + 1, text.substr(1, end - 1)) : 0;
  }
  if (text.starts_with('[')) {
    std::size_t end = text.find(']');
    if (end == text.npos || end > 300) return 0;
    const std::string_view inside = text.substr(1, end - 1);
    const std::string_view rest = text.substr(end + 1);
    if (inside.starts_with("pod/")) return taken(end + 1, inside);
    const bool numbered = !inside.empty() && is_digit(inside.back());
    if (numbered && rest.starts_with("<std")) {
      end = text.find('>', end);
      return end == text.npos ? 0 : taken(end + 1, inside);
    }
    return numbered && rest.starts_with(':') && (inside.starts_with("rank") || inside.starts_with("default"))
               ? taken(end + 1, inside)
               : 0;
  }
  constexpr std::string_view name_bytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
  const std::size_t end = std::min(text.find_first_not_of(name_bytes), text.size());
  if (end == 0 || end > 64 || end == text.size() || text[end] != ' ') return 0;
  const std::size_t mark = text.find_first_not_of(' ', end);
  if (mark == text.npos) return 0;
  if (text[mark] == '|' && mark + 1 < text.size() && text[mark + 1] == ' ') return taken(mark + 1, text.substr(0, end));
  if (text[mark] == '[' && std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '.') == 3 &&
      is_digit(text[0])) {
    const std::size_t close = text.find(']', mark);
    if (close != text.npos && close - mark < 8) return taken(close + 1, text.substr(0, close + 1));
  }
  return 0;
}

/// `W0102 03:04:05.6 7 file.cc:8] `, `2025-01-02 03:04:05.6: E path/file.cc:8] `, `ERROR 01-02 03:04:05 [core.py:8] `.
constexpr std::size_t logger_size(std::string_view text, std::string_view& file, bool& info) {
  if (text.empty()) return 0;
  const bool absl = text.size() > 5 && std::string_view("IWEF").find(text[0]) != std::string_view::npos &&
                    is_digit(text[1]) && is_digit(text[4]);
  const bool dated = text.size() > 10 && is_digit(text[0]) && text[4] == '-' && text[7] == '-';
  const bool word = text.starts_with("ERROR ") || text.starts_with("INFO ") || text.starts_with("WARNING ") ||
                    text.starts_with("CRITICAL ");
  if (!absl && !dated && !word) return 0;
  const std::string_view head = text.substr(0, 250);
  for (std::size_t at = head.find(']'); at != head.npos; at = head.find(']', at + 1)) {
    std::size_t colon = at;
    while (colon > 0 && is_digit(head[colon - 1])) --colon;
    if (colon == at || colon == 0 || head[colon - 1] != ':') continue;
    if (head.substr(0, colon).find(" | ") != head.npos) return 0;  // another logger's prefix, before that of XLA's
    const std::size_t begin = head.find_last_of("/ [", colon - 1);
    file = head.substr(begin + 1, colon - 1 - (begin + 1));  // npos + 1 is 0
    info = absl ? text[0] == 'I' : dated ? head.substr(0, colon).find(" I ") != head.npos : text[0] == 'I';
    return at + (at + 1 < text.size() && text[at + 1] == ' ' ? 2 : 1);
  }
  return 0;
}

/// Takes off all text around a line. Precondition: the line has no colors. `numbers_are_processes`: see number_prefix.
constexpr bare_line bare(std::string_view line, bool numbers_are_processes) {
  bare_line out;
  out.text = line;
  const auto name = [&](std::string_view process) {
    (out.process[0].empty() ? out.process[0] : out.process[1]) = process;
  };
  if (out.text.starts_with("\xEF\xBB\xBF")) out.text.remove_prefix(3);  // a byte order mark
  if (!out.text.empty() && out.text.back() == '\r') out.text.remove_suffix(1);
  if (const std::size_t at = out.text.rfind('\r'); at != out.text.npos)
    out.text.remove_prefix(at + 1);  // progress bars
  if (out.text.ends_with(box)) {     // a frame around a traceback
    out.text.remove_suffix(box.size());
    out.text = out.text.substr(0, out.text.find_last_not_of(' ') + 1);
  }
  for (int wrappers = 0; wrappers < 8; ++wrappers) {
    std::string_view process;
    std::size_t size = timestamp_size(out.text, out.goes_on);
    if (size == 0 && (size = gutter_size(out.text)) == 0 && (size = process_size(out.text, process)) > 0) name(process);
    if (size == 0 && (size = number_prefix(out.text).size()) > 0 && numbers_are_processes)
      name(number_of(out.text.substr(0, size)));
    if (size == 0) size = logger_size(out.text, out.file, out.info);
    if (size == 0 && out.text.starts_with('>')) size = out.text.starts_with("> ") ? 2 : 1;  // quoted in Markdown
    if (size == 0 && out.text.starts_with("E   ")) size = 4;  // as pytest shows exceptions
    if (size == 0 && out.text.starts_with(box)) size = box.size() + out.text.substr(box.size()).starts_with(' ');
    if (size == 0) break;
    out.text.remove_prefix(size);
  }
  if (out.text.ends_with(" across cluster]"))
    if (const std::size_t at = out.text.rfind(" [repeated "); at != out.text.npos) out.text = out.text.substr(0, at);
  return out;
}

/// Whether two texts are equal apart from times: `12:59:59.123`, `2026-01-31T12:59:59`, `00:00:17.001`,
/// `1796093584.12`.
[[gnu::cold]] constexpr bool same_but_for_times(std::string_view a, std::string_view b) {
  constexpr std::string_view time_bytes = "0123456789:.,-+TZ";
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    if (!is_digit(a[i]) || !is_digit(b[i])) return false;
    std::size_t begin = i, end = i;
    while (begin > 0 && time_bytes.find(a[begin - 1]) != time_bytes.npos) --begin;
    while (end < a.size() && time_bytes.find(a[end]) != time_bytes.npos) ++end;
    const std::string_view stamp = a.substr(begin, end - begin);
    if (std::count(stamp.begin(), stamp.end(), ':') < 2 && std::count(stamp.begin(), stamp.end(), '-') < 2 &&
        std::count_if(stamp.begin(), stamp.end(), is_digit) < 10)
      return false;
  }
  return true;
}
/// The rest of a line after `prefix`; null data if the line begins differently. Times may differ, and blanks at the end
/// of the prefix may be missing.
constexpr std::string_view after_prefix(std::string_view line, std::string_view prefix) {
  const std::size_t least = prefix.find_last_not_of(" \t") + 1;
  const std::size_t size = std::min(line.size(), prefix.size());
  if (line.size() < least || !same_but_for_times(line.substr(0, size), prefix.substr(0, size))) return {};
  return line.substr(size);
}
/// Whether a prefix of a logger can end here, before a text: at a tab, after a mark and a blank (`train-0 - `), after a
/// time (`1796093584.12 `), or after `ERROR:trainer.loop:` and `logs/a.log:12:`.
constexpr bool may_end_prefix(std::string_view prefix, bool before_blank) {
  if (prefix.size() < 3) return false;
  const char last = prefix.back();
  const std::string_view before = prefix.substr(0, prefix.size() - 1);
  const std::string_view word = before.substr(before.find_last_of(" \t") + 1);  // npos + 1 is 0
  if (last == '\t') return true;
  if (last == ':') return !before_blank && word.find_first_of(":./") != word.npos;
  if (last != ' ') return false;
  if (before.substr(0, before.size() - word.size()).ends_with("\xE2\x80\xBA ")) return true;  // of stern
  if (std::string_view(":]>|)-").find(before.back()) != std::string_view::npos) return true;
  const bool is_number = word.find_first_not_of("0123456789:.,-+TZ") == word.npos;
  return is_number && word.size() >= 8 && (std::count(word.begin(), word.end(), ':') >= 2 || word.size() >= 10);
}

/// The prefix that an unknown logger puts before two lines: their common beginning apart from times, up to the last
/// place where a prefix can end. Empty if there is none. At most `most` bytes.
constexpr std::size_t common_prefix_size(std::string_view a, std::string_view b, std::size_t most) {
  std::size_t size = 0, end = 0;
  most = std::min(most, std::min(a.size(), b.size()));
  while (size < most && (a[size] == b[size] || (is_digit(a[size]) && is_digit(b[size])))) {
    ++size;
    if (may_end_prefix(a.substr(0, size), size < a.size() && a[size] == ' ')) end = size;
  }
  return end > 0 && same_but_for_times(a.substr(0, end), b.substr(0, end)) ? end : 0;
}

}  // namespace hlolint::logs
