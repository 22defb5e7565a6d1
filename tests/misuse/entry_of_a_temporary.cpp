// expect: deleted
#include <hlolint/ir/module.hpp>

using namespace hlolint;

hlo_module read();

std::size_t instructions_of_entry() {
#ifdef HLOLINT_MISUSE
  return read().entry().instruction_count();
#else
  const hlo_module kept = read();
  return kept.entry().instruction_count();
#endif
}
