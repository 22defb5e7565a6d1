// Creates findings with their subject and place. A check adds bytes, level and other facts.
#pragma once

#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/lint/finding.hpp>

#include <optional>
#include <string>
#include <utility>

namespace hlolint {

/// Adds the source line, op_name and, if there is none yet, the shape of an instruction.
inline void add_program_place(finding_subject& subject, hlo_instruction i) {
  subject.from = program_place_of(i);
  if (subject.shape.empty() && i.shape()) subject.shape = to_string(*i.shape());
}

/// A finding about a place of a text. Other facts may be given, here and below:
/// `{.bytes = bytes, .related = {related_at(loop, "the loop")}}`.
inline finding finding_at(location where, std::string message, finding facts = {}) {
  facts.where = std::move(where);
  facts.message = std::move(message);
  return facts;
}

/// A finding about a module as a whole.
inline finding finding_at(const hlo_module& module, std::string message, finding facts = {}) {
  return finding_at(module.where(), std::move(message), std::move(facts));
}

/// A finding about an instruction, with place, names, shape and source. Place and names are those of the written
/// instruction; the shape is that of `instruction`.
inline finding finding_at(hlo_instruction instruction, std::string message, finding facts = {}) {
  const hlo_instruction written = written_instruction(instruction);
  finding d = finding_at(written.where(), std::move(message), std::move(facts));
  d.about = instruction;
  d.subject.computation = std::string(written.computation().name());
  d.subject.instruction = std::string(written.name());
  add_program_place(d.subject, instruction);
  return d;
}

/// A finding about a part of an instruction's result, with the part's shape.
inline finding finding_at(hlo_instruction instruction, std::string message, const shape& part, finding facts = {}) {
  finding d = finding_at(instruction, std::move(message), std::move(facts));
  d.subject.shape = to_string(part);
  return d;
}

/// A related instruction of a finding, named by its written one.
inline related_place related_at(hlo_instruction instruction, std::string message) {
  const hlo_instruction written = written_instruction(instruction);
  return {written.where(), std::string(written.name()), std::nullopt, std::move(message)};
}

/// The place of a value and, if known, its lifetime.
inline buffer_place place_of(const assigned_value& value, const live_range* range = nullptr) {
  buffer_place place{value.allocation, value.offset, value.size, std::nullopt, std::nullopt};
  if (range) place.start = range->start, place.end = range->end;
  return place;
}

/// A finding about a value in an allocation; its place is the value's line.
inline finding finding_at(const buffer_dump& dump, const assigned_value& value, const live_range* range,
                          std::string message, finding facts = {}) {
  finding d = finding_at(dump.where(value.text), std::move(message), std::move(facts));
  d.subject.instruction = std::string(value.name.instruction);
  d.subject.shape = to_string(dump.shape(value));
  d.buffer = place_of(value, range);
  return d;
}

/// A related value of a finding.
inline related_place related_at(const buffer_dump& dump, const assigned_value& value, const live_range* range,
                                std::string message) {
  return {dump.where(value.text), std::string(value.name.instruction), place_of(value, range), std::move(message)};
}

}  // namespace hlolint
