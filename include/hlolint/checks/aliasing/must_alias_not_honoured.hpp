// ALI008: an alias of the header that the buffer assignment ignores, or one in the assignment that the header lacks.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// buffer_dumps.md 10, checks 1 to 3. XLA merges both kinds of alias alike, so both are errors.
struct must_alias_not_honoured {
  static constexpr rule about{
      .id = "ALI008",
      .name = "must-alias-not-honoured",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .needs = need::hlo | need::buffers,
      .what =
          "The header aliases a parameter to an output, but the buffer assignment places the output elsewhere. "
          "As a warning: the program writes into a parameter that is not aliased.",
      .why =
          "The runtime returns the parameter's buffer as the result, so the caller gets bytes that were never "
          "written. Without an alias, the caller finds its argument changed.",
      .advice =
          "Check that HLO and dump come from one compilation (DMP001). If they do, keep both and report a bug "
          "of the compiler.",
      .example =
          "HloModule m, input_output_alias={ {}: (0, {}, must-alias) }\n"
          "allocation 0: size 32, parameter 0, shape |f32[8]| at ShapeIndex {}:\n"
          "allocation 1: size 32, output shape is |f32[8]|, maybe-live-out:",
      .source = "XLA: hlo_alias_analysis.cc; openxla/xla #29270"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/buffers/matched_values.hpp>
#include <hlolint/checks/aliasing/entry_shapes.hpp>
#include <hlolint/checks/value_finding.hpp>

#include <map>
#include <optional>
#include <set>
#include <utility>

namespace hlolint {

HLOLINT_INLINE void must_alias_not_honoured::operator()(const context& dump, sink_ref emit) const {
  const buffer_dump& buffers = *dump.buffers();
  const hlo_module& module = *dump.hlo();
  const hlo_instruction root = root_of(module.entry());
  if (!root) return;
  using leaf = std::pair<std::int64_t, shape_index>;
  std::map<leaf, const allocation*> of_parameter;
  for (const allocation& a : buffers.allocations())
    if (a.parameter) of_parameter.emplace(leaf(a.parameter->number, a.parameter->index), &a);
  if (of_parameter.empty()) return;
  const auto& values = dump.get<matched_values>();
  if (!values.same_program()) return;  // DMP001

  const auto& parameters = dump.get<computation_parameters>();
  std::optional<detail::entry_shapes> entry;  // made for the first finding
  std::set<leaf> aliased;
  if (const auto aliases = get<input_output_alias>(module))
    for (const input_output_alias_entry& alias : aliases->entries) {
      aliased.emplace(alias.parameter, alias.parameter_index);
      const auto given = of_parameter.find(leaf(alias.parameter, alias.parameter_index));
      const auto made = values.at(root, alias.output);
      const auto placed = made ? values.assigned(*made) : std::nullopt;
      if (given == of_parameter.end() || !placed) continue;  // ALI002, DMP001
      const assigned_value& output = buffers.values()[*placed];
      if (&buffers.allocation_of(output) == given->second && output.offset == 0) continue;
      finding d = detail::value_finding(
          dump, output, values.table().range(*placed),
          str_cat({"output ", to_string(alias.output), " is aliased to ",
                   detail::parameter_text(alias.parameter, alias.parameter_index), " (", alias.text, "), but ",
                   to_string(output.name), " lies in ", detail::allocation_text(buffers.allocation_of(output)),
                   " and not in ", detail::allocation_text(*given->second)}),
          {.bytes = output.size,
           .related = {{buffers.where(given->second->text), {}, {}, "the parameter's allocation"}}});
      if (!entry) entry.emplace(module);
      d.related.push_back({entry->where(alias.text), {}, {}, "the alias"});
      emit(std::move(d));
    }

  for (const auto& [which, in] : of_parameter) {
    if (aliased.count(which) || in->value_count < 2 || in->size == 0) continue;  // a token has no bytes
    const auto given = values.at(parameters.of(module.entry(), which.first), which.second);
    const auto own = given ? values.assigned(*given) : std::nullopt;
    const assigned_value& other = buffers.values()[in->first_value + (own == in->first_value ? 1u : 0u)];
    emit(detail::value_finding(dump, other, nullptr,
                               str_cat({to_string(other.name), " is written into the buffer of ",
                                        detail::parameter_text(which.first, which.second), ", which is not donated"}),
                               {.level = severity::warning,
                                .bytes = in->size,
                                .related = {{buffers.where(in->text), {}, {}, "the parameter's allocation"}}}));
  }
}

}  // namespace hlolint
#endif
