// The differences of a module that was compiled again, except findings.
#pragma once

#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/text/sorting.hpp>
#include <hlolint/tool/compare/cost_diff.hpp>
#include <hlolint/tool/compare/matched_entries.hpp>
#include <hlolint/tool/compare/module_change.hpp>
#include <hlolint/tool/compare/module_summary.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace hlolint::compare {

namespace detail {

/// Matches parameters by name and shape, then by number, or by shape alone if their count differs.
inline void diff_donations(const module_summary& before, const module_summary& after, const diff_options& options,
                           std::vector<module_change>& out) {
  if (!before.has_hlo || !after.has_hlo) return;
  const bool same_numbers = before.parameters.size() == after.parameters.size();
  const auto by_number = [&](const donation_summary& d) {
    return same_numbers ? std::to_string(d.parameter) + to_string(d.index) : std::string{};
  };
  const auto by_name = [](const donation_summary& d) { return key_with(d.op_name, to_string(d.index), d.shape); };
  const auto by_shape = [&](const donation_summary& d) { return same_numbers ? std::string{} : d.shape; };
  const matched_entries found = match_entries(before.donations, after.donations, by_name, by_number, by_shape);
  const auto report = [&](change_verdict verdict, const donation_summary* was, const donation_summary* is,
                          const std::string& what) {
    const donation_summary& about = is ? *is : *was;
    if (about.bytes > 0 && about.bytes <= options.tolerance.bytes) return;
    module_change& change = add_change(out, change_kind::donation, verdict,
                                       "parameter " + std::to_string(about.parameter) +
                                           (about.index.empty() ? "" : " at index " + to_string(about.index)));
    std::string notes = about.shape;
    if (about.bytes > 0) notes += (notes.empty() ? "" : ", ") + human(about.bytes);
    if (!about.op_name.empty()) notes += (notes.empty() ? "" : ", ") + about.op_name;
    change.text += (notes.empty() ? "" : " (" + notes + ")") + what;
    change.bytes = about.bytes;
    const auto name = [&](const donation_summary* d, const module_summary& of, std::vector<std::string>& names) {
      const auto number = static_cast<std::size_t>(about.parameter);
      if (d && !d->instruction.empty()) names.push_back(d->instruction);
      if (!d && same_numbers && number < of.parameters.size()) names.push_back(of.parameters[number]);
    };
    name(was, before, change.before), name(is, after, change.after);
  };
  const auto output_text = [](const donation_summary& d) { return "output " + to_string(*d.output); };
  for (const std::size_t i : found.gone) {
    const donation_summary& d = before.donations[i];
    report(change_verdict::worse, &d, nullptr,
           d.output ? " is no longer donated to " + output_text(d) : std::string(" is no longer a buffer donor"));
  }
  for (const auto& [i, j] : found.pairs) {
    const donation_summary &was = before.donations[i], &is = after.donations[j];
    if (was.output && !is.output)
      report(change_verdict::worse, &was, &is,
             " is still a buffer donor, but no longer shares the buffer of " + output_text(was));
    if (!was.output && is.output)
      report(change_verdict::better, &was, &is, " was a buffer donor, and now shares the buffer of " + output_text(is));
  }
  for (const std::size_t j : found.added) {
    const donation_summary& d = after.donations[j];
    report(change_verdict::better, nullptr, &d,
           d.output ? " is now donated to " + output_text(d) : std::string(" is now a buffer donor"));
  }
}

/// Counts equal changes of equal instructions as one change.
class change_groups {
 public:
  explicit change_groups(std::vector<module_change>& out) : out_(out) {}

  /// `what` follows the description of the instruction in the text.
  void add(change_kind kind, change_verdict verdict, const instruction_summary* was, const instruction_summary* is,
           const std::string& what) {
    const instruction_summary& about = is ? *is : *was;
    const auto [at, is_new] =
        known_.emplace(std::tuple(kind, verdict, about.kind, about.shape, about.op_name, what), out_.size());
    if (is_new) add_change(out_, kind, verdict, text_of(about) + what).count = 0;
    module_change& change = out_[at->second];
    ++change.count;
    if (was) change.before.push_back(was->instruction);
    if (is) change.after.push_back(is->instruction);
  }

 private:
  // `all-gather of 16.00MiB, f32[4096,1024] (train.py:31, jit(step)/gather)`
  static std::string text_of(const instruction_summary& about) {
    std::string out = about.kind + (about.bytes > 0 ? " of " + human(about.bytes) : std::string{});
    if (!about.shape.empty()) out += ", " + about.shape;
    if (about.runs > 1) out += " x " + std::to_string(about.runs) + " iterations";
    if (about.source.empty() && about.op_name.empty()) return out;
    return out + " (" + about.source + (about.source.empty() || about.op_name.empty() ? "" : ", ") + about.op_name +
           ")";
  }

  std::vector<module_change>& out_;
  std::map<std::tuple<change_kind, change_verdict, std::string, std::string, std::string, std::string>, std::size_t>
      known_;
};

/// The best overlapped first: if one side has more of equal collectives, the worst are left without a partner.
inline std::vector<collective_summary> best_first(std::vector<collective_summary> list) {
  std::stable_sort(list.begin(), list.end(), [](const collective_summary& a, const collective_summary& b) {
    return std::tuple(a.is_overlapped(), !a.synchronous, a.hidden_by) >
           std::tuple(b.is_overlapped(), !b.synchronous, b.hidden_by);
  });
  return list;
}

/// Whether more than half of the work beside a collective is gone.
inline bool lost_work(const collective_summary& before, const collective_summary& after) {
  return before.has_done && after.has_done && after.work < before.work && after.hidden_by < before.hidden_by / 2;
}

inline void diff_collective(const collective_summary& was, const collective_summary& is, change_groups& out) {
  const bool overlapped = was.is_overlapped(), still = is.is_overlapped();
  const auto count = [](std::size_t work) {
    return std::to_string(work) + (work == 1 ? " instruction" : " instructions");
  };
  // A collective with no work beside it on either side is neither better nor worse.
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

/// The bytes that each device sends with the collectives of one kind, on both sides.
struct transferred_bytes {
  struct sums {
    byte_count of_all_runs = 0, once = 0;
    bool runs_known = true;

    void add(const collective_summary& c) {
      of_all_runs = checked_add(of_all_runs, checked_multiply(c.sent, c.runs).value_or(c.sent)).value_or(of_all_runs);
      once = checked_add(once, c.sent).value_or(once);
      runs_known = runs_known && c.runs_known;
    }
  };
  sums before, after;
};

inline void diff_collectives(const module_summary& before, const module_summary& after, const diff_options& options,
                             std::vector<module_change>& out) {
  if (!before.is_scheduled || !after.is_scheduled) return;
  // The bytes are compared by kind, as XLA combines and splits collectives.
  std::map<std::string, transferred_bytes> transferred;
  for (const collective_summary& c : before.collectives) transferred[c.kind].before.add(c);
  for (const collective_summary& c : after.collectives) transferred[c.kind].after.add(c);

  if (after.target != target::cpu) {  // on a CPU, all collectives are synchronous
    const std::vector<collective_summary> old_ones = best_first(before.collectives),
                                          new_ones = best_first(after.collectives);
    const matched_entries found = match_entries(
        old_ones, new_ones,
        [](const collective_summary& c) { return joined_key(c.kind, c.shape, c.devices, c.op_name); },
        [](const collective_summary& c) { return key_with(c.op_name, c.kind, c.devices); },
        [](const collective_summary& c) { return joined_key(c.kind, c.shape, c.devices); });
    change_groups groups(out);
    for (const auto& [i, j] : found.pairs) {
      const byte_count bytes = std::max(old_ones[i].bytes, new_ones[j].bytes);
      if (bytes == 0 || bytes > options.tolerance.bytes) diff_collective(old_ones[i], new_ones[j], groups);
    }
  }
  for (const auto& [kind, sums] : transferred) {
    // If only one side gives the trip counts of its loops, runs are not comparable.
    const bool comparable = sums.before.runs_known == sums.after.runs_known;
    const byte_count was = comparable ? sums.before.of_all_runs : sums.before.once;
    const byte_count is = comparable ? sums.after.of_all_runs : sums.after.once;
    if (options.tolerance.covers(was, is)) continue;
    const bool grew = is > was;
    add_change(out, change_kind::collective_bytes, grew ? change_verdict::worse : change_verdict::better,
               kind + (grew ? " sends more" : " sends less") +
                   (comparable ? "" : ", counting every loop once, as some are of unknown length"))
        .number = changed_number{"bytes that each device sends by " + kind, was, is, number_unit::bytes};
  }
}

/// Reports copies or constants that are new or gone, and those that are larger or smaller at the same place of the
/// program. Arrays of equally many bytes match: XLA may have changed their layout or shape.
inline void diff_arrays(const std::vector<instruction_summary>& before, const std::vector<instruction_summary>& after,
                        change_kind kind, const diff_options& options, std::vector<module_change>& out) {
  const matched_entries found = match_entries(
      before, after, [](const instruction_summary& a) { return joined_key(a.kind, a.shape, a.op_name); },
      [](const instruction_summary& a) { return joined_key(a.kind, a.shape); },
      [](const instruction_summary& a) { return std::to_string(a.bytes); },
      [](const instruction_summary& a) { return key_with(a.op_name, a.kind, a.source); },  // of another size
      [](const instruction_summary& a) { return key_with(a.source, a.kind); },
      [](const instruction_summary& a) {
        return a.source.empty() && a.op_name.empty() ? joined_key(a.kind, without_numbers(a.instruction))
                                                     : std::string{};
      });
  const auto counts = [&](const instruction_summary& a) {
    return a.bytes >= options.large && a.bytes > options.tolerance.bytes;
  };
  change_groups groups(out);
  for (const auto& [i, j] : found.pairs) {
    const byte_count was = before[i].bytes, is = after[j].bytes;
    if (options.tolerance.covers(was, is) || !counts(was > is ? before[i] : after[j])) continue;
    groups.add(kind, is > was ? change_verdict::worse : change_verdict::better, &before[i], &after[j],
               (is > was ? " grew from " : " shrank from ") + human(was));
  }
  for (const std::size_t j : found.added)
    if (counts(after[j])) groups.add(kind, change_verdict::worse, nullptr, &after[j], " is new");
  for (const std::size_t i : found.gone)
    if (counts(before[i])) groups.add(kind, change_verdict::better, &before[i], nullptr, " is gone");
}

}  // namespace detail

/// The changes from one compilation to the other, the worse ones first. Compares only what both sides have.
/// `module_change::module` and `file` stay empty.
inline std::vector<module_change> diff(const module_summary& before, const module_summary& after,
                                       const diff_options& options = {}) {
  std::vector<module_change> out;
  detail::diff_time(before, after, options, out);
  detail::diff_memory(before, after, options, out);
  detail::diff_donations(before, after, options, out);
  detail::diff_collectives(before, after, options, out);
  if (before.is_scheduled && after.is_scheduled)
    detail::diff_arrays(before.copies, after.copies, change_kind::copy, options, out);
  if (before.has_hlo && after.has_hlo)
    detail::diff_arrays(before.constants, after.constants, change_kind::constant, options, out);
  std::stable_sort(out.begin(), out.end(), [](const module_change& a, const module_change& b) {
    return in_order(a.verdict, b.verdict, a.kind, b.kind);
  });
  return out;
}

}  // namespace hlolint::compare
