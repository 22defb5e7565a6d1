// Which parameters a module that was compiled again gives its results no longer.
#pragma once

#include <hlolint/compare/diff_options.hpp>
#include <hlolint/compare/matched_entries.hpp>
#include <hlolint/compare/module_summary.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <string>

namespace hlolint::compare::detail {

/// Parameters are known by their numbers; if there are more or fewer of them now, by name and shape.
inline void diff_donations(const module_summary& before, const module_summary& after, const diff_options& options,
                           record_list<module_change>& out) {
  if (!before.has_hlo || !after.has_hlo) return;
  const bool same_numbers = before.parameters.size() == after.parameters.size();
  const auto by_number = [&](const donation_summary& d) {
    return same_numbers ? std::to_string(d.parameter) + to_string(d.index) : std::string{};
  };
  const auto by_name = [&](const donation_summary& d) {
    return same_numbers || d.op_name.empty() ? std::string{} : joined_key(d.op_name, to_string(d.index), d.shape);
  };
  const auto by_shape = [&](const donation_summary& d) { return same_numbers ? std::string{} : d.shape; };
  const matched_entries found = match_entries(before.donations, after.donations, by_number, by_name, by_shape);
  const auto report = [&](change_verdict verdict, const donation_summary* was, const donation_summary* is,
                          const std::string& what) {
    const donation_summary& about = is ? *is : *was;
    if (about.bytes > 0 && about.bytes <= options.tolerance.bytes) return;
    module_change& change = out.emplace_back();
    change.kind = change_kind::donation;
    change.verdict = verdict;
    change.text = "parameter " + std::to_string(about.parameter) +
                  (about.index.empty() ? "" : " at index " + to_string(about.index));
    std::string notes = about.shape;
    if (about.bytes > 0) notes += (notes.empty() ? "" : ", ") + human(about.bytes);
    if (!about.op_name.empty()) notes += (notes.empty() ? "" : ", ") + about.op_name;
    change.text += (notes.empty() ? "" : " (" + notes + ")") + what;
    const auto name = [&](const donation_summary* d, const module_summary& of, record_list<std::string>& names) {
      const auto number = static_cast<std::size_t>(about.parameter);
      if (d && !d->instruction.empty()) names.push_back(d->instruction);
      if (!d && same_numbers && number < of.parameters.size()) names.push_back(of.parameters[number]);
    };
    name(was, before, change.before), name(is, after, change.after);
  };
  const auto output_text = [](const donation_summary& d) { return "output " + to_string(*d.output); };
  for (const std::size_t i : found.gone) {
    const donation_summary& d = before.donations[i];
    report(change_verdict::worse, &d, nullptr,
           d.output ? " is no longer donated to " + output_text(d) : std::string(" is no longer a buffer donor"));
  }
  for (const auto& [i, j] : found.pairs) {
    const donation_summary &was = before.donations[i], &is = after.donations[j];
    if (was.output && !is.output)
      report(change_verdict::worse, &was, &is,
             " is still a buffer donor, but no longer shares the buffer of " + output_text(was));
    if (!was.output && is.output)
      report(change_verdict::better, &was, &is, " was a buffer donor, and now shares the buffer of " + output_text(is));
  }
  for (const std::size_t j : found.added) {
    const donation_summary& d = after.donations[j];
    report(change_verdict::better, nullptr, &d,
           d.output ? " is now donated to " + output_text(d) : std::string(" is now a buffer donor"));
  }
}

}  // namespace hlolint::compare::detail
