// Defines `kind_of` of input_kind.hpp.
#pragma once

#include <hlolint/grammar/buffers/kind_scan.hpp>
#include <hlolint/grammar/input_kind.hpp>
#include <hlolint/grammar/logs/hlo_in_log.hpp>
#include <hlolint/grammar/logs/sentences.hpp>
#include <hlolint/grammar/proto/text_proto.hpp>
#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/text/encoding.hpp>

#include <string_view>

namespace hlolint {

/// Whether HLO begins at the first token of a text.
inline bool begins_like_hlo(std::string_view text) {
  const char* const last = text.data() + text.size();
  return scan::kind::hlo(scan::kind::preamble(text.data(), last), last);
}

template <class Log>
input_kind kind_of(std::string_view text) {
  const char* const last = text.data() + text.size();
  const char* const head = scan::kind::preamble(text.data(), last);
  const std::string_view rest(head, static_cast<std::size_t>(last - head));

  // The section of a buffer dump that a line begins, or unknown.
  const auto section = [](std::string_view line) {
    if (line.starts_with("BufferAssignment:") || line.starts_with("allocation ")) return input_kind::buffer_assignment;
    if (line.starts_with("Used values:")) return input_kind::buffer_values;
    if (line.starts_with("HloLiveRange (max ") || line.starts_with("Stack trace breakdown for peak usage: ") ||
        line.starts_with("InstructionSequence:") || line.starts_with("BufferLiveRange:"))
      return input_kind::live_range;
    if (line.starts_with("Memory Space: ") || line.starts_with("Allocations sorted by size") ||
        line.starts_with("cumulative_size;"))
      return input_kind::memory_usage_report;
    if (line.starts_with("buffer_id,buffer_name,")) return input_kind::buffer_info;
    if (line.starts_with("Total bytes used: ")) {
      const std::size_t end = line.find('\n');
      const std::size_t next = end == line.npos ? end : line.find_first_not_of(" \t\r\n", end);
      return next != line.npos && line.substr(next).starts_with("Allocations sorted by size")
                 ? input_kind::memory_usage_report
                 : input_kind::buffer_values;
    }
    return input_kind::unknown;
  };

  if (is_text_proto(text)) return input_kind::unknown;
  // A title in Markdown looks like a comment, so all of the text can be preamble.
  if (rest.empty()) return logs::mentions_memory(text) ? input_kind::oom_report : input_kind::unknown;
  if (const input_kind kind = section(rest); kind != input_kind::unknown) return kind;
  if (rest.front() == '<' && rest.size() > 1 && scan::is(scan::digit_bytes, rest[1]) &&
      rest.find("\n positions:") != rest.npos)
    return input_kind::buffer_values;
  if (scan::kind::thunk(head, last)) return input_kind::thunk_sequence;
  if (scan::lines::unavailable(head, last)) return input_kind::live_range;

  const bool binary = rest.substr(0, 4096).find('\0') != rest.npos;
  if (!binary && scan::kind::hlo(head, last)) return input_kind::hlo;

  // Marks on later lines: reports stand in logs, and the first lines of a dump may be damaged.
  if (logs::holds_any(
          text, {"Ran out of memory in memory space ", "BufferAssignment OOM Debugging.", "BufferAssignment stats:"}))
    return input_kind::oom_report;
  if (binary) return input_kind::unknown;
  if (Log(text).holds_module()) return input_kind::hlo;
  for (const std::string_view mark :
       {"\nBufferAssignment:", "\nTotal bytes used: ", "\nUsed values:", "\nHloLiveRange (max ",
        "\nMemory Space: ", "\nAllocations sorted by size", "\nbuffer_id,buffer_name,"})
    if (const std::size_t at = text.find(mark); at != text.npos) return section(text.substr(at + 1));
  if (text.find("\nENTRY ") != text.npos) return input_kind::hlo;
  if (logs::mentions_memory(text)) return input_kind::oom_report;
  return input_kind::unknown;
}

}  // namespace hlolint
