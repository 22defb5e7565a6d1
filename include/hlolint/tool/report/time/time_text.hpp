// The time of a step, for people.
#pragma once

#include <hlolint/analysis/time/recomputation.hpp>
#include <hlolint/ir/source_position.hpp>
#include <hlolint/lint/kept_results.hpp>
#include <hlolint/report/findings/finding_groups.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/costs/instruction_costs.hpp>
#include <hlolint/tool/costs/launches.hpp>
#include <hlolint/tool/report/text_table.hpp>
#include <hlolint/tool/report/time/time_facts.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace hlolint::report {

/// A count as a whole number.
inline std::string count_text(double number) {
  return number < 1e15 ? std::to_string(static_cast<long long>(std::llround(number))) : number_text(number);
}

/// Writes the assumptions, then the step, its transfers by exposed time and its work by place. Every time is an
/// estimate: with three digits, or with two and a `~` if the rate is uncertain. Without a known device only ratios are
/// shown.
class time_text {
 public:
  /// Precondition: `out` outlives it.
  explicit time_text(std::ostream& out, time_options options = {}) : out_(out), options_(options) {}

  /// A module without times. `path`: of its text.
  void operator()(const context& module, std::string_view path, std::string_view missing) {
    heading(module, path, {});
    detail::write_remark(out_, missing, options_.width);
    out_ << '\n';
  }
  /// `path`: of the module's text.
  void operator()(const context& module, std::string_view path, const shown_device& on, const timed_module& times) {
    const exposed_time& time = times.time;
    const work_by_source& sorted = times.by_source;
    at_least_ = at_least_text(sorted.unknown_calls(), loops_counted_once(time, options_.trips));
    relative_ = on.device.is_relative();
    const std::string step =
        relative_ ? std::string() : (at_least_.empty() ? ": ~" : ": >= ") + duration_text(time.step());
    heading(module, path, step + (at_least_.empty() ? "" : (relative_ ? ": " : ", ") + at_least_));
    rate_ = on.device.memory_rate * on.device.memory_efficiency;
    detail::write_beside(out_, "device", origin_text(origin_of(module, sorted, on), on), 11,
                         sentence_width(options_.width));
    for (const std::string& assumption : assumptions_of(time, *module.hlo(), on, options_))
      detail::write_beside(out_, "assumes", assumption, 11, sentence_width(options_.width));
    totals(time);
    const instruction_costs costs(*module.hlo(), time);
    headroom(*module.hlo(), time, costs);
    recomputed(module, time);
    started(module, time);
    if (options_.by != time_by::nothing) {
      groups(*module.hlo(), costs);
    } else {
      transfers(time);
      work(sorted, time);
    }
    out_ << '\n';
  }

 private:
  void heading(const context& module, std::string_view path, const std::string& verdict) {
    out_ << module_heading(path, module.name(), module.target(), options_.width, verdict) << '\n';
  }
  std::string milliseconds(double seconds, int digits = 3) const { return number_text(seconds * 1e3, digits); }
  std::string microseconds(double seconds, bool certain) const {
    return (certain || seconds == 0 ? "" : "~") + number_text(seconds * 1e6, certain ? 3 : 2);
  }

  void totals(const exposed_time& time) {
    const std::string share = share_text(time.exposed(), time.step());
    if (relative_) {
      out_ << "  step     " << share << " exposed transfers, if the device is like common ones\n";
      return;
    }
    double sum = 0;
    for (const exposed_transfer& t : time.transfers())
      if (!t.computes && t.in_step) sum += t.time.seconds() * t.runs;
    const std::string text = (at_least_.empty() ? "~" : ">= ") + milliseconds(time.step()) + " ms" +
                             (at_least_.empty() ? "" : ", ") + at_least_ + " = compute " +
                             milliseconds(time.compute()) + " ms + exposed " + milliseconds(time.exposed()) + " ms (" +
                             share + ")" + waiting_text(time) + "; all transfers " + milliseconds(sum) + " ms";
    detail::write_beside(out_, "step", text, 11, options_.width == 0 ? std::string::npos : options_.width);
  }

  // What the step waits for computations on other streams, which is no exposed transfer.
  std::string waiting_text(const exposed_time& time) const {
    const double rest = time.other_streams();
    return rest < 0.001 * time.step() ? std::string()
                                      : " + " + milliseconds(rest) + " ms for computations of other streams";
  }

  // Writes what a step could win that nothing but the peaks of the matrix units and of the memory bounds.
  void headroom(const hlo_module& module, const exposed_time& time, const instruction_costs& costs) {
    const double used = step_summary(module, time).utilization, least = costs.bound();
    if (relative_ || used <= 0 || least <= 0) return;
    const double won = std::max(0.0, costs.step() - least);
    const bool by_matrix = costs.matrix_bound() >= costs.memory_bound();
    const std::string text =
        str_cat({"~", milliseconds(won), " ms could be won, down to the ", milliseconds(least),
                 by_matrix ? " ms that the matrix units need at their peak: "
                           : " ms that the memory needs at its peak for what is read and written now: ",
                 share_text(won, costs.step()), " of the step; MFU ", share_text(used, 1, 3)});
    detail::write_beside(out_, "headroom", text, 11, options_.width == 0 ? std::string::npos : options_.width);
  }

  // Writes what is computed again, and what of it could be kept.
  void recomputed(const context& module, const exposed_time& time) {
    const recomputation again(*module.hlo(), time);
    if (again.seconds() <= 0) return;
    constexpr std::size_t most = 5;
    const std::size_t width = options_.width == 0 ? std::string::npos : options_.width;
    const std::string share = share_text(again.seconds(), time.step());
    if (relative_) return detail::write_beside(out_, "again", share + " of the step computes values again", 11, width);
    const std::optional<byte_count> room = free_memory(module);
    const kept_results kept(again, room.value_or(0));
    std::string text = "~" + milliseconds(again.seconds()) + " ms compute values again: " + share + " of the step";
    if (room) text += "; " + human(*room) + " of " + memory_for_programs(time.on()) + " stay free";
    if (!kept.list.empty())
      text += ", and " + human(kept.bytes) + " of them would save ~" + milliseconds(kept.seconds) + " ms";
    detail::write_beside(out_, "again", text, 11, width);
    for (std::size_t k = 0; k < kept.list.size() && k < most; ++k) {
      const keepable_result& one = *kept.list[k];
      detail::write_beside(
          out_, "keep",
          "~" + milliseconds(one.seconds) + " ms for " + human(one.bytes) + ": " + printable(kept_text(one)), 11,
          width);
    }
    out_ << and_more(kept.list.size(), most, "  ", "\n");
    if (!kept.list.empty())
      detail::write_beside(out_, "how", how_to_keep(kept.list), 11, sentence_width(options_.width));
  }

  // Writes how much of the step is the start of kernels.
  void started(const context& module, const exposed_time& time) {
    const std::string text =
        relative_ ? std::string() : launches_text(launches(*module.hlo(), time), time, module.flags());
    if (!text.empty()) detail::write_beside(out_, "launches", text, 11, sentence_width(options_.width));
  }

  // Writes the requested sums; together with the rows that are not shown they make up the step.
  void groups(const hlo_module& module, const instruction_costs& costs) {
    const step_grouping grouping(module, options_.by, options_.depth);
    const std::vector<step_group> list = group_step(costs, grouping);
    const bool by_axis = options_.by == time_by::axis;
    const bool split = grouping.passes().has_gradients() && options_.by != time_by::pass && !by_axis;
    const std::string name(name_of(options_.by));
    text_table table(
        by_axis ? std::vector<std::string>{"#ms/step", "#share", "#exposed ms", "#transfers ms", "#sent", "#runs", name}
                : std::vector<std::string>{"#ms/step", "#share", "#exposed", "#matrix", "#memory", "#forward",
                                           "#backward", "#recomputed", "#optimizer", "#runs", name},
        by_axis ? std::vector<std::size_t>{} : std::vector<std::size_t>{9, 3, 4, 2});
    if (relative_) table.hide(0);
    if (relative_ && by_axis) table.hide(2), table.hide(3);
    for (std::size_t column = 5; !by_axis && !split && column < 9; ++column) table.hide(column);
    const auto add = [&](const step_group& g, std::string shown) {
      std::vector<std::string> row{milliseconds(g.seconds), share_text(g.seconds, costs.step())};
      if (by_axis)
        row.insert(row.end(), {milliseconds(g.exposed), milliseconds(g.transfer_seconds),
                               g.sent_bytes > 0 ? human(whole_bytes(g.sent_bytes)) : "-"});
      else
        row.insert(row.end(), {share_text(g.exposed, g.seconds), share_text(g.matrix_seconds, g.seconds),
                               share_text(g.memory_seconds, g.seconds)});
      for (const program_pass pass : known_passes)
        if (!by_axis) row.push_back(share_text(g.of_pass[static_cast<std::size_t>(pass)], g.seconds));
      row.insert(row.end(), {count_text(g.runs), std::move(shown)});
      table.add(std::move(row));
    };
    step_group rest, all;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i < options_.top)
        add(list[i], printable(list[i].name));
      else
        rest += list[i];
      all += list[i];
    }
    if (list.size() > options_.top) add(rest, "(" + std::to_string(list.size() - options_.top) + " more)");
    add(all, "= the step");
    out_ << '\n';
    table.write(out_, options_.width);
  }

  // Estimates of latencies, networks and TPU links can be off by factors.
  static bool is_certain(const exposed_transfer& t, const device& on) {
    return t.time.path == transfer_path::fast && !on.is_tpu() && t.time.within > 4 * t.time.latency;
  }

  void transfers(const exposed_time& time) {
    const std::vector<exposed_transfer> worst = time.worst_first();
    if (worst.empty()) {
      out_ << "  no transfers\n";
      return;
    }
    text_table table({"#line", "transfer", "kind", "#sent", "#runs", "#takes us", "#work us", "#exposed us", "#ms/step",
                      "class", "over"},
                     {10, 2, 6, 5, 3});  // over, kind, work, takes, sent
    if (relative_)
      table =
          text_table({"#line", "transfer", "kind", "#sent", "#runs", "#work on", "#work/transfer", "class"}, {2, 5});
    std::size_t shown = 0, small = 0, more = 0, hidden = 0;
    double small_seconds = 0, more_seconds = 0;
    for (const exposed_transfer& t : worst) {
      const exposure_class overlap = t.overlap();
      if (overlap == exposure_class::hidden) {
        ++hidden;
      } else if (relative_ ? t.time.wire_bytes < 1048576 : is_small(t)) {
        ++small, small_seconds += t.exposed;
      } else if (shown == options_.top) {
        ++more, more_seconds += t.exposed;
      } else {
        ++shown;
        add_row(table, t, time.on());
      }
    }
    if (shown > 0) {
      out_ << '\n';
      table.write(out_, options_.width);
    }
    const auto rest = [&](std::size_t count, const std::string& what, double seconds) {
      if (count == 0) return;
      out_ << "  " << (shown > 0 ? "and " : "") << what;
      if (!relative_ && seconds > 0) out_ << ", ~" << milliseconds(seconds, 2) << " ms";
      out_ << '\n';
    };
    rest(more, std::to_string(more) + " more", more_seconds);
    rest(small, counted(small, "small transfer"), small_seconds);
    rest(hidden, counted(hidden, "hidden transfer"), 0);
  }

  void add_row(text_table& table, const exposed_transfer& t, const device& on) {
    const auto line = std::to_string(t.start.where().begin().line);
    const auto size = [](double bytes) { return human(whole_bytes(bytes)); };
    std::vector<std::string> row{line, printable(t.start.name()), kinds_text(t.time), size(t.time.wire_bytes),
                                 count_text(t.runs)};
    if (relative_) {
      const double whole = t.time.seconds();
      row.push_back(t.synchronous ? "-" : size(t.work_each() * rate_));
      row.push_back(t.synchronous || whole <= 0 ? "-" : number_text(t.work_each() / whole, 2));
    } else {
      const bool certain = is_certain(t, on);
      row.push_back(microseconds(t.time.seconds(), certain));
      row.push_back(t.synchronous ? "-" : microseconds(t.work_each(), true));
      row.push_back(microseconds(t.exposed_each(), certain));
      row.push_back((certain || t.exposed == 0 ? "" : "~") + milliseconds(t.exposed, certain ? 3 : 2));
    }
    row.emplace_back(name_of(t.overlap()));
    if (!relative_) row.emplace_back(name_of(t.time.path));
    table.add(std::move(row));
    std::string remark;
    const auto add = [&](const std::string& text) { remark += (remark.empty() ? "" : "; ") + text; };
    if (const program_place from = program_place_of(t.start)) add(from.text());
    if (t.blocker) add("waits for " + std::string(t.blocker.name()));
    const auto rate = relative_ ? std::nullopt : break_even_rate(t);
    if (rate && std::max(*rate, on.network_rate) < 10 * std::min(*rate, on.network_rate))
      add((t.exposed > 0 ? "hidden from " : "hidden down to ") + number_text(*rate / 1e9, 2) + " GB/s per device");
    if (!remark.empty()) table.add_remark(printable(remark));
  }

  void work(const work_by_source& sorted, const exposed_time& time) {
    if (!sorted.list().empty() && time.step() > 0) {
      text_table table({"#ms/step", "#share", "#runs", "bound", "kind", "program"});
      if (relative_) table.hide(0);
      std::size_t shown = 0;
      double rest = 0;
      for (const source_work& w : sorted.list()) {
        if (shown++ >= options_.top) {
          rest += w.seconds;
          continue;
        }
        table.add({milliseconds(w.seconds), share_text(w.seconds, time.step()), count_text(w.runs),
                   std::string(name_of(w.bound)), printable(w.kind), printable(w.place())});
      }
      out_ << '\n';
      table.write(out_, options_.width);
      out_ << and_more(shown, options_.top, "  ", ", " + share_text(rest, time.step()) + "\n");
    }
    if (const std::size_t count = sorted.unknown_calls())
      out_ << "  contains " << counted(count, "call")
           << " of unknown cost: they count with what they move or compute at least\n";
  }

  std::ostream& out_;
  time_options options_;
  bool relative_ = false;
  std::string at_least_;  // why the estimate is a lower bound
  double rate_ = 1;
};

}  // namespace hlolint::report
