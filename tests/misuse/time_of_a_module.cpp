// expect: this pattern asks for time, schedule or memory: pass a context instead of the module
#include <hlolint/match.hpp>

std::size_t slow_sums(const hlolint::hlo_module& module) {
  namespace m = hlolint::match;
#ifdef HLOLINT_MISUSE
  return m::matches(m::all_reduce & m::exposed_ms(m::at_least(1.0)), module).size();
#else
  return m::matches(m::all_reduce & m::bytes(m::at_least(1e6)), module).size();
#endif
}
