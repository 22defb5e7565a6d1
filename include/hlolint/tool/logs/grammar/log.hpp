// The log of a job with messages about missing memory (oom_logs.md), and their places in the log.
#pragma once

#include <hlolint/tool/logs/grammar/oom_report.hpp>
#include <hlolint/tool/logs/job_log.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace hlolint::grammar::dump {

/// The messages of a log. Text before the first message does not count: compilers also print such lists without an
/// error.
inline constexpr auto log = rule<oom_log>("log") = byte_order_mark >>
                                                   *(append<&oom_log::reports>[oom::report] | oom::other_line);

/// Reports whose first lines are missing, as people paste them.
inline constexpr auto log_of_parts = rule<oom_log>("log of parts") =
    byte_order_mark >> *(append<&oom_log::reports>[oom::report_without_head] | oom::other_line);

/// Drops the problems and texts of the last line if the end of the log cuts it. `locate` calls this after it moved the
/// problems and before it moves the texts of buffers.
inline void drop_cut_line(dump_state& s, const logs::job_log& in, oom_log& read) {
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

/// Drops vague messages, which repeat a plain message. Without a plain one the first vague message stays.
inline void keep_plain_messages(oom_log& read) {
  bool plain = std::any_of(read.reports.begin(), read.reports.end(),
                           [](const oom_report& r) { return !r.vague && r.outcome == oom_outcome::failed; });
  erase_if(read.reports, [&](const oom_report& r) { return r.vague && std::exchange(plain, true); });
}

/// Moves all places from the text of `job_log` to the log itself.
inline void locate(dump_state& s, const logs::job_log& in, oom_log& read) {
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
  for (oom_report& r : read.reports)  // the sentence about a buffer that does not fit has its size only once
    for (oom_buffer& b : r.buffers)
      if (b.size.text.empty() && r.wanted) b.size = *r.wanted;
  keep_plain_messages(read);
  std::stable_sort(read.reports.begin(), read.reports.end(),
                   [](const oom_report& a, const oom_report& b) { return a.text.data() < b.text.data(); });
}

}  // namespace hlolint::grammar::dump
