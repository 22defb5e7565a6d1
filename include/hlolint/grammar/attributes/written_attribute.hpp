// An attribute as it is written.
#pragma once

#include <hlolint/ir/attribute_key.hpp>
#include <hlolint/text/name_table.hpp>

#include <array>
#include <string_view>

namespace hlolint::grammar {

/// `key=value` as it is written.
struct written_attribute {
  attribute_key key = attribute_key::unknown;
  std::string_view name, value;
};

/// Attributes of older dumps that XLA no longer knows. They are kept as text.
inline constexpr std::array<std::string_view, 16> old_attribute_names{"sparsity",
                                                                      "async_group_id",
                                                                      "async_thread_name",
                                                                      "is_cross_program_prefetch",
                                                                      "outer_dimension_partitions",
                                                                      "conv_kind",
                                                                      "barrier",
                                                                      "all_reduce_id",
                                                                      "opaque",
                                                                      "channel_name",
                                                                      "cost_estimate_ns",
                                                                      "replica_group_ids",
                                                                      "elided_window_dims",
                                                                      "output_window_dims",
                                                                      "gather_dims_to_operand_dims",
                                                                      "window_bounds"};
constexpr bool is_old_attribute(std::string_view key) { return name_table<old_attribute_names>::find(key) >= 0; }

}  // namespace hlolint::grammar
