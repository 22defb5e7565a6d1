// The command line as values.
#pragma once

#include "checks.hpp"
#include "command_words.hpp"
#include "configuration.hpp"
#include "device_choice.hpp"
#include "../commands/excerpt.hpp"

#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/lint/settings.hpp>
#include <hlolint/report/run_result.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/tool/compare/module_change.hpp>
#include <hlolint/tool/measured/measured_module.hpp>
#include <hlolint/tool/report/memory/memory_options.hpp>
#include <hlolint/tool/report/show/show_options.hpp>
#include <hlolint/tool/report/time/time_options.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::command {

class kept_dumps;

/// What the command was asked to do.
enum class task {
  lint,
  parse,
  print,
  memory,
  time,
  query,
  diff,
  ranks,
  digest,
  rules,
  explain,
  completions,
  advise,
  calibrate,
  show,
  mcp,
  lsp
};

/// How findings are written.
enum class output_format { text, concise, json, jsonl, sarif, github, gitlab, junit, markdown, html };

/// The options of `hlolint query`.
struct query_options {
  std::string text;        ///< the query
  std::string explain;     ///< name or place of an instruction; empty = list what matches
  bool count = false;      ///< show only how many match
  bool first = false;      ///< stop at the first one
  bool by_source = false;  ///< show how many match for each line of the program
};

/// What `hlolint advise` is asked.
struct advise_options {
  std::string folder;                     ///< where edited modules are written; empty = nowhere
  hlolint::byte_count target = 0;         ///< bytes at which it is enough; 0 = as little as possible
  bool for_time = false;                  ///< hide transfers; else save memory
  double most_time = 0.03;                ///< share of a step that all edits together may cost
  double most_memory = 0.05;              ///< share of the need by which it may grow for time
  bool recomputes = true;                 ///< also compute values again
  bool proposes = true;                   ///< also propose donations and changes of the program
  std::size_t most_evaluations = 20'000;  ///< of orders
  std::string module;                     ///< the only module to advise on; empty = all
};

/// The options of `hlolint calibrate`.
struct calibrate_options {
  std::string measured;  ///< the time of a step, such as 167ms; empty = profiles
  std::string fit;       ///< the only parameter to fit; empty = all, or with `measured` the rate of the network
};

/// The values of the command line; of what it leaves out, those of the configuration.
struct arguments {
  const command_checks* checks = &built_in_checks();    ///< all known checks; never null
  std::map<std::string, hlolint::parsed_file> at_hand;  ///< parsed dumps by path: these paths are not read from disk
  task what = task::lint;
  std::vector<std::string> paths;
  std::shared_ptr<const packed_files> packed;  ///< what archives among the paths hold; null = there are none
  std::string root;                            ///< of a server: the folder that it may read
  std::vector<command_words> tools;            ///< of a server: the subcommands with their options
  std::vector<std::string> profiles;           ///< the values of --profile
  /// The measured modules by their time, and the profiles. Filled by `take_profiles`. @{
  std::vector<std::shared_ptr<const hlolint::measured_module>> measured;
  std::shared_ptr<const std::vector<hlolint::profile_host>> measured_hosts;
  /// @}
  /// Called whenever a part of the work is done, with what that was, how many are done, and of how many. May throw.
  std::function<void(std::string_view what, std::size_t done, std::size_t total)> step;
  /// Called again and again while a module is checked, so that the work can be ended: may throw.
  std::function<void()> pause;
  /// Given every module that is read; the owner may keep it.
  std::function<void(const std::shared_ptr<const hlolint::context>& module)> seen;
  /// Rules that need any of these conditions are left out.
  hlolint::need left_out = hlolint::need::nothing;
  /// Takes the findings in place of a report, which would count those that it does not show as well.
  std::function<void(const hlolint::report::run_result& found)> found;
  std::shared_ptr<kept_dumps> kept;  ///< dumps that a server keeps; null = every file is read anew
  bool companions = true;            ///< read the other dumps of the files' modules too
  std::string rule;                  ///< the rule to explain
  std::string rank_name;             ///< name of the rank in a digest; empty = derived from the paths
  bool each_folder = false;          ///< each folder in the paths is a rank of the digest
  std::string completions;           ///< the script to print
  std::optional<bool> long_form;     ///< the form to print; nothing = the form that was read
  hlolint::report::memory_options memory;
  hlolint::report::time_options time;
  hlolint::report::show_options show;
  query_options query;
  bool test_rules = false;  ///< run the examples of the rules in the configuration
  device_choice device;
  std::string before, after;  ///< files or folders to compare
  hlolint::compare::change_tolerance tolerance{0.001, hlolint::byte_count{64} << 10};
  bool verify = false;      ///< compare a buffer dump with what hlolint computes from the HLO
  bool time_trace = false;  ///< `time` writes Trace Event JSON
  bool json = false;        ///< commands without findings write JSON instead of text
  output_format format = output_format::text;
  excerpt_options excerpt;  ///< of a report in JSON
  std::string output;       ///< empty = standard output
  bool captured = false;    ///< another part of the program takes what would go to standard output
  configuration settings;   ///< the rules, options, suppressions and contracts in force
  std::string baseline;     ///< empty = none
  bool update_baseline = false;
  bool show_settings = false;
  unsigned jobs = 1;           ///< never 0
  std::uint64_t max_size = 0;  ///< bytes of text that one input may hold
  std::optional<hlolint::target> target;
  std::optional<std::int32_t> xla_date;  ///< date of the XLA that compiled the modules, as YYYYMMDD
  std::optional<hlolint::severity> fail_on = hlolint::severity::warning;  ///< nothing = never
  std::vector<hlolint::compare::change_kind> fail_on_kinds;               ///< of diff; empty = all
  bool exit_zero = false;
  bool sort_by_file = false;       ///< text: sort findings by position in the files, not by impact
  bool no_group = false;           ///< text: show equal findings one by one
  std::optional<std::size_t> top;  ///< text: most findings to show; nothing = all
  bool statistics = false;
  std::optional<bool> colors;  ///< nothing = colors if the output goes to a terminal
  advise_options advise;
  calibrate_options calibrate;
};

/// The exit statuses of the command.
inline constexpr int exit_clean = 0, exit_findings = 1, exit_error = 2;

/// The files that the command will write; none of them may be an input.
std::vector<std::string> outputs_of(const arguments& given);

/// Reads the command line. Returns the exit status if there is nothing more to do: the help was printed, or an error in
/// the command line was reported on standard error.
std::optional<int> read_arguments(int count, char** words, arguments& out);

}  // namespace hlolint::command
