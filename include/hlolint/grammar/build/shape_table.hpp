// Equal shape texts, parsed once.
#pragma once

#include <hlolint/ir/module_data.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace hlolint::build {

/// From the text of a shape to its number in a pool. Keys are views that outlive the table.
class shape_table {
 public:
  void clear() {
    slots_.clear();
    recent_.assign(recent_.size(), known{});
    size_ = 0;
  }

  /// A shape that was read before, and its number.
  struct known {
    std::string_view text;
    id number = none;
  };
  /// Where the last shape is kept that began with the 16 bytes at `p`: most shapes are found there, without a look at
  /// where they end.
  known& recent(const char* p) {
    const std::uint64_t both = hlolint::detail::load8(p) * 0x9E3779B97F4A7C15u ^ hlolint::detail::load8(p + 8) * 0xC2B2AE3D27D4EB4Fu;
    return recent_[both >> 54];
  }

  /// The place for `text`: its number is `none` until the caller has stored one.
  id& operator[](std::string_view text) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    const auto hash = static_cast<std::uint32_t>(hlolint::detail::hash(text));
    std::size_t at = hash & mask();
    for (; slots_[at].text.data(); at = (at + 1) & mask())
      if (slots_[at].hash == hash && hlolint::detail::same(slots_[at].text, text)) return slots_[at].number;
    slots_[at] = {text, hash, none};
    ++size_;
    return slots_[at].number;
  }

 private:
  struct slot {
    std::string_view text;
    std::uint32_t hash = 0;
    id number = none;
  };
  std::size_t mask() const { return slots_.size() - 1; }
  void grow() {
    std::vector<slot> old(slots_.empty() ? 64 : 2 * slots_.size());
    old.swap(slots_);
    for (const slot& s : old) {
      if (!s.text.data()) continue;
      std::size_t at = s.hash & mask();
      while (slots_[at].text.data()) at = (at + 1) & mask();
      slots_[at] = s;
    }
  }

  std::vector<slot> slots_;
  std::vector<known> recent_ = std::vector<known>(1024);
  std::size_t size_ = 0;
};

}  // namespace hlolint::build
