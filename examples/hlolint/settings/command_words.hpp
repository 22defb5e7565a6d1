// The subcommands of the command line with their options, as values: for completions, and for the tools of `hlolint
// mcp`.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace hlolint::command {

/// An option or a positional argument.
struct option_words {
  std::vector<std::string> names;    ///< with dashes; none = a positional argument
  std::string help;                  ///< what it does
  std::string value;                 ///< the placeholder of its value in the help; a positional argument's name
  bool takes_value = false;          ///< false for a flag
  std::vector<std::string> choices;  ///< all values; none = any, probably a file
  bool required = false;             ///< whether the command needs it
  bool repeats = false;              ///< whether it may be given several times
};

/// The words that may follow a subcommand, or the name of the command.
struct command_words {
  std::string name;  ///< of the subcommand; empty = the command itself
  std::string help;
  std::vector<option_words> options;
  std::vector<option_words> positional;
};

/// The command itself comes first. A subcommand with fallthrough takes the command's options, too. `rules`: the ids.
std::vector<command_words> words_of(const CLI::App& app, const std::vector<std::string>& rules);

}  // namespace hlolint::command
