// Files that do not agree with each other.
#pragma once

#include "mutation.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::testing {

inline std::optional<mutation> total_wrong(fixture from, dice& random) {
  from.dump.total += random.chance(50) ? random.between(1, 4096) : -random.between(1, 512);
  return mutant(from, "DMP002", severity::error, {{}, {}, "Total bytes used: "});
}
/// One whose values have no live range, so that only the sum is wrong.
inline std::optional<mutation> allocation_dropped(fixture from, dice& random) {
  std::vector<std::size_t> found;
  for (std::size_t n = 0; n < from.dump.allocations.size(); ++n)
    if (from.dump.allocations[n].flags == ", thread-local") found.push_back(n);
  if (found.empty()) return std::nullopt;
  from.dump.allocations.erase(from.dump.allocations.begin() + static_cast<std::ptrdiff_t>(random.pick(found)));
  return mutant(from, "DMP002", severity::error, {{}, {}, "Total bytes used: "});
}

inline std::optional<mutation> renamed(fixture from, dice& random) {
  const std::string name = random.pick(from.dump.sequence), other = name + "7777";
  std::replace(from.dump.sequence.begin(), from.dump.sequence.end(), name, other);
  from.dump.for_each([&](const written_allocation&, written_value& v) {
    if (v.instruction == name) v.instruction = other;
  });
  for (written_range& r : from.dump.ranges)
    if (r.instruction == name) r.instruction = other;
  return mutant(from, "DMP001", severity::error, {other, {}, {}});
}
inline std::optional<mutation> renamed_in_program(fixture from, dice& random) {
  written_computation& entry = from.program.entry();
  const std::string name = entry.instructions[random.below(entry.instructions.size())].name;
  entry.redirect(name, name + "7777");
  entry.find(name).name += "7777";
  return mutant(from, "DMP001", severity::error, {name, {}, {}});
}
/// Two neighbors that make no value, so that the live ranges stay right.
inline std::optional<mutation> schedule_shuffled(fixture from, dice& random) {
  const auto makes_none = [&](std::size_t t) {
    return std::none_of(from.dump.ranges.begin(), from.dump.ranges.end(),
                        [&](const auto& r) { return r.instruction == from.dump.sequence[t]; });
  };
  const auto computation_at = [&](std::size_t t) {
    return std::find_if(from.program.computations.begin(), from.program.computations.end(),
                        [&](const written_computation& c) {
                          return std::any_of(c.instructions.begin(), c.instructions.end(),
                                             [&](const auto& i) { return i.name == from.dump.sequence[t]; });
                        });
  };
  std::vector<std::size_t> found;
  for (std::size_t t = 0; t + 1 < from.dump.sequence.size(); ++t)
    if (makes_none(t) && makes_none(t + 1) && computation_at(t) == computation_at(t + 1)) found.push_back(t);
  if (found.empty()) return std::nullopt;
  const std::size_t t = random.pick(found);
  std::swap(from.dump.sequence[t], from.dump.sequence[t + 1]);
  return mutant(from, "DMP001", severity::error, {from.dump.sequence[t + 1], {}, {}});
}
inline std::optional<mutation> shape_differs(fixture from, dice& random) {
  std::vector<written_value*> found;
  from.dump.for_each([&](const written_allocation&, written_value& v) {
    if (v.array) found.push_back(&v);
  });
  written_value& v = *random.pick(found);
  // As many bytes, so that the sizes stay right.
  const std::size_t comma = v.shape.find(',');
  v.shape = v.shape.substr(0, 3) + "[1," + v.shape.substr(4, comma - 4) + v.shape.substr(comma);
  v.shape.replace(v.shape.find("{1,0"), 4, "{2,1,0");
  return mutant(from, "DMP001", severity::error, {v.instruction, {}, {}});
}

namespace detail {
/// `named`: the ending of the file that is reported to be missing.
inline std::optional<mutation> without(const fixture& from, dump_part missing, const char* named) {
  mutation out = mutant(from, "DMP004", severity::note, {});
  out.files = files_of(from, missing);
  out.at.message = from.stem() + named;
  if (missing == dump_part::assignment) out.at.text = from.program.name;
  return out;
}
}  // namespace detail

inline std::optional<mutation> program_missing(fixture from, dice&) {
  return detail::without(from, dump_part::program, ".txt");
}
inline std::optional<mutation> assignment_missing(fixture from, dice&) {
  return detail::without(from, dump_part::assignment, "-buffer-assignment.txt");
}
inline std::optional<mutation> values_missing(fixture from, dice&) {
  return detail::without(from, dump_part::values, "-buffer-assignment-values.txt");
}
inline std::optional<mutation> ranges_missing(fixture from, dice&) {
  return detail::without(from, dump_part::ranges, "-live-range.txt");
}

inline std::optional<mutation> schedule_missing(fixture from, dice&) {
  from.program.header.erase(from.program.header.begin());
  return mutant(from, "DMP003", severity::warning, {{}, {}, from.program.name});
}

inline std::optional<mutation> range_dropped(fixture from, dice& random) {
  const std::size_t k = random.below(from.dump.ranges.size());
  const std::string name = from.dump.ranges[k].instruction;
  from.dump.ranges.erase(from.dump.ranges.begin() + static_cast<std::ptrdiff_t>(k));
  return mutant(from, "DMP010", severity::error, {name, {}, {}});
}
inline std::optional<mutation> range_doubled(fixture from, dice& random) {
  const written_range again = random.pick(from.dump.ranges);
  const auto at = static_cast<std::ptrdiff_t>(random.below(from.dump.ranges.size() + 1));
  from.dump.ranges.insert(from.dump.ranges.begin() + at, again);
  return mutant(from, "DMP010", severity::error, {again.instruction, {}, {}});
}
/// A range that begins one position late, or early for what is no parameter.
inline std::optional<mutation> range_begins_elsewhere(fixture from, dice& random) {
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < from.dump.ranges.size(); ++k)
    if (from.dump.ranges[k].lives.end > from.dump.ranges[k].lives.start) found.push_back(k);
  written_range& r = from.dump.ranges[random.pick(found)];
  r.lives.start = r.lives.end;
  const auto at =
      std::find(from.dump.sequence.begin(), from.dump.sequence.end(), r.instruction) - from.dump.sequence.begin();
  if (r.lives.start <= at) return std::nullopt;  // a parameter that still begins before its own position
  return mutant(from, "DMP010", severity::error, {r.instruction, {}, {}});
}

/// A list of values at the peak as it was printed until April 2025, beside files of today.
inline std::optional<mutation> older_file(fixture from, dice& random) {
  if (from.combined) return std::nullopt;
  const std::string& at = from.dump.peak;
  from.dump.peak = at.substr(0, at.find('\n') + 1) + "    " + random.pick(from.dump.sequence) + ": 4 bytes\n";
  mutation out = mutant(from, "DMP009", severity::note, {});
  out.at.message = "wrote this file";
  return out;
}
/// Another module of the folder has the same name.
inline std::optional<mutation> name_used_twice(fixture from, dice& random) {
  mutation out = mutant(from, "DMP008", severity::note, {{}, {}, from.program.name, "is in 2 files"});
  out.files.push_back({out.files.front().path, out.files.front().text});
  out.files.back().path.replace(std::string("module_").size(), 4, std::to_string(random.between(1000, 9999)));
  return out;
}

inline const std::vector<fault_class>& dump_faults() {
  static const std::vector<fault_class> list{
      {"total wrong", total_wrong},
      {"allocation dropped", allocation_dropped, "MEM013", "its values lie nowhere"},
      {"instruction renamed in the dump", renamed},
      {"instruction renamed in the HLO", renamed_in_program},
      {"schedule in another order", schedule_shuffled},
      {"shape differs", shape_differs},
      {"HLO removed", program_missing},
      {"buffer assignment removed", assignment_missing},
      {"used values removed", values_missing},
      {"live ranges removed", ranges_missing},
      {"is_scheduled removed", schedule_missing},
      {"live range dropped", range_dropped},
      {"live range doubled", range_doubled},
      {"live range begins elsewhere", range_begins_elsewhere},
      {"file of an older XLA", older_file},
      {"name used twice", name_used_twice},
  };
  return list;
}

}  // namespace hlolint::testing
