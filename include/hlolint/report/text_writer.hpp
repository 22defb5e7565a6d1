// Writes the text report that text.hpp declares.
#pragma once

#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/report/findings/finding_groups.hpp>
#include <hlolint/report/findings/finding_overview.hpp>
#include <hlolint/report/rank_summary_text.hpp>
#include <hlolint/report/run_result.hpp>
#include <hlolint/report/source_line.hpp>
#include <hlolint/report/text.hpp>
#include <hlolint/report/utf8.hpp>
#include <hlolint/report/wrapped_text.hpp>
#include <hlolint/text/compiled.hpp>
#include <hlolint/text/number_text.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::report {

/// Writes one part of a text report.
class text_writer {
 public:
  /// Precondition: `to` outlives it.
  explicit text_writer(text_output& to) : out_(to.stream), options_(to.options), given_(to.advice) {}

  /// Writes one finding.
  void write(const diagnostic& found) { show(found, nullptr); }

  /// Writes a run, with its summary.
  void write(const run_result& run) {
    if (options_.statistics)
      write_statistics(out_, run.diagnostics);
    else
      each(run, options_.together && !options_.concise, options_.order);
    if (!options_.concise) skipped(run.skipped);
    if (!options_.concise && !run.compared) overview(recompiled_lines(run.inputs), false);
    if (run.compared) write_rank_summary(out_, *run.compared, options_.concise);
    if (!options_.concise && !run.compared) overview(headroom_lines(run), false);
    summary(run);
  }

  /// Writes the files of a run, one line each, and what could not be read.
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
    each(run, false, finding_order::file);
  }

 private:
  static constexpr std::string_view cyan = "1;36";
  static constexpr std::string_view color_of(severity level) {
    return level == severity::error ? "1;31" : level == severity::warning ? "1;35" : cyan;
  }

  void show(const diagnostic& found, const finding_group* group) {
    const std::string at = place_text(found.where);
    paint("1", at);
    paint(color_of(found.level), name_of(found.level));
    out_ << ':';
    std::string text = printable(found.message);
    if (group && group->findings.size() > 1) text += " (" + sum_text(*group) + ")";
    std::string rule;
    if (!found.rule.empty())
      rule = " [" + printable(found.rule) + (found.name.empty() ? "" : " ") + printable(found.name) + "]";
    message(text, rule, at.size() + name_of(found.level).size() + 2);
    if (options_.concise) return;
    excerpt(found.where, color_of(found.level));
    for (const related_place& other : found.related) {
      out_ << "  ";
      place(other.where);
      out_ << fitting(printable(other.message)) << '\n';
      excerpt(other.where, cyan);
    }
    const std::string line = file_and_line(found.source_file, found.source_line);
    if (!line.empty() || !found.op_name.empty())
      remark("program", line + (line.empty() || found.op_name.empty() ? "" : ", ") + found.op_name);
    else if (found.near)
      remark("program", "near " + text_of(*found.near));
    if (group && group->findings.size() > 1) also_at(*group);
    if (!found.advice.empty() && given_.insert(found.advice).second) remark("advice", found.advice);
  }

  /// The other places of a group, at most eight.
  void also_at(const finding_group& group) {
    constexpr std::size_t most = 8;
    std::string text;
    std::string_view path = group.first().where.in.path();
    for (std::size_t i = 1; i < group.findings.size() && i <= most; ++i) {
      const diagnostic& other = *group.findings[i];
      text += i > 1 ? ", " : "";
      if (other.where.in.path() != path) text += (path = other.where.in.path());
      text += ":" + std::to_string(other.where.begin().line);
      if (!other.instruction.empty()) text += " " + fitting(other.instruction);
    }
    if (group.findings.size() > most + 1)
      text += " and " + counted(group.findings.size() - most - 1, "other") + " (--no-group)";
    remark("also at", text);
  }

  /// Writes the message; `before` columns of its line are taken already.
  void message(const std::string& text, const std::string& rule, std::size_t before) {
    if (options_.wrap == 0) {
      out_ << ' ';
      paint("1", text);
      out_ << rule << '\n';
      return;
    }
    // After a long path the message begins on a new line.
    constexpr std::string_view margin = "    ";
    const std::size_t room = std::max<std::size_t>(options_.wrap, 30) - margin.size();
    std::size_t used = before;
    if (before + 30 > options_.wrap)
      out_ << '\n' << margin, used = margin.size();
    else
      out_ << ' ';
    const std::vector<std::string> lines =
        wrapped_lines(fitting(text), room, options_.wrap > used ? options_.wrap - used : room);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (i > 0) out_ << '\n' << margin, used = margin.size();
      paint("1", lines[i]);
    }
    if (!lines.empty()) used += columns_of(lines.back());
    if (used + columns_of(rule) > options_.wrap && !rule.empty())
      out_ << '\n' << margin << rule.substr(1) << '\n';
    else
      out_ << rule << '\n';
  }

  /// A text with its long words shortened in the middle: names may have thousands of characters.
  std::string fitting(std::string_view text) const {
    return detail::with_short_words(text,
                                    options_.wrap == 0 ? 160 : std::clamp<std::size_t>(options_.wrap / 2, 24, 64));
  }

  void paint(std::string_view color, std::string_view text) {
    if (options_.colors) out_ << "\x1b[" << color << 'm';
    out_ << text;
    if (options_.colors) out_ << "\x1b[0m";
  }

  void each(const run_result& run, bool together, finding_order order) {
    const std::vector<finding_group> groups = group_findings(run.diagnostics, together, order);
    const std::size_t shown = std::min(groups.size(), options_.top.value_or(groups.size()));
    std::size_t left_out = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (i >= shown) {
        left_out += groups[i].findings.size();
        continue;
      }
      show(groups[i].first(), &groups[i]);
      if (!options_.concise) out_ << '\n';
    }
    if (left_out > 0) out_ << "and " << counted(left_out, "more finding") << " (--top)\n";
    if (left_out > 0 && !options_.concise) out_ << '\n';
    if (!options_.concise && together && order == finding_order::impact) overview(costliest_lines(groups, run), true);
  }

  void overview(const std::vector<std::string>& lines, bool is_block) {
    for (const std::string& text : lines) {
      if (options_.wrap == 0)
        out_ << text << '\n';
      else
        for (const std::string& line : wrapped_lines(text, options_.wrap, options_.wrap)) out_ << line << '\n';
    }
    if (is_block && !lines.empty()) out_ << '\n';
  }

  static std::string place_text(const location& where) {
    const line_column at = where.begin();
    return printable(where.in.path()) + ':' + std::to_string(at.line) + ':' + std::to_string(at.column) + ": ";
  }
  void place(const location& where) { paint("1", place_text(where)); }

  void excerpt(const location& where, std::string_view color) {
    const std::size_t width = options_.wrap > 20 ? std::min(options_.width, options_.wrap - 10) : options_.width;
    const source_line line = show_line(where, width);
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
    if (options_.wrap <= 30) {
      out_ << ": " << printable(text) << '\n';
      return;
    }
    const std::vector<std::string> parts =
        wrapped_lines(fitting(printable(text)), options_.wrap - 4, options_.wrap - 4 - title.size());
    out_ << ':';
    for (std::size_t i = 0; i < parts.size(); ++i) out_ << (i > 0 ? "    " : " ") << parts[i] << '\n';
    if (parts.empty()) out_ << '\n';
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
      const std::string_view group = group_of_rule(rule_id);
      if (groups.empty() || groups.back().first != group) groups.emplace_back(group, 0);
      ++groups.back().second;
    }
    std::vector<std::string> words;
    for (const auto& [group, count] : groups) words.push_back(std::to_string(count) + ' ' + group);
    return joined(words, words.size()) + " rules";
  }

  /// Writes one line: the checks that were skipped for each reason, and in how many modules. Reasons that differ only
  /// in numbers count as one, without the numbers.
  void skipped(const std::vector<skipped_check>& checks) {
    struct counts {
      std::set<std::string> rules, modules, reasons;
    };
    std::map<std::string, counts> alike;
    for (const skipped_check& check : checks) {
      counts& of = alike[detail::skeleton(check.reason)];
      of.rules.insert(check.rule), of.modules.insert(check.module), of.reasons.insert(check.reason);
    }
    std::string_view before = "not checked: ";
    for (const auto& [words, of] : alike) {
      const std::string& first = *of.reasons.begin();
      const std::string reason = of.reasons.size() == 1 ? first : first.substr(0, first.find(", "));
      out_ << before << rule_words({of.rules.begin(), of.rules.end()});
      if (of.modules.size() > 1) out_ << " in " << counted(of.modules.size(), "module");
      out_ << " (" << printable(reason) << ")";
      before = "; ";
    }
    if (!alike.empty()) out_ << '\n';
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
    if (const std::string hidden = hidden_notes_text(run.not_shown, run.not_searched); !hidden.empty())
      out_ << "; " << hidden;
    out_ << '\n';
  }

  std::ostream& out_;
  const text_options& options_;
  std::set<std::string>& given_;  // advice
};

HLOLINT_INLINE void write_text(text_output& to, const diagnostic& found) { text_writer(to).write(found); }
HLOLINT_INLINE void write_text(text_output& to, const run_result& run) { text_writer(to).write(run); }
HLOLINT_INLINE void write_inputs(text_output& to, const run_result& run) { text_writer(to).inputs(run); }

}  // namespace hlolint::report
