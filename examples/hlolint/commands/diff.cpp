#include "diff.hpp"

#include "../complain.hpp"
#include "../reading/missing_dump.hpp"
#include "../settings/device_choice.hpp"
#include "run.hpp"

#include <hlolint/lint/accept/suppression.hpp>
#include <hlolint/tool/compare/module_summary_of.hpp>
#include <hlolint/tool/compare/program_diff.hpp>
#include <hlolint/tool/compare/same_causes.hpp>
#include <hlolint/tool/report/compare/diff_json.hpp>
#include <hlolint/tool/report/compare/diff_text.hpp>
#include <hlolint/tool/report/memory/memory_json.hpp>

#include <algorithm>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint::command {

using namespace hlolint::report;
using namespace hlolint::compare;

namespace {

struct side {
  run_result result;  // its diagnostics are those of reading
  std::vector<linted_module> modules;
  std::optional<device> on;  // that files beside a dump describe
};

side read_side(const arguments& given, const std::string& path, const diff_options& options,
               const rule_settings& settings, const configured_checks& checks, const std::optional<device>& fallback) {
  arguments one = given;
  one.device.fallback = fallback;
  one.what = task::lint;
  one.paths = {path};
  one.companions = true;
  side out;
  std::mutex guard;
  const std::string day = today();
  out.result = read_modules(one, settings, [&](const context& dump, run_result&) {
    if (!dump.hlo() && !dump.buffers()) return;
    findings found = checks(dump, settings);
    dismiss(given.settings.suppressions, day, found.diagnostics);
    linted_module module{module_summary_of(dump, device_for(dump, given.device).device, options.large),
                         std::move(found.diagnostics),
                         {}};
    for (const skipped_check& skipped : found.skipped) module.skipped.push_back(skipped.rule);
    const std::lock_guard lock(guard);
    out.modules.push_back(std::move(module));
    if (!out.on && dump.device_evidence().empty()) out.on = dump.known_device();
  });
  std::set<std::string> unread;
  for (const input_summary& input : out.result.inputs)
    if (input.status != parse_status::ok) unread.insert(input.path);
  for (linted_module& module : out.modules)
    module.whole = std::none_of(module.summary.files.begin(), module.summary.files.end(),
                                [&](const std::string& file) { return unread.count(file) > 0; });
  // With several jobs, modules are finished in any order.
  std::sort(out.modules.begin(), out.modules.end(), [](const linted_module& a, const linted_module& b) {
    return std::tie(a.summary.files, a.summary.name) < std::tie(b.summary.files, b.summary.name);
  });
  return out;
}

}  // namespace

int show_diff(const arguments& given, const rule_settings& settings, const configured_checks& checks,
              std::ostream& out) {
  diff_options options;
  options.tolerance = given.tolerance;
  options.fail_on = given.fail_on;
  options.fail_on_kinds = given.fail_on_kinds;
  options.causes = same_causes;
  // A text without its dump is of the device that the other side shows.
  side before = read_side(given, given.before, options, settings, checks, std::nullopt),
       after = read_side(given, given.after, options, settings, checks, before.on);
  if (!before.on && after.on) before = read_side(given, given.before, options, settings, checks, after.on);
  const program_diff found = diff(before.modules, after.modules, options);

  const int unread = std::max(exit_status(before.result, given), exit_status(after.result, given)) == exit_error
                         ? exit_error
                         : exit_clean;
  run_result both = std::move(before.result);
  append(both.inputs, std::move(after.result.inputs));
  append(both.diagnostics, std::move(after.result.diagnostics));
  if (given.format == output_format::json) {
    write_enveloped(out, both, [&](json_writer& json) {
      json.key("diff");
      write_diff_json(json, found);
    });
  } else if (given.format == output_format::markdown) {
    write_diff_markdown(out, found, both.diagnostics);
  } else {
    write_diff(out, found);
    write_problems(out, both);
  }
  for (const auto& [modules, path] :
       {std::pair(&before.modules, &given.before), std::pair(&after.modules, &given.after)})
    if (modules->empty()) return complain(how_to_dump("there is no module in " + *path));
  return std::max(unread, found.is_worse() && given.fail_on && !given.exit_zero ? exit_findings : exit_clean);
}

}  // namespace hlolint::command
