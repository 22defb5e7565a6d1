// The interface through which an analysis gets other analyses, and the analyses of a module made on demand.
#pragma once

#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/module.hpp>

#include <concepts>
#include <memory>
#include <utility>
#include <vector>

namespace hlolint {

/// Makes each analysis of one module once and shares it, as a lint `context` does. Beside the members below it has
/// `get<A>()`, which returns a reference, `share<A>()`, which returns a `std::shared_ptr<const A>`, and `known<A>()`,
/// which returns a pointer, null if the analysis was not made yet. An analysis built on others has a constructor from a
/// cache, so that the others are not computed again.
template <class T>
concept analysis_cache = requires(const T& cache) {
  { cache.hlo() } -> std::same_as<const hlo_module*>;
  { cache.buffers() } -> std::same_as<const buffer_dump*>;
};

namespace detail {
template <class>
inline constexpr char type_key = 0;  // its address stands for the type
}  // namespace detail

/// Holds at most one value of each type. Belongs to one thread. References stay valid as long as the store.
class analysis_store {
 public:
  /// What owns the value of type `Analysis`; if there is none yet, `make()`, which returns what owns a new one.
  template <class Analysis, class Make>
  const std::shared_ptr<const void>& find(Make&& make) {
    const void* const key = &detail::type_key<Analysis>;
    if (const std::shared_ptr<const void>* const known = find(key)) return *known;
    return add(key, make());
  }
  /// The value of type `Analysis`; null if there is none yet.
  template <class Analysis>
  const Analysis* known() const {
    const std::shared_ptr<const void>* const owner = find(&detail::type_key<Analysis>);
    return owner ? static_cast<const Analysis*>(owner->get()) : nullptr;
  }

 private:
  const std::shared_ptr<const void>* find(const void* key) const {
    for (const auto& [known, made] : made_)
      if (known == key) return &made;
    return nullptr;
  }
  const std::shared_ptr<const void>& add(const void* key, std::shared_ptr<const void> made) {
    return made_.emplace_back(key, std::move(made)).second;
  }

  std::vector<std::pair<const void*, std::shared_ptr<const void>>> made_;
};

/// The analyses of one module, each computed on first use: a cache for HLO without a buffer dump.
class module_facts {
 public:
  /// Computes nothing yet.
  explicit module_facts(hlo_module module) : module_(std::move(module)) {}
  module_facts(const module_facts&) = delete;
  module_facts& operator=(const module_facts&) = delete;
  /// The module.
  const hlo_module* hlo() const { return &module_; }
  /// Null: there is no dump.
  const buffer_dump* buffers() const { return nullptr; }
  /// The analysis, computed on first use. It has a constructor from a module or from an analysis cache.
  template <class Analysis>
  const Analysis& get() const {
    return *static_cast<const Analysis*>(made<Analysis>().get());
  }
  /// The analysis if it was made already; else null.
  template <class Analysis>
  const Analysis* known() const {
    return store_.template known<Analysis>();
  }
  /// The analysis, for an owner that may outlive this object.
  template <class Analysis>
  std::shared_ptr<const Analysis> share() const {
    const std::shared_ptr<const void>& owner = made<Analysis>();
    return std::shared_ptr<const Analysis>(owner, static_cast<const Analysis*>(owner.get()));
  }

 private:
  template <class Analysis>
  const std::shared_ptr<const void>& made() const {
    return store_.template find<Analysis>([&] {
      if constexpr (std::constructible_from<Analysis, const module_facts&>)
        return std::make_shared<Analysis>(*this);
      else
        return std::make_shared<Analysis>(module_);
    });
  }

  hlo_module module_;
  mutable analysis_store store_;
};

}  // namespace hlolint
