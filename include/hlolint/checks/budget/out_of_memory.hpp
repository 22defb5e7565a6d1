// BUD008: a job that ran out of memory, according to its log.
#pragma once

#include <hlolint/analysis/job_log/oom_incidents.hpp>
#include <hlolint/lint/check.hpp>
#include <hlolint/lint/finding_at.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace hlolint {

/// One finding for each time memory ran out, however many processes reported it.
struct out_of_memory {
  static constexpr rule about{
      .id = "BUD008",
      .name = "out-of-memory",
      .level = severity::error,
      .what = "A job's log reports that memory ran out, on the device, in a kernel or on the host.",
      .why = "The job stops there. The report names what did not fit and by how much, and often the largest values.",
      .advice = "Start with the values named here: shard or donate them, compute them in parts, or use smaller "
                "batches.",
      .example = "Ran out of memory in memory space hbm. Used 18.40G of 15.75G hbm. Exceeded hbm capacity by 2.65G.",
      .source = "XLA: docs/errors/error_1000.md"};
  static constexpr need needs = need::nothing;  ///< a log alone is enough

  std::int64_t values = 5;
  static constexpr auto options =
      std::tuple{option{"values", &out_of_memory::values, "how many of the largest values are named"}};

  void operator()(const context& dump, sink_ref report) const;
};

}  // namespace hlolint

#ifdef HLOLINT_CHECK_CODE
namespace hlolint {

HLOLINT_INLINE void out_of_memory::operator()(const context& dump, sink_ref report) const {
  if (!dump.buffers() || !dump.buffers()->oom()) return;
  for (const oom_incident& incident : incidents_of(*dump.buffers()->oom())) {
    const oom_report& r = incident.report;
    finding d(oom_sentence(incident));
    if (r.outcome != oom_outcome::failed) d.level = severity::note;
    if (r.vague) d.level = severity::warning;
    d.where = dump.buffers()->where(r.text);
    d.bytes = incident.missing();
    d.advice = oom_advice(incident);
    d.subject.instruction = std::string(r.allocating_for.substr(0, r.allocating_for.find(' ')));
    if (!r.buffers.empty()) {
      const oom_source from = source_of(r.buffers.front());
      d.subject.from.at.file = std::string(from.file);
      d.subject.from.at.line = from.line;
      d.subject.from.op_name = std::string(from.op_name);
      d.subject.shape = std::string(r.buffers.front().shape);
    }
    const record_list<const oom_buffer*> order = buffers_by_size(r);
    for (std::size_t i = 0; i < order.size() && static_cast<std::int64_t>(i) < values; ++i)
      d.related.push_back(
          {dump.buffers()->where(order[i]->text), std::string(), std::nullopt, oom_value_text(*order[i])});
    if (incident.expected)
      d.related.push_back(
          {d.where, std::string(), std::nullopt, "the compiler expected to need " + human(incident.expected->bytes)});
    report(std::move(d));
  }
}

}  // namespace hlolint
#endif
