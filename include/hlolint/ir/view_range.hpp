// A range of views made on the fly from a count and a function of the position.
#pragma once

#include <cstddef>
#include <iterator>
#include <utility>

namespace hlolint {

template <class Make>
class view_range {
 public:
  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = decltype(std::declval<const Make&>()(std::size_t{}));
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = value_type;

    iterator(const Make* make, std::size_t at) : make_(make), at_(at) {}
    value_type operator*() const { return (*make_)(at_); }
    iterator& operator++() {
      ++at_;
      return *this;
    }
    iterator operator++(int) {
      iterator before = *this;
      ++at_;
      return before;
    }
    friend bool operator==(const iterator& a, const iterator& b) { return a.at_ == b.at_; }

   private:
    const Make* make_;
    std::size_t at_;
  };

  view_range(std::size_t size, Make make) : size_(size), make_(std::move(make)) {}
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  auto operator[](std::size_t i) const { return make_(i); }
  iterator begin() const { return {&make_, 0}; }
  iterator end() const { return {&make_, size_}; }

 private:
  std::size_t size_;
  Make make_;
};

}  // namespace hlolint
