// Changes dumps and settings as accidents and bad will do: at names, numbers, braces and lines, and now and then at
// bytes. The same seed makes the same change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hlolint::fuzz {

/// SplitMix64: small, and the same everywhere.
class dice {
 public:
  explicit dice(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  /// A number below `end`; 0 if that is 0.
  std::size_t below(std::size_t end) { return end == 0 ? 0 : static_cast<std::size_t>(next() % end); }
  bool one_in(std::size_t n) { return below(n) == 0; }

 private:
  std::uint64_t state_;
};

/// `text` with one to four changes, or with up to forty of instructions alone, cut to `most` bytes. Lines
/// and names may come from `other`, which may be empty.
std::string mutate(std::string text, std::string_view other, std::size_t most, dice& random);

}  // namespace hlolint::fuzz
