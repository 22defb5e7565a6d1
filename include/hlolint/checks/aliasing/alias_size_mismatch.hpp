// ALI001: an entry parameter and the output that shares its buffer differ in size.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// buffer_dumps.md 8 (HloInputOutputAliasConfig::Verify) and 10.5.
struct alias_size_mismatch {
  static constexpr rule about{
      .id = "ALI001",
      .name = "alias-size-mismatch",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .needs = need::hlo,
      .what =
          "An entry of input_output_alias pairs a parameter and an output of different byte sizes, or a "
          "must-alias entry pairs two different shapes.",
      .why =
          "Both would share one buffer: writing the larger one runs past the end of what the caller passed. XLA's "
          "verifier rejects the module.",
      .advice = "Donate the argument only to an output of equal shape, element type and layout, or drop the donation.",
      .example =
          "HloModule m, input_output_alias={ {}: (0, {}, may-alias) }, "
          "entry_computation_layout={(f32[8]{0})->f32[16]{0}}",
      .source = "XLA: hlo_input_output_alias_config.cc, Verify; hlo_verifier.cc"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/checks/aliasing/entry_shapes.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

#include <optional>
#include <utility>
#include <vector>

namespace hlolint {

namespace ali001 {

/// Without a buffer dump the size function is a guess, so only sizes that differ under every candidate count.
inline std::vector<size_rule> possible_rules(const context& dump) {
  if (dump.buffers() && !dump.buffers()->values().empty()) return {dump.get<chosen_size_rule>().value};
  return {size_rule::plain, size_rule::tpu_tiled};
}

inline std::optional<std::pair<byte_count, byte_count>> different_sizes(const shape& input, const shape& output,
                                                                        const std::vector<size_rule>& rules) {
  if (!input.is_static() || !output.is_static()) return std::nullopt;
  std::optional<std::pair<byte_count, byte_count>> out;
  for (const size_rule rule : rules) {
    if (rules.size() > 1 && is_tiled(rule) && takes_whole_blocks(input) && takes_whole_blocks(output)) continue;
    const auto given = byte_size(input, rule), needed = byte_size(output, rule);
    if (!given || !needed || *given == *needed) return std::nullopt;
    out = {*given, *needed};
  }
  return out;
}

inline void name_parties(const context& dump, const input_output_alias_entry& alias, finding& d) {
  const hlo_computation entry = dump.hlo()->entry();
  if (!entry || !entry.is_marked_entry()) return;
  d.subject.computation = std::string(entry.name());
  if (const hlo_instruction parameter = dump.get<computation_parameters>().of(entry, alias.parameter)) {
    d.subject.instruction = std::string(parameter.name());
    d.related.push_back(related_at(parameter, "the parameter"));
  }
  if (const hlo_instruction root = entry.root()) d.related.push_back(related_at(root, "the output"));
}

}  // namespace ali001

HLOLINT_INLINE void alias_size_mismatch::operator()(const context& dump, sink_ref emit) const {
  const auto aliases = get<input_output_alias>(*dump.hlo());
  if (!aliases) return;
  const detail::entry_shapes& entry = dump.get<detail::entry_shapes>();
  if (!entry) return;
  const std::vector<size_rule> rules = ali001::possible_rules(dump);
  for (const input_output_alias_entry& alias : aliases->entries) {
    const shape* const parameter = entry.parameter(alias.parameter);
    const shape* const input = parameter ? parameter->at(alias.parameter_index) : nullptr;
    const shape* const output = entry.result() ? entry.result()->at(alias.output) : nullptr;
    if (!detail::is_shareable(input) || !detail::is_shareable(output)) continue;  // ALI002

    const auto pair = [&] {  // a lambda, since most aliases are right and need no text
      return str_cat({detail::parameter_text(alias.parameter, alias.parameter_index), " (", to_string(*input),
                      ") and output ", to_string(alias.output), " (", to_string(*output), ")"});
    };
    if (const auto sizes = ali001::different_sizes(*input, *output, rules)) {
      const auto [given, needed] = *sizes;
      finding d = finding_at(entry.where(alias.text),
                             str_cat({pair(), " share a buffer but take ", given, " and ", needed, " bytes"}),
                             {.bytes = std::max(given, needed) - std::min(given, needed)});
      ali001::name_parties(dump, alias, d);
      emit(std::move(d));
    } else if (alias.must_alias && input->layout.has_value() == output->layout.has_value() && !(*input == *output)) {
      finding d =
          finding_at(entry.where(alias.text), pair() + " must alias but differ in shape, layout or memory space");
      ali001::name_parties(dump, alias, d);
      emit(std::move(d));
    }
  }
}

}  // namespace hlolint
#endif
