// Maps a dump's names of values and positions to those of the dataflow, and back.
#pragma once

#include <hlolint/analysis/program/instruction_names.hpp>
#include <hlolint/analysis/values/dataflow.hpp>
#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/module.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint {

/// Matches values by the defining instruction's name and the index in its result, never by id.
class named_values {
 public:
  /// Refers to the dataflow, which must outlive it.
  explicit named_values(const dataflow& flow)
      : named_values(flow, std::make_shared<const instruction_names>(flow.module())) {}
  /// With the module's names.
  named_values(const dataflow& flow, std::shared_ptr<const instruction_names> names)
      : flow_(flow), names_(std::move(names)) {}

  /// The position; nothing if there is no such instruction or part.
  std::optional<hlo_position> position(std::string_view instruction, const shape_index& index) const {
    const hlo_instruction i = names_->find(instruction);
    const std::uint32_t part = i ? flow_.tables().places.find(i.id(), index) : none;
    return part == none ? std::nullopt : std::optional(hlo_position{i.id(), part});
  }
  /// The value defined at the position, by its position in `flow.values()`; nothing if there is none.
  std::optional<std::size_t> value(std::string_view instruction, const shape_index& index) const {
    std::optional<std::size_t> out;
    if (const auto at = position(instruction, index))
      flow_.for_each_at(*at, [&](std::uint32_t v) {
        if (flow_.values()[v].defined == *at) out = v;
      });
    return out;
  }

  /// The name in dumps, unique in the module. @{
  std::string_view name_of(hlo_instruction i) const { return names_->of(i); }
  std::string_view name_of(id i) const { return names_->of(flow_.module().instruction(i)); }
  /// @}
  /// The index as XLA prints it: only inside of tuples.
  std::optional<shape_index> printed_index(hlo_position p) const {
    return flow_.tables().places.is_tuple(p.instruction, 0) ? std::optional(flow_.index(p)) : std::nullopt;
  }
  /// `fusion.1{0}`, as in dumps; the index only if the result is a tuple.
  std::string text_of(hlo_position p) const {
    const auto index = printed_index(p);
    return std::string(name_of(p.instruction)) + (index ? to_string(*index) : std::string{});
  }
  /// The name of a value's definition.
  std::string text_of(const hlo_value& v) const { return text_of(v.defined); }

 private:
  const dataflow& flow_;
  std::shared_ptr<const instruction_names> names_;
};

}  // namespace hlolint
