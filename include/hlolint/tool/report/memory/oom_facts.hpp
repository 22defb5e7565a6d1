// Memory that ran out according to a job's log, as plain values for all reports.
#pragma once

#include <hlolint/tool/job_log/oom_buffers.hpp>
#include <hlolint/tool/job_log/oom_incidents.hpp>
#include <hlolint/tool/job_log/oom_text.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hlolint::report {

/// One of the largest values; texts that the log lacks are empty.
struct oom_value {
  byte_count size = 0;                ///< with padding
  std::optional<byte_count> padding;  ///< of `size`
  std::string kind;                   ///< `parameter`, `HLO temp`
  std::string shape;                  ///< as the log has it
  std::string label;                  ///< XLA's name for it, or what the buffer holds
  std::string op_name;                ///< the operation in the program
  std::string file;                   ///< of the program
  std::int64_t line = 0;              ///< of `file`; 0 = unknown
};

/// One use of memory.
struct oom_part {
  std::string name;                     ///< `HLO temp`, `arguments`
  std::optional<byte_count> size;       ///< nothing: the log has no size
  std::optional<byte_count> unpadded;   ///< without the padding of tiles
  std::optional<byte_count> in_pieces;  ///< lost to fragmentation
};

/// One time that memory ran out. Sizes are only as precise as the log. Regular, and independent of the log.
struct oom_facts {
  std::string message;                        ///< what did not fit, in a sentence
  std::string advice;                         ///< may be empty
  oom_outcome outcome = oom_outcome::failed;  ///< what it means for the job
  oom_phase phase = oom_phase::run;           ///< when it happened
  std::size_t messages = 1;                   ///< how many messages of the log are about it
  std::string memory_space;                   ///< as the log has it; may be empty
  std::string allocating_for;                 ///< the instruction on whose stack there was no room; mostly empty
  std::optional<byte_count> missing;          ///< more than there is
  std::optional<byte_count> needed;           ///< by the program
  std::optional<byte_count> capacity;         ///< of the memory
  std::optional<byte_count> wanted;           ///< by the request that failed
  std::optional<byte_count> free;             ///< at that time
  std::optional<byte_count> largest_free;     ///< in one piece
  std::optional<byte_count> expected;         ///< by the compiler, before
  std::vector<oom_part> parts;                ///< what memory holds
  std::vector<oom_value> values;              ///< the largest first
};

/// The incidents in the order of the log.
inline std::vector<oom_facts> oom_facts_of(const oom_log& log) {
  const auto size = [](const std::optional<printed_size>& from) {
    return from ? std::optional<byte_count>(from->bytes) : std::nullopt;
  };
  std::vector<oom_facts> out;
  for (const oom_incident& incident : incidents_of(log)) {
    const oom_report& r = incident.report;
    oom_facts& to = out.emplace_back();
    to.message = oom_sentence(incident), to.advice = oom_advice(incident);
    to.outcome = r.outcome, to.phase = r.phase, to.messages = incident.messages;
    to.memory_space = r.memory_space, to.allocating_for = r.allocating_for;
    to.missing = incident.missing(), to.needed = size(r.used), to.capacity = size(r.capacity);
    to.wanted = size(r.wanted), to.free = size(r.free), to.largest_free = size(r.largest_free);
    to.expected = size(incident.expected);
    for (const oom_usage& u : r.usage)
      to.parts.push_back({std::string(u.label), size(u.size), size(u.unpadded), size(u.fragmented)});
    for (const oom_buffer* const b : buffers_by_size(r)) {
      oom_value& value = to.values.emplace_back();
      value.size = b->size.bytes, value.padding = size(b->padding);
      value.kind = b->entry_parameter ? "parameter" : std::string(b->allocation_type);
      value.shape = b->shape, value.label = b->label.empty() ? b->tag : b->label;
      const oom_source from = source_of(*b);
      value.op_name = from.op_name, value.file = from.file, value.line = from.line;
    }
  }
  return out;
}

}  // namespace hlolint::report
