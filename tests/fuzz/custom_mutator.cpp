// What libFuzzer calls to change an input, for all targets.
#include "mutate.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

using hlolint::fuzz::dice;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

std::size_t put(const std::string& text, std::uint8_t* to, std::size_t most) {
  const std::size_t size = std::min(text.size(), most);
  std::memcpy(to, text.data(), size);
  return size;
}

}  // namespace

// Now and then libFuzzer's own changes, which know the values that the program compared with.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  dice random(seed);
  if (random.one_in(5)) return LLVMFuzzerMutate(data, size, most);
  return put(hlolint::fuzz::mutate(std::string(text_of(data, size)), {}, most, random), data, most);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data, std::size_t size, const std::uint8_t* other,
                                                 std::size_t other_size, std::uint8_t* out, std::size_t most,
                                                 unsigned seed) {
  dice random(seed);
  return put(hlolint::fuzz::mutate(std::string(text_of(data, size)), text_of(other, other_size), most, random), out,
             most);
}
