// Advice on a module's schedule, for people.
#pragma once

#include <hlolint/lint/option.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/tool/report/advise/advice_json.hpp>
#include <hlolint/tool/report/text_table.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <map>
#include <utility>

namespace hlolint::report {

namespace detail {

// In percent, or in bytes where that would be 0.0 %.
inline std::string how_much_less(byte_count before, byte_count after) {
  if (before == after) return "as much as before";
  const auto less = static_cast<double>(before - after), all = static_cast<double>(before);
  return less < 5e-4 * all || all <= 0 ? human(before - after) + " less" : share_text(less, all, 3) + " less";
}
}  // namespace detail

/// What no order goes below.
inline std::string bound_text(const advise::schedule_advice& advice) {
  return "no order of the instructions needs less than " + human(advice.bound) +
         (advice.at_bound.empty() ? std::string(", what parameters, constants and results take")
                                  : ", what is there while " + advice.at_bound + " runs") +
         (advice.after < advice.bound ? "; edits that compute values again go below it" : "");
}
/// How long a step waits for transfers, and how much of that an order could hide at most.
inline std::string exposed_text(const advise::schedule_advice& advice) {
  return duration_text(advice.exposed) + " of a step wait for transfers; no order hides more than " +
         duration_text(advice.exposed - advice.least_exposed) + " of them";
}
/// What an edit saves, and of which kind that is.
inline std::string saving_text(const advise::schedule_edit& edit,
                               advise::objective wanted = advise::objective::memory) {
  if (wanted == advise::objective::time)
    return (edit.extra_seconds > 0 ? "nothing by itself: " + signed_duration_text(edit.extra_seconds)
                                   : duration_text(-edit.extra_seconds)) +
           " a step" +
           (edit.need_before == edit.need_after
                ? std::string()
                : "; need " + human(edit.need_before) + " to " + human(edit.need_after));
  const byte_count saved = edit.need_before - edit.need_after;
  return (saved > 0   ? saved_text(edit.need_before, edit.need_after)
          : saved < 0 ? human(-saved) + " more by itself: " + human(edit.need_before) + " to " +
                            human(edit.need_after) + "; a later edit needs it"
                      : std::string("nothing by itself; a later edit needs it")) +
         (edit.is_packing ? ", lost to packing until then" : "") +
         (edit.crosses_effects ? "; it crosses a transfer or another effect" : "");
}
/// What the module needs after all edits.
inline std::string after_text(const advise::schedule_advice& advice) {
  const std::string by = ", by " + counted(advice.edits.size(), "edit");
  if (advice.after > advice.need) return human(advice.after) + ", " + human(advice.after - advice.need) + " more" + by;
  return human(advice.after) + ", " + detail::how_much_less(advice.need, advice.after) + by + " (" +
         std::string(certainty_text(certainty::proven)) + ")";
}
/// Whether the module fits into what it should, and with which edits.
inline std::string target_text(const advised_module& module, const advise::schedule_advice& advice) {
  std::string out = human(module.wanted);
  if (!module.log.empty()) out += " by " + std::string(module.log);
  if (advice.need <= module.wanted) return out + ": it fits as it is";
  if (advice.after > module.wanted)
    return out + ": it does not fit, " + human(advice.after - module.wanted) + " too much" +
           (advice.edits.empty() ? "" : " after the edits");
  std::size_t enough = 0;
  while (enough < advice.edits.size() && advice.edits[enough].need_after > module.wanted) ++enough;
  return out + ": it fits with " + (enough == 0 ? std::string("edit 1") : "edits 1 to " + std::to_string(enough + 1));
}

/// What a higher limit of time would save, and its price.
inline std::string trade_text(const advise::time_trade& trade, const advise::schedule_advice& advice) {
  std::string out = str_cat({"with ", max_time_option(trade), ": need ", human(trade.need), ", ",
                             detail::how_much_less(advice.need, trade.need), ", for ",
                             signed_duration_text(trade.extra_seconds), " a step"});
  if (trade.edits > 0) out += ", by " + counted(trade.edits, "edit");
  if (trade.changes > 0)
    out += std::string(trade.edits > 0 ? " and " : ", by ") + counted(trade.changes, "change") + " of the program";
  return out;
}

/// What changes of the program save together.
inline std::string changes_text(const advise::program_changes& changes) {
  return saved_text(changes.need_before, changes.need_after) + " (" + std::string(certainty_text(certainty::proven)) +
         "), if the program changes in " + counted(changes.list.size(), "place");
}

namespace detail {

// Writes how to get an edit in full the first time, and refers to that edit the next.
class first_mentions {
 public:
  explicit first_mentions(std::string_view of = "edit") : of_(of) {}
  std::string text(std::string what, std::size_t edit) {
    const auto [at, is_new] = edits_.try_emplace(std::move(what), edit);
    return is_new ? at->first : str_cat({"as ", of_, " ", at->second});
  }

 private:
  std::string_view of_;
  std::map<std::string, std::size_t> edits_;  // by text: the first one with it
};

}  // namespace detail

/// One text for a report to XLA about all edits that hide transfers.
inline std::string time_report(const advise::schedule_advice& advice, std::string_view module) {
  std::string out =
      str_cat({"In module ", module, " a step waits ", duration_text(advice.exposed - advice.exposed_after),
               " less for transfers, by estimate, if"});
  for (std::size_t k = 0; k < advice.edits.size(); ++k) {
    const advise::schedule_edit& edit = advice.edits[k];
    out += str_cat({k == 0 ? " " : "; ", moved_text(edit), " (place ", edit.from, " of ", edit.computation,
                    edit.instructions.size() > 1 ? ") run " : ") runs ", edit.from < edit.to ? "later" : "earlier",
                    ", right before ", edit.before.empty() ? std::string("the end") : edit.before});
  }
  return out + ". All dependences, the order of effects and of writes in place are kept.";
}

/// Each change of the program, by `row(title, text)` and with `end_part()` before it.
template <class Row, class End>
void write_changes(const advise::program_changes& changes, const advised_module& module, Row&& row, End&& end_part) {
  detail::first_mentions first("change");
  row("changes", changes_text(changes));
  if (!module.changed.empty()) row("written", std::string(module.changed));
  std::size_t number = 0;
  for (const advise::program_change& change : changes.list) {
    end_part();
    row(("change " + std::to_string(++number)).c_str(), change_text(change));
    row("saves", change_saving_text(change));
    if (module.has_times) row("costs", signed_duration_text(change.extra_seconds));
    if (!change.source.empty()) row("program", change.source);
    row("how", first.text(how_to_change(change, module.on), number));
  }
}

/// What the module needs, what edits make of that, what no order goes below, and each edit. Lines are at most `width`
/// columns where words allow it; 0: however long.
inline void write_advice(std::ostream& out, const advised_module& module, const advise::schedule_advice& advice,
                         std::size_t width) {
  const auto row = [&](const char* title, const std::string& text) {
    detail::write_beside(out, title, printable(text), 11, sentence_width(width));
  };
  out << module_heading(module.path, module.name, module.on, width) << '\n';
  if (!module.missing.empty()) {
    row("missing", std::string(module.missing));
    out << '\n';
    return;
  }
  row("need", human(advice.need) + (module.made > 0 ? ", as it follows from the text; " + human(module.made) +
                                                          " as XLA assigned it, and only what goes below that is shown"
                                                    : ""));
  const bool for_time = advice.wanted == advise::objective::time;
  if (for_time) row("exposed", exposed_text(advice));
  if (advice.edits.empty()) {
    const bool at_bound = !for_time && advice.need - advice.bound <= advice.need / 100;
    row("edits", for_time   ? "none found that hides more"
                 : at_bound ? "none: it is at its bound"
                            : "none found that saves memory and is worth its time");
  } else {
    row("after", after_text(advice));
    if (module.has_times && advice.step && advice.step_after)
      row("time", signed_duration_text(*advice.step_after - *advice.step) + " of " + duration_text(*advice.step) +
                      " a step, estimated");
  }
  if (module.has_times)
    for (const advise::time_trade& trade : advice.trades) row("trade", trade_text(trade, advice));
  row("bound", bound_text(advice));
  if (module.wanted > 0) row("target", target_text(module, advice));
  if (!module.written.empty()) row("written", std::string(module.written));
  for (const advise::dropped_edit& d : advice.dropped)
    row("dropped", "an edit of " + d.instruction + ", refused by the check of its text (" + d.fault +
                       "): this is a fault of hlolint, please report it");
  write_curve_table(out, module.curve, width);
  if (!module.how_to_keep.empty()) row("keep", module.how_to_keep);
  std::size_t number = 0;
  detail::first_mentions first;
  for (const advise::schedule_edit& edit : advice.edits) {
    out << '\n';
    row(("edit " + std::to_string(++number)).c_str(), edit_text(edit));
    row("saves", saving_text(edit, advice.wanted));
    if (module.has_times && !for_time)
      row("costs", signed_duration_text(edit.extra_seconds) + ", of it exposed transfers " +
                       signed_duration_text(edit.extra_exposed));
    if (!edit.frees.empty() && !edit.is_packing && !for_time)
      row("frees", edit.frees + ", " + human(edit.freed_bytes) + ", in between");
    if (!edit.source.empty()) row("program", edit.source);
    row("how", first.text(how_to_get(edit, module.on, advice.wanted, module.flags), number));
    if (!for_time && detail::edits_to_report(advice.edits, number - 1).move)
      row("report", bug_report(advice, number - 1, module.name));
  }
  if (for_time && !advice.edits.empty()) {
    out << '\n';
    row("report", time_report(advice, module.name));
  }
  if (advice.donation) {
    out << '\n';
    row("donation", donation_text(*advice.donation));
    if (!module.donated.empty()) row("written", std::string(module.donated));
    row("how", std::string(how_to_donate));
  }
  if (advice.changes) {
    out << '\n';
    write_changes(*advice.changes, module, row, [&] { out << '\n'; });
  }
  out << '\n';
}

}  // namespace hlolint::report
