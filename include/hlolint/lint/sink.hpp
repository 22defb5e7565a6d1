// Where findings go.
#pragma once

#include <hlolint/text/diagnostic.hpp>

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace hlolint {

/// Anything that can be called with a diagnostic. Checks take `sink auto& report`.
template <class S>
concept sink = requires(S& report, diagnostic finding) { report(std::move(finding)); };

/// Refers to a sink of any type. Checks are always run with this one, so each is compiled once.
class sink_ref {
 public:
  /// Precondition: `to` outlives it.
  template <sink S>
    requires(!std::same_as<std::remove_const_t<S>, sink_ref>)
  explicit sink_ref(S& to)
      : to_(const_cast<void*>(static_cast<const volatile void*>(std::addressof(to)))),
        call_([](void* s, diagnostic&& finding) { (*static_cast<S*>(s))(std::move(finding)); }) {}

  /// Passes the finding on.
  void operator()(diagnostic finding) const { call_(to_, std::move(finding)); }

 private:
  void* to_;
  void (*call_)(void*, diagnostic&&);
};

static_assert(sink<sink_ref>);

}  // namespace hlolint
