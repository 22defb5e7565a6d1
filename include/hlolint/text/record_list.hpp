// Records one after the other, as in std::vector, in a few functions. A vector is more than fifty functions for each
// type, and of records there are so many types that these took a third of a build without optimization.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace hlolint {

namespace detail {
/// `bytes` bytes that begin with the first `used` of `old`, which is freed. Throws std::bad_alloc.
[[gnu::noinline]] inline void* moved_memory(void* old, std::size_t used, std::size_t bytes) {
  void* const fresh = ::operator new(bytes);
  if (used != 0) std::memcpy(fresh, old, used);
  ::operator delete(old);
  return fresh;
}
}  // namespace detail

/// Works like std::vector. Growing makes pointers to records invalid.
template <class T>
class record_list {
 public:
  /// As of every container of the standard library. @{
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  /// @}

  /// Without records.
  record_list() noexcept = default;
  /// So many records that are zero or empty.
  explicit record_list(std::size_t count) : record_list() { resize(count); }
  /// Copies of these, in order. @{
  record_list(std::initializer_list<T> records) : record_list() { append(records.begin(), records.end()); }
  template <std::input_iterator Iterator>
  record_list(Iterator first, Iterator last) : record_list() {
    append(first, last);
  }
  record_list(const record_list& other) : record_list() { append(other.first_, other.last_); }
  record_list& operator=(const record_list& other) {
    record_list copy(other);
    swap(copy);
    return *this;
  }
  /// @}
  /// From and to a vector. @{
  template <std::same_as<std::vector<T>> Vector>
  record_list(const Vector& records) : record_list() {
    append(records.begin(), records.end());
  }
  template <std::same_as<std::vector<T>> Vector>
  operator Vector() const {
    return Vector(first_, last_);
  }
  /// @}
  /// The other one is empty then. @{
  record_list(record_list&& other) noexcept : record_list() { swap(other); }
  record_list& operator=(record_list&& other) noexcept {
    record_list taken(static_cast<record_list&&>(other));
    swap(taken);
    return *this;
  }
  /// @}
  ~record_list() {
    clear();
    ::operator delete(first_);
  }

  /// How many records it has, and how many it has memory for. @{
  [[gnu::always_inline]] std::size_t size() const { return static_cast<std::size_t>(last_ - first_); }
  [[gnu::always_inline]] bool empty() const { return first_ == last_; }
  [[gnu::always_inline]] std::size_t capacity() const { return static_cast<std::size_t>(end_ - first_); }
  /// @}
  /// The records stand one after the other. @{
  [[gnu::always_inline]] T* data() { return first_; }
  [[gnu::always_inline]] const T* data() const { return first_; }
  [[gnu::always_inline]] T* begin() { return first_; }
  [[gnu::always_inline]] T* end() { return last_; }
  [[gnu::always_inline]] const T* begin() const { return first_; }
  [[gnu::always_inline]] const T* end() const { return last_; }
  const T* cbegin() const { return first_; }
  const T* cend() const { return last_; }
  auto rbegin() const { return std::reverse_iterator(end()); }
  auto rend() const { return std::reverse_iterator(begin()); }
  /// @}
  /// Throws std::out_of_range if there is no such record.
  const T& at(std::size_t i) const {
    if (i >= size()) throw std::out_of_range("record_list::at");
    return first_[i];
  }
  /// Preconditions: there is such a record. @{
  [[gnu::always_inline]] T& operator[](std::size_t i) { return first_[i]; }
  [[gnu::always_inline]] const T& operator[](std::size_t i) const { return first_[i]; }
  [[gnu::always_inline]] T& front() { return *first_; }
  [[gnu::always_inline]] const T& front() const { return *first_; }
  [[gnu::always_inline]] T& back() { return last_[-1]; }
  [[gnu::always_inline]] const T& back() const { return last_[-1]; }
  [[gnu::always_inline]] void pop_back() { (--last_)->~T(); }
  /// @}

  /// Removes all records and keeps the memory.
  void clear() { cut(first_); }
  /// Reserves room for this many records in all.
  void reserve(std::size_t count) {
    if (count > capacity()) grow(count);
  }
  /// Removes records at the end, or adds some that are zero or empty.
  void resize(std::size_t count) {
    if (count < size()) return cut(first_ + count);
    if (count > capacity()) grow(count > 2 * capacity() ? count : 2 * capacity());
    for (T* const stop = first_ + count; last_ != stop; ++last_) ::new (static_cast<void*>(last_)) T();
  }
  /// Adds a record at the end. @{
  template <class... Args>
  T& emplace_back(Args&&... args) {
    if (last_ == end_) [[unlikely]] {
      T record(static_cast<Args&&>(args)...);  // may be made of one that is here
      grow(first_ ? 2 * capacity() : 1);
      ::new (static_cast<void*>(last_)) T(static_cast<T&&>(record));
    } else {
      ::new (static_cast<void*>(last_)) T(static_cast<Args&&>(args)...);
    }
    return *last_++;
  }
  void push_back(const T& record) { emplace_back(record); }
  void push_back(T&& record) { emplace_back(static_cast<T&&>(record)); }
  /// @}
  /// Adds others at the end, which are not its own.
  template <class Iterator>
  void append(Iterator first, Iterator last) {
    if constexpr (std::is_pointer_v<Iterator>)
      if (const auto more = static_cast<std::size_t>(last - first); more > capacity() - size())
        grow(size() + more > 2 * capacity() ? size() + more : 2 * capacity());
    for (; first != last; ++first) emplace_back(*first);
  }
  /// Replaces all records by others, which are not its own, or by a number of equal ones. @{
  void assign(std::size_t count, const T& record) {
    clear();
    reserve(count);
    while (size() != count) emplace_back(record);
  }
  template <class Iterator>
  requires(!std::is_arithmetic_v<Iterator>) void assign(Iterator first, Iterator last) {
    clear();
    append(first, last);
  }
  /// @}
  /// Removes records; the place of the first one after them. @{
  T* erase(const T* first, const T* last) {
    T* const place = first_ + (first - first_);
    T* to = place;
    for (T* from = place + (last - first); from != last_; ++from, ++to) *to = static_cast<T&&>(*from);
    cut(to);
    return place;
  }
  T* erase(const T* one) { return erase(one, one + 1); }
  /// @}
  /// Removes those that a predicate holds of; how many these were.
  template <class Predicate>
  friend std::size_t erase_if(record_list& from, Predicate holds) {
    const std::size_t before = from.size();
    T* to = from.first_;
    for (T* next = to; next != from.last_; ++next) {
      if (holds(*next)) continue;
      if (to != next) *to = static_cast<T&&>(*next);
      ++to;
    }
    from.cut(to);
    return before - from.size();
  }
  /// Exchanges the records of two lists; none of them moves. @{
  void swap(record_list& other) noexcept {
    exchange(first_, other.first_);
    exchange(last_, other.last_);
    exchange(end_, other.end_);
  }
  friend void swap(record_list& a, record_list& b) noexcept { a.swap(b); }
  /// @}

  /// Equal records in the same order.
  friend bool operator==(const record_list& a, const record_list& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i != a.size(); ++i)
      if (!(a.first_[i] == b.first_[i])) return false;
    return true;
  }

 private:
  [[gnu::always_inline]] static void exchange(T*& a, T*& b) {
    T* const was = a;
    a = b;
    b = was;
  }
  void cut(T* to) {
    if constexpr (std::is_trivially_destructible_v<T>)
      last_ = to;
    else
      while (last_ != to) (--last_)->~T();
  }
  [[gnu::noinline]] void grow(std::size_t count) {
    constexpr std::size_t most = PTRDIFF_MAX / sizeof(T);
    const std::size_t used = size(), bytes = count > most ? PTRDIFF_MAX : count * sizeof(T);
    if constexpr (std::is_trivially_copyable_v<T>) {
      first_ = static_cast<T*>(detail::moved_memory(first_, used * sizeof(T), bytes));
    } else {
      static_assert(std::is_nothrow_move_constructible_v<T>, "records are moved when their list grows");
      T* const fresh = static_cast<T*>(::operator new(bytes));
      for (std::size_t i = 0; i != used; ++i) {
        ::new (static_cast<void*>(fresh + i)) T(static_cast<T&&>(first_[i]));
        first_[i].~T();
      }
      ::operator delete(first_);
      first_ = fresh;
    }
    last_ = first_ + used;
    end_ = first_ + count;
  }

  T *first_ = nullptr, *last_ = nullptr, *end_ = nullptr;
};

}  // namespace hlolint
