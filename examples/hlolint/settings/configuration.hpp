// The configuration file, .hlolint.toml, as values.
#pragma once

#include <hlolint/checks/module_contract.hpp>
#include <hlolint/lint/accept/suppression.hpp>
#include <hlolint/lint/settings.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/source.hpp>

#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::command {

/// `RULE.option=value`
struct option_setting {
  std::string rule;
  std::string option;
  std::string value;
};

/// A rule of the configuration: `[[rule]]`.
struct written_rule {
  std::string id, name;  ///< without a name in the file, it is made from the id
  std::string match;     ///< a query
  std::string message;   ///< with properties in braces
  std::string level;     ///< note, warning or error; empty: warning
  std::string what, why, advice;
  std::string fires, silent;                     ///< for tests: HLO with a finding, HLO without
  hlolint::span match_place{}, message_place{};  ///< their first lines in the file
};

/// The content of a file; a key that the file leaves out has no value.
struct configuration {
  std::string path;  ///< empty = there is no file
  hlolint::rule_choice choice;
  std::vector<option_setting> options;
  std::vector<hlolint::suppression> suppressions;
  std::vector<hlolint::module_contract> contracts;
  hlolint::source text;  ///< text of the file
  std::vector<written_rule> rules;
  std::vector<hlolint::span> suppression_places, contract_places,
      rule_places;  ///< the first line of each rule
  std::optional<std::string> fail_on, target, xla_date, device, format, baseline;
  std::optional<unsigned> jobs;
  std::optional<hlolint::byte_count> max_size;  ///< bytes of text that one input may hold
};

/// The configuration, and the errors in the file, one line each: `path:line:column: error: ...`.
struct loaded_configuration {
  configuration content;
  std::vector<std::string> errors;
};

/// Reads the value of `--max-size` or its key; nothing if it is not a number of bytes from 1 to 4 GiB.
std::optional<hlolint::byte_count> read_max_size(std::string_view text);
inline constexpr const char* expected_max_size = "a number of bytes up to 4GiB, such as \"512MiB\"";
inline constexpr hlolint::byte_count default_max_size = hlolint::byte_count{1} << 30;

/// Path of the nearest .hlolint.toml in the working directory or above it; empty if there is none.
std::string find_configuration();
/// The nearest .hlolint.toml in a folder or above it; empty if there is none.
std::string find_configuration(const std::string& folder);

/// Reads the file. Unknown keys and values of a wrong type are errors.
loaded_configuration load_configuration(const std::string& path);
/// The same from a text, whose path is that of the file.
loaded_configuration read_configuration(const hlolint::source& text);

/// Writes the configuration as a file that explains every key.
void write_configuration(std::ostream& out, const configuration& settings);

}  // namespace hlolint::command
