// A hash table of numbers, for things that stand in an array already.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace hlolint::detail {

/// Finds the number of a thing by a hash of its key. It only holds numbers in one flat array: the caller knows what
/// they number and which keys are equal. Nothing can be removed. At most 2^31 numbers.
class flat_index {
 public:
  static constexpr std::uint32_t none = 0xFFFFFFFF;

  flat_index() = default;
  /// An index with room for this many numbers.
  explicit flat_index(std::size_t count) { reserve(count); }

  void reserve(std::size_t count) {
    std::size_t slots = 8;
    while (slots < 2 * count) slots *= 2;
    if (slots > slots_.size()) grow(slots);
  }
  std::size_t size() const { return size_; }

  /// The number for which `equal(number)` holds, or `none`. Only numbers whose hash may be equal are tried.
  template <class Equal>
  std::uint32_t find(std::uint64_t hash, Equal&& equal) const {
    if (slots_.empty()) return none;
    const std::uint32_t tag = tag_of(hash);
    for (std::size_t at = static_cast<std::size_t>(hash) & mask();; at = (at + 1) & mask()) {
      const slot& s = slots_[at];
      if (s.number == none) return none;
      if (s.tag == tag && equal(s.number)) return s.number;
    }
  }

  /// Where a search for a hash stands: `next` leads to one number after the other whose hash may be the same. @{
  struct search {
    std::uint64_t hash;
    std::uint32_t number = none, steps = 0;
  };
  bool next(search& at) const {
    if (slots_.empty()) return false;
    for (const std::uint32_t tag = tag_of(at.hash);;) {
      const slot& s = slots_[(static_cast<std::size_t>(at.hash) + at.steps++) & mask()];
      at.number = s.number;
      if (s.number == none) return false;
      if (s.tag == tag) return true;
    }
  }
  /// @}
  /// Adds a number that is not here.
  void add(std::uint64_t hash, std::uint32_t number) {
    insert(hash, number, [](std::uint32_t) { return false; });
  }

  /// Adds a number unless an equal one is there. Returns the number that is there afterwards, and whether it is the new
  /// one. Precondition: the number is not `none`.
  template <class Equal>
  std::pair<std::uint32_t, bool> insert(std::uint64_t hash, std::uint32_t number, Equal&& equal) {
    if (2 * (size_ + 1) > slots_.size()) grow(slots_.empty() ? 8 : 2 * slots_.size());
    const std::uint32_t tag = tag_of(hash);
    std::size_t at = static_cast<std::size_t>(hash) & mask();
    for (; slots_[at].number != none; at = (at + 1) & mask())
      if (slots_[at].tag == tag && equal(slots_[at].number)) return {slots_[at].number, false};
    slots_[at] = {static_cast<std::uint32_t>(hash), tag, number};
    ++size_;
    return {number, true};
  }

 private:
  struct slot {
    std::uint32_t low = 0;  // low half of the hash, which gives the slot's place
    std::uint32_t tag = 0;  // high half of the hash
    std::uint32_t number = none;
  };

  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }
  std::size_t mask() const { return slots_.size() - 1; }

  void grow(std::size_t count) {
    const std::vector<slot> old = std::exchange(slots_, std::vector<slot>(count));
    for (const slot& s : old) {
      if (s.number == none) continue;
      std::size_t at = s.low & mask();
      while (slots_[at].number != none) at = (at + 1) & mask();
      slots_[at] = s;
    }
  }

  std::vector<slot> slots_;  // a power of two, at least half of them free
  std::size_t size_ = 0;
};

}  // namespace hlolint::detail
