// The kind of a text dump, judged by its content alone.
#pragma once

#include <hlolint/grammar/buffers/kind_scan.hpp>
#include <hlolint/grammar/proto/proto_scan.hpp>
#include <hlolint/ir/parsed_file.hpp>

#include <cstddef>
#include <string_view>

namespace hlolint {

/// Whether HLO begins at the first token of a text.
inline bool begins_like_hlo(std::string_view text) {
  const char* const last = text.data() + text.size();
  return scan::kind::hlo(scan::kind::preamble(text.data(), last), last);
}

/// The kind of a dump by its first token; `unknown` for other texts.
inline input_kind kind_by_beginning(std::string_view text) {
  if (is_text_proto(text)) return input_kind::unknown;
  const char* const last = text.data() + text.size();
  const char* const head = scan::kind::preamble(text.data(), last);
  const std::string_view rest(head, static_cast<std::size_t>(last - head));
  if (rest.empty()) return input_kind::unknown;
  if (const input_kind kind = scan::kind::section(rest); kind != input_kind::unknown) return kind;
  if (rest.front() == '<' && rest.size() > 1 && scan::is(scan::digit_bytes, rest[1]) &&
      rest.find("\n positions:") != rest.npos)
    return input_kind::buffer_values;
  if (scan::kind::thunk(head, last)) return input_kind::thunk_sequence;
  if (scan::lines::unavailable(head, last)) return input_kind::live_range;
  const bool binary = rest.substr(0, 4096).find('\0') != rest.npos;
  return !binary && scan::kind::hlo(head, last) ? input_kind::hlo : input_kind::unknown;
}

/// The kind of a dump by marks on later lines: its first lines may be damaged.
inline input_kind kind_by_later_lines(std::string_view text) {
  for (const std::string_view mark :
       {"\nBufferAssignment:", "\nTotal bytes used: ", "\nUsed values:", "\nHloLiveRange (max ",
        "\nMemory Space: ", "\nAllocations sorted by size", "\nbuffer_id,buffer_name,"})
    if (const std::size_t at = text.find(mark); at != text.npos) return scan::kind::section(text.substr(at + 1));
  return text.find("\nENTRY ") != text.npos ? input_kind::hlo : input_kind::unknown;
}

/// The kind of a text dump; `unknown` for text that XLA does not write. Logs with dumps in them have a kind for the
/// tool alone (`kind_of_parts`).
inline input_kind kind_of(std::string_view text) {
  if (const input_kind kind = kind_by_beginning(text); kind != input_kind::unknown) return kind;
  if (is_text_proto(text) || text.substr(0, 4096).find('\0') != text.npos) return input_kind::unknown;
  return text.find("\nHloModule ") != text.npos ? input_kind::hlo : kind_by_later_lines(text);
}

}  // namespace hlolint
