// What faults are made of: instructions to put into a program, and places for them.
#pragma once

#include "mutation.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::testing {

/// A place in the entry: after the parameters, and not between the halves of an exchange.
inline std::size_t somewhere(const fixture& from, dice& random) {
  const written_computation& entry = from.program.entry();
  const std::size_t first = entry.all_of("parameter").size() + 1;
  const std::size_t at = first + random.below(entry.instructions.size() - first - 1);
  return entry.instructions[at - 1].opcode == "recv" ? at + 1 : at;
}

namespace detail {

/// Puts instructions into the entry, after the first `at` ones, and places all values anew: the program is valid.
inline void put(fixture& from, std::size_t at, const std::vector<written_instruction>& list) {
  from.program.entry().insert(at, list);
  from.dump = written_dump(from.program.text(), from.backend, from.combined);
}
inline written_instruction kernel(std::string name, std::string shape, std::string operand) {
  return {std::move(name),
          std::move(shape),
          "custom-call",
          {std::move(operand)},
          {},
          {{"custom_call_target", "\"kernel\""}}};
}
inline std::string array_text(const std::string& type, std::int64_t rows, std::int64_t columns,
                              const std::string& layout) {
  return type + "[" + std::to_string(rows) + "," + std::to_string(columns) + "]{" + layout + "}";
}
inline std::string dense_array(const fixture& from, std::int64_t rows, std::int64_t columns,
                               const std::string& type = "f32") {
  return array_text(type, rows, columns, from.backend == target::tpu ? "1,0:T(8,128)" : "1,0");
}

/// A scalar's shape as the target writes it.
inline std::string scalar_text(const fixture& from, const std::string& type) {
  return type + (from.backend == target::tpu ? "[]{:T(128)}" : "[]");
}

inline std::string one_group(std::int64_t devices) {
  std::string out = "{{";
  for (std::int64_t d = 0; d < devices; ++d) out += (d ? "," : "") + std::to_string(d);
  return out + "}}";
}
/// Attributes of a sum over these devices, on a channel that no fixture uses.
inline written_attributes sum_over(const std::string& groups, const std::string& channel = "99") {
  return {
      {"channel_id", channel}, {"replica_groups", groups}, {"use_global_device_ids", "true"}, {"to_apply", "%add.0"}};
}
inline written_attributes sum_over_all(const fixture& from, const std::string& channel = "99") {
  return sum_over(one_group(from.devices), channel);
}

/// The body of the loop, if the entry has one.
inline written_computation* body_of_loop(fixture& from) {
  const auto loops = from.program.entry().all_of("while");
  if (loops.empty()) return nullptr;
  const std::string name = attribute_of(from.program.entry().find(loops[0]).attributes, "body").substr(1);
  for (written_computation& c : from.program.computations)
    if (c.name == name) return &c;
  return nullptr;
}
/// The array that the loop carries.
inline written_instruction held_by(const written_computation& body) {
  for (const written_instruction& i : body.instructions)
    if (i.name.starts_with("held.")) return i;
  return {};
}
inline void insert_after(written_computation& body, const std::string& name,
                         const std::vector<written_instruction>& list) {
  body.insert(body.position_of(name) + 1, list);
}

inline mutation with_option(mutation of, const char* name, const std::string& text) {
  of.options.push_back({of.rule, name, text});
  return of;
}
inline mutation valid_mutant(const fixture& from, const char* rule, severity level, const std::string& instruction) {
  return mutant(from, rule, level, {instruction, {}, {}});
}

}  // namespace detail

}  // namespace hlolint::testing
