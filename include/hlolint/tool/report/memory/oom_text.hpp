// Memory that ran out according to a job's log, as tables and as JSON.
#pragma once

#include <hlolint/ir/source_position.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/tool/report/memory/oom_facts.hpp>
#include <hlolint/tool/report/text_table.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <optional>
#include <vector>

namespace hlolint::report {

namespace detail {

inline void write_oom_parts(std::ostream& out, const std::vector<oom_part>& parts, std::size_t width) {
  const auto text = [](const std::optional<byte_count>& size, const char* otherwise) {
    return size ? human(*size) : std::string(otherwise);
  };
  text_table table({"memory holds", "#size", "#unpadded", "#in pieces"});
  for (const oom_part& part : parts)
    table.add({printable(part.name), text(part.size, "unknown"), text(part.unpadded, ""), text(part.in_pieces, "")});
  out << '\n';
  table.write(out, width);
}

inline void write_oom_values(std::ostream& out, const std::vector<oom_value>& values, std::size_t top,
                             std::size_t width) {
  text_table table({"#size", "#padding", "kind", "shape"});
  for (std::size_t i = 0; i < values.size() && i < top; ++i) {
    const oom_value& v = values[i];
    table.add({human(v.size), v.padding ? human(*v.padding) : std::string(), printable(v.kind), printable(v.shape)});
    std::string from = file_and_line(v.file, v.line);
    const std::string& name = v.op_name.empty() ? v.label : v.op_name;
    if (!name.empty()) from += (from.empty() ? "" : ", ") + name;
    if (!from.empty()) table.add_remark(printable(from));
  }
  out << '\n';
  table.write(out, width);
  out << and_more(values.size(), top, "  ", "\n");
}

}  // namespace detail

/// Writes for each incident what did not fit, what memory holds, and the largest values with padding and source lines.
/// `width`: of the terminal; 0 = no limit.
inline void write_oom(std::ostream& out, const oom_log& log, std::size_t top, std::size_t width = 0) {
  const std::vector<oom_facts> incidents = oom_facts_of(log);
  if (incidents.empty()) out << "  no message of missing memory\n";
  for (const oom_facts& facts : incidents) {
    detail::write_remark(out, printable(facts.message), width);
    if (!facts.allocating_for.empty()) out << "  for " << printable(facts.allocating_for.substr(0, 90)) << '\n';
    if (facts.expected) out << "  the compiler expected to need " << human(*facts.expected) << '\n';
    if (!facts.parts.empty()) detail::write_oom_parts(out, facts.parts, width);
    if (!facts.values.empty()) detail::write_oom_values(out, facts.values, top, width);
    if (!facts.advice.empty()) {
      out << '\n';
      detail::write_remark(out, printable("advice: " + facts.advice), width);
    }
    out << '\n';
  }
}

/// Writes the incidents as an array `out_of_memory`.
inline void write_oom_json(json_writer& json, const oom_log& log) {
  json.objects("out_of_memory", oom_facts_of(log), [&](const oom_facts& facts) {
    json.members("message", facts.message, "outcome", name_of(facts.outcome));
    json.members("phase", name_of(facts.phase), "messages", facts.messages);
    json.members_if("memory_space", facts.memory_space, "allocating_for", facts.allocating_for);
    json.members_if("missing", facts.missing, "needed", facts.needed, "capacity", facts.capacity);
    json.members_if("wanted", facts.wanted, "free", facts.free, "largest_free", facts.largest_free);
    json.members_if("expected", facts.expected, "advice", facts.advice);
    json.objects("parts", facts.parts, [&](const oom_part& part) {
      json.members("name", part.name, "size", part.size, "unpadded", part.unpadded, "in_pieces", part.in_pieces);
    });
    json.objects("values", facts.values, [&](const oom_value& v) {
      json.member("size", v.size);
      json.members_if("padding", v.padding, "kind", v.kind, "shape", v.shape, "label", v.label, "op_name", v.op_name);
      write_source(json, v.file, v.line);
    });
  });
}

}  // namespace hlolint::report
