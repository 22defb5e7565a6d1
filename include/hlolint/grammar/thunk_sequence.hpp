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
  if (!s.thunks) s.thunks = std::make_shared<hlolint::thunk_sequence>();
  return *s.thunks;
}
inline void keep(dump_state& s, thunk& t, std::string_view text) {
  if (t.indent == 0) s.thunk_body = {};
  t.body = s.thunk_body;
  t.first_slice = static_cast<std::uint32_t>(thunks_of(s).slices.size());
  t.text = text;
  thunks_of(s).thunks.push_back(t);
}
inline void keep(dump_state& s, buffer_slice& slice, std::string_view text) {
  slice.text = text;
  thunks_of(s).slices.push_back(slice);
  ++thunks_of(s).thunks.back().slice_count;
}

inline constexpr auto keep_indent = [](auto& c) {
  dump_of(c).template draft<thunk>().indent = static_cast<std::int64_t>(x3::_attr(c).size());
};
inline constexpr auto keep_body = [](auto& c) { dump_of(c).thunk_body = x3::_attr(c); };
inline constexpr auto open_sequence = [](auto& c) { thunks_of(dump_of(c)); };
inline constexpr auto has_thunks = [](auto& c) {
  x3::_pass(c) = dump_of(c).thunks && !dump_of(c).thunks->thunks.empty();
};

/// `{index:3, offset:256, size:64}`
inline constexpr auto slice = record<buffer_slice>[
    "{index:"_t >> signed_number[into<&buffer_slice::allocation>] >> ", offset:"_t >>
    signed_number[into<&buffer_slice::offset>] >> ", size:"_t >> signed_number[into<&buffer_slice::size>] >> "}"_t];
/// The slices of a line, in the free text around them.
inline constexpr auto slices = *(token<scan_thunk::up_to_slice>{} >> (slice | "{"_t)) >> line >> ended;

/// `[prev=002 (1) | next=sink]`
inline constexpr auto neighbours = "["_t >> (blanks >> "prev="_t >> number[into<&thunk::previous>] |
                                             blanks >> "source"_t | blanks >> "prev="_t >> name) >>
                                   -up_to<'|'> >> "|"_t >> (blanks >> "next="_t >> number[into<&thunk::next>] |
                                                            blanks >> "sink"_t | blanks >> "next="_t >> name) >>
                                   -up_to<']'> >> "]"_t;

/// `007: kCopy [prev=006 (1) | next=sink] ...`, or `kCopy`, blanks and a tab; the buffers are read from the same line.
inline constexpr auto thunk_line =
    &record<thunk>[blanks[keep_indent] >> -(number[into<&thunk::number>] >> ":"_t >> blanks) >>
                   token<scan_thunk::kind>{}[into<&thunk::kind>] >> blanks >> -(neighbours >> blanks) >>
                   line[into<&thunk::description>] >> ended];
/// A sequence of thunks prints its first one on its own line.
inline constexpr auto outer_thunk = record<thunk>[
    blanks[keep_indent] >> &token<scan_thunk::column>{} >> token<scan_thunk::kind>{}[into<&thunk::kind>] >>
    token<scan_thunk::padding>{} >> &(blanks >> token<scan_thunk::column>{})];
inline constexpr auto no_thunks = blanks >> "No thunks."_t >> eol >> x3::eps[open_sequence];
inline constexpr auto label_line = blanks >> token<scan_thunk::label>{}[keep_body] >> ":"_t >> eol;
inline constexpr auto continuation_line = x3::eps[has_thunks] >> token<scan_thunk::continuation>{} >> slices;

inline constexpr auto thunk_lines =
    +(outer_thunk >> thunk_line >> slices | thunk_line >> slices | no_thunks | label_line | continuation_line |
      blank_line | unreadable("", "'KIND DESCRIPTION' or 'NUMBER: KIND DESCRIPTION' of a thunk"));

}  // namespace hlolint::grammar::dump
