// expect: deleted
#include <hlolint/grammar/attributes/json.hpp>

#include <string>
#include <string_view>

using namespace hlolint;

std::string_view value_in(const std::string& kept) {
#ifdef HLOLINT_MISUSE
  return json_find(std::string(kept), "k").value_or("");
#else
  return json_find(kept, "k").value_or("");
#endif
}
