// What is written about a rule beside its code. The command, the documents and the tests read it here and nowhere else.
#pragma once

#include <hlolint/text/diagnostic.hpp>

#include <cstdint>
#include <string_view>

namespace hlolint {

/// What the findings of a rule cost those who run the program.
enum class cost_kind : std::uint8_t {
  nothing,  ///< neither: the program or the dump is wrong, or something else is worth knowing
  memory,   ///< bytes that are taken
  time,     ///< the bytes are moved, once in each run of what the finding is about
  both      ///< the bytes are taken, and moved
};

/// Whether a cost is memory, and whether it is time. @{
constexpr bool costs_memory(cost_kind k) { return k == cost_kind::memory || k == cost_kind::both; }
constexpr bool costs_time(cost_kind k) { return k == cost_kind::time || k == cost_kind::both; }
/// @}

/// Metadata of a rule: `static constexpr rule about{...}` in a check. Ids and names never change once released.
struct rule {
  std::string_view id{};                 ///< group and number: `MEM001`
  std::string_view name{};               ///< the bad pattern, as it reads after "allow": `overlapping-live-buffers`
  severity level = severity::warning;  ///< of the most severe finding; one may set a lower one
  std::string_view since = "0.1";      ///< version of hlolint
  cost_kind costs = cost_kind::memory;  ///< what `finding::bytes` means
  std::string_view what{};               ///< what is reported, one sentence
  std::string_view why{};                ///< why it is bad
  std::string_view advice{};             ///< what to do; goes into findings that bring none of their own
  std::string_view example{};            ///< dump text that has it
  std::string_view source{};             ///< where the facts come from: a document, an issue of XLA
  friend constexpr bool operator==(const rule&, const rule&) = default;
};

/// What a lambda without a rule of its own reports under.
inline constexpr rule custom_rule{.id = "CUSTOM",
                                  .name = "custom-check",
                                  .level = severity::error,
                                  .what = "Whatever a check without a rule of its own reports."};

}  // namespace hlolint
