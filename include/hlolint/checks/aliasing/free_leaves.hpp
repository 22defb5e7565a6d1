// The parameters and results of a program that have no alias, for the rules about donation.
#pragma once

#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/checks/aliasing/entry_shapes.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/text/str_cat.hpp>

#include <optional>
#include <set>
#include <vector>

namespace hlolint::detail {

/// An array that the caller passes or gets back.
struct entry_leaf {
  std::int64_t parameter = -1;  ///< its number; -1 for a part of the result
  shape_index index;
  const shape* array = nullptr;
  byte_count size = 0;
};

inline std::string to_string(const entry_leaf& leaf) {
  return leaf.parameter < 0 ? "output " + to_string(leaf.index) : parameter_text(leaf.parameter, leaf.index);
}

/// `output {0} (f32[8], 32B)`
inline std::string sized_text(const entry_leaf& leaf) {
  return str_cat({to_string(leaf), " (", to_string(*leaf.array), ", ", human(leaf.size), ")"});
}

/// The rule that agrees best with the values of the dump; without values, that of the target.
inline size_rule size_rule_of(const context& dump) {
  if (dump.buffers() && !dump.buffers()->values().empty()) return dump.get<chosen_size_rule>().value;
  return dump.target() == target::tpu ? size_rule::tpu_tiled : size_rule::plain;
}

/// The leaves that are neither in `input_output_alias` nor smaller than `least`. Precondition: the context has HLO.
class free_leaves {
 public:
  free_leaves(const context& dump, byte_count least) : shapes_(dump.get<entry_shapes>()) {
    if (!shapes_) return;
    const size_rule rule = size_rule_of(dump);
    std::set<std::pair<std::int64_t, shape_index>> taken;  // -1: of the result
    if (const auto aliases = get<input_output_alias>(*dump.hlo()))
      for (const input_output_alias_entry& alias : aliases->entries) {
        taken.emplace(alias.parameter, alias.parameter_index);
        taken.emplace(-1, alias.output);
      }
    const auto add = [&](std::int64_t number, const shape* whole, std::vector<entry_leaf>& to) {
      if (!whole) return;
      for_each_subshape(*whole, [&](const shape_index& index, const shape& part) {
        const auto size = is_shareable(&part) ? byte_size(part, rule) : std::nullopt;
        if (size && *size >= least && taken.count({number, index}) == 0) to.push_back({number, index, &part, *size});
      });
    };
    for (std::size_t p = 0; p < shapes_.parameter_count(); ++p)
      add(static_cast<std::int64_t>(p), shapes_.parameter(static_cast<std::int64_t>(p)), parameters_);
    add(-1, shapes_.result(), outputs_);
  }
  free_leaves(const free_leaves&) = delete;
  free_leaves& operator=(const free_leaves&) = delete;

  const std::vector<entry_leaf>& parameters() const { return parameters_; }
  const std::vector<entry_leaf>& outputs() const { return outputs_; }
  const entry_shapes& shapes() const { return shapes_; }

 private:
  const entry_shapes& shapes_;
  std::vector<entry_leaf> parameters_, outputs_;
};

}  // namespace hlolint::detail
