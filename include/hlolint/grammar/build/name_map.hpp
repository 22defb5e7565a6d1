// Names to numbers while a computation is read: one open-addressing table, emptied in constant time.
#pragma once

#include <hlolint/ir/module_data.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace hlolint::build {

/// Keys are views that outlive the map. `find` gives the number stored with a name, or `none`.
class name_map {
 public:
  void clear() {
    size_ = 0;
    if (++generation_ == 0) {
      slots_.assign(slots_.size(), slot{});
      generation_ = 1;
    }
  }

  id find(std::string_view name) const {
    if (slots_.empty()) return none;
    const auto hash = static_cast<std::uint32_t>(hlolint::detail::hash(name));
    for (std::size_t at = hash & mask(); slots_[at].generation == generation_; at = (at + 1) & mask())
      if (slots_[at].is(name, hash)) return slots_[at].value;
    return none;
  }

  static std::uint64_t hash_of(std::string_view name) { return hlolint::detail::hash(name); }
  /// Fetches the place of a name into the cache, for an `insert` that comes later.
  void expect(std::uint64_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[hash & mask()], 1);
  }
  /// The number already there under that name, or `none` after storing the new one.
  id insert(std::string_view name, id value) { return insert(name, value, hash_of(name)); }
  id insert(std::string_view name, id value, std::uint64_t whole_hash) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    const auto hash = static_cast<std::uint32_t>(whole_hash);
    std::size_t at = hash & mask();
    for (; slots_[at].generation == generation_; at = (at + 1) & mask())
      if (slots_[at].is(name, hash)) return slots_[at].value;
    slots_[at] = {name.data(), static_cast<std::uint32_t>(name.size()), hash, generation_, value};
    ++size_;
    return none;
  }

 private:
  struct slot {
    const char* name = nullptr;
    std::uint32_t size = 0;
    std::uint32_t hash = 0;
    std::uint32_t generation = 0;
    id value = none;
    bool is(std::string_view text, std::uint32_t text_hash) const {
      return hash == text_hash && hlolint::detail::same({name, size}, text);
    }
  };
  std::size_t mask() const { return slots_.size() - 1; }
  void grow() {
    std::vector<slot> old(slots_.empty() ? 64 : 2 * slots_.size());
    old.swap(slots_);
    for (const slot& s : old) {
      if (s.generation != generation_) continue;
      std::size_t at = s.hash & mask();
      while (slots_[at].generation == generation_) at = (at + 1) & mask();
      slots_[at] = s;
    }
  }

  std::vector<slot> slots_;
  std::size_t size_ = 0;
  std::uint32_t generation_ = 1;
};

}  // namespace hlolint::build
