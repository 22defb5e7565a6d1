// Analyses that were made once, by their types.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/text/record_list.hpp>

#include <memory>
#include <utility>

namespace hlolint {

namespace detail {
template <class>
inline constexpr char type_key = 0;  // its address stands for the type
}  // namespace detail

/// Holds one value of each type that was asked for. Belongs to one thread. References stay valid as long as the store.
class analysis_store {
 public:
  /// The one of that type; `make()`, a `std::shared_ptr<const Analysis>`, is called where there is none yet.
  template <class Analysis, class Make>
  const std::shared_ptr<const void>& find(Make&& make) {
    const void* const key = &detail::type_key<Analysis>;
    for (const auto& [known, made] : made_)
      if (known == key) return made;
    std::shared_ptr<const Analysis> made = make();
    return made_.emplace_back(key, std::move(made)).second;
  }

 private:
  record_list<std::pair<const void*, std::shared_ptr<const void>>> made_;
};

/// The analyses of one module, each made when first asked for: what a lint context is where there is nothing but HLO.
class module_facts {
 public:
  /// The facts of this module, made when first asked for.
  explicit module_facts(hlo_module module) : module_(std::move(module)) {}
  module_facts(const module_facts&) = delete;
  module_facts& operator=(const module_facts&) = delete;
  /// The module.
  const hlo_module* hlo() const { return &module_; }
  /// There are none.
  const buffer_dump* buffers() const { return nullptr; }
  /// The analysis, for which there is a constructor from a module or from an analysis cache.
  template <class Analysis>
  const Analysis& get() const {
    return *static_cast<const Analysis*>(made<Analysis>().get());
  }
  /// The same, for an analysis to keep.
  template <class Analysis>
  std::shared_ptr<const Analysis> share() const {
    return std::static_pointer_cast<const Analysis>(made<Analysis>());
  }

 private:
  template <class Analysis>
  const std::shared_ptr<const void>& made() const {
    return store_.template find<Analysis>([&] {
      if constexpr (std::constructible_from<Analysis, const module_facts&>)
        return std::make_shared<const Analysis>(*this);
      else
        return std::make_shared<const Analysis>(module_);
    });
  }

  hlo_module module_;
  mutable analysis_store store_;
};

}  // namespace hlolint
