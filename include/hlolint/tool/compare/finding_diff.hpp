// Findings that are new, worse or gone in a module that was compiled again.
#pragma once

#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/sorting.hpp>
#include <hlolint/tool/compare/matched_entries.hpp>
#include <hlolint/tool/compare/module_change.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace hlolint::compare {

namespace detail {

/// Compares the findings of one module. Findings that repeat a change are added to it.
class finding_diff {
 public:
  /// `left_out`: rules that ran on one side only.
  finding_diff(const std::vector<diagnostic>& before, const std::vector<diagnostic>& after,
               const std::set<std::string>& left_out, std::vector<module_change>& changes, const diff_options& options)
      : changes_(changes),
        known_(changes.size()),
        options_(options),
        before_(wanted(before, left_out, &module_change::before)),
        after_(wanted(after, left_out, &module_change::after)) {
    const matched_entries found = match_entries(
        before_, after_, key_of,
        [](const entry& e) { return joined_key(e.found->rule, e.name, e.found->shape, e.found->op_name); },
        [](const entry& e) { return joined_key(e.found->rule, e.name, e.found->op_name); },
        [](const entry& e) { return joined_key(e.found->rule, e.name, e.found->shape); },
        [](const entry& e) { return key_with(e.found->op_name, e.found->rule, e.found->shape); },
        [](const entry& e) { return key_with(e.found->op_name, e.found->rule); },  // of another size
        [](const entry& e) {
          return key_with(e.found->source_file, e.found->rule, std::to_string(e.found->source_line));
        });
    for (const std::size_t j : found.added) add_change(change_kind::new_finding, nullptr, &after_[j]);
    compare(found);
    for (const std::size_t i : found.gone) add_change(change_kind::fixed_finding, &before_[i], nullptr);
  }

 private:
  static constexpr std::size_t no_cause = static_cast<std::size_t>(-1);

  struct entry {
    const diagnostic* found = nullptr;
    std::string name;              // of the instruction
    std::size_t cause = no_cause;  // position in changes_
  };

  // Like `fingerprint_key`, without the module.
  static std::string key_of(const entry& e) {
    return joined_key(e.found->rule, without_number(e.found->computation), without_number(e.found->instruction),
                      e.found->shape, e.found->op_name);
  }

  // Findings that repeat a change come last: if this side has more equal findings, they are left without a partner.
  std::vector<entry> wanted(const std::vector<diagnostic>& list, const std::set<std::string>& left_out,
                            std::vector<std::string> module_change::*side) const {
    const named_changes named = changes_by_name(side);
    std::vector<entry> out;
    for (const diagnostic& found : list)
      if (!found.dismissed && !is_reading_error(found.rule) && !left_out.count(found.rule))
        out.push_back({&found, without_numbers(found.instruction), cause_of(found, named)});
    std::stable_sort(out.begin(), out.end(), [](const entry& a, const entry& b) {
      return in_order(a.cause != no_cause, b.cause != no_cause, b.found->bytes.value_or(0), a.found->bytes.value_or(0));
    });
    return out;
  }

  // The changes that findings of a side may repeat, by the names of their instructions; an empty name for changes of
  // memory.
  using named_changes = std::unordered_map<std::string_view, std::vector<std::size_t>>;

  named_changes changes_by_name(std::vector<std::string> module_change::*side) const {
    const change_verdict opposite = side == &module_change::after ? change_verdict::better : change_verdict::worse;
    named_changes out;
    for (std::size_t c = 0; c < known_; ++c) {
      if (changes_[c].verdict == opposite) continue;
      if (changes_[c].kind == change_kind::memory) out[std::string_view()].push_back(c);
      for (const std::string& name : changes_[c].*side) out[name].push_back(c);
    }
    return out;
  }

  std::size_t cause_of(const diagnostic& found, const named_changes& named) const {
    std::size_t first = no_cause;
    for (const std::string_view name : {std::string_view(), std::string_view(found.instruction)}) {
      const auto changes = named.find(name);
      if (changes == named.end()) continue;
      for (const std::size_t c : changes->second)
        for (const same_cause& cause : options_.causes)
          if (cause.kind == changes_[c].kind && std::string_view(found.rule).starts_with(cause.rule))
            first = std::min(first, c);
    }
    return first;
  }

  void compare(const matched_entries& found) {
    std::map<std::string, byte_count> most;  // by key, as in a baseline
    for (const entry& e : before_) {
      byte_count& bytes = most[key_of(e)];
      bytes = std::max(bytes, e.found->bytes.value_or(0));
    }
    for (const auto& [i, j] : found.pairs) {
      const diagnostic &was = *before_[i].found, &is = *after_[j].found;
      const auto equal = most.find(key_of(after_[j]));
      const byte_count allowed = std::max(was.bytes.value_or(0), equal == most.end() ? 0 : equal->second),
                       now = is.bytes.value_or(0);
      const bool grew = now > allowed && !options_.tolerance.covers(allowed, now);
      if (grew || is.level > was.level) {
        add_change(change_kind::worse_finding, &before_[i], &after_[j], allowed);
      } else if (is.level == severity::error && now > 0 && now < was.bytes.value_or(0) &&
                 !options_.tolerance.covers(now, was.bytes.value_or(0))) {
        add_change(change_kind::better_finding, &before_[i], &after_[j], was.bytes.value_or(0));
      }
    }
  }

  // Errors always count: their bytes do not measure their harm.
  bool counts(const diagnostic& found) const {
    const bool tolerable =
        found.level < severity::error && found.bytes && *found.bytes > 0 && *found.bytes <= options_.tolerance.bytes;
    return options_.fail_on && found.level >= *options_.fail_on && !tolerable;
  }

  void add_change(change_kind kind, const entry* was, const entry* is, byte_count allowed = 0) {
    const entry& about = is ? *is : *was;
    if (about.cause != no_cause) {
      std::vector<std::string>& rules = changes_[about.cause].rules;
      if (std::find(rules.begin(), rules.end(), about.found->rule) == rules.end()) rules.push_back(about.found->rule);
      return;
    }
    const change_verdict verdict = !counts(*about.found) ? change_verdict::neither
                                   : kind == change_kind::fixed_finding || kind == change_kind::better_finding
                                       ? change_verdict::better
                                       : change_verdict::worse;
    const auto [at, is_new] = place_of_.emplace(std::tuple(kind, verdict, key_of(about)), changes_.size());
    if (is_new) {
      const std::string word = kind == change_kind::new_finding      ? "new: "
                               : kind == change_kind::worse_finding  ? "grew: "
                               : kind == change_kind::better_finding ? "shrank: "
                                                                     : "fixed: ";
      module_change& change = compare::add_change(changes_, kind, verdict, word + about.found->message);
      change.rules.push_back(about.found->rule);
      change.count = 0;
      const byte_count now = about.found->bytes.value_or(0);
      if ((kind == change_kind::worse_finding && now > allowed) || kind == change_kind::better_finding)
        change.number = changed_number{"bytes", allowed, now, number_unit::bytes};
      if (was && is && is->found->level > was->found->level)
        change.text += " (" + std::string(name_of(is->found->level)) + " now, was " +
                       std::string(name_of(was->found->level)) + ")";
    }
    module_change& change = changes_[at->second];
    ++change.count;
    if (was && !was->found->instruction.empty()) change.before.push_back(was->found->instruction);
    if (is && !is->found->instruction.empty()) change.after.push_back(is->found->instruction);
  }

  std::vector<module_change>& changes_;
  std::size_t known_;  // changes given; those after them are findings
  const diff_options& options_;
  std::vector<entry> before_, after_;
  std::map<std::tuple<change_kind, change_verdict, std::string>, std::size_t> place_of_;
};

}  // namespace detail

/// Adds the findings that are new, worse or fixed to the changes of a module. Findings match as in a baseline, by keys
/// without numbers in names; those without a partner then match without the computation, the shape or the op_name.
/// Reading errors and dismissed findings are left out.
inline void diff_findings(const std::vector<diagnostic>& before, const std::vector<diagnostic>& after,
                          const std::set<std::string>& left_out, const diff_options& options,
                          std::vector<module_change>& changes) {
  detail::finding_diff(before, after, left_out, changes, options);
}

}  // namespace hlolint::compare
