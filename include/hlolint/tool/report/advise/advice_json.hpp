// Advice on a module's schedule as JSON: members of an object in the common envelope.
#pragma once

#include <hlolint/tool/advise/schedule_edit.hpp>
#include <hlolint/tool/report/advise/advice_words.hpp>
#include <hlolint/tool/report/time/time_curve.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <string>
#include <vector>

namespace hlolint::report {

/// Where a module stands, what is known of it, and why it has no advice.
struct advised_module {
  std::string path;                  ///< of its text
  std::string name;                  ///< of the module
  target on = target::unknown;       ///< what it was compiled for
  bool has_times = false;            ///< whether the device is known
  compiler_flags flags{};            ///< that it was compiled with, as far as they are known
  std::string missing{};             ///< why there is nothing; empty: there is
  std::string written{};             ///< file with the edited text; empty: none
  byte_count wanted{};               ///< what it should fit into; 0: as little as possible
  std::string donated{};             ///< file with that text and the donated arguments; empty: none
  std::string changed{};             ///< file with that text and the changes of the program; empty: none
  std::string log{};                 ///< a job's log that the target is from; empty: the command line
  std::vector<curve_point> curve{};  ///< bytes against time, most bytes first; may be empty
  std::string how_to_keep{};         ///< how the program keeps what the curve names; empty if it names nothing
  std::string not_searched{};        ///< why no edits were looked for; empty: they were
  byte_count made = 0;               ///< the need of the dumped assignment, if it is less than the text's; else 0
};

/// The member `donation`.
inline void write_donation_json(json_writer& json, const advised_module& module,
                                const advise::donation_advice& donation) {
  json.object("donation", [&] {
    json.objects("arguments", donation.arguments, [&](const advise::donated_argument& one) {
      json.members("parameter", one.parameter, "index", to_string(one.index), "output", to_string(one.output),
                   "instruction", one.name, "shape", one.shape, "bytes", one.bytes);
      json.member_if("source", one.source);
    });
    json.members("saves_bytes", donation.need_before - donation.need_after, "after_bytes", donation.need_after,
                 "certainty", name_of(donation.promise));
    if (donation.promise != certainty::proven)
      json.member("saves_at_most_bytes", donation.need_before - donation.least_after);
    json.member_if("written", module.donated);
    json.member("how", how_to_donate);
  });
}

/// The member `proposals`.
inline void write_changes_json(json_writer& json, const advised_module& module,
                               const advise::program_changes& changes) {
  json.object("proposals", [&] {
    json.objects("changes", changes.list, [&](const advise::program_change& change) {
      json.members("kind", name_of(change.kind), "instruction", change.instruction, "computation", change.computation,
                   "shape", change.shape, "bytes", change.bytes);
      if (change.kind == advise::change_kind::split) {
        json.values("parts", change.parts);
        json.members("repeated_operations", change.repeated, "read_again_bytes", change.read_again);
      } else {
        json.members("becomes", change.becomes, "becomes_bytes", change.bytes_after);
      }
      json.member("saves_bytes", change.need_before - change.need_after);
      if (module.has_times) json.member("costs_ms", change.extra_seconds * 1e3);
      json.member_if("source", change.source);
      json.member("how", how_to_change(change, module.on));
    });
    json.members("saves_bytes", changes.need_before - changes.need_after, "after_bytes", changes.need_after,
                 "certainty", name_of(certainty::proven));
    json.member_if("written", module.changed);
  });
}

/// One object. Times are in milliseconds, and left out if the device is not known.
inline void write_advice_json(json_writer& json, const advised_module& module, const advise::schedule_advice& advice) {
  json.object([&] {
    write_module_members(json, module.path, module.name, module.on);
    json.member_if("missing", module.missing);
    if (!module.missing.empty()) return json.array("edits", [] {});
    if (!module.not_searched.empty()) {
      json.members("need_bytes", advice.need, "not_searched", module.not_searched);
      return json.array("edits", [] {});
    }
    const bool for_time = advice.wanted == advise::objective::time;
    json.members("for", for_time ? "time" : "memory", "need_bytes", advice.need, "after_bytes", advice.after,
                 "bound_bytes", advice.bound);
    if (module.made > 0) json.member("assigned_bytes", module.made);
    json.member_if("bound_instruction", advice.at_bound);
    if (module.wanted > 0) {
      json.members("target_bytes", module.wanted, "fits", advice.after <= module.wanted);
      json.member_if("target_from", module.log);
    }
    if (module.has_times && advice.step) json.member("step_ms", *advice.step * 1e3);
    if (module.has_times && advice.step_after) json.member("after_step_ms", *advice.step_after * 1e3);
    if (for_time)
      json.members("exposed_ms", advice.exposed * 1e3, "after_exposed_ms", advice.exposed_after * 1e3,
                   "bound_exposed_ms", advice.least_exposed * 1e3);
    if (module.has_times && !for_time)
      json.objects("trades", advice.trades, [&](const advise::time_trade& trade) {
        json.members("max_time", trade.most_time, "need_bytes", trade.need, "saves_bytes", advice.need - trade.need,
                     "costs_ms", trade.extra_seconds * 1e3, "edits", trade.edits, "proposals", trade.changes);
      });
    if (!module.curve.empty()) write_curve_json(json, module.curve);
    json.member_if("how_to_keep", module.how_to_keep);
    json.member_if("written", module.written);
    if (advice.donation) write_donation_json(json, module, *advice.donation);
    if (advice.changes) write_changes_json(json, module, *advice.changes);
    std::size_t number = 0;
    json.objects("edits", advice.edits, [&](const advise::schedule_edit& edit) {
      json.member("kind", name_of(edit.kind));
      json.values("instructions", edit.instructions);
      json.members("computation", edit.computation, "from", edit.from, "to", edit.to);
      json.member_if("before", edit.before);
      json.member("packing", edit.is_packing);
      json.member("saves_bytes", std::max<byte_count>(0, edit.need_before - edit.need_after));
      json.member("certainty", name_of(for_time ? certainty::estimate : certainty::proven));
      if (edit.need_after > edit.need_before) json.member("adds_bytes", edit.need_after - edit.need_before);
      if (module.has_times) json.members("costs_ms", edit.extra_seconds * 1e3, "exposed_ms", edit.extra_exposed * 1e3);
      json.member_if("frees", edit.frees);
      if (!edit.frees.empty()) json.member("frees_bytes", edit.freed_bytes);
      json.member_if("source", edit.source);
      json.member("how", how_to_get(edit, module.on, advice.wanted, module.flags));
      json.member_if("report", bug_report(advice, number++, module.name));
    });
  });
}

}  // namespace hlolint::report
