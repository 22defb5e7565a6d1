// What changed between two compilations, for people: as text, and as a comment on a pull request.
#pragma once

#include <hlolint/report/findings/finding_groups.hpp>
#include <hlolint/report/markup.hpp>
#include <hlolint/text/checked.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/tool/compare/program_diff.hpp>
#include <hlolint/tool/report/small_modules.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint::report {

namespace detail {

/// `24.00MiB -> 40.00MiB (+16.00MiB, +66.7%)`
inline std::string change_words(const compare::changed_number& number) {
  const std::string about = number.is_rough ? "~" : "";
  return about + compare::amount_text(number.before, number.unit) + " -> " + about +
         compare::amount_text(number.after, number.unit) + " (" + compare::difference_text(number) + ")";
}

/// `..., 24 times [COL001, COL002]`
inline std::string change_words(const compare::module_change& change) {
  std::string out = change.text;
  if (change.count > 1) out += ", " + std::to_string(change.count) + " times";
  for (std::size_t i = 0; i < change.rules.size(); ++i) out += (i == 0 ? " [" : ", ") + change.rules[i];
  return change.rules.empty() ? out : out + "]";
}

/// `all-gather.7, was all-gather-start.3 and 2 others`; empty if the change is about no instruction.
inline std::string instruction_words(const compare::module_change& change) {
  const auto names = [](const std::vector<std::string>& list) {
    return list.size() == 1 ? list.front() : list.front() + " and " + counted(list.size() - 1, "other");
  };
  if (change.before == change.after || change.before.empty())
    return change.after.empty() ? std::string{} : names(change.after);
  return change.after.empty() ? "was " + names(change.before) : names(change.after) + ", was " + names(change.before);
}

/// `2 worse, 1 better and 1 otherwise changed in 3 modules`, or `no difference in 3 modules`.
inline std::string summary_words(const compare::program_diff& found) {
  const std::string modules = " in " + counted(found.compared, "module");
  std::string out;
  const auto add = [&](compare::change_verdict verdict, std::string_view word) {
    if (const std::size_t count = found.count(verdict))
      out += (out.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(word);
  };
  add(compare::change_verdict::worse, "worse"), add(compare::change_verdict::better, "better"),
      add(compare::change_verdict::neither, "otherwise changed");
  return (out.empty() ? "no difference" : out) + modules;
}

/// A change without what names and measures the array that it is about: its numbers, and what stands in parentheses.
inline std::string change_pattern(const compare::module_change& change) {
  std::string words;
  int depth = 0;
  for (const char c : change.text) {
    depth += c == '(' ? 1 : 0;
    if (depth == 0) words += c;
    depth -= c == ')' && depth > 0 ? 1 : 0;
  }
  return skeleton(words);
}

/// Changes of one module that are the same for several arrays, as the numbers of their entries in the diff; in the
/// order of the first ones. Only changes without numbers of their own are joined.
inline std::vector<std::vector<std::size_t>> alike_changes(const compare::program_diff& found) {
  std::vector<std::vector<std::size_t>> out;
  std::map<std::tuple<std::string, std::string, int, int, std::string>, std::size_t> known;
  for (std::size_t k = 0; k < found.changes.size(); ++k) {
    const compare::module_change& change = found.changes[k];
    const bool joins = !change.number && change.with.empty() && !change.module.empty();
    const auto [group, added] =
        known.try_emplace({change.module, change.file, static_cast<int>(change.verdict), static_cast<int>(change.kind),
                           joins ? change_pattern(change) : std::to_string(k)},
                          out.size());
    if (added) out.emplace_back();
    out[group->second].push_back(k);
  }
  return out;
}

/// `and 74 more like it: parameter 4, parameter 5 and 72 others, 1.20GiB together`
inline std::string alike_words(const compare::program_diff& found, const std::vector<std::size_t>& group) {
  constexpr std::size_t most = 3;
  checked_int64 bytes = 0;
  std::string out = "and " + std::to_string(group.size() - 1) + " more like it";
  for (std::size_t k = 0; k < group.size(); ++k) {
    const compare::module_change& change = found.changes[group[k]];
    bytes += change.bytes;
    const std::string names = instruction_words(change);
    if (k > 0 && k <= most && !names.empty()) out += (k == 1 ? ": " : ", ") + names;
  }
  if (group.size() - 1 > most) out += ", ...";
  return bytes.clamped() > 0 ? out + "; " + human(bytes.clamped()) + " together" : out;
}

/// One line about the changes of modules of one operation.
inline void write_helper_changes(std::ostream& out, const compare::program_diff& found, std::size_t width) {
  compare::program_diff of_helpers;
  std::set<std::pair<std::string_view, std::string_view>> modules;
  for (const compare::module_change& change : found.changes)
    if (change.helper) of_helpers.changes.push_back(change), modules.emplace(change.module, change.file);
  if (modules.empty()) return;
  std::vector<std::string_view> names;
  for (const auto& [module, file] : modules) names.push_back(module);
  of_helpers.compared = modules.size();
  detail::write_wrapped(out, helpers_text(names) + ": " + summary_words(of_helpers) + " (--format json lists them)", "",
                        width);
}

}  // namespace detail

/// Writes the changes of each module below its name, equal ones as one, and a line with their numbers.
inline void write_diff(std::ostream& out, const compare::program_diff& found) {
  constexpr std::size_t width = 100;
  const compare::module_change* last = nullptr;
  const bool apart = found.programs > 0;  // what JAX compiles beside them is one line
  for (const std::vector<std::size_t>& group : detail::alike_changes(found)) {
    const compare::module_change& change = found.changes[group.front()];
    if (apart && change.helper) continue;
    if (!last || last->module != change.module || last->file != change.file) {
      const bool several = change.kind == compare::change_kind::module && change.module.empty() &&
                           change.before.size() + change.after.size() > 0;
      out << (last ? "\n" : "")
          << (several                 ? std::string("modules on one side only")
              : change.module.empty() ? std::string("module without a name")
                                      : "module " + printable(change.module));
      if (!change.file.empty() && !several) out << " (" << printable(change.file) << ')';
      out << '\n';
    }
    last = &change;
    std::string text = detail::change_words(change);
    if (change.number) text += ": " + detail::change_words(*change.number);
    detail::write_beside(out, name_of(change.verdict), printable(text), 11, width);
    const std::string margin(13, ' ');
    for (const compare::changed_number& number : change.with)
      out << margin << printable(number.what) << ": " << detail::change_words(number) << '\n';
    if (const std::string names = detail::instruction_words(change); !names.empty())
      out << margin << printable(names) << '\n';
    if (group.size() > 1) detail::write_wrapped(out, printable(detail::alike_words(found, group)), margin, width);
  }
  if (last) out << '\n';
  if (apart) detail::write_helper_changes(out, found, width);
  for (const std::string& remark : found.remarks) detail::write_wrapped(out, printable(remark), "", width);
  out << detail::summary_words(found) << '\n';
}

/// Writes a table of the changes; a last line counts the rows that are not shown. `problems`: of reading.
inline void write_diff_markdown(std::ostream& out, const compare::program_diff& found,
                                const std::vector<diagnostic>& problems = {}) {
  constexpr std::size_t most_rows = 50;
  out << "### hlolint diff: " << detail::summary_words(found) << '\n';
  if (!found.changes.empty()) out << "\n| | module | what | old | new | change |\n|---|---|---|---:|---:|---:|\n";
  std::size_t rows = 0;
  for (const compare::change_verdict verdict :
       {compare::change_verdict::worse, compare::change_verdict::better, compare::change_verdict::neither})
    for (const compare::module_change& change : found.changes) {
      if (change.verdict != verdict || rows++ >= most_rows) continue;
      out << "| " << (verdict == compare::change_verdict::worse ? "**worse**" : name_of(verdict)) << " | "
          << (change.module.empty() ? std::string{} : markdown_code(change.module)) << " | "
          << markdown_text(detail::change_words(change));
      for (const compare::changed_number& number : change.with)
        out << "<br>" << markdown_text(number.what + ": " + detail::change_words(number));
      if (const std::string names = detail::instruction_words(change); !names.empty())
        out << "<br>" << markdown_text(names);
      out << " | ";
      if (const auto& number = change.number)
        out << (number->is_rough ? "~" : "") << compare::amount_text(number->before, number->unit) << " | "
            << (number->is_rough ? "~" : "") << compare::amount_text(number->after, number->unit) << " | "
            << markdown_text(compare::difference_text(*number)) << " |\n";
      else
        out << "| | |\n";
    }
  if (rows > most_rows) out << '\n' << rows - most_rows << " more are not shown.\n";
  if (!found.remarks.empty() || !problems.empty()) out << '\n';
  for (const std::string& remark : found.remarks) out << "- " << markdown_text(remark) << '\n';
  for (const diagnostic& problem : problems)
    if (problem.level == severity::error)
      out << "- " << markdown_code(std::string(problem.where.in.path())) << ": " << markdown_text(problem.message)
          << '\n';
}

}  // namespace hlolint::report
