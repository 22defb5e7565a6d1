// Modules that JAX compiles beside a program, for operations outside of `jit`.
#pragma once

#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/ir/elementwise.hpp>
#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/source_position.hpp>
#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/text/characters.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

namespace detail {

/// Whether an operation only moves elements, within a device or between devices.
constexpr bool moves_alone(hlo_opcode opcode) {
  using enum hlo_opcode;
  return keeps_elements(opcode) || is_collective(opcode) || is_transfer_opcode(opcode) || opcode == broadcast ||
         opcode == slice || opcode == dynamic_slice || opcode == dynamic_update_slice || opcode == concatenate ||
         opcode == pad || opcode == reverse || opcode == convert || opcode == iota;
}

/// Whether a name is that of one operation of the function: `jit(add)/add`, `jit(_where)/jit(main)/select_n`.
inline bool is_own_operation(std::string_view op_name, std::string_view function) {
  std::vector<std::string_view> parts = scope_parts(op_name);
  std::erase(parts, "jit(main)");
  if (parts.empty() || parts.size() > 2 || parts.front().size() < 5) return false;
  // XLA replaces what may not stand in the name of a module.
  std::string own(parts.front().substr(4, parts.front().size() - 5));
  for (char& c : own)
    if (!is_alphanumeric(c)) c = '_';
  return parts.front().starts_with("jit(") && own == function;
}

}  // namespace detail

/// Whether a module is one operation that JAX runs outside of a larger `jit`, such as `jit_add`, `jit_copy` or a change
/// of shardings: it moves arrays, or computes elements in at most two kernels, and all its operations are named after
/// the module without any scope, and are of one line. Linear.
inline bool is_helper_module(const hlo_module& module) {
  constexpr std::size_t most_instructions = 200, most_operations = 16, most_kernels = 2;
  const std::string function = compiled_function(module.name());
  if (function == "jit__identity_fn") return true;  // device_put and changes of shardings
  if (!function.starts_with("jit_") || !module.entry() || module.instruction_count() > most_instructions) return false;
  const call_graph calls(module);
  std::size_t operations = 0, kernels = 0;
  for (const hlo_computation c : module.computations()) {
    const std::size_t before = operations;
    for (const hlo_instruction i : c.instructions()) {
      using enum hlo_opcode;
      const hlo_opcode op = i.opcode();
      if (takes_no_time(op) || detail::moves_alone(op) || op == fusion || op == call) continue;
      if (!is_elementwise(op) && op != reduce && op != gather && op != scatter) return false;
      ++operations;
      if (calls.is_sequential(c)) ++kernels;
    }
    if (!calls.is_sequential(c) && operations > before)
      for (const hlo_instruction caller : calls.callers(c)) kernels += caller.opcode() == hlo_opcode::fusion;
  }
  if (operations > most_operations || kernels > most_kernels) return false;
  // Such an operation is called from one line; a program has several.
  const std::string_view own = std::string_view(function).substr(4);
  std::set<std::pair<std::string, std::int64_t>> lines;
  bool named = false, unnamed = false;  // arithmetic without a name beside other names was written by hand
  for (const hlo_instruction i : module.instructions()) {
    if (i.opcode() == hlo_opcode::parameter) continue;
    const auto metadata = i.has(attribute_key::metadata) ? get<op_metadata>(i) : std::nullopt;
    const bool has_name = metadata && !metadata->op_name.empty();
    if (has_name && !detail::is_own_operation(metadata->op_name, own)) return false;
    named = named || has_name;
    unnamed = unnamed || (!has_name && is_elementwise(i.opcode()) && !detail::moves_alone(i.opcode()) &&
                          calls.is_sequential(i.computation()));
    if (const source_position at = user_function_of(i)) lines.emplace(at.file, at.line);
  }
  return lines.size() <= 1 && !(named && unnamed);
}

}  // namespace hlolint
