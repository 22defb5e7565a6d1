// The state of parsing a buffer dump: the value of the file, and the lines that could not be read.
#pragma once

#include <hlolint/grammar/build/shape_pool.hpp>
#include <hlolint/grammar/buffers/line_tokens.hpp>
#include <hlolint/ir/buffer_info.hpp>
#include <hlolint/ir/memory_report.hpp>
#include <hlolint/ir/thunk_sequence.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::grammar::dump {

/// The value of a whole file. Rare sections are present only if the dump has them.
struct read_dump : buffer_data {
  std::optional<hlolint::memory_report> report;
  std::optional<hlolint::buffer_info> info;
  std::optional<hlolint::thunk_sequence> thunk_list;

  bool had_assignment() const { return has_assignment; }
  bool had_values() const { return has_used_values; }
  bool had_report() const { return report.has_value(); }
  bool has_used_value() const { return !used_values.empty(); }
  bool had_live_range() const { return live_ranges && !live_ranges->text.empty(); }
};

/// A construct of a later XLA, which is skipped and noted.
struct unknown_construct {
  const char* begin;
  const char* end;
};

/// A line that could not be read, and the message about it.
struct problem {
  const char* where;
  std::string message;
  std::size_t more = 0;  ///< how many lines right after it cannot be read either
};

/// A line `12:fusion.1` of the schedule.
struct scheduled_instruction {
  std::int64_t position = 0;
  std::string_view name;
};

/// A row of the table of buffers: the times and the names of the uses come in two lists.
struct info_row : buffer_info_row {
  std::vector<std::int64_t> times;
  std::vector<value_use> reads;
  bool has_time_for_each() const { return reads.size() <= times.size(); }
};

struct dump_state {
  dump_state(std::string_view text, parse_state& with, read_dump& to)
      : begin(text.data()), end(text.data() + text.size()), small(with), out(to) {
    shapes.open(to.shapes);
  }

  const char* begin;
  const char* end;
  parse_state& small;
  read_dump& out;
  build::shape_pool shapes;  // a shape must end with its line

  bool open_allocation = false;  // lines of values belong to the last allocation
  bool values_dropped = false;   // lines of values belong to no allocation, as was reported
  bool sequence_gap = false;     // a line of the schedule could not be read
  std::string_view thunk_body;   // the label above the thunks
  std::vector<problem> problems;
  std::vector<unknown_construct> unknown;
  bool cut_off = false;                    // the text ends inside a construct
  const char* cut_line = nullptr;          // the last line of a log, which is cut off and not read
  std::size_t reported = ~std::size_t{0};  // the beginning of the line of the last problem
  const char* resume = nullptr;            // after the last line that could not be read

  std::string_view all() const { return view(begin, end); }
  /// The rest of the line from a place on, without blanks and the line end.
  std::string_view line_at(const char* place) const {
    const std::string_view left = view(place, end);
    const std::string_view line = left.substr(0, left.find('\n'));
    return line.substr(0, line.find_last_not_of(" \t\r") + 1);
  }

  /// Reports the first problem of a line. Others are its consequences.
  [[gnu::noinline, gnu::cold]] void report_at(const char* where, std::string message) {
    const std::size_t line = all().substr(0, static_cast<std::size_t>(where - begin)).rfind('\n') + 1;
    if (line == reported) return;
    reported = line;
    problems.push_back({where, std::move(message), 0});
  }
  /// Skips the line at `first`, which cannot be read, and returns the beginning of the next line. Reports the line
  /// unless it has another finding: a broken rule of names and numbers, the end of a cut-off text, or an unreadable
  /// line before.
  [[gnu::noinline, gnu::cold]] const char* unreadable(const char* first, const char* what) {
    const std::string_view line = line_at(first);
    const char* const line_end = line.data() + line.size();
    const std::size_t size = view(first, end).find('\n');
    while (!unknown.empty() && unknown.back().begin >= first) unknown.pop_back();
    const char* const before = std::exchange(resume, size == std::string_view::npos ? end : first + size + 1);
    if (size == std::string_view::npos) {
      cut_off = true;
      return end;
    }
    for (std::size_t i = small.broken.size(); i-- > 0 && small.broken[i].where >= first;)
      if (small.broken[i].where <= line_end) return resume;
    if (before == first && !problems.empty())
      ++problems.back().more;
    else if (small.furthest && small.furthest > first && small.furthest <= line_end)
      report_at(small.furthest, str_cat({"expected ", small.expected}));
    else
      report_at(first + std::min(line.find_first_not_of(" \t"), line.size()), str_cat({"expected ", what}));
    return resume;
  }
  /// Reports that a part is missing that every complete dump has here, unless an unreadable line was reported here.
  [[gnu::noinline, gnu::cold]] void missing(const char* where, const char* what) {
    if (view(where, end).find_first_not_of(" \t\r\n") == std::string_view::npos) {
      cut_off = true;
    } else if (resume != where) {
      const char* const kept = resume;
      unreadable(where, what);
      resume = kept;
    }
  }

  // Functions that the rules call, in the order of the sections.
  void report_second_module(std::string_view text) {
    report_at(text.data(), "expected the dump of one module, and here begins another one, which is not read");
  }
  void note_unknown(std::string_view text) { unknown.push_back({text.data() + 2, text.data() + text.size()}); }
  void open() { open_allocation = true; }
  void close() { open_allocation = false; }
  bool is_open() { return open_allocation; }
  /// From here on, values belong to no allocation. The reason was reported.
  void drop_values() { values_dropped = true, open_allocation = false; }
  void report_dropped(std::string_view line) {
    if (!values_dropped) report_at(line.data(), "expected an allocation before its values");
    values_dropped = true;
  }
  void keep_total(std::int64_t bytes, std::string_view text) {
    if (out.total_bytes_used) return report_at(text.data(), "expected one line of totals, and this is the second");
    close();
    out.total_bytes_used = bytes;
    out.total_text = text;
  }
  /// Adds a position of the schedule. Unreadable positions are kept without a name, so that the other ones do not move.
  void keep_position(scheduled_instruction at) {
    live_range_block& block = *out.live_ranges;
    const auto count = static_cast<std::int64_t>(block.sequence.size());
    if (at.position != count && !fill_gap(block, at, count)) return;
    sequence_gap = false;
    block.sequence.push_back(at.name);
  }
  [[gnu::noinline, gnu::cold]] bool fill_gap(live_range_block& block, const scheduled_instruction& at,
                                             std::int64_t count) {
    const bool gap = at.position > count && at.position < block.max && at.position < end - begin;
    if (!sequence_gap || !gap) report_at(at.name.data(), str_cat({"expected position ", count, " of the schedule"}));
    if (gap) block.sequence.resize(static_cast<std::size_t>(at.position));
    return gap;
  }
  /// Opens a table of values. It belongs to the allocation above it if the report has no memory spaces.
  void open_table() {
    close();
    hlolint::memory_report& report = *out.report;
    report_table& table = report.tables.emplace_back();
    if (!report.spaces.empty() || report.with_values.empty()) return;
    table.allocation = report.with_values.back().header.number;
    report.with_values.back().table = static_cast<std::uint32_t>(report.tables.size() - 1);
  }
  void new_info() {
    *out.info = {};
    close();
  }
  void keep_info(info_row row) {
    row.first_use = static_cast<std::uint32_t>(out.info->uses.size());
    row.uses = static_cast<std::uint32_t>(row.times.size());
    row.reads.resize(row.times.size());
    for (std::size_t i = 0; i < row.times.size(); ++i)
      out.info->uses.push_back({row.times[i], std::move(row.reads[i])});
    out.info->rows.push_back(std::move(row));
  }
  /// Thunks that are set in belong to the body that was named last.
  void thunk_begins() {
    thunk& last = out.thunk_list->thunks.back();
    if (last.indent == 0) thunk_body = {};
    last.body = thunk_body;
  }
  void name_body(std::string_view label) { thunk_body = label; }
  void mark_gap() { sequence_gap = true; }
  /// A new block with room for its lists. The number may be wrong, so the rest of the text sets a limit: a line of the
  /// sequence and one of the ranges have seven bytes each at least. Beyond `most` growing is cheap enough.
  void keep_live_range(live_range_block block) {
    constexpr std::size_t most = std::size_t{1} << 20;
    const auto lines =
        std::min({static_cast<std::size_t>(block.max), static_cast<std::size_t>(end - block.text.data()) / 14, most});
    block.sequence.reserve(lines);
    block.ranges.reserve(lines);
    out.live_ranges.emplace(std::move(block));
    sequence_gap = false;
    close();
  }
  /// Only the `\n` that XLA ends every line with shows that nothing of a line of free text is missing.
  void free_text_ends(std::string_view text) {
    if (text.empty() || text.back() != '\n') cut_off = true;
  }
};

using dump_context_parts =
    x3::context<dump_state, dump_state, x3::context<x3::skipper_tag, const x3::unused_type, skipping_context>>;
/// The context of the rules of dumps, under a short name: it is part of the name of every function that is made of
/// them.
struct dump_context : dump_context_parts {
  using dump_context_parts::dump_context_parts;
  explicit dump_context(const dump_context_parts& parts) : dump_context_parts(parts) {}
};

/// missing("' uses:'"): what comes next in every whole dump does not, which is reported; reading goes on without it.
struct missing_parser : parser_part, valued<x3::unused_type> {
  constexpr explicit missing_parser(const char* w) : what(w) {}
  template <class Context, class Rule, class To>
  [[gnu::noinline, gnu::cold]] bool parse(const char*& first, const char* const&, const Context& context, Rule&,
                                          To&) const {
    from<dump_state>(context).missing(first, what);
    return true;
  }
  const char* what;
};
constexpr missing_parser missing(const char* what) { return missing_parser(what); }

/// bad_line("  ", "a row"): a line that should have been a row: one that begins as rows do, or like nothing known. It
/// is reported and passed over. any_line("a row"): whatever it begins with.
struct bad_line_parser : parser_part, valued<x3::unused_type> {
  constexpr bad_line_parser(const char* b, const char* w, bool a) : beginning(b), what(w), any(a) {}
  template <class Context, class Rule, class To>
  bool parse(const char*& first, const char* const& last, const Context& context, Rule&, To&) const {
    const auto ahead = [&](const auto& p) {
      const char* at = first;
      return p.parse(at, last, context, x3::unused, x3::unused);
    };
    if (first == last) return false;
    const bool ours = !beginning.empty() && view(first, last).starts_with(beginning) && !ahead(eol);
    if (!ours && !any && ahead(landmark)) return false;
    first = from<dump_state>(context).unreadable(first, what);
    return true;
  }
  std::string_view beginning;
  const char* what;
  bool any;
};
constexpr bad_line_parser bad_line(const char* beginning, const char* what) { return {beginning, what, false}; }
constexpr bad_line_parser bad_line(const char* what) { return {"", what, false}; }
constexpr bad_line_parser any_line(const char* what) { return {"", what, true}; }

/// lines("  ", "a row")[p]: p, line by line. A line that cannot be read is a bad_line, and neighbors of that kind are
/// one diagnostic. The list is over where a line begins as another part of a dump does, or is blank.
struct lines_directive {
  bad_line_parser bad;
  template <class P>
  struct parser : directed<P, lines_directive> {
    template <class Context, class Rule, class To>
    bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To&) const {
      while (this->subject.parse(first, last, context, rule, x3::unused) ||
             this->does.bad.parse(first, last, context, rule, x3::unused)) {
      }
      return true;
    }
  };
};
constexpr directive<lines_directive> lines(const char* beginning, const char* what) {
  return {{bad_line(beginning, what)}};
}
constexpr directive<lines_directive> lines(const char* what) { return {{bad_line(what)}}; }

/// Reads the whole text of the state by the rule for a file. Shapes see the context that they see in HLO, with its
/// blanks; lines have none.
template <class File, class State, class Value>
void read_all(const File& file, State& state, Value& to) {
  const x3::context<x3::skipper_tag, const blanks_and_comments> skipper{hlo_blanks};
  const skipping_context skipping{state.small, skipper};
  const auto plain = x3::make_context<x3::skipper_tag>(x3::unused, skipping);
  const dump_context context{with(state, plain)};
  const char* first = state.begin;
  file.parse(first, state.end, context, x3::unused, to);
}

}  // namespace hlolint::grammar::dump
