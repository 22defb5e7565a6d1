// libFuzzer target: any bytes read as HLO give the same values and diagnostics whether lines are read
// in one go or not.
#include "../both_readings.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

template <class Readings>
void compare(const hlolint::source& text) {
  const Readings read(text);
  if (const std::string difference = read.difference(); !difference.empty()) {
    std::fprintf(stderr, "not the same: %s\n", difference.c_str());
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const hlolint::source text(std::string(reinterpret_cast<const char*>(data), size));
  compare<both_readings>(text);
  return 0;
}
