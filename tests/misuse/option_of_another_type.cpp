// expect: an option is a bool, an int, a double or a byte_count
#include <hlolint/lint/option.hpp>

#include <string>
#include <tuple>

using namespace hlolint;

struct named {
#ifdef HLOLINT_MISUSE
  std::string most;
#else
  int most = 1;
#endif
  static constexpr auto options = std::tuple{option{"most", &named::most, "how many are allowed"}};
};
