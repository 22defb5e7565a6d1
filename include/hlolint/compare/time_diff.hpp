// What makes a step take more or less time in a module that was compiled again.
#pragma once

#include <hlolint/compare/origin_diff.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

namespace hlolint::compare::detail {

/// `, 2 calls are unknown and counted with what is moved at least, 1 loop is assumed to run as often as the condition
/// suggests`; empty if all is known.
inline std::string unknown_text(const time_summary& before, const time_summary& after) {
  const auto counted = [&](std::size_t time_summary::* part, const std::string& what, const char* then) {
    const std::size_t count = std::max(before.*part, after.*part);
    if (count == 0) return std::string{};
    return ", " + std::to_string(count) + " " + what + (count == 1 ? " is " : "s are ") + then;
  };
  return counted(&time_summary::unknown_calls, "call", "unknown and counted with what is moved at least") +
         counted(&time_summary::unknown_loops, "loop", "counted once, as nothing gives the number of runs") +
         counted(&time_summary::assumed_loops, "loop", "assumed to run as often as the condition suggests");
}

/// The estimated step, and below it which part, lines and kinds of instructions changed with it. Without a device only
/// the ratio means anything, and no number is given.
inline void diff_time(const module_summary& before, const module_summary& after, const diff_options& options,
                      record_list<module_change>& out) {
  if (!before.time || !after.time || before.time->device != after.time->device) return;
  const time_summary &was = *before.time, &is = *after.time;
  const auto counts = [&](std::int64_t a, std::int64_t b) { return !options.time_tolerance().covers(a, b); };
  if (!counts(was.step, is.step)) return;
  const bool worse = is.step > was.step;
  module_change& change = out.emplace_back();
  change.kind = change_kind::time;
  change.verdict = worse ? change_verdict::worse : change_verdict::better;
  change.text = std::string("estimated step ") + (worse ? "takes longer" : "takes less time");
  if (was.device.empty()) {
    const double ratio = was.step > 0 ? static_cast<double>(is.step) / static_cast<double>(was.step) : 0;
    char text[96];
    std::snprintf(text, sizeof text, ": %.3g times as long on a device of usual ratios (name one with --device)",
                  ratio);
    change.text += text;
    return;
  }
  change.text += " on " + was.device + unknown_text(was, is);
  change.number = changed_number{"step", was.step, is.step, number_unit::nanoseconds};
  const auto add = [&](const std::string& what, std::int64_t a, std::int64_t b) {
    if (counts(a, b) && (b > a) == worse) change.with.push_back({what, a, b, number_unit::nanoseconds});
  };
  add("work", was.compute, is.compute);
  add("waiting for transfers", was.exposed, is.exposed);
  add_origins(was.origins, is.origins, options.time_tolerance(), number_unit::nanoseconds, worse, change.with);
}

}  // namespace hlolint::compare::detail
