// The sharding that a contract of the configuration requires, and the parameters that it is about.
#pragma once

#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/analysis/sizes/same_sharding.hpp>
#include <hlolint/checks/module_contract.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/sharding.hpp>
#include <hlolint/lint/accept/fingerprint.hpp>

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// The sharding that the key `sharding` of a contract asks for.
struct agreed_sharding {
  /// The forms of the key.
  enum class kind { replicated, not_replicated, written };
  kind asked = kind::replicated;  ///< which form it has
  sharding written;               ///< of `written`; refers to the text that was read

  /// Whether an array with this sharding keeps to the contract; null: the array has none, so every device holds all of
  /// it.
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

/// The parameters of the entry that match the key `parameter` of a contract: by name, with or without its number, or by
/// op_name, which is the name of the argument in JAX.
inline std::vector<hlo_instruction> parameters_of(const module_contract& agreed, const hlo_module& module) {
  std::vector<hlo_instruction> out;
  if (!module.entry()) return out;
  for (const hlo_instruction i : module.entry().instructions())
    if (i.opcode() == hlo_opcode::parameter && (contract_pattern_fits(agreed.parameter, i.name()) ||
                                                contract_pattern_fits(agreed.parameter, without_number(i.name())) ||
                                                contract_pattern_fits(agreed.parameter, program_place_of(i).op_name)))
      out.push_back(i);
  return out;
}

}  // namespace hlolint
