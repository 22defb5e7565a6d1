// A list of records, like std::vector, but cheap to compile: std::vector makes more than fifty functions for each type,
// which took a third of a build without optimization. Here all operations on bytes are compiled once for all types, and
// each type adds inlined code and a handful of functions.
#pragma once

#include <hlolint/text/list_memory.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <new>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace hlolint {

template <class T>
class record_list;

namespace detail {
/// Whether copying the bytes of a record copies the record, so that lists of it need no functions of their own.
template <class T>
inline constexpr bool copied_as_bytes = std::is_trivially_copy_constructible_v<T>&& std::is_trivially_destructible_v<T>;

/// The type of the standard library for a type of ours: vectors for lists, also for lists in lists.
template <class T>
struct standard {
  using type = T;
};
template <class T>
struct standard<record_list<T>> {
  using type = std::vector<typename standard<T>::type>;
};
template <class Vector, class T>
concept vector_of =
    std::same_as<Vector, std::vector<T>> || std::same_as<Vector, std::vector<typename standard<T>::type>>;
}  // namespace detail

/// Works like std::vector, and converts to one and back. Growing makes pointers to records invalid. A list of bool
/// holds real bools.
template <class T>
class record_list {
 public:
  /// The types that every container of the standard library has. @{
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using pointer = T*;
  using reference = T&;
  using const_reference = const T&;
  /// @}

  /// Without records.
  [[gnu::always_inline]] constexpr record_list() noexcept {}
  /// `count` records that are zero or empty, or copies of one. @{
  [[gnu::always_inline]] explicit record_list(std::size_t count) { resize(count); }
  [[gnu::always_inline]] record_list(std::size_t count, const T& record) { add(count, record); }
  /// @}
  /// Copies of these, in order. @{
  [[gnu::always_inline]] record_list(std::initializer_list<T> records)
      : memory_(copied(records.begin(), records.size())) {}
  template <class Iterator>
  requires(!std::is_arithmetic_v<Iterator>) record_list(Iterator first, Iterator last) : record_list() {
    append(first, last);
  }
  [[gnu::always_inline]] record_list(const record_list& other) : memory_(copied(other.begin(), other.size())) {}
  [[gnu::always_inline]] record_list& operator=(const record_list& other) {
    detail::list_memory copy(copied(other.begin(), other.size()));
    replace(copy);
    return *this;
  }
  [[gnu::always_inline]] record_list& operator=(std::initializer_list<T> records) {
    detail::list_memory copy(copied(records.begin(), records.size()));
    replace(copy);
    return *this;
  }
  /// @}
  /// From and to a vector. @{
  template <detail::vector_of<T> Vector>
  record_list(const Vector& records) : record_list() {
    append(records.begin(), records.end());
  }
  template <detail::vector_of<T> Vector>
  operator Vector() const {
    return Vector(begin(), end());
  }
  /// @}
  /// The other one is empty then. @{
  [[gnu::always_inline]] record_list(record_list&& other) noexcept
      : memory_(static_cast<detail::list_memory&&>(other.memory_)) {}
  [[gnu::always_inline]] record_list& operator=(record_list&& other) noexcept {
    detail::list_memory taken(static_cast<detail::list_memory&&>(other.memory_));
    replace(taken);
    return *this;
  }
  /// @}
  [[gnu::always_inline]] constexpr ~record_list() {
    if (memory_.first) free(memory_);
  }

  /// How many records it has, and how many it has memory for. @{
  [[gnu::always_inline]] std::size_t size() const { return static_cast<std::size_t>(end() - begin()); }
  [[gnu::always_inline]] bool empty() const { return memory_.first == memory_.last; }
  [[gnu::always_inline]] std::size_t capacity() const { return memory_.room() / sizeof(T); }
  /// @}
  /// The records stand one after the other. @{
  [[gnu::always_inline]] T* data() { return at_byte(memory_.first); }
  [[gnu::always_inline]] const T* data() const { return at_byte(memory_.first); }
  [[gnu::always_inline]] T* begin() { return at_byte(memory_.first); }
  [[gnu::always_inline]] T* end() { return at_byte(memory_.last); }
  [[gnu::always_inline]] const T* begin() const { return at_byte(memory_.first); }
  [[gnu::always_inline]] const T* end() const { return at_byte(memory_.last); }
  auto rbegin() { return std::reverse_iterator(end()); }
  auto rend() { return std::reverse_iterator(begin()); }
  auto rbegin() const { return std::reverse_iterator(end()); }
  auto rend() const { return std::reverse_iterator(begin()); }
  /// @}
  /// Throws std::out_of_range if the record does not exist. @{
  T& at(std::size_t i) { return i < size() ? begin()[i] : throw std::out_of_range("record_list::at"); }
  const T& at(std::size_t i) const { return i < size() ? begin()[i] : throw std::out_of_range("record_list::at"); }
  /// @}
  /// Precondition: the record exists. @{
  [[gnu::always_inline]] T& operator[](std::size_t i) { return begin()[i]; }
  [[gnu::always_inline]] const T& operator[](std::size_t i) const { return begin()[i]; }
  [[gnu::always_inline]] T& front() { return *begin(); }
  [[gnu::always_inline]] const T& front() const { return *begin(); }
  [[gnu::always_inline]] T& back() { return end()[-1]; }
  [[gnu::always_inline]] const T& back() const { return end()[-1]; }
  [[gnu::always_inline]] void pop_back() { cut(end() - 1); }
  T take_back() {
    T record(static_cast<T&&>(back()));
    pop_back();
    return record;
  }
  /// @}

  /// Removes all records and keeps the memory.
  [[gnu::always_inline]] void clear() { cut(begin()); }
  /// Reserves memory for `count` records in all.
  [[gnu::always_inline]] void reserve(std::size_t count) {
    if (count > capacity()) move_to(detail::list_memory::bytes_of(count, sizeof(T)));
  }
  /// Removes records at the end, or adds records that are zero or empty, or copies of one. @{
  [[gnu::always_inline]] void resize(std::size_t count) {
    if constexpr (detail::copied_as_bytes<T> && (std::is_scalar_v<T> || std::is_aggregate_v<T>)) {
      const T record = T();
      memory_.resize(count, &record, sizeof(T));
    } else {
      resize_each(count);
    }
  }
  void resize(std::size_t count, const T& record) {
    if (count <= size()) return cut(begin() + count);
    add(count - size(), record);
  }
  /// @}
  /// Adds a record at the end. It may be made from a record of this list. @{
  template <class... Args>
  requires detail::copied_as_bytes<T>  //
  [[gnu::always_inline]] T& emplace_back(Args&&... args) {
    const T record(static_cast<Args&&>(args)...);
    return *::new (memory_.add(sizeof(T))) T(record);
  }
  template <class... Args>
  T& emplace_back(Args&&... args) {
    if (memory_.last == memory_.end) [[unlikely]] {
      T record(static_cast<Args&&>(args)...);
      move_to(memory_.grown(sizeof(T)));
      ::new (static_cast<void*>(memory_.last)) T(static_cast<T&&>(record));
    } else {
      ::new (static_cast<void*>(memory_.last)) T(static_cast<Args&&>(args)...);
    }
    memory_.last += sizeof(T);
    return back();
  }
  [[gnu::always_inline]] void push_back(const T& record) { emplace_back(record); }
  [[gnu::always_inline]] void push_back(T&& record) { emplace_back(static_cast<T&&>(record)); }
  /// @}
  /// Adds records from elsewhere at the end.
  template <class Iterator>
  void append(Iterator first, Iterator last) {
    if constexpr (std::is_pointer_v<Iterator>) {
      const auto count = static_cast<std::size_t>(last - first);
      if constexpr (detail::copied_as_bytes<T> && sizeof(*first) == sizeof(T) &&
                    std::is_same_v<std::remove_cvref_t<decltype(*first)>, T>)
        return memory_.append(first, count * sizeof(T));
      else if (count * sizeof(T) > memory_.left())
        move_to(memory_.grown(count * sizeof(T)));
    }
    for (; first != last; ++first) emplace_back(*first);
  }
  /// Adds records from elsewhere before a place. Returns the place of the first one. @{
  T* insert(const T* place, T record) {
    const std::ptrdiff_t before = place - begin();
    emplace_back(static_cast<T&&>(record));
    return turn(before, 1);
  }
  T* insert(const T* place, std::size_t count, const T& record) {
    const std::ptrdiff_t before = place - begin();
    add(count, record);
    return turn(before, count);
  }
  template <class Iterator>
  requires(!std::is_arithmetic_v<Iterator>) T* insert(const T* place, Iterator first, Iterator last) {
    const std::ptrdiff_t before = place - begin();
    const std::size_t was = size();
    append(first, last);
    return turn(before, size() - was);
  }
  T* insert(const T* place, std::initializer_list<T> records) { return insert(place, records.begin(), records.end()); }
  template <class... Args>
  T* emplace(const T* place, Args&&... args) {
    return insert(place, T(static_cast<Args&&>(args)...));
  }
  /// @}
  /// Replaces all records by others from elsewhere, or by copies of one. @{
  void assign(std::size_t count, const T& record) {
    clear();
    add(count, record);
  }
  template <class Iterator>
  requires(!std::is_arithmetic_v<Iterator>) void assign(Iterator first, Iterator last) {
    clear();
    append(first, last);
  }
  /// @}
  /// Removes records. Returns the place of the first one after them. @{
  T* erase(const T* first, const T* last) {
    if constexpr (detail::copied_as_bytes<T>) return static_cast<T*>(memory_.close(first, last));
    T* const place = begin() + (first - begin());
    if (first == last) return place;
    T* to = place;
    for (T* from = place + (last - first); from != end(); ++from, ++to) *to = static_cast<T&&>(*from);
    cut(to);
    return place;
  }
  [[gnu::always_inline]] T* erase(const T* one) { return erase(one, one + 1); }
  /// @}
  /// Removes the records that a predicate holds for, or that are equal to a value. Returns how many there were. @{
  template <class Predicate>
  friend std::size_t erase_if(record_list& from, Predicate holds) {
    const std::size_t before = from.size();
    T* to = from.begin();
    for (T* next = to; next != from.end(); ++next) {
      if (holds(*next)) continue;
      if (to != next) *to = static_cast<T&&>(*next);
      ++to;
    }
    from.cut(to);
    return before - from.size();
  }
  template <class Value>
  friend std::size_t erase(record_list& from, const Value& value) {
    return erase_if(from, [&](const T& record) { return record == value; });
  }
  /// @}
  /// Exchanges the records of two lists without moving any record. @{
  [[gnu::always_inline]] void swap(record_list& other) noexcept { memory_.swap(other.memory_); }
  friend void swap(record_list& a, record_list& b) noexcept { a.memory_.swap(b.memory_); }
  /// @}

  /// Equal records in the same order.
  friend bool operator==(const record_list& a, const record_list& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i != a.size(); ++i)
      if (!(a[i] == b[i])) return false;
    return true;
  }
  /// Compares the first records that differ; the beginning of a list is less than the whole list.
  friend auto operator<=>(const record_list& a, const record_list& b) requires requires(const T& one) { one < one; }
  {
    if constexpr (requires(const T& one) { one <=> one; }) {
      using order = decltype(a[0] <=> b[0]);
      for (std::size_t i = 0; i != a.size() && i != b.size(); ++i)
        if (const order one = a[i] <=> b[i]; one != 0) return one;
      return static_cast<order>(a.size() <=> b.size());
    } else {
      for (std::size_t i = 0; i != a.size() && i != b.size(); ++i) {
        if (a[i] < b[i]) return std::weak_ordering::less;
        if (b[i] < a[i]) return std::weak_ordering::greater;
      }
      return std::weak_ordering(a.size() <=> b.size());
    }
  }

 private:
  [[gnu::always_inline]] static T* at_byte(char* byte) { return static_cast<T*>(static_cast<void*>(byte)); }
  /// New memory with copies of records.
  [[gnu::always_inline]] static detail::list_memory copied(const T* first, std::size_t count) {
    if constexpr (detail::copied_as_bytes<T>)
      return detail::list_memory::copied(first, count * sizeof(T));
    else
      return copied_each(first, count);
  }
  static detail::list_memory copied_each(const T* first, std::size_t count) {
    record_list out;
    out.append(first, first + count);
    return static_cast<detail::list_memory&&>(out.memory_);
  }
  /// Destroys the records in memory and frees it.
  [[gnu::always_inline]] static void free(detail::list_memory& memory) noexcept {
    if constexpr (!std::is_trivially_destructible_v<T>) destroy(memory, memory.first);
    ::operator delete(memory.first);
  }
  static void destroy(detail::list_memory& memory, char* from) noexcept {
    while (memory.last != from) at_byte(memory.last -= sizeof(T))->~T();
  }
  [[gnu::always_inline]] void replace(detail::list_memory& by) noexcept {
    memory_.swap(by);
    free(by);
  }
  [[gnu::always_inline]] void cut(T* to) noexcept {
    char* const from = static_cast<char*>(static_cast<void*>(to));
    if constexpr (std::is_trivially_destructible_v<T>)
      memory_.last = from;
    else
      destroy(memory_, from);
  }
  [[gnu::always_inline]] void move_to(std::size_t bytes) {
    static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    if constexpr (detail::copied_as_bytes<T>)
      memory_.move_to(bytes);
    else
      move_each(bytes);
  }
  [[gnu::noinline]] void move_each(std::size_t bytes) {
    static_assert(std::is_nothrow_move_constructible_v<T>, "records are moved when their list grows");
    char *const fresh = static_cast<char*>(::operator new(bytes)), *to = fresh;
    for (T& record : *this) {
      ::new (static_cast<void*>(to)) T(static_cast<T&&>(record));
      record.~T();
      to += sizeof(T);
    }
    ::operator delete(memory_.first);
    memory_.first = fresh;
    memory_.last = to;
    memory_.end = fresh + bytes;
  }
  void resize_each(std::size_t count) {
    if (count <= size()) return cut(begin() + count);
    if (count > capacity()) move_to(memory_.grown(detail::list_memory::bytes_of(count - size(), sizeof(T))));
    for (; size() != count; memory_.last += sizeof(T)) ::new (static_cast<void*>(memory_.last)) T();
  }
  /// Adds `count` copies of a record, which may be part of this list.
  void add(std::size_t count, const T& record) {
    if constexpr (detail::copied_as_bytes<T>) {
      const T copy(record);
      memory_.resize(size() + count, &copy, sizeof(T));
    } else {
      if (count == 0) return;
      const T copy(record);
      reserve(size() + count);
      for (; count != 0; --count) emplace_back(copy);
    }
  }
  /// Moves the last `count` records before others. Returns their new place.
  T* turn(std::ptrdiff_t before, std::size_t count) {
    T *const place = begin() + before, *const added = end() - count;
    if (place == added) return place;
    reverse(place, added);
    reverse(added, end());
    reverse(place, end());
    return place;
  }
  static void reverse(T* first, T* last) {
    for (; first < last && first < --last; ++first) {
      T was(static_cast<T&&>(*first));
      *first = static_cast<T&&>(*last);
      *last = static_cast<T&&>(was);
    }
  }

  detail::list_memory memory_;
};

/// A list of the values of these iterators.
template <class Iterator>
record_list(Iterator, Iterator) -> record_list<typename std::iterator_traits<Iterator>::value_type>;

}  // namespace hlolint
