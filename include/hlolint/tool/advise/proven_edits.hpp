// Keeps only those edits that a check of the texts confirms (advise.md 2).
#pragma once

#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/parse_hlo.hpp>
#include <hlolint/tool/advise/edit_proof.hpp>
#include <hlolint/tool/advise/edited_module.hpp>
#include <hlolint/tool/advise/order_bound.hpp>
#include <hlolint/tool/advise/schedule_edit.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::advise {

/// The result before a search: need, step and bound of the module without edits. Precondition: the state is complete.
inline schedule_advice advice_before(const edited_module& start, const advice_options& how, objective wanted) {
  schedule_advice out;
  out.wanted = wanted;
  out.need = out.after = start.need;
  out.in_fast_memory = bytes_in_fast_memory(how.rules.sharing, start.plan->allocations);
  if (how.on) out.step = out.step_after = start.step, out.exposed = out.exposed_after = start.exposed;
  const order_bound bound(*start.made, *start.rules);
  out.bound = std::min(bound.bytes(), out.need);
  if (bound.at()) out.at_bound = bound.at().name();
  return out;
}

/// A state that the limit of time refused.
struct refused_state {
  byte_count need = 0;   ///< bytes that it needs
  double most_time = 0;  ///< the least limit that allows it
};

/// Decides whether saved bytes are worth the time that they add (advise.md 6), and remembers what was not. Shares are
/// those of the module without edits. A higher limit of time also allows more time for each byte.
class time_limit {
 public:
  /// Of a search; `first` is the state of the module without edits.
  time_limit(const edited_module& first, const advice_options& how)
      : need_(std::max<byte_count>(1, first.need)), step_(how.on ? first.step : 0), most_(how.most_time) {}

  /// Whether the step from one state to the other is worth it. Without times every step is.
  bool allows(const edited_module& now, const edited_module& next) {
    if (step_ <= 0) return true;
    const double usual = advice_options{}.most_time;
    const double extra = (next.step - now.step) / step_;
    const double saved = static_cast<double>(now.need - next.need) / static_cast<double>(need_);
    const double whole = (next.step - step_) / step_;
    const bool is_cheap = extra < 0.0005 || extra <= price * std::max(1.0, most_ / usual) * saved;
    if (is_cheap && whole <= most_) return true;
    if (next.need < now.need)
      refused_.push_back({next.need, std::max(whole, is_cheap ? 0 : usual * extra / (price * saved))});
    return false;
  }
  /// What was refused, in the order of the search.
  const std::vector<refused_state>& refused() const { return refused_; }

 private:
  static constexpr double price = 0.2;  // the share of the step that a share of the need is worth
  byte_count need_;
  double step_, most_;
  std::vector<refused_state> refused_;
};

/// Removes needless steps, the last first: those for which `may_go(number)` is true, and `holds(state)` for the state
/// that the other steps lead to.
template <class May, class Holds>
std::vector<edit_step> without_idle_steps(const module_editor& editor, std::vector<edit_step> list, May&& may_go,
                                          Holds&& holds) {
  for (std::size_t k = list.size(); k-- > 0 && list.size() > 1;) {
    if (!may_go(k)) continue;
    std::vector<edit_step> shorter = list;
    shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(k));
    const module_editor::state end = editor.replay(shorter, nullptr);
    if (end && holds(*end)) list = std::move(shorter);
  }
  return list;
}

/// Makes the steps one after the other, reads the resulting text again, and checks it against the module. Until it
/// passes, drops the last step and records it. Stores the text and a description of each edit in `out`.
inline void add_proven_edits(const module_editor& editor, const advice_options& how, std::vector<edit_step> list,
                             schedule_advice& out) {
  if (list.empty()) return;
  const edit_proof proof(editor.first(), how.rules);
  while (!list.empty()) {
    std::vector<schedule_edit> edits;
    const module_editor::state end = editor.replay(list, &edits);
    std::string fault = "the edits cannot be made one after the other";
    if (end) {
      const parsed_file again = parse_hlo(end->module().text());
      const hlo_module& edited = again.modules().at(end->number);
      fault = proof.fault_of(edited);
      if (fault.empty() && proof.need_of_module(edited) != end->need) fault = "it needs another number of bytes";
      if (fault.empty() && how.refuses) fault = how.refuses(edited);
    }
    if (fault.empty()) {
      out.edits = std::move(edits);
      out.after = end->need;
      out.text = end->module().text().text();
      out.edited = end->module();
      if (how.on) out.step_after = end->step, out.exposed_after = end->exposed;
      return;
    }
    out.dropped.push_back({list.back().instructions.front(), std::move(fault)});
    list.pop_back();
  }
}

}  // namespace hlolint::advise
