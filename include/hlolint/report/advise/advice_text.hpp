// Advice on a module's schedule, for people.
#pragma once

#include <hlolint/report/advise/advice_json.hpp>
#include <hlolint/report/utf8.hpp>
#include <hlolint/report/wrapped_text.hpp>

#include <cstdio>
#include <ostream>
#include <string>

namespace hlolint::report {

namespace detail {

inline std::string percent_less(byte_count before, byte_count after) {
  char text[32];
  const double share = before > 0 ? 100.0 * static_cast<double>(before - after) / static_cast<double>(before) : 0.0;
  std::snprintf(text, sizeof text, "%.1f %%", share);
  return text;
}
inline std::string signed_milliseconds(double seconds) {
  char text[48];
  std::snprintf(text, sizeof text, "%+.3f ms", seconds * 1e3);
  return text;
}

}  // namespace detail

/// What the module needs, what edits make of that, what no order goes below, and each edit. Lines are at most `width`
/// columns where words allow it; 0: however long.
inline void write_advice(std::ostream& out, const advised_module& module, const advise::schedule_advice& advice,
                         std::size_t width) {
  const auto say = [&](const char* title, const std::string& text) {
    detail::write_beside(out, title, printable(text), 11, width == 0 ? std::string::npos : width);
  };
  out << printable(module.path) << ": module "
      << (module.name.empty() ? std::string("without a name") : printable(module.name));
  if (module.on != target::unknown) out << " (" << name_of(module.on) << ")";
  out << '\n';
  if (!module.missing.empty()) {
    say("missing", std::string(module.missing));
    out << '\n';
    return;
  }
  say("need", human(advice.need));
  if (advice.edits.empty()) {
    const bool at_bound = advice.need - advice.bound <= advice.need / 100;
    say("edits", at_bound ? "none: it is at its bound" : "none found that saves memory and is worth its time");
  } else {
    say("after", human(advice.after) + ", " + detail::percent_less(advice.need, advice.after) + " less, by " +
                     std::to_string(advice.edits.size()) + (advice.edits.size() == 1 ? " edit" : " edits"));
    if (module.has_times && advice.step && advice.step_after)
      say("time", detail::signed_milliseconds(*advice.step_after - *advice.step) + " of " +
                      detail::signed_milliseconds(*advice.step).substr(1) + " a step, estimated");
  }
  say("bound", "no order of the instructions needs less than " + human(advice.bound) +
                   (advice.at_bound.empty() ? std::string(", what parameters, constants and results take")
                                            : ", what is there while " + advice.at_bound + " runs"));
  if (!module.written.empty()) say("written", std::string(module.written));
  for (const advise::dropped_edit& d : advice.dropped)
    say("dropped", "an edit of " + d.instruction + ", refused by the check of its text (" + d.fault +
                       "): this is a fault of hlolint, please report it");
  std::size_t number = 0;
  for (const advise::schedule_edit& edit : advice.edits) {
    out << '\n';
    const byte_count saved = edit.need_before - edit.need_after;
    say(("edit " + std::to_string(++number)).c_str(), edit_text(edit));
    say("saves", (saved > 0 ? human(saved) + ": " + human(edit.need_before) + " to " + human(edit.need_after)
                            : std::string("nothing by itself; a later edit needs it")) +
                     (edit.is_packing ? ", lost to packing until then" : "") +
                     (edit.crosses_effects ? "; it crosses a transfer or another effect" : ""));
    if (module.has_times)
      say("costs", detail::signed_milliseconds(edit.extra_seconds) + ", of it exposed transfers " +
                       detail::signed_milliseconds(edit.extra_exposed));
    if (!edit.source.empty()) say("program", edit.source);
    say("how", how_to_get(edit, module.on));
    if (edit.kind == advise::edit_kind::move) say("report", bug_report(edit, module.name));
  }
  out << '\n';
}

}  // namespace hlolint::report
