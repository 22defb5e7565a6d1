// Findings, which checks report, and the sinks that receive them.
#pragma once

#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/diagnostic.hpp>

#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace hlolint {

/// The subject of a finding, in the dump and in the user's program. Unknown parts are empty.
struct finding_subject {
  std::string computation;  ///< its name
  std::string instruction;  ///< its name
  std::string shape;        ///< as XLA prints it
  program_place from;       ///< in the user's program
  friend bool operator==(const finding_subject&, const finding_subject&) = default;
};

/// An instruction whose time, or a part of it, a finding could save.
struct saved_time {
  hlo_instruction of;       ///< counts with the exposed time of a transfer, or the work of others
  double share = 1;         ///< from 0 to 1
  bool by_overlap = false;  ///< other work would hide it
  friend bool operator==(const saved_time&, const saved_time&) = default;
};

/// The facts that only the check knows. Rule, module, fingerprint and omitted members are added before a sink gets it
/// as a `diagnostic` (run.hpp).
struct finding {
  std::string message{};                    ///< one sentence, without the rule
  location where{};                         ///< if omitted, the module
  finding_subject subject{};                ///< names and places
  std::optional<severity> level{};          ///< counts if lower than the rule's
  std::optional<byte_count> bytes{};        ///< wasted or in conflict, in one run
  std::optional<promised_bytes> promise{};  ///< what the advice saves, if that is known; becomes part of the message
  std::optional<double> runs{};             ///< in a step; if omitted, as often as its computation
  std::optional<finding_impact> impact{};   ///< for a whole step; if omitted, computed from other members
  hlo_instruction about{};                  ///< empty without an instruction
  std::vector<saved_time> saves{};          ///< if omitted, the time of `about`
  std::optional<buffer_place> buffer{};     ///< its place in memory, and lifetime
  std::vector<related_place> related{};     ///< other places involved
  std::string advice{};                     ///< if omitted, the rule's
  friend bool operator==(const finding&, const finding&) = default;
};

/// Anything that can be called with a finding. Checks take `sink auto& emit`.
template <class S>
concept sink = requires(S& emit, finding found) {
  emit(std::move(found));
};

/// Anything that can be called with a diagnostic, into which `run` turns a finding.
template <class S>
concept diagnostic_sink = requires(S& emit, diagnostic found) {
  emit(std::move(found));
};

/// Refers to an object of any type that can be called with an Item.
template <class Item>
class basic_sink_ref {
 public:
  /// Precondition: `to` outlives it.
  template <class S>
  requires(!std::same_as<std::remove_const_t<S>, basic_sink_ref> &&
           requires(S & to, Item i) { to(std::move(i)); }) explicit basic_sink_ref(S& to)
      : to_(const_cast<void*>(static_cast<const volatile void*>(std::addressof(to)))),
        call_([](void* s, Item&& item) { (*static_cast<S*>(s))(std::move(item)); }) {}

  /// Passes the item on.
  void operator()(Item item) const { call_(to_, std::move(item)); }

 private:
  void* to_;
  void (*call_)(void*, Item&&);
};

/// The sink with which all checks are run, so that each is compiled once.
using sink_ref = basic_sink_ref<finding>;
/// The sink for the diagnostics of a run.
using diagnostic_sink_ref = basic_sink_ref<diagnostic>;

static_assert(sink<sink_ref> && diagnostic_sink<diagnostic_sink_ref>);

}  // namespace hlolint
