// DMP008: several modules of one name in one folder.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// One note for all modules of a name, at the first of them.
struct ambiguous_module {
  static constexpr rule about{
      .id = "DMP008",
      .name = "ambiguous-module",
      .level = severity::note,
      .costs = cost_kind::nothing,
      .what = "Several modules of one folder have the same name.",
      .why = "Findings and baselines identify modules by name, so findings of one module may hide those of another.",
      .advice =
          "Give each function a name of its own (in JAX the name of the jitted function), or lint the modules "
          "one by one.",
      .example = "module_0003.jit_fn.cpu_after_optimizations.txt, module_0007.jit_fn.cpu_after_optimizations.txt",
      .source = "XLA: dump.cc, module names and numbers"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/inputs/file_stem.hpp>

namespace hlolint {

HLOLINT_INLINE void ambiguous_module::operator()(const context& dump, sink_ref emit) const {
  const auto& others = dump.namesakes();  // empty for all but the first
  if (others.empty()) return;
  location where;
  if (dump.hlo())
    where = dump.hlo()->where();
  else if (dump.buffers() && !dump.buffers()->texts().empty())
    where.in = dump.buffers()->texts().front();
  emit(finding_at(where, "module " + dump.name() + " is in " + std::to_string(others.size() + 1) +
                             " files of this folder, also in " + std::string(file_stem_of(others.front()).stem)));
}

}  // namespace hlolint
#endif
