// The block `HloLiveRange` with its schedule, live ranges, peak and breakdown of the peak (buffer_dumps.md 4).
#pragma once

#include <hlolint/grammar/buffer_names.hpp>

namespace hlolint::grammar::dump {

namespace scan_tree {

inline constexpr std::string_view fork = "\xE2\x94\x9C\xE2\x94\x80\xE2\x94\x80 ";  // ├──
inline constexpr std::string_view last_fork = "\xE2\x94\x94\xE2\x94\x80\xE2\x94\x80 ";  // └──
inline constexpr std::string_view stem = "\xE2\x94\x82";  // │

/// The drawing before a node; its depth is that of the branch it hangs on.
struct branch {
  const char* end = nullptr;
  std::int64_t depth = 0;
};
constexpr branch find(const char* p, const char* last) {
  std::int64_t columns = 0;
  for (;;) {
    const std::string_view rest(p, static_cast<std::size_t>(last - p));
    if (rest.starts_with(' ')) {
      ++p, ++columns;
    } else if (rest.starts_with(stem)) {
      p += stem.size(), ++columns;
    } else if (rest.starts_with(fork) || rest.starts_with(last_fork)) {
      return {p + fork.size(), columns < 6 ? 1 : (columns - 6) / 4 + 1};
    } else {
      return {columns < 2 ? nullptr : p, 0};
    }
  }
}

}  // namespace scan_tree

/// The drawing before a node of the breakdown; its attribute is the node's depth.
struct branch_parser : x3::parser<branch_parser> {
  using attribute_type = std::int64_t;
  static constexpr bool has_attribute = true, handles_container = false;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context&, RuleContext&, Attribute& attribute) const {
    const scan_tree::branch found = scan_tree::find(first, last);
    if (!found.end) return false;
    assign(found.depth, attribute);
    first = found.end;
    return true;
  }
};
inline constexpr branch_parser branch{};

/// The block that is being read. A file may hold nothing but a part of it.
inline live_range_block& block_of(dump_state& s) {
  if (!s.out.live_ranges) s.out.live_ranges.emplace();
  return *s.out.live_ranges;
}
inline void keep(dump_state& s, live_range_block& b, std::string_view text) {
  b.text = text;
  // The number may be wrong, so the rest of the text sets a limit: no line is shorter than seven bytes.
  const auto lines = std::min(static_cast<std::size_t>(b.max), static_cast<std::size_t>(s.end - text.data()) / 7);
  b.sequence.reserve(lines);
  b.ranges.reserve(lines);
  s.out.live_ranges = std::move(b);
  s.open_allocation = false;
  s.sequence_gap = false;
}
inline void keep(dump_state& s, live_range& r, std::string_view text) {
  r.text = text;
  block_of(s).ranges.push_back(std::move(r));
}
inline void keep(dump_state& s, peak_value& p, std::string_view text) {
  p.text = text;
  block_of(s).peak.push_back(std::move(p));
}
inline void keep(dump_state& s, breakdown_line& l, std::string_view) { block_of(s).breakdown.push_back(l); }

/// A position of the schedule. Positions that could not be read stay, without a name, so that the others keep theirs.
inline constexpr auto keep_position = [](auto& c) {
  dump_state& s = dump_of(c);
  const live_range& draft = s.draft<live_range>();
  std::vector<std::string_view>& sequence = block_of(s).sequence;
  const auto count = static_cast<std::int64_t>(sequence.size());
  if (draft.start != count) {
    const bool gap = draft.start > count && draft.start < block_of(s).max && draft.start < s.end - s.begin;
    if (!s.sequence_gap || !gap)
      s.report_at(draft.instruction.data(), "expected position " + std::to_string(count) + " of the schedule");
    if (!gap) return;
    sequence.resize(static_cast<std::size_t>(draft.start));
  }
  s.sequence_gap = false;
  sequence.push_back(draft.instruction);
};
inline constexpr auto mark_gap = [](auto& c) { dump_of(c).sequence_gap = true; };
inline constexpr auto not_available = [](auto& c) { block_of(dump_of(c)).available = false; };
inline constexpr auto keep_peak_position = [](auto& c) {
  block_of(dump_of(c)).peak_known = true;
  block_of(dump_of(c)).peak_position = x3::_attr(c);
};
inline constexpr auto keep_breakdown_bytes = [](auto& c) { block_of(dump_of(c)).breakdown_bytes = x3::_attr(c); };

inline constexpr auto live_range_head =
    record<live_range_block>["HloLiveRange (max "_t >>
                             must("the number of instructions")[number[into<&live_range_block::max>]] >>
                             must("'):' and the end of the line")["):"_t >> eol]];

/// `    12:fusion.1`
inline constexpr auto sequence_line = "    "_t >>
                                      must("a position of the schedule")[number[into<&live_range::start>]] >>
                                      must("':'")[":"_t] >>
                                      must("the name of an instruction")[name[into<&live_range::instruction>]] >>
                                      must("the end of the line")[eol] >> x3::eps[keep_position];
/// `    fusion.1{0}:3-8`
inline constexpr auto range_line = record<live_range>[
    "    "_t >> must("the name of an instruction")[name[into<&live_range::instruction>]] >>
    must("an index")[index[into<&live_range::index>]] >> must("':'")[":"_t] >>
    must("the first position")[number[into<&live_range::start>]] >> must("'-'")["-"_t] >>
    must("the last position")[number[into<&live_range::end>]] >> must("the end of the line")[eol]];
/// `    fusion.1{0}: 96 bytes (cumulative: 128 bytes)`; the index came in 2025-04, the sum in 2025-05.
inline constexpr auto peak_line =
    record<peak_value>["    "_t >> must("the name of an instruction")[name[into<&peak_value::instruction>]] >>
                       -index[into<&peak_value::index>] >> must("': '")[": "_t] >>
                       must("a size in bytes")[number[into<&peak_value::bytes>]] >> must("' bytes'")[" bytes"_t] >>
                       -(" (cumulative: "_t >> must("a size in bytes")[number[into<&peak_value::cumulative>]] >>
                         must("' bytes)'")[" bytes)"_t]) >>
                       must("the end of the line")[eol]];
inline constexpr auto tree_line = record<breakdown_line>[
    branch[into<&breakdown_line::depth>] >> token<scan::dump::up_to_last_parenthesis>{}[into<&breakdown_line::node>] >>
    " ("_t >> decimal >> "%, total: "_t >> spaced_number[into<&breakdown_line::total>] >> " bytes, current: "_t >>
    spaced_number[into<&breakdown_line::current>] >> " bytes, remaining: "_t >>
    spaced_number[into<&breakdown_line::remaining>] >> " bytes)"_t >> eol];

inline constexpr auto sequence = "  InstructionSequence:"_t >> eol >>
                                 *(sequence_line |
                                   unreadable("    ", "'    POSITION:INSTRUCTION' or '  BufferLiveRange:'")[mark_gap]);
inline constexpr auto ranges =
    "  BufferLiveRange:"_t >> eol >>
    *(range_line | unreadable("    ", "'    INSTRUCTION{INDEX}:FIRST-LAST' or '  Live ranges at POSITION (peak):'"));
inline constexpr auto breakdown =
    "  Stack trace breakdown for peak usage: "_t >> must("a size in bytes")[spaced_number[keep_breakdown_bytes]] >>
    must("' bytes' and the end of the line")[" bytes"_t >> eol] >>
    *(tree_line | unreadable("    ", "'NODE (P%, total: N bytes, current: N bytes, remaining: N bytes)'"));
inline constexpr auto peak =
    "  Live ranges at "_t >> must("a position of the schedule")[number[keep_peak_position]] >>
        must("' (peak):' and the end of the line")[" (peak):"_t >> eol] >>
        *(peak_line | unreadable("    ", "'    INSTRUCTION{INDEX}: N bytes'")) >> -breakdown |
    "  Peak memory could not be determined due to unbounded dynamic shape."_t >> eol;

inline constexpr auto live_ranges = live_range_head >> next("'  InstructionSequence:'")[sequence] >>
                                    next("'  BufferLiveRange:'")[ranges] >>
                                    next("'  Live ranges at POSITION (peak):'")[peak];

/// The line that stands in for the block when there is none.
inline constexpr auto no_live_ranges = &token<scan::dump::unavailable>{} >> some_line >> eol >> x3::eps[not_available];

}  // namespace hlolint::grammar::dump
