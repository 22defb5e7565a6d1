// The operations of HLO (hlo_text.md 8).
#pragma once

#include <hlolint/text/name_table.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace hlolint {

/// XLA's opcodes in alphabetical order. `unknown` is any other opcode; the instruction keeps its spelling. Names that
/// are keywords of C++ end in an underscore.
// clang-format off
enum class hlo_opcode : std::uint8_t {
  abs, acos, acosh, add, add_dependency, after_all, all_gather, all_gather_done, all_gather_start, all_reduce,
  all_reduce_done, all_reduce_start, all_to_all, and_, asin, asinh, async_done, async_start, async_update, atan2,
  atanh, batch_norm_grad, batch_norm_inference, batch_norm_training, bitcast, bitcast_convert, broadcast, call, cbrt,
  ceil, cholesky, clamp, collective_broadcast, collective_permute, collective_permute_done, collective_permute_start,
  collective_reduce, compare, complex, concatenate, conditional, constant, convert, convolution, copy, copy_done,
  copy_start, cosh, cosine, count_leading_zeros, custom_call, divide, domain, dot, dynamic_reshape, dynamic_slice,
  dynamic_update_slice, erf, exp2, exponential, exponential_minus_one, fft, floor, fusion, gather, get_dimension_size,
  get_tuple_element, imag, infeed, iota, is_finite, log, log_plus_one, log2, logistic, map, maximum, minimum, mulhi,
  multiply, negate, not_, opt_barrier, or_, outfeed, pad, parameter, partition_id, popcnt, power, ragged_all_to_all,
  ragged_dot, real, recv, recv_done, reduce, reduce_precision, reduce_scatter, reduce_window, remainder, replica_id,
  reshape, reverse, rng, rng_bit_generator, rng_get_and_update_state, round_nearest_afz, round_nearest_even, rsqrt,
  scaled_dot, scan, scatter, select, select_and_scatter, send, send_done, set_dimension_size, shift_left,
  shift_right_arithmetic, shift_right_logical, shuffle, sign, sine, sinh, slice, sort, sqrt, stochastic_convert,
  subtract, tan, tanh, topk, transpose, triangular_solve, tuple, while_, xor_,
  unknown
};
// clang-format on

/// The opcodes as XLA writes them, by their enumerators.
// clang-format off
inline constexpr std::array<std::string_view, 138> hlo_opcode_names{
    "abs", "acos", "acosh", "add", "add-dependency", "after-all", "all-gather", "all-gather-done", "all-gather-start",
    "all-reduce", "all-reduce-done", "all-reduce-start", "all-to-all", "and", "asin", "asinh", "async-done",
    "async-start", "async-update", "atan2", "atanh", "batch-norm-grad", "batch-norm-inference", "batch-norm-training",
    "bitcast", "bitcast-convert", "broadcast", "call", "cbrt", "ceil", "cholesky", "clamp", "collective-broadcast",
    "collective-permute", "collective-permute-done", "collective-permute-start", "collective-reduce", "compare",
    "complex", "concatenate", "conditional", "constant", "convert", "convolution", "copy", "copy-done", "copy-start",
    "cosh", "cosine", "count-leading-zeros", "custom-call", "divide", "domain", "dot", "dynamic-reshape",
    "dynamic-slice", "dynamic-update-slice", "erf", "exp2", "exponential", "exponential-minus-one", "fft", "floor",
    "fusion", "gather", "get-dimension-size", "get-tuple-element", "imag", "infeed", "iota", "is-finite", "log",
    "log-plus-one", "log2", "logistic", "map", "maximum", "minimum", "mulhi", "multiply", "negate", "not",
    "opt-barrier", "or", "outfeed", "pad", "parameter", "partition-id", "popcnt", "power", "ragged-all-to-all",
    "ragged-dot", "real", "recv", "recv-done", "reduce", "reduce-precision", "reduce-scatter", "reduce-window",
    "remainder", "replica-id", "reshape", "reverse", "rng", "rng-bit-generator", "rng-get-and-update-state",
    "round-nearest-afz", "round-nearest-even", "rsqrt", "scaled-dot", "scan", "scatter", "select",
    "select-and-scatter", "send", "send-done", "set-dimension-size", "shift-left", "shift-right-arithmetic",
    "shift-right-logical", "shuffle", "sign", "sine", "sinh", "slice", "sort", "sqrt", "stochastic-convert",
    "subtract", "tan", "tanh", "topk", "transpose", "triangular-solve", "tuple", "while", "xor",
    "unknown"};
// clang-format on

/// The opcode as XLA writes it, such as `all-reduce-start`, or `unknown`.
constexpr std::string_view name_of(hlo_opcode opcode) { return hlo_opcode_names[static_cast<std::size_t>(opcode)]; }

/// The opcode that a word is; `unknown` if it is none of the list.
constexpr hlo_opcode find_hlo_opcode(std::string_view word) {
  const int found = name_table<hlo_opcode_names>::find(word);
  return found < 0 ? hlo_opcode::unknown : static_cast<hlo_opcode>(found);
}

/// A set of enumerators below Count, one bit for each.
template <class Enum, std::size_t Count>
class enum_set {
 public:
  /// The set of these enumerators.
  constexpr enum_set(std::initializer_list<Enum> members = {}) {
    for (const Enum e : members) add(e);
  }
  /// Adds an enumerator.
  constexpr void add(Enum e) { words_[static_cast<std::size_t>(e) / 64] |= bit_of(e); }
  /// Whether an enumerator is in the set.
  constexpr bool has(Enum e) const { return (words_[static_cast<std::size_t>(e) / 64] & bit_of(e)) != 0; }
  /// Whether all of another set are in this one.
  constexpr bool holds(const enum_set& other) const {
    std::uint64_t missing = 0;
    for (std::size_t w = 0; w < words_.size(); ++w) missing |= other.words_[w] & ~words_[w];
    return missing == 0;
  }

 private:
  static constexpr std::uint64_t bit_of(Enum e) { return std::uint64_t{1} << static_cast<std::size_t>(e) % 64; }
  std::array<std::uint64_t, (Count + 63) / 64> words_{};
};
/// A set of opcodes.
using opcode_set = enum_set<hlo_opcode, hlo_opcode_names.size()>;

/// Whether it is a synchronous collective: one instruction, so that nothing can overlap with it (scheduling.md 1).
constexpr bool is_synchronous_collective(hlo_opcode opcode) {
  using enum hlo_opcode;
  constexpr opcode_set collectives{all_gather,         all_reduce,        all_to_all,        collective_broadcast,
                                   collective_permute, collective_reduce, ragged_all_to_all, reduce_scatter};
  return collectives.has(opcode);
}

/// Whether it is one of the three start opcodes of collectives. All other collectives start by `async-start` around a
/// computation.
constexpr bool is_collective_start(hlo_opcode opcode) {
  using enum hlo_opcode;
  return opcode == all_gather_start || opcode == all_reduce_start || opcode == collective_permute_start;
}

/// Whether it is a collective, as one instruction or as a start; a `-done` does not count.
constexpr bool is_collective(hlo_opcode opcode) {
  return is_synchronous_collective(opcode) || is_collective_start(opcode);
}

/// Whether it is a collective-permute, as one instruction or as a start.
constexpr bool is_permute(hlo_opcode opcode) {
  return opcode == hlo_opcode::collective_permute || opcode == hlo_opcode::collective_permute_start;
}

static_assert(hlo_opcode_names.size() == 138 && hlo_opcode_names.back() == "unknown");

}  // namespace hlolint
