// The buffers that a report of missing memory lists: where each comes from, and the largest ones.
#pragma once

#include <hlolint/tool/logs/oom_report.hpp>
#include <hlolint/text/integer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint {

/// The place in the program that a buffer of a report comes from, according to its metadata.
struct oom_source {
  /// The framework's name of the operation, and the file it is written in; empty where not known. @{
  std::string op_name, file;
  /// @}
  std::int64_t line = 0;  ///< 1-based; 0 = not known
};

/// A text of a report without the line ends that a terminal put into it. A path or a name that was broken has no blank
/// there; the blanks before the rest of the line are those of the report's indentation.
inline std::string unbroken(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\n' && text[at] != '\r') {
      out += text[at];
      continue;
    }
    while (at + 1 < text.size() && std::string_view(" \t\r\n").find(text[at + 1]) != std::string_view::npos) ++at;
  }
  return out;
}

/// Reads `metadata={...}`, or the members alone, as reports print them.
inline oom_source source_of(std::string_view metadata) {
  const auto quoted = [&](std::string_view member) {
    const std::size_t at = metadata.find(member);
    if (at == std::string_view::npos) return std::string();
    const std::string_view rest = metadata.substr(at + member.size());
    return unbroken(rest.substr(0, rest.find('"')));
  };
  oom_source out{quoted("op_name=\""), quoted("source_file=\"")};
  if (const std::size_t at = metadata.find("source_line="); at != std::string_view::npos)
    out.line = leading_integer(metadata.substr(at + 12)).value_or(0);
  return out;
}
/// The place of a buffer.
inline oom_source source_of(const oom_buffer& buffer) { return source_of(buffer.metadata); }

/// The buffers of a report, the largest first.
inline std::vector<const oom_buffer*> buffers_by_size(const oom_report& report) {
  std::vector<const oom_buffer*> out;
  for (const oom_buffer& b : report.buffers) out.push_back(&b);
  std::stable_sort(out.begin(), out.end(),
                   [](const oom_buffer* a, const oom_buffer* b) { return a->size.bytes > b->size.bytes; });
  return out;
}

}  // namespace hlolint
