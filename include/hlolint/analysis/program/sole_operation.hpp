// The operation that an instruction performs, alone or as the only one in a fusion.
#pragma once

#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/containers/sort_records.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>

namespace hlolint {

/// The only instruction of a computation that takes time; an empty view if several or none do.
inline hlo_instruction sole_operation_in(hlo_computation body) {
  hlo_instruction found;
  for (const hlo_instruction inside : body.instructions()) {
    if (takes_no_time(inside.opcode())) continue;
    if (found) return {};
    found = inside;
  }
  return found;
}

/// For a fusion, the only instruction inside that takes time, or an empty view if several or none do. Any other
/// instruction itself.
inline hlo_instruction sole_operation(hlo_instruction i) {
  if (i.opcode() != hlo_opcode::fusion) return i;
  const hlo_computation body = first_called(i);
  return body ? sole_operation_in(body) : hlo_instruction{};
}

/// `sole_operation` for all instructions of a module, with one scan of each computation.
class sole_operations {
 public:
  /// Linear in the module.
  explicit sole_operations(const hlo_module& module) {
    found_.reserve(module.computation_count());
    for (const hlo_computation c : module.computations()) found_.push_back(sole_operation_in(c));
  }
  /// The instruction that does the work of `i`.
  hlo_instruction of(hlo_instruction i) const {
    if (i.opcode() != hlo_opcode::fusion) return i;
    const hlo_computation body = first_called(i);
    return body ? found_[body.id()] : hlo_instruction{};
  }

 private:
  record_list<hlo_instruction> found_;  // by computation
};

/// Whether two arrays of equal dimensions have different orders in memory; dimensions of extent 1 do not count. False
/// if a layout is not written.
inline bool differs_in_order(const shape& a, const shape& b) {
  if (!a.is_array() || a.type != b.type || a.rank() != b.rank() || !a.layout || !b.layout) return false;
  for (std::size_t d = 0; d < a.rank(); ++d)
    if (a.dimensions[d].size != b.dimensions[d].size) return false;
  const auto order = [](const shape& s) {
    record_list<std::int64_t> out;
    for (const std::int64_t d : s.layout->minor_to_major)
      if (d >= 0 && static_cast<std::size_t>(d) < s.rank() && s.dimensions[static_cast<std::size_t>(d)].size != 1)
        out.push_back(d);
    return out;
  };
  return order(a) != order(b);
}

}  // namespace hlolint
