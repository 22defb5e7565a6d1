// The memory of a list: all operations that only handle bytes, compiled once for all types of records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

namespace hlolint::detail {

/// The memory of a list: bytes in use, and free bytes behind them. It does not free its memory itself.
struct list_memory {
  /// The begin and the end of the bytes in use, and the end of the memory; all null without memory.
  char *first, *last, *end;

  [[gnu::always_inline]] constexpr list_memory() noexcept : first(nullptr), last(nullptr), end(nullptr) {}
  list_memory(list_memory&& other) noexcept : first(other.first), last(other.last), end(other.end) {
    other.first = other.last = other.end = nullptr;
  }
  void swap(list_memory& other) noexcept {
    list_memory was(static_cast<list_memory&&>(other));
    other.first = first, other.last = last, other.end = end;
    first = was.first, last = was.last, end = was.end;
  }

  /// New memory with a copy of bytes.
  static list_memory copied(const void* from, std::size_t bytes) {
    list_memory out;
    out.append(from, bytes);
    return out;
  }
  /// Numbers of bytes: in use, free, in all. @{
  std::size_t used() const { return static_cast<std::size_t>(last - first); }
  std::size_t left() const { return static_cast<std::size_t>(end - last); }
  std::size_t room() const { return static_cast<std::size_t>(end - first); }
  /// @}
  /// The size of `count` records in bytes; a size that cannot be allocated if there are too many.
  static std::size_t bytes_of(std::size_t count, std::size_t size) {
    return count > PTRDIFF_MAX / size ? PTRDIFF_MAX : count * size;
  }
  /// How much memory to allocate when `more` bytes are added: at least twice the present size, so that growing is rare.
  std::size_t grown(std::size_t more) const {
    const std::size_t most = PTRDIFF_MAX, least = more > most - used() ? most : used() + more;
    return least > 2 * room() ? least : 2 * room();
  }
  /// Moves the bytes in use to new memory for `bytes` bytes. Throws std::bad_alloc.
  [[gnu::noinline]] void move_to(std::size_t bytes) {
    char* const fresh = static_cast<char*>(::operator new(bytes));
    if (first != last) std::memcpy(fresh, first, used());
    ::operator delete(first);
    last = fresh + used();
    first = fresh;
    end = fresh + bytes;
  }
  /// Adds bytes at the end and returns their place.
  void* add(std::size_t bytes) {
    if (bytes > left()) [[unlikely]]
      move_to(grown(bytes));
    char* const at = last;
    last += bytes;
    return at;
  }
  /// Adds copies of bytes from elsewhere at the end.
  void append(const void* from, std::size_t bytes) {
    if (bytes == 0) return;
    std::memcpy(add(bytes), from, bytes);
  }
  /// Removes records at the end, or adds copies of `record`, until there are `count` records of `size` bytes.
  void resize(std::size_t count, const void* record, std::size_t size) {
    const std::size_t bytes = bytes_of(count, size), was = used();
    if (bytes <= was) {
      last = first + bytes;
      return;
    }
    char* const at = static_cast<char*>(add(bytes - was));
    std::memcpy(at, record, size);
    for (std::size_t done = size, added = bytes - was; done != added;) {
      const std::size_t next = done < added - done ? done : added - done;
      std::memcpy(at + done, at, next);
      done += next;
    }
  }
  /// Removes bytes from the middle and returns the new place of the bytes after them.
  void* close(const void* from, const void* to) {
    char* const at = first + (static_cast<const char*>(from) - first);
    const auto after = static_cast<std::size_t>(last - static_cast<const char*>(to));
    if (after != 0 && from != to) std::memmove(at, to, after);
    last = at + after;
    return at;
  }
};

}  // namespace hlolint::detail
