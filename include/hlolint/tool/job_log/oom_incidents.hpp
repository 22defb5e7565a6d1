// Out-of-memory incidents of a job: messages of several processes and layers about one event are joined.
#pragma once

#include <hlolint/tool/logs/oom_report.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace hlolint {

/// One event of memory running out, or expected to run out.
struct oom_incident {
  oom_report report;                        ///< the first message, with what the others add to it
  std::size_t messages = 1;                 ///< messages about it
  std::vector<std::string_view> processes;  ///< the processes that wrote them, if the log names them
  /// The compiler's earlier estimate in the same process: the need of the whole program after rematerialization.
  std::optional<printed_size> expected;
  std::string_view expected_in;  ///< the message with it

  /// The bytes of all allocations of the program, according to its statistics.
  std::optional<byte_count> of_program() const {
    for (const oom_usage& u : report.usage)
      if (u.label == "total allocation" && u.size) return u.size->bytes;
    return std::nullopt;
  }
  /// Whether the program needs little of the memory, so that something else fills it: a quarter of what there is, or
  /// less than the smallest accelerator has.
  bool of_small_program() const {
    const auto needs = of_program();
    return needs && report.memory_space.empty() &&
           (report.capacity ? *needs < report.capacity->bytes / 4 : *needs < (byte_count{1} << 30));
  }
  /// Whether the request is for a value that the report lists.
  bool is_for_one_value() const {
    return report.wanted && (report.memory_space.empty() || report.memory_space == "hbm") &&
           std::any_of(report.buffers.begin(), report.buffers.end(),
                       [&](const oom_buffer& b) { return human(b.size.bytes) == human(report.wanted->bytes); });
  }
  /// The bytes of padding among the temporaries, according to their utilization; nothing if it is not printed.
  std::optional<byte_count> padding_of_temporaries() const {
    for (const oom_usage& u : report.usage) {
      if (u.padded && u.unpadded && u.padded->bytes > u.unpadded->bytes) return u.padded->bytes - u.unpadded->bytes;
      if (u.size && u.utilization && *u.utilization >= 0 && *u.utilization <= 100)
        return static_cast<byte_count>(static_cast<double>(u.size->bytes) * (1 - *u.utilization / 100));
    }
    return std::nullopt;
  }
  /// The missing bytes; nothing if the log does not show them.
  std::optional<byte_count> missing() const {
    const auto more = [](const printed_size& a, const printed_size& b) -> std::optional<byte_count> {
      const byte_count by = (checked_int64(a.bytes) - b.bytes).clamped();
      return by > 0 ? std::optional(by) : std::nullopt;
    };
    if (report.exceeded) return report.exceeded->bytes;
    if (report.used && report.capacity) return more(*report.used, *report.capacity);
    for (const auto* const room : {&report.reservable, &report.largest_free, &report.free})
      if (report.wanted && *room) return more(*report.wanted, **room);
    if (report.wanted && report.capacity && report.in_use) {
      const auto end = checked_add(report.wanted->bytes, report.in_use->bytes);
      return end && *end > report.capacity->bytes ? std::optional(*end - report.capacity->bytes) : std::nullopt;
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

/// The incidents of a log, by first message. Messages belong to one incident if they name the same space and sizes:
/// every rank writes one, an exception follows the allocator's message, and exceptions are shown twice. O(n log n).
inline std::vector<oom_incident> incidents_of(const oom_log& log) {
  using key = std::tuple<bool, std::string_view, std::string, std::string>;
  std::map<key, std::size_t> known;
  std::map<std::string_view, const oom_report*> expected;
  std::vector<oom_incident> out;
  const auto key_of = [](const oom_report& r) {
    const bool hint = r.outcome == oom_outcome::hint;
    const auto text = [](const std::optional<printed_size>& size) { return size ? human(size->bytes) : std::string(); };
    const std::string_view space = r.memory_space == "hbm" ? std::string_view{} : r.memory_space;
    if (hint) return key(hint, space, r.total_usage ? "arguments" : "temporaries", std::string());
    if (r.vague) return key(hint, space, "vague", std::string(r.text));
    if (r.wanted) return key(hint, space, "wanted", text(r.wanted));
    // A message that was cut has no `Exceeded ...`, as in the summary of pytest.
    if (r.used) return key(hint, space, text(r.used), r.capacity ? text(r.capacity) : text(r.exceeded));
    return key(hint, space, "text", std::string(r.memory_space.empty() ? r.text : r.allocating_for));
  };
  for (const oom_report& report : log.reports) {
    const auto [at, is_new] = known.try_emplace(key_of(report), out.size());
    if (is_new) out.push_back({report, 0, {}, {}, {}});
    oom_incident& incident = out[at->second];
    oom_report& to = incident.report;
    ++incident.messages;
    if (!report.process.empty() &&
        std::find(incident.processes.begin(), incident.processes.end(), report.process) == incident.processes.end() &&
        incident.processes.size() < 10'000)
      incident.processes.push_back(report.process);
    if (report.outcome == oom_outcome::failed) to.outcome = oom_outcome::failed;
    const auto larger = [](const std::optional<printed_size>& a, const std::optional<printed_size>& b) {
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
    add(to.capacity, report.capacity), add(to.exceeded, report.exceeded), add(to.free, report.free),
        add(to.largest_free, report.largest_free);
    add(to.reservable, report.reservable), add(to.in_use, report.in_use), add(to.total_usage, report.total_usage);
    if (to.allocator.empty()) to.allocator = report.allocator;
    if (report.outcome == oom_outcome::hint && report.used) expected.insert_or_assign(report.process, &report);
    if (report.outcome == oom_outcome::failed && !incident.expected)
      if (const auto before = expected.find(report.process); before != expected.end())
        incident.expected = before->second->used, incident.expected_in = before->second->text;
  }
  // An estimate that a failure shows is not shown again.
  const auto is_shown = [&](const oom_incident& hint) {
    return hint.report.outcome == oom_outcome::hint && hint.report.used &&
           std::any_of(out.begin(), out.end(), [&](const oom_incident& o) {
             return o.expected && o.expected->bytes == hint.report.used->bytes;
           });
  };
  std::vector<oom_incident> shown;
  for (oom_incident& incident : out)
    if (!is_shown(incident)) shown.push_back(incident);
  return shown;
}

}  // namespace hlolint
