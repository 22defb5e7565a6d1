// The built-in checks and what runs checks, for hlolint::compiled.
#define HLOLINT_COMPILES_CHECKS
#include <hlolint/checks/all.hpp>
#include <hlolint/lint/finding_costs.hpp>
#include <hlolint/lint/lint.hpp>
#include <hlolint/lint/memory_estimate.hpp>

namespace hlolint::detail {

template void add_time_costs<rule>(const rule&, const finding&, const context&, diagnostic&);
template const context& with_estimated_memory<context>(const context&);

}  // namespace hlolint::detail
