// expect: deleted
#include <hlolint/text/source.hpp>

#include <string>

using namespace hlolint;

source text_of(const std::string& kept) {
#ifdef HLOLINT_MISUSE
  return source(std::string(kept), "m.txt", borrow);
#else
  return source(kept, "m.txt", borrow);
#endif
}
