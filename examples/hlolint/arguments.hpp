// The command line as values.
#pragma once

#include "checks.hpp"
#include "configuration.hpp"
#include "device_choice.hpp"

#include <hlolint/analysis/measured/measured_module.hpp>
#include <hlolint/compare/change_tolerance.hpp>
#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/lint/settings.hpp>
#include <hlolint/report/memory/memory_options.hpp>
#include <hlolint/report/show/show_options.hpp>
#include <hlolint/report/time/time_options.hpp>
#include <hlolint/text/diagnostic.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

/// What the command was asked to do.
enum class task { lint, parse, print, memory, time, query, diff, ranks, digest, rules, explain, completions, advise,
                  calibrate, show };

/// How findings are written.
enum class output_format { text, concise, json, jsonl, sarif, github, gitlab, junit, markdown, html };

/// What `hlolint query` is asked.
struct query_options {
  std::string text;        ///< the query
  std::string explain;     ///< name or place of an instruction; empty = list what matches
  bool count = false;      ///< only how many match
  bool first = false;      ///< stop at the first one
  bool by_source = false;  ///< how many match for each line of the program
};

/// What `hlolint advise` is asked.
struct advise_options {
  std::string folder;                     ///< where edited modules are written; empty = nowhere
  hlolint::byte_count target = 0;         ///< bytes at which it is enough; 0 = as little as possible
  bool for_time = false;                  ///< hide transfers; else save memory
  double most_time = 0.03;                ///< share of a step that all edits together may cost
  double most_memory = 0.05;              ///< share of the need by which it may grow for time
  bool recomputes = true;
  std::size_t most_evaluations = 20'000;  ///< of orders
};

/// What `hlolint calibrate` fits to.
struct calibrate_options {
  std::string measured;  ///< the time of a step, such as 167ms; empty = profiles
  std::string fit;       ///< the only parameter to fit; empty = all, or the network's rate
};

/// What the words after the command's name give, and where they give nothing what the configuration does.
struct arguments {
  const command_checks* checks = &built_in_checks();  ///< that there are; never null
  std::map<std::string, hlolint::parsed_file> at_hand;  ///< dumps by the paths that stand for them; nothing is read
  task what = task::lint;
  hlolint::record_list<std::string> paths;
  hlolint::record_list<std::string> profiles;  ///< that were named with --profile
  /// What was measured: modules by their time, and the profiles. Filled by `take_profiles`. @{
  hlolint::record_list<std::shared_ptr<const hlolint::measured_module>> measured;
  std::shared_ptr<const hlolint::record_list<hlolint::profile_host>> measured_hosts;
  /// @}
  bool companions = true;  ///< read the other dumps of the files' modules too
  std::string rule;  ///< to explain
  std::string rank_name;     ///< of the rank that a digest is made of; empty = found out
  bool each_folder = false;  ///< a digest of the folders in the paths, each a rank
  std::string completions;  ///< the script to print
  hlolint::optional<bool> long_form;  ///< to print in; nothing = the form that was read
  hlolint::report::memory_options memory;
  hlolint::report::time_options time;
  hlolint::report::show_options show;
  query_options query;
  bool test_rules = false;        ///< run the examples beside the rules of the configuration
  device_choice device;
  std::string before, after;      ///< to compare: files or folders
  hlolint::compare::change_tolerance tolerance{0.001, hlolint::byte_count{64} << 10};
  bool verify = false;            ///< compare a dump with what follows from the HLO
  bool time_trace = false;        ///< of `time`: Trace Event JSON
  bool json = false;   ///< what is not about findings is text or JSON
  output_format format = output_format::text;
  std::string output;  ///< empty = standard output
  bool captured = false;  ///< what goes to standard output otherwise goes to another part of the program
  configuration settings;  ///< rules, options, suppressions, contracts: what is in force
  std::string baseline;           ///< empty = none
  bool update_baseline = false;
  bool show_settings = false;
  unsigned jobs = 1;              ///< never 0
  std::uint64_t max_size = 0;     ///< bytes of text that one input may hold
  hlolint::optional<hlolint::target> target;
  hlolint::optional<std::int32_t> xla_date;  ///< of the XLA that compiled the modules, as year, month, day
  hlolint::optional<hlolint::severity> fail_on = hlolint::severity::warning;  ///< nothing = never
  bool exit_zero = false;
  bool sort_by_file = false;      ///< findings in text: as they stand in the files, not by impact
  bool no_group = false;          ///< nor equal ones as one
  hlolint::optional<std::size_t> top;  ///< how many of them; nothing = all
  bool statistics = false;
  hlolint::optional<bool> colors;  ///< nothing = if what is written goes to a terminal
  advise_options advise;
  calibrate_options calibrate;
};

/// The exit statuses of the command.
inline constexpr int exit_clean = 0, exit_findings = 1, exit_error = 2;

/// The files that are to be written; none of them may be an input.
hlolint::record_list<std::string> outputs_of(const arguments& given);

/// Reads the command line. Returns the exit status if there is nothing more to do: help was wanted and printed, or
/// something is wrong with the words, and that was reported on standard error.
hlolint::optional<int> read_arguments(int count, char** words, arguments& out);
