// What an analysis can take other analyses from.
#pragma once

#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/module.hpp>

#include <concepts>

namespace hlolint {

/// Something that makes each analysis of one module once and shares it: a lint `context`. Besides what is asked for
/// here it has `get<A>()`, a reference, and `share<A>()`, a `std::shared_ptr<const A>`. An analysis that is built on
/// others has a constructor from it, so that they are not made again.
template <class T>
concept analysis_cache = requires(const T& cache) {
  { cache.hlo() } -> std::same_as<const hlo_module*>;
  { cache.buffers() } -> std::same_as<const buffer_dump*>;
};

}  // namespace hlolint
