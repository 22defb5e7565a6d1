#include "time.hpp"

#include "complain.hpp"
#include "device_choice.hpp"
#include "missing_dump.hpp"
#include "run.hpp"

#include <hlolint/report/memory/memory_json.hpp>
#include <hlolint/report/text.hpp>
#include <hlolint/report/time/time_json.hpp>
#include <hlolint/report/time/time_text.hpp>

#include <algorithm>
#include <sstream>
#include <string>

using namespace hlolint;
using namespace hlolint::report;

namespace {

std::string path_of(const context& module) {
  for (const seen_file& file : module.files())
    if (file.kind == input_kind::hlo) return file.path;
  return module.files().empty() ? std::string{} : module.files().front().path;
}

// For a CPU there are no times, whatever is dumped.
bool has_answer(const context& module) {
  return missing_for_time(module).empty() || (module.hlo() && module.target() == target::cpu);
}

}  // namespace

int show_time(const arguments& asked, const rule_settings& settings, std::ostream& out) {
  arguments given = asked;
  given.jobs = 1;  // what is written for each module comes one after the other
  std::size_t modules = 0, answered = 0;
  std::string missing;
  const auto count = [&](const context& module) {
    ++modules;
    if (has_answer(module)) ++answered;
    else missing = missing_for_time(module);
  };
  const auto status = [&](const run_result& result) {
    return modules > 0 && answered == 0 ? complain(how_to_dump(missing)) : exit_status(result, given);
  };
  if (given.json) {
    std::ostringstream members;
    json_writer json(members);
    run_result result;
    json.object([&] {
      json.array("time", [&] {
        result = read_modules(given, settings, [&](const context& module, run_result&) {
          count(module);
          write_time_json(json, module, path_of(module), device_for(module, given.device), given.time);
        });
      });
    });
    write_enveloped(out, result, members.str());
    return status(result);
  }
  time_text report(out, given.time);
  const run_result result = read_modules(given, settings, [&](const context& module, run_result&) {
    count(module);
    report(module, path_of(module), device_for(module, given.device));
  });
  text_report problems(out);
  for (const diagnostic& problem : result.diagnostics) problems(problem);
  return status(result);
}
