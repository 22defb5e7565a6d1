// The reports of XLA about programs that do not fit into memory, from the TPU compiler and run time, the open compilers
// and their allocators. There is one for each message in a job's log.
#pragma once

#include <hlolint/ir/printed_size.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint {

/// The use of one part of memory: `HLO temp  41.19G (24.2% utilization, 0.7% fragmentation (293.84M))`.
struct oom_usage {
  std::string_view label;                  ///< `HLO temp`, `preallocated temp allocation`
  std::optional<printed_size> size;        ///< nothing for "unknown size"
  std::optional<double> utilization;       ///< in percent
  std::optional<printed_size> unpadded;    ///< without the padding of tiles
  std::optional<printed_size> padded;      ///< with the padding of tiles
  std::optional<printed_size> fragmented;  ///< bytes lost to fragmentation
  std::string_view text;                   ///< the line
};

/// One of the largest buffers. Texts are as written; long ones may run over several lines.
struct oom_buffer {
  printed_size size;                     ///< as it lies in memory, with padding
  std::string_view metadata;             ///< the text after `Operator:`
  std::string_view shape;                ///< on TPU with a layout
  bool entry_parameter = false;          ///< an argument of the program
  std::optional<printed_size> unpadded;  ///< without the padding of tiles
  std::optional<printed_size> padding;   ///< lost to padding
  std::string_view label;                ///< an instruction (TPU) or an opcode
  std::string_view allocation_type;      ///< `HLO temp`, `scoped`
  std::string_view tag;                  ///< `Tag:`, of scoped allocations
  bool closed = false;                   ///< the line of `=` after it is there
  std::string_view text;                 ///< the first line
};

/// When memory ran out.
enum class oom_phase : std::uint8_t { compile, load, run };

/// `compile`, `load` or `run`, as reports print it.
constexpr std::string_view name_of(oom_phase phase) {
  return phase == oom_phase::compile ? "compile" : phase == oom_phase::load ? "load" : "run";
}

/// What a message means for the job.
enum class oom_outcome : std::uint8_t {
  failed,   ///< memory ran out
  retried,  ///< memory ran out, and the run time makes room or goes on with less; another message shows a failure
  hint      ///< the compiler only expects that memory will run out
};

/// `failed`, `retried` or `hint`, as reports print it.
constexpr std::string_view name_of(oom_outcome outcome) {
  return outcome == oom_outcome::failed ? "failed" : outcome == oom_outcome::retried ? "retried" : "hint";
}

/// A message with all lists that belong to it. A log may have several.
struct oom_report {
  oom_phase phase = oom_phase::run;           ///< when memory ran out
  oom_outcome outcome = oom_outcome::failed;  ///< what the message means for the job
  bool vague = false;                         ///< the words of the message are not known, so that only `text` is read
  bool without_head = false;         ///< the message above the lists is missing; `text` is the first line of the lists
  std::string_view process;          ///< the log's name for the writer: `worker pid=7`, `rank3`; may be empty
  std::string_view memory_space;     ///< `hbm`, `vmem`, `host`; empty: the memory of the device
  std::string_view allocating_for;   ///< the instruction whose stack did not fit
  std::string_view allocator;        ///< `GPU_0_bfc`
  std::optional<printed_size> used;  ///< needed by all that has to be in memory at once
  std::optional<printed_size> capacity;             ///< the size of the memory
  std::optional<printed_size> exceeded;             ///< how much too large it is
  std::optional<printed_size> wanted;               ///< the size of the allocation that failed
  std::optional<printed_size> free;                 ///< free bytes of the device at that time
  std::optional<printed_size> largest_free;         ///< the largest free bytes in one piece
  std::optional<printed_size> reservable;           ///< the free bytes that can be reserved for temporaries
  std::optional<printed_size> in_use;               ///< the bytes in use at that time
  std::optional<printed_size> total_usage;          ///< `Total hbm usage >= ...`
  std::optional<printed_size> program_requirement;  ///< `Program hbm requirement ...`
  std::vector<oom_usage> usage;                     ///< the summary, line by line
  std::vector<oom_buffer> buffers;                  ///< the largest buffers, as listed
  std::string_view text;                            ///< the first line
};

/// The reports of one file. The `text` of reports, usages and buffers is a view into the file. All other texts are
/// views into `bare_text`, which is the file without the text that loggers, launchers and terminals put around lines.
struct oom_log {
  std::vector<oom_report> reports;               ///< in text order
  std::shared_ptr<const std::string> bare_text;  ///< keeps the texts alive
};

}  // namespace hlolint
