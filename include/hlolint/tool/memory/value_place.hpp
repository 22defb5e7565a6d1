// The source and the opcode of a value in a buffer dump.
#pragma once

#include <hlolint/analysis/program/instruction_names.hpp>
#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/parse/lone_instruction.hpp>

#include <string>
#include <string_view>

namespace hlolint {

namespace detail {
/// Returns the result of `use` for the instruction that makes a value, from the HLO or its text in the buffer dump; an
/// empty value if there is none.
template <class Use>
auto with_maker(const context& module, const assigned_value& value, Use&& use) -> decltype(use(hlo_instruction{})) {
  const std::string_view by = value.name.instruction;
  if (const hlo_instruction i = module.hlo() ? module.get<instruction_names>().find(by) : hlo_instruction{})
    return use(i);
  const lone_instruction alone(module.get<instruction_texts>().find(by));
  return alone.get() ? use(alone.get()) : decltype(use(hlo_instruction{})){};
}
}  // namespace detail

/// The place of a value in the user's program; empty if unknown.
inline program_place program_place_of(const context& module, const assigned_value& value) {
  return detail::with_maker(module, value, [](hlo_instruction i) { return program_place_of(i); });
}
/// The opcode of a value's instruction, as written; empty if unknown.
inline std::string opcode_of(const context& module, const assigned_value& value) {
  return detail::with_maker(module, value, [](hlo_instruction i) { return std::string(i.opcode_text()); });
}

}  // namespace hlolint
