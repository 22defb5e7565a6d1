// Groups findings for people: the most severe first, and equal findings of many layers or modules as one.
#pragma once

#include <hlolint/checks/performance/replicated_large.hpp>
#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/lint/inputs/file_stem.hpp>
#include <hlolint/report/findings/finding_order.hpp>
#include <hlolint/report/run_result.hpp>
#include <hlolint/text/characters.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/text/sorting.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint::report {

/// Amounts by unit, as `impact_unit` orders them.
using impact_sums = std::array<double, 4>;

/// Adds unit by unit.
inline impact_sums& operator+=(impact_sums& to, const impact_sums& from) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
  return to;
}

/// One number to sort by. A second counts as much as the bytes that a device's memory moves in it, about 10^12, so that
/// findings of all units have one order.
inline double weight_of(const impact_sums& sums) {
  const double time = sums[2] + sums[3];
  return sums[0] + (time > 0 ? time * 1e12 : sums[1]);
}

/// `3 calls unknown, 1 loop counted once`: why a step may take longer than estimated; empty if there is no reason.
inline std::string at_least_text(std::size_t unknown_calls, std::size_t loops_counted_once) {
  std::string out = unknown_calls > 0 ? counted(unknown_calls, "call") + " unknown" : std::string{};
  if (loops_counted_once > 0) out += (out.empty() ? "" : ", ") + counted(loops_counted_once, "loop") + " counted once";
  return out;
}
/// `~30 ms`, or `>= 30 ms, 3 calls unknown` for a step with such calls or with loops of unknown count.
inline std::string step_text(double seconds, std::size_t unknown_calls, std::size_t loops_counted_once) {
  const std::string time = duration_text(seconds), why = at_least_text(unknown_calls, loops_counted_once);
  return why.empty() ? "~" + time : ">= " + time + ", " + why;
}

/// `1.50GiB of memory`, `1.20 ms of a step` or, if times are not known, `3.00GiB moved in a step`, joined; empty
/// without an impact. Of several modules it is `the steps of 2 modules`.
inline std::string impact_text(const impact_sums& sums, std::size_t modules = 1) {
  const std::string step = modules < 2 ? "a step" : "the steps of " + std::to_string(modules) + " modules";
  std::string out;
  const auto add = [&](const std::string& text) { out.append(out.empty() ? "" : ", ").append(text); };
  const auto bytes = [](double amount) { return human(static_cast<byte_count>(std::min(amount, 9.2e18))); };
  if (sums[0] > 0) add(bytes(sums[0]) + " of memory");
  if (sums[2] > 0)
    add(duration_text(sums[2]) + " of " + step);
  else if (sums[1] > 0)
    add(bytes(sums[1]) + " moved in " + step);
  return out;
}

/// Findings of one rule and level at one line of the program (or of one operation if the line is not known) with one
/// shape. Instruction names may differ.
struct finding_group {
  std::vector<const diagnostic*> findings;  ///< the costliest first, then in their order; at least one
  impact_sums sums{};                       ///< of all of them, by unit
  /// The finding that is shown for the group.
  const diagnostic& first() const { return *findings.front(); }
  /// Whether all are one array that several modules read, so that its bytes do not add up.
  bool is_one_array() const { return first().rule == replicated_large::about.id; }
  /// How many modules they are in; those of one name are distinguished by their files.
  std::size_t modules() const {
    std::set<std::pair<std::string_view, std::string_view>> seen;
    for (const diagnostic* const d : findings) seen.emplace(d->module, module_prefix(d->where.in.path()));
    return seen.size();
  }
};

/// `48 times, 1.50GiB of memory together`; for a group of more than one.
inline std::string sum_text(const finding_group& group) {
  if (const std::size_t modules = group.modules(); group.is_one_array() && modules > 1)
    return std::to_string(group.findings.size()) + " times in " + std::to_string(modules) + " modules, " +
           impact_text(group.sums) + " in each";
  const std::string sum = impact_text(group.sums, group.modules());
  return std::to_string(group.findings.size()) + " times" + (sum.empty() ? "" : ", " + sum + " together");
}

namespace detail {
// A text without its numbers.
inline std::string skeleton(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!is_digit(c))
      out += c;
    else if (out.empty() || out.back() != '#')
      out += '#';
  }
  return out;
}

using group_key = std::tuple<std::string, severity, std::string, std::string, std::string>;
inline group_key group_key_of(const diagnostic& d) {
  std::string place, text;
  if (!d.source_file.empty())
    place = d.source_file + ":" + std::to_string(d.source_line);
  else if (!d.op_name.empty())
    place = skeleton(d.op_name);
  else if (!d.instruction.empty())
    place = without_numbers(d.instruction);
  // An argument without a sharding is one cause in each module that reads it.
  if (d.rule == replicated_large::about.id) place = "argument";
  // Errors, and findings about a whole module, are equal only if their messages are.
  if (place.empty() || d.level == severity::error) text = skeleton(d.message);
  return {d.rule, d.level, place, d.shape, text};
}

inline impact_sums sums_of(const diagnostic& d) {
  impact_sums out{};
  const auto add = [&](const finding_impact& one) {
    out[static_cast<std::size_t>(one.unit)] = std::max(one.amount, 0.0);
  };
  if (d.impacts.empty() && d.impact) add(*d.impact);
  for (const finding_impact& one : d.impacts) add(one);
  return out;
}
}  // namespace detail

/// The findings that are not dismissed, in groups; each is a group of its own unless `together`. Problems of reading
/// and messages of the compiler (DMP015) are never grouped.
inline std::vector<finding_group> group_findings(const std::vector<diagnostic>& list, bool together,
                                                 finding_order order) {
  std::vector<finding_group> out;
  std::map<detail::group_key, std::size_t> known;
  for (const diagnostic& d : list) {
    if (d.dismissed) continue;
    std::size_t at = out.size();
    if (together && !is_reading_error(d.rule) && d.rule != "DMP015")
      at = known.try_emplace(detail::group_key_of(d), at).first->second;
    if (at == out.size()) out.emplace_back();
    out[at].findings.push_back(&d);
    out[at].sums += detail::sums_of(d);
  }
  for (finding_group& group : out) {
    if (group.is_one_array()) {
      std::map<std::pair<std::string_view, std::string_view>, impact_sums> of_module;
      for (const diagnostic* const d : group.findings)
        of_module[{d->where.in.path(), d->module}] += detail::sums_of(*d);
      group.sums = {};
      for (const auto& [module, sums] : of_module)
        if (weight_of(sums) > weight_of(group.sums)) group.sums = sums;
    }
    const auto weight = [](const diagnostic* d) { return weight_of(detail::sums_of(*d)); };
    const auto most = std::max_element(group.findings.begin(), group.findings.end(),
                                       [&](const auto* a, const auto* b) { return weight(a) < weight(b); });
    std::rotate(group.findings.begin(), most, most + 1);
  }
  if (order == finding_order::impact)
    std::stable_sort(out.begin(), out.end(), [](const finding_group& a, const finding_group& b) {
      return in_order(b.first().level, a.first().level, weight_of(b.sums), weight_of(a.sums));
    });
  return out;
}

/// Numbers and costs of the findings of one rule.
struct rule_statistics {
  std::string rule;     ///< the rule's id
  std::string name;     ///< the rule's name
  level_counts counts;  ///< findings by level
  impact_sums sums{};   ///< of those that are not dismissed
};

/// Statistics by rule, ordered by weight, then by number of findings.
inline std::vector<rule_statistics> statistics_of(const std::vector<diagnostic>& list) {
  std::map<std::string_view, rule_statistics> of_rule;
  for (const diagnostic& d : list) {
    rule_statistics& s = of_rule[d.rule];
    s.rule = d.rule, s.name = d.name;
    s.counts.add(d);
    if (!d.dismissed) s.sums += detail::sums_of(d);
  }
  std::vector<rule_statistics> out;
  for (auto& [rule, s] : of_rule) out.push_back(std::move(s));
  std::stable_sort(out.begin(), out.end(), [](const rule_statistics& a, const rule_statistics& b) {
    const auto key = [](const rule_statistics& s) {
      return std::tuple(weight_of(s.sums), s.counts.errors + s.counts.warnings + s.counts.notes);
    };
    return key(a) > key(b);
  });
  return out;
}

}  // namespace hlolint::report
