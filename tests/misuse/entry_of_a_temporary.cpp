// expect: deleted
#include <hlolint/ir/parsed_file.hpp>

using namespace hlolint;

parsed_file read();

std::size_t instructions_of_entry() {
#ifdef HLOLINT_MISUSE
  return first_module(read()).entry().instruction_count();
#else
  const hlo_module kept = first_module(read());
  return kept.entry().instruction_count();
#endif
}
