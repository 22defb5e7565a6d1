// What a parser or a rule reports, as a plain value. Nothing here prints; see report/.
#pragma once

#include <hlolint/text/bytes.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>
#include <hlolint/text/source.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace hlolint {

/// Notes are opt-in, warnings cost memory or time, errors mean that the program or the dump is wrong.
enum class severity : std::uint8_t { note, warning, error };

/// `error`, `warning` or `note`, as reports write it.
constexpr std::string_view name_of(severity level) {
  return level == severity::error ? "error" : level == severity::warning ? "warning" : "note";
}

/// Bytes [offset, offset + size) of an allocation, and the schedule positions (inclusive) at which its value lives.
struct buffer_place {
  std::int64_t allocation = 0;  ///< position among the dump's allocations
  byte_count offset = 0;  ///< from the beginning of the allocation
  byte_count size = 0;  ///< of the value, in bytes
  optional<std::int64_t> start;  ///< first schedule position, inclusive; empty where no live range is known
  optional<std::int64_t> end;    ///< last schedule position, inclusive
  friend bool operator==(const buffer_place&, const buffer_place&) = default;
};

/// The other party of a finding.
struct related_place {
  location where;  ///< where it stands; an empty source if it is not in a text
  std::string instruction;  ///< its name, if it is one
  optional<buffer_place> buffer;  ///< the bytes that it occupies, if it is a buffer
  std::string message;  ///< what it has to do with the finding
  friend bool operator==(const related_place&, const related_place&) = default;
};

/// What the amount of an impact counts.
enum class impact_unit : std::uint8_t {
  resident_bytes,  ///< of memory, as long as the program or the value lives
  moved_bytes,     ///< in one step of the program: with all iterations of the loops around
  seconds,         ///< of one step of the program, estimated
  relative_time    ///< of one step, on a device of which only the ratios of its rates mean anything: to compare
};

/// `resident_bytes` and so on: the unit as reports write it.
constexpr std::string_view name_of(impact_unit unit) {
  constexpr std::string_view names[] = {"resident_bytes", "moved_bytes", "seconds", "relative_time"};
  return names[static_cast<std::size_t>(unit)];
}

/// What could be saved; findings of one unit can be compared.
struct finding_impact {
  double amount = 0;  ///< in `unit`
  impact_unit unit = impact_unit::resident_bytes;  ///< what `amount` counts
  friend bool operator==(const finding_impact&, const finding_impact&) = default;
};

/// The part of a finding's time that is the time of one instruction, so that sums of findings count it once.
struct time_share {
  std::uint32_t instruction = 0;  ///< its number in the module
  double amount = 0;              ///< of a step, in the unit of the finding's time
  friend bool operator==(const time_share&, const time_share&) = default;
};

/// Why a finding does not count.
struct dismissal {
  bool by_baseline = false;  ///< else by a suppression of the configuration
  std::string reason;  ///< what the baseline or the configuration gives; may be empty
  friend bool operator==(const dismissal&, const dismissal&) = default;
};

/// One finding as it is reported. Members without a value stay empty.
struct diagnostic {
  std::string rule;  ///< the rule's id: `ALI001`
  std::string name;  ///< the rule's name: `alias-unmatched`
  severity level = severity::error;  ///< `error` is no ceiling
  std::string message;  ///< what is wrong, in one sentence
  location where;  ///< the text that the finding is about
  std::string module;  ///< name of the module
  std::string computation;  ///< name of the computation, if the finding is about one
  std::string instruction;  ///< name of the instruction, if the finding is about one
  std::string source_file;       ///< the user's program, from the instruction's metadata
  std::int64_t source_line = 0;  ///< 0 = unknown
  std::string op_name;  ///< the framework's name of the operation, from the instruction's metadata
  std::string shape;  ///< the instruction's shape, as text
  optional<byte_count> bytes;            ///< bytes lost or in conflict, in one run
  optional<finding_impact> impact;       ///< what matters most of `impacts`
  record_list<finding_impact> impacts;   ///< for a whole step, at most one of each unit, as `impact_unit` orders them
  record_list<time_share> time_shares;  ///< what the time among `impacts` is made of; may be empty
  optional<buffer_place> buffer;        ///< the buffer at fault, of findings about memory
  record_list<related_place> related;  ///< other places that take part, in the order in which they matter
  std::string advice;  ///< what to do about it, where that depends on the finding
  std::string fingerprint;  ///< names the finding across runs: lint/accept/fingerprint.hpp
  optional<dismissal> dismissed;  ///< present: it is listed and does not count
  friend bool operator==(const diagnostic&, const diagnostic&) = default;
};

/// So many problems of one text are listed at most, by each part that finds any; what is beyond is counted. A text of a
/// few bytes per line could otherwise ask for a hundred times its size.
inline constexpr std::size_t most_listed = std::size_t{1} << 15;

/// `317 more like the 32768 above are not listed`
inline std::string unlisted_text(std::size_t count) {
  return std::to_string(count) + " more like the " + std::to_string(most_listed) + " before are not listed";
}

/// How much of an input was read.
enum class parse_status : std::uint8_t { ok, partial, failed };

/// `ok`, ...: as reports write it.
constexpr std::string_view name_of(parse_status status) {
  return status == parse_status::ok ? "ok" : status == parse_status::partial ? "partial" : "failed";
}

}  // namespace hlolint
