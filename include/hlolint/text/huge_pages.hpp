// Memory for large tables that are filled soon.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace hlolint::detail {

/// Asks the system to use large pages for new memory: a dump of 112 MB took 70,000 small pages. This is only a hint. It
/// does nothing on systems without large pages, and for less than `enough` bytes, where too much of the last page would
/// be wasted.
inline void prefer_huge_pages([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(MADV_HUGEPAGE)
  constexpr std::size_t enough = std::size_t{8} << 20, page = 4096;
  if (bytes < enough) return;
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  static_cast<void>(::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE));
#endif
}

/// Reserves memory of large pages for `count` entries in all.
template <class List>
void reserve_large(List& entries, std::size_t count) {
  entries.reserve(count);
  prefer_huge_pages(entries.data(), entries.capacity() * sizeof(typename List::value_type));
}

}  // namespace hlolint::detail
