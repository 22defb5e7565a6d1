// ALI002: an alias or donor that names something twice, or something that does not exist.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// buffer_dumps.md 8: HloInputOutputAliasConfig::Verify, SetUpAlias, HloBufferDonorConfig::Verify.
struct alias_duplicate {
  static constexpr rule about{
      .id = "ALI002",
      .name = "alias-duplicate",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .needs = need::hlo,
      .what =
          "input_output_alias or buffer_donor names a parameter or an output twice, or names one that does not "
          "exist or is not an array.",
      .why = "Two outputs would share one buffer, or the alias would mean nothing; XLA's verifier rejects the module.",
      .advice =
          "Donate each buffer once, to one output. If a program generated the header, look for an argument "
          "that is passed twice.",
      .example = "HloModule m, input_output_alias={ {0}: (0, {}, may-alias), {1}: (0, {}, may-alias) }",
      .source = "XLA: hlo_input_output_alias_config.cc, Verify and SetUpAlias; HloBufferDonorConfig::Verify"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/checks/aliasing/entry_shapes.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

#include <map>
#include <utility>

namespace hlolint {

HLOLINT_INLINE void alias_duplicate::operator()(const context& dump, sink_ref emit) const {
  const hlo_module& module = *dump.hlo();
  const auto aliases = get<input_output_alias>(module);
  const auto donors = get<buffer_donor>(module);
  if (!aliases && !donors) return;
  const detail::entry_shapes& entry = dump.get<detail::entry_shapes>();

  const auto add = [&](std::string_view piece, std::string message, std::string_view first = {},
                       const char* role = "") {
    finding d = finding_at(entry.where(piece), std::move(message));
    if (!first.empty()) d.related.push_back({entry.where(first), {}, {}, role});
    emit(std::move(d));
  };
  const auto what_is_there = [](const shape* leaf) { return leaf ? "is no array" : "does not exist"; };
  // Reports a parameter leaf that cannot be shared; true if it can be, or if nothing is known about it.
  const auto leaf_exists = [&](std::string_view piece, std::int64_t number, const shape_index& index, const char* in) {
    if (!entry) return true;
    if (number < 0 || static_cast<std::uint64_t>(number) >= entry.parameter_count()) {
      add(piece, str_cat({in, " names parameter ", number, ", but the entry has ", entry.parameter_count()}));
      return false;
    }
    const shape* const parameter = entry.parameter(number);
    if (!parameter || detail::is_shareable(parameter->at(index))) return true;
    add(piece, str_cat({in, " names ", detail::parameter_text(number, index), ", which ",
                        what_is_there(parameter->at(index))}));
    return false;
  };

  using leaf = std::pair<std::int64_t, shape_index>;
  std::map<leaf, std::string_view> aliased;
  std::map<shape_index, std::string_view> outputs;
  if (aliases)
    for (const input_output_alias_entry& alias : aliases->entries) {
      if (leaf_exists(alias.text, alias.parameter, alias.parameter_index, "input_output_alias")) {
        const auto [first, is_new] = aliased.emplace(leaf{alias.parameter, alias.parameter_index}, alias.text);
        if (!is_new)
          add(alias.text, detail::parameter_text(alias.parameter, alias.parameter_index) + " is aliased to two outputs",
              first->second, "the other alias");
      }
      const shape* const result = entry ? entry.result() : nullptr;
      if (result && !detail::is_shareable(result->at(alias.output)))
        add(alias.text, str_cat({"input_output_alias names output ", to_string(alias.output), ", which ",
                                 what_is_there(result->at(alias.output))}));
      const auto [first, is_new] = outputs.emplace(alias.output, alias.text);
      if (!is_new)
        add(alias.text, "output " + to_string(alias.output) + " is aliased to two parameters", first->second,
            "the other alias");
    }
  if (donors)
    for (const buffer_donor_entry& donor : donors->entries) {
      if (!leaf_exists(donor.text, donor.parameter, donor.parameter_index, "buffer_donor")) continue;
      const auto alias = aliased.find({donor.parameter, donor.parameter_index});
      if (alias != aliased.end())
        add(donor.text,
            detail::parameter_text(donor.parameter, donor.parameter_index) + " is a buffer donor and is also aliased",
            alias->second, "the alias");
    }
}

}  // namespace hlolint
#endif
