#include "advise.hpp"

#include "../complain.hpp"
#include "../settings/device_choice.hpp"
#include "../reading/missing_dump.hpp"
#include "../reading/module_path.hpp"
#include "../output_file.hpp"
#include "../reading/parallel.hpp"
#include "../reading/read_file.hpp"
#include "run.hpp"

#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/analysis/time/recomputation.hpp>
#include <hlolint/lint/helper_module.hpp>
#include <hlolint/lint/kept_results.hpp>
#include <hlolint/lint/memory_estimate.hpp>
#include <hlolint/tool/advise/hiding_search.hpp>
#include <hlolint/tool/advise/schedule_advice.hpp>
#include <hlolint/tool/checks/edited_findings.hpp>
#include <hlolint/tool/report/advise/advice_json.hpp>
#include <hlolint/tool/report/advise/advice_table.hpp>
#include <hlolint/tool/report/advise/advice_text.hpp>
#include <hlolint/tool/report/html/advice.hpp>
#include <hlolint/tool/report/html/parts.hpp>
#include <hlolint/tool/report/memory/memory_json.hpp>
#include <hlolint/tool/report/memory/oom_facts.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace hlolint::command {

// Sources that are compiled as one must not see the names of these namespaces.
namespace advise_command {

using namespace hlolint::report;

namespace {

std::string missing_for_advice(const context& module) {
  if (!module.hlo()) return "there is no HLO of this module";
  if (!module.hlo()->is_scheduled()) return "the HLO is not scheduled: advice is on final modules";
  if (!module.hlo()->entry()) return "the HLO has no entry";
  return {};
}

// What a job's log has about missing memory; of several that of which most is missing.
struct shortage {
  std::string path;  // of the log
  std::optional<byte_count> missing, capacity;

  void take(const std::string& log, const oom_log& content) {
    for (const oom_facts& o : oom_facts_of(content)) {
      if (o.outcome != oom_outcome::failed || (!o.missing && !o.capacity)) continue;
      if (path.empty() || o.missing.value_or(0) > missing.value_or(0))
        path = log, missing = o.missing, capacity = o.capacity;
    }
  }
};

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
    parts.is_out_of_memory = module.is_out_of_memory();
    return curve_of(context(std::move(parts)));
  };
  advice_picture out;
  out.before = curve_of_text(*module.hlo());
  if (!advice.edited) return out;
  out.after = curve_of_text(*advice.edited);
  out.blocks = marked_blocks(*module.hlo(), advice);
  return out;
}

// A module that outlives its reading.
std::unique_ptr<const context> kept_module(const context& module) {
  context::parts parts = hlolint::detail::parts_beside_memory(module);
  if (module.buffers()) parts.buffers = *module.buffers();
  return std::make_unique<const context>(std::move(parts));
}

struct adviser {
  const arguments& given;
  shortage log{};
  std::mutex guard{};  // of what follows: modules may be searched on several threads
  std::size_t modules = 0, answered = 0;
  byte_count least_saving = 0;
  bool above_target = false, has_logs_alone = false;
  std::string missing{}, error{};

  // Calls `write(advised_module, advice)`.
  template <class F>
  void operator()(const context& module, run_result& run, F&& write) {
    {
      const std::lock_guard lock(guard);
      ++modules;
    }
    const std::string path = path_of_text(module);
    advised_module shown{path, module.name(), module.target()};
    const std::string lacks = missing_for_advice(module);
    shown.missing = lacks;
    {
      const std::lock_guard lock(guard);
      if (lacks.empty())
        ++answered;
      else
        missing = lacks;
    }
    if (!lacks.empty()) return write(shown, advise::schedule_advice{});
    shown.flags = module.flags();
    const shown_device on = device_for(module, given.device);
    shown.has_times = module.target() != target::cpu && !on.device.is_relative();
    advise::advice_options how = options_for(module);
    std::optional<edited_findings> findings_before;  // made only if there are edits
    how.refuses = [&](const hlo_module& edited) {
      if (!findings_before) findings_before.emplace(module);
      return findings_before->first_new(edited);
    };
    if (given.advise.for_time && !shown.has_times) {
      shown.missing = "no device is known, so nothing is known of times: name it (--device)";
      return write(shown, advise::schedule_advice{});
    }
    advise::schedule_advice advice =
        given.advise.for_time ? advise::advise_time(*module.hlo(), how) : advise::advise_memory(*module.hlo(), how);
    if (const auto made = module.has(need::buffers) ? needed_memory(module) : std::nullopt;
        made && *made < advice.need && !given.advise.for_time) {
      shown.made = *made;
      advise::keep_what_goes_below(advice, *made);
    }
    for (const advise::dropped_edit& d : advice.dropped)
      run.skipped.push_back({"advise", module.name(),
                             "an edit of " + d.instruction + " was refused by the check of its text (" + d.fault +
                                 "): this is a fault of hlolint, please report it"});
    shown.wanted = how.target > 0      ? how.target
                   : how.must_save > 0 ? std::max<byte_count>(0, advice.need - how.must_save)
                                       : 0;
    if (given.advise.target == 0) shown.log = log.path;
    if (shown.has_times) {
      const exposed_time time(*module.hlo(), on.device);
      const recomputation again(*module.hlo(), time);
      shown.curve = time_curve_of(advice, again, usable_memory(on.device));
      std::vector<const keepable_result*> kept;
      for (const keepable_result& one : again.keeps()) kept.push_back(&one);
      if (!kept.empty() && !shown.curve.empty()) shown.how_to_keep = how_to_keep(kept);
    }
    const std::lock_guard lock(guard);
    if (!shown.log.empty() && how.must_save > advice.need)
      complain(human(how.must_save) + " are missing by " + shown.log + ", more than module " + module.name() +
               " needs: the log is of another program");
    above_target = above_target || (shown.wanted > 0 && advice.after > shown.wanted);
    const std::string file = written(given.advise.folder, path, advice.text);
    const std::string donated =
        advice.donation ? written(given.advise.folder + "/donation", path, advice.donation->text) : std::string();
    const std::string changed =
        advice.changes ? written(given.advise.folder + "/proposals", path, advice.changes->text) : std::string();
    shown.written = file, shown.donated = donated, shown.changed = changed;
    write(shown, advice);
  }
  advise::advice_options options_for(const context& module) const {
    advise::advice_options how;
    how.rules = likely_buffers(module).made->rules();
    if (module.target() != target::cpu) how.on = device_for(module, given.device).device;
    how.recomputes = given.advise.recomputes;
    how.donations = how.changes = given.advise.proposes;
    how.target = given.advise.target, how.least_saving = least_saving;
    how.most_time = given.advise.most_time, how.most_memory = given.advise.most_memory;
    how.most_evaluations = given.advise.most_evaluations;
    if (how.target == 0 && !log.path.empty()) {
      how.must_save = log.missing.value_or(0);
      if (!log.missing) how.target = *log.capacity;
    }
    return how;
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
    if (has_logs_alone) return complain(how_to_dump("a log has no program to advise on: name its dump, too"));
    if (modules > 0 && answered == 0) return complain(how_to_dump(missing));
    return std::max(exit_status(result, given), above_target && !given.exit_zero ? exit_findings : exit_clean);
  }
};

// What was found for many modules: rows with the largest savings first, of which the first `worth` are shown.
struct ranked_advice {
  std::vector<advice_row> rows;
  std::vector<advised_module> modules;         // by number
  std::vector<advise::schedule_advice> found;  // likewise
  std::size_t worth = 0;
  byte_count least = 0;
};

// Searches the modules that could save what a row of the table has to. Beside programs those of one operation are left
// out.
ranked_advice ranked(adviser& find_advice, const std::vector<std::unique_ptr<const context>>& modules, unsigned jobs,
                     run_result& result) {
  const arguments& given = find_advice.given;
  const bool must_fit = given.advise.target > 0 || !find_advice.log.path.empty();
  ranked_advice out;
  std::vector<advice_row>& rows = out.rows;
  rows.resize(modules.size()), out.modules.resize(modules.size()), out.found.resize(modules.size());
  for (std::size_t k = 0; k < modules.size(); ++k)
    rows[k].helper = !must_fit && modules[k]->hlo() && is_helper_module(*modules[k]->hlo());
  if (!has_both_kinds(rows))
    for (advice_row& row : rows) row.helper = false;
  for_each_index(modules.size(), jobs, [&](std::size_t k) {
    const context& module = *modules[k];
    rows[k].number = k, rows[k].module = module.name(), rows[k].path = path_of_text(module);
    rows[k].missing = missing_for_advice(module);
    out.modules[k] = {rows[k].path, module.name(), module.target()};
    out.modules[k].missing = rows[k].missing;
    if (!rows[k].missing.empty()) return;
    rows[k].need = advise::need_without_edits(*module.hlo(), find_advice.options_for(module));
    out.found[k].need = rows[k].need;
  });
  byte_count largest = 0;
  for (const advice_row& row : rows)
    if (!row.helper) largest = std::max(largest, row.need);
  out.least = find_advice.least_saving = must_fit ? 0 : least_saving(largest);
  std::vector<run_result> results(modules.size());
  progress_bar bar("searching", modules.size());
  for_each_index(modules.size(), jobs, [&](std::size_t k) {
    // Donations and changes of the program go below the bound of all orders.
    out.modules[k].not_searched = rows[k].helper             ? "one operation outside of a program"
                                  : rows[k].need < out.least ? "it needs less than what is worth a search"
                                                             : "";
    if (rows[k].missing.empty() && out.modules[k].not_searched.empty())
      find_advice(*modules[k], results[k], [&](const advised_module& shown, const advise::schedule_advice& advice) {
        rows[k] = advice_row_of(shown, advice), rows[k].number = k;
        out.modules[k] = shown, out.found[k] = advice;
      });
    bar.step();
  });
  for (run_result& one : results) append(result.skipped, std::move(one.skipped));
  if (find_advice.answered == 0)
    for (const advice_row& row : rows)
      if (row.missing.empty()) ++find_advice.answered, ++find_advice.modules;
  out.worth = rank_advice(rows, out.least);
  return out;
}

int show(const arguments& asked, const rule_settings& settings, std::ostream& out) {
  arguments given = asked;
  given.jobs = 1;  // what is written for each module comes one after the other
  adviser find_advice{given};
  std::vector<std::unique_ptr<const context>> modules;
  std::set<std::string> others;  // modules that are not meant
  shortage beside;               // by logs in folders, which may be of other programs
  bool has_log = false;
  run_result result = read_modules(given, settings, [&](const context& module, run_result&) {
    if (!module.hlo() && module.buffers() && module.buffers()->oom()) {
      has_log = true;
      const std::string path = path_of_text(module);
      const bool is_named = std::find(given.paths.begin(), given.paths.end(), path) != given.paths.end();
      (is_named ? find_advice.log : beside).take(path, *module.buffers()->oom());
      return;
    }
    if (!given.advise.module.empty() && module.name() != given.advise.module)
      others.insert(module.name());
    else
      modules.push_back(kept_module(module));
  });
  if (modules.empty() && !others.empty()) return complain_of_module(given.advise.module, others);
  if (find_advice.log.path.empty() && modules.size() == 1) find_advice.log = beside;
  find_advice.has_logs_alone = modules.empty() && has_log;
  if (given.advise.target > 0) find_advice.log = {};
  // One of many modules is shown by what it saves.
  const bool many = given.advise.module.empty() && !given.advise.for_time && modules.size() > most_in_full;
  if (given.json) {
    write_enveloped(out, result, [&](json_writer& json) {
      json.array("advice", [&] {
        if (many) {
          const ranked_advice all = ranked(find_advice, modules, asked.jobs, result);
          for (const advice_row& row : all.rows)
            write_advice_json(json, all.modules[row.number], all.found[row.number]);
          return;
        }
        for (const auto& module : modules)
          find_advice(*module, result, [&](const advised_module& shown, const advise::schedule_advice& advice) {
            write_advice_json(json, shown, advice);
          });
      });
    });
    return find_advice.status(result);
  }
  if (given.format == output_format::html) {
    for (const std::string_view part : parts::advice_head) out << part;
    const auto write = [&](const context& module, const advised_module& shown, const advise::schedule_advice& advice,
                           std::optional<std::size_t> number) {
      write_advice_section(out, shown, advice,
                           shown.missing.empty() ? picture_of_advice(module, advice) : advice_picture{}, number);
    };
    if (many) {
      const ranked_advice all = ranked(find_advice, modules, asked.jobs, result);
      write_advice_overview(out, all.rows, all.worth, all.least);
      for (std::size_t k = 0; k < all.worth; ++k) {
        const std::size_t number = all.rows[k].number;
        write(*modules[number], all.modules[number], all.found[number], number);
      }
    } else {
      for (const auto& module : modules)
        find_advice(*module, result, [&](const advised_module& shown, const advise::schedule_advice& advice) {
          write(*module, shown, advice, std::nullopt);
        });
    }
    for (const std::string_view part : parts::advice_tail) out << part;
    return find_advice.status(result);
  }
  if (many) {
    ranked_advice all = ranked(find_advice, modules, asked.jobs, result);
    write_advice_table(out, all.rows, all.least, given.time.modules, given.time.width);
  } else {
    for (const auto& module : modules)
      find_advice(*module, result, [&](const advised_module& shown, const advise::schedule_advice& advice) {
        write_advice(out, shown, advice, given.time.width);
      });
  }
  write_problems(out, result);
  return find_advice.status(result);
}

}  // namespace
}  // namespace advise_command

int show_advice(const arguments& given, const hlolint::rule_settings& settings, std::ostream& out) {
  return advise_command::show(given, settings, out);
}

}  // namespace hlolint::command
