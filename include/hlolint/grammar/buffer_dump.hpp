// A whole buffer dump: any sections in any order (buffer_dumps.md 1, 2).
#pragma once

#include <hlolint/grammar/buffer_assignment.hpp>
#include <hlolint/grammar/buffer_info.hpp>
#include <hlolint/grammar/buffer_live_range.hpp>
#include <hlolint/grammar/buffer_values.hpp>
#include <hlolint/grammar/memory_report.hpp>
#include <hlolint/grammar/oom_report.hpp>
#include <hlolint/grammar/thunk_sequence.hpp>

namespace hlolint::grammar::dump {

/// Sections that come once per module.
inline bool had_assignment(const buffer_data& d) { return d.has_assignment; }
inline bool had_values(const buffer_data& d) { return d.has_used_values; }
inline bool had_ranges(const buffer_data& d) { return d.live_ranges && !d.live_ranges->text.empty(); }
template <auto Had>
inline constexpr auto again = [](auto& c) { x3::_pass(c) = Had(dump_of(c).out); };
inline constexpr auto say_again = [](auto& c) {
  dump_of(c).report_at(x3::_attr(c).data(),
                       "expected the dump of one module, and here begins another one, which is not read");
};
inline constexpr const char* rest_of_text(const char*, const char* last) { return last; }

/// The dump of another module: read on, it would look like one module with overlapping buffers.
inline constexpr auto another_module =
    text_at["BufferAssignment:"_t >> eol >> x3::eps[again<had_assignment>] |
            "Used values:"_t >> eol >> x3::eps[again<had_values>] |
            "HloLiveRange (max "_t >> x3::eps[again<had_ranges>]][say_again] >> token<rest_of_text>{};

struct section_id {};
/// A rule of its own keeps the types below it short.
inline constexpr x3::rule<section_id> section{"section"};
inline constexpr auto section_def = another_module | used_value_lines | usage_report | allocation_lines | live_ranges |
                                    assignment | totals | values_head | used_value_part | sequence | ranges | peak |
                                    breakdown | info | no_live_ranges;
BOOST_SPIRIT_DEFINE(section)

inline constexpr auto dump = *(section | blank_line | unreadable("a line of a buffer dump"));

/// The list of thunks, and nothing else.
inline constexpr auto thunk_dump = *(thunk_lines | unreadable("the line of a thunk"));

/// What only the end of the text shows: parts that every whole dump has, and that are not there.
inline void finish(dump_state& s) {
  buffer_data& out = s.out;
  const bool one_file = out.has_assignment && out.has_used_values;
  if (one_file && !out.live_ranges && out.used_values.size() < out.values.size()) s.cut_off = true;
  if (out.live_ranges && !out.live_ranges->breakdown.empty() && out.live_ranges->breakdown.back().remaining != 0)
    s.cut_off = true;
  if (s.oom)
    for (const oom_report& report : s.oom->reports)
      if (!report.buffers.empty() && !report.buffers.back().closed) s.cut_off = true;
  // A record that the cut went through is no whole part.
  if (s.cut_off && !out.live_ranges && !out.used_values.empty() && out.used_values.back().from_instruction.empty()) {
    out.positions.resize(out.used_values.back().first_position);
    out.uses.resize(out.used_values.back().first_use);
    out.used_values.pop_back();
  }
  if (s.cut_off && s.oom && !s.oom->reports.back().buffers.empty() && !s.oom->reports.back().buffers.back().closed)
    s.oom->reports.back().buffers.pop_back();
}

}  // namespace hlolint::grammar::dump
