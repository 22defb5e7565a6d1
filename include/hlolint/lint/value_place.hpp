// Where in the user's program a value of a buffer dump comes from, and what makes it.
#pragma once

#include <hlolint/analysis/program/instruction_names.hpp>
#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/parse/lone_instruction.hpp>

#include <string>
#include <string_view>

namespace hlolint {

namespace detail {
/// Calls `use` with the instruction that makes a value: that of the HLO, or one from its text in the buffer dump.
/// Returns what `use` does; without such an instruction an empty value.
template <class Use>
auto with_maker(const context& module, const assigned_value& value, Use&& use) -> decltype(use(hlo_instruction{})) {
  const std::string_view by = value.name.instruction;
  if (const hlo_instruction i = module.hlo() ? module.get<instruction_names>().find(by) : hlo_instruction{})
    return use(i);
  const lone_instruction alone(module.get<instruction_texts>().find(by));
  return alone.get() ? use(alone.get()) : decltype(use(hlo_instruction{})){};
}
}  // namespace detail

/// The place in the user's program that a value comes from; empty if it is not known.
inline program_place program_place_of(const context& module, const assigned_value& value) {
  return detail::with_maker(module, value, [](hlo_instruction i) { return program_place_of(i); });
}
/// The opcode of what makes a value, as written; empty if it is not known.
inline std::string opcode_of(const context& module, const assigned_value& value) {
  return detail::with_maker(module, value, [](hlo_instruction i) { return std::string(i.opcode_text()); });
}

}  // namespace hlolint
