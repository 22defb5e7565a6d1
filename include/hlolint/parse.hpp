// From text to values, whatever kind of dump it is. Include parse_hlo.hpp, parse_buffers.hpp or parse_log.hpp to pay
// for one of them. All are templates, so that a grammar is compiled where something is parsed and not where this is
// included.
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

/// Reads a dump, its kind decided by its content. Bad text never throws: what cannot be read is in `diagnostics`
/// (SYN000 if nothing can), everything else in `modules` or `buffers`.
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
/// The same for a literal or a C string.
template <class = void>
parsed_file parse(const char* text, std::string path = "<text>") {
  return parse(source(std::string(text), std::move(path)));
}

/// Copies nothing: the caller keeps the text alive as long as anything made from it.
template <class = void>
parsed_file parse(std::string_view text, borrow_t, std::string path = "<text>") {
  return parse(source(text, std::move(path), borrow));
}
/// A temporary text would be gone at once.
template <std::same_as<std::string> Text>
parsed_file parse(Text&&, borrow_t, std::string = {}) = delete;

}  // namespace hlolint
