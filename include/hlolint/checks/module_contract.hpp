// The limits that the owners of a module agreed on: the values of a [[contract]].
#pragma once

#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/glob.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint {

/// Whether a text matches a pattern of a contract (`*`, `?`); an empty pattern matches every text.
inline bool contract_pattern_fits(const std::string& pattern, std::string_view text) {
  return pattern.empty() || matches_glob(pattern, text);
}

/// The limits of a contract. Texts are patterns (`*`, `?`); an empty one matches everything. Limits that are not given
/// are not checked. A collective counts once, whether it is written as one instruction or as start and done.
struct module_contract {
  std::string name;                              ///< for messages
  std::string module;                            ///< pattern of its name
  std::string opcode;                            ///< `all-gather`, without `-start`
  std::string op_name;                           ///< the part of the program it is about
  std::optional<std::int64_t> min_count{};       ///< of such collectives
  std::optional<std::int64_t> max_count{};       ///< of such collectives
  std::optional<std::int64_t> group_size{};      ///< devices of the largest group, exactly
  std::optional<std::int64_t> max_group_size{};  ///< devices of the largest group, at most
  std::optional<byte_count> max_bytes{};         ///< of all of them together
  std::string element_type;                      ///< of every result, such as `bf16`
  bool must_overlap = false;                     ///< asynchronous, with work between start and done
  std::optional<double> max_exposed_ms{};        ///< milliseconds of a step that nothing hides, all together
  std::optional<byte_count> max_peak{};          ///< most bytes of the module in use at once
  std::optional<byte_count> max_temporaries{};   ///< bytes of its temporary allocations
  std::optional<byte_count> max_total{};         ///< bytes of all its allocations
  std::string parameter;                         ///< pattern of parameters of the entry, by name or op_name
  std::string sharding;                          ///< theirs: `replicated`, `not-replicated`, or XLA's text
  friend bool operator==(const module_contract&, const module_contract&) = default;

  /// Whether it is about a module of this name; its number does not count.
  bool applies_to(std::string_view module_name) const {
    return contract_pattern_fits(module, module_name) ||
           contract_pattern_fits(module, module_without_number(module_name));
  }
  /// Whether it has a key that COL017 checks.
  bool limits_collectives() const {
    return min_count || max_count || group_size || max_group_size || max_bytes || !element_type.empty() ||
           must_overlap || max_exposed_ms;
  }
  /// Whether it has a key that BUD009 checks.
  bool limits_memory() const { return max_peak || max_temporaries || max_total; }
  /// Whether it has the key that PRF016 checks.
  bool limits_shardings() const { return !sharding.empty(); }
};

/// Whether `is_meant(contract)` is true for any of them.
template <class Meant>
bool any_contract(const std::vector<module_contract>& list, Meant&& is_meant) {
  return std::any_of(list.begin(), list.end(), is_meant);
}

}  // namespace hlolint
