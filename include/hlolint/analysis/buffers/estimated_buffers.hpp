// A buffer assignment from the schedule of a module alone, for modules of which XLA's own was not dumped.
#pragma once

#include <hlolint/analysis/assignment/likely_rules.hpp>
#include <hlolint/analysis/buffers/assigned_buffers.hpp>
#include <hlolint/ir/target.hpp>

namespace hlolint {

/// By the rules of the XLA that made the text most likely, for that back-end. Precondition: the module is scheduled.
/// The dump's texts are the module's, which must outlive it.
inline buffer_dump estimated_buffers(const hlo_module& module, target on) {
  return assigned_buffers(module, assignment_rules::of(on, period_of(module).likely()));
}

}  // namespace hlolint
