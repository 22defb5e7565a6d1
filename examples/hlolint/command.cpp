// The command: words to values (arguments), files to dumps (inputs), dumps to findings (run), findings to text.
#include "commands/advise.hpp"
#include "settings/arguments.hpp"
#include "settings/baseline_file.hpp"
#include "commands/calibrate.hpp"
#include "settings/checks.hpp"
#include "command_run.hpp"
#include "complain.hpp"
#include "commands/diff.hpp"
#include "commands/digest.hpp"
#include "commands/memory.hpp"
#include "reading/profiles.hpp"
#include "output_file.hpp"
#include "commands/query.hpp"
#include "settings/query_rules.hpp"
#include "commands/ranks.hpp"
#include "reading/read_file.hpp"
#include "commands/run.hpp"
#include "server/lsp/lsp.hpp"
#include "server/mcp/mcp.hpp"
#include "commands/show.hpp"
#include "terminal.hpp"
#include "commands/time.hpp"

#include <hlolint/print/print.hpp>
#include <hlolint/report/json.hpp>
#include <hlolint/report/sarif.hpp>
#include <hlolint/report/text.hpp>
#include <hlolint/text/suggestion.hpp>
#include <hlolint/tool/checks/budget/wasteful_schedule.hpp>
#include <hlolint/tool/report/code_hosts/github.hpp>
#include <hlolint/tool/report/code_hosts/gitlab.hpp>
#include <hlolint/tool/report/code_hosts/junit.hpp>
#include <hlolint/tool/report/code_hosts/markdown.hpp>
#include <hlolint/tool/report/code_hosts/repository_places.hpp>
#include <hlolint/tool/report/html.hpp>
#include <hlolint/tool/report/html/deflate.hpp>
#include <hlolint/tool/report/rule_tables.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <unistd.h>

namespace hlolint::command {

using namespace hlolint::report;

namespace {

bool wants_colors(const arguments& given) {
  if (given.colors) return *given.colors;
  const char* const terminal = std::getenv("TERM");
  const char* const refused = std::getenv("NO_COLOR");  // https://no-color.org
  return given.output.empty() && !given.captured && isatty(STDOUT_FILENO) && terminal &&
         std::string_view(terminal) != "dumb" && !(refused && *refused);
}

// Width of the terminal that the report goes to; 0 = the report does not go to a terminal.
std::size_t columns_of_output(const arguments& given) {
  const bool whole_lines = given.captured || !given.output.empty() || given.format == output_format::concise;
  return whole_lines ? 0 : terminal_width();
}

int explain(const arguments& given, std::ostream& out) {
  const std::vector<rule_entry> rules = known_rules(*given.checks);
  if (const rule_entry* const entry = find_rule(rules, given.rule)) {
    given.json ? write_rules_json(out, {*entry}) : write_explanation(out, *entry);
    return exit_clean;
  }
  std::vector<std::string_view> words;
  for (const rule_entry& entry : rules) words.push_back(entry.about.id), words.push_back(entry.about.name);
  std::string group;  // the rules whose ids begin with the word
  for (const rule_entry& entry : rules)
    if (lowered(entry.about.id).starts_with(lowered(given.rule)))
      group += (group.empty() ? "" : ", ") + std::string(entry.about.id);
  return complain(
      "unknown rule '" + given.rule + "'" +
      (group.empty() ? did_you_mean(given.rule, words) + "; `hlolint rules` lists all" : ": there are " + group));
}

// Prints what could be read, and reports the rest on standard error.
int print_again(const arguments& given, std::ostream& out) {
  const parsed_file read = read_dump(given, given.paths.front(), given.max_size).content;
  if (!holds_hlo(read.kind))
    return complain(given.paths.front() + ": " +
                    (read.kind == input_kind::unknown && !read.diagnostics.empty() ? read.diagnostics.front().message
                                                                                   : "this is no HLO text"));
  const bool as_read = read.kind != input_kind::hlo && given.long_form.value_or(true);
  for (const hlo_module& m : read.modules())
    if (as_read)
      out << m.text().text();  // for a protobuf message, XLA's long form of its module
    else
      out << print(m, !given.long_form ? form_of(m) : *given.long_form ? long_form : short_form);
  text_report report(std::cerr);
  for (const diagnostic& d : read.diagnostics)
    if (d.level == severity::error) report(d);
  return read.status == parse_status::ok ? exit_clean : exit_error;
}

// The root of the checkout: a variable of the CI names it, else it is the folder with `.git`.
repository find_repository() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path here = fs::current_path(error);
  repository out{here.string(), here.string(), [](const std::string& path) {
                   std::error_code none_there;
                   return fs::is_regular_file(path, none_there);
                 }};
  for (const char* const name : {"GITHUB_WORKSPACE", "CI_PROJECT_DIR"})
    if (const char* const set = std::getenv(name); set && *set) {
      const fs::path root = fs::canonical(set, error);
      const std::string relative = here.lexically_relative(root).generic_string();
      if (!error && !relative.empty() && !relative.starts_with("..")) return out.root = root.string(), out;
    }
  for (fs::path folder = here;; folder = folder.parent_path()) {
    if (fs::exists(folder / ".git", error)) return out.root = folder.string(), out;
    if (folder == folder.parent_path()) return out;
  }
}

bool is_for_code_hosts(output_format format) {
  using enum output_format;
  return format == sarif || format == github || format == gitlab || format == junit;
}

void render(const arguments& given, const linted& done, std::ostream& out) {
  run_result placed;
  if (is_for_code_hosts(given.format)) placed = placed_in(done.result, find_repository());
  const run_result& result = is_for_code_hosts(given.format) ? placed : done.result;
  switch (given.format) {
    case output_format::json: return json_report(out)(result);
    case output_format::jsonl: return json_lines_report(out)(result);
    case output_format::sarif: return sarif_report(out)(result, known_rules(*given.checks));
    case output_format::github: return github_report(out)(result);
    case output_format::gitlab: return gitlab_report(out)(result);
    case output_format::junit: return junit_report(out)(result);
    case output_format::html: return write_html(out, result, done.pictures, known_rules(*given.checks));
    case output_format::markdown: return markdown_report(out)(result);
    case output_format::text:
    case output_format::concise: break;
  }
  text_options look;
  look.colors = wants_colors(given);
  look.concise = given.format == output_format::concise;
  look.wrap = columns_of_output(given);
  look.together = !given.no_group;
  look.order = given.sort_by_file ? finding_order::file : finding_order::impact;
  look.top = given.top;
  look.statistics = given.statistics;
  text_report report(out, look);
  given.what == task::parse ? report.inputs(result) : report(result);
}

int lint_or_parse(const arguments& given, const rule_settings& settings, const configured_checks& checks,
                  std::ostream& out) {
  baseline agreed_on;
  if (!given.baseline.empty() && !given.update_baseline) {
    loaded_baseline loaded = load_baseline(given.baseline);
    if (!loaded.error.empty()) return complain(loaded.error);
    agreed_on = std::move(loaded.content);
  }
  linted done = run(given, settings, checks, agreed_on);
  if (given.update_baseline) {
    agreed_on = {baseline_entries(done.result.diagnostics), std::move(done.memory)};
    if (const std::string error = save_baseline(given.baseline, agreed_on); !error.empty()) return complain(error);
    dismiss(agreed_on, done.result.diagnostics);
  }
  if (given.found)
    given.found(done.result);
  else
    render(given, done, out);
  return exit_status(done.result, given);
}

// The settings without a search for rules that search long and whose notes are only counted.
configuration without_search(const arguments& given, const rule_settings& settings) {
  configuration out = given.settings;
  for (std::size_t i = 0; i < given.checks->rules().size(); ++i)
    if (const rule& about = given.checks->rules()[i].about; about.id == wasteful_schedule::about.id)
      if (!settings[i].enabled) out.options.insert(out.options.begin(), {std::string(about.id), "max-search", "0"});
  return out;
}

int run_with_checks(const arguments& given, std::ostream& out) {
  if (given.what == task::explain) return explain(given, out);
  if (given.what == task::print) return print_again(given, out);
  if (given.what == task::completions) {
    out << given.completions;
    return exit_clean;
  }
  if (given.what == task::rules) {
    given.json ? write_rules_json(out, known_rules(*given.checks)) : write_rule_table(out, known_rules(*given.checks));
    return exit_clean;
  }
  if (given.show_settings) {
    write_configuration(out, given.settings);
    return exit_clean;
  }
  const chosen_rules chosen = choose(*given.checks, given.settings.choice, given.what == task::ranks);
  const configured_checks checks(*given.checks, without_search(given, chosen.settings));
  for (const std::vector<std::string>* errors : {&chosen.errors, &checks.errors()})
    for (const std::string& error : *errors) complain(error);
  if (!chosen.errors.empty() || !checks.errors().empty()) return exit_error;

  if (const named_device named = find_named_device(given.device); !named.error.empty())
    return complain("--device: " + named.error);
  if (given.what == task::memory) return show_memory(given, chosen.settings, out);
  if (given.what == task::time) return show_time(given, chosen.settings, out);
  if (given.what == task::calibrate) return write_calibration(given, chosen.settings, out);
  if (given.what == task::advise) return show_advice(given, chosen.settings, out);
  if (given.what == task::query) return show_matches(given, chosen.settings, out);
  if (given.what == task::show) return show_thing(given, chosen.settings, checks, out);
  if (given.what == task::diff) return show_diff(given, chosen.settings, checks, out);
  if (given.what == task::digest) return write_digest(given, chosen.settings, out);
  const auto is_digest_here = [&](const std::string& path) { return is_digest(given, path); };
  if (given.what == task::ranks && std::any_of(given.paths.begin(), given.paths.end(), is_digest_here)) {
    if (!std::all_of(given.paths.begin(), given.paths.end(), is_digest_here))
      return complain("ranks: digests and dumps do not mix: make digests of the dumps too");
    const linted done = compare_digests(given, chosen.settings);
    render(given, done, out);
    return done.result.compared->ranks.size() < 2 && exit_status(done.result, given) == exit_clean
               ? complain("ranks: nothing to compare: there is only one rank in these digests")
               : exit_status(done.result, given);
  }
  if (given.what == task::ranks) {
    const std::vector<rank_dumps> ranks = find_ranks(given.paths, given.packed.get());
    if (ranks.size() < 2 && given.packed)  // an archive may be damaged
      for (const diagnostic& problem : given.packed->problems_of(given.paths.front()))
        complain(given.paths.front() + ": " + problem.message);
    if (ranks.size() < 2)
      return complain(
          "ranks: nothing to compare: name the folders or archives of several ranks, or one that holds the folders of "
          "all of them");
    const linted done = compare_ranks(given, ranks, chosen.settings, checks);
    render(given, done, out);
    const int status = exit_status(done.result, given);
    return status == exit_clean && done.result.compared->modules.empty()
               ? complain("ranks: nothing to compare: no HLO in these dumps")
               : status;
  }
  return lint_or_parse(given, chosen.settings, checks, out);
}

// Adds the rules of the configuration to those of the command.
int run_command(const arguments& given, std::ostream& out) {
  if (given.test_rules) return test_query_rules(given.settings, *given.checks, out);
  if (given.settings.rules.empty()) return run_with_checks(given, out);
  const loaded_rules own = make_query_rules(given.settings, *given.checks);
  for (const std::string& error : own.errors) complain_lines(error);
  if (!own.errors.empty()) return exit_error;
  std::vector<std::shared_ptr<const checks_part>> parts = given.checks->parts();
  parts.push_back(own.part);
  const command_checks all_checks(std::move(parts));
  arguments with_rules = given;
  with_rules.checks = &all_checks;
  return run_with_checks(with_rules, out);
}

// Flushes standard output. Returns exit_error if it could not be written.
int flush_output() {
  errno = 0;
  std::cout << std::flush;
  if (std::cout) return exit_clean;
  return complain(errno ? std::string("cannot write: ") + std::strerror(errno) : "cannot write to standard output");
}

// Writes after all work is done, so that no file is left half written.
int write(const arguments& given, const std::string& whole, std::ostream& output) {
  std::string part;
  if (given.excerpt.is_part()) {
    std::string error;
    part = excerpt_of(whole, given.excerpt, error);
    if (!error.empty()) return complain(error);
  }
  const std::string& text = given.excerpt.is_part() ? part : whole;
  if (given.output.empty()) {
    output << text;
    return &output == &std::cout ? flush_output() : exit_clean;
  }
  const std::string error = write_file(given.output, given.output.ends_with(".gz") ? gzip(text) : text);
  return error.empty() ? exit_clean : complain(error);
}

int run_words(int count, char** words, arguments given, std::ostream& output) {
  try {
    if (const auto done = read_arguments(count, words, given)) return std::max(*done, flush_output());
    if (given.what == task::mcp) return server::serve_mcp(given);
    if (given.what == task::lsp) return server::serve_lsp(given);
    // Of many ranks each is unpacked for itself, and given back.
    if (given.what != task::ranks || given.paths.size() == 1) {
      packed_files packed(given.paths, given.max_size);
      if (!packed.empty()) given.packed = std::make_shared<const packed_files>(std::move(packed));
    }
    const bool alone = given.what == task::time || given.what == task::calibrate;
    if (given.what != task::ranks && given.what != task::diff) take_profiles(given, alone);
    std::ostringstream out;
    const int status = run_command(given, out);
    if (out.str().empty()) return status;  // usage error: keep an old report
    return std::max(status, write(given, out.str(), output));
  } catch (const std::bad_alloc&) {
    return complain("out of memory");
  } catch (const std::exception& thrown) {
    return complain(thrown.what());
  }
}

}  // namespace

int run_command(int count, char** words, const command_checks& checks) {
  std::ios::sync_with_stdio(false);
  arguments given;
  given.checks = &checks;
  return run_words(count, words, std::move(given), std::cout);
}

int run_command(int count, char** words, const command_checks& checks, std::map<std::string, parsed_file> at_hand,
                std::ostream& output, std::ostream& errors) {
  arguments given;
  given.checks = &checks;
  given.at_hand = std::move(at_hand);
  return run_command_line({words + 1, words + std::max(count, 1)}, std::move(given), output, errors);
}

int run_command_line(const std::vector<std::string>& words, arguments given, std::ostream& output,
                     std::ostream& errors) {
  std::vector<std::string> all{"hlolint"};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> pointers;
  for (std::string& word : all) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  // The sink is reset even if a listener throws.
  struct redirected {
    explicit redirected(std::ostream& to) : before(std::exchange(complaints(), &to)) {}
    ~redirected() { complaints() = before; }
    redirected(const redirected&) = delete;
    redirected& operator=(const redirected&) = delete;
    std::ostream* before;
  };
  const redirected complain_there(errors);
  given.captured = true;
  return run_words(static_cast<int>(all.size()), pointers.data(), std::move(given), output);
}

}  // namespace hlolint::command
