// What one compilation of a function was given.
#pragma once

#include <hlolint/ir/module.hpp>
#include <hlolint/ir/shape.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace hlolint {

/// A module by what it was compiled for: one function may be compiled for many shapes of its arguments.
struct recompilation {
  std::string path;                     ///< of its HLO
  record_list<std::string> parameters;  ///< shapes of the entry's parameters, by number, without layouts
  friend bool operator==(const recompilation&, const recompilation&) = default;
};

/// The shapes of the entry's parameters, by number, without layouts; the first 256 of them.
inline record_list<std::string> parameter_shapes(const hlo_module& module) {
  constexpr std::int64_t most = 256;
  record_list<std::string> out;
  const hlo_computation entry = module.entry();
  if (!entry) return out;
  for (const hlo_instruction i : entry.instructions()) {
    const std::int64_t number = i.opcode() == hlo_opcode::parameter ? i.parameter_number().value_or(-1) : -1;
    if (number < 0 || number >= most || !i.shape()) continue;
    shape bare = *i.shape();
    bare.layout.reset();
    for (shape& element : bare.elements) element.layout.reset();
    out.resize(std::max(out.size(), static_cast<std::size_t>(number) + 1));
    out[static_cast<std::size_t>(number)] = to_string(bare);
  }
  return out;
}

}  // namespace hlolint
