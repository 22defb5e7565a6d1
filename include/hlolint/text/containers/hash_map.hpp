// Maps and sets without order, in few functions. A std::unordered_map is about fifty functions for each type; here the
// table is one of numbers, compiled once for all types (flat_index.hpp), and entries are a list.
#pragma once

#include <hlolint/text/containers/map_entry.hpp>
#include <hlolint/text/flat_index.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <type_traits>

namespace hlolint {

namespace detail {

/// Spreads the bits of a number over all bits.
inline std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ (bits >> 32)) * 0x9E3779B97F4A7C15;
  return bits ^ (bits >> 29) ^ (bits << 32);
}
/// A hash of a text, number or pointer. @{
inline std::uint64_t hash_of(std::string_view text) { return mixed(std::hash<std::string_view>()(text)); }
template <class Number>
requires std::is_integral_v<Number>  //
[[gnu::always_inline]] inline std::uint64_t hash_of(Number number) { return mixed(static_cast<std::uint64_t>(number)); }
inline std::uint64_t hash_of(const void* pointer) { return mixed(reinterpret_cast<std::uintptr_t>(pointer)); }
/// @}

/// What maps and sets have in common: entries in the order in which they were added, and their numbers by keys.
template <class Key, class Entry>
class hashed_entries {
 public:
  using const_iterator = const Entry*;
  using iterator = std::conditional_t<std::is_same_v<Key, Entry>, const_iterator, Entry*>;
  /// The place of an entry with a key, and whether it is new.
  struct insertion {
    iterator first;
    bool second;
  };
  using key_type = Key;
  using value_type = Entry;
  using size_type = std::size_t;

  /// In the order in which they were added. @{
  [[gnu::always_inline]] iterator begin() { return entries_.begin(); }
  [[gnu::always_inline]] iterator end() { return entries_.end(); }
  [[gnu::always_inline]] const_iterator begin() const { return entries_.begin(); }
  [[gnu::always_inline]] const_iterator end() const { return entries_.end(); }
  /// @}
  /// How many entries there are. @{
  [[gnu::always_inline]] std::size_t size() const { return entries_.size(); }
  [[gnu::always_inline]] bool empty() const { return entries_.empty(); }
  /// @}
  /// The entry of a key, or the end. @{
  [[gnu::always_inline]] iterator find(const Key& key) { return entries_.begin() + number_of(key, hash_of(key)); }
  [[gnu::always_inline]] const_iterator find(const Key& key) const {
    return entries_.begin() + number_of(key, hash_of(key));
  }
  [[gnu::always_inline]] bool contains(const Key& key) const { return find(key) != end(); }
  [[gnu::always_inline]] std::size_t count(const Key& key) const { return contains(key); }
  /// @}
  /// Removes all entries.
  void clear() {
    if (empty()) return;
    index_ = flat_index();
    entries_.clear();
  }
  /// Room for so many entries in all.
  void reserve(std::size_t count) {
    index_.reserve(count);
    entries_.reserve(count);
  }

 protected:
  /// Adds an entry unless there is one of its key.
  template <class... Args>
  insertion add_new(const Key& key, Args&&... args) {
    const std::uint64_t hash = hash_of(key);
    const std::size_t number = number_of(key, hash);
    if (number != entries_.size()) return {entries_.begin() + number, false};
    entries_.push_back(Entry{static_cast<Args&&>(args)...});
    index_.add(hash, static_cast<std::uint32_t>(number));
    return {entries_.begin() + number, true};
  }

 private:
  [[gnu::always_inline]] static const Key& key_of(const Entry& entry) {
    if constexpr (std::is_same_v<Key, Entry>)
      return entry;
    else
      return entry.first;
  }
  /// The number of the key's entry, or how many entries there are.
  std::size_t number_of(const Key& key, std::uint64_t hash) const {
    flat_index::search at{hash};
    while (index_.next(at))
      if (key_of(entries_[at.number]) == key) return at.number;
    return entries_.size();
  }

  flat_index index_;
  record_list<Entry> entries_;
};

}  // namespace detail

/// Works like std::unordered_map, but its entries stand in the order in which they were added, none is removed, and
/// adding one makes references to others invalid. At most 2^31 entries.
template <class Key, class Value>
class hash_map : public detail::hashed_entries<Key, map_entry<Key, Value>> {
  using base = detail::hashed_entries<Key, map_entry<Key, Value>>;

 public:
  using mapped_type = Value;  ///< the type of values
  using typename base::insertion;

  /// Adds a value made of `args`, unless there is an entry of the key. @{
  template <class... Args>
  [[gnu::always_inline]] insertion try_emplace(const Key& key, Args&&... args) {
    return this->add_new(key, key, Value(static_cast<Args&&>(args)...));
  }
  template <class V>
  [[gnu::always_inline]] insertion emplace(const Key& key, V&& value) {
    return this->add_new(key, key, static_cast<V&&>(value));
  }
  /// @}
  /// The value of the key; a new one if there is none.
  Value& operator[](const Key& key) { return this->add_new(key, key, Value()).first->second; }
  /// Precondition: there is a value of the key. @{
  [[gnu::always_inline]] Value& at(const Key& key) { return this->find(key)->second; }
  [[gnu::always_inline]] const Value& at(const Key& key) const { return this->find(key)->second; }
  /// @}
};

/// Works like std::unordered_set, but its keys stand in the order in which they were added, and none is removed.
template <class Key>
class hash_set : public detail::hashed_entries<Key, Key> {
  using base = detail::hashed_entries<Key, Key>;

 public:
  using typename base::insertion;

  /// Empty, or with these keys. @{
  [[gnu::always_inline]] hash_set() = default;
  hash_set(std::initializer_list<Key> keys) {
    for (const Key& one : keys) insert(one);
  }
  template <class Iterator>
  hash_set(Iterator first, Iterator last) {
    for (; first != last; ++first) insert(Key(*first));
  }
  /// @}
  /// Adds keys, each unless it is there. @{
  template <class Iterator>
  void insert(Iterator first, Iterator last) {
    for (; first != last; ++first) insert(Key(*first));
  }
  [[gnu::always_inline]] insertion insert(const Key& key) { return this->add_new(key, key); }
  [[gnu::always_inline]] insertion emplace(const Key& key) { return this->add_new(key, key); }
  /// @}
};

}  // namespace hlolint
