// From a job's log to the messages about missing memory in it: what parse_log.hpp declares.
#pragma once

#include <hlolint/grammar/logs/log.hpp>
#include <hlolint/parse/dump_diagnostics.hpp>
#include <hlolint/parse_log.hpp>
#include <hlolint/text/containers/new_shared.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace hlolint {

template <class State>
parsed_file parse_log(source text) {
  parsed_file out;
  out.kind = input_kind::oom_report;
  const logs::job_log log(text.text());
  grammar::parse_state with;
  grammar::dump::read_dump buffers;
  State state(*log.text(), with, buffers);
  const auto read = new_shared<oom_log>();
  grammar::dump::read_all(grammar::dump::log, state, *read);
  grammar::dump::locate(state, log, *read);
  if (text.oversized()) state.cut_off = true;

  out.diagnostics = detail::diagnostics_of(state, text);
  if (std::none_of(read->reports.begin(), read->reports.end(),
                   [](const oom_report& r) { return r.outcome == oom_outcome::failed; }))
    if (const std::size_t at = logs::first_mention(text.text()); at != std::string_view::npos) {
      out.diagnostics.push_back(reading_problem(
          "DMP013",
          "this line is about missing memory or another resource, but no message in this log reports that memory "
          "ran out",
          {text, detail::word_at(text.text(), text.text().data() + at)}, severity::note));
      sort_by_place(out.diagnostics);
    }
  const bool wrong = !state.problems.empty() || !with.broken.empty() || state.cut_off;
  out.status = wrong ? parse_status::partial : parse_status::ok;
  const auto data = new_shared<buffer_data>();
  data->texts.push_back(text);
  data->oom = read;
  out.buffers.emplace(data);
  out.text = std::move(text);
  return out;
}

}  // namespace hlolint
