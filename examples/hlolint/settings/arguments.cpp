#include "arguments.hpp"

#include "checks.hpp"
#include "../complain.hpp"
#include "completions.hpp"
#include "help_format.hpp"
#include "../output_file.hpp"
#include "../terminal.hpp"
#include "../version.hpp"

#include <hlolint/text/double_chars.hpp>
#include <hlolint/text/integer.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/text/suggestion.hpp>
#include <hlolint/tool/option_setting.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint::command {

namespace {

constexpr const char* about =
    "Reads the text dumps of the XLA compiler (HLO, buffer assignment) and reports what is wrong or wasteful.";

constexpr const char* footer =
    "A PATH is a file or a folder, which is searched for dumps. Files of one module are checked together.\n"
    "RULES are ids, names, beginnings of ids (MEM, COL0) or ALL, separated by commas.\n"
    "Exit status: 0 no findings at the level of --fail-on or above, 1 findings, 2 unreadable input or wrong usage.";

constexpr const char* diff_footer =
    "The options of hlolint for rules (--select, --ignore, --level, --set ...), --target, --config, --fail-on, "
    "--exit-zero and --jobs apply here too; new findings below --fail-on are listed, but do not count as worse. Names "
    "of modules and instructions are compared without their numbers. Copies and constants below 1 MiB are not "
    "compared.\n"
    "Exit status: 0 nothing is worse, 1 something is, 2 unreadable input or wrong usage.";

constexpr const char* ranks_footer =
    "Ranks are the processes or hosts of a job, each of which compiles a program of its own. If there is only one "
    "DIR, each folder in it is a rank. Rule COL011 compares modules of one name; numbers in names do not count.\n"
    "The options --level, --config, --isolated, --fail-on, --exit-zero and --jobs of hlolint apply here too.\n"
    "Exit status: 0 all equal, 1 ranks differ, 2 unreadable input or wrong usage.";

// Options that are converted later. The configuration gives those without a value.
struct words {
  hlolint::rule_choice choice;
  std::string color = "auto", config, sort = "impact";
  std::optional<std::string> format, diff_format, time_format, target, xla_date, fail_on;
  std::optional<std::string> baseline;
  std::optional<unsigned> jobs;
  std::optional<std::string> max_size;
  std::vector<std::string> levels, options;
  bool isolated = false;
};

const std::vector<std::pair<std::string, output_format>> formats{
    {"text", output_format::text},         {"full", output_format::text},     {"concise", output_format::concise},
    {"json", output_format::json},         {"jsonl", output_format::jsonl},   {"sarif", output_format::sarif},
    {"github", output_format::github},     {"gitlab", output_format::gitlab}, {"junit", output_format::junit},
    {"markdown", output_format::markdown}, {"html", output_format::html}};

// `full` is the former name of `text`.
std::string documented_formats() {
  std::string out;
  for (const auto& [word, format] : formats)
    if (word != "full") out += (out.empty() ? "" : ", ") + word;
  return out;
}

std::vector<std::string> format_words() {
  std::vector<std::string> out;
  for (const auto& [word, format] : formats) out.push_back(word);
  return out;
}

// Messages list the documented words; the completions take them from the name of the type.
CLI::Validator is_format() {
  std::string choices = "{";
  for (const std::string& word : format_words())
    if (word != "full") choices += (choices.size() > 1 ? "," : "") + word;
  return CLI::Validator(
      [](std::string& word) {
        const std::vector<std::string> known = format_words();
        if (std::find(known.begin(), known.end(), word) != known.end()) return std::string{};
        return "unknown format '" + word + "'" + hlolint::did_you_mean(word, {known.begin(), known.end()}) +
               "; formats are " + documented_formats();
      },
      choices + "}");
}

// The output formats of a command.
enum class writes : std::uint8_t { findings, text_and_json, page_too };

void add_output_options(CLI::App& app, words& given, arguments& out, writes what = writes::text_and_json) {
  if (what == writes::findings)
    app.add_option("--format", given.format,
                   "The output format (default: text): text, concise, json, jsonl, sarif, github, gitlab,\n"
                   "junit, markdown or html")
        ->check(is_format())
        ->option_text("FORMAT");
  else
    app.add_option("--format", given.format, "The output format (default: text)")
        ->check(CLI::IsMember(what == writes::page_too ? std::vector<std::string>{"text", "json", "html"}
                                                       : std::vector<std::string>{"text", "json"}))
        ->option_text(what == writes::page_too ? "text|json|html" : "text|json");
  app.add_option("-o,--output", out.output, "Write to this file instead of standard output")->option_text("FILE");
}

// Checks that a text is a whole number that an int64 can hold, not negative.
std::string check_whole_number(const std::string& text) {
  return hlolint::integer_in(text).value_or(-1) >= 0 ? std::string{} : "'" + text + "' is not a whole number from 0 up";
}

// Adds an option with a number, which the help calls N.
template <class Number, class Check = std::string (*)(const std::string&)>
void add_count(CLI::App& app, const char* name, Number& to, const char* help, Check check = check_whole_number) {
  app.add_option(name, to, help)->check(check)->option_text("N");
}

// Options of commands that write JSON. `with_top`: the command has no --top of its own.
void add_excerpt_options(CLI::App& app, arguments& out, bool with_top = true) {
  const auto is_enough = [](const std::string& text) {
    return hlolint::integer_in(text).value_or(-1) >= 1024 ? std::string{}
                                                          : "'" + text + "' is not a number of bytes from 1024 up";
  };
  if (with_top) add_count(app, "--top", out.excerpt.top, "JSON: most entries of each list, the costliest first");
  add_count(app, "--max-bytes", out.excerpt.max_bytes,
            "JSON: leave out entries until the report takes no more bytes than this; `omitted` counts them", is_enough);
  app.add_option("--cursor", out.excerpt.cursor, "JSON: go on with a list from where `omitted` of a report points")
      ->option_text("CURSOR");
}

void add_color_option(CLI::App& app, words& given) {
  app.add_option("--color", given.color, "Colors in text; auto: if standard output is a terminal (default: auto)")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->option_text("auto|always|never");
}

void add_profile_option(CLI::App& app, arguments& out) {
  app.add_option("--profile", out.profiles,
                 "A profile of these dumps: .xplane.pb, .trace.json[.gz], or the folder of jax.profiler.trace")
      ->allow_extra_args(false)
      ->option_text("PATH");
}

void add_companions_option(CLI::App& app, arguments& out) {
  app.add_flag("--companions", out.companions, "If one dump of a module is named, read its other dumps too (default)");
  app.add_flag_callback(
      "--no-companions", [&out] { out.companions = false; }, "Read only the named files");
}

// Reads `2025-11-01` as 20251101.
std::optional<std::int32_t> read_date(const std::string& text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  std::int32_t date = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == 4 || i == 7) continue;
    if (text[i] < '0' || text[i] > '9') return std::nullopt;
    date = date * 10 + (text[i] - '0');
  }
  const std::int32_t month = date / 100 % 100, day = date % 100;
  return month >= 1 && month <= 12 && day >= 1 && day <= 31 ? std::optional(date) : std::nullopt;
}

void add_target_option(CLI::App& app, words& given) {
  app.add_option("--target", given.target, "The hardware that the modules were compiled for (default: detected)")
      ->check(CLI::IsMember({"cpu", "gpu", "tpu"}))
      ->option_text("cpu|gpu|tpu");
  app.add_option("--xla-date", given.xla_date,
                 "The date of the XLA that compiled the modules, to estimate memory that was not dumped (default:\n"
                 "detected as far as possible)")
      ->option_text("YYYY-MM-DD");
}

void add_config_options(CLI::App& app, words& given) {
  const auto config = app.add_option("--config", given.config,
                                     "The configuration (default: the nearest .hlolint.toml, from the working\n"
                                     "directory upwards)")
                          ->option_text("FILE");
  app.add_flag("--isolated", given.isolated, "Read no configuration")->excludes(config);
}

void add_max_size_option(CLI::App& app, words& given) {
  app.add_option("--max-size", given.max_size,
                 "Refuse inputs with more bytes of text than this, once decompressed (default: 1GiB)")
      ->check([](const std::string& text) {
        return read_max_size(text) ? std::string{} : "'" + text + "' is not " + expected_max_size;
      })
      ->option_text("BYTES");
}

void add_device_options(CLI::App& app, arguments& out) {
  app.add_option("--device", out.device.name,
                 "The device to estimate times for, such as h100-sxm or tpu-v5p, or a TOML file that describes\n"
                 "one (default: as a file beside the dump or the dump's name tells)")
      ->option_text("NAME");
  add_count(app, "--per-node", out.device.per_node, "Devices of one node, with fast links (default: as the device has)",
            CLI::Range(std::int64_t{1}, std::int64_t{1000000}));
  app.add_option("--nic", out.device.network,
                 "Rate at which each device sends to other nodes, in GB/s (default: as the device has)")
      ->check(CLI::Range(0.001, 1e6))
      ->option_text("GB/s");
}

// Takes the values of `--by` by name, up to `last`. The first of the enumeration has no name. CLI11's own transformers
// show these enumerations as characters.
template <class By>
CLI::Validator names_up_to(By last) {
  return CLI::Validator(
      [last](std::string& word) -> std::string {
        std::string names;
        for (int i = 1; i <= static_cast<int>(last); ++i) {
          const std::string name(name_of(static_cast<By>(i)));
          if (name == word) return word = std::to_string(i), std::string{};
          names.append(names.empty() ? "" : ",").append(name);
        }
        return word + " not in {" + names + "}";
      },
      "");
}

// What `memory`, `query` and `show` have in common.
void add_dump_options(CLI::App& app, words& given, arguments& out, writes what = writes::text_and_json) {
  add_output_options(app, given, out, what);
  add_target_option(app, given);
  add_companions_option(app, out);
  add_device_options(app, out);
  add_max_size_option(app, given);
  add_config_options(app, given);
}

// Adds an option with a list that does not take the paths after it.
void add_list(CLI::App& app, const char* name, std::vector<std::string>& list, const char* text, const char* help) {
  app.add_option(name, list, help)->delimiter(',')->allow_extra_args(false)->option_text(text);
}

// Adds the kinds of changes that a word of `diff --fail-on` stands for; false for other words.
bool add_failing_kinds(std::string_view word, std::vector<hlolint::compare::change_kind>& to) {
  using enum hlolint::compare::change_kind;
  struct named_kinds {
    std::string_view word;
    std::vector<hlolint::compare::change_kind> kinds;
  };
  const named_kinds known[] = {{"time", {time}},
                               {"need", {memory}},
                               {"donation", {donation}},
                               {"transfers", {synchronous, overlap, collective_bytes}},
                               {"copies", {copy}},
                               {"constants", {constant}},
                               {"findings", {new_finding, worse_finding}}};
  for (const named_kinds& one : known) {
    if (one.word != word) continue;
    to.insert(to.end(), one.kinds.begin(), one.kinds.end());
    return true;
  }
  return false;
}

// Appends lists of the command line to those of the file, except that `--select` replaces the file's. All other values
// of the command line replace those of the file. Returns the error message, empty if there is none.
std::string merge(words&& given, configuration&& file, arguments& out) {
  const auto append = [](auto& to, auto& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  };
  hlolint::rule_choice& choice = file.choice;
  if (!given.choice.select.empty()) choice.select = std::move(given.choice.select);
  append(choice.extend_select, given.choice.extend_select);
  append(choice.ignore, given.choice.ignore);
  for (const std::string& entry : given.levels) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos) return "--level: '" + entry + "' is not RULE=LEVEL";
    choice.levels.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
  }
  for (const std::string& entry : given.options) {
    const std::size_t equals = entry.find('='), dot = entry.rfind('.', equals);
    if (equals == std::string::npos || dot == std::string::npos)
      return "--set: '" + entry + "' is not RULE.OPTION=VALUE";
    file.options.push_back({entry.substr(0, dot), entry.substr(dot + 1, equals - dot - 1), entry.substr(equals + 1)});
  }
  const auto prefer = [](auto& to, auto& from) {
    if (from) to = std::move(from);
  };
  prefer(file.format, given.format), prefer(file.target, given.target), prefer(file.xla_date, given.xla_date);
  prefer(file.fail_on, given.fail_on);
  prefer(file.baseline, given.baseline), prefer(file.jobs, given.jobs);
  if (given.max_size) file.max_size = read_max_size(*given.max_size);

  // `words`: the known ones, as the message lists them.
  const auto one_of = [](std::string_view key, const std::string& word, const std::vector<std::string_view>& known,
                         std::string_view words) {
    return std::find(known.begin(), known.end(), word) != known.end()
               ? std::string{}
               : hlolint::str_cat(
                     {key, ": unknown word '", word, "'", hlolint::did_you_mean(word, known), "; ", words});
  };
  const std::vector<std::string> format_names = format_words();
  std::string wrong;
  if (file.format)
    wrong += one_of("format", *file.format, {format_names.begin(), format_names.end()},
                    "formats are " + documented_formats());
  if (file.target) wrong += one_of("target", *file.target, {"cpu", "gpu", "tpu"}, "targets are cpu, gpu and tpu");
  if (file.xla_date && !read_date(*file.xla_date)) wrong += "xla-date: '" + *file.xla_date + "' is no YYYY-MM-DD";
  if (file.fail_on)
    wrong += one_of("fail-on", *file.fail_on, {"error", "warning", "note", "never"},
                    "levels are error, warning and note, and never");
  if (file.fail_on && out.what == task::diff && !wrong.empty())
    wrong += "; of diff also time, need, donation, transfers, copies, constants, findings";
  if (!wrong.empty()) return wrong;

  for (const auto& [word, format] : formats)
    if (file.format == word) out.format = format;
  out.json = out.format == output_format::json;
  out.sort_by_file = given.sort == "file";
  if (given.color != "auto") out.colors = given.color == "always";
  if (file.target) out.target = hlolint::find_target(*file.target);
  if (file.xla_date) out.xla_date = read_date(*file.xla_date);
  if (file.fail_on) {
    out.fail_on.reset();
    for (const hlolint::severity level :
         {hlolint::severity::note, hlolint::severity::warning, hlolint::severity::error})
      if (hlolint::name_of(level) == *file.fail_on) out.fail_on = level;
  }
  if (out.device.name.empty())
    out.device.name = file.device.value_or("");
  else
    file.device = out.device.name;
  out.baseline = file.baseline.value_or("");
  out.jobs = file.jobs.value_or(0);
  if (out.jobs == 0) out.jobs = std::max(1u, std::thread::hardware_concurrency());
  out.max_size = static_cast<std::uint64_t>(file.max_size.value_or(default_max_size));
  out.settings = std::move(file);
  return {};
}

// Returns the error in the outputs, as far as the command line shows it.
std::string check_outputs(const arguments& given, const std::string& config) {
  std::vector<std::string> inputs = given.paths;
  inputs.insert(inputs.end(), {given.before, given.after, config});
  if (!given.baseline.empty() && !given.output.empty()) {
    if (given.output == given.baseline || is_same_file(given.output, given.baseline))
      return "--output and --baseline name one file, " + given.output;
    if (!given.update_baseline) inputs.push_back(given.baseline);
  }
  for (const std::string& output : outputs_of(given))
    for (const std::string& input : inputs)
      if (is_same_file(input, output)) return overwrites_input(output, input).what();
  return {};
}

}  // namespace

std::vector<std::string> outputs_of(const arguments& given) {
  std::vector<std::string> out;
  if (!given.output.empty()) out.push_back(given.output);
  if (given.update_baseline) out.push_back(given.baseline);
  return out;
}

std::optional<int> read_arguments(int count, char** line, arguments& out) {
  // A fast path for scripts: CLI11 throws to print the version, and the first exception of a static program takes
  // milliseconds.
  if (count == 2 && std::string_view(line[1]) == "--version") {
    std::cout << version_text() << '\n';
    return exit_clean;
  }
  words given;
  CLI::App app(about, "hlolint");
  app.formatter(std::make_shared<narrow_formatter>());
  app.footer(footer);
  app.set_version_flag("--version", version_text());
  app.set_help_flag("-h,--help", "Print this and exit");
  app.require_subcommand(0, 1);

  app.add_option("PATH", out.paths, "Dump files and folders with dumps")->option_text("...");
  add_output_options(app, given, out, writes::findings);
  add_color_option(app, given);
  app.add_option("--sort", given.sort,
                 "Text: order findings by level and impact, or by their place in the files (default: impact)")
      ->check(CLI::IsMember({"impact", "file"}))
      ->option_text("impact|file");
  app.add_flag("--no-group", out.no_group, "Text: show equal findings of many layers one by one, not as a group");
  add_count(app, "--top", out.top, "Show only this many findings; JSON: this many entries of each list");
  add_excerpt_options(app, out, false);
  app.add_flag("--statistics", out.statistics, "Text: show a table of rules with counts instead of findings");
  add_companions_option(app, out);
  add_list(app, "--select", given.choice.select, "RULES", "Run only these rules");
  add_list(app, "--extend-select", given.choice.extend_select, "RULES", "Run these rules too");
  add_list(app, "--ignore", given.choice.ignore, "RULES", "Do not run these rules");
  add_list(app, "--level", given.levels, "RULE=LEVEL", "Give rules another level: off, note, warning or error");
  add_target_option(app, given);
  add_device_options(app, out);
  app.add_option("--fail-on", given.fail_on, "Lowest level that makes the exit status 1 (default: warning)")
      ->option_text("error|warning|note|never");
  app.add_flag("--exit-zero", out.exit_zero, "Exit with 0 even if there are findings");
  app.add_option("--set", given.options, "Set an option of a rule; `hlolint explain RULE` lists them")
      ->allow_extra_args(false)
      ->option_text("RULE.OPTION=VALUE");
  add_count(app, "-j,--jobs", given.jobs, "Number of modules to process at the same time (default: 0, one per core)",
            CLI::Range(0, 1024));
  add_max_size_option(app, given);
  app.add_option("--baseline", given.baseline, "Report only findings that are new or worse than in this file")
      ->option_text("FILE");
  app.add_flag("--update-baseline", out.update_baseline, "Write all current findings to the file of --baseline");
  add_config_options(app, given);
  app.add_flag("--show-settings", out.show_settings, "Print the effective settings as a configuration file, and exit");

  add_profile_option(app, out);

  // Making the options of all subcommands takes longer than checking a small dump, so only a subcommand that is named
  // gets its options; for completions, and as tools of a server, all do.
  const auto is_named = [&](std::string_view command) {
    return std::any_of(line, line + count, [&](const char* word) {
      return word == command || word == std::string_view("completions") || word == std::string_view("mcp");
    });
  };

  // `lint` may be left out, so its options are those of the command itself.
  CLI::App* const lint = app.add_subcommand("lint", "Check dumps (the default without a subcommand)");
  lint->set_help_flag();
  lint->fallthrough();

  CLI::App* const parse = app.add_subcommand("parse", "Only read dumps, and list their contents");
  if (is_named("parse")) {
    parse->add_option("PATH", out.paths, "Dump files and folders with dumps")->required()->option_text("...");
    add_output_options(*parse, given, out);
    add_excerpt_options(*parse, out);
    add_color_option(*parse, given);
    add_target_option(*parse, given);
    add_max_size_option(*parse, given);
    add_config_options(*parse, given);
  }

  CLI::App* const print = app.add_subcommand(
      "print", "Print the module of an HLO file or protobuf dump, in the form that was read or another");
  bool long_form = false, short_form = false;
  if (is_named("print")) {
    print->add_option("FILE", out.paths, "An HLO file, compressed or not; - is standard input")
        ->required()
        ->expected(1)
        ->option_text(" ");
    add_max_size_option(*print, given);
    add_config_options(*print, given);
    print->add_flag("--long", long_form, "Print percent signs and signatures")
        ->excludes(print->add_flag("--short", short_form, "Print neither of them"));
    print->add_option("-o,--output", out.output, "Write to this file instead of standard output")->option_text("FILE");
  }

  CLI::App* const memory = app.add_subcommand("memory", "Show what uses memory, and when");
  if (is_named("memory")) {
    memory->add_option("PATH", out.paths, "Dump files and folders with dumps")->required()->option_text("...");
    add_dump_options(*memory, given, out, writes::page_too);
    add_count(*memory, "--top", out.memory.top, "How many rows of each table to show (default: 10)");
    memory
        ->add_option("--by", out.memory.by,
                     "Sum memory by source (line), function (of your program), scope (of the framework), pass\n"
                     "(forward, backward, recomputed, optimizer), opcode, shape or weight")
        ->transform(names_up_to(hlolint::report::memory_by::weight))
        ->option_text("source|function|scope|pass|opcode|shape|weight");
    add_count(*memory, "--depth", out.memory.depth, "Levels of scopes to show with --by scope (default: 12)");
    memory->add_option("--at", out.memory.at, "Show the values at this schedule position instead of the peak")
        ->check(check_whole_number)
        ->option_text("POSITION");
    CLI::Option* const module =
        memory->add_option("--module", out.memory.module, "Show only modules of this name")->option_text("NAME");
    add_excerpt_options(*memory, out, false);
    memory->add_flag("--blocks", out.memory.blocks, "Draw with Unicode blocks instead of #");
    memory
        ->add_flag("--verify", out.verify,
                   "Compute sizes, schedule, values, live ranges and the assignment from the HLO, and\n"
                   "compare them with the dump; exit status 1 if anything differs")
        ->excludes(module);
  }

  CLI::App* const time =
      app.add_subcommand("time", "Estimate where the time of a step goes: work, and transfers that nothing hides");
  time->add_option("PATH", out.paths, "Dump files and folders with dumps, or profiles")->required()->option_text("...");
  time->add_option("--format", given.time_format,
                   "The output format (default: text); trace is for Perfetto and chrome://tracing")
      ->check(CLI::IsMember({"text", "json", "trace", "html"}))
      ->option_text("text|json|trace|html");
  time->add_option("-o,--output", out.output,
                   "Write to this file instead of standard output; compressed if it ends in .gz")
      ->option_text("FILE");
  add_target_option(*time, given);
  add_companions_option(*time, out);
  add_device_options(*time, out);
  add_max_size_option(*time, given);
  add_config_options(*time, given);
  add_profile_option(*time, out);
  add_excerpt_options(*time, out, false);
  add_count(*time, "--trip", out.time.trips.times, "Iterations of loops whose trip count is unknown (default: 1)",
            CLI::Range(std::int64_t{1}, std::int64_t{1000000000}));
  time->add_option("--by", out.time.by,
                   "Sum time by one of these instead of showing transfers and work: source (line), function (of\n"
                   "your program), pass (forward, backward, recomputed, optimizer), axis (of the mesh), ...")
      ->transform(names_up_to(hlolint::time_by::computation))
      ->option_text("source|function|scope|pass|opcode|category|weight|axis|computation");
  add_count(*time, "--depth", out.time.depth, "Parts of a scope that count with --by scope (default: all)");
  time->add_flag("--instructions", out.time.instructions, "JSON: add a row for each instruction that takes time");
  time->add_option("--module", out.time.module, "Show only modules of this name")->option_text("NAME");
  add_count(*time, "--modules", out.time.modules, "How many modules to show in an overview (default: 20)",
            CLI::NonNegativeNumber);
  add_count(*time, "--top", out.time.top, "How many transfers and places of work to show (default: 20)",
            CLI::NonNegativeNumber);

  CLI::App* const advise =
      app.add_subcommand("advise", "Find edits of the schedule that save memory, and check what they save");
  std::vector<std::string> advise_targets;
  std::string most_time, most_memory, recomputes, proposals, objective;
  if (is_named("advise")) {
    advise->add_option("PATH", out.paths, "Dump files and folders with dumps")->required()->option_text("...");
    add_output_options(*advise, given, out, writes::page_too);
    add_companions_option(*advise, out);
    add_device_options(*advise, out);
    add_max_size_option(*advise, given);
    add_config_options(*advise, given);
    advise
        ->add_option("--target", advise_targets,
                     "Bytes at which it is enough, such as 40GiB, or what the modules were compiled for")
        ->allow_extra_args(false)
        ->option_text("BYTES|cpu|gpu|tpu");
    advise
        ->add_option("--for", objective, "What edits should lower: the need, or what transfers wait (default: memory)")
        ->check(CLI::IsMember({"memory", "time"}))
        ->option_text("memory|time");
    advise->add_option("--max-memory", most_memory, "With --for time: how much the need may grow (default: 5%)")
        ->option_text("PERCENT%");
    advise->add_option("--max-time", most_time, "How much longer a step may take (default: 3%)")
        ->option_text("PERCENT%");
    advise->add_option("--recompute", recomputes, "Whether values may be computed again (default: on)")
        ->check(CLI::IsMember({"on", "off"}))
        ->option_text("on|off");
    advise->add_option("--proposals", proposals, "Whether to look for changes of the program, too (default: on)")
        ->check(CLI::IsMember({"on", "off"}))
        ->option_text("on|off");
    add_count(*advise, "--max-search", out.advise.most_evaluations, "How many orders to try (default: 20000)");
    advise->add_option("--module", out.advise.module, "Advise only on modules of this name")->option_text("NAME");
    add_count(*advise, "--modules", out.time.modules, "How many modules to show in a table of many (default: 20)",
              CLI::NonNegativeNumber);
    add_excerpt_options(*advise, out);
    advise->add_option("--write", out.advise.folder, "Write the edited modules into this folder")->option_text("DIR");
  }

  CLI::App* const calibrate =
      app.add_subcommand("calibrate", "Fit a device file to profiles, or to the time of a step");
  if (is_named("calibrate")) {
    calibrate->add_option("PATH", out.paths, "Profiles, and dumps of their programs")->required()->option_text("...");
    calibrate->add_option("-o,--output", out.output, "Write to this file instead of standard output")
        ->option_text("FILE");
    add_target_option(*calibrate, given);
    add_companions_option(*calibrate, out);
    add_device_options(*calibrate, out);
    add_profile_option(*calibrate, out);
    add_max_size_option(*calibrate, given);
    add_config_options(*calibrate, given);
    calibrate->add_option("--measured", out.calibrate.measured, "The measured time of a step, such as 167ms")
        ->option_text("TIME");
    calibrate
        ->add_option("--fit", out.calibrate.fit, "The key of a device file to fit (with --measured: network-gb-per-s)")
        ->option_text("KEY");
  }

  CLI::App* const query = app.add_subcommand("query", "List the instructions that match a query");
  std::string query_by;
  if (is_named("query")) {
    query->add_option("QUERY", out.query.text, "A query, such as 'all-reduce where bytes >= 1MiB and not in loop'")
        ->required()
        ->option_text(" ");
    query->add_option("PATH", out.paths, "Dump files and folders with dumps")->required()->option_text("...");
    add_dump_options(*query, given, out);
    add_excerpt_options(*query, out);
    query->add_flag("--count", out.query.count, "Only show the number of matches");
    query->add_flag("--first", out.query.first, "Stop at the first match");
    query->add_option("--by", query_by, "Show the number of matches for each line of the program")
        ->check(CLI::IsMember({"source"}))
        ->option_text("source");
    query
        ->add_option("--explain", out.query.explain,
                     "Show at which step the query rejects an instruction, given by name or FILE:LINE:COLUMN")
        ->option_text("PLACE");
  }

  CLI::App* const show = app.add_subcommand("show", "Show all facts about one instruction, value or line");
  if (is_named("show")) {
    show->add_option("DUMP", out.paths, "A dump file (the module's other dumps are read too), or a folder")
        ->required()
        ->expected(1)
        ->allow_extra_args(false)  // the second argument is the name
        ->option_text(" ");
    show->add_option("NAME", out.show.name,
                     "An instruction, a computation, a value (fusion.3{0}), allocation:12, a line of the program\n"
                     "(moe.py:48) or of the dump, a weight, or the beginning of a name")
        ->required()
        ->option_text(" ");
    add_dump_options(*show, given, out);
    add_excerpt_options(*show, out, false);
    show->add_option("--module", out.show.module, "Look only into the module of this name or file")
        ->option_text("NAME");
    add_count(*show, "--depth", out.show.depth, "How many levels of operands and users to show (default: 2)",
              CLI::Range(0, 100));
    add_count(*show, "--top", out.show.top, "How many rows of each list to show (default: 20)");
    add_count(*show, "--trip", out.show.trips.times, "Iterations of loops whose trip count is unknown (default: 1)",
              CLI::Range(std::int64_t{1}, std::int64_t{1000000000}));
  }

  // The command's options for rules, target, configuration and exit status apply here too.
  CLI::App* const diff = app.add_subcommand("diff", "Show what became worse between two compilations of a program");
  diff->fallthrough();
  std::vector<std::string> tolerances, diff_fails_on;
  if (is_named("diff")) {
    diff->add_option("OLD", out.before, "A dump file (the module's other dumps are read too), or a folder")
        ->required()
        ->option_text(" ");
    diff->add_option("NEW", out.after, "The dump file or folder after the change")->required()->option_text(" ");
    diff->add_option("--format", given.diff_format,
                     "The output format (default: text); markdown is for a comment on a pull request")
        ->check(CLI::IsMember({"text", "json", "markdown"}))
        ->option_text("text|json|markdown");
    diff->add_option("-o,--output", out.output, "Write to this file instead of standard output")->option_text("FILE");
    add_list(*diff, "--tolerance", tolerances, "PERCENT,BYTES",
             "How much sizes may change, such as 1% or 16MiB; if both are given, the larger\n"
             "counts (default: 0.1%,64KiB). A percentage above 1% applies to times, too");
    add_list(*diff, "--fail-on", diff_fails_on, "LEVEL,KIND",
             "Lowest level of findings that makes the exit status 1 (error, warning, note, never),\n"
             "or only these kinds of changes: time, need, donation, transfers, copies, constants, findings");
  }

  CLI::App* const ranks = app.add_subcommand("ranks", "Check whether the ranks of a job run the same collectives");
  ranks->fallthrough();
  if (is_named("ranks")) {
    ranks
        ->add_option("DIR", out.paths,
                     "A folder, archive or file with dumps for each rank, one that holds these, or digests")
        ->required()
        ->option_text("...");
    add_output_options(*ranks, given, out, writes::findings);
    add_color_option(*ranks, given);
  }

  CLI::App* const digest = app.add_subcommand("digest", "Write all that `ranks` needs of one host to a small file");
  digest->fallthrough();
  if (is_named("digest")) {
    digest->add_option("PATH", out.paths, "A folder with the dumps of a rank, or digests to join")
        ->required()
        ->option_text("...");
    digest->add_option("-o,--output", out.output, "Write to this file instead of standard output")->option_text("FILE");
    digest->add_option("--name", out.rank_name, "The rank's name (default: the output's, else the folder's)")
        ->option_text("NAME");
    digest->add_flag("--each-folder", out.each_folder, "Each folder in PATH is a rank");
  }

  std::string test_file;
  CLI::App* const rules = app.add_subcommand("rules", "List all rules");
  if (is_named("rules")) {
    add_output_options(*rules, given, out);
    add_excerpt_options(*rules, out);
    add_config_options(*rules, given);
    CLI::Option* const test =
        rules->add_option("--test", test_file, "Run the examples of the rules in this configuration")
            ->option_text("FILE");
    for (const char* const other : {"--config", "--isolated", "--format"}) test->excludes(rules->get_option(other));
  }

  CLI::App* const explain = app.add_subcommand("explain", "Explain one rule");
  if (is_named("explain")) {
    explain->add_option("RULE", out.rule, "Id or name of a rule")->required()->option_text(" ");
    add_output_options(*explain, given, out);
    add_excerpt_options(*explain, out);
    add_config_options(*explain, given);
  }

  CLI::App* const completions =
      app.add_subcommand("completions", "Print a script with which a shell completes the command line of hlolint");
  std::string shell;
  if (is_named("completions")) {
    completions->add_option("SHELL", shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember(std::vector<std::string>(std::begin(shells), std::end(shells))))
        ->option_text(" ");
    completions->add_option("-o,--output", out.output, "Write to this file instead of standard output")
        ->option_text("FILE");
  }

  CLI::App* const mcp =
      app.add_subcommand("mcp", "Answer a coding agent's questions over standard input and output (MCP)");
  if (is_named("mcp"))
    mcp->add_option("--root", out.root,
                    "Read only files in this folder, if the client names no folders (default: the working directory)")
        ->check(CLI::ExistingDirectory)
        ->option_text("DIR");
  CLI::App* const lsp =
      app.add_subcommand("lsp", "Explain and lint dumps in an editor over standard input and output (LSP)");
  bool by_pipes = true;  // as editors ask servers that can do otherwise
  if (is_named("lsp")) lsp->add_flag("--stdio", by_pipes, "Use standard input and output (default)");

  for (CLI::App* const command :
       {parse, print, memory, time, advise, calibrate, query, show, digest, rules, explain, completions, mcp, lsp})
    command->footer("");
  diff->footer(diff_footer);
  ranks->footer(ranks_footer);

  try {
    app.parse(count, line);
  } catch (const CLI::CallForHelp& wanted) {
    if (!lint->parsed()) return app.exit(wanted) == 0 ? exit_clean : exit_error;
    // CLI11 would show the options of `lint`, which has none.
    std::cout << app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal);
    return exit_clean;
  } catch (const CLI::ParseError& stopped) {
    std::ostringstream errors;
    const int status = app.exit(stopped, std::cout, errors);
    complain_lines(errors.str());
    return status == 0 ? exit_clean : exit_error;
  }

  if (long_form || short_form) out.long_form = long_form;
  out.query.by_source = !query_by.empty();
  if (parse->parsed() || print->parsed() || ranks->parsed() || digest->parsed()) out.companions = false;
  if (out.output.empty() && !out.captured) out.memory.width = out.time.width = out.show.width = terminal_width();
  for (const auto& [command, what] :
       {std::pair{parse, task::parse}, std::pair{print, task::print}, std::pair{memory, task::memory},
        std::pair{time, task::time}, std::pair{advise, task::advise}, std::pair{calibrate, task::calibrate},
        std::pair{query, task::query}, std::pair{show, task::show}, std::pair{diff, task::diff},
        std::pair{ranks, task::ranks}, std::pair{digest, task::digest}, std::pair{rules, task::rules},
        std::pair{explain, task::explain}, std::pair{completions, task::completions}, std::pair{mcp, task::mcp},
        std::pair{lsp, task::lsp}})
    if (command->parsed()) {
      out.what = what;
      if (const CLI::Option* const top = command->get_option_no_throw("--top"); top && top->count() > 0)
        out.excerpt.top = static_cast<std::size_t>(hlolint::integer_in(top->results().back()).value_or(0));
    }
  if (!out.excerpt.top) out.excerpt.top = out.top;
  if (completions->parsed() || mcp->parsed()) {
    std::vector<std::string> ids;
    for (const hlolint::report::rule_entry& entry : known_rules(*out.checks)) ids.emplace_back(entry.about.id);
    std::ostringstream script;
    if (completions->parsed()) write_completions(app, shell, ids, script);
    out.completions = script.str();
    if (mcp->parsed()) out.tools = words_of(app, ids);
  }
  for (const std::string& entry : advise_targets)
    if (entry == "cpu" || entry == "gpu" || entry == "tpu") {
      given.target = entry;
    } else if (const auto bytes = hlolint::read_byte_count(entry)) {
      out.advise.target = *bytes;
    } else {
      complain_lines("--target: '" + entry +
                     "' is not a number of bytes, such as 40GiB, nor cpu, gpu or tpu\nRun with --help for more "
                     "information.");
      return exit_error;
    }
  for (const auto& [words_of, option, share] : {std::tuple{&most_time, "--max-time", &out.advise.most_time},
                                                std::tuple{&most_memory, "--max-memory", &out.advise.most_memory}}) {
    if (words_of->empty()) continue;
    const char* const end = words_of->data() + words_of->size();
    const auto read = hlolint::double_from_chars(words_of->data(), end, *share);
    if (read.ec != std::errc() || std::string_view(read.ptr, static_cast<std::size_t>(end - read.ptr)) != "%" ||
        !(*share >= 0) || *share > 1000) {
      complain_lines(std::string(option) + ": '" + *words_of +
                     "' is not a share, such as 1%\nRun with --help for more information.");
      return exit_error;
    }
    *share /= 100;
  }
  out.advise.for_time = objective == "time";
  out.advise.recomputes = recomputes != "off";
  out.advise.proposes = proposals != "off";
  for (const std::string& entry : tolerances)
    if (const auto expected = hlolint::compare::read_tolerance(entry, out.tolerance)) {
      complain_lines("--tolerance: '" + entry + "' is not " + *expected + "\nRun with --help for more information.");
      return exit_error;
    }
  for (const std::string& word : diff_fails_on) {
    if (add_failing_kinds(word, out.fail_on_kinds)) continue;
    if (given.fail_on) {
      complain_lines("--fail-on: '" + word + "' is a second level\nRun with --help for more information.");
      return exit_error;
    }
    given.fail_on = word;
  }
  const bool baseline_said = given.baseline || out.update_baseline;
  configuration file;
  out.test_rules = !test_file.empty();
  if (out.test_rules) given.config = test_file;
  const bool reads_no_dumps = out.what == task::completions || out.what == task::mcp || out.what == task::lsp;
  if (!reads_no_dumps && !given.isolated) {
    if (given.config.empty()) given.config = find_configuration();
    if (!given.config.empty()) {
      loaded_configuration loaded = load_configuration(given.config);
      for (const std::string& error : loaded.errors) complain_lines(error);
      if (!loaded.errors.empty()) return exit_error;
      file = std::move(loaded.content);
    }
  }
  if (out.what != task::lint && out.what != task::diff && out.what != task::ranks)  // formats of findings
    file.format.reset(), file.baseline.reset();
  if (out.what == task::time) {
    out.time_trace = given.time_format == "trace";
    given.format = out.time_trace ? "text" : given.time_format.value_or("text");
  }
  if (out.what == task::diff) {  // settings for the findings of one side
    file.format.reset(), file.baseline.reset();
    given.format = given.diff_format.value_or("text");
  }
  const bool rules_said =
      !given.choice.select.empty() || !given.choice.extend_select.empty() || !given.choice.ignore.empty();
  if (out.what == task::ranks) {  // a configuration chooses rules for single modules
    file.choice.select.assign(1, "COL011");
    file.choice.extend_select.clear(), file.choice.ignore.clear();
    file.baseline.reset();
  }
  const std::string config_read = file.path;
  std::string wrong = merge(std::move(given), std::move(file), out);
  if (!out.json) out.excerpt.top.reset();
  if (wrong.empty() && !out.json && out.excerpt.is_part()) wrong = "--max-bytes and --cursor need --format json";
  if (wrong.empty() && out.what == task::lint && out.paths.empty() && out.profiles.empty() && !out.show_settings)
    wrong = "PATH is required";
  if (wrong.empty() && out.update_baseline && out.baseline.empty()) wrong = "--update-baseline needs --baseline";
  if (wrong.empty() && out.statistics && out.format != output_format::text && out.format != output_format::concise)
    wrong = "--statistics needs --format text or concise";
  if (wrong.empty() && out.verify && out.format == output_format::html) wrong = "--verify writes text or JSON only";
  if (wrong.empty() && out.what == task::ranks && rules_said) wrong = "ranks runs COL011 and no other rule";
  if (wrong.empty() && out.what == task::ranks && baseline_said) wrong = "ranks does not compare with a baseline";
  if (wrong.empty() && out.what == task::diff && baseline_said) wrong = "diff compares with OLD and takes no baseline";
  if (wrong.empty() && (out.what == task::rules || out.what == task::explain || out.what == task::diff) &&
      !out.paths.empty())
    wrong = "'" + out.paths.front() + "' is not expected: this command takes no PATH";
  if (wrong.empty() && out.what == task::lint && out.paths.size() == 1 && !std::filesystem::exists(out.paths.front())) {
    std::vector<std::string> names;
    for (const CLI::App* const command : app.get_subcommands({})) names.push_back(command->get_name());
    const std::string suggestion = hlolint::did_you_mean(out.paths.front(), {names.begin(), names.end()});
    if (!suggestion.empty()) wrong = "there is no file and no command '" + out.paths.front() + "'" + suggestion;
  }
  for (const std::string& path : {out.before, out.after})
    if (wrong.empty() && out.what == task::diff && path != "-" && !out.at_hand.contains(path) &&
        !std::filesystem::exists(path))
      wrong = "diff: there is no file or folder '" + path + "'";
  if (wrong.empty()) wrong = check_outputs(out, config_read);
  if (wrong.empty()) return std::nullopt;
  complain_lines(wrong + "\nRun with --help for more information.");
  return exit_error;
}

}  // namespace hlolint::command
