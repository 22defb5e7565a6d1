// Both sides of one module.
#pragma once

#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/module.hpp>

namespace hlolint {

/// What a check of the form `(const paired&, sink)` reads. Refers to the parts of a `context`.
struct paired {
  const hlo_module& hlo;  ///< the module
  const buffer_dump& buffers;  ///< the buffers of that module
};

}  // namespace hlolint
