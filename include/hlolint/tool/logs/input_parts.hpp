// Splits a text into its parts: what people paste is a log, a post or a test with HLO, dumps of buffers and messages in
// it. One pass over the lines, which looks for landmarks before any grammar reads the text. The texts of the parts are
// as long as the whole text, with blanks in place of everything else, so that offsets, lines and columns stay valid.
//
// What surrounds HLO is no syntax error: text before a header, prefixes of lines, quotation marks and fences, log lines
// between those of a module, and text after the last brace. Between the head of a computation and its closing brace
// every line that is set in counts as HLO, and so does a line in the first column that begins like HLO: if the grammar
// cannot read it, the module is damaged.
#pragma once

#include <hlolint/tool/logs/line_prefix.hpp>
#include <hlolint/tool/logs/part_scan.hpp>
#include <hlolint/tool/logs/whole_lines.hpp>
#include <hlolint/grammar/x3/scan.hpp>
#include <hlolint/ir/parsed_file.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::logs {

/// The words for the parts of a text, as reports print them. @{
namespace part_words {
inline constexpr std::string_view module = "module", computations = "computations", instructions = "instructions",
                                  memory = "memory message", allocator = "allocator log", message = "compiler message",
                                  sizes = "table of sizes";
}
/// @}

/// The parts of a text. Each text is empty if there is no such part.
struct input_parts {
  /// HLO that another process printed at the same time as a module that is read.
  struct passed_over {
    std::size_t at = 0, size = 0;
  };
  std::vector<file_part> parts;      ///< of HLO and of buffers, in order
  std::string hlo;                   ///< modules and computations
  std::string fragment;              ///< instructions without their computation
  std::vector<std::string> buffers;  ///< dumps of buffers, one of each kind
  std::string rest;                  ///< everything else: logs, messages, prose
  std::vector<std::string> escaped;  ///< modules in strings with escapes; these have lines of their own
  bool has_gaps = false;             ///< lines of a module were left out (`...`)
  bool has_other = false;            ///< `rest` has a line that is not empty
  std::size_t other_bytes = 0;       ///< of these lines
  std::vector<passed_over> notes;

  /// Whether there is HLO of any form.
  bool holds_hlo() const { return !hlo.empty() || !fragment.empty() || !escaped.empty(); }
};

/// Whether a text is a program in MLIR: one of its first lines begins a program or a function.
inline bool holds_mlir(std::string_view text) {
  text = text.substr(0, std::size_t{1} << 16);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
    if (begins_mlir(line) || line.substr(first).starts_with("func.func ")) return true;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return false;
}

/// Whether a text is a list of findings that hlolint printed, as text, SARIF or a page: what it quotes is no dump.
inline bool is_list_of_findings(std::string_view text) {
  const std::string_view head = text.substr(0, 4096);
  if (head.starts_with("{")) return head.find(R"("name": "hlolint")") != head.npos;
  if (head.starts_with("<!doctype html>")) return head.find("<title>hlolint report<") != head.npos;
  std::string_view line = text.substr(0, text.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  const std::size_t rule = line.rfind(" [");
  if (!line.ends_with(']') || rule == line.npos) return false;
  const std::string_view place = line.substr(0, rule);
  if (place.find(": error: ") == place.npos && place.find(": warning: ") == place.npos &&
      place.find(": note: ") == place.npos)
    return false;
  // `[ALI001 alias-size-mismatch]`
  line.remove_prefix(rule + 2);
  const std::size_t letters = line.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  return letters != 0 && letters != line.npos && line.find_first_not_of("0123456789", letters) == letters + 3 &&
         line[letters + 3] == ' ';
}

/// Whether one of the first lines of a text is a logger's line about a source file of XLA.
inline bool is_log_of_xla(std::string_view text) {
  text = text.substr(0, std::size_t{1} << 16);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.find(".cc:") != line.npos && bare(line, false).file.ends_with(".cc")) return true;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return false;
}

/// Whether a line begins or ends a file in what XLA prints with `--xla_dump_to=-`.
inline bool is_section_mark(std::string_view line) {
  for (const std::string_view mark : {"*** Begin ", "*** End "})
    if (const std::size_t at = line.find(mark); at != line.npos && at < 200) return true;
  return false;
}

/// Whether a line begins or ends a block of code in Markdown.
inline bool is_fence(std::string_view line) { return line.starts_with("```") || line.starts_with("~~~"); }

/// Splits a text, line by line.
class text_splitter {
 public:
  explicit text_splitter(std::string_view text) : text_(text), last_(text.data() + text.size()) {}

  /// Whether any line begins a module, possibly after a prefix.
  bool holds_module() const {
    for (std::size_t at = text_.find(header_word); at != text_.npos; at = text_.find(header_word, at + 1))
      if (header_prefix(text_, text_.data() + at)) return true;
    return false;
  }

  /// All parts. Takes time in proportion to the text.
  input_parts read() && {
    out_.rest.assign(text_.size(), ' ');
    for (const char* line = text_.data(); line != last_;) {
      const char* const newline = scan::find(line, last_, '\n');
      const char* const end = newline ? newline : last_;
      next_ = newline ? newline + 1 : last_;
      ++line_;
      if (newline) out_.rest[static_cast<std::size_t>(newline - text_.data())] = '\n';
      take(line, end);
      line = next_;
    }
    // An instruction alone beside a message about memory is a part of that message.
    if (fragment_lines_ == 1 && out_.has_other && mentions_memory(out_.rest)) {
      for (std::size_t at = 0; at < out_.fragment.size(); ++at)
        if (out_.fragment[at] != ' ') out_.rest[at] = out_.fragment[at];
      out_.fragment.clear();
      std::erase_if(out_.parts, [](const file_part& p) { return p.what == part_words::instructions; });
    }
    return std::move(out_);
  }

 private:
  enum class state { outside, header, between, inside, buffers };  // the place in a module, or in a dump of buffers

  /// What a paste may have behind the last brace of a module: ends of strings, quotations and tags.
  static constexpr std::string_view closing_marks = ")\"'`*\\<]";

  // ------------------------------------------------------------------ prefixes
  /// The text of a line after the prefix of the current module; nothing if the line has another prefix.
  std::optional<std::string_view> after_prefix(std::string_view line) const {
    if (counts_lines_) {
      std::size_t size = gutter_size(line);
      if (size == 0) size = number_prefix(line).size();
      if (size == 0) {
        const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
        size = std::min(line.find_first_not_of("0123456789", first), line.size());
        if (size == first) return std::nullopt;
        if (size + 1 == line.size() && (line[size] == ':' || line[size] == '-')) ++size;  // `grep -n`, of an empty line
        for (int blanks = 0; blanks < 2 && size < line.size() && line[size] == ' '; ++blanks) ++size;
      }
      return line.substr(size);
    }
    const std::string_view rest = logs::after_prefix(line, prefix_);
    return rest.data() ? std::optional(rest) : std::nullopt;
  }
  // ------------------------------------------------------------------ where lines go
  std::size_t offset(const char* p) const { return static_cast<std::size_t>(p - text_.data()); }
  void keep(std::string& to, std::string_view part) {
    if (to.empty()) {
      to.assign(text_.size(), ' ');
      for (std::size_t at = text_.find('\n'); at != text_.npos; at = text_.find('\n', at + 1)) to[at] = '\n';
    }
    std::copy(part.begin(), part.end(), to.begin() + (part.data() - text_.data()));
    if (&to != &out_.rest && !out_.parts.empty() && part.find_first_not_of(" \t\r") != part.npos) {
      file_part& last = out_.parts.back();
      const auto end = static_cast<std::uint32_t>(offset(part.data() + part.size()));
      if (end > last.at.end) last.at.end = end, last.last_line = line_;  // a damaged header may stand before it
    }
  }
  /// Begins a part, which goes on as long as lines are kept.
  void begin_part(std::string_view what, const char* at) {
    const auto begin = static_cast<std::uint32_t>(offset(at));
    out_.parts.push_back({what, {begin, begin}, line_, line_});
  }
  void keep_other(std::string_view line) {
    if (line.find_first_not_of(" \t\r") == line.npos) return;
    out_.has_other = other_since_ = true;
    out_.other_bytes += line.size();
    keep(out_.rest, line);
  }

  // ------------------------------------------------------------------ lines
  void take(const char* begin, const char* end) {
    const std::string_view line = view(begin, end);
    if (is_section_mark(line)) return leave();
    if (in_table_) return take_table(line);
    if (const std::size_t header = line.find(header_word); header != line.npos)
      if (const auto prefix = header_prefix(text_, begin + header)) return take_header(line, *prefix, end);
    if (state_ != state::outside && bare_ && ends_block(line)) leave();
    if (state_ == state::outside) return take_outside(begin, end);
    if (state_ == state::buffers) return take_buffers(line);
    const auto rest = bare_ ? std::optional(line) : after_prefix(line);
    if (!rest) return keep_other(line);  // of another process, or another message
    if (state_ == state::between && scan::kind::section(rest->substr(0, 64)) != input_kind::unknown) {
      leave();  // a dump of buffers after the module
      return take_outside(begin, end);
    }
    if (is_gap(*rest)) {
      out_.has_gaps = true;
    } else if (const std::string_view part = hlo_of(*rest); part.data()) {
      keep(out_.hlo, part);
      follow_comment(part);
    } else {
      keep_other(line);
    }
  }
  /// Whether a line after a module begins other text: the fence of a block in Markdown, a traceback, a program in MLIR,
  /// the end of a raw string, or the end of a graph in a file of torch_xla (XLA_SAVE_TENSORS_FILE).
  static bool ends_block(std::string_view line) {
    if (line.empty() || line[0] == ' ') return false;
    return is_fence(line) || begins_mlir(line) || line.starts_with("## END_GRAPH") ||
           line.starts_with("Traceback (most recent call last)") || line.starts_with(")\"") ||
           line.starts_with("\"\"\"") || line.starts_with("'''");
  }
  /// Ends a module or a dump of buffers, and what is open in it.
  void leave() { state_ = state::outside, open_instruction_ = false; }
  /// Whether a line cannot go on with an instruction: then the string or the brackets of that one were cut off.
  static bool cuts_instruction(std::string_view line) {
    return ends_block(line) || mentions_memory(line) || may_begin_part(line);
  }
  /// A line outside of modules and dumps.
  void take_outside(const char* begin, const char* end) {
    const std::string_view line = view(begin, end);
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == line.npos) return;
    open_instruction_ = open_instruction_ && !cuts_instruction(line.substr(first));
    if (open_instruction_) {  // an instruction may take several lines
      keep(out_.fragment, line);
      follow_brackets(line);
      return;
    }
    std::string_view core = line.substr(first);
    if (!may_begin_part(core)) {
      core = core_of(line);
      if (core.data() == line.data() + first || !may_begin_part(core)) return take_damaged_or_other(line);
    }
    const std::string_view before = view(line.data(), core.data());
    if (core.starts_with("FileNames")) {  // tables whose header was lost
      set_prefix(before, end);
      state_ = state::header;
      begin_part(part_words::computations, core.data());
      keep(out_.hlo, core);
      return;
    }
    if (const input_kind kind = scan::kind::section(view(core.data(), last_).substr(0, 4096));
        kind != input_kind::unknown) {
      set_prefix(before, end);
      state_ = state::buffers;
      open_instruction_ = false;
      // Another dump of a kind goes on with the first one, so that what is wrong is reported.
      kind_ = static_cast<std::size_t>(std::find(kinds_.begin(), kinds_.end(), kind) - kinds_.begin());
      if (kind_ == kinds_.size()) {
        kinds_.push_back(kind);
        out_.buffers.emplace_back();
      }
      begin_part(name_of(kind), core.data());
      keep(out_.buffers[kind_], core);
      return;
    }
    if (begins_head(core)) {
      if (!damaged_header_.empty()) keep(out_.hlo, damaged_header_);
      damaged_header_ = {};
      set_prefix(before, end);
      state_ = state::inside;
      margin_ = bare_ && before.find_first_not_of(" \t") == before.npos ? before.size() : 0;
      entry_seen_ = core.starts_with("ENTRY");
      begin_part(part_words::computations, core.data());
      keep(out_.hlo, core);
      return;
    }
    if (begins_shaped_instruction(core.data(), end)) {
      ++fragment_lines_;
      if (out_.parts.empty() || out_.parts.back().what != part_words::instructions || other_since_)
        begin_part(part_words::instructions, core.data());
      other_since_ = false;
      keep(out_.fragment, core);
      depth_ = 0, quoted_ = false, lines_open_ = 0;
      follow_brackets(core);
      return;
    }
    take_damaged_or_other(line);
  }
  /// A line without the marks and places before it, and without the backtick that ends code in Markdown.
  static std::string_view core_of(std::string_view line) {
    std::string_view core = bare(line, true).text;
    const auto take_off = [&](std::size_t size) {
      core.remove_prefix(size);
      core.remove_prefix(std::min(core.find_first_not_of(" \t"), core.size()));
    };
    take_off(0);
    take_off(grep_size(core));
    bool is_code = false;
    for (int marks = 0; marks < 4; ++marks) {
      const std::size_t size = mark_size(core);
      if (size == 0) break;
      is_code |= core.front() == '`';
      take_off(size);
    }
    return is_code ? core.substr(0, core.rfind('`')) : core;
  }
  /// A line that looks like a damaged header is kept with the computations after it, so that the damage is reported.
  void take_damaged_or_other(std::string_view line) {
    if (line.starts_with("Hlo") || line.find("is_scheduled=") != line.npos ||
        line.find("entry_computation_layout=") != line.npos)
      damaged_header_ = line;
    else if (line.find_first_not_of(" \t\r") != line.npos)
      damaged_header_ = {};
    keep_other(line);
  }
  /// Whether an instruction goes on in the next line: a bracket or a string is open.
  void follow_brackets(std::string_view line) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (quoted_) {
        if (c == '\\') ++i;
        if (c == '"') quoted_ = false;
      } else if (c == '"') {
        quoted_ = true;
      } else if (c == '(' || c == '{' || c == '[') {
        ++depth_;
      } else if (c == ')' || c == '}' || c == ']') {
        --depth_;
      }
    }
    open_instruction_ = (quoted_ || depth_ > 0) && ++lines_open_ < 8;
  }

  /// A line after the beginning of a dump of buffers.
  void take_buffers(std::string_view whole) {
    std::string_view line = whole;
    if (!bare_) {
      const std::optional<std::string_view> rest = after_prefix(whole);
      if (!rest) return keep_other(whole);  // of another process
      line = *rest;
    } else if (const bare_line plain = bare(line, true); plain.text.data() != line.data() && !plain.file.empty()) {
      if (mentions_memory(line)) leave();  // its lists follow
      return keep_other(whole);
    }
    open_instruction_ = open_instruction_ && !cuts_instruction(line);
    if (open_instruction_) {
      follow_brackets(line);
    } else if (ends_buffers(line)) {
      leave();
      return take_outside(whole.data(), whole.data() + whole.size());
    } else if (line.starts_with(" from instruction:")) {
      depth_ = 0, quoted_ = false, lines_open_ = 0;
      follow_brackets(line);
    }
    keep(out_.buffers[kind_], line);
  }
  /// Whether a line is none of a dump of buffers: those in its first column begin with few words, with a number or with
  /// a mark.
  bool ends_buffers(std::string_view line) const {
    if (ends_block(line)) return true;
    if (line.empty()) return false;
    const std::size_t mark = mark_size(line);
    const bool is_entry = mark > 0 && mark < line.size() && scan::is(scan::name_start, line[mark]);  // of a list
    if (!is_entry && !scan::is(scan::name_start, line[0]) && std::string_view("[(#`").find(line[0]) == line.npos)
      return false;
    if (scan::kind::section(line.substr(0, 64)) != input_kind::unknown) return false;
    for (const std::string_view word : {"Total bytes used: ", "Live range", "Peak", "No thunks."})
      if (line.starts_with(word)) return false;
    // Before lines of the dump it is a damaged one of them.
    const std::string_view next = view(next_, last_).substr(0, 64);
    for (const std::string_view word : {" value: <", " positions:", " uses:", " from instruction:", "allocation ", "<"})
      if (next.starts_with(word)) return false;
    return true;
  }

  // ------------------------------------------------------------------ modules
  [[gnu::cold]] void take_header(std::string_view line, std::string_view prefix, const char* end) {
    const bool in_hlo = state_ != state::outside && state_ != state::buffers;
    const bool same = in_hlo && (bare_ ? prefix.empty() : after_prefix(line).has_value());
    if (in_hlo && !same && !(state_ == state::between && entry_seen_) && !prefix.empty() && !bare_) {
      out_.notes.push_back({offset(line.data()) + prefix.size(), line.size() - prefix.size()});
      return;
    }
    if (state_ == state::header && prefix.ends_with('"')) return take_table(line);
    damaged_header_ = {};
    cut_comment();
    const std::string_view text = line.substr(prefix.size());
    if (text.find("\\n") != text.npos) {
      if (!in_hlo || state_ == state::between) return take_escaped(text, prefix);
      return keep(out_.hlo, line);  // a string in the module around it
    }
    set_prefix(prefix, end);
    state_ = state::header;
    entry_seen_ = open_instruction_ = false;
    begin_part(part_words::module, text.data());
    keep(out_.hlo, text);
    follow_comment(text);
  }
  /// A line of a module in a string of a table in the header (`origin_recovery_table`), up to the end of the string.
  void take_table(std::string_view line) {
    keep(out_.hlo, line);
    if (opens_string(line)) in_table_ = !in_table_;
  }
  /// Notes where a comment begins that the line does not end.
  void follow_comment(std::string_view line) {
    if (!comment_ && line.find('*') == line.npos) return;  // slashes are in many names
    const char* const end = line.data() + line.size();
    for (const char* p = line.data(); p != end;) {
      if (comment_) {
        const std::size_t at = view(p, end).find("*/");
        if (at == line.npos) return;
        comment_ = nullptr, p += at + 2;
        continue;
      }
      p = scan::find_either(p, end, '"', '/');
      if (p == end) return;
      if (*p == '"') {
        for (++p; p != end && *p != '"'; ++p)
          if (*p == '\\' && ++p == end) return;
        if (p == end) return;
      } else if (p + 1 != end && p[1] == '*') {
        comment_ = p++;
      }
      ++p;
    }
  }
  /// Takes away the beginning of a comment whose end was cut off with the rest of its module, as it would hide the next
  /// one.
  void cut_comment() {
    if (!comment_) return;
    out_.hlo.replace(offset(comment_), 2, "  ");
    comment_ = nullptr;
  }
  void set_prefix(std::string_view prefix, const char* end) {
    prefix_ = prefix;
    counts_lines_ = is_line_number(prefix);
    // A message of many lines has its prefix only on its first line.
    bare_ = prefix.find_first_not_of(" \t") == prefix.npos || !next_line_has_prefix(end);
    if (bare_) prefix_ = {}, counts_lines_ = false;
  }
  [[gnu::cold]] bool next_line_has_prefix(const char* newline) {
    if (number_prefix(prefix_).size() == prefix_.size() && !prefix_.empty() && newline != last_) {
      // Numbers that grow count the lines; others name processes.
      const std::string_view number = number_prefix(whole_line(newline + 1, last_));
      counts_lines_ = !number.empty() && number_of(number) != number_of(prefix_) &&
                      number_of(number).size() <= number_of(prefix_).size() + 1 && number_of(prefix_) != "0";
    }
    for (int lines = 0; lines < 20 && newline != last_; ++lines) {
      const std::string_view line = whole_line(newline + 1, last_);
      if (after_prefix(line)) return true;
      newline = line.data() + line.size();
    }
    return false;
  }
  /// Whether a string is open at the end of a text that begins in none: `"compiled: `.
  static bool opens_string(std::string_view text) {
    bool open = false;
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '\\')
        ++i;
      else if (text[i] == '"')
        open = !open;
    return open;
  }
  /// A module in one or more strings: `"HloModule m\n\nENTRY ...\n"`.
  [[gnu::cold]] void take_escaped(std::string_view text, std::string_view prefix) {
    const std::size_t mark = prefix.find_last_not_of(" \t");
    const char quote = mark != prefix.npos && prefix[mark] == '\'' ? '\'' : opens_string(prefix) ? '"' : '\0';
    begin_part(part_words::module, text.data());
    std::string all = unescaped(text, quote);
    while (quote != '\0' && next_ != last_) {  // C and Python join strings that follow each other
      const std::string_view line = whole_line(next_, last_);
      const char* const end = line.data() + line.size();
      const std::size_t first = line.find_first_not_of(" \t");
      if (first == line.npos || line[first] != quote) break;
      all += unescaped(line.substr(first + 1), quote);
      if (end != last_) out_.rest[offset(end)] = '\n';
      next_ = end == last_ ? last_ : end + 1;
      out_.parts.back().last_line = ++line_;
    }
    out_.parts.back().at.end = static_cast<std::uint32_t>(offset(next_));
    out_.escaped.push_back(std::move(all));
    state_ = state::outside;
  }

  /// The part of a line, without its prefix, that belongs to the current module; null data if there is none.
  [[gnu::cold]] std::string_view hlo_of(std::string_view line) {
    if (bare_ && line.starts_with('+')) line.remove_prefix(1);  // a new line of a difference
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == line.npos) return line;
    const char* const token = line.data() + first;
    const char* const end = line.data() + line.size();
    const bool other = bare_ && first == 0 && !bare(line, false).file.empty();  // a logger's line
    if (other) return {};
    if (scan::begins_computation(token, end)) {
      state_ = state::inside;
      margin_ = first;
      entry_seen_ |= line.substr(first).starts_with("ENTRY");
      return line;
    }
    if (state_ == state::inside && first <= margin_ && *token == '}') {
      state_ = state::between;
      return up_to_brace(line, first);
    }
    if (state_ == state::between) {
      if (*token == ')' || is_fence(line.substr(first))) return leave(), std::string_view{};  // `)hlo";`
      if (*token == '}' || *token == '%' || line.starts_with("ENTRY") || scan::begins_instruction(token, end) ||
          line.starts_with("//") || line.starts_with("/*"))
        return line;
      return is_damaged_head(line, next_, last_) ? line : std::string_view{};
    }
    if (state_ == state::header || first != 0 || *token == '}' || *token == '%') return line;
    const bool hlo = line.starts_with("//") || line.starts_with("/*") ||
                     (state_ == state::inside && scan::begins_instruction(token, end));
    return hlo ? line : std::string_view{};
  }
  /// `}` without the quotation marks and other text that a paste has after the last brace of a module.
  std::string_view up_to_brace(std::string_view line, std::size_t brace) {
    const std::size_t next = line.find_first_not_of(" \t", brace + 1);
    if (next == line.npos || (closing_marks.find(line[next]) == closing_marks.npos && !entry_seen_)) return line;
    if (line[next] == ',' || line[next] == '/' || line[next] == '\r') return line;
    keep_other(line.substr(next));
    return line.substr(0, brace + 1);
  }

  std::string_view text_;
  const char* last_;
  const char* next_ = nullptr;  // the next line
  input_parts out_;
  state state_ = state::outside;
  std::string_view prefix_;    // of the lines of the current module
  bool bare_ = true;           // the lines of the current module have no prefix
  bool counts_lines_ = false;  // the prefix is the number of the line
  std::size_t margin_ = 0;     // the blanks before the head of the current computation
  bool entry_seen_ = false;
  const char* comment_ = nullptr;  // the beginning of one that is open in a module
  std::string_view damaged_header_;
  std::vector<input_kind> kinds_;  // of the dumps of buffers so far
  std::size_t kind_ = 0;           // of the current one, among these
  std::size_t line_ = 0;           // 1-based
  bool other_since_ = false;       // another line stands after the last instruction
  bool in_table_ = false;          // in a string of a table in the header
  std::size_t fragment_lines_ = 0;
  bool open_instruction_ = false, quoted_ = false;
  long depth_ = 0;
  int lines_open_ = 0;
};

}  // namespace hlolint::logs
