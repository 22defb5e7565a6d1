// The result of reading one file.
#pragma once

#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/diagnostic.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hlolint {

/// The kind of a file, decided by its content.
enum class input_kind : std::uint8_t {
  hlo,                  ///< one or more modules
  buffer_assignment,    ///< `-buffer-assignment.txt`
  buffer_values,        ///< `-buffer-assignment-values.txt`: used values alone
  live_range,           ///< `-live-range.txt`
  memory_usage_report,  ///< `-memory-usage-report.txt`
  thunk_sequence,       ///< `.thunk_sequence.txt`
  buffer_info,          ///< the table of `BufferInfoString`
  oom_report,           ///< a job's log with messages about memory or of the compiler; the tool reads it
  hlo_proto,            ///< `.hlo.pb`, or another protobuf message with a module and perhaps its buffers
  hlo_snapshot,         ///< a protobuf message with a module and its arguments
  memory_usage_proto,   ///< `-memory-usage-report.pb`
  unknown               ///< anything else
};

/// `hlo`, `buffer-assignment` and so on, as reports write it.
constexpr std::string_view name_of(input_kind kind) {
  constexpr std::string_view names[] = {
      "hlo",         "buffer-assignment", "buffer-values", "live-range",   "memory-usage-report", "thunk-sequence",
      "buffer-info", "oom-report",        "hlo-proto",     "hlo-snapshot", "memory-usage-proto",  "unknown"};
  return names[static_cast<std::size_t>(kind)];
}

/// Whether files of this kind hold modules, as text or not.
constexpr bool holds_hlo(input_kind kind) {
  return kind == input_kind::hlo || kind == input_kind::hlo_proto || kind == input_kind::hlo_snapshot;
}

/// How much of the program a text of HLO shows.
enum class hlo_extent : std::uint8_t {
  whole,            ///< modules, as XLA prints them
  with_gaps,        ///< computations with lines left out: a name that is not defined proves nothing
  instruction_list  ///< instructions without the computation around them; unknown operands become parameters
};

/// A part of a text that has several.
struct file_part {
  std::string_view what;  ///< `module`, `fragment`, `memory message` and so on (tool/logs/input_parts.hpp)
  span at;                ///< from its first byte to the end of its last line
  /// 1-based, both inclusive. @{
  std::size_t first_line = 0, last_line = 0;
  /// @}
};

/// Everything that could be read, and a diagnostic with a place (SYN...: error, DMP006: note) for everything else.
struct parsed_file {
  source text;                                 ///< the text, even if nothing could be read
  input_kind kind = input_kind::unknown;       ///< decided by the content
  parse_status status = parse_status::failed;  ///< `partial`: something could not be read
  std::optional<buffer_dump> buffers;          ///< the buffer dump, if the file is or has one
  std::vector<diagnostic> diagnostics;         ///< in text order
  std::vector<file_part> parts;                ///< of a text with several, in order; empty for a dump alone

  /// The modules of the file. Views of a module are valid for as long as a handle on it lives, so a temporary file has
  /// no `modules()`.
  const std::vector<hlo_module>& modules() const& { return modules_; }
  /// The modules of the file, to be changed.
  std::vector<hlo_module>& modules() & { return modules_; }
  const std::vector<hlo_module>& modules() const&& = delete;

 private:
  std::vector<hlo_module> modules_;
};

}  // namespace hlolint
