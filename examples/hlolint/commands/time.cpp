#include "time.hpp"

#include "../complain.hpp"
#include "../settings/device_choice.hpp"
#include "../reading/measured.hpp"
#include "../reading/missing_dump.hpp"
#include "../reading/module_path.hpp"
#include "run.hpp"

#include <hlolint/tool/report/html.hpp>
#include <hlolint/tool/report/memory/memory_json.hpp>
#include <hlolint/tool/report/picture_of.hpp>
#include <hlolint/tool/report/time/time_json.hpp>
#include <hlolint/tool/report/time/time_table.hpp>
#include <hlolint/tool/report/time/time_text.hpp>
#include <hlolint/tool/report/time/trace.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <sstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::command {

using namespace hlolint::report;

namespace {

// There are no times for a CPU, whatever is dumped.
bool has_answer(const context& module) {
  return missing_for_time(module).empty() || (module.hlo() && module.target() == target::cpu);
}

}  // namespace

int show_time(const arguments& asked, const rule_settings& settings, std::ostream& out) {
  arguments given = asked;
  given.jobs = 1;  // modules are written one after the other
  std::size_t modules = 0, answered = 0;
  std::set<std::string> others;  // modules that are not meant
  std::string missing;
  measured_results measured(given);
  const auto is_meant = [&](const context& module) {
    if (!module.hlo() && module.buffers() && module.buffers()->oom()) {  // a log, maybe beside its dump
      missing = missing_for_time(module);
      return false;
    }
    if (given.time.module.empty() || module.name() == given.time.module) return true;
    others.insert(module.name());
    return false;
  };
  const auto count = [&](const context& module) {
    ++modules;
    if (has_answer(module))
      ++answered;
    else
      missing = missing_for_time(module);
  };
  const auto status = [&](const run_result& result) {
    if (measured.any()) return exit_status(result, given);
    if (modules == 0 && !others.empty()) return complain_of_module(given.time.module, others);
    return answered == 0 && !missing.empty() ? complain(how_to_dump(missing)) : exit_status(result, given);
  };
  if (given.json) {
    run_result result;
    write_enveloped(out, result, [&](json_writer& json) {
      json.array("time", [&] {
        result = read_modules(given, settings, [&](const context& module, run_result&) {
          if (!is_meant(module)) return;
          count(module);
          measured.add(module, device_for(module, given.device));
          write_time_json(json, module, path_of_text(module), device_for(module, given.device), given.time);
        });
      });
      if (measured.any()) measured.write_json(json);
    });
    return status(result);
  }
  if (given.time_trace) {
    time_trace trace(out);
    for (const auto& m : given.measured)
      if (measured.is_meant(*m)) trace(*m);
    bool no_device = false;
    const run_result result = read_modules(given, settings, [&](const context& module, run_result&) {
      if (!is_meant(module)) return;
      count(module);
      const shown_device on = device_for(module, given.device);
      no_device = no_device || (on.device.is_relative() && !measured.any());
      if (missing_for_time(module).empty() && !on.device.is_relative()) trace(module, on, given.time);
    });
    trace.finish();
    if (no_device) complain("no device is known for a module, so it has no times: --device names one");
    const int found = status(result);
    return no_device ? std::max(found, exit_error) : found;
  }
  if (given.format == output_format::html) {
    std::vector<module_picture> pictures;
    const run_result result = read_modules(given, settings, [&](const context& module, run_result&) {
      if (!is_meant(module)) return;
      count(module);
      pictures.push_back(picture_of(module, device_for(module, given.device)));
    });
    write_html(out, result, pictures, {}, false);
    return status(result);
  }
  // The first few modules are written in full, in case no more follow.
  std::ostringstream in_full;
  time_text report(in_full, given.time);
  std::vector<time_row> rows;
  std::map<std::string, std::size_t> untimed;
  const bool one_is_named = !given.time.module.empty();
  const run_result result = read_modules(given, settings, [&](const context& module, run_result&) {
    if (!is_meant(module)) return;
    count(module);
    const shown_device on = device_for(module, given.device);
    measured.add(module, on);
    if (measured.any()) return;
    const bool is_in_full = one_is_named || modules <= most_in_full;
    if (const std::string lacking = missing_for_time(module); !lacking.empty()) {
      ++untimed[lacking];
      if (is_in_full) report(module, path_of_text(module), lacking);
      return;
    }
    const timed_module times(*module.hlo(), on.device, given.time.trips);
    if (is_in_full) report(module, path_of_text(module), on, times);
    if (!one_is_named) rows.push_back(time_row_of(module, path_of_text(module), times, given.time));
  });
  if (measured.any())
    measured.write(out);
  else if (one_is_named || modules <= most_in_full)
    out << in_full.str();
  else if (answered > 0)
    write_time_table(out, sorted_time_rows(rows), untimed, given.time);
  write_problems(out, result);
  return status(result);
}

}  // namespace hlolint::command
