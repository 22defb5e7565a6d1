// From names to numbers while a computation is read: a hash table with small slots that is emptied in constant time.
#pragma once

#include <hlolint/grammar/x3/names.hpp>
#include <hlolint/ir/module_data.hpp>
#include <hlolint/text/huge_pages.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hlolint::build {

/// Names are identifiers of one text, so that a slot only needs the place where a name begins. `find` gives the number
/// of a name, or `none`.
class name_map {
 public:
  explicit name_map(std::string_view text) : text_(text) {}

  /// Removes all names. All later names stand at `begin` or after it; slots of names before it are free.
  void clear(std::uint32_t begin) {
    if (begin < end_) slots_ = {};  // the text is read again from `begin`
    begin_ = end_ = begin;
    size_ = 0;
  }

  id find(std::string_view name) const {
    if (slots_.empty()) return none;
    const auto hash = static_cast<std::uint32_t>(hash_of(name));
    for (std::size_t at = hash & mask(); is_taken(slots_[at]); at = (at + 1) & mask())
      if (is(slots_[at], name, hash)) return slots_[at].value;
    return none;
  }

  [[gnu::always_inline]] static std::uint64_t hash_of(std::string_view name) { return hlolint::detail::hash(name); }
  /// Fetches the slot of a name into the cache, for a later `insert`.
  void expect(std::uint64_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[hash & mask()], 1);
  }
  /// The number that the name has already, or `none` after storing the new one.
  id insert(std::string_view name, id value) { return insert(name, value, hash_of(name)); }
  id insert(std::string_view name, id value, std::uint64_t whole_hash) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    const auto hash = static_cast<std::uint32_t>(whole_hash);
    std::size_t at = hash & mask();
    for (; is_taken(slots_[at]); at = (at + 1) & mask())
      if (is(slots_[at], name, hash)) {
        const id known = slots_[at].value;
        if (known == none) slots_[at].value = value;  // it was taken back
        return known;
      }
    slots_[at] = {static_cast<std::uint32_t>(name.data() - text_.data()) + 1, hash, value};
    end_ = std::max(end_, slots_[at].after);
    ++size_;
    return none;
  }

  /// Takes a name back.
  void forget(std::string_view name) {
    const auto hash = static_cast<std::uint32_t>(hash_of(name));
    for (std::size_t at = hash & mask(); is_taken(slots_[at]); at = (at + 1) & mask())
      if (is(slots_[at], name, hash)) slots_[at].value = none;
  }

 private:
  struct slot {
    std::uint32_t after = 0;  ///< one more than where the name begins; 0: the slot is free
    std::uint32_t hash = 0;
    id value = none;
  };
  bool is_taken(const slot& s) const { return s.after > begin_; }
  bool is(const slot& s, std::string_view name, std::uint32_t hash) const {
    return s.hash == hash && grammar::is_name_at(text_, s.after - 1, name);
  }
  std::size_t mask() const { return slots_.size() - 1; }
  void grow() {
    std::vector<slot> old;
    old.swap(slots_);
    hlolint::detail::reserve_large(slots_, old.empty() ? 64 : 2 * old.size());
    slots_.resize(slots_.capacity());
    for (const slot& s : old) {
      if (!is_taken(s)) continue;
      std::size_t at = s.hash & mask();
      while (is_taken(slots_[at])) at = (at + 1) & mask();
      slots_[at] = s;
    }
  }

  std::string_view text_;
  std::vector<slot> slots_;
  std::size_t size_ = 0;
  std::uint32_t begin_ = 0;  ///< slots of names before this place are free
  std::uint32_t end_ = 0;    ///< one more than where the last name begins
};

}  // namespace hlolint::build
