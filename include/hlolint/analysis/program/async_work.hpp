// Classifies instructions for async windows: work, transfer, or neither (scheduling.md 1, 5), and collectives.
#pragma once

#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/characters.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace hlolint {

/// Instructions that take no time (list N2).
constexpr bool takes_no_time(hlo_opcode opcode) {
  using enum hlo_opcode;
  constexpr opcode_set without_time{add_dependency, after_all, bitcast,      constant,   domain, get_tuple_element,
                                    opt_barrier,    parameter, partition_id, replica_id, tuple};
  return without_time.has(opcode);
}

/// Opcodes that start an operation to be awaited later.
constexpr bool is_start_opcode(hlo_opcode opcode) {
  using enum hlo_opcode;
  return is_collective_start(opcode) || opcode == async_start || opcode == copy_start || opcode == send ||
         opcode == recv;
}

/// The start opcode of a done or update; `unknown` for other opcodes.
constexpr hlo_opcode start_opcode_of(hlo_opcode done) {
  switch (done) {
    using enum hlo_opcode;
    case all_gather_done: return all_gather_start;
    case all_reduce_done: return all_reduce_start;
    case async_done:
    case async_update: return async_start;
    case collective_permute_done: return collective_permute_start;
    case copy_done: return copy_start;
    case recv_done: return recv;
    case send_done: return send;
    default: return unknown;
  }
}

/// Opcodes that end a transfer or an async operation; updates do not.
constexpr bool is_done_opcode(hlo_opcode opcode) {
  return opcode != hlo_opcode::async_update && start_opcode_of(opcode) != hlo_opcode::unknown;
}

/// Starts, updates and dones.
constexpr bool is_transfer_opcode(hlo_opcode opcode) {
  return is_start_opcode(opcode) || start_opcode_of(opcode) != hlo_opcode::unknown;
}

/// Whether a collective written as start and done is executed synchronously, according to `is_sync` in `backend_config`
/// (since 2023; at first outside of `collective_backend_config`) or to the frontend attribute `sync_collective`.
/// Nothing if the text has neither.
inline std::optional<bool> sync_flag(hlo_instruction collective) {
  auto flag = config_value(collective, "collective_backend_config", "is_sync");
  if (!flag) flag = config_value(collective, "is_sync");
  if (!flag) flag = frontend_value(collective, "sync_collective");
  return flag ? std::optional(*flag == "true") : std::nullopt;
}

/// The `kernel_strategy` of a collective in lower case, such as `kernel_strategy_one_shot`: a kernel of XLA's own on
/// the stream of the other kernels. Empty where NCCL moves it.
inline std::string kernel_strategy_of(hlo_instruction collective) {
  auto value = config_value(collective, "collective_backend_config", "kernel_strategy");
  if (!value) value = config_value(collective, "kernel_strategy");
  std::string out = lowered(value.value_or(std::string{}));
  return out.find("shot") != out.npos ? out : std::string{};
}

namespace detail {
/// The larger of two sizes, or the known one.
inline std::optional<byte_count> larger(const std::optional<byte_count>& a, const std::optional<byte_count>& b) {
  return a && b ? std::optional(std::max(*a, *b)) : a ? a : b;
}

/// `all-gather of 112.00MiB`
inline std::string transfer_text(std::string_view kind, const std::optional<byte_count>& bytes) {
  return std::string(kind) + (bytes ? " of " + human(*bytes) : std::string{});
}
inline std::string transfer_text(hlo_opcode kind, const std::optional<byte_count>& bytes) {
  return transfer_text(name_of(kind), bytes);
}

/// `position 7 of 81 in main`, counted from 0: the schedule of one computation. Of the written instruction, where `i`
/// is one that async sugar implies.
inline std::string position_text(hlo_instruction i) {
  i = written_instruction(i);
  const hlo_computation in = i.computation();
  return "position " + std::to_string(i.index_in_computation()) + " of " + std::to_string(in.instruction_count()) +
         " in " + std::string(in.name());
}

}  // namespace detail

/// The sum of the operands' bytes, without padding; nothing if one is unknown.
inline std::optional<byte_count> operand_bytes(hlo_instruction i) {
  std::optional<byte_count> sum = 0;
  for (std::size_t k = 0; sum && k < i.operand_count(); ++k) {
    const shape* const operand = shape_of_operand(i, k);
    const auto bytes = operand ? dense_size_of_leaves(*operand) : std::nullopt;
    sum = bytes ? checked_add(*sum, *bytes) : std::nullopt;
  }
  return sum;
}

/// Bytes of the bigger side, operands or result, of an instruction that is a whole transfer; without padding. Nothing
/// if neither size is known.
inline std::optional<byte_count> transfer_bytes(hlo_instruction whole) {
  return detail::larger(operand_bytes(whole), whole.shape() ? dense_size_of_leaves(*whole.shape()) : std::nullopt);
}

/// The synchronous opcode of a collective or of its start; other opcodes as they are.
constexpr hlo_opcode collective_kind(hlo_opcode opcode) {
  switch (opcode) {
    using enum hlo_opcode;
    case all_gather_start: return all_gather;
    case all_reduce_start: return all_reduce;
    case collective_permute_start: return collective_permute;
    default: return opcode;
  }
}

/// The collective itself or its start; for an async-start the wrapped root if it is a collective, or a custom call that
/// runs one (on a SparseCore). An empty view for other instructions.
inline hlo_instruction collective_of(hlo_instruction i) {
  if (is_collective(i.opcode())) return i;
  hlo_instruction wrapped = i.opcode() == hlo_opcode::async_start ? root_of(first_called(i)) : hlo_instruction{};
  if (wrapped && wrapped.opcode() == hlo_opcode::custom_call) wrapped = root_of(first_called(wrapped));
  return wrapped && is_synchronous_collective(wrapped.opcode()) ? wrapped : hlo_instruction{};
}

/// Whether a send or recv moves the arguments or results of a function on the host (a callback).
inline bool moves_for_host_call(hlo_instruction i) {
  if ((i.opcode() != hlo_opcode::send && i.opcode() != hlo_opcode::recv) ||
      !get_boolean(i, attribute_key::is_host_transfer))
    return false;
  const auto metadata = get<op_metadata>(i);
  return (metadata && metadata->op_name.find("callback") != std::string::npos) ||
         frontend_value(i, "_xla_host_transfer_handler_name") == "pjrt_rendezvous";
}

/// Whether the operands of an async-start are bound by a later update, where its computation begins to run.
inline bool binds_operands_later(hlo_instruction start) {
  if (start.opcode() != hlo_opcode::async_start || start.operand_count() != 0 || !first_called(start)) return false;
  return std::ranges::any_of(first_called(start).instructions(),
                             [](hlo_instruction i) { return i.opcode() == hlo_opcode::parameter; });
}

/// Bytes of the bigger side of a start, read from its own shape (scheduling.md 1, column "start shape"); of one whose
/// operands are bound later, from the shapes of the collective that it runs.
inline std::optional<byte_count> started_bytes(hlo_instruction start) {
  if (binds_operands_later(start)) {
    const hlo_instruction run = collective_of(start);
    return run ? transfer_bytes(run) : std::nullopt;
  }
  const shape* const whole = start.shape();
  if (!whole) return std::nullopt;
  if (start.opcode() == hlo_opcode::all_reduce_start) return dense_size_of_leaves(*whole);
  const shape* const first = whole->at({0});
  const shape* const second = whole->at({1});
  const auto bytes = first ? dense_size_of_leaves(*first) : std::nullopt;
  const bool two_sides = is_collective_start(start.opcode()) || start.opcode() == hlo_opcode::async_start;
  const auto other = two_sides && second ? dense_size_of_leaves(*second) : std::nullopt;
  return detail::larger(bytes, other);
}

/// Bytes of the bigger side of a collective or of any start, without padding.
inline std::optional<byte_count> collective_bytes(hlo_instruction i) {
  return is_start_opcode(i.opcode()) ? started_bytes(i) : transfer_bytes(i);
}

}  // namespace hlolint
