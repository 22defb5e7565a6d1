// Measured times for people, with the estimates beside them.
#pragma once

#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/ir/source_position.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/tool/measured/measured_module.hpp>
#include <hlolint/tool/measured/measured_step.hpp>
#include <hlolint/tool/profile/profile.hpp>
#include <hlolint/tool/report/text_table.hpp>
#include <hlolint/tool/report/time/time_options.hpp>
#include <hlolint/tool/report/time/time_text.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace hlolint::report {

/// Writes the measured steps of modules.
class measured_text {
 public:
  /// Precondition: `out` outlives it.
  explicit measured_text(std::ostream& out, time_options options = {}) : out_(out), options_(options) {}

  /// Writes one line for each profile, with notes on what it lacks.
  void head(const std::vector<profile_host>& hosts) {
    for (const profile_host& host : hosts) {
      std::size_t devices = 0, modules = 0;
      std::set<std::string> types;
      for (const profile_device& d : host.profile.devices) {
        if (d.modules.empty()) continue;
        ++devices, modules += d.modules.size();
        if (!d.peaks.type.empty()) types.insert(d.peaks.type);
      }
      out_ << printable(host.path) << ": profile";
      for (const std::string& name : host.profile.hosts)
        if (!name.empty()) out_ << " of " << printable(name);
      if (devices == 0) {
        out_ << ": no program of XLA ran on a device in it\n";
      } else {
        out_ << ": " << counted(devices, "device");
        for (const std::string& type : types) out_ << (type == *types.begin() ? " (" : ", ") << printable(type);
        out_ << (types.empty() ? "" : ")") << ", " << counted(modules, "module") << '\n';
      }
      constexpr std::size_t most = 5;
      for (std::size_t i = 0; i < host.profile.notes.size() && i < most; ++i)
        detail::write_beside(out_, "note", printable(host.profile.notes[i]), 11, sentence_width(options_.width));
      if (host.profile.notes.size() > most) out_ << "  note     " << host.profile.notes.size() - most << " more\n";
    }
    out_ << '\n';
  }

  /// Writes a module. `step` has its estimate if there is one; `grouping` is by the property of the options, if there
  /// is one and the program is known.
  void operator()(const measured_step& step, std::string_view refused, const device* on,
                  const step_grouping* grouping = nullptr) {
    const measured_module& m = step.measured();
    const bool estimated = step.is_estimated() && step.join().holds();
    out_ << printable(m.name);
    if (m.program_id) out_ << " (program " << *m.program_id << ")";
    out_ << ": " << ms(m.step()) << " ms measured, ";
    if (m.runs() == m.devices.size())
      out_ << "one run";
    else
      out_ << "median of " << runs_text(m) << " runs";
    out_ << " on " << counted(m.devices.size(), "device");
    if (estimated)
      out_ << "; estimated " << ms(step.estimated_step()) << " ms, " << ratio(step.estimated_step(), m.step())
           << " of it";
    out_ << '\n';
    if (on && !on->is_relative())
      out_ << "  device   " << printable(on->name)
           << (estimated ? "; time model " + std::to_string(time_model_version) : "") << '\n';
    if (step.join().names > 0)
      out_ << "  program  " << step.join().found << " of " << step.join().names << " names of instructions are in it\n";
    if (!refused.empty()) detail::write_beside(out_, "program", refused, 11, sentence_width(options_.width));
    totals(step, estimated);
    spread(m);
    if (options_.by == time_by::nothing)
      rows(step, estimated);
    else
      groups(step, estimated, grouping);
    out_ << '\n';
  }

  /// Writes a table of modules that are not shown in full.
  void table(const std::vector<std::shared_ptr<const measured_module>>& modules) {
    text_table table({"#total ms", "#runs", "#ms/run", "#exposed", "#idle", "#devices", "module"});
    std::size_t shown = 0;
    for (const auto& m : modules) {
      if (shown++ == options_.modules) break;
      table.add({ms(m->total()), std::to_string(m->runs()), ms(m->step()), share_text(m->exposed(), m->step()),
                 share_text(m->idle(), m->step()), std::to_string(m->devices.size()),
                 printable(m->name) + (m->program_id ? "(" + std::to_string(*m->program_id) + ")" : "")});
    }
    table.write(out_, options_.width);
    out_ << and_more(modules.size(), options_.modules, "  ", "\n");
    out_ << '\n';
  }

 private:
  static std::string ms(double seconds) { return number_text(seconds * 1e3); }
  static std::string ratio(double estimate, double measured) {
    if (measured <= 0) return "-";
    return estimate > 1000 * measured ? std::string("> 1000") : number_text(estimate / measured, 2);
  }
  static std::string runs_text(const measured_module& m) {
    std::size_t least = m.runs(), most = 0;
    for (const measured_device& d : m.devices)
      least = std::min(least, d.module.runs.size()), most = std::max(most, d.module.runs.size());
    return least == most ? std::to_string(most) : std::to_string(least) + " to " + std::to_string(most);
  }

  void totals(const measured_step& step, bool estimated) {
    const measured_module& m = step.measured();
    const auto each = [](double sum, std::size_t count) { return count > 0 ? sum / static_cast<double>(count) : 0; };
    double compute = 0, barrier = 0;
    for (const measured_device& d : m.devices)
      for (const profile_run& r : d.module.runs) compute += seconds_of(r.compute), barrier += seconds_of(r.barrier);
    compute = each(compute, m.runs()), barrier = each(barrier, m.runs());
    const double whole = m.mean_run();
    text_table table({"mean of a run", "#measured ms", "#share", "#estimate ms", "#ratio"});
    const auto add = [&](const char* what, double measured, std::optional<double> estimate) {
      const bool both = estimated && estimate;
      table.add({what, ms(measured), share_text(measured, whole), both ? ms(*estimate) : "",
                 both ? ratio(*estimate, measured) : ""});
    };
    add("step", whole, step.estimated_step());
    add("compute", compute, step.estimated_compute());
    add("exposed collectives", m.exposed(), step.estimated_exposed());
    if (m.copies() > 0 || step.estimated_copies() > 0) add("waits for copies", m.copies(), step.estimated_copies());
    add("idle", m.idle(), std::nullopt);
    if (barrier > 0) add("  for other devices", barrier, std::nullopt);
    table.write(out_, options_.width);
  }

  // Writes the spread of the runs, with the first one apart, and the device that computes longest.
  void spread(const measured_module& m) {
    std::vector<double> later, first;
    std::pair<double, std::string> slowest{-1, {}};
    std::vector<double> compute;
    for (const measured_device& d : m.devices) {
      std::vector<double> own;
      for (std::size_t i = 0; i < d.module.runs.size(); ++i) {
        (i == 0 ? first : later).push_back(seconds_of(d.module.runs[i].length()));
        own.push_back(seconds_of(d.module.runs[i].compute));
      }
      const double median = median_of(own);
      compute.push_back(median);
      if (median > slowest.first) slowest = {median, m.name_of(d)};
    }
    if (!later.empty()) {
      const auto [least, most] = std::minmax_element(later.begin(), later.end());
      out_ << "  runs     first " << ms(median_of(first)) << " ms, later ones " << ms(*least) << " to " << ms(*most)
           << " ms\n";
    }
    if (m.devices.size() > 1 && slowest.first > median_of(compute) && median_of(compute) > 0)
      out_ << "  devices  " << printable(slowest.second)
           << " computes longest: " << share_text(slowest.first - median_of(compute), median_of(compute))
           << " longer than the median\n";
  }

  void rows(const measured_step& step, bool estimated) {
    const double whole = step.measured().each([](const profile_module& one) { return one.operations_total(); });
    text_table table({"#ms/run", "#share", "#count", "#estimate", "#ratio", "category", "instruction"});
    if (!estimated) table.hide(3), table.hide(4);
    std::size_t shown = 0;
    double rest = 0;
    for (const measured_row& row : step.rows()) {
      const measured_operation& o = row.operation;
      if (shown == options_.top) {
        rest += o.seconds;
        continue;
      }
      ++shown;
      table.add({ms(o.seconds), share_text(o.seconds, whole), number_text(o.count),
                 row.estimate ? ms(*row.estimate) : "", row.estimate ? ratio(*row.estimate, o.seconds) : "",
                 printable(row.category), printable(o.instruction)});
      if (const std::string where = place_of(row); !where.empty()) table.add_remark(printable(where));
    }
    out_ << '\n';
    table.write(out_, options_.width);
    out_ << and_more(step.rows().size(), shown, "  ", ", " + duration_text(rest) + "\n");
    base(whole, step.measured().step());
  }
  // What the shares of rows are of, if that is not the step: operations of several streams overlap.
  void base(double whole, double step) {
    if (std::abs(whole - step) > 0.01 * step) out_ << "  share: of the sum of all rows, " << ms(whole) << " ms\n";
  }
  static std::string place_of(const measured_row& row) {
    if (row.instruction)
      if (const program_place from = program_place_of(row.instruction)) return from.text();
    return row.operation.source.empty() ? row.operation.scope : row.operation.source;
  }

  void groups(const measured_step& step, bool estimated, const step_grouping* grouping) {
    const std::vector<measured_group> list = group_measured(step, options_.by, grouping);
    const double whole = step.measured().each([](const profile_module& one) { return one.operations_total(); });
    text_table table({"#ms/run", "#share", "#count", "#estimate", "#ratio", std::string(name_of(options_.by))});
    if (!estimated) table.hide(3), table.hide(4);
    for (std::size_t i = 0; i < list.size() && i < options_.top; ++i) {
      const measured_group& g = list[i];
      table.add({ms(g.seconds), share_text(g.seconds, whole), number_text(g.count), g.estimate ? ms(*g.estimate) : "",
                 g.estimate ? ratio(*g.estimate, g.seconds) : "", printable(g.name)});
    }
    out_ << '\n';
    table.write(out_, options_.width);
    out_ << and_more(list.size(), options_.top, "  ", "\n");
    base(whole, step.measured().step());
  }

  std::ostream& out_;
  time_options options_;
};

}  // namespace hlolint::report
