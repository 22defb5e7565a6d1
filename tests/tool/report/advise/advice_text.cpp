// What `advise` says that a module needs after the edits.
#include <hlolint/tool/report/advise/advice_text.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string>

using namespace hlolint;

TEST_CASE("a gain that rounds to nothing is given in bytes") {
  advise::schedule_advice advice;
  advice.edits.resize(2);
  advice.need = 1000 * 1024 * 1024, advice.after = advice.need;
  CHECK(report::after_text(advice) == "1000.00MiB, as much as before, by 2 edits (proven on this text)");
  advice.after = advice.need - 2048;
  CHECK(report::after_text(advice) == "1000.00MiB, 2.0KiB less, by 2 edits (proven on this text)");
  advice.after = advice.need / 4 * 3;
  CHECK(report::after_text(advice) == "750.00MiB, 25.0 % less, by 2 edits (proven on this text)");
}

TEST_CASE("an edit that saves nothing by itself is part of the report of the edit that needs it") {
  advise::schedule_advice advice;
  const auto add = [&](const char* name, byte_count before, byte_count after, advise::edit_kind kind) {
    advise::schedule_edit edit;
    edit.kind = kind;
    edit.instructions = {name};
    edit.computation = "main";
    edit.from = 4, edit.to = 9;
    edit.before = "dot";
    edit.need_before = before * 1024, edit.need_after = after * 1024;
    advice.edits.push_back(edit);
  };
  add("alone", 100, 90, advise::edit_kind::move);
  add("idle", 90, 90, advise::edit_kind::move);
  add("raising", 90, 95, advise::edit_kind::move);
  add("saving", 95, 70, advise::edit_kind::recompute);
  add("again", 70, 60, advise::edit_kind::recompute);
  const auto text = [&](std::size_t at) { return report::bug_report(advice, at, "m"); };
  const std::string kept = ". All dependences, the order of effects and of writes in place are kept.";
  const auto moved = [](const char* name) {
    return std::string(name) + " (place 4 of computation main) is scheduled later, right before dot";
  };
  CHECK(text(0) ==
        "In module m: if " + moved("alone") + ", buffer assignment takes 90.0KiB instead of 100.0KiB" + kept);
  CHECK(text(1).empty());
  CHECK(text(2).empty());
  CHECK(text(3) == "In module m: if " + moved("idle") + ", " + moved("raising") +
                       ", and saving (place 4 of computation main) is computed again, right before dot, buffer "
                       "assignment takes 70.0KiB instead of 90.0KiB" +
                       kept);
  // A value that is computed again is up to the program; only a report with a move is for XLA.
  CHECK(report::detail::edits_to_report(advice.edits, 3).move);
  CHECK_FALSE(report::detail::edits_to_report(advice.edits, 4).move);
}

TEST_CASE("advice text: the scheduler that hides transfers is named where there are some") {
  advise::schedule_edit edit;
  edit.crosses_loop = edit.is_product = true;
  CHECK(report::how_to_get(edit, target::gpu).find("latency hiding scheduler") == std::string::npos);
  edit.may_hide_transfers = true;
  CHECK(report::how_to_get(edit, target::gpu).find("--xla_gpu_memory_limit_slop_factor=N") != std::string::npos);
  CHECK(report::how_to_get(edit, target::cpu).find("CPU_SCHEDULER_TYPE_MEMORY_OPTIMIZED") != std::string::npos);
}
