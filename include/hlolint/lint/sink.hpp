// Where findings go: from a check, and from those who run checks.
#pragma once

#include <hlolint/lint/finding.hpp>
#include <hlolint/text/diagnostic.hpp>

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace hlolint {

/// Anything that can be called with a finding. Checks take `sink auto& report`.
template <class S>
concept sink = requires(S& report, finding found) { report(std::move(found)); };

/// Anything that can be called with a diagnostic, which is what `run` makes of a finding.
template <class S>
concept diagnostic_sink = requires(S& report, diagnostic found) { report(std::move(found)); };

/// Refers to something of any type that can be called with an Item.
template <class Item>
class basic_sink_ref {
 public:
  /// Precondition: `to` outlives it.
  template <class S>
    requires(!std::same_as<std::remove_const_t<S>, basic_sink_ref> && requires(S& to, Item i) { to(std::move(i)); })
  explicit basic_sink_ref(S& to)
      : to_(const_cast<void*>(static_cast<const volatile void*>(std::addressof(to)))),
        call_([](void* s, Item&& item) { (*static_cast<S*>(s))(std::move(item)); }) {}

  /// Passes the item on.
  void operator()(Item item) const { call_(to_, std::move(item)); }

 private:
  void* to_;
  void (*call_)(void*, Item&&);
};

/// Checks are always run with this sink, so each is compiled once.
using sink_ref = basic_sink_ref<finding>;
/// What takes the diagnostics of a run.
using diagnostic_sink_ref = basic_sink_ref<diagnostic>;

static_assert(sink<sink_ref> && diagnostic_sink<diagnostic_sink_ref>);

}  // namespace hlolint
