#include "arguments.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <utility>

namespace {

constexpr const char* about =
    "Reads the text dumps of the XLA compiler (HLO, buffer assignment) and reports what is wrong or wasteful.";

constexpr const char* footer =
    "A PATH is a file or a folder, which is searched for dumps. Files of one module are checked together.\n"
    "RULES are ids, names, beginnings of ids (MEM, COL0) or ALL, separated by commas.\n"
    "Exit status: 0 no findings at the level of --fail-on or above, 1 findings, 2 unreadable input or wrong usage.";

constexpr const char* words_for_formats[] = {"text", "json"};

// Options whose words become something else than text.
struct words {
  std::string format = "text", color = "auto", target, fail_on = "warning";
  std::vector<std::string> levels;
};

void add_output_options(CLI::App& app, words& said, arguments& out) {
  app.add_option("--format", said.format, "How to say it (default: text)")
      ->check(CLI::IsMember(std::vector<std::string>(std::begin(words_for_formats), std::end(words_for_formats))))
      ->option_text("text|json");
  app.add_option("-o,--output", out.output, "Where to write it instead of standard output")->option_text("FILE");
}

void add_color_option(CLI::App& app, words& said) {
  app.add_option("--color", said.color, "Colors in text; auto: if standard output is a terminal (default: auto)")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->option_text("auto|always|never");
}

void add_target_option(CLI::App& app, words& said) {
  app.add_option("--target", said.target, "What the modules were compiled for (default: found out)")
      ->check(CLI::IsMember({"cpu", "gpu", "tpu"}))
      ->option_text("cpu|gpu|tpu");
}

// A list that does not swallow the paths behind it.
void add_list(CLI::App& app, const char* name, std::vector<std::string>& list, const char* text, const char* help) {
  app.add_option(name, list, help)->delimiter(',')->allow_extra_args(false)->option_text(text);
}

// Returns what is wrong.
std::string translate(const words& said, arguments& out) {
  out.json = said.format == "json";
  if (said.color != "auto") out.colors = said.color == "always";
  if (!said.target.empty()) out.target = hlolint::find_target(said.target);
  out.fail_on.reset();
  for (const hlolint::severity level : {hlolint::severity::note, hlolint::severity::warning, hlolint::severity::error})
    if (hlolint::name_of(level) == said.fail_on) out.fail_on = level;
  for (const std::string& entry : said.levels) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos) return "--level: '" + entry + "' is not RULE=LEVEL";
    out.choice.levels.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
  }
  return {};
}

}  // namespace

std::optional<int> read_arguments(int count, char** given, arguments& out) {
  words said;
  CLI::App app(about, "hlolint");
  app.footer(footer);
  app.set_version_flag("--version", "hlolint " HLOLINT_VERSION);
  app.set_help_flag("-h,--help", "Print this and exit");
  app.require_subcommand(0, 1);

  app.add_option("PATH", out.paths, "Dump files and folders with dumps")->option_text("...");
  add_output_options(app, said, out);
  add_color_option(app, said);
  add_list(app, "--select", out.choice.select, "RULES", "Run these rules instead of the usual ones");
  add_list(app, "--extend-select", out.choice.extend_select, "RULES", "Run these rules too");
  add_list(app, "--ignore", out.choice.ignore, "RULES", "Do not run these rules");
  add_list(app, "--level", said.levels, "RULE=LEVEL", "Give rules another level: off, note, warning or error");
  add_target_option(app, said);
  app.add_option("--fail-on", said.fail_on, "Lowest level that makes the exit status 1 (default: warning)")
      ->check(CLI::IsMember({"error", "warning", "note", "never"}))
      ->option_text("error|warning|note|never");
  app.add_flag("--exit-zero", out.exit_zero, "Exit with 0 although there are findings");

  // `lint` may be left out, so its options are those of the command itself.
  CLI::App* const lint = app.add_subcommand("lint", "Check dumps (this is what happens without a subcommand)");
  lint->set_help_flag();
  lint->fallthrough();

  CLI::App* const parse = app.add_subcommand("parse", "Only read dumps, and tell what they hold");
  parse->add_option("PATH", out.paths, "Dump files and folders with dumps")->required()->option_text("...");
  add_output_options(*parse, said, out);
  add_color_option(*parse, said);
  add_target_option(*parse, said);

  CLI::App* const print = app.add_subcommand("print", "Print an HLO file again, in the form it was read or another");
  print->add_option("FILE", out.paths, "An HLO file")->required()->expected(1)->option_text(" ");
  bool long_form = false, short_form = false;
  print->add_flag("--long", long_form, "With percent signs and signatures")->excludes(
      print->add_flag("--short", short_form, "Without"));
  print->add_option("-o,--output", out.output, "Where to write it instead of standard output")->option_text("FILE");

  CLI::App* const memory = app.add_subcommand("memory", "Show what memory is used for, and when");
  memory->add_option("PATH", out.paths, "Dump files and folders with dumps")->required()->option_text("...");
  add_output_options(*memory, said, out);
  add_target_option(*memory, said);
  memory->add_option("--top", out.memory.top, "How many values and allocations to show (default: 10)")
      ->check(CLI::NonNegativeNumber)
      ->option_text("N");
  memory->add_option("--at", out.memory.at, "Show the values at this schedule position instead of the peak")
      ->check(CLI::NonNegativeNumber)
      ->option_text("POSITION");
  memory->add_flag("--blocks", out.memory.blocks, "Draw with Unicode blocks instead of #");
  memory->add_flag("--verify", out.verify, "Compute sizes, schedule, values and live ranges from the HLO, and compare them\n"
                                           "with what the dump says; exit status 1 if anything differs");

  CLI::App* const rules = app.add_subcommand("rules", "List all rules");
  add_output_options(*rules, said, out);

  CLI::App* const explain = app.add_subcommand("explain", "Tell all about one rule");
  explain->add_option("RULE", out.rule, "Id or name of a rule")->required()->option_text(" ");
  add_output_options(*explain, said, out);

  for (CLI::App* const command : {parse, print, memory, rules, explain}) command->footer("");

  try {
    app.parse(count, given);
  } catch (const CLI::CallForHelp& wanted) {
    if (!lint->parsed()) return app.exit(wanted);
    // CLI11 would show the options of `lint`, which has none.
    std::cout << app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal);
    return exit_clean;
  } catch (const CLI::ParseError& stopped) {
    return app.exit(stopped) == 0 ? exit_clean : exit_error;
  }

  if (long_form || short_form) out.long_form = long_form;
  for (const auto& [command, what] : {std::pair{parse, task::parse}, std::pair{print, task::print}, std::pair{memory, task::memory},
                                      std::pair{rules, task::rules}, std::pair{explain, task::explain}})
    if (command->parsed()) out.what = what;
  std::string wrong = translate(said, out);
  if (wrong.empty() && out.what == task::lint && out.paths.empty()) wrong = "PATH is required";
  if (wrong.empty() && (out.what == task::rules || out.what == task::explain) && !out.paths.empty())
    wrong = "'" + out.paths.front() + "' stands where no PATH is wanted";
  if (wrong.empty()) return std::nullopt;
  std::cerr << wrong << "\nRun with --help for more information.\n";
  return exit_error;
}
