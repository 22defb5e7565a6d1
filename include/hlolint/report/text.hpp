// The report for people: each finding with the line it stands in.
#pragma once

#include <hlolint/report/compare/rank_summary_text.hpp>
#include <hlolint/report/run_result.hpp>
#include <hlolint/report/source_line.hpp>
#include <hlolint/report/utf8.hpp>

#include <algorithm>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// How the text report looks.
struct text_options {
  bool colors = false;      ///< escape sequences for terminals
  bool concise = false;     ///< one line for each finding
  std::size_t width = 100;  ///< columns of a source line that are shown
};

/// `path:line:column: level: message [RULE name]`, the source line with a mark under the place, the other places of
/// the finding, and advice (each piece of advice once). A sink for single findings, or a renderer of a whole run.
class text_report {
 public:
  explicit text_report(std::ostream& out, text_options options = {}) : out_(out), options_(options) {}

  void operator()(const diagnostic& found) {
    place(found.where);
    paint(color_of(found.level), name_of(found.level));
    out_ << ": ";
    paint("1", printable(found.message));
    if (!found.rule.empty())
      out_ << " [" << printable(found.rule) << (found.name.empty() ? "" : " ") << printable(found.name) << ']';
    out_ << '\n';
    if (options_.concise) return;
    excerpt(found.where, color_of(found.level));
    for (const related_place& other : found.related) {
      out_ << "  ";
      place(other.where);
      out_ << printable(other.message) << '\n';
      excerpt(other.where, cyan);
    }
    if (!found.source_file.empty() || !found.op_name.empty()) {
      std::string from = found.source_file;
      if (!from.empty() && found.source_line > 0) from.append(":").append(std::to_string(found.source_line));
      if (!from.empty() && !found.op_name.empty()) from += ", ";
      remark("program", from + found.op_name);
    }
    if (!found.advice.empty() && given_.insert(found.advice).second) remark("advice", found.advice);
  }

  void operator()(const run_result& run) {
    each(run.diagnostics);
    if (!options_.concise) skipped(run.skipped);
    if (run.compared) write_rank_summary(out_, *run.compared, options_.concise);
    summary(run);
  }

  /// What a run read, one line for each file, and what it could not read.
  void inputs(const run_result& run) {
    for (const input_summary& input : run.inputs) {
      paint("1", printable(input.path));
      out_ << ": " << name_of(input.kind) << ", " << name_of(input.status);
      if (!input.module.empty()) out_ << ", module " << printable(input.module);
      if (input.modules > 1) out_ << " and " << counted(input.modules - 1, "other");
      const auto number = [&](const std::optional<std::size_t>& count, std::string_view what) {
        if (count) out_ << ", " << counted(*count, what);
      };
      number(input.computations, "computation");
      number(input.instructions, "instruction");
      number(input.allocations, "allocation");
      number(input.values, "value");
      out_ << '\n';
    }
    if (!run.diagnostics.empty()) out_ << '\n';
    each(run.diagnostics);
  }

 private:
  static constexpr std::string_view cyan = "1;36";
  static constexpr std::string_view color_of(severity level) {
    return level == severity::error ? "1;31" : level == severity::warning ? "1;35" : cyan;
  }

  void paint(std::string_view color, std::string_view text) {
    if (options_.colors) out_ << "\x1b[" << color << 'm';
    out_ << text;
    if (options_.colors) out_ << "\x1b[0m";
  }

  void each(const std::vector<diagnostic>& list) {
    for (const diagnostic& found : list) {
      if (found.dismissed) continue;
      (*this)(found);
      if (!options_.concise) out_ << '\n';
    }
  }

  void place(const location& where) {
    const line_column at = where.begin();
    paint("1", printable(where.in.path()) + ':' + std::to_string(at.line) + ':' + std::to_string(at.column) + ": ");
  }

  void excerpt(const location& where, std::string_view color) {
    const source_line line = show_line(where, options_.width);
    if (line.number == 0) return;
    const std::string number = std::to_string(line.number);
    const std::string margin(number.size() < 5 ? 5 - number.size() : 0, ' ');
    out_ << margin << number << " | " << line.text << '\n' << margin << std::string(number.size(), ' ') << " | ";
    const std::size_t blanks = line.mark.find_first_not_of(' ');
    out_ << line.mark.substr(0, blanks);
    paint(color, line.mark.substr(blanks));
    out_ << '\n';
  }

  void remark(std::string_view title, std::string_view text) {
    out_ << "  ";
    paint("1", title);
    out_ << ": " << printable(text) << '\n';
  }

  static std::string counted(std::size_t count, std::string_view what) {
    return std::to_string(count) + ' ' + std::string(what) + (count == 1 ? "" : "s");
  }
  template <class Texts>
  static std::string joined(const Texts& texts, std::size_t most) {
    std::string out;
    std::size_t count = 0;
    for (const auto& text : texts) {
      if (count == most) return out + " and " + counted(texts.size() - most, "other");
      if (count++ > 0) out += ", ";
      out += printable(text);
    }
    return out;
  }

  /// `MEM001, PAD005`, or `11 MEM, 2 PAD rules` if there are many.
  static std::string rule_words(const std::vector<std::string>& ids) {
    if (ids.size() <= 6) return joined(ids, ids.size());
    std::vector<std::pair<std::string, std::size_t>> groups;
    for (const std::string& rule_id : ids) {
      const std::string group = rule_id.substr(0, rule_id.find_first_of("0123456789"));
      if (groups.empty() || groups.back().first != group) groups.emplace_back(group, 0);
      ++groups.back().second;
    }
    std::vector<std::string> words;
    for (const auto& [group, count] : groups) words.push_back(std::to_string(count) + ' ' + group);
    return joined(words, words.size()) + " rules";
  }

  /// One line for all modules in which the same checks were skipped for the same reason.
  void skipped(const std::vector<skipped_check>& checks) {
    std::map<std::pair<std::string, std::string>, std::vector<std::string>> rules;  // by (module, reason)
    for (const skipped_check& check : checks) {
      std::vector<std::string>& ids = rules[{check.module, check.reason}];  // once, if several modules have this name
      if (std::find(ids.begin(), ids.end(), check.rule) == ids.end()) ids.push_back(check.rule);
    }
    std::map<std::pair<std::string, std::vector<std::string>>, std::vector<std::string>> modules;  // by (reason, rules)
    for (const auto& [key, ids] : rules)
      modules[{key.second, ids}].push_back(key.first.empty() ? "an unnamed module" : key.first);
    for (const auto& [key, names] : modules) {
      out_ << "not checked in " << joined(names, 3) << ": " << rule_words(key.second) << " ("
           << printable(key.first) << ")\n";
    }
  }

  void summary(const run_result& run) {
    const level_counts counts = count_levels(run.diagnostics);
    std::vector<std::string> parts;
    if (counts.errors) parts.push_back(counted(counts.errors, "error"));
    if (counts.warnings) parts.push_back(counted(counts.warnings, "warning"));
    if (counts.notes) parts.push_back(counted(counts.notes, "note"));
    if (parts.empty()) parts.push_back("no findings");
    if (counts.dismissed) parts.push_back(std::to_string(counts.dismissed) + " dismissed");
    out_ << joined(parts, parts.size()) << " in " << counted(run.inputs.size(), "file");
    std::size_t unread = 0;
    for (const input_summary& input : run.inputs) unread += input.status != parse_status::ok;
    if (unread) out_ << ", " << std::to_string(unread) << " of them not read in full";
    if (run.ignored_files) out_ << " (" << counted(run.ignored_files, "other file") << " left out)";
    out_ << '\n';
  }

  std::ostream& out_;
  text_options options_;
  std::set<std::string> given_;  ///< advice
};

}  // namespace hlolint
