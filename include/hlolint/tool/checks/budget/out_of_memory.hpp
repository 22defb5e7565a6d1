// BUD008: a job that ran out of memory, according to its log.
#pragma once

#include <hlolint/lint/check.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/tool/compiled.hpp>
#include <hlolint/tool/job_log/oom_buffers.hpp>
#include <hlolint/tool/job_log/oom_incidents.hpp>
#include <hlolint/tool/job_log/oom_text.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// One finding for each time memory ran out, however many processes reported it.
struct out_of_memory {
  static constexpr rule about{
      .id = "BUD008",
      .name = "out-of-memory",
      .level = severity::error,
      .needs = need::nothing,  ///< a log alone is enough
      .what = "A job's log reports that memory ran out, on the device, in a kernel or on the host.",
      .why = "The job stops there. The report names what did not fit and by how much, and often the largest values.",
      .advice =
          "Start with the values named here: shard or donate them, compute them in parts, or use smaller "
          "batches.",
      .example = "Ran out of memory in memory space hbm. Used 18.40G of 15.75G hbm. Exceeded hbm capacity by 2.65G.",
      .source = "XLA: docs/errors/error_1000.md"};

  int values = 5;
  static constexpr auto options =
      std::tuple{option{"values", &out_of_memory::values, "how many of the largest values are named"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_TOOL_DECLARATIONS_ONLY
#include <hlolint/analysis/program/program_place.hpp>

namespace hlolint {

namespace detail {

/// The instruction of a program that a buffer of a report is a result of: by the name in its label, or else the only
/// one with its op_name; an empty view if there is none.
inline hlo_instruction instruction_of(const hlo_module& program, const oom_buffer& buffer) {
  std::string_view name = buffer.label;
  if (const std::size_t end = name.find(" = "); end != name.npos) name = name.substr(0, end);
  if (name.starts_with("ROOT ")) name.remove_prefix(5);
  if (name.starts_with('%')) name.remove_prefix(1);
  const std::string op_name = source_of(buffer).op_name;
  hlo_instruction found;
  std::size_t count = 0;
  for (const hlo_instruction i : program.instructions()) {
    if (i.is_synthesized()) continue;
    if (!name.empty() && i.name() == name) return i;
    if (!op_name.empty() && program_place_of(i).op_name == op_name) found = i, ++count;
  }
  return count == 1 ? found : hlo_instruction{};
}

}  // namespace detail

HLOLINT_INLINE void out_of_memory::operator()(const context& dump, sink_ref emit) const {
  if (!dump.buffers() || !dump.buffers()->oom()) return;
  for (const oom_incident& incident : incidents_of(*dump.buffers()->oom())) {
    const oom_report& r = incident.report;
    finding d = finding_at(dump.buffers()->where(r.text), oom_sentence(incident), {.bytes = incident.missing()});
    if (r.outcome != oom_outcome::failed) d.level = severity::note;
    if (r.vague || r.without_head) d.level = severity::warning;
    d.advice = oom_advice(incident);
    d.subject.instruction = std::string(r.allocating_for.substr(0, r.allocating_for.find(' ')));
    oom_source from = source_of(r.allocating_for);
    if (from.file.empty() && !r.buffers.empty()) from = source_of(r.buffers.front());
    d.subject.from.at.file = from.file;
    d.subject.from.at.line = from.line;
    d.subject.from.op_name = from.op_name;
    if (!r.buffers.empty()) {
      d.subject.shape = std::string(r.buffers.front().shape);
    }
    const std::vector<const oom_buffer*> order = buffers_by_size(r);
    for (std::size_t i = 0; i < order.size() && static_cast<int>(i) < values; ++i)
      d.related.push_back(
          {dump.buffers()->where(order[i]->text), std::string(), std::nullopt, oom_value_text(*order[i])});
    if (dump.hlo() && !order.empty())
      if (const hlo_instruction of = detail::instruction_of(*dump.hlo(), *order.front())) {
        d.related.push_back({of.where(), std::string(of.name()), std::nullopt, "the largest of them in the program"});
        d.advice += " In the program it is " + std::string(of.name()) + ", in line " +
                    std::to_string(of.where().begin().line) + ".";
      }
    if (incident.expected)
      d.related.push_back({dump.buffers()->where(incident.expected_in), std::string(), std::nullopt,
                           "the compiler expected to need " + human(incident.expected->bytes)});
    emit(std::move(d));
  }
}

}  // namespace hlolint
#endif
