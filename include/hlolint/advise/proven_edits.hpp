// Shows only what an evaluation of the texts alone confirms (advise.md 2).
#pragma once

#include <hlolint/advise/edit_proof.hpp>
#include <hlolint/advise/edited_module.hpp>
#include <hlolint/advise/schedule_edit.hpp>
#include <hlolint/parse_hlo.hpp>

#include <string>
#include <utility>
#include <vector>

namespace hlolint::advise {

/// Makes the steps one after the other, reads the text that comes of them again, and checks it against the module's.
/// What passes is put into `out`, with each edit described; steps at the end are dropped, and noted, until it does.
inline void add_proven_edits(const module_editor& editor, const hlo_module& first, const advice_options& how,
                             std::vector<edit_step> list, schedule_advice& out) {
  if (list.empty()) return;
  const edit_proof proof(first, how.rules);
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
