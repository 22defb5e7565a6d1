// PRF016: a parameter whose sharding breaks a contract of the module's owners.
#pragma once

#include <hlolint/checks/module_contract.hpp>
#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Compares parameters with the contracts of the configuration (module_contract).
struct sharding_contract {
  static constexpr rule about{
      .id = "PRF016",
      .name = "sharding-contract",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .needs = need::hlo,
      .compares = true,
      .what = "A parameter is not sharded as a [[contract]] of the configuration requires.",
      .why = "Each device holds and computes more than was planned, or XLA adds transfers to shard the array again.",
      .advice =
          "Check how the argument is sharded where the program is compiled (in_shardings in JAX), or change "
          "the contract.",
      .example =
          "[[contract]]\n"
          "name = \"weights are sharded\"\n"
          "parameter = \"params*\"\n"
          "sharding = \"{devices=[8,1]<=[8]}\"",
      .source = "modeled on contract checks that users keep in scripts"};

  std::vector<module_contract> contracts;  ///< from the configuration; none = nothing is reported

  /// The check runs only if a contract limits shardings.
  std::string_view lacks(const context&) const {
    return any_contract(contracts, [](const module_contract& agreed) { return agreed.limits_shardings(); })
               ? std::string_view{}
               : "no [[contract]] of the configuration limits shardings";
  }

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/checks/performance/agreed_sharding.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/sharding.hpp>
#include <hlolint/ir/text/attribute_text.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/lint/finding_at.hpp>

#include <map>
#include <optional>
#include <vector>

namespace hlolint {

namespace prf016 {

/// Empty if the parameter keeps to the contract, or if its sharding cannot be read, which the parser reports.
inline std::string what_is_wrong(const agreed_sharding& asked, hlo_instruction i) {
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

inline void check(const module_contract& agreed, const agreed_sharding& asked, const hlo_module& module,
                  sink_ref emit) {
  std::map<std::optional<std::string_view>, std::string> known;  // many parameters share a sharding
  for (const hlo_instruction i : parameters_of(agreed, module)) {
    const auto [at, is_new] = known.try_emplace(i.attribute(attribute_key::sharding));
    if (is_new) at->second = what_is_wrong(asked, i);
    if (at->second.empty()) continue;
    emit(finding_at(i, "contract '" + agreed.name + "': parameter " + std::string(i.name()) + at->second +
                           ", agreed is " + agreed.sharding));
  }
}

}  // namespace prf016

HLOLINT_INLINE void sharding_contract::operator()(const context& dump, sink_ref emit) const {
  for (const module_contract& agreed : contracts) {
    if (!agreed.limits_shardings() || !agreed.applies_to(dump.name())) continue;
    if (const auto asked = read_agreed_sharding(agreed.sharding))
      prf016::check(agreed, *asked, *dump.hlo(), emit);
    else
      emit(finding_at(*dump.hlo(), "contract '" + agreed.name + "': '" + agreed.sharding + "' is no sharding"));
  }
}

}  // namespace hlolint
#endif
