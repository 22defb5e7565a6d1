// Baselines: known findings of a project, so that only new and worse ones are reported.
#pragma once

#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/lint/memory_summary.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/diagnostic.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// A group of equal findings.
struct baseline_entry {
  std::string key;          ///< their fingerprint_key
  std::string rule;         ///< id of the rule
  std::string module;       ///< without its number
  std::string instruction;  ///< of the first one, for readers
  std::size_t count = 0;    ///< number of findings
  byte_count bytes = 0;     ///< the most bytes of a finding; 0 = none
  friend bool operator==(const baseline_entry&, const baseline_entry&) = default;
};

/// The findings and the memory of a run, for comparison with later runs.
struct baseline {
  std::vector<baseline_entry> findings;                         ///< by key
  std::vector<memory_summary> modules;                          ///< by name
  fingerprint_version keys = fingerprint_version::all_numbers;  ///< how keys shorten names
  friend bool operator==(const baseline&, const baseline&) = default;

  /// The memory of a module, by its name without number; null if there is none.
  const memory_summary* module(std::string_view name) const {
    const auto found = std::find_if(modules.begin(), modules.end(),
                                    [&](const memory_summary& m) { return m.module == module_without_number(name); });
    return found == modules.end() ? nullptr : &*found;
  }
};

/// The entries of a run's findings, without reading errors and findings that a suppression dismissed.
inline std::vector<baseline_entry> baseline_entries(std::span<const diagnostic> findings) {
  std::map<std::string, baseline_entry> entries;
  for (const diagnostic& found : findings) {
    if (is_reading_error(found.rule) || (found.dismissed && !found.dismissed->by_baseline)) continue;
    baseline_entry& entry = entries[fingerprint_key(found)];
    if (entry.count++ == 0)
      entry = {fingerprint_key(found), found.rule, std::string(module_without_number(found.module)),
               found.instruction,      1,          0};
    entry.bytes = std::max(entry.bytes, found.bytes.value_or(0));
  }
  std::vector<baseline_entry> out;
  for (auto& [key, entry] : entries) out.push_back(std::move(entry));
  return out;
}

/// Dismisses the findings in the baseline: of equal ones as many as it counts, the smallest first, if they have no more
/// bytes than it allows; the message of one that grew ends with the baseline's bytes. Returns for each entry of the
/// baseline the number of its findings, dismissed or not.
inline std::vector<std::size_t> dismiss(const baseline& known, std::span<diagnostic> findings) {
  std::map<std::string_view, const baseline_entry*> entries;
  for (const baseline_entry& entry : known.findings) entries.emplace(entry.key, &entry);
  std::map<const baseline_entry*, std::vector<diagnostic*>> equal;
  for (diagnostic& found : findings) {
    if (found.dismissed || is_reading_error(found.rule)) continue;
    if (const auto entry = entries.find(fingerprint_key(found, known.keys)); entry != entries.end())
      equal[entry->second].push_back(&found);
  }
  std::vector<std::size_t> matched(known.findings.size());
  for (auto& [entry, list] : equal) {
    matched[static_cast<std::size_t>(entry - known.findings.data())] = list.size();
    std::stable_sort(list.begin(), list.end(), [](const diagnostic* a, const diagnostic* b) {
      const byte_count x = a->bytes.value_or(0), y = b->bytes.value_or(0);
      return x != y ? x < y : a < b;
    });
    for (std::size_t i = 0; i < std::min(list.size(), entry->count); ++i) {
      if (list[i]->bytes.value_or(0) <= entry->bytes)
        list[i]->dismissed = dismissal{true, "in the baseline"};
      else
        list[i]->message += " (at most " + human(entry->bytes) + " in the baseline)";
    }
  }
  return matched;
}

}  // namespace hlolint
