// The main entry: runs checks on a module and returns findings.
#pragma once

#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/inputs/pairing.hpp>
#include <hlolint/lint/run.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace hlolint {

/// The result of linting one or several modules; a range of findings.
struct findings {
  std::vector<diagnostic> diagnostics;  ///< per module: HLO before buffers, then in text order
  std::vector<skipped_check> skipped;   ///< enabled checks that could not run

  /// The first finding.
  auto begin() const { return diagnostics.begin(); }
  /// One past the last finding.
  auto end() const { return diagnostics.end(); }
  /// The number of findings.
  std::size_t size() const { return diagnostics.size(); }
  /// Whether there are no findings. Checks may have been skipped.
  bool empty() const { return diagnostics.empty(); }
  /// Finding `i`. Precondition: i < size().
  const diagnostic& operator[](std::size_t i) const { return diagnostics[i]; }
};

/// Sorts the findings of one module: by text (HLO first, then the buffer files), place, rule and message.
void sort_findings(std::vector<diagnostic>& list, const context& dump);

namespace detail {
// The functions below for type-erased checks, compiled once.
findings lint_listed(std::span<const listed_check> list, const context& dump, const rule_settings* settings);
findings lint_listed(std::span<const listed_check> list, const hlo_module* module, const buffer_dump* buffers);
findings lint_listed(std::span<const listed_check> list, std::span<const parsed_file> files,
                     std::optional<target> given);
}  // namespace detail

/// Runs a check or a catalogue on one module. Findings are sorted and have fingerprints.
/// Precondition: `settings` has one entry per check.
template <class Checks>
findings lint(const Checks& checks, const context& dump, const rule_settings& settings) {
  const auto list = as_catalogue(checks);
  return detail::lint_listed(listed_checks(list), dump, &settings);
}
/// With the default settings.
template <class Checks>
findings lint(const Checks& checks, const context& dump) {
  const auto list = as_catalogue(checks);
  return detail::lint_listed(listed_checks(list), dump, nullptr);
}

/// For a module without buffers. The target is decided by its content.
template <class Checks>
findings lint(const Checks& checks, const hlo_module& module) {
  const auto list = as_catalogue(checks);
  return detail::lint_listed(listed_checks(list), &module, nullptr);
}
/// For buffers without a module. The target is decided by their content.
template <class Checks>
findings lint(const Checks& checks, const buffer_dump& buffers) {
  const auto list = as_catalogue(checks);
  return detail::lint_listed(listed_checks(list), nullptr, &buffers);
}
/// For a module and its buffers. The target is decided by their content.
template <class Checks>
findings lint(const Checks& checks, const hlo_module& module, const buffer_dump& buffers) {
  const auto list = as_catalogue(checks);
  return detail::lint_listed(listed_checks(list), &module, &buffers);
}

/// For all files of a program: pairs them and lints every module. Findings do not include problems of reading files.
template <class Checks>
findings lint(const Checks& checks, const std::vector<parsed_file>& files, std::optional<target> given = std::nullopt) {
  const auto list = as_catalogue(checks);
  return detail::lint_listed(listed_checks(list), files, given);
}
/// For one file, which may hold several modules.
template <class Checks>
findings lint(const Checks& checks, const parsed_file& file) {
  const auto list = as_catalogue(checks);
  return detail::lint_listed(listed_checks(list), std::span<const parsed_file>(&file, 1), std::nullopt);
}

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/text/sorting.hpp>

#include <iterator>
#include <string>
#include <utility>

namespace hlolint {

HLOLINT_INLINE void sort_findings(std::vector<diagnostic>& list, const context& dump) {
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
  std::stable_sort(order.begin(), order.end(), [&](const auto& x, const auto& y) {
    const diagnostic &a = list[x.second], &b = list[y.second];
    return in_order(x.first, y.first, a.where.at.begin, b.where.at.begin, a.rule, b.rule, a.message, b.message,
                    x.second, y.second);
  });
  std::vector<diagnostic> sorted;
  sorted.reserve(list.size());
  for (const auto& [text, i] : order) sorted.push_back(std::move(list[i]));
  list = std::move(sorted);
}

namespace detail {

HLOLINT_INLINE findings lint_listed(std::span<const listed_check> list, const context& dump,
                                    const rule_settings* settings) {
  findings out;
  const auto keep = [&](diagnostic&& finding) { out.diagnostics.push_back(std::move(finding)); };
  out.skipped = run(list, dump, diagnostic_sink_ref(keep), settings ? *settings : default_settings(list));
  sort_findings(out.diagnostics, dump);
  add_fingerprints(out.diagnostics);
  return out;
}

HLOLINT_INLINE findings lint_listed(std::span<const listed_check> list, const hlo_module* module,
                                    const buffer_dump* buffers) {
  context::parts parts;
  if (module) parts.hlo = *module;
  if (buffers) parts.buffers = *buffers;
  parts.target = decide_target({}, std::vector<std::string>{}, module, buffers);
  return lint_listed(list, context(std::move(parts)), nullptr);
}

HLOLINT_INLINE findings lint_listed(std::span<const listed_check> list, std::span<const parsed_file> files,
                                    std::optional<target> given) {
  std::vector<input_file> inputs;
  for (const parsed_file& file : files) inputs.push_back({file.text.path(), &file, true});
  findings out;
  for (const module_group& group : pair_files(inputs).groups) {
    findings of_module = lint_listed(list, context(parts_of(group, inputs, given)), nullptr);
    std::move(of_module.diagnostics.begin(), of_module.diagnostics.end(), std::back_inserter(out.diagnostics));
    std::move(of_module.skipped.begin(), of_module.skipped.end(), std::back_inserter(out.skipped));
  }
  add_fingerprints(out.diagnostics);
  return out;
}

}  // namespace detail

}  // namespace hlolint
#endif
