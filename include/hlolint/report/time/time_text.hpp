// The time of a step, for people.
#pragma once

#include <hlolint/analysis/step/instruction_costs.hpp>
#include <hlolint/ir/source_position.hpp>
#include <hlolint/report/findings/finding_groups.hpp>
#include <hlolint/report/time/time_facts.hpp>
#include <hlolint/report/writing.hpp>

#include <cmath>
#include <cstdio>

namespace hlolint::report {

/// A number with the given count of significant digits and no exponent: `8.9`, `0.057`, `240`.
inline std::string rounded(double number, int digits) {
  if (!std::isfinite(number)) return "?";
  if (number == 0) return "0";
  const int before = static_cast<int>(std::floor(std::log10(std::abs(number)))) + 1;
  const double unit = std::pow(10, before - digits);
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", std::clamp(digits - before, 0, 9), std::round(number / unit) * unit);
  return text;
}

/// A count as a whole number.
inline std::string count_text(double number) {
  return number < 1e15 ? std::to_string(static_cast<long long>(std::llround(number))) : rounded(number, 3);
}

/// Writes the assumptions, then the step, its transfers by exposed time and its work by place. Every time is an
/// estimate: with three digits, or with two and a `~` if the rate is uncertain. Without a known device only ratios are
/// shown.
class time_text {
 public:
  /// Precondition: `out` outlives it.
  explicit time_text(std::ostream& out, time_options options = {}) : out_(out), options_(options) {}

  /// `path`: of the module's text.
  void operator()(const context& module, std::string_view path, const shown_device& on) {
    out_ << module_heading(path, module.name(), module.target());
    if (const std::string missing = missing_for_time(module); !missing.empty()) {
      out_ << '\n';
      detail::write_wrapped(out_, missing, "  ", sentence_width(options_.width));
      out_ << '\n';
      return;
    }
    const exposed_time time(*module.hlo(), on.device, options_.trips);
    const work_by_source sorted(*module.hlo(), time);
    at_least_ = at_least_text(sorted.unknown_calls(), loops_counted_once(time, options_.trips));
    relative_ = on.device.is_relative();
    if (!relative_)
      out_ << ": " << (at_least_.empty() ? "~" : ">= ") << milliseconds_text(time.step()) << " ms"
           << (at_least_.empty() ? "" : ", ") << at_least_;
    else if (!at_least_.empty())
      out_ << ": " << at_least_;
    out_ << '\n';
    rate_ = on.device.memory_rate * on.device.memory_efficiency;
    out_ << "  device   "
         << (relative_ ? std::string("not known: sizes and ratios only (--device names one)")
                       : printable(on.device.name))
         << '\n';
    for (const std::string& assumption : assumptions_of(time, *module.hlo(), on, options_))
      detail::write_wrapped(out_, assumption, "  assumes  ", sentence_width(options_.width));
    totals(time);
    const instruction_costs costs(*module.hlo(), time);
    headroom(*module.hlo(), time, costs);
    if (options_.by != time_by::nothing) {
      groups(*module.hlo(), costs);
    } else {
      transfers(time);
      work(sorted, time);
    }
    out_ << '\n';
  }

 private:
  std::string milliseconds(double seconds, int digits = 3) const { return rounded(seconds * 1e3, digits); }
  std::string microseconds(double seconds, bool certain) const {
    return (certain || seconds == 0 ? "" : "~") + rounded(seconds * 1e6, certain ? 3 : 2);
  }

  void totals(const exposed_time& time) {
    const double share = time.step() > 0 ? 100 * time.exposed() / time.step() : 0;
    if (relative_) {
      out_ << "  step     " << rounded(share, 2) << " % exposed transfers, if the device is like common ones\n";
      return;
    }
    double sum = 0;
    for (const exposed_transfer& t : time.transfers())
      if (!t.computes && t.in_step) sum += t.time.seconds() * t.runs;
    const std::string text = (at_least_.empty() ? "~" : ">= ") + milliseconds(time.step()) + " ms" +
                             (at_least_.empty() ? "" : ", ") + at_least_ +
                             " = compute " + milliseconds(time.compute()) +
                             " ms + exposed " + milliseconds(time.exposed()) + " ms (" + rounded(share, 2) +
                             " %); all transfers " + milliseconds(sum) + " ms";
    detail::write_beside(out_, "step", text, 11, options_.width == 0 ? std::string::npos : options_.width);
  }

  // Writes how far the step is from the peak of the matrix units.
  void headroom(const hlo_module& module, const exposed_time& time, const instruction_costs& costs) {
    const double used = step_summary(module, time).utilisation, least = costs.matrix_bound();
    if (relative_ || used <= 0 || least <= 0) return;
    const std::string text = "~" + milliseconds(least) + " ms if nothing but the peak of the matrix units bound it: " +
                             rounded(100 * least / costs.step(), 2) + " % of the step; MFU " + rounded(100 * used, 3) +
                             " %";
    detail::write_beside(out_, "headroom", text, 11, options_.width == 0 ? std::string::npos : options_.width);
  }

  // Writes the requested sums; together with the rows that are not shown they make up the step.
  void groups(const hlo_module& module, const instruction_costs& costs) {
    optional<weights_read> weights;
    if (options_.by == time_by::weight) weights.emplace(module);
    const record_list<step_group> list = group_step(costs, options_.by, weights ? &*weights : nullptr);
    const auto percent = [](double part, double whole) {
      return whole > 0 ? rounded(100 * part / whole, 2) + " %" : std::string("-");
    };
    text_table table(
        {"#ms/step", "#share", "#exposed", "#matrix", "#memory", "#runs", std::string(name_of(options_.by))});
    if (relative_) table.hide(0);
    const auto add = [&](const step_group& g, std::string name) {
      table.add({milliseconds(g.seconds), percent(g.seconds, costs.step()), percent(g.exposed, g.seconds),
                 percent(g.matrix_seconds, g.seconds), percent(g.memory_seconds, g.seconds), count_text(g.runs),
                 std::move(name)});
    };
    step_group rest, all;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const step_group& g = list[i];
      if (i < options_.top) add(g, printable(g.name));
      for (step_group* const sum : {&all, i < options_.top ? nullptr : &rest})
        if (sum)
          sum->seconds += g.seconds, sum->exposed += g.exposed, sum->matrix_seconds += g.matrix_seconds,
              sum->memory_seconds += g.memory_seconds, sum->runs += g.runs;
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
    const record_list<exposed_transfer> worst = time.worst_first();
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
    record_list<std::string> row{line, printable(t.start.name()), std::string(name_of(t.time.kind)),
                                 size(t.time.wire_bytes), count_text(t.runs)};
    if (relative_) {
      const double whole = t.time.seconds();
      row.push_back(t.synchronous ? "-" : size(t.work_each() * rate_));
      row.push_back(t.synchronous || whole <= 0 ? "-" : rounded(t.work_each() / whole, 2));
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
    if (const program_place from = program_place_of(t.start); from.at)
      add(file_and_line(from.at.file, from.at.line));
    else if (!from.op_name.empty())
      add(from.op_name);
    if (t.blocker) add("waits for " + std::string(t.blocker.name()));
    const auto rate = relative_ ? std::nullopt : break_even_rate(t);
    if (rate && *rate < 10 * on.network_rate && *rate * 10 > on.network_rate)
      add((t.exposed > 0 ? "hidden from " : "hidden down to ") + rounded(*rate / 1e9, 2) + " GB/s per device");
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
        table.add({milliseconds(w.seconds), rounded(100 * w.seconds / time.step(), 2) + " %", count_text(w.runs),
                   std::string(name_of(w.bound)), printable(w.kind),
                   printable(w.source.empty() ? std::string(w.longest.name()) : w.source)});
      }
      out_ << '\n';
      table.write(out_, options_.width);
      if (shown > options_.top)
        out_ << "  and " << shown - options_.top << " more, " << rounded(100 * rest / time.step(), 2) << " %\n";
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
