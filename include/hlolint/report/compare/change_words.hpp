// What the reports of a comparison have in common.
#pragma once

#include <hlolint/compare/program_diff.hpp>
#include <hlolint/report/utf8.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace hlolint::report::detail {

/// `24.00MiB -> 40.00MiB (+16.00MiB, +66.7%)`
inline std::string change_words(const compare::changed_number& number) {
  return compare::number_text(number.before, number.unit) + " -> " + compare::number_text(number.after, number.unit) +
         " (" + compare::difference_text(number) + ")";
}

/// `..., 24 times [COL001, COL002]`
inline std::string change_words(const compare::module_change& change) {
  std::string out = change.text;
  if (change.count > 1) out += ", " + std::to_string(change.count) + " times";
  for (std::size_t i = 0; i < change.rules.size(); ++i) out += (i == 0 ? " [" : ", ") + change.rules[i];
  return change.rules.empty() ? out : out + "]";
}

/// `all-gather.7, was all-gather-start.3 and 2 others`; empty for what is about no instruction.
inline std::string instruction_words(const compare::module_change& change) {
  const auto names = [](const record_list<std::string>& list) {
    return list.size() == 1
               ? list.front()
               : list.front() + " and " + std::to_string(list.size() - 1) + (list.size() == 2 ? " other" : " others");
  };
  if (change.before == change.after || change.before.empty())
    return change.after.empty() ? std::string{} : names(change.after);
  return change.after.empty() ? "was " + names(change.before) : names(change.after) + ", was " + names(change.before);
}

/// `2 worse, 1 better and 1 otherwise changed in 3 modules`, or `no difference in 3 modules`.
inline std::string summary_words(const compare::program_diff& found) {
  const std::string modules = " in " + std::to_string(found.compared) + (found.compared == 1 ? " module" : " modules");
  std::string out;
  const auto add = [&](compare::change_verdict verdict, std::string_view word) {
    if (const std::size_t count = found.count(verdict))
      out += (out.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(word);
  };
  add(compare::change_verdict::worse, "worse"), add(compare::change_verdict::better, "better"),
      add(compare::change_verdict::neither, "otherwise changed");
  return (out.empty() ? "no difference" : out) + modules;
}

}  // namespace hlolint::report::detail
