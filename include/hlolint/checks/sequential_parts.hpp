// The computations and instructions that run step by step, the loops among them with what to do about those of XLA, and
// the bytes of an array.
#pragma once

#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/instructions_by_opcode.hpp>
#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/analysis/program/trip_count.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/text/str_cat.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::detail {

/// The computations whose instructions run one after the other: not those of fusions and reducers.
inline std::vector<hlo_computation> sequential_computations(const context& dump) {
  const auto& graph = dump.get<call_graph>();
  std::vector<hlo_computation> out;
  for (const hlo_computation c : dump.hlo()->computations())
    if (graph.is_sequential(c)) out.push_back(c);
  return out;
}

/// The instructions of these computations, in text order.
inline std::vector<hlo_instruction> sequential_instructions(const context& dump) {
  std::vector<hlo_instruction> out;
  for (const hlo_computation c : sequential_computations(dump))
    for (const hlo_instruction i : c.instructions()) out.push_back(i);
  return out;
}

/// Bytes of an array's elements; nothing if the result is no array.
inline std::optional<byte_count> array_bytes(hlo_instruction i) {
  return i.shape() && i.shape()->is_array() ? dense_size(*i.shape()) : std::nullopt;
}

/// A loop and its body or condition.
struct loop_part {
  hlo_instruction loop;
  hlo_computation part;
};

/// The computations that loops run step by step, each once, with the first loop that may run it `least` times.
inline std::vector<loop_part> loop_parts(const context& dump, std::int64_t least) {
  const auto& graph = dump.get<call_graph>();
  std::vector<bool> seen(dump.hlo()->computation_count());  // several loops may share a body
  std::vector<loop_part> out;
  for (const hlo_instruction loop : dump.get<instructions_by_opcode>().of(hlo_opcode::while_))
    for (const hlo_computation part : loop.called_computations())
      if (part && !seen[part.id()] && graph.is_sequential(part) && trip_count_of(loop).may_reach(least))
        seen[part.id()] = true, out.push_back({loop, part});
  return out;
}

/// What to do about a loop that the program does not have, since XLA makes it of a gather or the like; empty for
/// others.
inline std::string advice_on_expansion(hlo_instruction loop) {
  const std::string op_name = program_place_of(loop).op_name;
  const std::vector<std::string_view> parts = scope_parts(op_name);
  const std::string_view operation = parts.empty() ? std::string_view() : parts.back();
  if (!operation.starts_with("gather") && !operation.starts_with("scatter") && !operation.starts_with("dynamic_"))
    return {};
  return str_cat({"XLA makes this loop of one operation, ", operation,
                  ", which it cannot run for all indices at once. A product with a one-hot matrix (jax.nn.one_hot), or "
                  "indices that choose whole rows, can."});
}

}  // namespace hlolint::detail
