// A finding about a value of a buffer dump that also says where in the user's program the value comes from.
#pragma once

#include <hlolint/analysis/instruction_names.hpp>
#include <hlolint/analysis/lone_instruction.hpp>
#include <hlolint/analysis/program_place.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/lint/finding.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace hlolint::detail {

/// Program place and computation from the HLO; without one, from the text behind `from instruction:`.
inline void add_maker(const context& dump, std::string_view instruction, diagnostic& d) {
  if (const hlo_instruction i = dump.hlo() ? dump.get<instruction_names>().find(instruction) : hlo_instruction{}) {
    d.computation = std::string(i.computation().name());
    add_program_place(d, i);
  } else if (const lone_instruction alone(dump.get<instruction_texts>().find(instruction)); alone.get()) {
    add_program_place(d, alone.get());
  }
}

/// Precondition: the value is of the context's buffer dump.
inline diagnostic value_finding(const context& dump, const assigned_value& value, const live_range* range,
                                std::string message) {
  diagnostic d = finding_at(*dump.buffers(), value, range, std::move(message));
  add_maker(dump, value.name.instruction, d);
  return d;
}

/// `allocation 3 (color 1)`
inline std::string allocation_text(const allocation& a) {
  return "allocation " + std::to_string(a.number) + (a.color != 0 ? " (color " + std::to_string(a.color) + ")" : "");
}

/// A finding about an allocation; its place is the allocation's line.
inline diagnostic allocation_finding(const buffer_dump& dump, const allocation& a, std::string message) {
  diagnostic d = finding(std::move(message));
  d.where = dump.where(a.text);
  d.buffer = buffer_place{a.number, 0, a.size, {}, {}};
  return d;
}

}  // namespace hlolint::detail
