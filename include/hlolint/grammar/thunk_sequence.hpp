// The thunk sequence of a GPU executable (buffer_dumps.md 7).
#pragma once

#include <hlolint/grammar/buffer_directives.hpp>

namespace hlolint::grammar::dump {

namespace scan_thunk {

/// `kKernel`
constexpr const char* kind(const char* p, const char* last) {
  if (last - p < 2 || *p != 'k' || p[1] < 'A' || p[1] > 'Z') return nullptr;
  return scan::identifier(p, last);
}
/// Blanks up to a tab, and the tab.
constexpr const char* padding(const char* p, const char* last) {
  while (p != last && *p == ' ') ++p;
  return p != last && *p == '\t' ? p + 1 : nullptr;
}
/// `kSequential   \t`: a kind in its column.
constexpr const char* column(const char* p, const char* last) {
  p = kind(p, last);
  return p ? padding(p, last) : nullptr;
}
/// Free text up to the next slice of a buffer; may be empty. Null if no slice follows on this line.
constexpr const char* up_to_slice(const char* p, const char* last) {
  const char* const end = scan::dump::line(p, last);
  for (; (p = scan::find(p, end, '{')) != nullptr; ++p)
    if (std::string_view(p, static_cast<std::size_t>(end - p)).starts_with("{index:")) return p;
  return nullptr;
}
/// A line that ends in a colon: the name of a body.
constexpr const char* label(const char* p, const char* last) {
  const char* const end = scan::dump::line(p, last);
  return end - p > 1 && end[-1] == ':' ? end - 1 : nullptr;
}
/// A line that is set in: the description goes on.
constexpr const char* continuation(const char* p, const char* last) {
  const char* const text = scan::dump::blanks(p, last);
  return text == p || scan::dump::end_of_line(text, last) ? nullptr : text;
}

}  // namespace scan_thunk

inline hlolint::thunk_sequence& thunks_of(dump_state& s) {
  if (!s.thunks) s.thunks = &s.rare_parts().thunks;
  return *s.thunks;
}
template <class = void>
[[gnu::noinline, gnu::cold]] void keep(dump_state& s, thunk& t, std::string_view text) {
  if (t.indent == 0) s.thunk_body = {};
  t.body = s.thunk_body;
  t.first_slice = static_cast<std::uint32_t>(thunks_of(s).slices.size());
  t.text = text;
  thunks_of(s).thunks.push_back(t);
}
template <class = void>
[[gnu::noinline, gnu::cold]] void keep(dump_state& s, buffer_slice& slice, std::string_view text) {
  slice.text = text;
  thunks_of(s).slices.push_back(slice);
  ++thunks_of(s).thunks.back().slice_count;
}

inline void keep_indent(dump_state& s, std::string_view blank) {
  s.draft<thunk>().indent = static_cast<std::int64_t>(blank.size());
}
inline void keep_body(dump_state& s, std::string_view text) { s.thunk_body = text; }
inline void open_sequence(dump_state& s) { thunks_of(s); }
inline bool has_thunks(dump_state& s) { return s.thunks && !s.thunks->thunks.empty(); }

/// `{index:3, offset:256, size:64}`
inline constexpr auto slice = record<buffer_slice>(
    "{index:", signed_number(&buffer_slice::allocation), ", offset:", signed_number(&buffer_slice::offset),
    ", size:", signed_number(&buffer_slice::size), "}");
/// The slices of a line, in the free text around them.
inline constexpr auto slices = in_order(many(token(&scan_thunk::up_to_slice), either(slice, "{")), line, ended);

/// `[prev=002 (1) | next=sink]`
inline constexpr auto neighbours =
    in_order("[", blanks, either(in_order("prev=", number(&thunk::previous)), "source", in_order("prev=", name)),
             maybe(up_to<'|'>), "|", blanks, either(in_order("next=", number(&thunk::next)), "sink", in_order("next=", name)),
             maybe(up_to<']'>), "]");

inline constexpr token kind{&scan_thunk::kind};
inline constexpr token column{&scan_thunk::column};
/// `007: kCopy [prev=006 (1) | next=sink] ...`, or `kCopy`, blanks and a tab; the buffers are read from the same line.
inline constexpr auto thunk_line =
    ahead(record<thunk>(blanks(&keep_indent), maybe(number(&thunk::number), ":", blanks), kind(&thunk::kind), blanks,
                        maybe(neighbours, blanks), line(&thunk::description), ended));
/// A sequence of thunks prints its first one on its own line.
inline constexpr auto outer_thunk = record<thunk>(blanks(&keep_indent), ahead(column), kind(&thunk::kind),
                                                  token(&scan_thunk::padding), ahead(blanks, column));
inline constexpr auto no_thunks = in_order(blanks, "No thunks.", eol, does(&open_sequence));
inline constexpr auto label_line = in_order(blanks, token(&scan_thunk::label)(&keep_body), ":", eol);
inline constexpr auto continuation_line = in_order(does(&has_thunks), token(&scan_thunk::continuation), slices);

inline constexpr auto thunk_lines =
    some(either(in_order(outer_thunk, thunk_line, slices), in_order(thunk_line, slices), no_thunks, label_line,
                continuation_line, blank_line,
                unreadable("", "'KIND DESCRIPTION' or 'NUMBER: KIND DESCRIPTION' of a thunk")));

}  // namespace hlolint::grammar::dump
