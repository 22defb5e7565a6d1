// Reads the modules of a text: the rules in order, recovery between them, and what can be said of a whole module.
#pragma once

#include <hlolint/grammar/computation.hpp>
#include <hlolint/grammar/module_rules.hpp>
#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/text/sort_by_place.hpp>
#include <hlolint/text/escape.hpp>
#include <hlolint/text/say.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::grammar {

/// A template so that the grammar costs nothing to those who only include it.
template <class Builder = module_builder>
class hlo_reader {
 public:
  explicit hlo_reader(source text) : b_(std::move(text)) {
    const std::string_view whole = b_.text().text();
    begin_ = whole.data();
    last_ = begin_ + whole.size();
    out_.text = b_.text();
    out_.kind = input_kind::hlo;
  }

  parsed_file read() && {
    reserve();
    const char* p = after_hash_lines(begin_);
    for (;;) {
      const char* const next = scan::blanks(p, last_);
      if (next == last_) break;
      p = read_module(next);
    }
    // What stands behind a comment that does not end was not read.
    if (const char* const comment = endless_comment(p, last_))
      b_.diagnostics.push_back(b_.about("SYN001", "syntax", comment, "expected '*/' at the end of this comment"));
    const bool errors = std::any_of(b_.diagnostics.begin(), b_.diagnostics.end(),
                                    [](const diagnostic& d) { return d.level == severity::error; });
    if (out_.modules.empty() && !errors)
      b_.diagnostics.push_back(b_.about("SYN000", "unreadable-input", begin_, "there is no HLO module in this text"));
    sort_by_place(b_.diagnostics);
    out_.status = out_.modules.empty() ? parse_status::failed : errors ? parse_status::partial : parse_status::ok;
    out_.diagnostics = std::move(b_.diagnostics);
    return std::move(out_);
  }

 private:
  /// Lit tests in the manner of Python begin with such lines.
  const char* after_hash_lines(const char* p) const {
    for (;;) {
      const char* token = p;
      while (token != last_ && (*token == ' ' || *token == '\n' || *token == '\r' || *token == '\t')) ++token;
      if (token == last_ || *token != '#') return p;
      const char* const end = scan::find(token, last_, '\n');
      if (!end) return last_;
      p = end + 1;
    }
  }

  /// An instruction takes at least a line: room for all of them now is cheaper than growing later. How many lines there
  /// are is told from every sixteenth part of the text.
  void reserve() {
    constexpr std::size_t part = 4096, step = 16 * part;
    const auto size = static_cast<std::size_t>(last_ - begin_);
    std::size_t lines = 0, seen = 0;
    for (std::size_t at = 0; at < size; at += step) {
      const char* const end = begin_ + std::min(size, at + part);
      seen += static_cast<std::size_t>(end - (begin_ + at));
      for (const char* p = begin_ + at; (p = scan::find(p, end, '\n')) != nullptr; ++p) ++lines;
    }
    if (seen != 0) lines = size / seen * lines + lines;
    b_.data->instructions.reserve(lines);
    b_.data->operands.reserve(lines + lines / 4);
    b_.data->attribute_pool.reserve(lines + lines / 4);
  }

  template <class Rule>
  bool matches(const Rule& rule, const char*& p) {
    b_.failure = {};
    return parse_with(rule, p, last_, b_);
  }
  bool at_word(const char* p, std::string_view text) const {
    const char* const end = scan::identifier(p, last_);
    return end && view(p, end) == text;
  }
  /// A line `// -----` among the blanks before `to` ends a module.
  static bool separates(const char* from, const char* to) {
    const std::string_view between = view(from, to);
    for (std::size_t at = between.find("// -----"); at != std::string_view::npos; at = between.find("// -----", at + 1))
      if ((at == 0 || between[at - 1] == '\n') && between.find_first_not_of(" \t\r", at + 8) == between.find('\n', at)) return true;
    return false;
  }

  const char* read_module(const char* p) {
    if (!out_.modules.empty()) b_.start_module();
    b_.data->extent.begin = b_.offset(p);
    cut_ = false;
    if (at_word(p, "HloModule")) {
      const char* const header = p;
      if (!matches(module_header, p)) {
        // What was read of the header stays; the computations are found again by their look.
        if (b_.failure.where == last_ || header_end(header) == last_) return cut_off(header, "the module header");
        report_failure(b_, last_);
        p = b_.data->has_header ? std::min(header_end(header), last_) : next_computation(begin_, header, last_);
        b_.lost_computations |= !b_.data->has_header;
      }
      b_.data->attributes = {static_cast<id>(b_.data->attribute_pool.size()), static_cast<id>(b_.attributes.size())};
      b_.data->attribute_pool.insert(b_.data->attribute_pool.end(), b_.attributes.begin(), b_.attributes.end());
      b_.attributes.clear();
      check_embedded_modules();
      if (!b_.broken.empty()) b_.report_broken({});
      p = read_stack_tables(p);
    } else if (stands_alone(p)) {
      return read_single(p);
    }
    const char* end = p;
    for (;;) {
      const char* const next = scan::blanks(p, last_);
      if (next == last_) break;
      if (at_word(next, "HloModule")) {
        p = next;
        break;
      }
      if (separates(p, next) && !b_.data->computations.empty()) {
        p = next;
        break;
      }
      end = p = read_computation(next);
    }
    finish(end);
    return p;
  }

  /// Texts in the recovery table are modules, and one message says what is wrong with each.
  void check_embedded_modules() {
    for (const std::string_view quoted : std::exchange(b_.embedded_modules, {})) {
      const parsed_file inner = hlo_reader(source(unescape(quoted))).read();
      const auto wrong = std::find_if(inner.diagnostics.begin(), inner.diagnostics.end(),
                                      [](const diagnostic& d) { return d.level == severity::error; });
      if (wrong == inner.diagnostics.end()) continue;
      const line_column at = wrong->where.begin();
      b_.broke(quoted.data(), say({"the module in this string cannot be read; in its line ", at.line, ", column ", at.column, ": ", wrong->message}));
    }
  }

  /// A header that could not be read to its end: it ends with its line.
  const char* header_end(const char* header) const {
    const char* const end = scan::find(header, last_, '\n');
    return end ? end : last_;
  }

  const char* read_stack_tables(const char* p) {
    const char* const begin = scan::blanks(p, last_);
    if (!at_word(begin, "FileNames")) return p;
    if (matches(stack_tables, p)) return p;
    if (b_.failure.where == last_) return cut_off(p, "the stack tables");
    report_failure(b_, last_);
    // The first line after the tables is that of a computation: a name or ENTRY in the first column, then a brace.
    for (p = scan::find(begin, last_, '\n'); p; p = scan::find(p + 1, last_, '\n')) {
      const char* const line = p + 1;
      if (line == last_) break;
      if (*line == '%' || starts_with(line, last_, "ENTRY ") || starts_with(line, last_, "HloModule ")) return line;
      const char* const name = scan::identifier(line, last_);
      if (!name) continue;
      const char* const next = scan::blanks(name, last_);
      if (next != last_ && (*next == '{' || *next == '(')) return line;
    }
    return last_;
  }

  /// `name = ...` or `shape opcode(...)`: an instruction without a computation around it.
  bool stands_alone(const char* p) const {
    if (begins_instruction(p, last_)) return true;
    const char* const end = scan_shape::extent(p, last_);
    if (!end || *p == '%') return false;
    const char* const next = scan::blanks(end, last_);
    return scan::identifier(next, last_) != nullptr;
  }

  const char* read_single(const char* p) {
    b_.open_computation_at(p);
    open_computation& c = b_.computation();
    c.single = true;
    c.record.anonymous = true;
    c.record.name = b_.synthesize_name("_");
    const char* const begin = p;
    bool read = false;
    if (begins_instruction(p, last_)) {
      read = matches(instruction, p);
    } else {
      push_pending(b_, p);
      read = matches(right_hand_side >> instruction_rules_of::attributes, p);
      if (read) {
        b_.pending.back().record.origin = node_origin::synthesized;
        b_.pending.back().record.name = b_.synthesize_name("_");
        c.marked_root = instruction_complete(b_, p);
        b_.pending.pop_back();
        b_.report_broken({});
      }
    }
    if (!read) {
      b_.rewind({0, 0, 0, 0, 0, 0, 0});
      if (b_.failure.where == last_) return cut_off(p, "an instruction");
      report_failure(b_, last_);
      return last_;
    }
    b_.close_computation(p);
    const char* const next = scan::blanks(p, last_);
    const bool more = next != last_ && !separates(p, next);
    if (more) {
      b_.diagnostics.push_back(b_.about("SYN001", "syntax", next,
                                        say({"expected the end of the text after an instruction that stands alone, found ", found_at(next, last_)})));
    }
    b_.data->extent.begin = b_.offset(begin);
    finish(p);
    return more ? last_ : next == last_ ? p : next;
  }

  /// Between two instructions of a computation that is in no other.
  static constexpr module_builder::mark in_body{1, 0, 0, 0, 0, 0, 0};

  const char* read_computation(const char* begin) {
    const char* p = begin;
    b_.open_computation_at(begin);
    if (!matches(computation_head, p)) {
      const bool cut = b_.failure.where == last_;
      b_.drop_computation();
      b_.lost_computations = true;
      if (cut || !scan::find(begin, last_, '\n')) return cut_off(begin, "the head of a computation");
      report_failure(b_, last_);
      return next_computation(begin_, begin, last_);
    }
    open_computation& c = b_.computation();
    if (!b_.broken.empty()) b_.report_broken({});
    for (;;) {
      p = scan::blanks(p, last_);
      if (p == last_) return cut_computation(p);
      if (*p == '}') break;
      const char* const instruction_begin = p;
      const std::size_t said = b_.diagnostics.size();
      if (matches(instruction, p)) {
        if (p != last_) continue;
        // The text ends right behind it, so it need not be whole.
        b_.diagnostics.resize(said);
        c.instructions.pop_back();
        if (c.marked_root == c.instructions.size()) c.marked_root = none;
        return cut_computation(instruction_begin);
      }
      // Nothing was expected further on, or the last line of the text is what could not be read.
      const bool cut = b_.failure.where == last_ || !b_.failure.where || !scan::find(instruction_begin, last_, '\n');
      const std::string_view name = b_.pending.empty() ? std::string_view{} : b_.pending[0].name;
      b_.rewind(in_body);
      const char* const next = next_instruction(begin_, instruction_begin, last_);
      if (cut && !next) return cut_computation(instruction_begin);
      report_failure(b_, last_);
      c.damaged = true;
      if (name.empty()) c.lost_names = true;
      else c.undefined.push_back(name);
      if (!next) {
        b_.lost_computations = true;
        close(instruction_begin);
        return next_computation(begin_, instruction_begin, last_);
      }
      p = next;
    }
    if (c.instructions.empty() && !c.damaged) b_.broke(p, "a computation holds at least one instruction");
    if (!matches(computation_end, p)) {
      if (b_.failure.where == last_) return cut_computation(p);
      report_failure(b_, last_);
      p = scan::find(p, last_, '\n') ? scan::find(p, last_, '\n') : last_;
    }
    close(p);
    return p;
  }

  /// Files the innermost computation under its name.
  void close(const char* end) {
    open_computation& c = b_.computation();
    body_complete(b_);
    c.record.attributes = {static_cast<id>(b_.data->attribute_pool.size()), static_cast<id>(b_.attributes.size())};
    b_.data->attribute_pool.insert(b_.data->attribute_pool.end(), b_.attributes.begin(), b_.attributes.end());
    b_.attributes.clear();
    const std::string_view name = c.name;
    // The root may be the instruction that could not be read.
    const bool rootless = c.damaged && c.marked_root == none;
    const id declared = rootless ? none : c.declared_result;
    const id number = b_.close_computation(end);
    if (rootless) b_.rootless.push_back(number);
    if (const id other = b_.computation_names.insert(name, number); other != none)
      b_.broke(name, say({"computation '", name, "' is defined twice"}), b_.written(b_.data->computations[other].name),
               "the first definition");
    check_signature(b_, number, declared);
    if (!b_.broken.empty()) b_.report_broken({});
  }

  /// The text ends inside a computation: its whole instructions are kept.
  const char* cut_computation(const char* at) {
    open_computation& c = b_.computation();
    c.lost_names = c.damaged = true;
    cut_off(at, say({"computation '", c.name, "'"}));
    if (c.instructions.empty()) {
      b_.drop_computation();
    } else {
      c.record.complete = false;
      close(last_);
    }
    return last_;
  }
  const char* cut_off(const char* at, const std::string& where) {
    cut_ = true;
    b_.lost_computations = true;
    b_.diagnostics.push_back(b_.about("SYN001", "syntax", at == last_ && at != begin_ ? at - 1 : at, say({"the text is cut off inside ", where})));
    b_.failure = {};
    return last_;
  }

  void finish(const char* end) {
    b_.data->extent.end = b_.offset(end);
    module_rules(b_, cut_).check();
    if (!b_.data->computations.empty() || b_.data->has_header) out_.modules.emplace_back(b_.data);
  }

  Builder b_;
  const char* begin_ = nullptr;
  const char* last_ = nullptr;
  bool cut_ = false;
  parsed_file out_;
};

}  // namespace hlolint::grammar
