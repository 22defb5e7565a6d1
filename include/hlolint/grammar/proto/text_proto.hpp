// A small reader of protocol buffers in text form, such as `..._gpu_target_config.pbtxt` beside GPU dumps.
// Its rules are in text_proto_rules.hpp.
#pragma once

#include <hlolint/grammar/proto/proto_scan.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <string_view>

namespace hlolint {

/// A field: `name: value`, or `name { ... }`, whose fields follow one level deeper.
struct text_proto_field {
  std::string_view name;   ///< as written
  std::string_view value;  ///< as written, a string without its quotes; empty for a message
  int depth = 0;           ///< how many messages it is in
  friend bool operator==(const text_proto_field&, const text_proto_field&) = default;
};

/// Whether a text is a protocol buffer in text form, judged by its first three lines: all of them are fields, and no line
/// begins with `HloModule` or `ENTRY` (buffer_dumps.md 1.3). Comments and blank lines do not count. One line decides
/// only if it is a field with a number or a string: `body {` may begin a computation, and `Error: heap` is prose.
constexpr bool is_text_proto(std::string_view text) {
  constexpr int lines_that_decide = 3;
  int lines = 0, opened = 0;
  bool tells = false;  // a field with a number or a string
  for (std::size_t at = 0; at < text.size() && lines < lines_that_decide;) {
    std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) end = text.size();
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos || line[begin] == '#') continue;
    if (!scan::proto_line(line)) return false;
    ++lines;
    const char end_of_line = line[line.find_last_not_of(" \t\r,;")];
    if (end_of_line == '{' || end_of_line == '<') ++opened;
    if (end_of_line == '"' || end_of_line == '\'' || (end_of_line >= '0' && end_of_line <= '9')) tells = true;
  }
  if (!tells && opened < 2 && lines < lines_that_decide) return false;
  for (const std::string_view word : {"HloModule", "ENTRY"})
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + word.size())) {
      std::size_t begin = at;
      while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
      const std::size_t end = at + word.size();
      if ((begin == 0 || text[begin - 1] == '\n') &&
          (end == text.size() || !scan::is(scan::name_bytes, text[end])))
        return false;
    }
  return true;
}

namespace grammar::proto {
struct message_state;
}

/// All fields in text order; nothing if the text is not a message. Does not know lists in brackets. The template
/// parameter stands for the grammar, so that only a caller that reads a message compiles it.
template <class State = grammar::proto::message_state>
optional<record_list<text_proto_field>> read_text_proto(std::string_view text);

}  // namespace hlolint

#ifndef HLOLINT_COMPILED
#include <hlolint/grammar/proto/text_proto_rules.hpp>
#endif
