// Out-of-memory reports (buffer_dumps.md 7). They come inside logs, so lines may have prefixes, and lines that say
// something else are passed over.
#pragma once

#include <hlolint/grammar/buffer_directives.hpp>

namespace hlolint::grammar::dump {

namespace scan_log {

/// `ESC[36m`, also where the escape itself was lost. Never null.
constexpr const char* colors(const char* p, const char* last) {
  for (;;) {
    const char* end = p != last && *p == '\x1b' ? p + 1 : p;
    if (end == last || *end != '[') return p;
    for (++end; end != last && (scan::is(scan::digit_bytes, *end) || *end == ';'); ++end) {}
    if (end == last || *end != 'm') return p;
    p = end + 1;
  }
}
/// What a logging library puts before a line: `(worker pid=7) `, `W0102 03:04:05.6 7 file.cc:8] `. Never null.
constexpr const char* prefix(const char* p, const char* last) {
  p = colors(p, last);
  const char* const end = scan::dump::line(p, std::min(last, p + std::min<std::ptrdiff_t>(last - p, 200)));
  std::string_view text(p, static_cast<std::size_t>(end - p));
  if (text.starts_with('(') && text.find("pid=") != text.npos && text.find(')') != text.npos) {
    p = colors(p + text.find(')') + 1, end);
    if (p != end && *p == ' ') ++p;
    text = {p, static_cast<std::size_t>(end - p)};
  }
  for (std::size_t at = text.find(']'); at != text.npos; at = text.find(']', at + 1)) {
    std::size_t colon = at;
    while (colon > 0 && scan::is(scan::digit_bytes, text[colon - 1])) --colon;
    if (colon < at && colon > 0 && text[colon - 1] == ':')
      return p + at + (at + 1 < text.size() && text[at + 1] == ' ' ? 2 : 1);
  }
  return p;
}
/// Anything on this line before `Text`; may be empty.
template <characters Text>
constexpr const char* up_to_text(const char* p, const char* last) {
  const char* const end = scan::dump::line(p, last);
  const std::size_t at = std::string_view(p, static_cast<std::size_t>(end - p)).find(Text.view());
  return at == std::string_view::npos ? nullptr : p + at;
}
/// `hbm`: no full stop.
constexpr const char* word(const char* p, const char* last) {
  const char* const first = p;
  for (; p != last && scan::is(scan::name_bytes, *p) && *p != '.'; ++p) {}
  return p == first ? nullptr : p;
}
/// `HLO temp`: words with single blanks, up to a colon or two blanks.
constexpr const char* label(const char* p, const char* last) {
  const char* const first = p;
  while (const char* const end = word(p, last)) {
    p = end;
    if (last - p < 2 || *p != ' ' || p[1] == ' ') return p;
    ++p;
  }
  return p == first ? nullptr : p - 1;
}
static_assert(scan::taken(prefix, "(w pid=1, ip=10.0.0.1) E0102 03:04:05.6 7 x.cc:8] a") ==
              "(w pid=1, ip=10.0.0.1) E0102 03:04:05.6 7 x.cc:8] ");
static_assert(scan::taken(prefix, "[2m[36m(w pid=489)[0m     reserved").size() == 22 &&
              scan::taken(prefix, "    a [b]").empty());
static_assert(scan::taken(label, "HLO temp   1.0G") == "HLO temp" && scan::taken(label, "reserved  1") == "reserved");

}  // namespace scan_log

inline oom_report& new_report(dump_state& s) {
  if (!s.oom) s.oom = std::make_shared<oom_log>();
  s.oom_section = {};
  s.oom_field = nullptr;
  return s.oom->reports.emplace_back();
}
inline oom_report& oom_of(dump_state& s) { return s.oom ? s.oom->reports.back() : new_report(s); }
inline oom_buffer* open_buffer(dump_state& s) {
  if (!s.oom || s.oom->reports.back().buffers.empty()) return nullptr;
  oom_buffer& last = s.oom->reports.back().buffers.back();
  return last.closed ? nullptr : &last;
}
inline void keep(dump_state& s, oom_report& r, std::string_view text) {
  r.text = text;
  new_report(s) = std::move(r);
}
inline void keep(dump_state& s, oom_usage& u, std::string_view text) {
  u.section = s.oom_section;
  u.text = text;
  oom_of(s).usage.push_back(u);
}
inline void keep(dump_state& s, oom_buffer& b, std::string_view text) {
  b.text = text;
  s.oom_section = {};
  s.oom_field = nullptr;
  oom_of(s).buffers.push_back(b);
}

namespace oom {

template <auto Member>
inline constexpr auto report_is = [](auto& c) { oom_of(dump_of(c)).*Member = x3::_attr(c); };
/// Puts an attribute into the last buffer, if one is open.
template <auto Member>
inline constexpr auto buffer_is = [](auto& c) {
  dump_state& s = dump_of(c);
  oom_buffer* const buffer = open_buffer(s);
  x3::_pass(c) = buffer != nullptr;
  if (!buffer) return;
  buffer->*Member = x3::_attr(c);
  if constexpr (std::is_same_v<decltype(Member), std::string_view oom_buffer::*>) s.oom_field = Member;
};
inline constexpr auto is_parameter = [](auto& c) {
  if (oom_buffer* const buffer = open_buffer(dump_of(c))) buffer->entry_parameter = true;
};
inline constexpr auto close_buffer = [](auto& c) {
  oom_buffer* const buffer = open_buffer(dump_of(c));
  x3::_pass(c) = buffer != nullptr;
  if (buffer) buffer->closed = true;
  dump_of(c).oom_field = nullptr;
};
/// The text of a field goes on in this line.
inline constexpr auto extend_field = [](auto& c) {
  dump_state& s = dump_of(c);
  oom_buffer* const buffer = open_buffer(s);
  x3::_pass(c) = buffer && s.oom_field;
  if (!x3::_pass(c)) return;
  std::string_view& field = buffer->*s.oom_field;
  field = view(field.data(), x3::_attr(c).data() + x3::_attr(c).size());
};
inline constexpr auto in_section = [](auto& c) { x3::_pass(c) = !dump_of(c).oom_section.empty(); };
inline constexpr auto open_usage = [](auto& c) { dump_of(c).oom_section = "usage"; };
inline constexpr auto open_requirement = [](auto& c) { dump_of(c).oom_section = "requirement"; };
/// The statistics stand alone or below their own heading.
inline constexpr auto open_stats = [](auto& c) {
  dump_state& s = dump_of(c);
  const bool below_heading = s.oom && s.oom->reports.back().memory_space.empty() && s.oom->reports.back().usage.empty();
  if (!below_heading) new_report(s).text = x3::_attr(c);
  s.oom_section = "stats";
};

inline constexpr auto prefix = token<scan_log::prefix>{};
inline constexpr auto word = token<scan_log::word>{};
inline constexpr auto label = token<scan_log::label>{}[into<&oom_usage::label>];
template <characters Text>
inline constexpr auto anywhere = token<scan_log::up_to_text<Text>>{} >> fixed<Text>{};

// The heads.
inline constexpr auto ran_out =
    record<oom_report>[anywhere<"Ran out of memory in memory space "> >> word[into<&oom_report::memory_space>] >>
                       -(" while allocating on stack for "_t >> some_line[into<&oom_report::allocating_for>]) >>
                       -(". Used "_t >> size[into<&oom_report::used>] >> " of "_t >>
                         size[into<&oom_report::capacity>] >> " "_t >> word >> ". Exceeded "_t >> word >>
                         " capacity by "_t >> size[into<&oom_report::exceeded>]) >>
                       line >> eol];
inline constexpr auto scoped = anywhere<"Scoped allocation with size "> >> size[report_is<&oom_report::used>] >>
                               " and limit "_t >> size[report_is<&oom_report::capacity>] >> " exceeded scoped "_t >>
                               word >> " limit by "_t >> size[report_is<&oom_report::exceeded>];
inline constexpr auto debugging = record<oom_report>[anywhere<"BufferAssignment OOM Debugging."> >> line >> eol];
inline constexpr auto stats = text_at[anywhere<"BufferAssignment stats:">][open_stats];
inline constexpr auto total_usage =
    "Total "_t >> word >> " usage >= "_t >> size[report_is<&oom_report::total_usage>] >> x3::eps[open_usage];
inline constexpr auto requirement = "Program "_t >> word >> " requirement "_t >>
                                    size[report_is<&oom_report::program_requirement>] >> x3::eps[open_requirement];
inline constexpr auto output = "Output size "_t >> size[report_is<&oom_report::output>] >>
                               -("; shares "_t >> size[report_is<&oom_report::output_shared>]);

// `HLO temp  41.19G (24.2% utilization: Unpadded (9.96G) Padded (41.10G), 0.7% fragmentation (293.84M))`
inline constexpr auto shares = " ("_t >> -(decimal[into<&oom_usage::utilization>] >> "% utilization"_t >>
                                           -(": Unpadded ("_t >> size[into<&oom_usage::unpadded>] >> ") Padded ("_t >>
                                             size[into<&oom_usage::padded>] >> ")"_t) >>
                                           -", "_t) >>
                               -(decimal[into<&oom_usage::fragmentation>] >> "%"_t >>
                                 -(" fragmentation ("_t >> size[into<&oom_usage::fragmented>] >> ")"_t)) >>
                               ")"_t;
inline constexpr auto usage_row =
    record<oom_usage>[x3::eps[in_section] >> label >> -":"_t >> " "_t >> blanks >>
                      (size[into<&oom_usage::size>] | "unknown size"_t) >> -shares];

// A buffer, and the fields below it.
inline constexpr auto buffer = record<oom_buffer>[number[into<&oom_buffer::number>] >> ". Size: "_t >>
                                                  must("a size with a unit")[size[into<&oom_buffer::size>]]] |
                               record<oom_buffer>["Buffer "_t >> number[into<&oom_buffer::number>] >> ":"_t];
inline constexpr auto field =
    "Size: "_t >> must("a size with a unit")[size[buffer_is<&oom_buffer::size>]] |
    "Operator: "_t >> line[buffer_is<&oom_buffer::metadata>] |
    "Entry Parameter Subshape: "_t >> line[buffer_is<&oom_buffer::shape>] >> x3::eps[is_parameter] |
    "Shape: "_t >> line[buffer_is<&oom_buffer::shape>] |
    "Unpadded size: "_t >> must("a size with a unit")[size[buffer_is<&oom_buffer::unpadded>]] |
    "Extra memory due to padding: "_t >> must("a size with a unit")[size[buffer_is<&oom_buffer::padding>]] >>
        -(" ("_t >> decimal[buffer_is<&oom_buffer::expansion>] >> "x expansion)"_t) |
    ("XLA label: "_t | "XLA Label: "_t) >> line[buffer_is<&oom_buffer::label>] |
    "Allocation type: "_t >> line[buffer_is<&oom_buffer::allocation_type>] |
    "Tag: "_t >> line[buffer_is<&oom_buffer::tag>] | "===="_t >> x3::eps[close_buffer];

inline constexpr auto bad_size =
    &(blanks >> (number >> ". Size: "_t | "Size: "_t | "Unpadded size: "_t | "Extra memory due to padding: "_t)) >>
    unreadable(" ", "a size with a unit");
inline constexpr auto report_line =
    ran_out | debugging | (scoped | stats) >> line >> eol |
    prefix >> (blanks >> (total_usage | requirement | output | usage_row | buffer | field) >> line >> eol | bad_size);

/// A log with reports in it.
inline constexpr auto log = *(report_line | some_line[extend_field] >> eol | some_line >> eol | blank_line);

}  // namespace oom

}  // namespace hlolint::grammar::dump
