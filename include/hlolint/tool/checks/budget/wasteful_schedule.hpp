// BUD011: a module that needs less memory with its instructions in another order.
#pragma once

#include <hlolint/lint/check.hpp>
#include <hlolint/tool/compiled.hpp>

namespace hlolint {

/// Reported if `hlolint advise` finds moves or recomputations that pay. Not for TPU, whose memory was packed for the
/// given order.
struct wasteful_schedule {
  static constexpr rule about{
      .id = "BUD011",
      .name = "wasteful-schedule",
      .level = severity::note,
      .needs = need::scheduled | need::target,
      .what =
          "The schedule of a module needs more memory than necessary: after a few instructions are moved, or "
          "cheap values recomputed, XLA's buffer assignment takes less.",
      .why = "The extra bytes are needed only because of the order in which the compiler placed the instructions.",
      .advice = "`hlolint advise` lists all edits, what each saves and costs, and how to make it.",
      .example = "%weight_grad = bf16[4096,32768]{1,0} custom-call(%x, %logits_grad)  // behind the backward loop",
      .source = "advise.md 5"};

  byte_count min_bytes = 256_MiB;
  double min_share = 0.05;
  int max_search = 5000;
  static constexpr auto options =
      std::tuple{option{"min-bytes", &wasteful_schedule::min_bytes, "edits that save less are not reported"},
                 option{"min-share", &wasteful_schedule::min_share,
                        "edits that save a smaller share of the need are not reported"},
                 option{"max-search", &wasteful_schedule::max_search,
                        "the search tries at most this many orders; 0 reports what no order can save more than"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_TOOL_DECLARATIONS_ONLY
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/memory_estimate.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/advise/order_room.hpp>
#include <hlolint/tool/advise/schedule_advice.hpp>
#include <hlolint/tool/checks/edited_findings.hpp>

#include <optional>
#include <utility>

namespace hlolint {

HLOLINT_INLINE void wasteful_schedule::operator()(const context& dump, sink_ref emit) const {
  const hlo_module& module = *dump.hlo();
  if (!module.entry() || dump.target() == target::tpu) return;
  const auto is_much = [&](byte_count saved, byte_count of) {
    return saved >= min_bytes && static_cast<double>(saved) >= min_share * static_cast<double>(of);
  };
  if (max_search <= 0) {
    const advise::order_room room = advise::order_room_of(dump);
    if (!is_much(room.bytes(), room.need)) return;
    return emit(finding_at(
        module,
        "the schedule of this module needs " + human(room.need) + ", and no order less than " + human(room.bound),
        {.bytes = room.bytes(), .promise = promised_bytes{room.bytes(), certainty::bound}}));
  }
  if (needed_memory(dump).value_or(0) < min_bytes) return;  // the search takes minutes where values are many
  advise::advice_options how;
  how.rules = rules_of_assignment(dump);
  if (dump.target() != target::cpu) how.on = dump.device();
  how.donations = how.changes = false;
  how.most_evaluations = static_cast<std::size_t>(max_search);
  std::optional<edited_findings> before;  // made only if there are edits
  how.refuses = [&](const hlo_module& edited) {
    if (!before) before.emplace(dump);
    return before->first_new(edited);
  };
  advise::schedule_advice found = advise::advise_memory(module, how);
  if (dump.has(need::buffers)) advise::keep_what_goes_below(found, needed_memory(dump).value_or(found.need));
  const byte_count saved = found.need - found.after;
  if (found.edits.empty() || !is_much(saved, found.need)) return;
  const advise::schedule_edit& first = found.edits.front();
  const hlo_instruction at = advise::find_instruction(module, first.computation, first.instructions.front());
  std::string text = "the schedule of this module needs " + human(found.need) + ", and " + human(found.after) +
                     " after " + std::to_string(found.edits.size()) + (found.edits.size() == 1 ? " edit" : " edits");
  finding d = at ? finding_at(at, std::move(text)) : finding_at(module, std::move(text));
  d.bytes = saved;
  d.promise = promised_bytes{saved, certainty::proven};
  std::string advice;
  for (std::size_t k = 0; k < found.edits.size() && k < 3; ++k) {
    const advise::schedule_edit& e = found.edits[k];
    append_to(advice,
              {k == 0 ? "" : "; ", e.instructions.front(),
               e.kind == advise::edit_kind::recompute ? " computed again"
               : e.from < e.to                        ? " later"
                                                      : " earlier",
               e.before.empty() ? ", at the end" : str_cat({", before ", e.before}), ", to ", human(e.need_after)});
  }
  d.advice = advice + ". `hlolint advise` lists all edits, and how to make them.";
  emit(std::move(d));
}

}  // namespace hlolint
#endif
