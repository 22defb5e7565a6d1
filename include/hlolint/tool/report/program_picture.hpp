// The instructions of a module as plain values, for a page with links between neighboring instructions.
#pragma once

#include <hlolint/ir/module.hpp>
#include <hlolint/ir/text/shape_text.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hlolint::report {

/// An instruction with the numbers of its operands.
struct program_row {
  /// As written; long shapes are cut off. @{
  std::string instruction, opcode, shape;
  /// @}
  std::size_t computation = 0;        ///< into `program_picture::computations`
  std::size_t line = 0;               ///< of the module's text
  std::vector<std::size_t> operands;  ///< into `program_picture::rows`
  std::size_t calls = none;           ///< a fusion: the computation that it fuses; `none` for others
  static constexpr std::size_t none = static_cast<std::size_t>(-1);  ///< no computation
};

/// All instructions of a module, in text order.
struct program_picture {
  std::vector<std::string> computations;  ///< their names
  std::vector<program_row> rows;          ///< empty for a module that is too large for a page
};

/// Linear.
inline program_picture program_picture_of(const hlo_module& module) {
  constexpr std::size_t most = 40'000, most_of_shape = 60;
  program_picture out;
  if (module.instruction_count() > most) return out;
  for (const hlo_computation c : module.computations()) out.computations.emplace_back(c.name());
  out.rows.reserve(module.instruction_count());
  for (const hlo_instruction i : module.instructions()) {
    program_row& row = out.rows.emplace_back();
    row.instruction = std::string(i.name()), row.opcode = std::string(i.opcode_text());
    if (i.shape()) row.shape = to_string(*i.shape());
    if (row.shape.size() > most_of_shape) row.shape = row.shape.substr(0, most_of_shape) + "...";
    row.computation = i.computation().id(), row.line = i.where().begin().line;
    for (const hlo_instruction operand : i.operands())
      if (operand) row.operands.push_back(operand.id());
    if (i.opcode() == hlo_opcode::fusion)
      for (const hlo_computation called : i.called_computations())
        if (called && row.calls == program_row::none) row.calls = called.id();
  }
  return out;
}

/// The shapes of the entry's parameters, which tell modules of one name apart: `f32[8,1024], s32[]`. Cut to one line.
inline std::string entry_shapes(const hlo_module& module) {
  constexpr std::size_t most = 90;
  std::string out;
  const hlo_computation entry = module.entry();
  if (!entry) return out;
  for (std::size_t n = 0; n < entry.parameter_count() && out.size() <= most; ++n) {
    const hlo_instruction parameter = entry.parameter(static_cast<std::int64_t>(n));
    if (!parameter || !parameter.shape()) continue;
    out += (out.empty() ? "" : ", ") + to_string(*parameter.shape(), {.layout = false, .index_comments = false});
  }
  return out.size() <= most ? out : out.substr(0, most) + "...";
}

}  // namespace hlolint::report
