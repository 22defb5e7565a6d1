// A whole buffer dump: any sections in any order (buffer_dumps.md 1, 2).
#pragma once

#include <hlolint/grammar/buffers/assignment.hpp>
#include <hlolint/grammar/buffers/buffer_info.hpp>
#include <hlolint/grammar/buffers/live_range.hpp>
#include <hlolint/grammar/buffers/memory_report.hpp>
#include <hlolint/grammar/buffers/oom_report.hpp>
#include <hlolint/grammar/buffers/thunk_sequence.hpp>
#include <hlolint/grammar/buffers/values.hpp>
#include <hlolint/grammar/x3/job_log.hpp>
#include <hlolint/ir/parsed_file.hpp>

#include <memory>
#include <utility>

namespace hlolint::grammar::dump {

/// The dump of another module: read on, it would look like one module with overlapping buffers.
inline constexpr auto another_module = rule<>("another module") = [] {
  return to<&dump_state::report_second_module>["BufferAssignment:" >> eol >> when<&read_dump::had_assignment> |
                                          "Used values:" >> eol >> when<&read_dump::had_values> |
                                          "HloLiveRange (max " >> when<&read_dump::had_live_range>] >>
    *line;
};

inline constexpr auto section = rule<>("section") = [] {
  return another_module | used_value | report | allocation | live_range | assignment | totals | values |
                                used_value_part | live_range_part | buffer_info | no_live_range;
};

inline constexpr auto byte_order_mark = rule<>("byte order mark") = [] {
  return -x3::lit("\xEF\xBB\xBF");
};
inline constexpr auto dump = rule<read_dump>("dump") = [] {
  return byte_order_mark >> *(blank_lines | section | any_line("a line of a buffer dump"));
};
/// The list of thunks, and nothing else.
inline constexpr auto thunks = rule<read_dump>("thunk sequence") = [] {
  return byte_order_mark >> *(thunk_sequence | any_line("the line of a thunk"));
};
/// A log with reports of missing memory.
inline constexpr auto log = rule<read_dump>("log") = [] {
  return byte_order_mark >> oom::log;
};

/// Allocations are numbered from 0 in the order of the text, and a value has one place. A number that is left out is a lost
/// line, or several: the values after it cannot be distinguished from those before it, so the assignment is not used.
template <class = void>
void check_assignment(dump_state& s) {
  read_dump& out = s.out;
  std::vector<std::pair<std::int64_t, const char*>> numbers, ids;
  for (const hlolint::allocation& a : out.allocations) numbers.emplace_back(a.number, a.text.data());
  for (const assigned_value& v : out.values) ids.emplace_back(v.name.id, v.text.data());
  const auto report_doubles = [&](auto& list, const char* what) {
    std::sort(list.begin(), list.end());
    for (std::size_t i = 1; i < list.size(); ++i)
      if (list[i].first == list[i - 1].first && (i == 1 || list[i].first != list[i - 2].first))
        s.small.broke(list[i].second, str_cat({what, list[i].first, " is listed twice"}));
  };
  const hlolint::allocation* after_gap = nullptr;  // an unreadable line between two allocations was reported where it is
  for (std::size_t i = 1; i < out.allocations.size() && !after_gap && !s.values_dropped; ++i)
    if (out.allocations[i].number - 1 > out.allocations[i - 1].number) after_gap = &out.allocations[i];
  report_doubles(numbers, "allocation ");
  report_doubles(ids, "value ");
  if (!after_gap) return;
  s.report_at(after_gap->text.data(),
              str_cat({"expected allocation ", (after_gap - 1)->number + 1, ": its line is lost, so that its values cannot be distinguished from those before "
                   "them, and the assignment is not used"}));
  out.allocations = {};
  out.values = {};
  out.recolored = {};
  out.total_bytes_used.reset();
  out.has_assignment = false;
}

/// What only the end of the text shows: parts that every whole dump has, and that are not there.
template <class = void>
void finish(dump_state& s) {
  read_dump& out = s.out;
  for (std::size_t i = 0; i < out.allocations.size(); ++i)
    for (std::size_t k = 0; k < out.allocations[i].value_count; ++k)
      out.values[out.allocations[i].first_value + k].allocation = static_cast<std::int64_t>(i);
  // XLA prints every array with its layout. Where the text ends after one without, the layout is what is missing.
  if (!out.values.empty() && out.values.back().text.data() + out.values.back().text.size() == s.end) {
    const shape& last = out.shapes[out.values.back().shape];
    if (last.rank() > 0 && !last.layout) s.cut_off = true;
  }
  const bool one_file = out.has_assignment && out.has_used_values;
  if (one_file && !out.live_ranges && out.used_values.size() < out.values.size()) s.cut_off = true;
  if (out.live_ranges && !out.live_ranges->breakdown.empty() && out.live_ranges->breakdown.back().remaining != 0)
    s.cut_off = true;
  if (out.report)
    for (auto* const list : {&out.report->allocations, &out.report->with_values})
      for (report_allocation& a : *list) a.header.size = a.size.bytes;
  // A record that the cut went through is no whole part.
  if (s.cut_off && !out.live_ranges && !out.used_values.empty() && out.used_values.back().from_instruction.empty()) {
    out.positions.resize(out.used_values.back().first_position);
    out.uses.resize(out.used_values.back().first_use);
    out.used_values.pop_back();
  }
  if (out.live_ranges) {
    const live_range_block& b = *out.live_ranges;
    const bool anything = !b.available || !b.text.empty() || !b.sequence.empty() || !b.ranges.empty() || b.peak_known || b.breakdown_bytes;
    if (!anything) out.live_ranges.reset();  // no more than the heading of a list
  }
  check_assignment(s);
}

/// Reads the whole text of the state. Shapes see the context that they see in HLO, with its blanks; lines have none.
template <class State>
void parse(input_kind what, State& state) {
  const x3::context<x3::skipper_tag, const blanks_and_comments> skipper{hlo_blanks};
  const skipping_context skipping{state.small, skipper};
  const auto plain = x3::make_context<x3::skipper_tag>(x3::unused, skipping);
  const dump_context context{with(state, plain)};
  const char* first = state.begin;
  if (what == input_kind::thunk_sequence)
    thunks.parse(first, state.end, context, x3::unused, state.out);
  else if (what == input_kind::oom_report)
    log.parse(first, state.end, context, x3::unused, state.out);
  else
    dump.parse(first, state.end, context, x3::unused, state.out);
}

/// A job's log may end anywhere, even in a report: then its whole lines are read, and one that the end cuts is not. Before
/// `locate` moves the texts of buffers, after it moved the problems.
template <class = void>
void drop_cut_line(dump_state& s, const logs::job_log& in, oom_log& read) {
  const char* const cut = in.cut_line();
  const auto is_cut = [&](const char* place) { return cut && in.place(place) >= cut; };
  if (cut && (s.cut_off || std::erase_if(s.problems, [&](const problem& p) { return p.where >= cut; }) > 0)) s.cut_line = cut;
  s.cut_off = false;
  for (oom_report& r : read.reports) {
    for (oom_buffer& b : r.buffers) {
      if (b.closed) continue;
      for (std::string_view* const text : {&b.metadata, &b.shape, &b.label, &b.allocation_type, &b.tag}) {
        if (text->empty() || !is_cut(text->data() + text->size() - 1)) continue;
        const std::size_t whole_lines = text->rfind('\n');
        *text = text->substr(0, whole_lines == text->npos ? 0 : whole_lines);
        s.cut_line = cut;
      }
    }
    std::erase_if(r.buffers, [](const oom_buffer& b) { return !b.closed && b.size.text.empty(); });
  }
}

/// What was read of a job's log belongs to the lines of the log itself.
template <class = void>
void locate(dump_state& s, const logs::job_log& in) {
  for (problem& p : s.problems) p.where = in.place(p.where);
  for (broken_rule& b : s.small.broken) b.where = in.place(b.where);
  oom_log& read = s.out.log ? *s.out.log : s.out.log.emplace();
  read.bare_text = in.text();
  drop_cut_line(s, in, read);
  for (oom_report& r : read.reports) {
    r.process = in.process(r.text.data());
    r.text = in.origin(r.text);
    for (oom_usage& u : r.usage) u.text = in.origin(u.text);
    for (oom_buffer& b : r.buffers) b.text = in.origin(b.text);
  }
  std::stable_sort(read.reports.begin(), read.reports.end(),
                   [](const oom_report& a, const oom_report& b) { return a.text.data() < b.text.data(); });
}

/// The records of a file for those who share them; rare sections are apart.
template <class Dump>
std::shared_ptr<const buffer_data> shared(Dump&& read) {
  struct rare_sections {
    hlolint::memory_report report;
    hlolint::buffer_info info;
    hlolint::thunk_sequence thunks;
    oom_log log;
  };
  auto data = std::make_shared<buffer_data>(std::move(static_cast<buffer_data&>(read)));
  if (!read.report && !read.info && !read.thunk_list && !read.log) return data;
  const auto rare = std::make_shared<rare_sections>();
  const auto share = [&rare](auto& from, auto& part, auto& to) {
    if (!from) return;
    part = std::move(*from);
    to = {rare, &part};
  };
  share(read.report, rare->report, data->memory_report);
  share(read.info, rare->info, data->buffer_info);
  share(read.thunk_list, rare->thunks, data->thunks);
  share(read.log, rare->log, data->oom);
  return data;
}

}  // namespace hlolint::grammar::dump
