// What XLA writes when a program does not fit into memory: the reports of the TPU compiler and run time, of the open
// compilers and of their allocators, one for each message in a job's log.
#pragma once

#include <hlolint/ir/printed_size.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace hlolint {

/// What part of memory holds: `HLO temp  41.19G (24.2% utilization, 0.7% fragmentation (293.84M))`.
struct oom_usage {
  std::string_view section;            ///< `usage` and `requirement` (TPU), `stats`, `allocator`
  std::string_view label;              ///< `HLO temp`, `preallocated temp allocation`
  optional<printed_size> size;         ///< absent: "unknown size"
  optional<double> utilization;        ///< in percent
  optional<printed_size> unpadded;     ///< without the padding of tiles
  optional<printed_size> padded;       ///< with the padding of tiles
  optional<double> fragmentation;      ///< in percent
  optional<printed_size> fragmented;   ///< bytes lost to fragmentation
  std::string_view text;  ///< the line
};

/// One of the biggest buffers. Texts are as written; the long ones may run over lines.
struct oom_buffer {
  std::int64_t number = 0;             ///< 0: not printed
  printed_size size;  ///< as it lies in memory, with padding
  std::string_view metadata;           ///< after `Operator:`
  std::string_view shape;              ///< with a layout on TPU only
  bool entry_parameter = false;  ///< an argument of the program
  optional<printed_size> unpadded;     ///< without the padding of tiles
  optional<printed_size> padding;      ///< lost to padding
  optional<double> expansion;          ///< padded / unpadded
  std::string_view label;              ///< an instruction (TPU) or an opcode
  std::string_view allocation_type;    ///< `HLO temp`, `scoped`
  std::string_view tag;                ///< `Tag:`, of scoped allocations
  bool closed = false;                 ///< its line of `=` was there
  std::string_view text;               ///< the first line
};

/// When memory ran out.
enum class oom_phase : std::uint8_t { compile, load, run };

/// As reports print it.
constexpr std::string_view name_of(oom_phase phase) {
  return phase == oom_phase::compile ? "compile" : phase == oom_phase::load ? "load" : "run";
}

/// What a message means for the job.
enum class oom_outcome : std::uint8_t {
  failed,    ///< memory ran out
  retried,   ///< it did, and the run time makes room or goes on with less; another message shows if that failed
  hint       ///< the compiler only expects it
};

/// As reports print it.
constexpr std::string_view name_of(oom_outcome outcome) {
  return outcome == oom_outcome::failed ? "failed" : outcome == oom_outcome::retried ? "retried" : "hint";
}

/// One message with all that belongs to it; a log may hold several.
struct oom_report {
  oom_phase phase = oom_phase::run;  ///< when it happened
  oom_outcome outcome = oom_outcome::failed;  ///< what became of it
  bool vague = false;                  ///< in words that are not known: only `text` is read
  std::string_view process;            ///< what the log calls its writer: `worker pid=7`, `rank3`; may be empty
  std::string_view memory_space;       ///< `hbm`, `vmem`, `host`; empty: the memory of the device
  std::string_view allocating_for;     ///< the instruction on whose stack there was no room
  std::string_view allocator;          ///< `GPU_0_bfc`
  std::string_view device;             ///< `0`, `0x0x0_HBM0`
  std::string_view program;            ///< that could not be loaded
  optional<printed_size> used;         ///< by all that has to be there at once
  optional<printed_size> capacity;     ///< what the device has
  optional<printed_size> exceeded;     ///< by how much it does not fit
  optional<printed_size> wanted;       ///< by the one allocation that failed
  optional<printed_size> free;         ///< free bytes of the device, then
  optional<printed_size> largest_free;         ///< in one piece
  optional<printed_size> reservable;           ///< of the free bytes, for a program's temporaries
  optional<printed_size> in_use;               ///< at that moment
  optional<printed_size> total_usage;          ///< `Total hbm usage >= ...`
  optional<printed_size> program_requirement;  ///< `Program hbm requirement ...`
  optional<printed_size> output;               ///< `Output size ...`
  optional<printed_size> output_shared;        ///< of the output, what shares the bytes of arguments
  record_list<oom_usage> usage;  ///< the summary, line by line
  record_list<oom_buffer> buffers;  ///< the largest ones, as listed
  std::string_view text;               ///< the first line
};

/// The reports of one file, in text order. `text` of reports, usages and buffers points into the file; all other texts
/// point into `bare_text`: the same without what loggers, launchers and terminals put around lines.
struct oom_log {
  record_list<oom_report> reports;  ///< in text order
  std::shared_ptr<const std::string> bare_text;  ///< keeps those texts alive
};

}  // namespace hlolint
