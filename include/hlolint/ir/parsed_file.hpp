// What came out of reading one file.
#pragma once

#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/diagnostic.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hlolint {

/// What a file is, by its content.
enum class input_kind : std::uint8_t {
  hlo, buffer_assignment, buffer_values, live_range, memory_usage_report, thunk_sequence, buffer_info, oom_report, unknown
};

constexpr std::string_view name_of(input_kind kind) {
  constexpr std::string_view names[] = {"hlo",          "buffer-assignment", "buffer-values",
                                        "live-range",   "memory-usage-report", "thunk-sequence",
                                        "buffer-info",  "oom-report",        "unknown"};
  return names[static_cast<std::size_t>(kind)];
}

/// Everything that could be read, and a located diagnostic (SYN...: error, DMP006: note) for everything that could not.
struct parsed_file {
  source text;
  input_kind kind = input_kind::unknown;
  parse_status status = parse_status::failed;
  std::vector<hlo_module> modules;     ///< several if the file holds several
  std::optional<buffer_dump> buffers;
  std::vector<diagnostic> diagnostics;  ///< in text order
};

}  // namespace hlolint
