// From any text that people have to values: dumps, and logs, posts and tests with dumps or messages of XLA in them.
#pragma once

#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/text/source.hpp>
#include <hlolint/tool/logs/oom_report.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace hlolint {

/// The kind of a text; logs with messages about memory or of the compiler are `oom_report`, and `unknown` is text that
/// XLA does not write.
input_kind kind_of_parts(std::string_view text);

/// Reads all parts of a text: modules and fragments of HLO, dumps of buffers, and messages about memory and of the
/// compiler. A text that is a dump and nothing else is read at once; the others are split first (logs::input_parts),
/// and `parts` lists what was found. Bad text never throws: `diagnostics` tells what could not be read (SYN000 if
/// nothing could), and `modules` or `buffers` hold everything else. What is none of the kinds is counted in one note.
parsed_file parse_parts(source text);

/// Copies the text.
inline parsed_file parse_parts(std::string_view text, std::string path = "<text>") {
  return parse_parts(source(std::string(text), std::move(path)));
}

}  // namespace hlolint

#ifndef HLOLINT_COMPILED
#include <hlolint/tool/logs/parts_reading.hpp>
#endif
