#include "advise.hpp"

#include "complain.hpp"
#include "device_choice.hpp"
#include "missing_dump.hpp"
#include "module_path.hpp"
#include "output_file.hpp"
#include "read_file.hpp"
#include "run.hpp"

#include <hlolint/advise/hiding_search.hpp>
#include <hlolint/advise/schedule_advice.hpp>
#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/checks/edited_findings.hpp>
#include <hlolint/lint/memory_estimate.hpp>
#include <hlolint/report/advise/advice_json.hpp>
#include <hlolint/report/advise/advice_text.hpp>
#include <hlolint/report/html/advice.hpp>
#include <hlolint/report/memory/oom_facts.hpp>
#include <hlolint/report/memory/memory_json.hpp>
#include <hlolint/report/text.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>

// Sources that are compiled as one must not see the names of these namespaces.
namespace advise_command {

using namespace hlolint;
using namespace hlolint::report;

namespace {

std::string missing_for_advice(const context& module) {
  if (!module.hlo()) return "there is no HLO of this module";
  if (!module.hlo()->is_scheduled()) return "the HLO is not scheduled: advice is on final modules";
  if (!module.hlo()->entry()) return "the HLO has no entry";
  return {};
}

// What a job's log has about missing memory.
struct shortage {
  std::string path;  // of the log
  hlolint::optional<byte_count> missing, capacity;
};
// Of the logs among the paths the time of which most is missing.
shortage shortage_of(const arguments& given) {
  shortage worst;
  for (const std::string& path : given.paths) {
    if (path == "-" || !std::filesystem::is_regular_file(path)) continue;
    const parsed_file read = read_input(path, given.max_size).content;
    if (read.kind != input_kind::oom_report || !read.buffers || !read.buffers->oom()) continue;
    for (const oom_facts& o : oom_facts_of(*read.buffers->oom())) {
      if (o.outcome != oom_outcome::failed || (!o.missing && !o.capacity)) continue;
      if (worst.path.empty() || o.missing.value_or(0) > worst.missing.value_or(0))
        worst = {path, o.missing, o.capacity};
    }
  }
  return worst;
}

// What is in use over the schedule, as `hlolint memory` has it.
drawn_curve curve_of(const context& module) {
  drawn_curve out;
  const context& with = with_memory(module);
  if (!with.has(need::buffers | need::live_ranges)) return out;
  for (const occupancy_step& step : with.get<occupancy>().total()) out.steps.push_back(step);
  out.last_position = with.buffers()->live_ranges()->max;
  return out;
}
// The buffers that follow from the HLO, before and after, so that one can be held against the other.
advice_picture picture_of_advice(const context& module, const advise::schedule_advice& advice) {
  const auto curve_of_text = [&](const hlo_module& text) {
    context::parts parts;
    parts.hlo = text, parts.target = module.target(), parts.xla_date = xla_period_of(module).likely();
    return curve_of(context(std::move(parts)));
  };
  advice_picture out;
  out.before = curve_of_text(*module.hlo());
  if (!advice.edited) return out;
  out.after = curve_of_text(*advice.edited);
  out.blocks = marked_blocks(*module.hlo(), advice);
  return out;
}

struct adviser {
  const arguments& given;
  shortage log{};
  std::size_t modules = 0, answered = 0;
  bool above_target = false;
  std::string missing{}, error{};

  // Calls `write(advised_module, advice)`.
  template <class F>
  void operator()(const context& module, run_result& run, F&& write) {
    if (!module.hlo() && module.buffers() && module.buffers()->oom()) return;  // a log, which was read before
    ++modules;
    const std::string path = path_of_text(module);
    advised_module shown{path, module.name(), module.target()};
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
    how.rules = assignment_rules::of(module.target(), xla_period_of(module).likely());
    if (module.target() != target::cpu) how.on = on.device;
    how.recomputes = given.advise.recomputes;
    how.donations = how.changes = given.advise.proposes;
    how.target = given.advise.target;
    how.most_time = given.advise.most_time;
    how.most_evaluations = given.advise.most_evaluations;
    if (how.target == 0 && !log.path.empty()) {
      how.must_save = log.missing.value_or(0);
      if (!log.missing) how.target = *log.capacity;
    }
    hlolint::optional<edited_findings> findings_before;  // made only if there are edits
    how.refuses = [&](const hlo_module& edited) {
      if (!findings_before) findings_before.emplace(module);
      return findings_before->first_new(edited);
    };
    how.most_memory = given.advise.most_memory;
    if (given.advise.for_time && !shown.has_times) {
      shown.missing = "no device is known, so nothing is known of times: name it (--device)";
      return write(shown, advise::schedule_advice{});
    }
    const advise::schedule_advice advice =
        given.advise.for_time ? advise::advise_time(*module.hlo(), how) : advise::advise_memory(*module.hlo(), how);
    for (const advise::dropped_edit& d : advice.dropped)
      run.skipped.push_back({"advise", module.name(),
                             "an edit of " + d.instruction + " was refused by the check of its text (" + d.fault +
                                 "): this is a fault of hlolint, please report it"});
    shown.wanted = how.target > 0      ? how.target
                   : how.must_save > 0 ? std::max<byte_count>(0, advice.need - how.must_save)
                                       : 0;
    if (given.advise.target == 0) shown.log = log.path;
    above_target = above_target || (shown.wanted > 0 && advice.after > shown.wanted);
    const std::string file = written(given.advise.folder, path, advice.text);
    const std::string donated =
        advice.donation ? written(given.advise.folder + "/donation", path, advice.donation->text) : std::string();
    const std::string changed =
        advice.changes ? written(given.advise.folder + "/proposals", path, advice.changes->text) : std::string();
    shown.written = file, shown.donated = donated, shown.changed = changed;
    write(shown, advice);
  }
  // A text in a folder, under the name that it was read from. Empty: there is none to write, or it failed.
  std::string written(const std::string& folder, const std::string& path, const std::string& text) {
    if (given.advise.folder.empty() || text.empty()) return {};
    namespace fs = std::filesystem;
    std::error_code failed;
    fs::create_directories(folder, failed);
    const std::string file = (fs::path(folder) / fs::path(path).filename()).string();
    if (is_same_file(file, path)) throw overwrites_input(file, path);
    if (const std::string wrong = write_file(file, text); !wrong.empty()) {
      error = wrong;
      return {};
    }
    return file;
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
  adviser find_advice{given};
  if (given.advise.target == 0) find_advice.log = shortage_of(given);
  if (given.json) {
    std::ostringstream members;
    json_writer json(members);
    run_result result;
    json.object([&] {
      json.array("advice", [&] {
        result = read_modules(given, settings, [&](const context& module, run_result& run) {
          find_advice(module, run, [&](const advised_module& shown, const advise::schedule_advice& advice) {
            write_advice_json(json, shown, advice);
          });
        });
      });
    });
    write_enveloped(out, result, members.str());
    return find_advice.status(result);
  }
  if (given.format == output_format::html) {
    write_advice_page_head(out);
    const run_result result = read_modules(given, settings, [&](const context& module, run_result& run) {
      find_advice(module, run, [&](const advised_module& shown, const advise::schedule_advice& advice) {
        write_advice_section(out, shown, advice,
                             shown.missing.empty() ? picture_of_advice(module, advice) : advice_picture{});
      });
    });
    write_advice_page_tail(out);
    return find_advice.status(result);
  }
  const run_result result = read_modules(given, settings, [&](const context& module, run_result& run) {
    find_advice(module, run, [&](const advised_module& shown, const advise::schedule_advice& advice) {
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
