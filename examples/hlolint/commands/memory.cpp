#include "memory.hpp"

#include "../settings/checks.hpp"
#include "../complain.hpp"
#include "../settings/device_choice.hpp"
#include "../reading/missing_dump.hpp"
#include "run.hpp"

#include <hlolint/lint/memory_estimate.hpp>
#include <hlolint/tool/report/html.hpp>
#include <hlolint/tool/report/memory/memory_json.hpp>
#include <hlolint/tool/report/memory/memory_table.hpp>
#include <hlolint/tool/report/memory/memory_text.hpp>
#include <hlolint/tool/report/module_picture.hpp>
#include <hlolint/tool/report/picture_of.hpp>
#include <hlolint/tool/report/verification_report.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::command {

using namespace hlolint::report;

namespace {

using show_module = std::function<void(const context&, run_result&)>;

// Path of the file with the buffers, else of the HLO.
std::string path_of(const context& module) {
  const auto of_buffers = [](const seen_file& file) { return !holds_hlo(file.kind); };
  const auto found = std::find_if(module.files().begin(), module.files().end(), of_buffers);
  return found != module.files().end() ? found->path
         : module.files().empty()      ? std::string{}
                                       : module.files().front().path;
}

// Writes the text of `show` for each module, then the problems of reading.
int write_text(const arguments& given, const rule_settings& settings, std::ostream& out, const show_module& show) {
  const run_result result = read_modules(given, settings, show);
  write_problems(out, result);
  return exit_status(result, given);
}

// Writes the common JSON envelope with an array `name` of the objects that `show` writes for each module.
int write_json(const arguments& given, const rule_settings& settings, std::ostream& out, std::string_view name,
               const std::function<void(json_writer&, const context&, run_result&)>& show) {
  run_result result;
  write_enveloped(out, result, [&](json_writer& json) {
    json.array(name, [&] {
      result = read_modules(given, settings, [&](const context& module, run_result& run) { show(json, module, run); });
    });
  });
  return exit_status(result, given);
}

struct module_text {
  std::string text;
  memory_row row;
};

int verify(const arguments& given, const rule_settings& settings, std::ostream& out) {
  std::size_t verified = 0;
  bool all_equal = true;
  // Null if the rules of the assignment are not known; those for the memory spaces of TPUs are not public.
  const auto compare_assignment = [&](const context& module) {
    std::unique_ptr<const assignment_comparison> found;
    if (module.has(need::buffers | need::scheduled | need::target) && module.target() != target::tpu)
      found = std::make_unique<const assignment_comparison>(
          module.share<alias_sets>(), module.share<instruction_names>(), *module.buffers(), module.target());
    all_equal = all_equal && (!found || found->is_equal());
    return found;
  };
  // Null if there is nothing to compare; a remark in the result then states why.
  const auto compare = [&](const context& module, run_result& result) -> const verification* {
    const buffer_dump* const dump = module.buffers();
    if (!module.hlo() || !dump || !(dump->has_assignment() || dump->has_used_values() || dump->live_ranges())) {
      result.skipped.push_back(
          {"verify", module.name(), std::string(reason_without(module.hlo() ? need::buffers : need::hlo))});
      return nullptr;
    }
    const verification& found = module.get<verification>();
    ++verified;
    all_equal = all_equal && found.all_equal();
    return &found;
  };

  int status = exit_clean;
  if (given.json) {
    status =
        write_json(given, settings, out, "verified", [&](json_writer& json, const context& module, run_result& result) {
          if (const verification* const found = compare(module, result))
            write_verification_json(json, *found, module.name(), path_of(module), compare_assignment(module).get());
        });
  } else {
    status = write_text(given, settings, out, [&](const context& module, run_result& result) {
      if (const verification* const found = compare(module, result))
        write_verification(out, *found, module.name(), path_of(module), compare_assignment(module).get(),
                           given.memory.width);
      else
        out << printable(path_of(module)) << ": not compared: " << result.skipped.back().reason << "\n\n";
    });
    if (verified > 1) out << (all_equal ? "all equal in " : "not all equal in ") << verified << " modules\n";
  }
  if (verified == 0 && status == exit_clean) {
    return complain("nothing to verify: name the HLO and the buffer dump of a module");
  }
  return std::max(status, all_equal ? exit_clean : exit_findings);
}

// Counts which modules have something to show, for the error if none has.
class answers {
 public:
  explicit answers(const std::string& module) : name_(module) {}
  // Whether the module is to be shown.
  bool count(const context& module) {
    if (!name_.empty() && module.name() != name_) return others_.insert(module.name()), false;
    const buffer_dump* const dump = module.buffers();
    if ((dump && (dump->has_assignment() || dump->oom())) || module.has(need::scheduled))
      ++found_;
    else if (missing_.empty())
      missing_ = module.hlo() ? "no buffer assignment, and no schedule in the HLO to estimate one from"
                              : "no buffer assignment, and no HLO to estimate one from";
    return true;
  }
  // Returns `status`, or exit_error if there were modules but none had something to show.
  int status(int status) const {
    if (found_ > 0) return status;
    if (!missing_.empty()) return complain(how_to_dump(missing_));
    return others_.empty() ? status : complain_of_module(name_, others_);
  }

 private:
  std::string name_;  // of the modules to show; empty = all
  std::size_t found_ = 0;
  std::string missing_;
  std::set<std::string> others_;
};

// Writes the page of `hlolint --format html` without findings: no rule runs.
int write_pictures(const arguments& given, const rule_settings& settings, std::ostream& out,
                   const std::function<bool(const context&)>& is_meant) {
  std::vector<module_picture> pictures;
  const run_result result = read_modules(given, settings, [&](const context& module, run_result&) {
    if (is_meant(module)) pictures.push_back(picture_of(module, device_for(module, given.device)));
  });
  write_html(out, result, pictures, known_rules(*given.checks), false);
  return exit_status(result, given);
}

}  // namespace

int show_memory(const arguments& asked, const rule_settings& settings, std::ostream& out) {
  arguments given = asked;
  given.jobs = 1;  // modules are written one after the other
  if (given.verify) return verify(given, settings, out);
  answers found(given.memory.module);
  if (given.format == output_format::html)
    return found.status(
        write_pictures(given, settings, out, [&](const context& module) { return found.count(module); }));
  if (given.json)
    return found.status(
        write_json(given, settings, out, "memory", [&](json_writer& json, const context& module, run_result&) {
          if (found.count(module)) write_memory_json(json, module, path_of(module), given.memory);
        }));
  // For several modules, a table comes first, followed by the largest ones.
  std::vector<module_text> modules;
  std::ostringstream problems;
  const int status = write_text(given, settings, problems, [&](const context& module, run_result&) {
    if (!found.count(module)) return;
    // The estimate of the row uses what the room of the order in the full text needs, if that was made first.
    if (modules.size() < most_in_full && module.has(need::scheduled | need::target) && module.target() != target::tpu)
      module.get<likely_buffers>();
    module_text one{{}, summary_row(module, path_of(module))};
    // Only the first few in the order of the table are written in full.
    const auto before = std::count_if(modules.begin(), modules.end(),
                                      [&](const module_text& m) { return !comes_before(one.row, m.row); });
    if (static_cast<std::size_t>(before) < most_in_full) {
      std::ostringstream text;
      memory_text(text, given.memory)(module, path_of(module));
      one.text = text.str();
    }
    modules.push_back(std::move(one));
  });
  std::size_t shown = modules.size();
  if (modules.size() > most_in_full) {  // a table, and the largest in full
    std::stable_sort(modules.begin(), modules.end(),
                     [](const auto& a, const auto& b) { return comes_before(a.row, b.row); });
    std::vector<memory_row> rows;
    for (const module_text& m : modules) rows.push_back(m.row);
    write_memory_table(out, rows, given.memory.top, given.memory.width);
    shown = std::min(most_in_full, given.memory.top);
  }
  for (std::size_t i = 0; i < shown; ++i) out << modules[i].text;
  out << problems.str();
  return found.status(status);
}

}  // namespace hlolint::command
