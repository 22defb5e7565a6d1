#include "calibrate.hpp"

#include "../complain.hpp"
#include "../settings/device_choice.hpp"
#include "run.hpp"

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/report/text.hpp>
#include <hlolint/text/double_chars.hpp>
#include <hlolint/tool/measured/calibration.hpp>
#include <hlolint/tool/report/time/time_facts.hpp>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::command {

using namespace hlolint::report;

namespace {

// Reads `167ms`, `2.5s` or `90us`.
std::optional<double> read_time(std::string_view text) {
  double number = 0;
  const auto [end, error] = double_from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !(number > 0)) return std::nullopt;
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (unit == "s") return number;
  if (unit == "ms") return number * 1e-3;
  return unit == "us" ? std::optional(number * 1e-6) : std::nullopt;
}

std::optional<device_parameter> parameter_named(std::string_view name) {
  for (std::size_t i = 0; i < device_parameters; ++i)
    if (name_of(static_cast<device_parameter>(i)) == name) return static_cast<device_parameter>(i);
  return std::nullopt;
}

std::string number(const char* form, double value) {
  char text[64];
  std::snprintf(text, sizeof text, form, value);
  return text;
}

// The lines of the device file for a value; links have one for each of their two rates.
std::string lines_of(const device& d, device_parameter p) {
  const auto line = [](std::string_view key, double value) { return std::string(key) + number(" = %.4g\n", value); };
  switch (p) {
    case device_parameter::kernel_overhead: return line(name_of(p), d.kernel_overhead * 1e6);
    case device_parameter::links:
      return line("bus-gb-per-s", d.bus_rate / 1e9) + line("pair-gb-per-s", d.pair_rate / 1e9);
    case device_parameter::network_rate: return line(name_of(p), d.network_rate / 1e9);
    case device_parameter::host_rate: return line(name_of(p), d.host_rate / 1e9);
    default: return line(name_of(p), value_of(d, p));
  }
}

struct measured_program {
  hlo_module module;
  const measured_module* measured = nullptr;
};

// The median, the range and the number of ratios.
std::string ratio_text(const category_ratios& of) {
  if (of.ratios.empty()) return "-";
  const auto [least, most] = std::minmax_element(of.ratios.begin(), of.ratios.end());
  return number("%.2f", median_of(of.ratios)) + number(" (%.2f", *least) + number(" to %.2f)", *most);
}

std::string head_of(const device& base) {
  std::string out = "base = \"" + base.name + "\"\nname = \"" + base.name + " calibrated\"\n";
  return out;
}

}  // namespace

int write_calibration(const arguments& given, const rule_settings& settings, std::ostream& out) {
  std::optional<double> wanted;
  if (!given.calibrate.measured.empty()) {
    wanted = read_time(given.calibrate.measured);
    if (!wanted) return complain("--measured: '" + given.calibrate.measured + "' is not a time, such as 167ms");
  }
  std::optional<device_parameter> fit;
  if (!given.calibrate.fit.empty()) {
    fit = parameter_named(given.calibrate.fit);
    if (!fit) {
      std::string known;
      for (std::size_t i = 0; i < device_parameters; ++i)
        known += (i ? ", " : "") + std::string(name_of(static_cast<device_parameter>(i)));
      return complain("--fit: '" + given.calibrate.fit + "' is none of " + known);
    }
  }
  std::vector<measured_program> programs;
  std::optional<device> base;
  std::string last_missing;
  arguments one = given;
  one.jobs = 1;
  const run_result result = read_modules(one, settings, [&](const context& module, run_result&) {
    const std::string missing = missing_for_time(module);
    if (!missing.empty()) return void(last_missing = missing);
    if (!wanted && !module.measured()) return void(last_missing = module.not_measured());
    const device on = device_for(module, given.device).device;
    if (!base && find_device(on.name)) base = on;
    programs.push_back({*module.hlo(), module.measured()});
  });
  const int status = exit_status(result, given);
  text_report problems(std::cerr);
  if (status == exit_error) {
    for (const diagnostic& problem : result.diagnostics) problems(problem);
    return status;
  }
  if (programs.empty())
    return complain("calibrate: " + (!wanted && given.measured.empty()
                                         ? std::string("no profile was given (or --measured TIME with a dump)")
                                     : last_missing.empty() ? std::string("no program was measured: name the dumps too")
                                                            : last_missing));
  if (!base) return complain("calibrate: the device is not known: name a preset with --device");

  std::ostringstream report;
  std::string lines;
  if (wanted) {
    if (programs.size() != 1)
      return complain("calibrate: --measured is for one module, and there are " + std::to_string(programs.size()));
    const hlo_module& module = programs.front().module;
    const exposed_time before(module, *base);
    if (!fit) {
      double network = 0;
      for (const exposed_transfer& t : before.transfers())
        if (t.in_step && !t.computes && t.time.between > t.time.within) network += t.exposed;
      if (network * 2 < before.step())
        return complain(
            "calibrate: transfers between hosts are " +
            number("%.0f %%", before.step() > 0 ? 100 * network / before.step() : 0) +
            " of the estimated step, so its time does not show how fast the network is; name what to fit with --fit");
      fit = device_parameter::network_rate;
    }
    const auto value = fit_to_step(module, *base, *fit, *wanted);
    if (!value)
      return complain("calibrate: no value of " + std::string(name_of(*fit)) + " makes a step of " +
                      number("%.4g ms", *wanted * 1e3) + "; the estimate is " + number("%.4g ms", before.step() * 1e3));
    const device after = with_parameter(*base, *fit, *value);
    report << "# step: measured " << number("%.4g ms", *wanted * 1e3) << ", estimated "
           << number("%.4g ms", before.step() * 1e3) << " (" << number("%.2f", before.step() / *wanted) << ") before, "
           << number("%.4g ms", exposed_time(module, after).step() * 1e3) << " after\n";
    lines = lines_of(after, *fit);
  } else {
    calibration fitted(*base);
    for (const measured_program& p : programs) fitted.add(*p.measured, p.module);
    const device after = fitted.result();
    std::map<std::string, category_ratios> earlier, later;
    for (const measured_program& p : programs) {
      add_ratios(*p.measured, p.module, *base, earlier);
      add_ratios(*p.measured, p.module, after, later);
    }
    report << "# estimate over measured, the median of instructions and their range, by category:\n";
    for (const auto& [category, ratios] : earlier)
      report << "#   " << category << ": " << ratio_text(ratios) << " before, " << ratio_text(later[category])
             << " after; " << ratios.ratios.size() << (ratios.ratios.size() == 1 ? " instruction, " : " instructions, ")
             << number("%.3g ms", ratios.measured * 1e3) << '\n';
    for (std::size_t i = 0; i < device_parameters; ++i) {
      const auto p = static_cast<device_parameter>(i);
      if (fit && p != *fit) continue;
      if (fitted.fitted(p)) {
        report << "# " << name_of(p) << ": from " << fitted.samples(p) << " instructions\n";
        lines += lines_of(after, p);
      } else {
        report << "# " << name_of(p) << ": not fitted, " << fitted.samples(p) << " of at least "
               << calibration::least_samples << " instructions that it decides\n";
      }
    }
  }
  const std::string text = report.str();
  out << text << head_of(*base) << lines;
  if (!given.output.empty() && !given.captured) std::cout << text;
  return exit_clean;
}

}  // namespace hlolint::command
