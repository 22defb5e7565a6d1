// From text to values, for all kinds of dumps. Include parse_hlo.hpp, parse_buffers.hpp or parse_log.hpp to compile
// only one of the grammars. All functions are templates, so that a grammar is compiled where something is parsed and
// not where this header is included.
#pragma once

#include <hlolint/grammar/input_kind.hpp>
#include <hlolint/ir/text/value_text.hpp>
#include <hlolint/parse_buffers.hpp>
#include <hlolint/parse_hlo.hpp>
#include <hlolint/parse_log.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint {

/// Reads a dump, whose kind its content decides. Bad text never throws: `diagnostics` tells what could not be read
/// (SYN000 if nothing could), and `modules` or `buffers` hold everything else.
template <class = void>
parsed_file parse(source text) {
  const input_kind kind = kind_of(text.text());
  if (kind == input_kind::hlo) return parse_hlo(std::move(text));
  if (kind == input_kind::oom_report) return parse_log(std::move(text));
  return parse_buffers(std::move(text));
}

/// Takes the text over.
template <class = void>
parsed_file parse(std::string text, std::string path = "<text>") {
  return parse(source(std::move(text), std::move(path)));
}

/// Copies the text.
template <class = void>
parsed_file parse(std::string_view text, std::string path = "<text>") {
  return parse(source(std::string(text), std::move(path)));
}
/// Copies a literal or a C string.
template <class = void>
parsed_file parse(const char* text, std::string path = "<text>") {
  return parse(source(std::string(text), std::move(path)));
}

/// Copies nothing: the caller keeps the text alive for as long as anything made from it lives.
template <class = void>
parsed_file parse(std::string_view text, borrow_t, std::string path = "<text>") {
  return parse(source(text, std::move(path), borrow));
}
/// A temporary text cannot be borrowed.
template <std::same_as<std::string> Text>
parsed_file parse(Text&&, borrow_t, std::string = {}) = delete;

}  // namespace hlolint
