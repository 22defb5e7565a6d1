// Keeps only those edits that a check of the texts confirms (advise.md 2).
#pragma once

#include <hlolint/advise/edit_proof.hpp>
#include <hlolint/advise/edited_module.hpp>
#include <hlolint/advise/order_bound.hpp>
#include <hlolint/advise/schedule_edit.hpp>
#include <hlolint/parse_hlo.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace hlolint::advise {

/// The result before a search: need, step and bound of the module without edits. Precondition: the state is complete.
inline schedule_advice advice_before(const edited_module& start, const advice_options& how, objective wanted) {
  schedule_advice out;
  out.wanted = wanted;
  out.need = out.after = start.need;
  if (how.on) out.step = out.step_after = start.step, out.exposed = out.exposed_after = start.exposed;
  const order_bound bound(*start.made, *start.rules);
  out.bound = std::min(bound.bytes(), out.need);
  if (bound.at()) out.at_bound = bound.at().name();
  return out;
}

/// Whether the bytes that `next` saves in comparison with `now` are worth the time that it adds (advise.md 6). Shares
/// are those of the module without edits. A higher limit of time also allows more time for each byte.
inline bool is_worth_it(byte_count first_need, double first_step, const edited_module& now, const edited_module& next,
                        const advice_options& how) {
  if (!how.on || first_step <= 0) return true;
  const double extra = (next.step - now.step) / first_step;
  const double saved =
      static_cast<double>(now.need - next.need) / static_cast<double>(std::max<byte_count>(1, first_need));
  const double price = 0.2 * std::max(1.0, how.most_time / advice_options{}.most_time);
  return (extra < 0.0005 || extra <= price * saved) && (next.step - first_step) / first_step <= how.most_time;
}

/// Removes needless steps, the last first: those for which `may_go(number)` is true, and `holds(state)` for the state
/// that the other steps lead to.
template <class May, class Holds>
record_list<edit_step> without_idle_steps(const module_editor& editor, record_list<edit_step> list, May&& may_go,
                                          Holds&& holds) {
  for (std::size_t k = list.size(); k-- > 0 && list.size() > 1;) {
    if (!may_go(k)) continue;
    record_list<edit_step> shorter = list;
    shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(k));
    const module_editor::state end = editor.replay(shorter, nullptr);
    if (end && holds(*end)) list = std::move(shorter);
  }
  return list;
}

/// Makes the steps one after the other, reads the resulting text again, and checks it against the module. Until it
/// passes, drops the last step and records it. Stores the text and a description of each edit in `out`.
inline void add_proven_edits(const module_editor& editor, const hlo_module& first, const advice_options& how,
                             record_list<edit_step> list, schedule_advice& out) {
  if (list.empty()) return;
  const edit_proof proof(first, how.rules);
  while (!list.empty()) {
    record_list<schedule_edit> edits;
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
