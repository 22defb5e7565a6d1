// Suppressions of accepted findings: the `[[suppress]]` entries of a configuration.
#pragma once

#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/glob.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint {

/// A set of accepted findings. Patterns: `*` stands for any text, `?` for one character, and an empty pattern for
/// everything. Names match with or without the numbers that XLA appends.
struct suppression {
  std::string rule;         ///< id, name, or prefix of an id
  std::string module;       ///< pattern of the module's name
  std::string instruction;  ///< pattern of the instruction's name
  std::string op_name;      ///< pattern of the framework's name of the operation
  std::string reason;       ///< shown with the finding
  std::string expires;      ///< the last valid day, `2026-12-31`; empty = none
  friend bool operator==(const suppression&, const suppression&) = default;
};

/// Whether a text is a day as in a configuration, `2026-12-31`. Days compare as texts.
constexpr bool is_day(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  for (const std::size_t at : {0u, 1u, 2u, 3u, 5u, 6u, 8u, 9u})
    if (text[at] < '0' || text[at] > '9') return false;
  const int month = (text[5] - '0') * 10 + text[6] - '0', day = (text[8] - '0') * 10 + text[9] - '0';
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/// Whether the patterns match a finding, on any day.
inline bool covers(const suppression& s, const diagnostic& found) {
  const auto names = [](const std::string& pattern, std::string_view name, std::string_view without) {
    return pattern.empty() || matches_glob(pattern, name) || matches_glob(pattern, without);
  };
  const bool rule =
      s.rule == "ALL" || s.rule == found.name || (!s.rule.empty() && found.rule.compare(0, s.rule.size(), s.rule) == 0);
  return rule && names(s.module, found.module, module_without_number(found.module)) &&
         names(s.instruction, found.instruction, without_number(found.instruction)) &&
         names(s.op_name, found.op_name, found.op_name);
}

/// Dismisses the findings covered by suppressions that are valid on the day `today`, but never reading errors. Returns
/// for each suppression the number of dismissed findings.
inline std::vector<std::size_t> dismiss(const std::vector<suppression>& list, std::string_view today,
                                        std::span<diagnostic> findings) {
  std::vector<std::size_t> used(list.size());
  for (diagnostic& found : findings) {
    if (found.dismissed || is_reading_error(found.rule)) continue;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!list[i].expires.empty() && list[i].expires < today) continue;
      if (!covers(list[i], found)) continue;
      ++used[i];
      if (!found.dismissed) found.dismissed = dismissal{false, list[i].reason};
    }
  }
  return used;
}

}  // namespace hlolint
