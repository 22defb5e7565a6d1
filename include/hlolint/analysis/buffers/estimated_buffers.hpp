// A buffer assignment from the schedule of a module alone, for modules of which XLA's own was not dumped.
#pragma once

#include <hlolint/analysis/buffers/assigned_buffers.hpp>
#include <hlolint/ir/target.hpp>

namespace hlolint {

/// By the rules of the newest XLA for that back-end. Precondition: the module is scheduled. The dump's texts are the
/// module's, which must outlive it.
inline buffer_dump estimated_buffers(const hlo_module& module, target on) {
  return assigned_buffers(module, assignment_rules::of(on));
}

}  // namespace hlolint
