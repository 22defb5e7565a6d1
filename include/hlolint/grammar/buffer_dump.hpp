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
inline bool had_assignment(dump_state& s) { return s.out.has_assignment; }
inline bool had_values(dump_state& s) { return s.out.has_used_values; }
inline bool had_ranges(dump_state& s) { return s.out.live_ranges && !s.out.live_ranges->text.empty(); }
inline void say_again(dump_state& s, std::string_view text) {
  s.report_at(text.data(), "expected the dump of one module, and here begins another one, which is not read");
}
inline constexpr const char* rest_of_text(const char*, const char* last) { return last; }

/// The dump of another module: read on, it would look like one module with overlapping buffers.
inline constexpr auto another_module =
    in_order(text_of(&say_again, either(in_order("BufferAssignment:", eol, does(&had_assignment)),
                                        in_order("Used values:", eol, does(&had_values)),
                                        in_order("HloLiveRange (max ", does(&had_ranges)))),
             token(&rest_of_text));

inline constexpr auto section =
    either(another_module, used_value_lines, usage_report, allocation_lines, live_ranges, assignment, totals, values_head,
           used_value_part, sequence, ranges, peak, breakdown, info, no_live_ranges);

inline constexpr auto dump = many(either(section, blank_line, unreadable("a line of a buffer dump")));

/// The list of thunks, and nothing else.
inline constexpr auto thunk_dump = many(either(thunk_lines, unreadable("the line of a thunk")));

/// What only the end of the text shows: parts that every whole dump has, and that are not there.
template <class = void>
void finish(dump_state& s) {
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
    while (out.positions.size() > out.used_values.back().first_position) out.positions.pop_back();
    while (out.uses.size() > out.used_values.back().first_use) out.uses.pop_back();
    out.used_values.pop_back();
  }
  if (s.cut_off && s.oom && !s.oom->reports.back().buffers.empty() && !s.oom->reports.back().buffers.back().closed)
    s.oom->reports.back().buffers.pop_back();
}

}  // namespace hlolint::grammar::dump
