// Equal shape texts, parsed once.
#pragma once

#include <hlolint/ir/module_data.hpp>
#include <hlolint/text/record_list.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hlolint::build {

/// From the text of a shape to its number in a pool. All are parts of one text.
class shape_table {
 public:
  explicit shape_table(std::string_view text) : text_(text) {}

  void clear() {
    slots_.clear();
    recent_.assign(recent_.size(), known{});
    short_.fill({});
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
    const std::uint64_t both =
        hlolint::detail::load8(p) * 0x9E3779B97F4A7C15u ^ hlolint::detail::load8(p + 8) * 0xC2B2AE3D27D4EB4Fu;
    return recent_[both >> 54];
  }

  /// The first bytes of a text up to a blank, and how many these are; none if no blank comes within 16.
  struct short_text {
    std::uint64_t low = 0, high = 0;
    std::size_t size = 0;
    bool is(const short_text& other) const { return low == other.low && high == other.high && size == other.size; }
  };
  /// Of at least 16 bytes.
  static short_text up_to_blank(const char* p) {
    constexpr std::uint64_t ones = 0x0101010101010101u;
    const auto blanks = [](std::uint64_t v) {  // the lowest bit that is set belongs to the first blank
      v ^= ones * ' ';
      return (v - ones) & ~v & (ones << 7);
    };
    short_text out{hlolint::detail::load8(p), 0, 0};
    std::uint64_t found = blanks(out.low);
    if (found != 0) {
      out.size = static_cast<std::size_t>(__builtin_ctzll(found)) / 8;
      out.low &= (std::uint64_t{1} << (8 * out.size)) - 1;
    } else if (out.high = hlolint::detail::load8(p + 8), found = blanks(out.high); found != 0) {
      const auto size = static_cast<std::size_t>(__builtin_ctzll(found)) / 8;
      out.size = 8 + size;
      out.high &= (std::uint64_t{1} << (8 * size)) - 1;
    }
    return out;
  }
  /// Where the last shape is kept that has the hash of this one.
  struct short_known {
    short_text text;
    id number = none;
  };
  short_known& known_short(const short_text& text) {
    return short_[(text.low * 0x9E3779B97F4A7C15u ^ text.high * 0xC2B2AE3D27D4EB4Fu) >> 56];
  }

  /// The place for `text`: its number is `none` until the caller has stored one.
  id& operator[](std::string_view text) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    const auto hash = static_cast<std::uint32_t>(hlolint::detail::hash(text));
    std::size_t at = hash & mask();
    for (; slots_[at].after != 0; at = (at + 1) & mask())
      if (slots_[at].hash == hash &&
          hlolint::detail::same({text_.data() + slots_[at].after - 1, slots_[at].size}, text))
        return slots_[at].number;
    slots_[at] = {static_cast<std::uint32_t>(text.data() - text_.data()) + 1, static_cast<std::uint32_t>(text.size()),
                  hash, none};
    ++size_;
    return slots_[at].number;
  }

 private:
  struct slot {
    std::uint32_t after = 0;  ///< where the text begins, and one more; 0: there is none
    std::uint32_t size = 0;
    std::uint32_t hash = 0;
    id number = none;
  };
  std::size_t mask() const { return slots_.size() - 1; }
  void grow() {
    record_list<slot> old(slots_.empty() ? 64 : 2 * slots_.size());
    old.swap(slots_);
    for (const slot& s : old) {
      if (s.after == 0) continue;
      std::size_t at = s.hash & mask();
      while (slots_[at].after != 0) at = (at + 1) & mask();
      slots_[at] = s;
    }
  }

  std::string_view text_;
  record_list<slot> slots_;
  record_list<known> recent_ = record_list<known>(1024);
  std::array<short_known, 256> short_;  ///< those of less than 16 bytes that a blank follows
  std::size_t size_ = 0;
};

}  // namespace hlolint::build
