// The configuration file, .hlolint.toml, as values.
#pragma once

#include <hlolint/checks/module_contract.hpp>
#include <hlolint/lint/accept/suppression.hpp>
#include <hlolint/lint/settings.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/record_list.hpp>
#include <hlolint/text/source.hpp>

#include <optional>
#include <ostream>
#include <string>
#include <string_view>

/// `RULE.option=value`
struct option_setting {
  std::string rule;
  std::string option;
  std::string value;
};

/// A rule of the configuration: `[[rule]]`.
struct written_rule {
  std::string id, name;      ///< the name is made of the id if it is not written
  std::string match;         ///< a query
  std::string message;       ///< with properties in braces
  std::string level;         ///< note, warning or error; empty: warning
  std::string what, why, advice;
  std::string fires, silent; ///< HLO that the rule finds something in, and HLO in which it finds nothing; for tests
};

/// The content of a file; members without a value were not written.
struct configuration {
  std::string path;  ///< empty = there is no file
  hlolint::rule_choice choice;
  hlolint::record_list<option_setting> options;
  hlolint::record_list<hlolint::suppression> suppressions;
  hlolint::record_list<hlolint::module_contract> contracts;
  hlolint::source text;  ///< of the file
  hlolint::record_list<written_rule> rules;
  hlolint::record_list<hlolint::span> suppression_places, contract_places,
      rule_places;  ///< their first lines in it, one each
  hlolint::optional<std::string> fail_on, target, xla_date, device, format, baseline;
  hlolint::optional<unsigned> jobs;
  hlolint::optional<hlolint::byte_count> max_size;  ///< bytes of text that one input may hold
};

/// The configuration and, one line each, what is wrong with the file: `path:line:column: error: ...`.
struct loaded_configuration {
  configuration content;
  hlolint::record_list<std::string> errors;
};

/// `--max-size` and its key: nothing if it is not a number of bytes from 1 to 4 GiB.
hlolint::optional<hlolint::byte_count> read_max_size(std::string_view text);
inline constexpr const char* expected_max_size = "a number of bytes up to 4GiB, such as \"512MiB\"";
inline constexpr hlolint::byte_count default_max_size = hlolint::byte_count{1} << 30;

/// The nearest .hlolint.toml in the working directory or above it; empty if there is none.
std::string find_configuration();

/// Unknown keys and values of a wrong type are errors.
loaded_configuration load_configuration(const std::string& path);

/// Writes a file of the same content, every key with its meaning.
void write_configuration(std::ostream& out, const configuration& settings);
