// What single instructions are to an async window: work, a transfer, or neither (scheduling.md 1, 5).
#pragma once

#include <hlolint/analysis/program/attribute_words.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/grammar/attributes/json.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/optional.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace hlolint {

/// Instructions that take no time (list N2).
constexpr bool takes_no_time(hlo_opcode opcode) {
  switch (opcode) {
    using enum hlo_opcode;
    case add_dependency: case after_all: case bitcast: case constant: case domain: case get_tuple_element:
    case opt_barrier: case parameter: case partition_id: case replica_id: case tuple: return true;
    default: return false;
  }
}

/// The opcodes that begin something to be waited for later.
constexpr bool is_start_opcode(hlo_opcode opcode) {
  using enum hlo_opcode;
  return is_collective_start(opcode) || opcode == async_start || opcode == copy_start || opcode == send ||
         opcode == recv;
}

/// The start opcode that a done (or update) waits for; `unknown` for other opcodes.
constexpr hlo_opcode start_opcode_of(hlo_opcode done) {
  switch (done) {
    using enum hlo_opcode;
    case all_gather_done: return all_gather_start;
    case all_reduce_done: return all_reduce_start;
    case async_done: case async_update: return async_start;
    case collective_permute_done: return collective_permute_start;
    case copy_done: return copy_start;
    case recv_done: return recv;
    case send_done: return send;
    default: return unknown;
  }
}

/// The opcodes that end a transfer or an async operation; updates do not.
constexpr bool is_done_opcode(hlo_opcode opcode) {
  return opcode != hlo_opcode::async_update && start_opcode_of(opcode) != hlo_opcode::unknown;
}

/// Starts, updates and dones.
constexpr bool is_transfer_opcode(hlo_opcode opcode) {
  return is_start_opcode(opcode) || start_opcode_of(opcode) != hlo_opcode::unknown;
}

/// What XLA records in `backend_config` (`is_sync`, since 2023; at first without `collective_backend_config` around it)
/// or in the frontend attribute `sync_collective`: executed synchronously although written as start and done. Nothing
/// if the text does not give it.
inline optional<bool> sync_flag(hlo_instruction collective) {
  const bool has_config = may_hold(collective, attribute_key::backend_config, "is_sync");
  if (const auto config = has_config ? get<backend_config>(collective) : std::nullopt) {
    auto flag = json_find(config->text, "collective_backend_config", "is_sync");
    if (!flag) flag = json_find(config->text, "is_sync");
    if (flag) return *flag == "true";
  }
  const bool has_flag = may_hold(collective, attribute_key::frontend_attributes, "sync_collective");
  if (const auto attributes = has_flag ? get<frontend_attributes>(collective) : std::nullopt)
    if (const auto* flag = attributes->find("sync_collective")) return *flag == "true";
  return std::nullopt;
}

/// Bytes of the bigger side, operands or result, of an instruction that stands for a whole transfer; without padding.
/// Nothing if neither side's size is known.
inline optional<byte_count> transfer_bytes(hlo_instruction whole) {
  optional<byte_count> operands = 0;
  for (std::size_t i = 0; operands && i < whole.operand_count(); ++i) {
    const hlo_instruction operand = whole.operand(i);
    const shape* const declared = operand && operand.shape() ? operand.shape() : whole.operand_shape(i);
    const auto bytes = declared ? dense_size_of_leaves(*declared) : std::nullopt;
    operands = bytes ? checked_add(*operands, *bytes) : std::nullopt;
  }
  const auto result = whole.shape() ? dense_size_of_leaves(*whole.shape()) : std::nullopt;
  if (!operands || !result) return operands ? operands : result;
  return std::max(*operands, *result);
}

/// The same for a start, read from its own shape (scheduling.md 1, column "start shape").
inline optional<byte_count> started_bytes(hlo_instruction start) {
  const shape* const whole = start.shape();
  if (!whole) return std::nullopt;
  if (start.opcode() == hlo_opcode::all_reduce_start) return dense_size_of_leaves(*whole);
  const shape* const first = whole->at({0});
  const shape* const second = whole->at({1});
  const auto bytes = first ? dense_size_of_leaves(*first) : std::nullopt;
  const bool two_sides = is_collective_start(start.opcode()) || start.opcode() == hlo_opcode::async_start;
  const auto other = two_sides && second ? dense_size_of_leaves(*second) : std::nullopt;
  if (!bytes || !other) return bytes ? bytes : other;
  return std::max(*bytes, *other);
}

}  // namespace hlolint
