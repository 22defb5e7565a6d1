// A vector whose first entries stand in the object itself, like XLA's InlinedVector.
#pragma once

#include <hlolint/text/stop.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace hlolint {

/// Works like std::vector, but the first `Inlined` entries need no memory of their own. At most 2^32 - 1 entries.
/// Growing, moving and swapping make pointers to entries invalid. It is two words smaller than Boost's: a shape with
/// two tiles has five such vectors, and shapes are a tenth of the memory of a large dump.
template <class T, std::size_t Inlined>
class inlined_vector {
  static_assert(std::is_nothrow_move_constructible_v<T>);

 public:
  /// The types that every container of the standard library has. @{
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;
  using size_type = std::size_t;
  using reference = T&;
  using const_reference = const T&;
  /// @}

  inlined_vector() noexcept {}
  /// Copies of these, in order. @{
  inlined_vector(std::initializer_list<T> entries) { assign(entries.begin(), entries.end()); }
  template <std::input_iterator Iterator>
  inlined_vector(Iterator first, Iterator last) {
    assign(first, last);
  }
  inlined_vector(const inlined_vector& other) { assign(other.begin(), other.end()); }
  inlined_vector& operator=(const inlined_vector& other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  /// @}
  /// The other one is empty then. @{
  inlined_vector(inlined_vector&& other) noexcept { take(other); }
  inlined_vector& operator=(inlined_vector&& other) noexcept {
    if (this == &other) return *this;
    free_all();
    take(other);
    return *this;
  }
  /// @}
  ~inlined_vector() { free_all(); }

  /// How many entries it has. @{
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// @}
  /// The entries stand one after the other. @{
  T* data() { return is_inlined() ? inlined() : storage_.apart; }
  const T* data() const { return is_inlined() ? inlined() : storage_.apart; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  auto rbegin() const { return std::reverse_iterator(end()); }
  auto rend() const { return std::reverse_iterator(begin()); }
  /// @}
  /// Precondition: the entry exists. @{
  T& operator[](std::size_t at) { return data()[at]; }
  const T& operator[](std::size_t at) const { return data()[at]; }
  T& front() { return *begin(); }
  const T& front() const { return *begin(); }
  T& back() { return end()[-1]; }
  const T& back() const { return end()[-1]; }
  void pop_back() { std::destroy_at(data() + --size_); }
  /// @}

  /// Removes all entries and keeps the memory.
  void clear() {
    std::destroy_n(data(), size_);
    size_ = 0;
  }
  /// Reserves room for this many entries in all.
  void reserve(std::size_t count) {
    if (count > capacity_) grow(count);
  }
  /// Removes entries at the end, or adds entries that are zero or empty.
  void resize(std::size_t count) {
    reserve(count);
    if (count < size_)
      std::destroy(begin() + count, end());
    else
      std::uninitialized_value_construct(end(), begin() + count);
    size_ = static_cast<std::uint32_t>(count);
  }
  /// Adds an entry at the end: a zero or empty one, or a given one. @{
  T& emplace_back() {
    if (size_ == capacity_) grow(std::size_t{2} * capacity_);
    return *std::construct_at(data() + size_++);
  }
  void push_back(T entry) {
    if (size_ == capacity_) grow(std::size_t{2} * capacity_);
    std::construct_at(data() + size_++, std::move(entry));
  }
  /// @}
  /// Replaces all entries by copies of others. Precondition: the others are not part of this vector.
  template <std::input_iterator Iterator>
  void assign(Iterator first, Iterator last) {
    clear();
    if constexpr (std::forward_iterator<Iterator>) {
      const auto count = static_cast<std::size_t>(std::distance(first, last));
      reserve(count);
      std::uninitialized_copy(first, last, data());
      size_ = static_cast<std::uint32_t>(count);
    } else {
      for (; first != last; ++first) push_back(*first);
    }
  }

  /// Equal entries in the same order.
  friend bool operator==(const inlined_vector& a, const inlined_vector& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  bool is_inlined() const { return capacity_ == Inlined; }
  T* inlined() { return std::launder(reinterpret_cast<T*>(storage_.here)); }
  const T* inlined() const { return std::launder(reinterpret_cast<const T*>(storage_.here)); }

  /// Moves the entries of the other one here. Precondition: this vector is empty and owns no memory.
  void take(inlined_vector& other) noexcept {
    if (other.is_inlined()) {
      std::uninitialized_move(other.begin(), other.end(), inlined());
      size_ = other.size_;
      other.clear();
    } else {
      storage_.apart = other.storage_.apart;
      size_ = std::exchange(other.size_, 0);
      capacity_ = std::exchange(other.capacity_, static_cast<std::uint32_t>(Inlined));
    }
  }
  void free_all() {
    clear();
    if (!is_inlined()) std::allocator<T>().deallocate(storage_.apart, capacity_);
    capacity_ = Inlined;
  }
  [[gnu::noinline, gnu::cold]] void grow(std::size_t count) {
    if (count > 0xFFFFFFFFu) detail::stop_without_memory();
    T* const apart = std::allocator<T>().allocate(count);
    std::uninitialized_move(begin(), end(), apart);
    const std::uint32_t size = size_;
    free_all();
    storage_.apart = apart;
    size_ = size;
    capacity_ = static_cast<std::uint32_t>(count);
  }

  union storage {
    storage() {}
    alignas(T) std::byte here[Inlined * sizeof(T)];
    T* apart;
  };
  std::uint32_t size_ = 0, capacity_ = Inlined;
  storage storage_;
};

}  // namespace hlolint
