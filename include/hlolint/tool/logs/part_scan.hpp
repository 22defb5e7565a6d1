// What the lines of a text with other parts begin with: the marks by which input_parts.hpp tells HLO, dumps of buffers
// and prefixes from everything else, before any grammar reads the text.
#pragma once

#include <hlolint/grammar/buffers/kind_scan.hpp>
#include <hlolint/grammar/buffers/line_scan.hpp>
#include <hlolint/grammar/hlo/bracket_scan.hpp>
#include <hlolint/tool/logs/line_prefix.hpp>
#include <hlolint/grammar/x3/scan.hpp>
#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/text/characters.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

namespace hlolint::logs {

using grammar::view;

inline constexpr std::string_view header_word = "HloModule ";

/// The line that begins at `p`, up to its line feed: blanks at its end belong to it.
inline std::string_view whole_line(const char* p, const char* last) {
  const char* const newline = scan::find(p, last, '\n');
  return view(p, newline ? newline : last);
}

/// Whether a line begins a program in MLIR, such as StableHLO: `module @jit_f attributes {...} {`.
inline bool begins_mlir(std::string_view line) {
  if (!line.starts_with("module ")) return false;
  line.remove_prefix(7);
  return line.starts_with("@") || line.starts_with("attributes ") || line.starts_with("{");
}

/// Whether an instruction with its shape begins at `p`: `[ROOT] name = f32[8]{0} add(`. The type has to be known, since
/// `y = model(x)` of other languages looks like an instruction without a shape.
inline bool begins_shaped_instruction(const char* p, const char* last) {
  if (!scan::begins_instruction(p, last)) return false;
  const char* const equals = scan::find(p, last, '=');
  if (!equals) return false;
  const char* at = equals + 1;
  while (at != last && (*at == ' ' || *at == '\t')) ++at;
  if (at != last && *at == '(') {
    while (at != last && (*at == '(' || *at == ' ')) ++at;
    if (at != last && *at == ')') return true;
  }
  const char* const type = scan::identifier(at, last);
  if (!type || type == last || *type != '[') return false;
  return find_element_type(view(at, type)) != element_type::unknown && scan::find(type, last, '(') != nullptr;
}

/// Whether a head without a percent sign has the shape of a result: `-> f32[8] {`, `-> (f32[8], s32[]) {`.
inline bool has_result(std::string_view head) {
  const std::size_t arrow = head.rfind("-> ");
  if (arrow == head.npos) return false;
  const char* at = head.data() + arrow + 3;
  const char* const last = head.data() + head.size();
  while (at != last && (*at == '(' || *at == ' ')) ++at;
  const char* const type = at == last ? nullptr : scan::identifier(at, last);
  return (at != last && *at == ')') ||
         (type && type != last && find_element_type(view(at, type)) != element_type::unknown);
}

/// Whether the head of a computation begins at the first byte of a line.
inline bool begins_head(std::string_view core) {
  return scan::begins_computation(core.data(), core.data() + core.size()) && core.find('{') != core.npos &&
         (core.starts_with("ENTRY") || core.starts_with("%") || has_result(core));
}

/// Whether a line begins a part: a computation, an instruction with its shape, or a section of a buffer dump.
inline bool may_begin_part(std::string_view core) {
  return !core.empty() && (core == "FileNames" || scan::kind::section(core) != input_kind::unknown ||
                           scan::begins_computation(core.data(), core.data() + core.size()) ||
                           begins_shaped_instruction(core.data(), core.data() + core.size()));
}

/// Whether the text before a header on its line can be a prefix: what loggers and launchers write, marks of comments,
/// quotations and differences, numbers of lines, and quotation marks.
inline bool may_be_prefix(std::string_view before) {
  const std::size_t end = before.find_last_not_of(" \t");
  if (end == before.npos) return true;
  if (before.size() > 200) return false;
  const std::string_view text = before.substr(0, end + 1);
  if (std::string_view(":]>|#+\"'`*([\r").find(text.back()) != std::string_view::npos) return true;
  const std::size_t first = text.find_first_not_of(" \t");
  const std::string_view word = text.substr(first);
  if (word == "E" || word == "//" || word == "-" || word.ends_with("//")) return true;
  if (text.ends_with(" -") && text.find(':') != text.npos) return true;  // `12:59:59,123 - root - INFO - `
  if (word.find_first_not_of("0123456789") == word.npos) return true;    // the number of a line
  return bare(before, true).text.empty();
}
/// The size of a mark that Markdown, comments and differences have before a line, such as `- `, `2. ` or a backtick.
inline std::size_t mark_size(std::string_view line) {
  for (const std::string_view mark : {"# ", "// ", "+ ", "- ", "* ", "+", "> ", "`"})
    if (line.starts_with(mark)) return mark.size();
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  return digits > 0 && digits < 4 && (line.substr(digits).starts_with(". ") || line.substr(digits).starts_with(") "))
             ? digits + 2
             : 0;
}
/// `dump/module.txt:12:`, the place that grep puts before a line; 0 if there is none.
inline std::size_t grep_size(std::string_view line) {
  const std::size_t end = line.find_first_of(": \t");
  if (end == line.npos || end > 300 || line[end] != ':' || line.substr(0, end).find_first_of("./") == line.npos)
    return 0;
  const std::size_t after = std::min(line.find_first_not_of("0123456789", end + 1), line.size());
  return after > end + 1 && after < line.size() && line[after] == ':' ? after + 1 : end + 1;
}
/// The text before `header` on its line, if a header can stand after it. XLA's log line `HloModule dump enabled with
/// path prefix` is no header.
inline std::optional<std::string_view> header_prefix(std::string_view text, const char* header) {
  const char* const last = text.data() + text.size();
  const char* const name = header + header_word.size();
  if (name == last || !scan::is(scan::name_start, *name)) return std::nullopt;
  const char* after = scan::identifier(name, last);
  while (after && after != last && (*after == ' ' || *after == '\t' || *after == '\r')) ++after;
  if (!after || (after != last && std::string_view(",\n\\/\"'`*<").find(*after) == std::string_view::npos))
    return std::nullopt;
  const char* line = header;
  while (line != text.data() && line[-1] != '\n') --line;
  const std::string_view prefix = view(line, header);
  return may_be_prefix(prefix) ? std::optional(prefix) : std::nullopt;
}

/// `  12 | `, `12:` and `12-` of `grep -n`, or a number and blanks.
inline bool is_line_number(std::string_view prefix) {
  if (prefix.ends_with(':') || prefix.ends_with('-')) prefix.remove_suffix(1);
  const std::size_t first = prefix.find_first_not_of(" \t");
  return first != prefix.npos && is_digit(prefix[first]) &&
         prefix.find_first_not_of("0123456789 \t|", first) == prefix.npos;
}

/// `...` in place of lines that were left out.
inline bool is_gap(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == line.npos) return false;
  std::string_view text = line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
  for (const std::string_view mark : {"//", "#"})
    if (text.starts_with(mark)) text.remove_prefix(std::min(text.find_first_not_of(" \t", mark.size()), text.size()));
  if (text.size() > 2 && std::string_view("([<").find(text[0]) != std::string_view::npos) {
    text = text.substr(1, text.size() - 2);
    if (text == "snip" || text.starts_with("truncated") || text.starts_with("omitted")) return true;
  }
  // `... 300 more lines ...` has no instruction.
  return (text.starts_with("...") || text.starts_with("\xE2\x80\xA6")) && text.find_first_of("=%{") == text.npos;
}

/// Whether a line between two computations is what is left of a head: one word, or a part of a signature, before an
/// instruction that is set in, which begins at `next`.
inline bool is_damaged_head(std::string_view line, const char* next, const char* last_of_text) {
  const std::size_t end = line.find_last_not_of(" \t\r");
  if (line.substr(0, end + 1).find(' ') != line.npos && line.find("->") == line.npos && line.find('{') == line.npos)
    return false;
  if (line[0] == ' ' || next == last_of_text || *next != ' ') return false;
  const std::string_view after = whole_line(next, last_of_text);
  const char* const last = after.data() + after.size();
  return scan::begins_instruction(scan::line_begin(next, last).token, last);
}

}  // namespace hlolint::logs
