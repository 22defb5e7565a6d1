// What became of the collectives of a module that was compiled again.
#pragma once

#include <hlolint/compare/change_groups.hpp>
#include <hlolint/compare/diff_options.hpp>
#include <hlolint/compare/matched_entries.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace hlolint::compare::detail {

/// The best first, so that of equal ones that became more the worst are left over.
inline record_list<collective_summary> best_first(record_list<collective_summary> list) {
  std::stable_sort(list.begin(), list.end(), [](const collective_summary& a, const collective_summary& b) {
    return std::tuple(a.is_overlapped(), !a.synchronous, a.hidden_by) >
           std::tuple(b.is_overlapped(), !b.synchronous, b.hidden_by);
  });
  return list;
}

/// Whether much of the work beside a collective is gone.
inline bool lost_work(const collective_summary& before, const collective_summary& after) {
  return before.has_done && after.has_done && after.work < before.work && after.hidden_by < before.hidden_by / 2;
}

inline void diff_collective(const collective_summary& was, const collective_summary& is, change_groups& out) {
  const bool overlapped = was.is_overlapped(), still = is.is_overlapped();
  const auto count = [](std::size_t work) {
    return std::to_string(work) + (work == 1 ? " instruction" : " instructions");
  };
  // Where nothing ran beside it, nothing is won or lost.
  const change_verdict verdict = overlapped == still ? change_verdict::neither
                                 : overlapped        ? change_verdict::worse
                                                     : change_verdict::better;
  if (is.synchronous != was.synchronous)
    out.add(change_kind::synchronous, verdict, &was, &is,
            std::string(is.synchronous ? " became synchronous" : " became asynchronous") +
                (verdict == change_verdict::neither ? ", and nothing runs beside it on either side" : ""));
  else if (overlapped != still)
    out.add(change_kind::overlap, verdict, &was, &is,
            overlapped ? " is no longer overlapped: nothing runs beside it" : " is overlapped now");
  else if (overlapped && (lost_work(was, is) || lost_work(is, was)))
    out.add(change_kind::overlap, change_verdict::neither, &was, &is,
            " has " + count(is.work) + " of work beside it, had " + count(was.work));
}

/// What the collectives of one kind transfer.
struct transferred_bytes {
  struct sums {
    byte_count of_all_runs = 0, once = 0;
    bool runs_known = true;

    void add(const collective_summary& c) {
      of_all_runs = checked_add(of_all_runs, checked_multiply(c.bytes, c.runs).value_or(c.bytes)).value_or(of_all_runs);
      once = checked_add(once, c.bytes).value_or(once);
      runs_known = runs_known && c.runs_known;
    }
  };
  sums before, after;
};

inline void diff_collectives(const module_summary& before, const module_summary& after, const diff_options& options,
                             record_list<module_change>& out) {
  if (!before.is_scheduled || !after.is_scheduled) return;
  // What became more is measured in bytes, as XLA combines and splits collectives.
  std::map<std::string, transferred_bytes> transferred;
  for (const collective_summary& c : before.collectives) transferred[c.kind].before.add(c);
  for (const collective_summary& c : after.collectives) transferred[c.kind].after.add(c);

  if (after.target != target::cpu) {  // all collectives are synchronous there
    const record_list<collective_summary> old_ones = best_first(before.collectives),
                                          new_ones = best_first(after.collectives);
    const matched_entries found = match_entries(
        old_ones, new_ones,
        [](const collective_summary& c) { return joined_key(c.kind, c.shape, c.devices, c.op_name); },
        [](const collective_summary& c) {
          return c.op_name.empty() ? std::string{} : joined_key(c.kind, c.devices, c.op_name);
        },
        [](const collective_summary& c) { return joined_key(c.kind, c.shape, c.devices); });
    change_groups groups(out);
    for (const auto& [i, j] : found.pairs) {
      const byte_count bytes = std::max(old_ones[i].bytes, new_ones[j].bytes);
      if (bytes == 0 || bytes > options.tolerance.bytes) diff_collective(old_ones[i], new_ones[j], groups);
    }
  }
  for (const auto& [kind, sums] : transferred) {
    // It is no difference if only one of the two gives how often loops run.
    const bool comparable = sums.before.runs_known == sums.after.runs_known;
    const byte_count was = comparable ? sums.before.of_all_runs : sums.before.once;
    const byte_count is = comparable ? sums.after.of_all_runs : sums.after.once;
    if (options.tolerance.covers(was, is)) continue;
    module_change& change = out.emplace_back();
    change.kind = change_kind::collective_bytes;
    change.verdict = is > was ? change_verdict::worse : change_verdict::better;
    change.text = kind + (is > was ? " transfers more" : " transfers less") +
                  (comparable ? "" : ", counting every loop once, as some are of unknown length");
    change.number = changed_number{"bytes of " + kind, was, is, number_unit::bytes};
  }
}

}  // namespace hlolint::compare::detail
