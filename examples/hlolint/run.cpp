#include "run.hpp"

#include "checks.hpp"
#include "companions.hpp"
#include "device_choice.hpp"
#include "inputs.hpp"
#include "parallel.hpp"

#include <hlolint/checks/budget/peak_regression.hpp>
#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/lint/finding.hpp>
#include <hlolint/lint/inputs/pairing.hpp>
#include <hlolint/report/picture_of.hpp>
#include <hlolint/report/reading_rules.hpp>

#include <algorithm>
#include <ctime>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

using namespace hlolint;

namespace {

// Entries of the baseline that match nothing, of rules that ran and modules that were read.
void report_unused_entries(const arguments& given, const rule_settings& settings, const baseline& agreed_on,
                           const std::vector<std::size_t>& matched, run_result& result) {
  std::set<std::string, std::less<>> seen;
  for (const input_summary& input : result.inputs) seen.insert(without_numbers(module_without_number(input.module)));
  std::string names;
  std::size_t count = 0;
  for (std::size_t i = 0; i < matched.size(); ++i) {
    const baseline_entry& entry = agreed_on.findings[i];
    const bool skipped = std::any_of(result.skipped.begin(), result.skipped.end(),
                                     [&](const skipped_check& check) { return check.rule == entry.rule; });
    if (matched[i] > 0 || skipped || !seen.contains(without_numbers(entry.module)) ||
        !is_on(*given.checks, entry.rule, settings))
      continue;
    if (++count <= 3)
      names += (count > 1 ? ", " : "") + entry.rule + " at " +
               (entry.instruction.empty() ? entry.module : entry.instruction + " of " + entry.module);
  }
  if (count == 0) return;
  diagnostic d = finding(std::to_string(count) + (count == 1 ? " entry of the baseline matches" : " entries of the baseline match") +
                         " no finding any more: " + names + (count > 3 ? ", ..." : ""));
  d.level = unused_baseline_entry.level;
  d.rule = unused_baseline_entry.id;
  d.where = {source(std::string_view{}, given.baseline, borrow), {}};
  if (is_wanted(d, settings)) result.diagnostics.push_back(with_rule_texts(std::move(d)));
}

// Applies suppressions, reports which are of no use, and applies the baseline.
void dismiss_findings(const arguments& given, const rule_settings& settings, const baseline& agreed_on,
                      run_result& result) {
  const std::vector<suppression>& list = given.settings.suppressions;
  const std::string day = today();
  const std::vector<std::size_t> used = dismiss(list, day, result.diagnostics);
  const source file(std::string_view{}, given.settings.path, borrow);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const bool expired = !list[i].expires.empty() && list[i].expires < day;
    const bool of_ranks = std::any_of(result.skipped.begin(), result.skipped.end(), [&](const skipped_check& check) {
      return check.rule == list[i].rule && check.reason == reason_without(need::ranks);  // what `hlolint ranks` finds
    });
    if (!expired && (used[i] > 0 || of_ranks)) continue;
    const rule& about = expired ? expired_suppression : unused_suppression;
    diagnostic d =
        finding("the suppression of " + list[i].rule + (list[i].reason.empty() ? "" : " (" + list[i].reason + ")") +
                (expired ? " has expired on " + list[i].expires : " covers no finding"));
    d.level = about.level;
    d.rule = about.id;
    d.where = {file, {}};
    if (is_wanted(d, settings)) result.diagnostics.push_back(with_rule_texts(std::move(d)));
  }
  report_unused_entries(given, settings, agreed_on, dismiss(agreed_on, result.diagnostics), result);
}

}  // namespace

diagnostic with_rule_texts(diagnostic finding) {
  for (const rule& about : reading_rules)
    if (finding.rule == about.id) {
      if (finding.name.empty()) finding.name = about.name;
      if (finding.advice.empty()) finding.advice = about.advice;
    }
  return finding;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[11] = "";
  if (const std::tm* const day = std::localtime(&now)) std::strftime(text, sizeof text, "%Y-%m-%d", day);
  return text;
}

void add_input(run_result& to, const parsed_file& content, const arguments& given, const rule_settings& settings) {
  input_summary summary = summarize(content);
  summary.target = decide_target(given.target, std::vector<std::string>{summary.path},
                                 content.modules.empty() ? nullptr : &content.modules.front(),
                                 content.buffers ? &*content.buffers : nullptr);
  to.inputs.push_back(std::move(summary));
  for (const diagnostic& problem : content.diagnostics)
    if (given.what == task::parse || is_wanted(problem, settings)) to.diagnostics.push_back(with_rule_texts(problem));
}

run_result read_modules(const arguments& given, const rule_settings& settings,
                        const std::function<void(const context&, run_result&)>& each, const baseline& agreed_on) {
  reading_options how;
  how.jobs = given.jobs;
  how.max_size = given.max_size;
  how.outputs = outputs_of(given);
  how.at_hand = &given.at_hand;
  if (given.what == task::lint && want_earlier_stages(*given.checks, settings))
    how.stages = module_stages::last_and_before_optimizing;
  const inputs read = read_inputs(given.companions ? with_companions(given.paths, how.stages) : given.paths, how);
  run_result result;
  result.tool_version = HLOLINT_VERSION;
  result.ignored_files = read.ignored;

  for (const diagnostic& problem : read.problems) result.diagnostics.push_back(with_rule_texts(problem));
  std::vector<input_file> files;
  for (const input& file : read.files) {
    files.push_back({file.path, &file.content, file.named});
    add_input(result, file.content, given, settings);
  }

  const std::vector<module_group> groups = pair_files(files).groups;
  std::vector<run_result> of_group(groups.size() + read.unfinished.size());
  std::vector<std::pair<target, std::string>> known(groups.size());  // what all files of a module together tell
  const std::optional<device> on = find_named_device(given.device).device;
  progress_bar bar("checking", groups.size());
  for_each_index(of_group.size(), given.jobs, [&](std::size_t i) {
    if (i < groups.size()) {
      context::parts parts = parts_of(groups[i], files, given.target);
      if (const memory_summary* const agreed = agreed_on.module(parts.name.empty() ? groups[i].name : parts.name))
        parts.agreed = *agreed;
      parts.device = on ? on : device_beside(parts);
      const context dump(std::move(parts));
      known[i] = {dump.target(), dump.name()};
      each(dump, of_group[i]);
    } else {
      context::parts parts;
      for (const std::string& path : read.unfinished[i - groups.size()]) parts.files.push_back({path, input_kind::hlo});
      each(context(std::move(parts)), of_group[i]);
    }
    bar.step();
  });
  for (std::size_t i = 0; i < of_group.size(); ++i) {
    append(result.diagnostics, std::move(of_group[i].diagnostics));
    append(result.skipped, std::move(of_group[i].skipped));
    if (i >= groups.size()) continue;
    if (groups[i].earlier) result.inputs[*groups[i].earlier].target = known[i].first;
    for (const std::vector<std::size_t>* list : {&groups[i].files, &groups[i].beside})
      for (const std::size_t file : *list) {
        input_summary& summary = result.inputs[file];
        summary.target = known[i].first;
        if (summary.module.empty()) summary.module = known[i].second;
      }
  }
  add_fingerprints(result.diagnostics);
  return result;
}

linted run(const arguments& given, const rule_settings& settings, const configured_checks& checks,
           const baseline& agreed_on) {
  linted out;
  std::mutex guard;
  const auto lint_module = [&](const context& dump, run_result& of_module) {
    if (given.what == task::parse) return;
    findings found = checks(dump, settings);
    of_module.diagnostics = std::move(found.diagnostics);
    of_module.skipped = std::move(found.skipped);
    if (given.update_baseline && dump.buffers()) {
      memory_summary taken = memory_summary_of(dump);
      const std::lock_guard lock(guard);
      out.memory.push_back(std::move(taken));
    }
    if (given.format == output_format::html) {
      module_picture picture = picture_of(dump);
      const std::lock_guard lock(guard);
      out.pictures.push_back(std::move(picture));
    }
  };
  out.result = read_modules(given, settings, lint_module, agreed_on);
  std::sort(out.memory.begin(), out.memory.end(), [](const memory_summary& a, const memory_summary& b) {
    return std::tie(a.module, b.total, b.peak) < std::tie(b.module, a.total, a.peak);
  });
  std::sort(out.pictures.begin(), out.pictures.end(), [](const module_picture& a, const module_picture& b) {
    return std::tie(a.name, a.files) < std::tie(b.name, b.files);
  });
  // Of several modules of one name the largest counts.
  out.memory.erase(std::unique(out.memory.begin(), out.memory.end(),
                               [](const auto& a, const auto& b) { return a.module == b.module; }),
                   out.memory.end());
  dismiss_findings(given, settings, agreed_on, out.result);
  return out;
}

int exit_status(const run_result& result, const arguments& given) {
  const auto unread = [](const input_summary& input) { return input.status != parse_status::ok; };
  const auto reading_error = [](const diagnostic& found) {
    return is_reading_error(found.rule) && found.level == severity::error;
  };
  if (std::any_of(result.inputs.begin(), result.inputs.end(), unread) ||
      std::any_of(result.diagnostics.begin(), result.diagnostics.end(), reading_error))
    return exit_error;
  const auto fails = [&](const diagnostic& found) {
    return given.fail_on && !found.dismissed && found.level >= *given.fail_on;
  };
  const bool failed = std::any_of(result.diagnostics.begin(), result.diagnostics.end(), fails);
  return failed && !given.exit_zero ? exit_findings : exit_clean;
}
