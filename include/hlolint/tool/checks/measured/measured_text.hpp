// What the code of rules about profiles uses: measured times, and numbers as texts.
#pragma once

#include <hlolint/lint/finding_costs.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/tool/measured/measured_module.hpp>
#include <hlolint/tool/measured/measured_step.hpp>

namespace hlolint::detail {

/// Average seconds of a run of a module.
inline double mean_run(const measured_module& m) {
  return m.each([](const profile_module& one) { return one.total(); });
}

}  // namespace hlolint::detail
