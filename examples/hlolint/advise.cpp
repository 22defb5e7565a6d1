#include "advise.hpp"

#include "complain.hpp"
#include "device_choice.hpp"
#include "missing_dump.hpp"
#include "output_file.hpp"
#include "run.hpp"

#include <hlolint/advise/schedule_advice.hpp>
#include <hlolint/report/advise/advice_json.hpp>
#include <hlolint/report/advise/advice_text.hpp>
#include <hlolint/report/memory/memory_json.hpp>
#include <hlolint/report/text.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>

// Sources that are compiled as one must not see the names of these namespaces.
namespace advise_command {

using namespace hlolint;
using namespace hlolint::report;

namespace {

std::string path_of(const context& module) {
  for (const seen_file& file : module.files())
    if (holds_hlo(file.kind)) return file.path;
  return module.files().empty() ? std::string{} : module.files().front().path;
}

std::string missing_for_advice(const context& module) {
  if (!module.hlo()) return "there is no HLO of this module";
  if (!module.hlo()->is_scheduled()) return "the HLO is not scheduled: advice is on final modules";
  if (!module.hlo()->entry()) return "the HLO has no entry";
  return {};
}

struct adviser {
  const arguments& given;
  std::size_t modules = 0, answered = 0;
  bool above_target = false;
  std::string missing, error;

  // Calls `write(advised_module, advice)`.
  template <class F>
  void operator()(const context& module, F&& write) {
    ++modules;
    const std::string path = path_of(module);
    advised_module shown{path, module.name(), module.target(), false, {}, {}};
    const std::string lacks = missing_for_advice(module);
    shown.missing = lacks;
    if (!lacks.empty()) {
      missing = lacks;
      return write(shown, advise::schedule_advice{});
    }
    ++answered;
    const shown_device on = device_for(module, given.device);
    shown.has_times = module.target() != target::cpu && !on.device.is_relative();
    advise::advice_options how;
    how.rules = module.buffers() ? assignment_rules::of(module.target(), date_of(*module.buffers()))
                                 : assignment_rules::of(module.target());
    if (module.target() != target::cpu) how.on = on.device;
    how.recomputes = given.advise.recomputes;
    how.target = given.advise.target;
    how.most_time = given.advise.most_time;
    how.most_evaluations = given.advise.most_evaluations;
    const advise::schedule_advice advice = advise::advise_memory(*module.hlo(), how);
    above_target = above_target || (how.target > 0 && advice.after > how.target);
    std::string file;
    if (!given.advise.folder.empty() && !advice.text.empty()) {
      namespace fs = std::filesystem;
      std::error_code failed;
      fs::create_directories(given.advise.folder, failed);
      file = (fs::path(given.advise.folder) / fs::path(path).filename()).string();
      if (is_same_file(file, path)) throw overwrites_input(file, path);
      if (const std::string wrong = write_file(file, advice.text); !wrong.empty()) error = wrong, file.clear();
    }
    shown.written = file;
    write(shown, advice);
  }
  int status(const run_result& result) const {
    if (!error.empty()) return complain(error);
    if (modules > 0 && answered == 0) return complain(how_to_dump(missing));
    return std::max(exit_status(result, given), above_target && !given.exit_zero ? exit_findings : exit_clean);
  }
};

int show(const arguments& asked, const rule_settings& settings, std::ostream& out) {
  arguments given = asked;
  given.jobs = 1;  // what is written for each module comes one after the other
  adviser find_advice{given, 0, 0, false, {}, {}};
  if (given.json) {
    std::ostringstream members;
    json_writer json(members);
    run_result result;
    json.object([&] {
      json.array("advice", [&] {
        result = read_modules(given, settings, [&](const context& module, run_result&) {
          find_advice(module, [&](const advised_module& shown, const advise::schedule_advice& advice) {
            write_advice_json(json, shown, advice);
          });
        });
      });
    });
    write_enveloped(out, result, members.str());
    return find_advice.status(result);
  }
  const run_result result = read_modules(given, settings, [&](const context& module, run_result&) {
    find_advice(module, [&](const advised_module& shown, const advise::schedule_advice& advice) {
      write_advice(out, shown, advice, given.time.width);
    });
  });
  text_report problems(out);
  for (const diagnostic& problem : result.diagnostics) problems(problem);
  return find_advice.status(result);
}

}  // namespace
}  // namespace advise_command

int show_advice(const arguments& given, const hlolint::rule_settings& settings, std::ostream& out) {
  return advise_command::show(given, settings, out);
}
