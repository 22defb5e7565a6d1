// The section `BufferAssignment:` and the line of totals (buffer_dumps.md 2).
#pragma once

#include <hlolint/grammar/buffer_names.hpp>
#include <hlolint/grammar/shape.hpp>

namespace hlolint::grammar::dump {

/// The shape that is the rest of a line, as its number in the pool. Equal texts are parsed once.
struct shape_line_token : value_part<shape_line_token, std::uint32_t> {
  bool read(const char*& first, const char* last, dump_state& s, std::uint32_t& value) const {
    const char* const end = scan::dump::some_line(first, last);
    if (!end) return false;
    id& known = s.shapes[view(first, end)];
    if (known == none && !read_new(first, end, s, known)) return false;
    value = static_cast<std::uint32_t>(known);
    first = end;
    return true;
  }

 private:
  [[gnu::noinline]] static bool read_new(const char* first, const char* end, dump_state& s, id& known) {
    shape& parsed = s.out.shapes.emplace_back();
    const std::size_t broken = s.broken.size();
    bool whole = parse_with(shape_, first, end, s, parsed) && s.broken.size() == broken;
    if (whole && first != end) {
      s.expected(first, "the end of the line");
      whole = false;
    }
    if (whole)
      known = static_cast<id>(s.out.shapes.size() - 1);
    else
      s.out.shapes.pop_back();
    return whole;
  }
};
inline constexpr shape_line_token shape_line{};

template <class = void>
void keep(dump_state& s, allocation& a, std::string_view text) {
  a.first_value = static_cast<std::uint32_t>(s.out.values.size());
  a.first_recolored = static_cast<std::uint32_t>(s.out.recolored.size());
  a.text = text;
  s.out.allocations.push_back(std::move(a));
  s.out.has_assignment = true;
  s.open_allocation = true;
  keep_unknown_flags(s);
}

/// Whether a value line has an allocation to go to; if not, the first such line is said.
inline bool belongs_to_allocation(dump_state& s, std::string_view text) {
  if (s.open_allocation) return true;
  if (!s.values_dropped) s.report_at(text.data(), "expected an allocation before its values");
  s.values_dropped = true;
  return false;
}
template <class = void>
void keep(dump_state& s, assigned_value& v, std::string_view text) {
  if (!belongs_to_allocation(s, text)) return;
  v.name = std::move(s.draft<value_name>());
  v.allocation = static_cast<std::int64_t>(s.out.allocations.size()) - 1;
  v.text = text;
  s.out.values.push_back(std::move(v));
  ++s.out.allocations.back().value_count;
}
template <class = void>
[[gnu::noinline, gnu::cold]] void keep(dump_state& s, recolored_value& v, std::string_view text) {
  if (!belongs_to_allocation(s, text)) return;
  v.name = std::move(s.draft<value_name>());
  v.text = text;
  s.out.recolored.push_back(std::move(v));
  ++s.out.allocations.back().recolored_count;
}

/// XLA prints every array with its layout. Where the text ends behind one without, the layout is what is missing.
inline void check_end(dump_state& s, const char* where) {
  const shape& last = s.out.shapes[s.draft<assigned_value>().shape];
  if (s.end[-1] != '\n' && where == s.end && last.rank() > 0 && !last.layout) s.cut_off = true;
}
inline void open_assignment(dump_state& s) { s.out.has_assignment = true; }
/// The header of an allocation cannot be read: its values are passed over without another word.
inline void drop_values(dump_state& s) {
  s.open_allocation = false;
  s.values_dropped = true;
}
inline void draft_total(dump_state& s, std::int64_t bytes) { s.total = bytes; }
inline void draft_total_text(dump_state& s, std::string_view text) { s.total_text = text; }
inline void keep_total(dump_state& s) {
  if (s.out.total_bytes_used)
    return s.report_at(s.total_text.data(), "expected one line of totals, and this is the second");
  s.open_allocation = false;
  s.out.total_bytes_used = s.total;
  s.out.total_text = s.total_text;
}

inline constexpr auto allocation_header = record<allocation>(
    "allocation ", must("the number of the allocation")(number(&allocation::number)), must("': size '")(": size "),
    must("a size in bytes")(number(&allocation::size)), flags, must("a flag, or ':' and the end of the line")(":", eol));

inline constexpr auto value_line = record<assigned_value>(
    " value: ", must("a value's name in '<' and '>'")(value_id), must("' (size='")(" (size="),
    must("a size in bytes")(number(&assigned_value::size)), must("',offset='")(",offset="),
    must("an offset in bytes")(number(&assigned_value::offset)), must("'): '")("): "),
    must("a shape")(shape_line(&assigned_value::shape)), eol, here(&check_end));

inline constexpr auto recolored_line = record<recolored_value>(
    "  value: ", must("a value's name in '<' and '>'")(value_id), must("' (color='")(" (color="),
    must("a colour")(number(&recolored_value::color)), must("')' and the end of the line")(")", eol));

inline constexpr auto value_lines =
    many(either(value_line, unreadable(" value:", "' value: <NUMBER NAME> (size=N,offset=N): SHAPE'")));
inline constexpr auto recolored_lines =
    in_order(" reused by buffers of a different color:", eol,
             many(either(recolored_line, unreadable("  value:", "'  value: <NUMBER NAME> (color=N)'"))));
inline constexpr auto bad_header =
    in_order(unreadable("allocation ", "'allocation NUMBER: size BYTES, FLAGS:'"), does(&drop_values));

inline constexpr auto assignment = in_order("BufferAssignment:", eol, does(&open_assignment));
/// An allocation; also the values behind a line that could not be read.
inline constexpr auto allocation_lines =
    in_order(either(allocation_header, in_order(ahead("allocation "), bad_header), ahead(" value:")), value_lines,
             maybe(recolored_lines));

/// `Total bytes used: 2885767252 (2.69GiB)`
inline constexpr auto total_line =
    in_order(text_of(&draft_total_text, "Total bytes used: ", must("a size in bytes")(number(&draft_total)),
                     must("a size in parentheses")(" ("), up_to<')'>, ")"),
             must("the end of the line")(eol));
inline constexpr auto totals = in_order(total_line, does(&keep_total));

}  // namespace hlolint::grammar::dump
