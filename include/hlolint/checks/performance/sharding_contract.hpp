// PRF016: a parameter is not sharded as the owners of its module agreed on.
#pragma once

#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/analysis/sizes/same_sharding.hpp>
#include <hlolint/checks/module_contract.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/sharding.hpp>
#include <hlolint/ir/text/attribute_text.hpp>
#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/lint/check.hpp>
#include <hlolint/lint/finding_at.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// What the key `sharding` of a contract asks for.
struct agreed_sharding {
  /// The forms of the key.
  enum class kind { replicated, not_replicated, written };
  kind asked = kind::replicated;  ///< which form it has
  sharding written;               ///< of `written`; refers to the text that was read

  /// Whether an array with this sharding keeps to it; null = the array has none, so every device holds all of it.
  bool is_kept(const sharding* actual) const {
    switch (asked) {
      case kind::replicated: return !actual || is_replicated(*actual);
      case kind::not_replicated: return actual && !is_replicated(*actual);
      case kind::written: return actual ? same_sharding(*actual, written) : is_replicated(written);
    }
    return false;
  }
};

/// `replicated`, `not-replicated` or a sharding as XLA writes it, blanks aside; nothing if the text is none of these.
/// The value refers to the text.
inline std::optional<agreed_sharding> read_agreed_sharding(std::string_view text) {
  using kind = agreed_sharding::kind;
  if (text == "replicated") return agreed_sharding{.asked = kind::replicated, .written = {}};
  if (text == "not-replicated") return agreed_sharding{.asked = kind::not_replicated, .written = {}};
  std::optional<sharding> written = value_from_text<sharding>(text);
  if (!written) return std::nullopt;
  return agreed_sharding{.asked = kind::written, .written = *std::move(written)};
}

/// The parameters of the entry that the key `parameter` of a contract means: by their names, with or without number, or
/// by their op_name, which is the name of the argument in JAX.
inline std::vector<hlo_instruction> parameters_of(const module_contract& agreed, const hlo_module& module) {
  std::vector<hlo_instruction> out;
  if (!module.entry()) return out;
  for (const hlo_instruction i : module.entry().instructions())
    if (i.opcode() == hlo_opcode::parameter &&
        (contract_pattern_fits(agreed.parameter, i.name()) ||
         contract_pattern_fits(agreed.parameter, without_number(i.name())) ||
         contract_pattern_fits(agreed.parameter, program_place_of(i).op_name)))
      out.push_back(i);
  return out;
}

/// Holds parameters against the contracts of the configuration (module_contract).
struct sharding_contract {
  /// What the rule is called, and how it is explained.
  static constexpr rule about{
      .id = "PRF016",
      .name = "sharding-contract",
      .level = severity::error,
      .since = "0.1",
      .what = "A parameter is not sharded as a [[contract]] of the configuration requires.",
      .why = "Each device holds and computes more than was planned, or XLA adds transfers to shard the array again.",
      .advice = "See how the argument is sharded where the program is compiled (in_shardings in JAX), or change the "
                "contract.",
      .example = "[[contract]]\nname = \"weights are sharded\"\nparameter = \"params*\"\nsharding = "
                 "\"{devices=[8,1]<=[8]}\"",
      .source = "written after contract checks that users keep in scripts"};
  static constexpr need needs = need::hlo;  ///< without it the check is not run

  std::vector<module_contract> contracts;  ///< from the configuration; none = nothing is reported

  /// Reports each parameter that is sharded otherwise.
  void operator()(const context& dump, sink auto& report) const {
    for (const module_contract& agreed : contracts) {
      if (!agreed.limits_shardings() || !agreed.applies_to(dump.name())) continue;
      if (const auto asked = read_agreed_sharding(agreed.sharding))
        check(agreed, *asked, *dump.hlo(), report);
      else
        report(finding_at(*dump.hlo(), "contract '" + agreed.name + "': '" + agreed.sharding + "' is no sharding"));
    }
  }

 private:
  static void check(const module_contract& agreed, const agreed_sharding& asked, const hlo_module& module,
                    sink auto& report) {
    std::map<std::optional<std::string_view>, std::string> known;  // many parameters have one sharding
    for (const hlo_instruction i : parameters_of(agreed, module)) {
      const auto [at, is_new] = known.try_emplace(i.attribute(attribute_key::sharding));
      if (is_new) at->second = what_is_wrong(asked, i);
      if (at->second.empty()) continue;
      report(finding_at(i, "contract '" + agreed.name + "': parameter " + std::string(i.name()) + at->second +
                               ", agreed is " + agreed.sharding));
    }
  }

  /// Empty if the parameter keeps to what was agreed, or if its sharding cannot be read, which the parser reports.
  static std::string what_is_wrong(const agreed_sharding& asked, hlo_instruction i) {
    const bool has_one = i.has(attribute_key::sharding);
    const std::optional<sharding> actual = get<sharding>(i);
    if (!actual) return has_one || asked.is_kept(nullptr) ? "" : " has no sharding, so every device holds all of it";
    if (actual->written != sharding::kind::tuple || asked.written.written == sharding::kind::tuple)
      return asked.is_kept(&*actual) ? "" : " has the sharding " + to_string(*actual);
    for (std::size_t leaf = 0; leaf < actual->elements.size(); ++leaf)
      if (const sharding& own = actual->elements[leaf]; !asked.is_kept(&own))
        return " has in its leaf " + std::to_string(leaf) + " the sharding " + to_string(own);
    return {};
  }
};

}  // namespace hlolint
