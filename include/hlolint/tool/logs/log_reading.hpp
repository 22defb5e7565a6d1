// From a job's log to the messages about missing memory in it: what tool/parse_log.hpp declares.
#pragma once

#include <hlolint/parse/dump_diagnostics.hpp>
#include <hlolint/text/compiled.hpp>
#include <hlolint/tool/logs/compiler_messages.hpp>
#include <hlolint/tool/logs/grammar/log.hpp>
#include <hlolint/tool/parse_log.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

namespace hlolint {

HLOLINT_INLINE parsed_file parse_log(source text) {
  parsed_file out;
  out.kind = input_kind::oom_report;
  const logs::job_log log(text.text());
  grammar::parse_state with;
  grammar::dump::read_dump buffers;
  grammar::dump::dump_state state(*log.text(), with, buffers);
  const auto read = std::make_shared<oom_log>();
  if (logs::holds_part_of_report(*log.text()) && !logs::mentions_failure(*log.text()))
    grammar::dump::read_all(grammar::dump::log_of_parts, state, *read);
  else
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
    }
  for (diagnostic& d : logs::read_messages(text, read->reports.empty())) out.diagnostics.push_back(std::move(d));
  sort_by_place(out.diagnostics);
  const bool wrong = !state.problems.empty() || !with.broken.empty() || state.cut_off;
  out.status = wrong ? parse_status::partial : parse_status::ok;
  const auto data = std::make_shared<buffer_data>();
  data->texts.push_back(text);
  data->oom = read;
  out.buffers.emplace(data);
  out.text = std::move(text);
  return out;
}

}  // namespace hlolint
