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
      .uses = need::earlier,
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

/// Whether the dumps show how the parameters are sharded. Compilers of today print no shardings after partitioning:
/// those of the module before optimizations count (`parameter_shardings`). Precondition: there is HLO.
bool has_shardings(const context& dump);

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/transfers/parameter_shardings.hpp>
#include <hlolint/checks/performance/agreed_sharding.hpp>
#include <hlolint/ir/sharding.hpp>
#include <hlolint/ir/text/attribute_text.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/lint/finding_at.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hlolint {

namespace prf016 {

inline bool has_value(const std::optional<sharding>& known) { return known.has_value(); }
inline bool is_sharded_parameter(hlo_instruction i) {
  return i.opcode() == hlo_opcode::parameter && i.has(attribute_key::sharding);
}

/// Empty if the parameter keeps to the contract. `actual`: null if every device holds all of it.
inline std::string what_is_wrong(const agreed_sharding& asked, const sharding* actual) {
  if (!actual) return asked.is_kept(nullptr) ? "" : " has no sharding, so every device holds all of it";
  if (actual->written != sharding::kind::tuple || asked.written.written == sharding::kind::tuple)
    return asked.is_kept(actual) ? "" : " has the sharding " + to_string(*actual);
  for (std::size_t leaf = 0; leaf < actual->elements.size(); ++leaf)
    if (const sharding& own = actual->elements[leaf]; !asked.is_kept(&own))
      return " has in its leaf " + std::to_string(leaf) + " the sharding " + to_string(own);
  return {};
}
/// What is wrong with a parameter for which no text has a sharding that can be read. Where the module before
/// optimizations has some for others, this one is smaller than it was there: XLA cut it by itself.
inline std::string what_is_wrong_without(const agreed_sharding& asked, hlo_instruction i, bool is_cut) {
  if (i.has(attribute_key::sharding)) return {};  // the parser reports it
  if (!is_cut) return what_is_wrong(asked, nullptr);
  return asked.asked == agreed_sharding::kind::replicated ? " is cut into parts, though it has no sharding" : "";
}

inline void check(const module_contract& agreed, const agreed_sharding& asked, const context& dump, sink_ref emit) {
  const auto shardings = parameter_shardings(*dump.hlo(), dump.earlier());
  const bool is_cut = dump.hlo()->num_partitions() > 1 && dump.earlier() && std::ranges::any_of(shardings, has_value) &&
                      std::ranges::none_of(dump.hlo()->entry().instructions(), is_sharded_parameter);
  std::map<std::string, std::string> known;  // many parameters share a sharding
  for (const hlo_instruction i : parameters_of(agreed, *dump.hlo())) {
    const auto n = static_cast<std::size_t>(i.parameter_number().value_or(-1));
    std::string wrong;
    if (n < shardings.size() && shardings[n]) {
      const auto [at, is_new] = known.try_emplace(to_string(*shardings[n]));
      if (is_new) at->second = what_is_wrong(asked, &*shardings[n]);
      wrong = at->second;
    } else {
      wrong = what_is_wrong_without(asked, i, is_cut);
    }
    if (!wrong.empty())
      emit(finding_at(i, "contract '" + agreed.name + "': parameter " + std::string(i.name()) + wrong + ", agreed is " +
                             agreed.sharding));
  }
}

}  // namespace prf016

HLOLINT_INLINE bool has_shardings(const context& dump) {
  const hlo_module& module = *dump.hlo();
  return module.num_partitions() < 2 || !module.is_scheduled() ||
         std::ranges::any_of(parameter_shardings(module, dump.earlier()), prf016::has_value);
}

HLOLINT_INLINE void sharding_contract::operator()(const context& dump, sink_ref emit) const {
  for (const module_contract& agreed : contracts) {
    if (!agreed.limits_shardings() || !agreed.applies_to(dump.name()) || !has_shardings(dump)) continue;
    if (const auto asked = read_agreed_sharding(agreed.sharding))
      prf016::check(agreed, *asked, dump, emit);
    else
      emit(finding_at(*dump.hlo(), "contract '" + agreed.name + "': '" + agreed.sharding + "' is no sharding"));
  }
}

}  // namespace hlolint
#endif
