// What ran out of memory according to a job's log, as tables.
#pragma once

#include <hlolint/checks/budget/out_of_memory.hpp>
#include <hlolint/report/explain.hpp>
#include <hlolint/report/json_writer.hpp>
#include <hlolint/report/text_table.hpp>
#include <hlolint/report/utf8.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::report {

namespace detail {
// The largest first.
inline std::vector<const oom_buffer*> buffers_by_size(const oom_report& report) {
  std::vector<const oom_buffer*> out;
  for (const oom_buffer& b : report.buffers) out.push_back(&b);
  std::stable_sort(out.begin(), out.end(),
                   [](const oom_buffer* a, const oom_buffer* b) { return a->size.bytes > b->size.bytes; });
  return out;
}
inline std::string size_or_blank(const std::optional<printed_size>& size) {
  return size ? human(size->bytes) : std::string();
}
}  // namespace detail

/// For each time: what did not fit, what memory holds, and the largest values with their padding and source lines.
/// `width`: of the terminal; 0 = no limit.
inline void write_oom(std::ostream& out, const oom_log& log, std::size_t top, std::size_t width = 0) {
  const std::vector<oom_incident> incidents = incidents_of(log);
  if (incidents.empty()) out << "  no message of missing memory\n";
  for (const oom_incident& incident : incidents) {
    const oom_report& r = incident.report;
    detail::write_wrapped(out, printable(oom_sentence(incident)), "  ", sentence_width(width));
    if (!r.allocating_for.empty()) out << "  for " << printable(r.allocating_for.substr(0, 90)) << '\n';
    if (incident.expected) out << "  the compiler expected to need " << human(incident.expected->bytes) << '\n';
    if (!r.usage.empty()) {
      text_table table({"memory holds", "size", "unpadded", "in pieces"}, {false, true, true, true});
      for (const oom_usage& u : r.usage)
        table.add({printable(u.label), u.size ? human(u.size->bytes) : "?", detail::size_or_blank(u.unpadded),
                   detail::size_or_blank(u.fragmented)});
      out << '\n';
      table.write(out, width);
    }
    const std::vector<const oom_buffer*> order = detail::buffers_by_size(r);
    if (!order.empty()) {
      text_table table({"size", "padding", "kind", "shape"}, {true, true, false, false});
      for (std::size_t i = 0; i < order.size() && i < top; ++i) {
        const oom_buffer& b = *order[i];
        table.add({human(b.size.bytes), detail::size_or_blank(b.padding),
                   b.entry_parameter ? "parameter" : printable(b.allocation_type), printable(b.shape)});
        const oom_source from = source_of(b);
        std::string text = std::string(from.file) + (from.line > 0 ? ":" + std::to_string(from.line) : "");
        for (const std::string_view part : {from.op_name, from.op_name.empty() ? b.label : std::string_view{}})
          if (!part.empty()) text += (text.empty() ? "" : ", ") + std::string(part);
        if (!text.empty()) table.add_remark(printable(text));
      }
      out << '\n';
      table.write(out, width);
      if (order.size() > top) out << "  and " << order.size() - top << " more\n";
    }
    if (const std::string advice = oom_advice(incident); !advice.empty()) {
      out << '\n';
      detail::write_wrapped(out, printable("advice: " + advice), "  ", sentence_width(width));
    }
    out << '\n';
  }
}

/// The same as an array `out_of_memory`; sizes in bytes are as exact as the log has them.
inline void write_oom_json(json_writer& json, const oom_log& log) {
  json.objects("out_of_memory", incidents_of(log), [&](const oom_incident& incident) {
    const oom_report& r = incident.report;
    const auto size = [&](std::string_view name, const std::optional<printed_size>& value) {
      if (value) json.member(name, value->bytes);
    };
    json.member("message", oom_sentence(incident));
    json.member("outcome", r.outcome == oom_outcome::failed    ? "failed"
                           : r.outcome == oom_outcome::retried ? "retried"
                                                               : "hint");
    json.member("phase", r.phase == oom_phase::compile ? "compile" : r.phase == oom_phase::load ? "load" : "run");
    json.member("messages", incident.messages);
    json.member_if("memory_space", r.memory_space);
    json.member_if("missing", incident.missing());
    size("needed", r.used), size("capacity", r.capacity), size("wanted", r.wanted), size("free", r.free);
    size("largest_free", r.largest_free);
    json.objects("values", detail::buffers_by_size(r), [&](const oom_buffer* b) {
      json.member("size", b->size.bytes);
      if (b->padding) json.member("padding", b->padding->bytes);
      json.member_if("shape", b->shape);
      const oom_source from = source_of(*b);
      json.member_if("op_name", from.op_name);
      if (!from.file.empty())
        json.object("source", [&] {
          json.member("file", from.file);
          if (from.line > 0) json.member("line", from.line);
        });
    });
  });
}

}  // namespace hlolint::report
