// What XLA says when a program does not fit into memory (buffer_dumps.md 7): the TPU compiler's report and the
// statistics of the open compilers.
#pragma once

#include <hlolint/ir/printed_size.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hlolint {

/// What part of memory holds: `HLO temp  41.19G (24.2% utilization, 0.7% fragmentation (293.84M))`.
struct oom_usage {
  std::string_view section;            ///< `usage` and `requirement` (TPU), `stats`
  std::string_view label;              ///< `HLO temp`, `preallocated temp allocation`
  std::optional<printed_size> size;    ///< absent: "unknown size"
  std::optional<double> utilization;   ///< in percent
  std::optional<printed_size> unpadded;
  std::optional<printed_size> padded;
  std::optional<double> fragmentation; ///< in percent
  std::optional<printed_size> fragmented;
  std::string_view text;
};

/// One of the biggest buffers. Texts are as written; the long ones may run over lines.
struct oom_buffer {
  std::int64_t number = 0;
  printed_size size;
  std::string_view metadata;           ///< behind `Operator:`
  std::string_view shape;              ///< with a layout on TPU only
  bool entry_parameter = false;
  std::optional<printed_size> unpadded;
  std::optional<printed_size> padding; ///< lost to padding
  std::optional<double> expansion;     ///< padded / unpadded
  std::string_view label;              ///< an instruction (TPU) or an opcode
  std::string_view allocation_type;    ///< `HLO temp`, `scoped`
  std::string_view tag;                ///< `Tag:`, of scoped allocations
  bool closed = false;                 ///< its line of `=` was there
  std::string_view text;               ///< the first line
};

/// One report; a log may hold several.
struct oom_report {
  std::string_view memory_space;       ///< `hbm`, `vmem`; empty for the statistics
  std::string_view allocating_for;     ///< the instruction on whose stack there was no room
  std::optional<printed_size> used;
  std::optional<printed_size> capacity;
  std::optional<printed_size> exceeded;
  std::optional<printed_size> total_usage;
  std::optional<printed_size> program_requirement;
  std::optional<printed_size> output;
  std::optional<printed_size> output_shared;
  std::vector<oom_usage> usage;
  std::vector<oom_buffer> buffers;
  std::string_view text;               ///< the first line
};

/// The reports of one file, in text order.
struct oom_log {
  std::vector<oom_report> reports;
};

}  // namespace hlolint
