// From text to values, for all kinds of dumps. Include parse_hlo.hpp or parse_buffers.hpp to compile only one of the
// grammars; programs that link hlolint::compiled, or include implementation.hpp once, compile neither.
#pragma once

#include <hlolint/grammar/input_kind.hpp>
#include <hlolint/ir/text/value_text.hpp>
#include <hlolint/parse_buffers.hpp>
#include <hlolint/parse_hlo.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint {

/// Reads a text dump of any kind: modules of HLO, or a dump of buffers. Bad text never throws: `diagnostics` tells what
/// could not be read (SYN000 if nothing could), and `modules` or `buffers` hold everything else. Dumps in the log of a
/// job or in a post are found by `parse_parts` of the tool (tool/parse_parts.hpp).
inline parsed_file parse(source text) {
  return kind_of(text.text()) == input_kind::hlo ? parse_hlo(std::move(text)) : parse_buffers(std::move(text));
}

/// Takes the text over.
inline parsed_file parse(std::string text, std::string path = "<text>") {
  return parse(source(std::move(text), std::move(path)));
}

/// Copies the text.
inline parsed_file parse(std::string_view text, std::string path = "<text>") {
  return parse(source(std::string(text), std::move(path)));
}
/// Copies a literal or a C string.
inline parsed_file parse(const char* text, std::string path = "<text>") {
  return parse(source(std::string(text), std::move(path)));
}

/// Copies nothing: the caller keeps the text alive for as long as anything made from it lives.
inline parsed_file parse(std::string_view text, borrow_t, std::string path = "<text>") {
  return parse(source(text, std::move(path), borrow));
}
/// A temporary text cannot be borrowed.
template <std::same_as<std::string> Text>
parsed_file parse(Text&&, borrow_t, std::string = {}) = delete;

}  // namespace hlolint
