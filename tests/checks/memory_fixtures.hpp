// Small buffer dumps for the memory rules, written as XLA writes them, and dumps in which one value was moved.
#pragma once

#include <hlolint/analysis/buffers/value_table.hpp>
#include <hlolint/lint/lint.hpp>
#include <hlolint/parse.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace hlolint::testing {

/// One value of an allocation. It is read at `uses`, by whatever instruction stands there.
struct value_row {
  std::string name;  ///< with `{...}` if its instruction has a tuple shape
  std::int64_t offset = 0, size = 0, start = 0, end = 0;
  std::vector<std::int64_t> uses{};
  std::string marks{};                   ///< ` (phi)`
  std::string instruction{};             ///< after the shape; an `op(...)` if empty
  std::vector<std::string> positions{};  ///< besides its own
  bool ranged = true;
};

struct allocation_rows {
  std::string flags;  ///< `, preallocated-temp`
  std::vector<value_row> values;
};

inline std::string without_index(const std::string& name) { return name.substr(0, name.find('{')); }
inline std::string with_index(const std::string& name) {
  return name.find('{') == std::string::npos ? name + "{}" : name;
}

/// `last`: positions 0 to last exist. Instructions that no value names are called `op.T`, at position T.
inline std::string dump_text(const std::vector<allocation_rows>& allocations, std::int64_t last = 20) {
  std::map<std::int64_t, std::string> sequence;
  for (const allocation_rows& a : allocations)
    for (const value_row& v : a.values)
      if (v.ranged) sequence.emplace(v.start, without_index(v.name));
  for (std::int64_t t = 0; t <= last; ++t) sequence.emplace(t, "op." + std::to_string(t));

  std::string out = "BufferAssignment:\n", used, ranges;
  int id = 0, number = 0;
  std::int64_t total = 0;
  for (const allocation_rows& a : allocations) {
    std::int64_t size = 0;
    for (const value_row& v : a.values) size = std::max(size, v.offset + v.size);
    total += size;
    out += "allocation " + std::to_string(number++) + ": size " + std::to_string(size) + a.flags + ":\n";
    for (const value_row& v : a.values) {
      const std::string head = "<" + std::to_string(id++) + " " + v.name + v.marks + " @0>";
      const std::string shape = "u8[" + std::to_string(v.size) + "]{0}";
      out += " value: " + head + " (size=" + std::to_string(v.size) + ",offset=" + std::to_string(v.offset) +
             "): " + shape + "\n";
      used += head + "\n positions:\n  " + without_index(v.name) +
              (v.name.find('{') == std::string::npos ? "" : " " + v.name.substr(v.name.find('{'))) + "\n";
      for (const std::string& p : v.positions) used += "  " + p + "\n";
      used += " uses:\n";
      for (const std::int64_t t : v.uses) used += "  " + sequence[t] + ", operand 0\n";
      used += " from instruction: %" + without_index(v.name) + " = " + shape + " " +
              (v.instruction.empty() ? "custom-call(), custom_call_target=\"make\", metadata={op_name=\"jit(f)/" +
                                           without_index(v.name) + "\" source_file=\"f.py\" source_line=4}"
                                     : v.instruction) +
              "\n";
      if (v.ranged)
        ranges += "    " + with_index(v.name) + ":" + std::to_string(v.start) + "-" + std::to_string(v.end) + "\n";
    }
  }
  out += "\nTotal bytes used: " + std::to_string(total) + " (" + human(total) + ")\n\nUsed values:\n" + used +
         "\n\nHloLiveRange (max " + std::to_string(last + 1) + "):\n  InstructionSequence:\n";
  for (std::int64_t t = 0; t <= last; ++t) out += "    " + std::to_string(t) + ":" + sequence[t] + "\n";
  return out + "  BufferLiveRange:\n" + ranges + "  Live ranges at 0 (peak):\n";
}

/// The flag of an allocation of temporary memory.
inline const std::string temp = ", preallocated-temp";

inline buffer_dump dump_of(const std::vector<allocation_rows>& allocations, std::int64_t last = 20) {
  const std::string text = dump_text(allocations, last);
  const parsed_file file = parse(std::string(text));
  for (const diagnostic& d : file.diagnostics)
    if (d.level == severity::error) throw std::runtime_error(d.message + " in\n" + text);
  if (!file.buffers) throw std::runtime_error("no buffers in\n" + text);
  return *file.buffers;
}

/// The dump with one value's offset changed.
inline buffer_dump moved(const buffer_dump& dump, std::size_t value, byte_count offset) {
  auto data = std::make_shared<buffer_data>(dump.data());
  data->values[value].offset = offset;
  return buffer_dump(std::move(data));
}

/// What came of moving every value onto every other one of its allocation that lives at the same time.
struct move_counts {
  int moves = 0, errors = 0, warnings = 0;
  std::vector<std::string> missed;
  friend bool operator==(const move_counts& a, const move_counts& b) {
    return a.moves == b.moves && a.errors == b.errors && a.warnings == b.warnings && a.missed == b.missed;
  }
};

/// Moves as in XLA-independent mutation tests: two values of one allocation without a common byte and with at least
/// two common positions; the first is given the second's offset. Found = a finding about exactly these two.
template <class Checks>
move_counts try_all_moves(const Checks& checks, const buffer_dump& dump, const hlo_module* hlo, target backend) {
  move_counts out;
  const value_table table(dump);
  const auto& values = dump.values();
  for (const allocation& a : dump.allocations())
    for (std::size_t i = a.first_value; i < a.first_value + std::size_t{a.value_count}; ++i)
      for (std::size_t k = a.first_value; k < a.first_value + std::size_t{a.value_count}; ++k) {
        if (i == k || (values[i].offset < values[k].offset + values[k].size &&
                       values[k].offset < values[i].offset + values[i].size))
          continue;
        const live_range *r = table.range(i), *s = table.range(k);
        if (!r || !s || std::min(r->end, s->end) - std::max(r->start, s->start) < 1) continue;
        ++out.moves;
        context::parts parts;
        parts.buffers = moved(dump, i, values[k].offset);
        if (hlo) parts.hlo = *hlo;
        parts.target = backend;
        const findings found = lint(checks, context(std::move(parts)));
        const auto match = std::find_if(found.begin(), found.end(), [&](const diagnostic& d) {
          const span one = d.where.at, two = d.related.at(0).where.at;
          const span x = dump.where(values[i].text).at, y = dump.where(values[k].text).at;
          return (one == x && two == y) || (one == y && two == x);
        });
        if (match == found.end()) {
          out.missed.push_back(to_string(values[i].name) + " onto " + to_string(values[k].name));
        } else {
          ++(match->level == severity::error ? out.errors : out.warnings);
        }
      }
  return out;
}

}  // namespace hlolint::testing
