// A fault put into a fixture, and what must be reported about it.
#pragma once

#include "fixtures.hpp"

#include <hlolint/text/diagnostic.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::testing {

struct written_file {
  std::string path, text;
  friend bool operator==(const written_file&, const written_file&) = default;
};

/// Where the finding must be. What is empty does not matter.
struct expected_place {
  std::string instruction{};  ///< the finding's, or with `other` one of the two that it names; `kept.*`: any of these
  std::string other{};
  std::string text{};     ///< what stands at the finding's place begins so
  std::string message{};  ///< part of what is reported
  friend bool operator==(const expected_place&, const expected_place&) = default;
};

/// `rule`.`name` = `text`, as a user would configure it.
struct rule_option {
  std::string rule, name, text;
  friend bool operator==(const rule_option&, const rule_option&) = default;
};

/// The files of a module with one fault in them.
struct mutation {
  std::string fault;
  std::uint64_t seed = 0;
  std::vector<written_file> files{};
  std::string rule{};
  severity level = severity::error;  ///< at least
  expected_place at{};
  std::vector<rule_option> options{};
  friend bool operator==(const mutation&, const mutation&) = default;
};

/// A way to put a fault into a fixture: nothing if that one has no place for it.
struct fault_class {
  std::string_view name;
  std::optional<mutation> (*make)(fixture from, dice& random);
  /// Rules that rightly report errors too, and why.
  std::string_view companions = "", reason = "";
};

/// The files of a fixture; without its program, or without a part of its buffer dump.
enum class dump_part : std::uint8_t { none, program, assignment, values, ranges };
inline std::vector<written_file> files_of(const fixture& from, dump_part missing = dump_part::none) {
  std::vector<written_file> out;
  const std::string stem = from.stem(), buffers = stem + "-buffer-assignment";
  const auto has = [&](dump_part part) { return part != missing; };
  if (has(dump_part::program)) out.push_back({stem + ".txt", from.program.text()});
  const std::string assignment = from.dump.assignment_text(from.combined),
                    values = from.dump.values_text(from.combined), ranges = from.dump.ranges_text();
  if (from.combined) {
    if (has(dump_part::assignment))
      out.push_back({buffers + ".txt", assignment + (has(dump_part::values) ? "\n" + values : "") +
                                           (has(dump_part::ranges) ? "\n\n" + ranges : "")});
    return out;
  }
  if (has(dump_part::assignment)) out.push_back({buffers + ".txt", assignment});
  if (has(dump_part::values)) out.push_back({buffers + "-values.txt", values});
  if (has(dump_part::ranges)) out.push_back({stem + "-live-range.txt", ranges});
  return out;
}

inline mutation mutant(const fixture& changed, std::string rule, severity level, expected_place at) {
  return {{}, 0, files_of(changed), std::move(rule), level, std::move(at), {}};
}
/// Where the buffers would not be those of the changed program: a dump as of before buffer assignment.
inline mutation program_mutant(const fixture& changed, std::string rule, severity level, expected_place at) {
  return {{}, 0, {{changed.stem() + ".txt", changed.program.text()}}, std::move(rule), level, std::move(at), {}};
}
/// Without live ranges: what is wrong shows only against the HLO.
inline mutation rangeless_mutant(const fixture& changed, std::string rule, severity level, expected_place at) {
  mutation out = mutant(changed, std::move(rule), level, std::move(at));
  out.files = files_of(changed, dump_part::ranges);
  return out;
}

/// Whether a finding is the expected one.
inline bool is_expected(const mutation& m, const diagnostic& d) {
  const auto names = [&](const std::string& one, const std::string& two) {
    if (one.back() == '*' ? !d.instruction.starts_with(one.substr(0, one.size() - 1)) : d.instruction != one)
      return false;
    return two.empty() || std::any_of(d.related.begin(), d.related.end(),
                                      [&](const related_place& r) { return r.instruction == two; });
  };
  if (d.rule != m.rule || d.level < m.level) return false;
  if (!m.at.instruction.empty() && !names(m.at.instruction, m.at.other) &&
      (m.at.other.empty() || !names(m.at.other, m.at.instruction)))
    return false;
  return d.where.text().starts_with(m.at.text) && d.message.find(m.at.message) != std::string::npos;
}

}  // namespace hlolint::testing
