// What of the values that a step computes again fits into the memory that its device has left, and how a program in JAX
// keeps them.
#pragma once

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/analysis/time/recomputation.hpp>
#include <hlolint/ir/source_position.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/lint/memory_estimate.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/checked.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint {

/// Bytes that a module leaves free of the memory that its device, known or guessed, gives to programs by default;
/// nothing if the device or the module's memory is unknown, or if it takes more than there is.
inline std::optional<byte_count> free_memory(const context& module) {
  const device on = module.device();
  const byte_count there = clamp_to_int64(static_cast<double>(usable_memory(on)) * on.memory_share);
  if (there <= 0) return std::nullopt;
  const std::optional<byte_count> need = needed_memory(module);
  return need && *need < there ? std::optional(there - *need) : std::nullopt;
}

/// The memory that `free_memory` is a part of: `h100-sxm`, or `the 75 % of h100-sxm that programs get by default`.
inline std::string memory_for_programs(const device& on) {
  if (on.memory_share >= 1) return on.name;
  return str_cat({"the ", share_text(on.memory_share, 1), " of ", on.name, " that programs get by default"});
}

/// The first results of `recomputation::keeps`, as many as fit.
struct kept_results {
  /// Those that fit into `room` bytes.
  kept_results(const recomputation& of, byte_count room) {
    for (const keepable_result& one : of.keeps()) {
      const byte_count with = (checked_int64(bytes) + one.bytes).clamped();
      if (with > room) break;
      list.push_back(&one), bytes = with, seconds += one.seconds;
    }
  }

  std::vector<const keepable_result*> list;  ///< most seconds for each byte first
  byte_count bytes = 0;                      ///< of all of them
  double seconds = 0;                        ///< that a step saves with all of them
};

/// The operation, its place and its shape: `dot_general at model.py:12, 16 x bf16[4,2048,4096]{2,1,0}`.
inline std::string kept_text(const keepable_result& one) {
  const std::string_view name = one.from.op_name;
  const std::string_view operation = name.substr(name.rfind('/') + 1);
  std::string out(operation.empty() && !one.instructions.empty() ? one.instructions.front().name() : operation);
  if (one.from.at) append_to(out, {" at ", file_and_line(one.from.at.file, one.from.at.line)});
  out += ", ";
  if (one.copies >= 1.5) append_to(out, {static_cast<std::size_t>(one.copies + 0.5), " x "});
  return out + one.shape;
}

/// How JAX keeps these results. Precondition: there are some.
inline std::string how_to_keep(const std::vector<const keepable_result*>& list) {
  std::string out =
      "Give what should be kept a name where it is made, x = jax.ad_checkpoint.checkpoint_name(x, \"kept\"), and let "
      "the checkpoint around it save that name: jax.checkpoint(f, "
      "policy=jax.checkpoint_policies.save_only_these_names(\"kept\")). A policy that is there already stays: "
      "jax.checkpoint_policies.save_from_both_policies(that, save_only_these_names(\"kept\")).";
  if (std::all_of(list.begin(), list.end(), [](const keepable_result* one) { return one->is_product; }))
    out +=
        " All of these are matrix products: jax.checkpoint_policies.dots_with_no_batch_dims_saveable saves every "
        "product with weights, without names; that may be more than these.";
  return out;
}

}  // namespace hlolint
