// Ranges of views that are made on access.
#pragma once

#include <compare>
#include <cstddef>
#include <iterator>
#include <string_view>  // declares std::ranges::enable_borrowed_range

namespace hlolint {

/// A range of `size` views; view number i is `make(i)`. `Make` is a copyable function object that refers to data which
/// outlives the range. Iterators hold a copy of it, so that they stay valid without the range; they are random access
/// iterators.
template <class Make>
class view_range {
 public:
  /// The type of the views.
  using value_type = decltype(Make{}(std::size_t{}));

  /// A random access iterator that yields views by value.
  class iterator {
   public:
    /// @cond
    using iterator_concept = std::random_access_iterator_tag;
    using iterator_category = std::input_iterator_tag;  // it yields values, not references
    using value_type = view_range::value_type;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = value_type;

    iterator() = default;
    iterator(Make make, std::size_t at) : make_(make), at_(static_cast<difference_type>(at)) {}

    value_type operator*() const { return make_(static_cast<std::size_t>(at_)); }
    value_type operator[](difference_type n) const { return *(*this + n); }
    iterator& operator++() { return *this += 1; }
    iterator& operator--() { return *this -= 1; }
    iterator operator++(int) {
      const iterator before = *this;
      ++*this;
      return before;
    }
    iterator operator--(int) {
      const iterator before = *this;
      --*this;
      return before;
    }
    iterator& operator+=(difference_type n) {
      at_ += n;
      return *this;
    }
    iterator& operator-=(difference_type n) { return *this += -n; }
    friend iterator operator+(iterator i, difference_type n) { return i += n; }
    friend iterator operator+(difference_type n, iterator i) { return i += n; }
    friend iterator operator-(iterator i, difference_type n) { return i -= n; }
    friend difference_type operator-(const iterator& a, const iterator& b) { return a.at_ - b.at_; }
    /// Of iterators into one range.
    friend bool operator==(const iterator& a, const iterator& b) { return a.at_ == b.at_; }
    friend auto operator<=>(const iterator& a, const iterator& b) { return a.at_ <=> b.at_; }
    /// @endcond

   private:
    Make make_{};
    difference_type at_ = 0;
  };
  /// Views cannot be changed through a range.
  using const_iterator = iterator;

  view_range() = default;
  /// Number i is `make(i)`.
  view_range(std::size_t size, Make make) : size_(size), make_(make) {}
  /// How many views there are.
  std::size_t size() const { return size_; }
  /// Whether there are none.
  bool empty() const { return size_ == 0; }
  /// Precondition: i < size().
  value_type operator[](std::size_t i) const { return make_(i); }
  /// Precondition of both: the range is not empty.
  value_type front() const { return make_(0); }
  /// The last one.
  value_type back() const { return make_(size_ - 1); }
  /// The first view.
  iterator begin() const { return {make_, 0}; }
  /// One past the last view.
  iterator end() const { return {make_, size_}; }

 private:
  std::size_t size_ = 0;
  Make make_{};
};

}  // namespace hlolint

/// @cond
// Iterators do not refer to their range.
template <class Make>
inline constexpr bool std::ranges::enable_borrowed_range<hlolint::view_range<Make>> = true;
/// @endcond
