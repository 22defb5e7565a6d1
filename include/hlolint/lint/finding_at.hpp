// The beginnings of findings: what they are about, and where. A check adds bytes, level and what else is known.
#pragma once

#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/analysis/program/written_instruction.hpp>
#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/lint/finding.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace hlolint {

/// Source line, op_name and, if there is none yet, the shape of an instruction.
inline void add_program_place(finding_subject& subject, hlo_instruction i) {
  subject.from = program_place_of(i);
  if (subject.shape.empty() && i.shape()) subject.shape = to_string(*i.shape());
}

/// A finding about a module as a whole.
inline finding finding_at(const hlo_module& module, std::string message) {
  finding d(std::move(message));
  d.where = module.where();
  return d;
}

/// A finding about an instruction: its place, names and shape, and where in the user's program it comes from. Place and
/// names are those of the written instruction; the shape is the one of `instruction`.
inline finding finding_at(hlo_instruction instruction, std::string message) {
  finding d(std::move(message));
  const hlo_instruction written = written_instruction(instruction);
  d.about = instruction;
  d.where = written.where();
  d.subject.computation = std::string(written.computation().name());
  d.subject.instruction = std::string(written.name());
  add_program_place(d.subject, instruction);
  return d;
}

/// A finding about a part of an instruction's result; the part has a shape of its own.
inline finding finding_at(hlo_instruction instruction, std::string message, const shape& part) {
  finding d = finding_at(instruction, std::move(message));
  d.subject.shape = to_string(part);
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
inline finding finding_at(const buffer_dump& dump, const assigned_value& value, const live_range* range,
                          std::string message) {
  finding d(std::move(message));
  d.where = dump.where(value.text);
  d.subject.instruction = std::string(value.name.instruction);
  d.subject.shape = to_string(dump.shape(value));
  d.buffer = place_of(value, range);
  return d;
}

/// Another value's part in a finding.
inline related_place related_at(const buffer_dump& dump, const assigned_value& value, const live_range* range,
                                std::string message) {
  return {dump.where(value.text), std::string(value.name.instruction), place_of(value, range), std::move(message)};
}

}  // namespace hlolint
