// The front door: checks and a module in, findings out.
#pragma once

#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/inputs/pairing.hpp>
#include <hlolint/lint/run.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint {

/// What linting one module, or several, gave. A range of the findings.
struct findings {
  std::vector<diagnostic> diagnostics;   ///< per module: HLO before buffers, then in text order
  std::vector<skipped_check> skipped;  ///< checks that were enabled and could not run

  /// The first finding.
  auto begin() const { return diagnostics.begin(); }
  /// One past the last finding.
  auto end() const { return diagnostics.end(); }
  /// How many findings there are.
  std::size_t size() const { return diagnostics.size(); }
  /// Whether there are none. Checks may have been skipped.
  bool empty() const { return diagnostics.empty(); }
  /// Precondition: i < size().
  const diagnostic& operator[](std::size_t i) const { return diagnostics[i]; }
};

/// Sorts the findings of one module: by text (HLO first, then the buffer files), place, rule and message.
inline void sort_findings(std::vector<diagnostic>& list, const context& dump) {
  const auto text_number = [&](const source& text) {
    if (dump.hlo() && dump.hlo()->text().same_as(text)) return std::size_t{0};
    std::size_t number = 1;
    if (dump.buffers())
      for (const source& part : dump.buffers()->texts()) {
        if (part.same_as(text)) return number;
        ++number;
      }
    return number;
  };
  std::vector<std::pair<std::size_t, std::size_t>> order;  // text, position in the list
  for (std::size_t i = 0; i < list.size(); ++i) order.emplace_back(text_number(list[i].where.in), i);
  std::sort(order.begin(), order.end(), [&](const auto& x, const auto& y) {
    const diagnostic &a = list[x.second], &b = list[y.second];
    return std::tie(x.first, a.where.at.begin, a.rule, a.message, x.second) <
           std::tie(y.first, b.where.at.begin, b.rule, b.message, y.second);
  });
  std::vector<diagnostic> sorted;
  sorted.reserve(list.size());
  for (const auto& [text, i] : order) sorted.push_back(std::move(list[i]));
  list = std::move(sorted);
}

/// Runs a check or a catalogue on one module. Findings are sorted and have fingerprints.
/// Precondition: `settings` has one entry per check.
template <class Checks>
findings lint(const Checks& checks, const context& dump, const rule_settings& settings) {
  findings out;
  out.skipped = run(as_catalogue(checks), dump,
                    [&](diagnostic&& finding) { out.diagnostics.push_back(std::move(finding)); }, settings);
  sort_findings(out.diagnostics, dump);
  add_fingerprints(out.diagnostics);
  return out;
}
/// With the default settings.
template <class Checks>
findings lint(const Checks& checks, const context& dump) {
  return lint(checks, dump, default_settings(as_catalogue(checks)));
}

/// For a module without buffers, buffers without a module, or both. The target is decided by the contents.
template <class Checks>
findings lint(const Checks& checks, const hlo_module& module) {
  return lint(checks, context({.hlo = module, .target = target_of_module(module)}));
}
/// For buffers without a module. The target is decided by the contents.
template <class Checks>
findings lint(const Checks& checks, const buffer_dump& buffers) {
  return lint(checks, context({.buffers = buffers, .target = target_of_buffers(buffers)}));
}
/// For a module and its buffers. The target is decided by the contents.
template <class Checks>
findings lint(const Checks& checks, const hlo_module& module, const buffer_dump& buffers) {
  const target backend = decide_target({}, std::vector<std::string>{}, &module, &buffers);
  return lint(checks, context({.hlo = module, .buffers = buffers, .target = backend}));
}

/// For all files of a program: pairs them and lints every module. Reading problems of the files are not among the
/// findings.
template <class Checks>
findings lint(const Checks& checks, const std::vector<parsed_file>& files, std::optional<target> given = std::nullopt) {
  std::vector<input_file> inputs;
  for (const parsed_file& file : files) inputs.push_back({file.text.path(), &file, true});
  findings out;
  for (const module_group& group : pair_files(inputs).groups) {
    findings of_module = lint(checks, context(parts_of(group, inputs, given)));
    std::move(of_module.diagnostics.begin(), of_module.diagnostics.end(), std::back_inserter(out.diagnostics));
    std::move(of_module.skipped.begin(), of_module.skipped.end(), std::back_inserter(out.skipped));
  }
  add_fingerprints(out.diagnostics);
  return out;
}
/// For one file, which may hold several modules.
template <class Checks>
findings lint(const Checks& checks, const parsed_file& file) {
  return lint(checks, std::vector<parsed_file>{file});
}

}  // namespace hlolint
