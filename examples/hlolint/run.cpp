#include "run.hpp"

#include "checks.hpp"
#include "inputs.hpp"

#include <hlolint/lint/fingerprint.hpp>
#include <hlolint/lint/pairing.hpp>
#include <hlolint/report/reading_rules.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

using namespace hlolint;

namespace {

// A finding of a parser with what its rule says, where it does not say so itself.
diagnostic with_rule_texts(diagnostic finding) {
  for (const rule& about : reading_rules)
    if (finding.rule == about.id) {
      if (finding.name.empty()) finding.name = about.name;
      if (finding.advice.empty()) finding.advice = about.advice;
    }
  return finding;
}

void append(std::vector<diagnostic>& to, std::vector<diagnostic>&& from) {
  std::move(from.begin(), from.end(), std::back_inserter(to));
}

}  // namespace

run_result read_modules(const arguments& said, const rule_settings& settings,
                        const std::function<void(const context&, run_result&)>& each) {
  const inputs read = read_inputs(said.paths);
  run_result result;
  result.tool_version = HLOLINT_VERSION;
  result.ignored_files = read.ignored;

  for (const diagnostic& problem : read.problems) result.diagnostics.push_back(with_rule_texts(problem));
  std::vector<input_file> files;
  for (const input& file : read.files) {
    const parsed_file& content = file.content;
    files.push_back({content.text.path(), &content, file.named});
    input_summary summary = summarize(content);
    summary.target = decide_target(said.target, std::vector<std::string>{summary.path},
                                   content.modules.empty() ? nullptr : &content.modules.front(),
                                   content.buffers ? &*content.buffers : nullptr);
    result.inputs.push_back(std::move(summary));
    for (const diagnostic& problem : content.diagnostics)
      if (said.what == task::parse || is_wanted(problem, settings))
        result.diagnostics.push_back(with_rule_texts(problem));
  }

  for (const module_group& group : pair_files(files).groups) {
    const context dump(parts_of(group, files, said.target));
    for (const std::vector<std::size_t>* list : {&group.files, &group.beside})
      for (const std::size_t file : *list) {
        input_summary& summary = result.inputs[file];
        summary.target = dump.target();  // all files of a module together may tell more than one
        if (summary.module.empty()) summary.module = dump.name();
      }
    each(dump, result);
  }
  for (const std::vector<std::string>& stages : read.unfinished) {
    context::parts parts;
    for (const std::string& path : stages) parts.files.push_back({path, input_kind::hlo});
    each(context(std::move(parts)), result);
  }
  add_fingerprints(result.diagnostics);
  return result;
}

run_result run(const arguments& said, const rule_settings& settings) {
  return read_modules(said, settings, [&](const context& dump, run_result& result) {
    if (said.what == task::parse) return;
    findings found = check(dump, settings);
    append(result.diagnostics, std::move(found.diagnostics));
    if (dump.hlo() || dump.buffers())  // else it is only an inventory of files
      std::move(found.skipped.begin(), found.skipped.end(), std::back_inserter(result.skipped));
  });
}

int exit_status(const run_result& result, const arguments& said) {
  const auto unread = [](const input_summary& input) { return input.status != parse_status::ok; };
  const auto reading_error = [](const diagnostic& found) { return is_reading_error(found.rule); };
  if (std::any_of(result.inputs.begin(), result.inputs.end(), unread) ||
      std::any_of(result.diagnostics.begin(), result.diagnostics.end(), reading_error))
    return exit_error;
  const auto fails = [&](const diagnostic& found) { return said.fail_on && found.level >= *said.fail_on; };
  const bool failed = std::any_of(result.diagnostics.begin(), result.diagnostics.end(), fails);
  return failed && !said.exit_zero ? exit_findings : exit_clean;
}
