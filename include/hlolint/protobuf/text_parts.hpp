// Small pieces of the text that XLA prints: names, strings, numbers, lists.
#pragma once

#include <hlolint/grammar/hlo/bracket_scan.hpp>
#include <hlolint/grammar/x3/scan.hpp>
#include <hlolint/text/escape.hpp>
#include <hlolint/text/record_list.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hlolint::protobuf {

inline void put(std::string& out, std::int64_t number) {
  char digits[24];
  out.append(digits, static_cast<std::size_t>(std::to_chars(digits, digits + sizeof digits, number).ptr - digits));
}

/// Numbers with something between them.
inline void put(std::string& out, const record_list<std::int64_t>& numbers, char between = ',') {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i) out += between;
    put(out, numbers[i]);
  }
}
/// `{1,2}`
inline void put_list(std::string& out, const record_list<std::int64_t>& numbers) {
  out += '{';
  put(out, numbers);
  out += '}';
}

/// A name, or what XLA would make of it: bytes that no name has become `_`.
inline void put_name(std::string& out, std::string_view name) {
  const std::size_t begin = out.size();
  out += name;
  for (std::size_t i = begin; i < out.size(); ++i)
    if (!scan::is(scan::name_bytes, out[i])) out[i] = '_';
}

/// The inside of a string, escaped as XLA does it.
inline void put_escaped(std::string& out, std::string_view text) {
  for (const char c : text)
    if (c < 0x20 || c == 0x7F || c == '"' || c == '\'' || c == '\\') return void(out += escape(text));
  out += text;
}
inline void put_quoted(std::string& out, std::string_view text) {
  out += '"';
  put_escaped(out, text);
  out += '"';
}
/// A dictionary as it is, anything else as a string (protobuf_dumps.md 8.5).
inline void put_dictionary_or_quoted(std::string& out, std::string_view text) {
  const char* const last = text.data() + text.size();
  if (!text.empty() && scan::dictionary(text.data(), last) == last) out += text;
  else put_quoted(out, text);
}

/// Before item `i` of a list whose every fifth item has a comment.
inline void put_separator(std::string& out, std::size_t i) {
  if (i == 0) return;
  out += ", ";
  if (i % 5 != 0) return;
  out += "/*index=";
  put(out, static_cast<std::int64_t>(i));
  out += "*/";
}

}  // namespace hlolint::protobuf
