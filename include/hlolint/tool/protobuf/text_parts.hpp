// Small pieces of the text that XLA prints: names, strings, numbers, lists.
#pragma once

#include <hlolint/grammar/hlo/bracket_scan.hpp>
#include <hlolint/grammar/x3/scan.hpp>
#include <hlolint/text/escape.hpp>
#include <hlolint/text/str_cat.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::protobuf {

inline void put(std::string& out, std::int64_t number) { append_to(out, {number}); }

/// Calls `put_one(item)` for each item, and writes a text between the items.
template <class Items, class Put>
void put_each(std::string& out, const Items& items, std::string_view between, Put&& put_one) {
  bool first = true;
  for (const auto& item : items) {
    if (!first) out += between;
    first = false;
    put_one(item);
  }
}
/// `1,2`
inline void put(std::string& out, const std::vector<std::int64_t>& numbers) {
  put_each(out, numbers, ",", [&](std::int64_t n) { put(out, n); });
}
/// `{1,2}`
inline void put_list(std::string& out, const std::vector<std::int64_t>& numbers) {
  out += '{';
  put(out, numbers);
  out += '}';
}

/// A name, in which bytes that no name has become `_`, as in XLA.
inline void put_name(std::string& out, std::string_view name) {
  const std::size_t begin = out.size();
  out += name;
  for (std::size_t i = begin; i < out.size(); ++i)
    if (!scan::is(scan::name_bytes, out[i])) out[i] = '_';
}

/// The inside of a string, escaped as in XLA.
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
/// A dictionary unchanged, any other text as a string (protobuf_dumps.md 8.5).
inline void put_dictionary_or_quoted(std::string& out, std::string_view text) {
  const char* const last = text.data() + text.size();
  if (!text.empty() && scan::dictionary(text.data(), last) == last)
    out += text;
  else
    put_quoted(out, text);
}

/// The separator before item `i` of a list in which XLA writes a comment before every fifth item.
inline void put_separator(std::string& out, std::size_t i) {
  if (i == 0) return;
  out += ", ";
  if (i % 5 == 0) append_to(out, {"/*index=", i, "*/"});
}

}  // namespace hlolint::protobuf
