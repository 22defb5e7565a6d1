// The search for changes of a program that lower its need, each proven by the changed text (advise.md 13).
#pragma once

#include <hlolint/parse_hlo.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/advise/changes/change_candidate.hpp>
#include <hlolint/tool/advise/changes/narrow_value.hpp>
#include <hlolint/tool/advise/changes/program_change.hpp>
#include <hlolint/tool/advise/changes/same_values.hpp>
#include <hlolint/tool/advise/changes/split_fusion.hpp>
#include <hlolint/tool/advise/changes/tighter_layout.hpp>
#include <hlolint/tool/advise/edit_proof.hpp>
#include <hlolint/tool/advise/edited_module.hpp>
#include <hlolint/tool/advise/proven_edits.hpp>
#include <hlolint/tool/advise/schedule_edit.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::advise {

namespace detail {

// Makes one change after the other, each in the text that the previous ones have led to.
class change_search {
 public:
  change_search(const module_editor& editor, const edit_proof& proof, const advice_options& how, time_limit& limit,
                const edited_module& first)
      : editor_(editor),
        proof_(proof),
        how_(how),
        limit_(limit),
        first_(first),
        least_(std::max<byte_count>(1_MiB, first.need / 1000)) {}

  std::optional<program_changes> run() && {
    while (list_.size() < most_changes && evaluations_ < most_evaluations) {
      std::vector<change_candidate> found;
      for (const auto candidates : {&narrow_candidates, &layout_candidates, &split_candidates})
        for (change_candidate& c : candidates(now(), least_)) found.push_back(std::move(c));
      if (!take_one(found) && !take_together(found)) break;
    }
    if (list_.empty()) return std::nullopt;
    program_changes out;
    out.need_before = first_.need, out.need_after = now().need;
    out.text = now().module().text().text();
    out.list = std::move(list_);
    return out;
  }

 private:
  using state = module_editor::state;
  static constexpr std::size_t most_changes = 32, most_evaluations = 96, most_together = 12;

  const edited_module& now() const { return last_ ? *last_ : first_; }

  // The state after a change; null if the change cannot be made, or if the result needs `limit` bytes or more.
  state made(const change_candidate& c, const edited_module& from, byte_count limit) {
    ++evaluations_;
    auto text = c.text(from);
    return text ? editor_.parsed(std::move(*text), limit) : nullptr;
  }
  // Reads the text of a state again and checks it.
  bool is_proven(const edited_module& next) const {
    const parsed_file again = parse_hlo(next.module().text());
    for (const diagnostic& d : again.diagnostics)
      if (d.level == severity::error) return false;
    const hlo_module& changed = again.modules().at(next.number);
    return changed.is_scheduled() && compute_same_values(first_.module(), changed) &&
           proof_.hazard_of(changed).empty() && proof_.need_of_module(changed) == next.need &&
           (!how_.refuses || how_.refuses(changed).empty());
  }
  bool is_worth_it(const edited_module& next) { return limit_.allows(now(), next); }
  static program_change described(const change_candidate& c, const edited_module& from, const edited_module& to) {
    program_change out = c.about;
    out.need_before = from.need, out.need_after = to.need;
    out.extra_seconds = to.step - from.step, out.extra_exposed = to.exposed - from.exposed;
    return out;
  }

  // Makes the first change that saves something by itself; returns whether there is one.
  bool take_one(const std::vector<change_candidate>& found) {
    for (const change_candidate& c : found) {
      const std::string key = str_cat({name_of(c.about.kind), " ", c.about.computation, " ", c.about.instruction});
      if (evaluations_ >= most_evaluations || refused_.count(key) > 0) continue;
      state next = made(c, now(), now().need - least_ + 1);
      if (next) next->complete(how_.on);
      if (!next || !is_worth_it(*next) || !is_proven(*next)) {
        refused_.insert(key);
        continue;
      }
      list_.push_back(described(c, now(), *next));
      last_ = std::move(next);
      refused_.clear();  // at the next peak they may help
      return true;
    }
    return false;
  }

  // Makes several changes at a time, since of several equal peaks all have to become lower.
  bool take_together(const std::vector<change_candidate>& found) {
    std::vector<const change_candidate*> chosen;
    const auto replay = [&](const std::vector<const change_candidate*>& list, std::vector<state>& states) {
      for (const change_candidate* const c : list) {
        const edited_module& from = states.empty() ? now() : *states.back();
        state next = evaluations_ < most_evaluations ? made(*c, from, from.need + 1) : nullptr;
        if (next) chosen.push_back(c), states.push_back(std::move(next));
      }
      return states.empty() ? now().need : states.back()->need;
    };
    std::vector<const change_candidate*> all;
    for (const change_candidate& c : found)
      if (all.size() < most_together) all.push_back(&c);
    std::vector<state> states;
    const byte_count need = replay(all, states);
    if (need > now().need - least_) return false;
    // Remove changes that make no difference.
    for (std::size_t k = chosen.size(); k-- > 0 && chosen.size() > 1;) {
      std::vector<const change_candidate*> fewer = chosen;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
      std::vector<const change_candidate*> before = std::exchange(chosen, {});
      std::vector<state> shorter;
      if (replay(fewer, shorter) <= need && chosen.size() == fewer.size())
        states = std::move(shorter);
      else
        chosen = std::move(before);
    }
    for (state& s : states) s->complete(how_.on);
    if (!is_worth_it(*states.back()) || !is_proven(*states.back())) return false;
    for (std::size_t k = 0; k < chosen.size(); ++k)
      list_.push_back(described(*chosen[k], k == 0 ? now() : *states[k - 1], *states[k]));
    last_ = std::move(states.back());
    refused_.clear();
    return true;
  }

  const module_editor& editor_;
  const edit_proof& proof_;
  const advice_options& how_;
  time_limit& limit_;
  const edited_module& first_;
  byte_count least_;
  state last_;  // null before the first change
  std::vector<program_change> list_;
  std::set<std::string> refused_;
  std::size_t evaluations_ = 0;
};

}  // namespace detail

/// Finds changes of a program that lower its need by the assignment of the changed text. That text is read again and
/// checked as edits are, except that it has to compute the same values rather than to have the same lines. Nothing if
/// no change helps. Preconditions: `proof` and `limit` are of the module before all edits, and `now` is complete.
inline std::optional<program_changes> advise_changes(const module_editor& editor, const edit_proof& proof,
                                                     const advice_options& how, time_limit& limit,
                                                     const edited_module& now) {
  return detail::change_search(editor, proof, how, limit, now).run();
}

}  // namespace hlolint::advise
