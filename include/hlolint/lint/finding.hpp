// The beginnings of findings: who and where. A check adds message and bytes.
#pragma once

#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/analysis/program/written_instruction.hpp>
#include <hlolint/analysis/sizes/shape_text.hpp>
#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/diagnostic.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace hlolint {

/// A finding about no place in particular. (A function, because an aggregate with most members left out is a warning
/// to some compilers.)
inline diagnostic finding(std::string message) {
  diagnostic d;
  d.message = std::move(message);
  return d;
}

/// A finding about a module as a whole.
inline diagnostic finding_at(const hlo_module& module, std::string message) {
  diagnostic d = finding(std::move(message));
  d.where = module.where();
  return d;
}

/// A finding about an instruction: its place, names and shape, and where in the user's program it comes from. Place and
/// names are those of the written instruction; the shape is the one of `instruction`.
inline diagnostic finding_at(hlo_instruction instruction, std::string message) {
  diagnostic d = finding(std::move(message));
  const hlo_instruction written = written_instruction(instruction);
  d.where = written.where();
  d.computation = std::string(written.computation().name());
  d.instruction = std::string(written.name());
  add_program_place(d, instruction);
  return d;
}

/// The same about a part of its result, which has a shape of its own.
inline diagnostic finding_at(hlo_instruction instruction, std::string message, const shape& part) {
  diagnostic d = finding_at(instruction, std::move(message));
  d.shape = to_string(part);
  return d;
}

/// Another instruction's part in a finding, under the name of the written one.
inline related_place related_at(hlo_instruction instruction, std::string message) {
  const hlo_instruction written = written_instruction(instruction);
  return {written.where(), std::string(written.name()), std::nullopt, std::move(message)};
}

/// Where a value lies and, if known, when it lives.
inline buffer_place place_of(const assigned_value& value, const live_range* range = nullptr) {
  buffer_place place{value.allocation, value.offset, value.size, std::nullopt, std::nullopt};
  if (range) place.start = range->start, place.end = range->end;
  return place;
}

/// A finding about a value in an allocation; its place is the value's line.
inline diagnostic finding_at(const buffer_dump& dump, const assigned_value& value, const live_range* range,
                             std::string message) {
  diagnostic d = finding(std::move(message));
  d.where = dump.where(value.text);
  d.instruction = std::string(value.name.instruction);
  d.shape = to_string(dump.shape(value));
  d.buffer = place_of(value, range);
  return d;
}

/// Another value's part in a finding.
inline related_place related_at(const buffer_dump& dump, const assigned_value& value, const live_range* range,
                                std::string message) {
  return {dump.where(value.text), std::string(value.name.instruction), place_of(value, range), std::move(message)};
}

}  // namespace hlolint
