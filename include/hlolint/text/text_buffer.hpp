// A text that is still being read. It grows without being cleared or copied, and becomes a source.
#pragma once

#include <hlolint/text/huge_pages.hpp>
#include <hlolint/text/source.hpp>
#include <hlolint/text/stop.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint {

/// Bytes as they arrive. Unlike std::string it does not set new bytes to zero, and it grows in place where the C
/// library can do that (large blocks on Linux), so that a text of N bytes never takes 2 N.
class text_buffer {
 public:
  /// The bytes added so far. Valid until `room` is called.
  std::string_view text() const { return {bytes_.get(), size_}; }
  /// How many bytes were added.
  std::size_t size() const { return size_; }

  /// Makes room for `count` bytes at the end. Bytes that are written there do not count before `add`. Earlier pointers
  /// and views become invalid. Throws std::bad_alloc.
  char* room(std::size_t count) {
    if (count > capacity_ - size_) grow(count);
    return bytes_.get() + size_;
  }
  /// Adds the first `count` bytes of the room. Precondition: the room is at least as large.
  void add(std::size_t count) { size_ += count; }

  /// Returns the text as a source, without unused room. The buffer is empty afterwards.
  source release(std::string path) {
    if (size_ > 0 && capacity_ - size_ > size_ / 8) resize(size_);
    const std::string_view whole = text();
    size_ = capacity_ = 0;
    return source(whole, std::move(path), std::shared_ptr<const void>(std::move(bytes_)));
  }

 private:
  struct free_bytes {
    void operator()(char* bytes) const { std::free(bytes); }
  };

  void grow(std::size_t count) {
    const std::size_t most = static_cast<std::size_t>(-1) / 2;
    if (count > most - size_) detail::stop_without_memory();
    resize(std::max(size_ + count, std::min(capacity_ * 2, most)));
  }
  void resize(std::size_t capacity) {
    void* const moved = std::realloc(bytes_.get(), capacity);
    if (!moved) detail::stop_without_memory();
    static_cast<void>(bytes_.release());  // realloc has freed it
    bytes_.reset(static_cast<char*>(moved));
    capacity_ = capacity;
    detail::prefer_huge_pages(bytes_.get(), capacity);
  }

  std::unique_ptr<char, free_bytes> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace hlolint
