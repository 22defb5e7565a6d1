// What loggers, launchers, containers and terminals put around the lines of a job's log, and where a report of missing
// memory may begin.
#pragma once

#include <hlolint/grammar/x3/line_scan.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace hlolint::scan::log {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A line without what is around it.
struct bare_line {
  std::string_view text;
  std::array<std::string_view, 2>
      process;            ///< what names its process, the outermost first: `(worker pid=7)`, `[rank0]`, `3`
  std::string_view file;  ///< of the logging statement: `compile.cc`; empty if the line has no logger's prefix
  bool info = false;      ///< logged at level INFO
  bool goes_on = false;   ///< cut by a container's log: the next line of the process is its rest
};

/// `ESC[36m`, also where the escape itself was lost: how many bytes; 0 if none begins here.
constexpr std::size_t color_size(std::string_view text) {
  std::size_t at = text.starts_with('\x1b') ? 1 : 0;
  if (at >= text.size() || text[at] != '[') return 0;
  const std::size_t digits = ++at;
  while (at < text.size() && (is_digit(text[at]) || text[at] == ';')) ++at;
  return at < text.size() && text[at] == 'm' && (at > digits || text.front() == '\x1b') ? at + 1 : 0;
}
constexpr bool has_colors(std::string_view line) {
  for (std::size_t at = line.find('['); at != line.npos; at = line.find('[', at + 1))
    if (color_size(line.substr(at)) > 0) return true;
  return false;
}

/// `12: ` with blanks before it: what Slurm puts before the lines of a task, and editors before lines; else empty.
constexpr std::string_view number_prefix(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == text.npos || !is_digit(text[first])) return {};
  std::size_t end = first;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end - first > 7 || end + 1 >= text.size() || text[end] != ':' || text[end + 1] != ' ') return {};
  return text.substr(0, end + 2);
}
/// The number in it.
constexpr std::string_view number_of(std::string_view prefix) {
  const std::size_t first = std::min(prefix.find_first_not_of(' '), prefix.size());
  return prefix.substr(first, prefix.find(':') - first);
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
  std::size_t end = 0;
  while (end < text.size() && (is(name_bytes, text[end]) || text[end] == '.' || text[end] == '-')) ++end;
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
    const std::size_t begin = head.find_last_of("/ [", colon - 1);
    file = head.substr(begin + 1, colon - 1 - (begin + 1));  // npos + 1 is 0
    info = absl ? text[0] == 'I' : dated ? head.substr(0, colon).find(" I ") != head.npos : text[0] == 'I';
    return at + (at + 1 < text.size() && text[at + 1] == ' ' ? 2 : 1);
  }
  return 0;
}

/// Takes off all that is around a line. Precondition: no colours. `numbers_are_processes`: see number_prefix.
constexpr bare_line bare(std::string_view line, bool numbers_are_processes) {
  bare_line out;
  out.text = line;
  const auto name = [&](std::string_view process) {
    (out.process[0].empty() ? out.process[0] : out.process[1]) = process;
  };
  if (!out.text.empty() && out.text.back() == '\r') out.text.remove_suffix(1);
  if (const std::size_t at = out.text.rfind('\r'); at != out.text.npos)
    out.text.remove_prefix(at + 1);  // progress bars
  for (int wrappers = 0; wrappers < 8; ++wrappers) {
    std::string_view process;
    std::size_t size = timestamp_size(out.text, out.goes_on);
    if (size == 0 && (size = process_size(out.text, process)) > 0) name(process);
    if (size == 0 && (size = number_prefix(out.text).size()) > 0 && numbers_are_processes)
      name(number_of(out.text.substr(0, size)));
    if (size == 0) size = logger_size(out.text, out.file, out.info);
    if (size == 0 && out.text.starts_with("> ")) size = 2;    // quoted in Markdown
    if (size == 0 && out.text.starts_with("E   ")) size = 4;  // an exception as pytest shows it
    if (size == 0) break;
    out.text.remove_prefix(size);
  }
  if (out.text.ends_with(" across cluster]"))
    if (const std::size_t at = out.text.rfind(" [repeated "); at != out.text.npos) out.text = out.text.substr(0, at);
  return out;
}

/// What a report of missing memory has in its first line, or a line that is often taken for one.
inline constexpr std::array<std::string_view, 34> marks{
    "Ran out of memory in memory space ",
    "Ran out of memory on HBM, the total memory required for HLO temporaries ",
    "Scoped allocation with size ",
    "Insufficient scoped vmem: ",
    ") would exceed memory (size=",
    "TPU TensorCore Hbm usage: ",
    "Aborting compilation early because it's unlikely to have enough memory. ",
    "'memref.alloca' op current allocation offset upper bound (",
    "Attempting to allocate ",
    "Attempting to reserve ",
    "Could not allocate ",
    " memory while trying to allocate ",
    "Failed to allocate request for ",
    " cuMemAllocAsync failed to allocate ",
    "] Failed to allocate device memory of ",
    "failed to allocate ",
    "Not enough PA budget: ",
    "Underlying backend ran out of memory trying to instantiate ",
    ") ran out of memory trying to allocate ",
    "BufferAssignment OOM Debugging.",
    "BufferAssignment stats:",
    "Can't reduce memory use below ",
    "The byte size of input/output arguments (",
    "out of memory'",
    ": CUDA_ERROR_OUT_OF_MEMORY",
    ": HIP_ERROR_OutOfMemory",
    "emory size limit exceeded: requested ",
    "Out of memory allocating ",
    "Failed to allocate ",
    " requires too much memory (",
    "RESOURCE_EXHAUSTED: ",
    "Resource exhausted: ",
    "Failure to initialize cublas",
    " program HBM usage: "};
/// Words of the same messages that a terminal's width may cut.
inline constexpr std::array<std::string_view, 8> phrases{"hbm. Exceeded ",
                                                         "vmem. Exceeded ",
                                                         "smem. Exceeded ",
                                                         " capacity by ",
                                                         "That was not possible. There are ",
                                                         "trying to allocate ",
                                                         "the largest contiguous region of free memory is ",
                                                         "exceeded scoped vmem limit by "};

/// Whether a text may be a log with messages about memory.
constexpr bool holds_mark(std::string_view text) {
  return std::any_of(marks.begin(), marks.end(), [&](std::string_view mark) { return text.find(mark) != text.npos; });
}

/// Whether a message may begin after `before` on its line: nothing quotes it, as a source text or a document does, and
/// the text before it is an exception's or a status' name and so on.
constexpr bool may_be_stated(std::string_view before) {
  const std::size_t first = before.find_first_not_of(" \t"), end = before.find_last_not_of(" \t") + 1;
  if (first == before.npos) return true;
  before = before.substr(first, end - first);
  if (before.starts_with("//") || before.starts_with("#") || before.starts_with("*") || before.starts_with("\""))
    return false;
  for (const char quote : {'`', '"'}) {
    if (std::count(before.begin(), before.end(), quote) % 2 == 0) continue;
    const std::size_t at = before.rfind(quote);
    if (quote == '`' || at < 10 ||
        (before.substr(at - 10, 10) != "timeError(" && before.substr(at - 10, 10) != "Exception("))
      return false;
  }
  return std::string_view(":.;])>}|'\"").find(before.back()) != std::string_view::npos;
}
/// After `text`, which comes on this line where a message may begin; null if it does not.
[[gnu::noinline]] constexpr const char* stated(const char* p, const char* last, std::string_view text) {
  const char* const end = lines::after(p, last, text);
  return end && may_be_stated({p, static_cast<std::size_t>(end - text.size() - p)}) ? end : nullptr;
}
/// Whether a line has a word that every report begins with; a quick look.
[[gnu::noinline]] constexpr const char* about_memory(const char* p, const char* last) {
  const std::string_view line(p, static_cast<std::size_t>(lines::rest(p, last) - p));
  for (const std::string_view word :
       {"llocat", "emory", "ttempting", "OUT_OF", "OutOfM", "vmem", "Hbm", "arguments", "OOM"})
    if (line.find(word) != line.npos) return p;
  return nullptr;
}

/// `HLO temp`, `reserved(Infeed)`, `Max free chunk`: up to the size on the same line, without a colon.
[[gnu::noinline]] constexpr const char* row_label(const char* p, const char* last) {
  const char* const first = p;
  const char* const end = lines::rest(p, last);
  for (int words = 0; words < 8 && p != end; ++words) {
    while (p != end && *p != ' ' && *p != '\t') ++p;
    const char* label_end = p;
    p = lines::blanks(p, end);
    if (p == end) return nullptr;
    const std::string_view next(p, static_cast<std::size_t>(end - p));
    if (!next.starts_with("unknown size") && !is_digit(*p) && !(*p == '-' && next.size() > 1 && is_digit(next[1])))
      continue;
    if (label_end - first > 1 && label_end[-1] == ':') --label_end;
    return label_end;
  }
  return nullptr;
}
/// The instruction that a kernel's stack was for: up to the sentence after it.
[[gnu::noinline]] constexpr const char* instruction_on_stack(const char* p, const char* last) {
  const char* const end = lines::rest(p, last);
  const std::string_view line(p, static_cast<std::size_t>(end - p));
  const std::size_t at = line.find("Scoped allocation with size ");
  const char* to = lines::trimmed(p, at == line.npos ? end : p + at);
  if (to != p && to[-1] == '.') --to;
  return to == p ? nullptr : to;
}
/// Up to `Stop`, on this line; may be empty.
template <char Stop>
[[gnu::noinline]] constexpr const char* before(const char* p, const char* last) {
  while (p != last && *p != Stop && *p != '\n') ++p;
  return p == last || *p != Stop ? nullptr : p;
}
/// `-1.50G`: a size that may be below 0.
[[gnu::noinline]] constexpr const char* signed_size(const char* p, const char* last) {
  return lines::human(p != last && *p == '-' ? p + 1 : p, last);
}

static_assert(bare("(w pid=1, ip=10.0.0.1) E0102 03:04:05.6 7 x.cc:8] a", true).text == "a");
static_assert(bare("    reserved  1.0G", true).text == "    reserved  1.0G" &&
              bare("    a [b]", true).text == "    a [b]");
static_assert(bare("12: [rank3]: a", true).process[0] == "12" && bare("12: [rank3]: a", true).process[1] == "rank3");
static_assert(bare("2026-01-18T12:34:56.78Z stderr P a", true).goes_on && bare("web-1  | a", true).text == "a");
static_assert(color_size("\x1b[0m") == 4 && color_size("[2m") == 3 && color_size("[2]") == 0 && color_size("[m") == 0);
static_assert(taken(row_label, "Max free chunk 1.0G") == "Max free chunk" &&
              taken(row_label, "global:  1.0G") == "global");
static_assert(!may_be_stated("  // see `") && may_be_stated("x.XlaRuntimeError: ") && !may_be_stated("return f(\"") &&
              may_be_stated("JaxRuntimeError(\""));

}  // namespace hlolint::scan::log
