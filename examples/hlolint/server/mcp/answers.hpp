// Answers of tools: a report within a number of bytes, as text and as values.
#pragma once

#include "../../commands/excerpt.hpp"
#include "../rpc/message.hpp"

#include <string>

namespace hlolint::command::server {

/// Bytes of an answer, as the client receives it.
inline constexpr std::size_t most_answer_bytes = 8192;

/// A report of a command.
struct report_of_run {
  int status = 0;
  output report;       ///< null if the command wrote none
  std::string errors;  ///< its error messages
};

/// The result of `tools/call`. An excerpt of the report as structured content, the same as text, and whether it is an
/// error. Throws `wrong_cursor`.
output answer_of(const report_of_run& run, const excerpt_options& wanted);

/// The result of a call that could not be made.
output refused_call(const std::string& why);

/// The values of a report as lines for people: members one beside the other, entries of lists one below the other.
std::string plain_text(const output& report);

}  // namespace hlolint::command::server
