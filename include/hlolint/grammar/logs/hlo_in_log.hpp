// Finds HLO in a log: files that `--xla_dump_to=-` prints between `*** Begin FILE ***` and `*** End FILE ***`, and HLO
// whose lines have the prefix of a logging library or a launcher. All other text of the log is replaced by blanks, so
// that offsets, lines and columns stay valid for the log.
#pragma once

#include <hlolint/grammar/logs/line_prefix.hpp>
#include <hlolint/grammar/hlo/bracket_scan.hpp>
#include <hlolint/grammar/x3/scan.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::logs {

using grammar::view;

/// The HLO of a log.
struct log_text {
  /// A part that was skipped, for a note to the user.
  struct passed_over {
    std::size_t at = 0, size = 0;
    enum class what : std::uint8_t {
      process,  ///< HLO that another process printed in between
      section,  ///< a file between Begin and End without HLO
      program,  ///< MLIR, such as StableHLO, after a module
      text      ///< other text after a module, as in Markdown after a block of HLO
    } is = what::process;
  };
  std::string text;  ///< as long as the log
  record_list<passed_over> notes;
};

/// Whether a line begins a program in MLIR, such as StableHLO: `module @jit_f attributes {...} {`.
inline bool begins_mlir(std::string_view line) {
  if (!line.starts_with("module ")) return false;
  line.remove_prefix(7);
  return line.starts_with("@") || line.starts_with("attributes ") || line.starts_with("{");
}

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

/// Whether a text has a fence of Markdown or the beginning of a program in MLIR after its first line.
inline bool holds_other_text(std::string_view text) {
  for (const std::string_view mark : {"\n```", "\n~~~", "\nmodule @", "\nmodule attributes "})
    if (text.find(mark) != text.npos) return true;
  return false;
}

/// Finds the modules of a log, line by line.
class log_reader {
 public:
  explicit log_reader(std::string_view log) : log_(log), last_(log.data() + log.size()) {}

  /// Whether any line begins a module, possibly after a prefix.
  bool holds_module() const {
    for (std::size_t at = log_.find(header_word); at != log_.npos; at = log_.find(header_word, at + 1))
      if (prefix_before(log_.data() + at)) return true;
    return false;
  }

  /// Nothing if the text is not a log: it has no module, or computations stand before its first module.
  optional<log_text> read() && {
    if (!holds_module()) return std::nullopt;
    out_.text.assign(log_.size(), ' ');
    for (const char* line = log_.data(); line != last_;) {
      const char* const newline = scan::find(line, last_, '\n');
      const char* const end = newline ? newline : last_;
      if (!take(line, end)) return std::nullopt;
      if (newline) out_.text[static_cast<std::size_t>(newline - log_.data())] = '\n';
      line = newline ? newline + 1 : last_;
    }
    end_section();
    if (after_.size) out_.notes.push_back(after_);
    return std::move(out_);
  }

 private:
  enum class state { outside, header, between, inside };  // the place in a module and its computations
  static constexpr std::string_view header_word = "HloModule ";

  /// The text before `header` on its line, if it can be a prefix: empty, blanks, or text that ends in `:`, `]` or `>`.
  optional<std::string_view> prefix_before(const char* header) const {
    const char* line = header;
    while (line != log_.data() && line[-1] != '\n') --line;
    const std::string_view prefix = view(line, header);
    const std::size_t end = prefix.find_last_not_of(" \t");
    if (header + header_word.size() == last_ || !scan::is(scan::name_start, header[header_word.size()]))
      return std::nullopt;
    if (end == prefix.npos) return prefix;
    if (prefix.size() > 200) return std::nullopt;
    return prefix[end] == ':' || prefix[end] == ']' || prefix[end] == '>' ? optional(prefix) : std::nullopt;
  }

  /// The text of a line after the prefix of the current module; nothing if the line has another prefix.
  optional<std::string_view> after_prefix(std::string_view line) const {
    const std::string_view rest = logs::after_prefix(line, prefix_);
    return rest.data() ? optional(rest) : std::nullopt;
  }

  void keep(std::string_view part) {
    std::copy(part.begin(), part.end(), out_.text.begin() + (part.data() - log_.data()));
  }
  [[gnu::cold]] void end_section() {
    if (!section_.empty() && !section_held_module_)
      out_.notes.push_back({static_cast<std::size_t>(section_.data() - log_.data()), section_.size(),
                            log_text::passed_over::what::section});
    section_ = {};
  }

  /// Reads one line. False if it shows that the text is not a log.
  [[gnu::cold]] bool take(const char* begin, const char* end) {
    std::string_view line = view(begin, end);
    if (const std::size_t at = line.find("*** Begin "); at != line.npos && at < 200) {
      end_section();
      section_ = line.substr(at + 10, line.rfind(" ***") - (at + 10));
      section_held_module_ = false;
      state_ = state::outside;
      return true;
    }
    if (const std::size_t at = line.find("*** End "); at != line.npos && at < 200) {
      end_section();
      state_ = state::outside;
      return true;
    }
    if (const std::size_t at = line.find(header_word); at != line.npos)
      if (const auto prefix = prefix_before(begin + at)) return take_header(line, *prefix, end);
    if (state_ != state::outside && bare_ && ends_block(line)) state_ = state::outside, block_ended_ = true;
    if (state_ == state::outside && block_ended_) note_after(line);
    if (state_ == state::outside)
      return section_begun() || seen_module_ || !scan::begins_computation(scan::line_begin(begin, end).token, end);
    const auto rest = bare_ ? optional(line) : after_prefix(line);
    if (!rest) return true;  // of another process, or another message
    if (is_hlo(*rest)) keep(*rest);
    return true;
  }
  /// Whether a line after a module begins other text: the fence of a block in Markdown, a program in MLIR, or the end
  /// of a graph in a file of torch_xla (XLA_SAVE_TENSORS_FILE).
  static bool ends_block(std::string_view line) {
    return is_fence(line) || begins_mlir(line) || line.starts_with("## END_GRAPH");
  }
  static bool is_fence(std::string_view line) { return line.starts_with("```") || line.starts_with("~~~"); }
  /// Notes the first skipped line after a module, and the kind of text that it begins: one note for all lines.
  [[gnu::cold]] void note_after(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t\r`~");
    if (first == line.npos || is_fence(line)) return;
    const bool mlir = begins_mlir(line);
    using enum log_text::passed_over::what;
    if (after_.size == 0 || (mlir && after_.is == text))
      after_ = {static_cast<std::size_t>(line.data() - log_.data()) + first, line.size() - first,
                mlir ? program : text};
  }
  bool section_begun() const { return !section_.empty(); }

  [[gnu::cold]] bool take_header(std::string_view line, std::string_view prefix, const char* end) {
    const bool same = state_ != state::outside && (bare_ ? prefix.empty() : after_prefix(line).has_value());
    if (state_ != state::outside && !same && !(state_ == state::between && entry_seen_)) {
      out_.notes.push_back(
          {static_cast<std::size_t>(line.data() - log_.data()) + prefix.size(), line.size() - prefix.size()});
      return true;
    }
    prefix_ = prefix;
    // A message of many lines has its prefix only on its first line.
    bare_ = prefix.find_first_not_of(" \t") == prefix.npos || !next_line_has_prefix(end);
    if (bare_) prefix_ = {};
    state_ = state::header;
    entry_seen_ = block_ended_ = false;
    seen_module_ = section_held_module_ = true;
    keep(line.substr(prefix.size()));
    return true;
  }
  [[gnu::cold]] bool next_line_has_prefix(const char* newline) const {
    for (int lines = 0; lines < 20 && newline != last_; ++lines) {
      const char* const next = newline + 1;
      const char* const found = scan::find(next, last_, '\n');
      newline = found ? found : last_;
      if (after_prefix(view(next, newline))) return true;
    }
    return false;
  }

  /// Whether a line, without its prefix, is part of the current module.
  [[gnu::cold]] bool is_hlo(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == line.npos) return true;
    const char* const token = line.data() + first;
    const char* const end = line.data() + line.size();
    if (scan::begins_computation(token, end)) {
      state_ = state::inside;
      entry_seen_ |= line.substr(first).starts_with("ENTRY");
      return true;
    }
    if (state_ == state::inside && first == 0 && *token == '}') state_ = state::between;
    if (state_ == state::header || first != 0 || *token == '}' || *token == '%') return true;
    return line.starts_with("//") || line.starts_with("/*") ||
           (state_ == state::inside && scan::begins_instruction(token, end));
  }

  std::string_view log_;
  const char* last_;
  log_text out_;
  state state_ = state::outside;
  std::string_view prefix_;  // of the lines of the current module
  bool bare_ = true;         // the lines of the current module have no prefix
  bool entry_seen_ = false, seen_module_ = false;
  std::string_view section_;  // the name of the file in `*** Begin NAME ***`
  bool section_held_module_ = false;
  bool block_ended_ = false;     // a fence or another program ended the last module
  log_text::passed_over after_;  // text after modules; of size 0 if there is none
};

}  // namespace hlolint::logs
