// A job's log with messages about missing memory (oom_logs.md), and where in the log they stand.
#pragma once

#include <hlolint/grammar/logs/oom_report.hpp>
#include <hlolint/grammar/logs/job_log.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace hlolint::grammar::dump {

/// A job's log. What stands before the first message is no part of it: compilers print the same lists when all is well.
inline constexpr auto log =
    rule<oom_log> = [](auto) { return byte_order_mark >> *(append<&oom_log::reports>[oom::report] | oom::other_line); };

/// A job's log may end anywhere, even in a report: then its whole lines are read, and one that the end cuts is not.
/// `locate` calls this after it moved the problems and before it moves the texts of buffers.
template <class = void>
void drop_cut_line(dump_state& s, const logs::job_log& in, oom_log& read) {
  const char* const cut = in.cut_line();
  const auto is_cut = [&](const char* place) { return cut && in.place(place) >= cut; };
  if (cut && (s.cut_off || erase_if(s.problems, [&](const problem& p) { return p.where >= cut; }) > 0))
    s.cut_line = cut;
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
    erase_if(r.buffers, [](const oom_buffer& b) { return !b.closed && b.size.text.empty(); });
  }
}

/// Vague messages repeat what a plain one reports; only the first counts if there is no plain one.
template <class = void>
void keep_plain_messages(oom_log& read) {
  bool plain = std::any_of(read.reports.begin(), read.reports.end(),
                           [](const oom_report& r) { return !r.vague && r.outcome == oom_outcome::failed; });
  erase_if(read.reports, [&](const oom_report& r) { return r.vague && std::exchange(plain, true); });
}

/// What was read of a job's log belongs to the lines of the log itself.
template <class = void>
void locate(dump_state& s, const logs::job_log& in, oom_log& read) {
  for (problem& p : s.problems) p.where = in.place(p.where);
  for (broken_rule& b : s.small.broken) b.where = in.place(b.where);
  read.bare_text = in.text();
  drop_cut_line(s, in, read);
  for (oom_report& r : read.reports) {
    r.process = in.process(r.text.data());
    r.text = in.origin(r.text);
    for (oom_usage& u : r.usage) u.text = in.origin(u.text);
    for (oom_buffer& b : r.buffers) b.text = in.origin(b.text);
  }
  for (oom_report& r : read.reports)  // the sentence about a buffer that does not fit has its size once
    for (oom_buffer& b : r.buffers)
      if (b.size.text.empty() && r.wanted) b.size = *r.wanted;
  keep_plain_messages(read);
  std::stable_sort(read.reports.begin(), read.reports.end(),
                   [](const oom_report& a, const oom_report& b) { return a.text.data() < b.text.data(); });
}

}  // namespace hlolint::grammar::dump
