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

[[gnu::noinline, gnu::cold]] inline oom_report& new_report(dump_state& s) {
  if (!s.oom) s.oom = &s.rare_parts().oom;
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
template <class = void>
[[gnu::noinline, gnu::cold]] void keep(dump_state& s, oom_report& r, std::string_view text) {
  r.text = text;
  new_report(s) = std::move(r);
}
template <class = void>
[[gnu::noinline, gnu::cold]] void keep(dump_state& s, oom_usage& u, std::string_view text) {
  u.section = s.oom_section;
  u.text = text;
  oom_of(s).usage.push_back(u);
}
template <class = void>
[[gnu::noinline, gnu::cold]] void keep(dump_state& s, oom_buffer& b, std::string_view text) {
  b.text = text;
  s.oom_section = {};
  s.oom_field = nullptr;
  oom_of(s).buffers.push_back(b);
}

namespace oom {

/// Passes over anything on this line, and the text.
struct anywhere : part<anywhere> {
  std::string_view text;
  constexpr explicit anywhere(std::string_view t) : text(t) {}
  bool take(const char*& first, const char* last, dump_state&) const {
    const std::size_t at = view(first, scan::dump::line(first, last)).find(text);
    if (at == std::string_view::npos) return false;
    first += at + text.size();
    return true;
  }
};

/// `reported(&oom_report::used)`: a size of the last report.
struct reported : part<reported> {
  std::optional<printed_size> oom_report::*member;
  constexpr explicit reported(std::optional<printed_size> oom_report::*m) : member(m) {}
  bool take(const char*& first, const char* last, dump_state& s) const {
    printed_size value;
    if (!size.read(first, last, s, value)) return false;
    (oom_of(s).*member).emplace(value);
    return true;
  }
};

/// `of_buffer(line, &oom_buffer::shape)`: what the token reads goes into the last buffer, if one is open.
template <class Reader, class Member>
struct buffer_field : part<buffer_field<Reader, Member>> {
  Reader reader;
  Member oom_buffer::*member;
  constexpr buffer_field(const Reader& r, Member oom_buffer::*m) : reader(r), member(m) {}
  bool take(const char*& first, const char* last, dump_state& s) const {
    const char* p = first;
    typename Reader::value_type value{};
    if (!reader.read(p, last, s, value)) return false;
    oom_buffer* const buffer = open_buffer(s);
    if (!buffer) return false;
    buffer->*member = value;
    if constexpr (std::is_same_v<Member, std::string_view>) s.oom_field = member;
    first = p;
    return true;
  }
};
template <class Reader, class Member>
constexpr buffer_field<Reader, Member> of_buffer(const Reader& reader, Member oom_buffer::*member) {
  return {reader, member};
}

inline void is_parameter(dump_state& s) {
  if (oom_buffer* const buffer = open_buffer(s)) buffer->entry_parameter = true;
}
inline bool close_buffer(dump_state& s) {
  oom_buffer* const buffer = open_buffer(s);
  if (buffer) buffer->closed = true;
  s.oom_field = nullptr;
  return buffer;
}
/// The text of a field goes on in this line.
inline bool extend_field(dump_state& s, std::string_view text) {
  oom_buffer* const buffer = open_buffer(s);
  if (!buffer || !s.oom_field) return false;
  std::string_view& field = buffer->*s.oom_field;
  field = view(field.data(), text.data() + text.size());
  return true;
}
inline bool in_section(dump_state& s) { return !s.oom_section.empty(); }
inline void open_usage(dump_state& s) { s.oom_section = "usage"; }
inline void open_requirement(dump_state& s) { s.oom_section = "requirement"; }
/// The statistics stand alone or below their own heading.
[[gnu::noinline, gnu::cold]] inline void open_stats(dump_state& s, std::string_view text) {
  const bool below_heading = s.oom && s.oom->reports.back().memory_space.empty() && s.oom->reports.back().usage.empty();
  if (!below_heading) new_report(s).text = text;
  s.oom_section = "stats";
}

inline constexpr token prefix{&scan_log::prefix};
inline constexpr token word{&scan_log::word};
inline constexpr token label{&scan_log::label};

// The heads.
inline constexpr auto ran_out = record<oom_report>(
    anywhere("Ran out of memory in memory space "), word(&oom_report::memory_space),
    maybe(" while allocating on stack for ", some_line(&oom_report::allocating_for)),
    maybe(". Used ", size(&oom_report::used), " of ", size(&oom_report::capacity), " ", word, ". Exceeded ", word,
          " capacity by ", size(&oom_report::exceeded)),
    line, eol);
inline constexpr auto scoped =
    in_order(anywhere("Scoped allocation with size "), reported(&oom_report::used), " and limit ",
             reported(&oom_report::capacity), " exceeded scoped ", word, " limit by ", reported(&oom_report::exceeded));
inline constexpr auto debugging = record<oom_report>(anywhere("BufferAssignment OOM Debugging."), line, eol);
inline constexpr auto stats = text_of(&open_stats, anywhere("BufferAssignment stats:"));
inline constexpr auto total_usage =
    in_order("Total ", word, " usage >= ", reported(&oom_report::total_usage), does(&open_usage));
inline constexpr auto requirement =
    in_order("Program ", word, " requirement ", reported(&oom_report::program_requirement), does(&open_requirement));
inline constexpr auto output = in_order("Output size ", reported(&oom_report::output),
                                        maybe("; shares ", reported(&oom_report::output_shared)));

// `HLO temp  41.19G (24.2% utilization: Unpadded (9.96G) Padded (41.10G), 0.7% fragmentation (293.84M))`
inline constexpr auto shares =
    in_order(" (",
             maybe(decimal(&oom_usage::utilization), "% utilization",
                   maybe(": Unpadded (", size(&oom_usage::unpadded), ") Padded (", size(&oom_usage::padded), ")"),
                   maybe(", ")),
             maybe(decimal(&oom_usage::fragmentation), "%",
                   maybe(" fragmentation (", size(&oom_usage::fragmented), ")")),
             ")");
inline constexpr auto usage_row =
    record<oom_usage>(does(&in_section), label(&oom_usage::label), maybe(":"), " ", blanks,
                      either(size(&oom_usage::size), "unknown size"), maybe(shares));

// A buffer, and the fields below it.
inline constexpr auto buffer =
    either(record<oom_buffer>(number(&oom_buffer::number), ". Size: ", must("a size with a unit")(size(&oom_buffer::size))),
           record<oom_buffer>("Buffer ", number(&oom_buffer::number), ":"));
inline constexpr auto field = either(
    in_order("Size: ", must("a size with a unit")(of_buffer(size, &oom_buffer::size))),
    in_order("Operator: ", of_buffer(line, &oom_buffer::metadata)),
    in_order("Entry Parameter Subshape: ", of_buffer(line, &oom_buffer::shape), does(&is_parameter)),
    in_order("Shape: ", of_buffer(line, &oom_buffer::shape)),
    in_order("Unpadded size: ", must("a size with a unit")(of_buffer(size, &oom_buffer::unpadded))),
    in_order("Extra memory due to padding: ", must("a size with a unit")(of_buffer(size, &oom_buffer::padding)),
             maybe(" (", of_buffer(decimal, &oom_buffer::expansion), "x expansion)")),
    in_order(either("XLA label: ", "XLA Label: "), of_buffer(line, &oom_buffer::label)),
    in_order("Allocation type: ", of_buffer(line, &oom_buffer::allocation_type)),
    in_order("Tag: ", of_buffer(line, &oom_buffer::tag)), in_order("====", does(&close_buffer)));

inline constexpr auto bad_size = in_order(
    ahead(blanks, either(in_order(number, ". Size: "), "Size: ", "Unpadded size: ", "Extra memory due to padding: ")),
    unreadable(" ", "a size with a unit"));
inline constexpr auto report_line =
    either(ran_out, debugging, in_order(either(scoped, stats), line, eol),
           in_order(prefix, either(in_order(blanks, either(total_usage, requirement, output, usage_row, buffer, field),
                                            line, eol),
                                   bad_size)));

/// A log with reports in it.
inline constexpr auto log = many(either(report_line, in_order(some_line(&extend_field), eol), in_order(some_line, eol), blank_line));

}  // namespace oom

}  // namespace hlolint::grammar::dump
