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
    const char* const before = p;
    while (p != last && *p == ' ') ++p;
    columns += p - before;
    const std::string_view rest(p, static_cast<std::size_t>(last - p));
    if (rest.starts_with(stem))
      p += stem.size(), ++columns;
    else if (rest.starts_with(fork) || rest.starts_with(last_fork))
      return {p + fork.size(), columns < 6 ? 1 : (columns - 6) / 4 + 1};
    else
      return {columns < 2 ? nullptr : p, 0};
  }
}

}  // namespace scan_tree

/// The drawing before a node of the breakdown; its value is the node's depth.
struct branch_token : value_part<branch_token, std::int64_t> {
  bool read(const char*& first, const char* last, dump_state&, std::int64_t& value) const {
    const scan_tree::branch found = scan_tree::find(first, last);
    if (!found.end) return false;
    value = found.depth;
    first = found.end;
    return true;
  }
};
inline constexpr branch_token branch{};

/// The block that is being read. A file may hold nothing but a part of it.
inline live_range_block& block_of(dump_state& s) {
  if (!s.out.live_ranges) s.out.live_ranges.emplace();
  return *s.out.live_ranges;
}
template <class = void>
[[gnu::noinline, gnu::cold]] void keep(dump_state& s, live_range_block& b, std::string_view text) {
  b.text = text;
  // The number may be wrong, so the rest of the text sets a limit: no line is shorter than seven bytes.
  const auto lines = std::min(static_cast<std::size_t>(b.max), static_cast<std::size_t>(s.end - text.data()) / 7);
  b.sequence.reserve(lines);
  b.ranges.reserve(lines);
  s.out.live_ranges.emplace(std::move(b));
  s.open_allocation = false;
  s.sequence_gap = false;
}
template <class = void>
void keep(dump_state& s, live_range& r, std::string_view text) {
  r.text = text;
  block_of(s).ranges.push_back(std::move(r));
}
template <class = void>
[[gnu::noinline, gnu::cold]] void keep(dump_state& s, peak_value& p, std::string_view text) {
  p.text = text;
  block_of(s).peak.push_back(std::move(p));
}
template <class = void>
[[gnu::noinline, gnu::cold]] void keep(dump_state& s, breakdown_line& l, std::string_view) { block_of(s).breakdown.push_back(l); }

/// A position of the schedule. Positions that could not be read stay, without a name, so that the others keep theirs.
inline void keep_position(dump_state& s) {
  const live_range& draft = s.draft<live_range>();
  std::vector<std::string_view>& sequence = block_of(s).sequence;
  const auto count = static_cast<std::int64_t>(sequence.size());
  if (draft.start != count) {
    const bool gap = draft.start > count && draft.start < block_of(s).max && draft.start < s.end - s.begin;
    if (!s.sequence_gap || !gap)
      s.report_at(draft.instruction.data(), say({"expected position ", count, " of the schedule"}));
    if (!gap) return;
    while (static_cast<std::int64_t>(sequence.size()) < draft.start) sequence.emplace_back();
  }
  s.sequence_gap = false;
  sequence.push_back(draft.instruction);
}
inline void mark_gap(dump_state& s) { s.sequence_gap = true; }
inline void not_available(dump_state& s) { block_of(s).available = false; }
inline void keep_peak_position(dump_state& s, std::int64_t at) {
  block_of(s).peak_known = true;
  block_of(s).peak_position = at;
}
inline void keep_breakdown_bytes(dump_state& s, std::int64_t bytes) { block_of(s).breakdown_bytes = bytes; }

inline constexpr auto live_range_head = record<live_range_block>(
    "HloLiveRange (max ", must("the number of instructions")(number(&live_range_block::max)),
    must("'):' and the end of the line")("):", eol));

/// `    12:fusion.1`
inline constexpr auto sequence_line =
    in_order("    ", must("a position of the schedule")(number(&live_range::start)), must("':'")(":"),
             must("the name of an instruction")(name(&live_range::instruction)), must("the end of the line")(eol),
             does(&keep_position));
/// `    fusion.1{0}:3-8`
inline constexpr auto range_line =
    record<live_range>("    ", must("the name of an instruction")(name(&live_range::instruction)),
                       must("an index")(index(&live_range::index)), must("':'")(":"),
                       must("the first position")(number(&live_range::start)), must("'-'")("-"),
                       must("the last position")(number(&live_range::end)), must("the end of the line")(eol));
/// `    fusion.1{0}: 96 bytes (cumulative: 128 bytes)`; the index came in 2025-04, the sum in 2025-05.
inline constexpr auto peak_line = record<peak_value>(
    "    ", must("the name of an instruction")(name(&peak_value::instruction)), maybe(index(&peak_value::index)),
    must("': '")(": "), must("a size in bytes")(number(&peak_value::bytes)), must("' bytes'")(" bytes"),
    maybe(" (cumulative: ", must("a size in bytes")(number(&peak_value::cumulative)), must("' bytes)'")(" bytes)")),
    must("the end of the line")(eol));
inline constexpr auto tree_line =
    record<breakdown_line>(branch(&breakdown_line::depth),
                           token(&scan::dump::up_to_last_parenthesis)(&breakdown_line::node), " (", decimal,
                           "%, total: ", spaced_number(&breakdown_line::total), " bytes, current: ",
                           spaced_number(&breakdown_line::current), " bytes, remaining: ",
                           spaced_number(&breakdown_line::remaining), " bytes)", eol);

inline constexpr auto sequence = in_order(
    "  InstructionSequence:", eol,
    many(either(sequence_line,
                in_order(unreadable("    ", "'    POSITION:INSTRUCTION' or '  BufferLiveRange:'"), does(&mark_gap)))));
inline constexpr auto ranges = in_order(
    "  BufferLiveRange:", eol,
    many(either(range_line,
                unreadable("    ", "'    INSTRUCTION{INDEX}:FIRST-LAST' or '  Live ranges at POSITION (peak):'"))));
inline constexpr auto breakdown = in_order(
    "  Stack trace breakdown for peak usage: ", must("a size in bytes")(spaced_number(&keep_breakdown_bytes)),
    must("' bytes' and the end of the line")(" bytes", eol),
    many(either(tree_line,
                unreadable("    ", "'NODE (P%, total: N bytes, current: N bytes, remaining: N bytes)'"))));
inline constexpr auto peak = either(
    in_order("  Live ranges at ", must("a position of the schedule")(number(&keep_peak_position)),
             must("' (peak):' and the end of the line")(" (peak):", eol),
             many(either(peak_line, unreadable("    ", "'    INSTRUCTION{INDEX}: N bytes'"))), maybe(breakdown)),
    in_order("  Peak memory could not be determined due to unbounded dynamic shape.", eol));

inline constexpr auto live_ranges =
    in_order(live_range_head, next("'  InstructionSequence:'")(sequence), next("'  BufferLiveRange:'")(ranges),
             next("'  Live ranges at POSITION (peak):'")(peak));

/// The line that stands in for the block when there is none.
inline constexpr auto no_live_ranges =
    in_order(ahead(token(&scan::dump::unavailable)), some_line, eol, does(&not_available));

}  // namespace hlolint::grammar::dump
