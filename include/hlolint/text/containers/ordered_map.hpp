// Maps and sets in order, in few functions. A std::map is about fifty functions for each type; here links and balance
// are compiled once for all types (ordered_tree.hpp), and what remains for a type is inlined or a handful of functions.
#pragma once

#include <hlolint/text/containers/map_entry.hpp>
#include <hlolint/text/containers/ordered_tree.hpp>

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <type_traits>

namespace hlolint {

namespace detail {

/// What maps and sets have in common: entries in the order of their keys, each in memory of its own.
template <class Key, class Entry>
class ordered_entries {
  struct node : tree_node {
    template <class... Args>
    [[gnu::always_inline]] explicit node(Args&&... args) : entry{static_cast<Args&&>(args)...} {}
    Entry entry;
  };

 public:
  /// A place between or before entries; valid until its entry is removed. @{
  template <class E>
  struct place {
    using iterator_category = std::bidirectional_iterator_tag;
    using value_type = Entry;
    using difference_type = std::ptrdiff_t;
    using pointer = E*;
    using reference = E&;

    [[gnu::always_inline]] E& operator*() const { return static_cast<node*>(at)->entry; }
    [[gnu::always_inline]] E* operator->() const { return &static_cast<node*>(at)->entry; }
    [[gnu::always_inline]] place& operator++() {
      at = ordered_tree::next(at);
      return *this;
    }
    [[gnu::always_inline]] place operator++(int) {
      const place was = *this;
      at = ordered_tree::next(at);
      return was;
    }
    [[gnu::always_inline]] place& operator--() {
      at = ordered_tree::previous(at);
      return *this;
    }
    [[gnu::always_inline]] operator place<const E>() const requires(!std::is_const_v<E>) { return {at}; }
    [[gnu::always_inline]] friend bool operator==(const place& a, const place& b) { return a.at == b.at; }

    tree_node* at = nullptr;
  };
  using const_iterator = place<const Entry>;
  using iterator = std::conditional_t<std::is_same_v<Key, Entry>, const_iterator, place<Entry>>;
  /// @}
  /// The place of an entry with a key, and whether it is new.
  struct insertion {
    iterator first;
    bool second;
  };
  /// The places of the first entry of a key and of what is after the last one.
  struct key_range {
    const_iterator first, second;
  };
  using key_type = Key;
  using value_type = Entry;
  using size_type = std::size_t;

  [[gnu::always_inline]] ordered_entries() = default;
  [[gnu::always_inline]] ordered_entries(const ordered_entries& other) { copy(other); }
  [[gnu::always_inline]] ordered_entries(ordered_entries&& other) noexcept
      : tree_(static_cast<ordered_tree&&>(other.tree_)) {}
  [[gnu::always_inline]] ordered_entries& operator=(const ordered_entries& other) {
    if (this == &other) return *this;
    clear();
    copy(other);
    return *this;
  }
  [[gnu::always_inline]] ordered_entries& operator=(ordered_entries&& other) noexcept {
    if (this == &other) return *this;
    clear();
    tree_.take(other.tree_);
    return *this;
  }
  [[gnu::always_inline]] ~ordered_entries() { clear(); }

  /// In order. @{
  [[gnu::always_inline]] iterator begin() { return {tree_.first()}; }
  [[gnu::always_inline]] iterator end() { return {tree_.head()}; }
  [[gnu::always_inline]] const_iterator begin() const { return {tree_.first()}; }
  [[gnu::always_inline]] const_iterator end() const { return {tree_.head()}; }
  /// @}
  /// How many entries there are. @{
  [[gnu::always_inline]] std::size_t size() const { return tree_.size(); }
  [[gnu::always_inline]] bool empty() const { return tree_.size() == 0; }
  /// @}
  /// The first entry of a key, or the end. @{
  [[gnu::always_inline]] iterator find(const Key& key) { return {found(key)}; }
  [[gnu::always_inline]] const_iterator find(const Key& key) const { return {found(key)}; }
  [[gnu::always_inline]] bool contains(const Key& key) const { return found(key) != tree_.head(); }
  /// @}
  /// How many entries of a key there are.
  std::size_t count(const Key& key) const {
    std::size_t out = 0;
    for (tree_node* at = lookup(key, false).found; at != tree_.head() && !(key < key_of(at)); ++out)
      at = ordered_tree::next(at);
    return out;
  }
  /// The first entry whose key is not before this one, or is after it. @{
  [[gnu::always_inline]] iterator lower_bound(const Key& key) { return {lookup(key, false).found}; }
  [[gnu::always_inline]] iterator upper_bound(const Key& key) { return {lookup(key, true).found}; }
  [[gnu::always_inline]] const_iterator lower_bound(const Key& key) const { return {lookup(key, false).found}; }
  [[gnu::always_inline]] const_iterator upper_bound(const Key& key) const { return {lookup(key, true).found}; }
  /// @}
  /// The entries of a key.
  [[gnu::always_inline]] key_range equal_range(const Key& key) const {
    return {lower_bound(key), upper_bound(key)};
  }
  /// Removes an entry; the place after it. Removes those of a key; how many these were. @{
  iterator erase(const_iterator entry) {
    tree_node* const after = tree_.unlink(entry.at);
    delete static_cast<node*>(entry.at);
    return {after};
  }
  std::size_t erase(const Key& key) {
    const std::size_t was = size();
    for (tree_node* at; (at = found(key)) != tree_.head();) erase(const_iterator{at});
    return was - size();
  }
  [[gnu::always_inline]] void clear() {
    if (tree_.size() == 0) return;
    destroy(tree_.root());
    tree_.forget();
  }
  /// @}

  /// Equal entries in the same order.
  friend bool operator==(const ordered_entries& a, const ordered_entries& b) {
    if (a.size() != b.size()) return false;
    for (const_iterator x = a.begin(), y = b.begin(); x != a.end(); ++x, ++y)
      if (!(*x == *y)) return false;
    return true;
  }

 protected:
  [[gnu::always_inline]] static const Key& key_of(const tree_node* at) {
    if constexpr (std::is_same_v<Key, Entry>)
      return static_cast<const node*>(at)->entry;
    else
      return static_cast<const node*>(at)->entry.first;
  }
  tree_place lookup(const Key& key, bool after_equal) const {
    tree_place at{tree_.head(), tree_.head(), true};
    for (tree_node* next = tree_.root(); next;) {
      at.up = next;
      at.left = after_equal ? key < key_of(next) : !(key_of(next) < key);
      if (at.left) at.found = next;
      next = at.left ? next->left : next->right;
    }
    return at;
  }
  tree_node* found(const Key& key) const {
    tree_node* const at = lookup(key, false).found;
    return at != tree_.head() && key < key_of(at) ? tree_.head() : at;
  }
  /// Adds an entry behind those with an equal key.
  template <class... Args>
  tree_node* add(Args&&... args) {
    node* const made = new node(static_cast<Args&&>(args)...);
    tree_.link(made, lookup(key_of(made), true));
    return made;
  }
  /// Adds an entry unless there is one of its key.
  template <class... Args>
  insertion add_new(const Key& key, Args&&... args) {
    const tree_place at = lookup(key, false);
    if (at.found != tree_.head() && !(key < key_of(at.found))) return {{at.found}, false};
    node* const made = new node(static_cast<Args&&>(args)...);
    tree_.link(made, at);
    return {{made}, true};
  }

 private:
  void copy(const ordered_entries& other) {
    for (const Entry& one : other) add(one);
  }
  static void destroy(tree_node* root) noexcept {
    for (; root;) {
      if (root->left) destroy(root->left);
      tree_node* const right = root->right;
      delete static_cast<node*>(root);
      root = right;
    }
  }

  ordered_tree tree_;
};

}  // namespace detail

/// Works like std::map. References to entries stay valid until these are removed.
template <class Key, class Value>
class ordered_map : public detail::ordered_entries<Key, map_entry<Key, Value>> {
  using base = detail::ordered_entries<Key, map_entry<Key, Value>>;

 public:
  using mapped_type = Value;  ///< the type of values
  using typename base::insertion;

  /// Empty, or with these entries. @{
  [[gnu::always_inline]] ordered_map() = default;
  ordered_map(std::initializer_list<map_entry<Key, Value>> entries) {
    for (const auto& one : entries) this->add_new(one.first, one);
  }
  template <class Iterator>
  ordered_map(Iterator first, Iterator last) {
    for (; first != last; ++first) emplace(first->first, first->second);
  }
  /// @}

  /// Adds a value made of `args`, unless there is an entry of the key. @{
  template <class... Args>
  [[gnu::always_inline]] insertion try_emplace(const Key& key, Args&&... args) {
    return this->add_new(key, key, Value(static_cast<Args&&>(args)...));
  }
  template <class... Args>
  [[gnu::always_inline]] insertion try_emplace(Key&& key, Args&&... args) {
    return this->add_new(key, static_cast<Key&&>(key), Value(static_cast<Args&&>(args)...));
  }
  template <class V>
  [[gnu::always_inline]] insertion emplace(const Key& key, V&& value) {
    return this->add_new(key, key, static_cast<V&&>(value));
  }
  template <class V>
  [[gnu::always_inline]] insertion emplace(Key&& key, V&& value) {
    return this->add_new(key, static_cast<Key&&>(key), static_cast<V&&>(value));
  }
  [[gnu::always_inline]] insertion insert(map_entry<Key, Value> entry) {
    return this->add_new(entry.first, static_cast<map_entry<Key, Value>&&>(entry));
  }
  /// @}
  /// Adds a value or replaces the one that is there.
  insertion insert_or_assign(const Key& key, Value value) {
    const insertion at = this->add_new(key, key, static_cast<Value&&>(value));
    if (!at.second) at.first->second = static_cast<Value&&>(value);
    return at;
  }
  /// The value of the key; a new one if there is none. @{
  Value& operator[](const Key& key) { return this->add_new(key, key, Value()).first->second; }
  Value& operator[](Key&& key) { return this->add_new(key, static_cast<Key&&>(key), Value()).first->second; }
  /// @}
  /// Precondition: there is a value of the key. @{
  [[gnu::always_inline]] Value& at(const Key& key) { return this->find(key)->second; }
  [[gnu::always_inline]] const Value& at(const Key& key) const { return this->find(key)->second; }
  /// @}
};

/// Works like std::multimap: entries of one key are in the order in which they were added.
template <class Key, class Value>
class ordered_multimap : public detail::ordered_entries<Key, map_entry<Key, Value>> {
 public:
  using mapped_type = Value;  ///< the type of values

  /// Empty, or with these entries. @{
  [[gnu::always_inline]] ordered_multimap() = default;
  template <class Iterator>
  ordered_multimap(Iterator first, Iterator last) {
    for (; first != last; ++first) emplace(first->first, first->second);
  }
  /// @}

  /// Adds an entry behind those of its key.
  template <class K, class V>
  [[gnu::always_inline]] void emplace(K&& key, V&& value) {
    this->add(static_cast<K&&>(key), static_cast<V&&>(value));
  }
};

/// Works like std::set.
template <class Key>
class ordered_set : public detail::ordered_entries<Key, Key> {
  using base = detail::ordered_entries<Key, Key>;

 public:
  using typename base::const_iterator;
  using typename base::insertion;
  using typename base::iterator;

  /// Empty, or with these keys. @{
  [[gnu::always_inline]] ordered_set() = default;
  ordered_set(std::initializer_list<Key> keys) {
    for (const Key& one : keys) this->add_new(one, one);
  }
  template <class Iterator>
  ordered_set(Iterator first, Iterator last) {
    for (; first != last; ++first) insert(Key(*first));
  }

  /// @}
  /// Adds a key unless it is there. @{
  [[gnu::always_inline]] insertion insert(const Key& key) { return this->add_new(key, key); }
  [[gnu::always_inline]] insertion insert(Key&& key) { return this->add_new(key, static_cast<Key&&>(key)); }
  /// As std::inserter asks for.
  iterator insert(const_iterator, const Key& key) { return insert(key).first; }
  template <class... Args>
  [[gnu::always_inline]] insertion emplace(Args&&... args) {
    return insert(Key(static_cast<Args&&>(args)...));
  }
  /// @}
};

}  // namespace hlolint
