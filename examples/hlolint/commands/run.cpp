#include "run.hpp"

#include "../settings/checks.hpp"
#include "../reading/companions.hpp"
#include "../settings/device_choice.hpp"
#include "../reading/facts_beside.hpp"
#include "../reading/inputs.hpp"
#include "../reading/kept_dumps.hpp"
#include "../reading/measured.hpp"
#include "../reading/parallel.hpp"

#include <hlolint/checks/budget/peak_regression.hpp>
#include <hlolint/checks/contract_evaluation.hpp>
#include <hlolint/checks/dump/ambiguous_module.hpp>
#include <hlolint/checks/dump/repeated_compilation.hpp>
#include <hlolint/checks/performance/agreed_sharding.hpp>
#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/lint/inputs/file_stem.hpp>
#include <hlolint/lint/inputs/pairing.hpp>
#include <hlolint/report/text.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/tool/advise/order_room.hpp>
#include <hlolint/tool/checks/budget/wasteful_schedule.hpp>
#include <hlolint/tool/report/picture_of.hpp>
#include <hlolint/tool/report/reading_rules.hpp>
#include <hlolint/tool/report/time/time_facts.hpp>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint::command {

using namespace hlolint::report;

namespace {

// Entries of the baseline that match nothing although their rule ran and their module was read.
void report_unused_entries(const arguments& given, const rule_settings& settings, const baseline& agreed_on,
                           const std::vector<std::size_t>& matched, run_result& result) {
  std::set<std::string, std::less<>> seen;
  for (const input_summary& input : result.inputs) seen.insert(compiled_function(input.module));
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
  diagnostic d;
  d.message = std::to_string(count) +
              (count == 1 ? " entry of the baseline matches" : " entries of the baseline match") +
              " no finding any more: " + names + (count > 3 ? ", ..." : "");
  d.level = unused_baseline_entry.level;
  d.rule = unused_baseline_entry.id;
  d.where = {source(std::string_view{}, given.baseline, borrow), {}};
  if (is_wanted(d, settings)) result.diagnostics.push_back(with_rule_texts(std::move(d)));
}

// Whether a contract matched a module and, if it limits shardings, a parameter.
enum class contract_use : std::uint8_t { no_module, no_parameter, used };

contract_use use_of(const module_contract& agreed, const context& dump) {
  if (!(dump.hlo() || dump.buffers()) || !agreed.applies_to(dump.name())) return contract_use::no_module;
  const bool lacks = agreed.limits_shardings() && dump.hlo() && parameters_of(agreed, *dump.hlo()).empty();
  return lacks ? contract_use::no_parameter : contract_use::used;
}

// Reports contracts that match none of the modules that were read, or none of their parameters.
void report_unused_contracts(const arguments& given, const rule_settings& settings,
                             const std::vector<contract_use>& uses, run_result& result) {
  for (std::size_t i = 0; i < given.settings.contracts.size(); ++i) {
    if (uses[i] == contract_use::used) continue;
    const module_contract& agreed = given.settings.contracts[i];
    const bool no_parameter = uses[i] == contract_use::no_parameter;
    const std::string& pattern = no_parameter ? agreed.parameter : agreed.module;
    const std::string key = no_parameter ? "parameter" : "module";
    diagnostic d;
    d.message = "the contract '" + agreed.name + "' matches no " + key + " that was read" +
                (pattern.empty() ? "" : ": " + key + " is '" + pattern + "'");
    d.level = unused_contract.level;
    d.rule = unused_contract.id;
    d.where = {given.settings.text, given.settings.contract_places[i]};
    if (is_wanted(d, settings)) result.diagnostics.push_back(with_rule_texts(std::move(d)));
  }
}

// The checks that could not be evaluated, by the request and the reason, with the names and places of the modules.
class unevaluated {
 public:
  // `path` is the module's file, `where` the place of the request, if it was made in a file.
  void add(std::string what, std::string reason, const std::string& module, std::string path, location where = {}) {
    entry& e = entries_[{std::move(what), std::move(reason)}];
    // With several jobs, modules are finished in any order.
    if (e.modules.empty() || path < e.path) e.path = std::move(path);
    if (e.modules.empty()) e.where = std::move(where);
    e.modules.push_back(module.empty() ? std::string("no name") : module);
  }
  void report(const rule_settings& settings, run_result& result) const {
    for (const auto& [key, e] : entries_) {
      std::vector<std::string> names = e.modules;
      std::sort(names.begin(), names.end());
      const std::size_t count = names.size();
      names.erase(std::unique(names.begin(), names.end()), names.end());
      std::string list = names[0];
      for (std::size_t i = 1; i < names.size() && i < 3; ++i) list += ", " + names[i];
      diagnostic d;
      d.message = key.first + " could not be evaluated in " +
                  (count == 1 ? "module " + list
                              : std::to_string(count) + " modules (" + list + (names.size() > 3 ? ", ...)" : ")")) +
                  ": " + key.second;
      d.level = not_evaluated.level;
      d.rule = not_evaluated.id;
      d.where = e.where.in.path().empty() ? location{source(std::string(), e.path), {}} : e.where;
      if (is_wanted(d, settings)) result.diagnostics.push_back(with_rule_texts(std::move(d)));
    }
  }

 private:
  struct entry {
    std::vector<std::string> modules;
    std::string path;
    location where;
  };
  std::map<std::pair<std::string, std::string>, entry> entries_;
};

// Whether the user asked for a rule: by its own id or name, or by a limit of memory.
bool is_named(const arguments& given, std::string_view id) {
  for (const needed_rule& each : given.checks->rules()) {
    if (each.about.id != id) continue;
    const auto names = [&](const std::string& word) { return word == each.about.id || word == each.about.name; };
    const rule_choice& choice = given.settings.choice;
    const auto limits = [&](const option_setting& option) {
      return names(option.rule) && (option.option == "capacity" || option.option.starts_with("limit-"));
    };
    return std::any_of(choice.select.begin(), choice.select.end(), names) ||
           std::any_of(choice.extend_select.begin(), choice.extend_select.end(), names) ||
           std::any_of(given.settings.options.begin(), given.settings.options.end(), limits);
  }
  return false;
}

// The rules for which `is_named` is true.
std::set<std::string, std::less<>> named_rules(const arguments& given) {
  std::set<std::string, std::less<>> out;
  for (const needed_rule& each : given.checks->rules())
    if (is_named(given, each.about.id)) out.emplace(each.about.id);
  return out;
}

// Adds the named checks that were skipped to those that could not be evaluated. Modules of one name count separately.
void add_named_checks(const std::set<std::string, std::less<>>& named, const std::vector<skipped_check>& skipped,
                      const context& of, unevaluated& out) {
  // The contexts of work_on_namesakes are left out: their modules were looked at before.
  if (!of.hlo() && !of.buffers() && !(of.namesakes().empty() && of.recompilations().empty())) return;
  for (const skipped_check& check : skipped)
    if (!check.in_part && named.contains(check.rule))
      out.add("rule " + check.rule, check.reason, check.module,
              !of.files().empty()    ? of.files().front().path
              : check.module.empty() ? "<module>"
                                     : check.module);
}

// Applies suppressions, reports unused ones, and applies the baseline.
void dismiss_findings(const arguments& given, const rule_settings& settings, const baseline& agreed_on,
                      const std::vector<contract_use>& contract_uses, run_result& result) {
  const std::vector<suppression>& list = given.settings.suppressions;
  const std::string day = today();
  const std::vector<std::size_t> used = dismiss(list, day, result.diagnostics);
  const source& file = given.settings.text;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const bool expired = !list[i].expires.empty() && list[i].expires < day;
    const bool of_ranks = std::any_of(result.skipped.begin(), result.skipped.end(), [&](const skipped_check& check) {
      return check.rule == list[i].rule && check.reason == reason_without(need::ranks);  // `hlolint ranks` evaluates it
    });
    if (!expired && (used[i] > 0 || of_ranks)) continue;
    const rule& about = expired ? expired_suppression : unused_suppression;
    diagnostic d;
    d.message = "the suppression of " + list[i].rule + (list[i].reason.empty() ? "" : " (" + list[i].reason + ")") +
                (expired ? " has expired on " + list[i].expires : " covers no finding");
    d.level = about.level;
    d.rule = about.id;
    d.where = {file, given.settings.suppression_places[i]};
    if (is_wanted(d, settings)) result.diagnostics.push_back(with_rule_texts(std::move(d)));
  }
  report_unused_contracts(given, settings, contract_uses, result);
  report_unused_entries(given, settings, agreed_on, dismiss(agreed_on, result.diagnostics), result);
}

}  // namespace

read_file read_dump(const arguments& given, const std::string& path, std::uint64_t max_size) {
  if (const auto known = given.at_hand.find(path); known != given.at_hand.end()) return {known->second, true};
  if (const auto bytes = given.packed ? given.packed->find(path) : nullptr) return read_bytes(bytes, path, max_size);
  return given.kept ? given.kept->read(path, max_size) : read_input(path, max_size);
}

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
                                 content.modules().empty() ? nullptr : &content.modules().front(),
                                 content.buffers ? &*content.buffers : nullptr);
  to.inputs.push_back(std::move(summary));
  for (const diagnostic& problem : content.diagnostics)
    if (problem.rule == message_of_compiler.id || problem.rule == parts_of_text.id
            ? given.what == task::lint && is_wanted(problem, settings)
            : given.what == task::parse || is_wanted(problem, settings))
      to.diagnostics.push_back(with_rule_texts(problem));
}

namespace {

// All that a context depends on besides its files.
std::string choices_of(const arguments& given) {
  return given.device.name + " " + std::to_string(given.device.per_node.value_or(0)) + " " +
         std::to_string(given.device.network.value_or(0)) + " " +
         (given.device.fallback ? given.device.fallback->name : std::string()) + " " +
         std::to_string(given.xla_date.value_or(0));
}

using module_work = std::function<void(const context&, run_result&)>;

// The facts about a module that remain after it is freed.
struct seen_module {
  std::string folder, name, path;
  std::vector<std::string> parameters;
};

// Pairs files and calls `each` with every module. Returns the number of diagnostics of reading, which come first.
std::size_t work_on(const std::vector<input>& read, const std::vector<std::vector<std::string>>& unfinished,
                    const arguments& given, const rule_settings& settings, const module_work& each,
                    const baseline& agreed_on, unsigned jobs, const std::function<void()>& done, run_result& result,
                    std::vector<seen_module>* seen) {
  std::vector<input_file> files;
  const std::size_t first_input = result.inputs.size();
  for (const input& file : read) {
    files.push_back({file.path, &file.content, file.named});
    add_input(result, file.content, given, settings);
  }
  const std::size_t of_reading = result.diagnostics.size();
  const std::vector<module_group> groups = pair_files(files).groups;
  std::vector<run_result> of_group(groups.size() + unfinished.size());
  std::vector<std::pair<target, std::string>> known(groups.size());  // from all files of a module
  const std::optional<device> on = find_named_device(given.device).device;
  for_each_index(of_group.size(), jobs, [&](std::size_t i) {
    if (i < groups.size()) {
      context::parts parts = parts_of(groups[i], files, given.target);
      if (seen) parts.namesakes.clear(), parts.recompilations.clear();  // those of all sets are looked for at the end
      if (const memory_summary* const agreed = agreed_on.module(parts.name.empty() ? groups[i].name : parts.name))
        parts.compared_with.agreed = *agreed;
      parts.xla_date = given.xla_date;
      parts.flags = flags_beside(parts, given.packed.get());
      parts.is_out_of_memory = is_out_of_memory(parts, given.packed.get());
      choose_device(parts, on, given.device, given.packed.get());
      if (parts.hlo && !given.measured.empty()) {
        measured_choice found = measured_for(given, *parts.hlo, files[groups[i].files.front()].path);
        if (found.module) parts.times = std::make_shared<measured_times>(times_of(*found.module, *parts.hlo));
        parts.measured = std::move(found.module), parts.not_measured = std::move(found.refused);
      }
      const auto make = [&](context::parts&& of) {
        return module_on_device(std::move(of), given.device, given.packed.get());
      };
      const std::shared_ptr<const context> dump =
          given.kept ? given.kept->context_of(std::move(parts), choices_of(given), make) : make(std::move(parts));
      known[i] = {dump->target(), dump->name()};
      if (given.seen) given.seen(dump);
      each(*dump, of_group[i]);
    } else {
      context::parts parts;
      for (const std::string& path : unfinished[i - groups.size()]) parts.files.push_back({path, input_kind::hlo});
      each(context(std::move(parts)), of_group[i]);
    }
    done();
  });
  for (std::size_t i = 0; i < of_group.size(); ++i) {
    append(result.diagnostics, std::move(of_group[i].diagnostics));
    append(result.not_shown, std::move(of_group[i].not_shown));
    result.not_searched += of_group[i].not_searched;
    append(result.skipped, std::move(of_group[i].skipped));
    append(result.steps, std::move(of_group[i].steps));
    if (i >= groups.size()) continue;
    if (groups[i].earlier) result.inputs[first_input + *groups[i].earlier].target = known[i].first;
    for (const std::vector<std::size_t>* list : {&groups[i].files, &groups[i].beside})
      for (const std::size_t file : *list) {
        input_summary& summary = result.inputs[first_input + file];
        summary.target = known[i].first;
        if (summary.module.empty()) summary.module = known[i].second;
      }
    if (seen) {
      const std::string& path = files[groups[i].files.front()].path;
      seen->push_back({std::string(file_stem_of(path).folder), groups[i].name, path,
                       groups[i].hlo ? parameter_shapes(*groups[i].hlo) : std::vector<std::string>{}});
    }
  }
  return of_reading;
}

// The position of a rule among the checks; their number if it is not among them.
std::size_t position_of(const command_checks& checks, std::string_view id) {
  const auto& rules = checks.rules();
  const auto at =
      std::find_if(rules.begin(), rules.end(), [&](const needed_rule& each) { return each.about.id == id; });
  return static_cast<std::size_t>(at - rules.begin());
}

// Moves notes of these rules to a list of their own, with what counts: module, file and costs. Those that cost nothing
// are dropped.
void keep_apart(const std::set<std::string, std::less<>>& rules, std::vector<diagnostic>& from,
                std::vector<diagnostic>& to) {
  const auto shown = [&](const diagnostic& d) { return d.level != severity::note || !rules.contains(d.rule); };
  const auto notes = std::stable_partition(from.begin(), from.end(), shown);
  for (auto d = notes; d != from.end(); ++d) {
    if (d->impacts.empty()) continue;
    diagnostic& note = to.emplace_back();
    note.rule = std::move(d->rule), note.level = d->level, note.module = std::move(d->module);
    note.where = {source(std::string(), d->where.in.path()), {}};
    note.promise = d->promise, note.impact = d->impact, note.impacts = std::move(d->impacts),
    note.time_shares = std::move(d->time_shares);
  }
  from.erase(notes, from.end());
}

// Findings keep their file's text alive. If nothing else needs it, this keeps only the lines with findings, with their
// line and column numbers unchanged.
void keep_lines_only(run_result& result) {
  std::map<const void*, std::vector<location*>> of_text;
  const auto note = [&](location& where) {
    if (!where.in.text().empty()) of_text[where.in.text().data()].push_back(&where);
  };
  for (diagnostic& d : result.diagnostics) {
    note(d.where);
    for (related_place& other : d.related) note(other.where);
  }
  for (auto& [text, places] : of_text) {
    const source whole = places.front()->in;
    std::map<std::size_t, std::size_t> begins;  // offsets of the kept lines in the new text
    for (const location* const where : places)  // first and last line of each place
      begins[where->begin().line] = begins[where->end().line] = 0;
    std::string kept;
    std::size_t at = 1;
    for (auto& [line, begin] : begins) {
      kept.append(line - at, '\n');
      at = line;
      begin = kept.size();
      kept += whole.lines().line(line);
    }
    const source lines(std::move(kept), whole.path());
    for (location* const where : places) {
      const line_column begin = where->begin(), end = where->end();
      const auto offset = [&](line_column place) {
        return static_cast<std::uint32_t>(std::min(begins[place.line] + place.column - 1, lines.text().size()));
      };
      *where = {lines, {offset(begin), offset(end)}};
    }
  }
}

// Checks that need all modules: modules of one name, and functions that are compiled often.
void work_on_namesakes(const std::vector<seen_module>& seen, const command_checks& checks,
                       const rule_settings& settings, const module_work& each, run_result& result) {
  if (!is_on(checks, ambiguous_module::about.id, settings) && !is_on(checks, repeated_compilation::about.id, settings))
    return;
  std::map<std::pair<std::string, std::string>, std::vector<const seen_module*>> of_name, of_function;
  for (const seen_module& m : seen) {
    of_name[{m.folder, m.name}].push_back(&m);
    of_function[{m.folder, compiled_function(m.name)}].push_back(&m);
  }
  const auto look = [&](context::parts parts, const seen_module& first, std::string_view rule) {
    parts.name = first.name;
    parts.files.push_back({first.path, input_kind::hlo});
    run_result of_all;
    each(context(std::move(parts)), of_all);
    for (diagnostic& d : of_all.diagnostics)
      if (d.rule == rule) result.diagnostics.push_back(std::move(d));
  };
  for (const auto& [key, same] : of_name) {
    if (same.size() < 2) continue;
    context::parts parts;
    for (std::size_t i = 1; i < same.size(); ++i) parts.namesakes.push_back(same[i]->path);
    look(std::move(parts), *same.front(), ambiguous_module::about.id);
  }
  for (const auto& [key, same] : of_function) {
    if (same.size() < 2) continue;
    context::parts parts;
    for (const seen_module* const m : same) parts.recompilations.push_back({m->path, m->parameters});
    look(std::move(parts), *same.front(), repeated_compilation::about.id);
  }
}

}  // namespace

run_result read_modules(const arguments& given, const rule_settings& settings, const module_work& each,
                        const baseline& agreed_on) {
  reading_options how;
  how.jobs = given.jobs;
  how.max_size = given.max_size;
  how.outputs = outputs_of(given);
  how.packed = given.packed.get();
  how.read = [&](const std::string& path, std::uint64_t most) { return read_dump(given, path, most); };
  if (given.what == task::lint && want_earlier_stages(*given.checks, settings))
    how.stages = module_stages::last_and_before_optimizing;
  input_plan plan =
      plan_inputs(given.companions ? with_companions(given.paths, how.stages, how.packed) : given.paths, how);
  run_result result;
  result.tool_version = HLOLINT_VERSION;

  // Independent modules are read, checked and freed one by one. A file without a number in its name may belong to any
  // of them, so it must not be a dump.
  std::vector<std::vector<std::size_t>> sets;
  if (given.what == task::lint) sets = independent_inputs(plan);
  inputs read;
  std::vector<bool> is_read(plan.candidates.size());
  const auto nothing = [] {};
  if (!sets.empty()) {
    std::vector<bool> numbered(plan.candidates.size());
    for (const std::vector<std::size_t>& set : sets)
      for (const std::size_t i : set) numbered[i] = true;
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < numbered.size(); ++i)
      if (!numbered[i]) others.push_back(i), is_read[i] = true;
    add_read(plan, read_candidates(plan, others, how, nothing), others, read);
    if (!read.files.empty()) sets.clear();
  }
  if (sets.empty()) {
    std::vector<std::size_t> rest;
    for (std::size_t i = 0; i < is_read.size(); ++i)
      if (!is_read[i] || !read.files.empty()) rest.push_back(i);
    if (!read.files.empty()) {  // read again with the others, in order
      read.files.clear();
      plan = plan_inputs(given.companions ? with_companions(given.paths, how.stages, how.packed) : given.paths, how);
    }
    {
      progress_bar bar("reading", rest.size(), given.step);
      add_read(plan, read_candidates(plan, rest, how, [&] { bar.step(); }), rest, read);
    }
    finish_inputs(std::move(plan), read);
    for (const diagnostic& problem : read.problems) result.diagnostics.push_back(with_rule_texts(problem));
    result.ignored_files = read.ignored;
    progress_bar bar("checking", read.files.size(), given.step);
    work_on(
        read.files, read.unfinished, given, settings, each, agreed_on, given.jobs, [&] { bar.step(); }, result,
        nullptr);
  } else {
    how.jobs = 1;  // for each module; the modules themselves are read in parallel
    struct done_set {
      run_result result;
      std::vector<seen_module> seen;
      std::size_t ignored = 0, of_reading = 0;
      std::vector<std::size_t> dumps_of_folder;
    };
    std::vector<done_set> of_set(sets.size());
    // Modules of one name lack the same dumps; each lack is reported once, at its first module.
    using lacking = std::tuple<std::string, std::string, std::string>;
    std::map<lacking, std::pair<std::size_t, std::size_t>> skipped;  // set and position in it
    std::mutex guard;
    {
      progress_bar bar("checking", sets.size(), given.step);
      for_each_index(sets.size(), given.jobs, [&](std::size_t s) {
        std::vector<input> files;
        std::vector<std::optional<input>> found = read_candidates(plan, sets[s], how, nothing);
        for (std::size_t i = 0; i < found.size(); ++i) {
          if (!found[i]) {
            ++of_set[s].ignored;
            continue;
          }
          of_set[s].dumps_of_folder.push_back(*plan.candidates[sets[s][i]].folder);
          files.push_back(std::move(*found[i]));
        }
        of_set[s].of_reading =
            work_on(files, {}, given, settings, each, agreed_on, 1, nothing, of_set[s].result, &of_set[s].seen);
        keep_lines_only(of_set[s].result);
        {
          const std::lock_guard lock(guard);
          std::vector<skipped_check>& list = of_set[s].result.skipped;
          for (std::size_t i = 0; i < list.size(); ++i) {
            const std::pair here(s, i);
            const auto at = skipped.try_emplace({list[i].module, list[i].reason, list[i].rule}, here).first;
            at->second = std::min(at->second, here);
          }
          std::vector<skipped_check>().swap(list);
        }
        bar.step();
      });
    }
    std::vector<seen_module> seen;
    std::vector<run_result> in_order(sets.size());
    for (std::size_t s = 0; s < sets.size(); ++s) {
      plan.ignored += of_set[s].ignored;
      for (const std::size_t folder : of_set[s].dumps_of_folder) ++plan.folders[folder].dumps;
      append(seen, std::move(of_set[s].seen));
      in_order[s] = std::move(of_set[s].result);
    }
    finish_inputs(std::move(plan), read);
    for (const diagnostic& problem : read.problems) result.diagnostics.push_back(with_rule_texts(problem));
    result.ignored_files = read.ignored;
    // Problems of reading come first, as they do if all files are read at once.
    for (std::size_t s = 0; s < sets.size(); ++s) {
      std::vector<diagnostic>& list = in_order[s].diagnostics;
      append(result.inputs, std::move(in_order[s].inputs));
      const auto end = list.begin() + static_cast<std::ptrdiff_t>(of_set[s].of_reading);
      std::move(list.begin(), end, std::back_inserter(result.diagnostics));
      list.erase(list.begin(), end);
    }
    for (run_result& part : in_order) {
      append(result.diagnostics, std::move(part.diagnostics));
      append(result.not_shown, std::move(part.not_shown));
      result.not_searched += part.not_searched;
      append(result.steps, std::move(part.steps));
    }
    std::map<std::pair<std::size_t, std::size_t>, const lacking*> in_place;
    for (const auto& [check, place] : skipped) in_place.emplace(place, &check);
    for (const auto& [place, check] : in_place)
      result.skipped.push_back({std::get<2>(*check), std::get<0>(*check), std::get<1>(*check)});
    work_on({}, read.unfinished, given, settings, each, agreed_on, given.jobs, nothing, result, nullptr);
    work_on_namesakes(seen, *given.checks, settings, each, result);
  }
  add_fingerprints(result.diagnostics);
  return result;
}

linted run(const arguments& given, const rule_settings& settings, const configured_checks& checks,
           const baseline& agreed_on) {
  linted out;
  std::mutex guard;
  std::vector<contract_use> contract_uses(given.settings.contracts.size(), contract_use::no_module);
  unevaluated not_known;
  const std::set<std::string, std::less<>> named =
      given.what == task::lint ? named_rules(given) : std::set<std::string, std::less<>>{};
  rule_settings counting = given.what == task::lint && !given.found
                               ? with_counted_notes(*given.checks, given.settings.choice, settings)
                               : settings;
  std::set<std::string, std::less<>> counted_rules;
  for (std::size_t i = 0; i < given.checks->rules().size(); ++i) {
    if ((given.checks->rules()[i].needs & given.left_out) != need::nothing) counting[i] = {};
    if (counting[i].counts) counted_rules.emplace(given.checks->rules()[i].about.id);
  }
  const std::size_t searching = position_of(*given.checks, wasteful_schedule::about.id);
  const auto lint_module = [&](const context& dump, run_result& of_module) {
    if (given.what == task::parse) return;
    rule_settings of_this = counting;
    if (searching < of_this.size() && of_this[searching].counts) {
      const advise::order_count takes = advise::order_count_of(dump);
      of_this[searching].counts = takes == advise::order_count::bound;
      of_module.not_searched += takes == advise::order_count::too_long;
    }
    findings found = checks(dump, of_this, given.pause);
    keep_apart(counted_rules, found.diagnostics, of_module.not_shown);
    for (std::size_t i = 0; i < contract_uses.size(); ++i) {
      const contract_use use = use_of(given.settings.contracts[i], dump);
      const std::lock_guard lock(guard);
      contract_uses[i] = std::max(contract_uses[i], use);
    }
    for (std::size_t i = 0; i < contract_uses.size(); ++i)
      for (const unevaluated_contract& part : unevaluated_parts(given.settings.contracts[i], dump)) {
        if (!is_on(*given.checks, part.rule, settings)) continue;
        const std::lock_guard lock(guard);
        not_known.add("contract '" + given.settings.contracts[i].name + "'", part.reason, dump.name(), {},
                      {given.settings.text, given.settings.contract_places[i]});
      }
    {
      const std::lock_guard lock(guard);
      add_named_checks(named, found.skipped, dump, not_known);
    }
    of_module.diagnostics = std::move(found.diagnostics);
    of_module.skipped = std::move(found.skipped);
    if (missing_for_time(dump).empty()) of_module.steps.push_back(step_of(dump));
    if (given.update_baseline && dump.has(need::memory)) {
      memory_summary taken = memory_summary_of(with_memory(dump));
      const std::lock_guard lock(guard);
      out.memory.push_back(std::move(taken));
    }
    if (given.format == output_format::html) {
      module_picture picture = picture_of(dump, device_for(dump, given.device));
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
  // The largest of several modules with one name counts.
  out.memory.erase(std::unique(out.memory.begin(), out.memory.end(),
                               [](const auto& a, const auto& b) { return a.module == b.module; }),
                   out.memory.end());
  dismiss_findings(given, settings, agreed_on, contract_uses, out.result);
  // Problems of reading are findings, too.
  erase_if(out.result.skipped,
           [&](const skipped_check& check) { return !check.in_part && named.contains(check.rule); });
  not_known.report(settings, out.result);
  return out;
}

void write_problems(std::ostream& out, const run_result& result) {
  text_report problems(out);
  for (const diagnostic& problem : result.diagnostics) problems(problem);
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

}  // namespace hlolint::command
