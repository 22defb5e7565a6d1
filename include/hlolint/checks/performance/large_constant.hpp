// PRF001: a large constant.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// The size comes from the shape, so constants whose elements the dump leaves out (`{...}`) count as well.
struct large_constant {
  static constexpr rule about{
      .id = "PRF001",
      .name = "large-constant",
      .looks_at = [](hlo_opcode opcode) { return opcode == hlo_opcode::constant; },
      .what = "A large constant is part of the program and should be an argument.",
      .why =
          "It is stored in the executable, and again in every program that contains it; it slows compilation "
          "(constant folding works on it), and its memory can be neither donated nor sharded.",
      .advice =
          "Pass the array as an argument instead of closing over it; compute tables (masks, positions) inside "
          "the program from iota.",
      .example = "%c = f32[1024,1024]{1,0} constant({...})",
      .source = "jax-ml/jax #16278, #28157 (a warning of JAX from about 1 GB on)"};

  byte_count min_bytes = 1_MiB;
  static constexpr auto options =
      std::tuple{option{"min-bytes", &large_constant::min_bytes, "smaller constants are not reported"}};

  void operator()(hlo_instruction i, const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

namespace hlolint {

HLOLINT_INLINE void large_constant::operator()(hlo_instruction i, const context&, sink_ref emit) const {
  if (!about.looks_at(i.opcode()) || !i.shape()) return;
  const auto bytes = dense_size_of_leaves(*i.shape());
  if (!bytes || *bytes < min_bytes) return;
  emit(finding_at(i, str_cat({"a constant of ", human(*bytes), " is part of the program"}), {.bytes = bytes}));
}

}  // namespace hlolint
#endif
