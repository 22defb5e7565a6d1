// One buffer dump read twice: with lines read in one go as XLA prints them (grammar/printed/), and by the grammar alone.
#pragma once

#include <hlolint/grammar/buffers/dump.hpp>
#include <hlolint/grammar/buffers/input_kind.hpp>
#include <hlolint/parse/dump_diagnostics.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

// The grammars of the test programs are compiled once (parse_here.hpp).
extern template void hlolint::grammar::dump::parse<hlolint::grammar::dump::dump_state>(
    hlolint::input_kind, hlolint::grammar::dump::dump_state&);

/// Every member of the records that the fast path fills is compared; a text is the same if it stands at the same place.
class both_buffer_readings {
 public:
  explicit both_buffer_readings(const hlolint::source& text) : text_(text), fast_(text, true), plain_(text, false) {}

  /// What is not the same; empty if all is.
  std::string difference() const {
    if (plain_.state.lines_taken != 0) return "the switch is off, but lines are read in one go";
    if (fast_.diagnostics != plain_.diagnostics) return "diagnostics";
    if (fast_.state.cut_off != plain_.state.cut_off) return "whether the text is cut off";
    const auto &a = fast_.read, &b = plain_.read;
    if (!same(a.allocations, b.allocations)) return "allocations";
    if (!same(a.values, b.values)) return "values";
    if (!same(a.recolored, b.recolored)) return "recoloured values";
    if (a.shapes != b.shapes) return "shapes";
    if (!same(a.used_values, b.used_values)) return "used values";
    if (!same(a.positions, b.positions)) return "positions";
    if (!same(a.uses, b.uses)) return "uses";
    if (a.has_assignment != b.has_assignment || a.has_used_values != b.has_used_values) return "sections";
    if (a.total_bytes_used != b.total_bytes_used || members(a.total_text) != members(b.total_text)) return "totals";
    if (a.live_ranges.has_value() != b.live_ranges.has_value()) return "whether there are live ranges";
    if (a.report.has_value() != b.report.has_value() || a.info.has_value() != b.info.has_value() ||
        a.thunk_list.has_value() != b.thunk_list.has_value())
      return "sections of few dumps";
    return a.live_ranges ? difference(*a.live_ranges, *b.live_ranges) : "";
  }
  /// Lines that were read in one go.
  std::size_t taken() const { return fast_.state.lines_taken; }
  /// Lines that hold something.
  std::size_t lines() const {
    std::size_t count = 0;
    const std::string_view all = text_.text();
    for (std::size_t at = 0, end = 0; at < all.size(); at = end + 1) {
      end = std::min(all.find('\n', at), all.size());
      count += all.substr(at, end - at).find_first_not_of(" \t\r") != all.npos;
    }
    return count;
  }
  const std::vector<hlolint::diagnostic>& diagnostics() const { return plain_.diagnostics; }

 private:
  struct reading {
    reading(const hlolint::source& text, bool printed_lines) : state(text.text(), with, read) {
      state.printed_lines = printed_lines;
      hlolint::grammar::dump::parse(hlolint::kind_of(text.text()), state);
      hlolint::grammar::dump::finish(state);
      diagnostics = hlolint::detail::diagnostics_of(state, text);
    }
    hlolint::grammar::parse_state with;
    hlolint::grammar::dump::read_dump read;
    hlolint::grammar::dump::dump_state state;
    std::vector<hlolint::diagnostic> diagnostics;
  };

  static std::pair<const char*, std::size_t> members(std::string_view text) { return {text.data(), text.size()}; }
  static auto members(const hlolint::value_name& n) {
    return std::tuple(n.id, members(n.instruction), n.index, n.phi, n.color);
  }
  static auto members(const hlolint::assigned_value& v) {
    return std::tuple(members(v.name), v.allocation, v.offset, v.size, v.shape, members(v.text));
  }
  static auto members(const hlolint::recolored_value& v) {
    return std::tuple(members(v.name), v.color, members(v.text));
  }
  static auto members(const hlolint::allocation& a) {
    return std::tuple(a.number, a.size, a.color, a.page, a.parameter, a.output_shape, a.constant,
                      a.thread_local_storage, a.maybe_live_out, a.preallocated_temp, members(a.unknown_flags),
                      a.first_value, a.value_count, a.first_recolored, a.recolored_count, members(a.text));
  }
  static auto members(const hlolint::value_position& p) { return std::tuple(members(p.instruction), p.index); }
  static auto members(const hlolint::value_use& u) { return std::tuple(members(u.instruction), u.operand, u.index); }
  static auto members(const hlolint::used_value& v) {
    return std::tuple(members(v.name), v.first_position, v.position_count, v.first_use, v.use_count, v.uses_known,
                      members(v.from_instruction), members(v.text));
  }
  static auto members(const hlolint::live_range& r) {
    return std::tuple(members(r.instruction), r.index, r.start, r.end, members(r.text));
  }
  static auto members(const hlolint::peak_value& v) {
    return std::tuple(members(v.instruction), v.index, v.bytes, v.cumulative, members(v.text));
  }
  static auto members(const hlolint::breakdown_line& b) {
    return std::tuple(b.depth, members(b.node), b.total, b.current, b.remaining);
  }
  template <class Record>
  static bool same(const std::vector<Record>& a, const std::vector<Record>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Record& x, const Record& y) { return members(x) == members(y); });
  }
  static const char* difference(const hlolint::live_range_block& a, const hlolint::live_range_block& b) {
    if (a.available != b.available || a.max != b.max || members(a.text) != members(b.text)) return "head of live ranges";
    if (!same(a.sequence, b.sequence)) return "schedule";
    if (!same(a.ranges, b.ranges)) return "live ranges";
    if (a.peak_known != b.peak_known || a.peak_position != b.peak_position || !same(a.peak, b.peak)) return "peak";
    if (a.breakdown_bytes != b.breakdown_bytes || !same(a.breakdown, b.breakdown)) return "breakdown of the peak";
    return "";
  }

  hlolint::source text_;
  reading fast_, plain_;
};
