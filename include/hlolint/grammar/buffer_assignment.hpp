// The section `BufferAssignment:` and the line of totals (buffer_dumps.md 2).
#pragma once

#include <hlolint/grammar/buffer_names.hpp>
#include <hlolint/grammar/shape.hpp>

namespace hlolint::grammar::dump {

/// The shape that is the rest of a line, as its number in the pool. Equal texts are parsed once.
struct shape_line_parser : x3::parser<shape_line_parser> {
  using attribute_type = std::uint32_t;
  static constexpr bool has_attribute = true, handles_container = false;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext&,
             Attribute& attribute) const {
    const char* const end = scan::dump::some_line(first, last);
    if (!end) return false;
    dump_state& s = dump_of(context);
    id& known = s.shapes[view(first, end)];
    if (known == none) {
      shape parsed;
      const char* p = first;
      const std::size_t broken = s.broken.size();
      if (!shape_.parse(p, end, context, x3::unused, parsed) || s.broken.size() != broken) return false;
      if (p != end) {
        s.expected(p, "the end of the line");
        return false;
      }
      known = static_cast<id>(s.out.shapes.size());
      s.out.shapes.push_back(std::move(parsed));
    }
    assign(static_cast<std::uint32_t>(known), attribute);
    first = end;
    return true;
  }
};
inline constexpr shape_line_parser shape_line{};

inline void keep(dump_state& s, allocation& a, std::string_view text) {
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
inline void keep(dump_state& s, assigned_value& v, std::string_view text) {
  if (!belongs_to_allocation(s, text)) return;
  v.name = std::move(s.draft<value_name>());
  v.allocation = static_cast<std::int64_t>(s.out.allocations.size()) - 1;
  v.text = text;
  s.out.values.push_back(std::move(v));
  ++s.out.allocations.back().value_count;
}
inline void keep(dump_state& s, recolored_value& v, std::string_view text) {
  if (!belongs_to_allocation(s, text)) return;
  v.name = std::move(s.draft<value_name>());
  v.text = text;
  s.out.recolored.push_back(std::move(v));
  ++s.out.allocations.back().recolored_count;
}

/// XLA prints every array with its layout. Where the text ends behind one without, the layout is what is missing.
inline constexpr auto check_end = [](auto& c) {
  dump_state& s = dump_of(c);
  const shape& last = s.out.shapes[s.draft<assigned_value>().shape];
  if (s.end[-1] != '\n' && x3::_where(c).begin() == s.end && last.rank() > 0 && !last.layout) s.cut_off = true;
};
inline constexpr auto open_assignment = [](auto& c) { dump_of(c).out.has_assignment = true; };
/// The header of an allocation cannot be read: its values are passed over without another word.
inline constexpr auto drop_values = [](auto& c) {
  dump_of(c).open_allocation = false;
  dump_of(c).values_dropped = true;
};
inline constexpr auto keep_total = [](auto& c) {
  dump_state& s = dump_of(c);
  if (s.out.total_bytes_used)
    return s.report_at(s.total_text.data(), "expected one line of totals, and this is the second");
  s.open_allocation = false;
  s.out.total_bytes_used = s.total;
  s.out.total_text = s.total_text;
};
inline constexpr auto draft_total = [](auto& c) { dump_of(c).total = x3::_attr(c); };
inline constexpr auto draft_total_text = [](auto& c) { dump_of(c).total_text = x3::_attr(c); };

inline constexpr auto allocation_header = record<allocation>[
    "allocation "_t >> must("the number of the allocation")[number[into<&allocation::number>]] >>
    must("': size '")[": size "_t] >> must("a size in bytes")[number[into<&allocation::size>]] >> flags >>
    must("a flag, or ':' and the end of the line")[":"_t >> eol]];

inline constexpr auto value_line = record<assigned_value>[
    " value: "_t >> must("a value's name in '<' and '>'")[value_id] >> must("' (size='")[" (size="_t] >>
    must("a size in bytes")[number[into<&assigned_value::size>]] >> must("',offset='")[",offset="_t] >>
    must("an offset in bytes")[number[into<&assigned_value::offset>]] >> must("'): '")["): "_t] >>
    must("a shape")[shape_line[into<&assigned_value::shape>]] >> eol >> x3::eps[check_end]];

inline constexpr auto recolored_line = record<recolored_value>[
    "  value: "_t >> must("a value's name in '<' and '>'")[value_id] >> must("' (color='")[" (color="_t] >>
    must("a colour")[number[into<&recolored_value::color>]] >> must("')' and the end of the line")[")"_t >> eol]];

inline constexpr auto value_lines =
    *(value_line | unreadable(" value:", "' value: <NUMBER NAME> (size=N,offset=N): SHAPE'"));
inline constexpr auto recolored_lines =
    " reused by buffers of a different color:"_t >> eol >>
    *(recolored_line | unreadable("  value:", "'  value: <NUMBER NAME> (color=N)'"));
inline constexpr auto bad_header = unreadable("allocation ", "'allocation NUMBER: size BYTES, FLAGS:'")[drop_values];

inline constexpr auto assignment = "BufferAssignment:"_t >> eol >> x3::eps[open_assignment];
/// An allocation; also the values behind a line that could not be read.
inline constexpr auto allocation_lines =
    (allocation_header | &"allocation "_t >> bad_header | &" value:"_t) >> value_lines >> -recolored_lines;

/// `Total bytes used: 2885767252 (2.69GiB)`
inline constexpr auto total_line =
    text_at["Total bytes used: "_t >> must("a size in bytes")[number[draft_total]] >>
            must("a size in parentheses")[" ("_t] >> up_to<')'> >> ")"_t][draft_total_text] >>
    must("the end of the line")[eol];
inline constexpr auto totals = total_line >> x3::eps[keep_total];

}  // namespace hlolint::grammar::dump
