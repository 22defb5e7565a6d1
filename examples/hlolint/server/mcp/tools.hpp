// The tools of `hlolint mcp`: which subcommands they run, and how their arguments become words of a command line.
#pragma once

#include "../../settings/command_words.hpp"
#include "../rpc/message.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::command::server {

/// An argument of a tool.
struct tool_argument {
  /// The JSON type of its values.
  enum class type : std::uint8_t { flag, number, text, texts };

  std::string name;                  ///< of the member
  std::string option;                ///< `--top`; empty for a positional argument
  std::string help;                  ///< what it does
  type is = type::text;              ///< what its values are
  std::vector<std::string> choices;  ///< all values; none = any
  bool required = false;             ///< whether the tool needs it
  bool is_path = false;              ///< whether it names files or folders
};

/// A tool.
struct tool {
  std::string name, title, description;
  std::string main_list;                 ///< the member of the report that answers the question
  bool has_top = false;                  ///< whether the subcommand limits its own lists
  std::vector<tool_argument> arguments;  ///< positional ones first, in order

  /// As `tools/list` describes it.
  output described() const;
  /// A text of the command for a client that has arguments instead of options: `--per-node` becomes `per_node`.
  std::string with_argument_names(std::string text) const;
};

/// Whether a device is a file that describes it, and no preset.
bool is_device_file(const std::string& device);

/// The tools that these subcommands make.
std::vector<tool> tools_of(const std::vector<command_words>& commands);

/// The words of a command line for the arguments of a call, without what limits the answer.
struct tool_words {
  std::vector<std::string> words;
  std::vector<std::string> paths;  ///< that the call names; those among the words are the same
};
/// Throws a `std::string`, what is wrong with the arguments. `resolve` turns a named path into one to read.
tool_words words_for(const tool& asked, const input& arguments,
                     const std::function<std::string(const std::string&)>& resolve);

}  // namespace hlolint::command::server
