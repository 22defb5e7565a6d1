// Diagnostics of parsers and rules, as plain values. report/ prints them.
#pragma once

#include <hlolint/text/bytes.hpp>
#include <hlolint/text/source.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// Notes are opt-in, warnings cost memory or time, errors mean that the program or the dump is wrong.
enum class severity : std::uint8_t { note, warning, error };

/// `error`, `warning` or `note`, as reports write it.
constexpr std::string_view name_of(severity level) {
  return level == severity::error ? "error" : level == severity::warning ? "warning" : "note";
}

/// How sure a promise is.
enum class certainty : std::uint8_t {
  proven,     ///< the assignment of a text that was checked gives it; the compiler has to make that text
  confirmed,  ///< the compiler gave it, to within 2 %
  bound,      ///< the compiler may give less, but not more
  estimate    ///< of a model
};
/// `proven`, `confirmed`, `bound` or `estimate`.
constexpr std::string_view name_of(certainty c) {
  constexpr std::string_view names[] = {"proven", "confirmed", "bound", "estimate"};
  return names[static_cast<std::size_t>(c)];
}
/// How sure a promise is, in words: `proven on this text`.
constexpr std::string_view certainty_text(certainty c) {
  constexpr std::string_view words[] = {"proven on this text", "confirmed by compiling again", "at most", "estimated"};
  return words[static_cast<std::size_t>(c)];
}
/// `2.00GiB`, `at most 2.00GiB` of a bound, or `about 2.00GiB` of an estimate.
inline std::string amount_text(byte_count bytes, certainty c) {
  return (c == certainty::bound ? "at most " : c == certainty::estimate ? "about " : "") + human(bytes);
}

/// The memory that a program needs less once the advice of a finding is taken.
struct promised_bytes {
  byte_count saves = 0;                      ///< in bytes
  certainty how_sure = certainty::estimate;  ///< of these bytes
  friend bool operator==(const promised_bytes&, const promised_bytes&) = default;
};
/// `at most 2.00GiB can be saved`, or `2.00GiB can be saved (proven on this text)`.
inline std::string promise_text(const promised_bytes& promise) {
  std::string out = amount_text(promise.saves, promise.how_sure) + " can be saved";
  if (promise.how_sure < certainty::bound) out.append(" (").append(certainty_text(promise.how_sure)).append(")");
  return out;
}

/// Bytes [offset, offset + size) of an allocation, and the schedule positions at which the value in them lives.
struct buffer_place {
  std::int64_t allocation = 0;        ///< position among the dump's allocations
  byte_count offset = 0;              ///< from the beginning of the allocation
  byte_count size = 0;                ///< of the value, in bytes
  std::optional<std::int64_t> start;  ///< first schedule position; empty if no live range is known
  std::optional<std::int64_t> end;    ///< last schedule position, inclusive
  friend bool operator==(const buffer_place&, const buffer_place&) = default;
};

/// Another thing that takes part in a finding.
struct related_place {
  location where;                      ///< an empty source if the thing is not in a text
  std::string instruction;             ///< the name of the instruction, if it is one
  std::optional<buffer_place> buffer;  ///< the bytes that it occupies, if it is a buffer
  std::string message;                 ///< its part in the finding
  friend bool operator==(const related_place&, const related_place&) = default;
};

/// Where the user's program has what reads, or makes the operands of, an instruction that the compiler added.
struct neighboring_place {
  std::string source_file;       ///< may be empty, but not with `op_name`
  std::int64_t source_line = 0;  ///< 0 = unknown
  std::string op_name;           ///< the framework's name of the operation
  bool reads_it = false;         ///< false: it makes an operand
  friend bool operator==(const neighboring_place&, const neighboring_place&) = default;
};

/// The unit of an impact.
enum class impact_unit : std::uint8_t {
  resident_bytes,  ///< memory that is in use for as long as the program or the value lives
  moved_bytes,     ///< bytes moved in one step of the program, with all iterations of the loops around
  seconds,         ///< estimated time of one step of the program
  relative_time    ///< time of one step on a made-up device, of which only the ratios of rates are known: to compare
};

/// `resident_bytes` and so on: the unit as reports write it.
constexpr std::string_view name_of(impact_unit unit) {
  constexpr std::string_view names[] = {"resident_bytes", "moved_bytes", "seconds", "relative_time"};
  return names[static_cast<std::size_t>(unit)];
}

/// The amount that could be saved. Impacts of one unit can be compared.
struct finding_impact {
  double amount = 0;                               ///< in `unit`
  impact_unit unit = impact_unit::resident_bytes;  ///< the unit of `amount`
  friend bool operator==(const finding_impact&, const finding_impact&) = default;
};

/// The time of one instruction as part of a finding's time, so that sums over findings count each instruction once.
struct time_share {
  std::uint32_t instruction = 0;  ///< its number in the module
  double amount = 0;              ///< of a step, in the unit of the finding's time
  bool by_overlap = false;        ///< won by work that runs meanwhile, of which there is only so much
  friend bool operator==(const time_share&, const time_share&) = default;
};

/// Why a finding does not count.
struct dismissal {
  bool by_baseline = false;  ///< false: a suppression in the configuration dismissed it
  std::string reason;        ///< as the baseline or the configuration gives it; may be empty
  friend bool operator==(const dismissal&, const dismissal&) = default;
};

/// A finding, or a problem of reading, as it is reported. Members without a value stay empty.
struct diagnostic {
  std::string rule;                       ///< the rule's id: `ALI001`
  std::string name;                       ///< the rule's name: `alias-unmatched`
  severity level = severity::error;       ///< may be below the level of the rule
  std::string message;                    ///< what is wrong, in one sentence
  location where;                         ///< the text that the finding is about
  std::string module;                     ///< name of the module
  std::string computation;                ///< name of the computation, if the finding is about one
  std::string instruction;                ///< name of the instruction, if the finding is about one
  std::string source_file;                ///< the user's program, from the instruction's metadata
  std::int64_t source_line = 0;           ///< 0 = unknown
  std::string op_name;                    ///< the framework's name of the operation, from the instruction's metadata
  std::optional<neighboring_place> near;  ///< if there is neither of these
  std::string shape;                      ///< the instruction's shape, as text
  std::optional<byte_count> bytes;        ///< bytes lost or in conflict, in one run
  std::optional<promised_bytes> promise;  ///< what the advice saves, if that is known
  std::optional<finding_impact> impact;   ///< the most important one of `impacts`
  std::vector<finding_impact> impacts;    ///< for a whole step, at most one of each unit, in the order of `impact_unit`
  std::vector<time_share> time_shares;    ///< the parts of the time in `impacts`; may be empty
  std::optional<buffer_place> buffer;     ///< the buffer at fault, of findings about memory
  std::vector<related_place> related;     ///< other things that take part, the most important first
  std::string advice;                     ///< advice that depends on the finding; may be empty
  std::string fingerprint;                ///< identifies the finding across runs: lint/accept/fingerprint.hpp
  std::optional<dismissal> dismissed;     ///< if present, the finding is listed and does not count
  friend bool operator==(const diagnostic&, const diagnostic&) = default;
};

/// The most problems of one text that a parser or verifier lists; it only counts further ones. A text of short lines
/// could otherwise take a hundred times its size.
inline constexpr std::size_t most_listed = std::size_t{1} << 15;

/// `317 more like the 32768 before are not listed`
inline std::string unlisted_text(std::size_t count) {
  return std::to_string(count) + " more like the " + std::to_string(most_listed) + " before are not listed";
}

/// How much of an input was read.
enum class parse_status : std::uint8_t { ok, partial, failed };

/// `ok`, `partial` or `failed`, as reports write it.
constexpr std::string_view name_of(parse_status status) {
  return status == parse_status::ok ? "ok" : status == parse_status::partial ? "partial" : "failed";
}

/// Whether a finding of a rule is about an input that could not be read, or not all of it.
constexpr bool is_reading_error(std::string_view rule_id) { return rule_id.starts_with("SYN"); }

/// A problem of reading, by the id of its rule: SYN000 to SYN002, DMP006, or DMP013 to DMP016
/// (tool/report/reading_rules.hpp).
inline diagnostic reading_problem(std::string_view rule, std::string message, location where,
                                  severity level = severity::error) {
  diagnostic out;
  out.rule = rule;
  out.name = rule == "SYN000"   ? "unreadable-input"
             : rule == "SYN001" ? "syntax"
             : rule == "SYN002" ? "name-or-number-rule"
             : rule == "DMP006" ? "unknown-construct"
             : rule == "DMP014" ? "fragment"
             : rule == "DMP015" ? "compiler-message"
             : rule == "DMP016" ? "parts-of-text"
                                : "unexplained-shortage";
  out.level = level;
  out.message = std::move(message);
  out.where = std::move(where);
  return out;
}

/// Sorts the diagnostics of one text by place. Those of one place keep their order.
inline void sort_by_place(std::vector<diagnostic>& diagnostics) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < diagnostics.size(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return diagnostics[a].where.at < diagnostics[b].where.at; });
  std::vector<diagnostic> sorted;
  sorted.reserve(diagnostics.size());
  for (const std::size_t i : order) sorted.push_back(std::move(diagnostics[i]));
  diagnostics = std::move(sorted);
}

}  // namespace hlolint
