// The written instruction that an implied one belongs to: findings name what a reader can look up.
#pragma once

#include <hlolint/ir/module.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hlolint {

/// The instruction itself if it is written. A nested operand or an element (`%a#1`) belongs to the instruction it was
/// written in, the computation behind `X-start` to that start. If nothing around it is written (the operands of an
/// instruction that stands alone), the instruction itself. Logarithmic in the size of the computation, apart from
/// synthesized neighbours.
inline hlo_instruction written_instruction(hlo_instruction i) {
  if (!i || !i.is_synthesized()) return i;
  const module_data& data = i.data();
  const auto record = [&](id at) -> const instruction_record& { return data.instructions[at]; };
  // What the text implies stands in the pools right before the instruction, or the computation, that it belongs to.
  hlo_computation in = i.computation();
  id at = i.id();
  if (in.is_synthesized()) {
    const std::uint32_t begin = in.record().text.begin;
    id outer = in.id();
    while (outer != data.computations.size() && data.computations[outer].origin == node_origin::synthesized) ++outer;
    if (outer == data.computations.size()) return i;
    in = hlo_computation(&data, outer);
    // Written instructions are in text order, and what each implies begins after it.
    const id_range range = in.record().instructions;
    at = static_cast<id>(std::partition_point(data.instructions.begin() + range.first,
                                              data.instructions.begin() + range.first + range.count,
                                              [&](const instruction_record& r) { return r.text.begin < begin; }) -
                         data.instructions.begin());
  }
  const id_range range = in.record().instructions;
  const id end = range.first + range.count;
  while (at != end && record(at).origin == node_origin::synthesized) ++at;
  return at == end ? i : hlo_instruction(&data, at);
}

}  // namespace hlolint
