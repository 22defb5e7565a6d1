// expect: deleted
#include <hlolint/ir/parsed_file.hpp>

using namespace hlolint;

parsed_file read();

hlo_instruction first_of_entry() {
#ifdef HLOLINT_MISUSE
  return read().modules().front().entry().instruction(0);
#else
  const parsed_file kept = read();
  return kept.modules().front().entry().instruction(0);
#endif
}
