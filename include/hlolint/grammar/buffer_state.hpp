// What travels with the parse of a buffer dump: the records under construction, the pools, and what could not be read.
#pragma once

#include <hlolint/grammar/buffer_scan.hpp>
#include <hlolint/grammar/shape_table.hpp>
#include <hlolint/grammar/state.hpp>
#include <hlolint/ir/buffer_info.hpp>
#include <hlolint/ir/memory_report.hpp>
#include <hlolint/ir/oom_report.hpp>
#include <hlolint/ir/thunk_sequence.hpp>
#include <hlolint/text/say.hpp>

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::grammar::dump {

/// A construct of a later XLA: read over, but worth a note.
struct unknown_construct {
  const char* begin;
  const char* end;
};

/// A place that could not be read, and what is said about it.
struct problem {
  const char* where;
  std::string message;
  std::size_t more = 0;  ///< lines behind it that cannot be read either
};

template <class Record>
struct draft_of {
  Record value;
};
template <class... Records>
struct drafts_of : draft_of<Records>... {};
using drafts = drafts_of<value_name, assigned_value, recolored_value, allocation, allocation_parameter, used_value,
                         value_position, value_use, live_range, peak_value, breakdown_line, live_range_block,
                         report_rest, report_row, report_allocation, report_memory_space, buffer_info_row, timed_use,
                         buffer_slice, thunk, oom_usage, oom_buffer, oom_report>;

/// What few dumps hold.
struct rare_sections {
  hlolint::memory_report report;
  hlolint::buffer_info info;
  hlolint::thunk_sequence thunks;
  oom_log oom;
};

/// Derives from the state that all grammars share, so that rules have one context type; actions downcast with
/// `dump_of`.
struct dump_state : parse_state, drafts {
  dump_state(std::string_view text, buffer_data& to) : begin(text.data()), end(text.data() + text.size()), out(to) {}

  const char* begin;
  const char* end;
  buffer_data& out;

  /// A record under construction. A line that turns out wrong leaves nothing in the pools.
  template <class Record>
  Record& draft() {
    return static_cast<draft_of<Record>*>(this)->value;
  }

  rare_sections& rare_parts() {
    if (!rare) rare = std::make_shared<rare_sections>();
    return *rare;
  }

  shape_table shapes;
  std::string_view total_text;         // draft of the line of totals
  std::int64_t total = 0;
  bool open_allocation = false;        // value lines belong to the last allocation
  bool values_dropped = false;         // they belong to none, and that was said
  bool sequence_gap = false;           // a line of the schedule could not be read
  std::shared_ptr<rare_sections> rare;
  hlolint::memory_report* report = nullptr;  // these four: null, or part of `rare`
  hlolint::buffer_info* info = nullptr;
  hlolint::thunk_sequence* thunks = nullptr;
  oom_log* oom = nullptr;
  std::string_view thunk_body;         // the label that thunks stand under
  std::string_view oom_section;        // the list of usages that rows belong to
  std::string_view oom_buffer::*oom_field = nullptr;  // the field that further lines belong to

  std::vector<problem> problems;
  std::vector<unknown_construct> unknown;
  std::vector<unknown_construct> unknown_drafts;  // of the header that is being read
  bool cut_off = false;                // the text ends in the middle of something
  const char* said = nullptr;          // the line the last problem is in
  const char* resume = nullptr;        // behind the last line nobody understood

  const char* line_begin(const char* p) const {
    while (p != begin && p[-1] != '\n') --p;
    return p;
  }
  bool only_blank(const char* p) const {
    while (p != end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n')) ++p;
    return p == end;
  }

  /// Notes what a line should have held; the furthest such place is what a message names.
  [[gnu::noinline, gnu::cold]] void expected(const char* where, const char* what) {
    if (!failure.where || where > failure.where) failure = {where, what};
  }
  /// One problem per line: what follows from it is not said.
  [[gnu::noinline, gnu::cold]] void report_at(const char* where, std::string message) {
    const char* const line = line_begin(where);
    if (line == said) return;
    said = line;
    problems.push_back({where, std::move(message), 0});
  }
  /// The line at `first` cannot be read. A broken rule of names and numbers, the end of a cut-off text, and the line
  /// before it if that cannot be read either, say so already.
  [[gnu::noinline, gnu::cold]] void unreadable(const char* first, const char* what) {
    const char* const line_end = scan::dump::line(first, end);
    if (!std::memchr(first, '\n', static_cast<std::size_t>(end - first))) {
      cut_off = true;
      return;
    }
    for (std::size_t i = broken.size(); i-- > 0 && broken[i].where >= first;)
      if (broken[i].where <= line_end) return;
    if (resume == first && !problems.empty()) {
      ++problems.back().more;
      return;
    }
    if (failure.where && failure.where > first && failure.where <= line_end)
      report_at(failure.where, say({"expected ", failure.expected}));
    else
      report_at(first + (scan::dump::blanks(first, line_end) - first), say({"expected ", what}));
  }
  /// What comes next in every whole dump does not. If it could not be read, that was said.
  [[gnu::noinline, gnu::cold]] void missing(const char* where, const char* what) {
    if (only_blank(where))
      cut_off = true;
    else if (resume != where)
      unreadable(where, what);
  }
  /// Names or numbers that break a rule, once per place.
  [[gnu::noinline, gnu::cold]] void broke_once(const char* where, const char* message) {
    for (std::size_t i = broken.size(); i-- > 0 && broken[i].where >= where;)
      if (broken[i].where == where) return;
    broke(where, message);
  }
};

inline dump_state& dump_of(const parse_context& context) { return static_cast<dump_state&>(state(context)); }

}  // namespace hlolint::grammar::dump
