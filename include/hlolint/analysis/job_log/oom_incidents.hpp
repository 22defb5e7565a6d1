// Out-of-memory incidents of a job: messages of several processes and layers about one event are joined.
#pragma once

#include <hlolint/ir/oom_report.hpp>
#include <hlolint/text/containers/ordered_map.hpp>
#include <hlolint/text/containers/sort_records.hpp>
#include <hlolint/text/integer.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

namespace hlolint {

/// One event of memory running out, or expected to run out.
struct oom_incident {
  oom_report report;                        ///< the first message, with what the others add to it
  std::size_t messages = 1;                 ///< messages about it
  record_list<std::string_view> processes;  ///< the processes that wrote them, if the log names them
  /// The compiler's earlier estimate in the same process: the need of the whole program after rematerialization.
  optional<printed_size> expected;

  /// The missing bytes; nothing if the log does not show them.
  optional<byte_count> missing() const {
    const auto more = [](const printed_size& a, const printed_size& b) -> optional<byte_count> {
      const byte_count by = (checked_int64(a.bytes) - b.bytes).clamped();
      return by > 0 ? optional(by) : std::nullopt;
    };
    if (report.exceeded) return report.exceeded->bytes;
    if (report.used && report.capacity) return more(*report.used, *report.capacity);
    if (report.wanted && report.reservable) return more(*report.wanted, *report.reservable);
    if (report.wanted && report.largest_free) return more(*report.wanted, *report.largest_free);
    if (report.wanted && report.free) return more(*report.wanted, *report.free);
    if (report.wanted && report.capacity && report.in_use) {
      const auto end = checked_add(report.wanted->bytes, report.in_use->bytes);
      return end && *end > report.capacity->bytes ? optional(*end - report.capacity->bytes) : std::nullopt;
    }
    if (report.wanted && report.capacity) return more(*report.wanted, *report.capacity);
    return std::nullopt;
  }
  /// Whether the failed request was for all temporaries of the program, according to its statistics.
  bool is_scratch() const {
    return report.wanted && std::any_of(report.usage.begin(), report.usage.end(), [&](const oom_usage& u) {
             return u.label == "preallocated temp allocation" && u.size && u.size->bytes > 0 &&
                    human(u.size->bytes) == human(report.wanted->bytes);
           });
  }
  /// Whether enough bytes are free, but not in one piece.
  bool fragmented() const {
    return report.wanted && report.free && report.free->bytes >= report.wanted->bytes &&
           (!report.reservable || report.reservable->bytes == report.free->bytes);
  }
  /// Whether one value is larger than the whole memory.
  bool larger_than_all() const {
    return report.wanted && report.capacity && report.wanted->bytes > report.capacity->bytes;
  }
};

/// The place in the program that a buffer of a report comes from, according to its metadata.
struct oom_source {
  /// The framework's name of the operation, and the file it is written in; empty where not known. @{
  std::string_view op_name, file;
  /// @}
  std::int64_t line = 0;  ///< 1-based; 0 = not known
};

/// Reads the metadata that the report prints for a buffer.
inline oom_source source_of(const oom_buffer& buffer) {
  const auto quoted = [&](std::string_view member) {
    const std::size_t at = buffer.metadata.find(member);
    if (at == std::string_view::npos) return std::string_view{};
    const std::string_view rest = buffer.metadata.substr(at + member.size());
    return rest.substr(0, rest.find('"'));
  };
  oom_source out{quoted("op_name=\""), quoted("source_file=\"")};
  if (const std::size_t at = buffer.metadata.find("source_line="); at != std::string_view::npos)
    out.line = leading_integer(std::string_view(buffer.metadata).substr(at + 12)).value_or(0);
  return out;
}

/// The buffers of a report, the largest first.
inline record_list<const oom_buffer*> buffers_by_size(const oom_report& report) {
  record_list<const oom_buffer*> out;
  for (const oom_buffer& b : report.buffers) out.push_back(&b);
  sort_records(out, [](const oom_buffer* a, const oom_buffer* b) { return a->size.bytes > b->size.bytes; });
  return out;
}

/// The incidents of a log, by first message. Messages belong to one incident if they name the same space and sizes:
/// every rank writes one, an exception follows the allocator's message, and exceptions are shown twice. O(n log n).
inline record_list<oom_incident> incidents_of(const oom_log& log) {
  using key = std::tuple<bool, std::string_view, std::string, std::string>;
  ordered_map<key, std::size_t> known;
  ordered_map<std::string_view, printed_size> expected;
  record_list<oom_incident> out;
  const auto key_of = [](const oom_report& r) {
    const bool hint = r.outcome == oom_outcome::hint;
    const auto text = [](const optional<printed_size>& size) { return size ? human(size->bytes) : std::string(); };
    const std::string_view space = r.memory_space == "hbm" ? std::string_view{} : r.memory_space;
    if (hint) return key(hint, space, r.total_usage ? "arguments" : "temporaries", std::string());
    if (r.vague) return key(hint, space, "vague", std::string(r.text));
    if (r.wanted) return key(hint, space, "wanted", text(r.wanted));
    if (r.used) return key(hint, space, text(r.used), r.exceeded ? text(r.exceeded) : text(r.capacity));
    return key(hint, space, "text", std::string(r.memory_space.empty() ? r.text : r.allocating_for));
  };
  for (const oom_report& report : log.reports) {
    const auto [at, is_new] = known.try_emplace(key_of(report), out.size());
    if (is_new) out.push_back({report, 0, {}, {}});
    oom_incident& incident = out[at->second];
    oom_report& to = incident.report;
    ++incident.messages;
    if (!report.process.empty() &&
        std::find(incident.processes.begin(), incident.processes.end(), report.process) == incident.processes.end() &&
        incident.processes.size() < 10'000)
      incident.processes.push_back(report.process);
    if (report.outcome == oom_outcome::failed) to.outcome = oom_outcome::failed;
    const auto larger = [](const optional<printed_size>& a, const optional<printed_size>& b) {
      return a && b && a->bytes > b->bytes;
    };
    if (report.outcome == oom_outcome::hint &&
        (larger(report.used, to.used) || larger(report.total_usage, to.total_usage)))
      to = report;  // of the estimates for many programs, the worst counts
    if (report.buffers.size() > to.buffers.size()) to.buffers = report.buffers;
    if (report.usage.size() > to.usage.size()) to.usage = report.usage;
    const auto add = [](auto& member, const auto& other) {
      if (!member) member = other;
    };
    add(to.capacity, report.capacity), add(to.free, report.free), add(to.largest_free, report.largest_free);
    add(to.reservable, report.reservable), add(to.in_use, report.in_use), add(to.total_usage, report.total_usage);
    if (to.allocator.empty()) to.allocator = report.allocator;
    if (to.device.empty()) to.device = report.device;
    if (report.outcome == oom_outcome::hint && report.used) expected.insert_or_assign(report.process, *report.used);
    if (report.outcome == oom_outcome::failed && !incident.expected)
      if (const auto before = expected.find(report.process); before != expected.end())
        incident.expected = before->second;
  }
  // An estimate that a failure shows is not shown again.
  const auto is_shown = [&](const oom_incident& hint) {
    return hint.report.outcome == oom_outcome::hint && hint.report.used &&
           std::any_of(out.begin(), out.end(), [&](const oom_incident& o) {
             return o.expected && o.expected->bytes == hint.report.used->bytes;
           });
  };
  record_list<oom_incident> shown;
  for (oom_incident& incident : out)
    if (!is_shown(incident)) shown.push_back(incident);
  return shown;
}

}  // namespace hlolint
