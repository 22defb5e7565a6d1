// Memory for large tables that are filled soon.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace hlolint::detail {

/// Asks the system to use large pages for new memory: to parse a dump of 112 MB took 70,000 small ones. Only a wish:
/// does nothing where the system has none, and for less than `enough` bytes, where the ends that fill no page would
/// count.
inline void prefer_huge_pages([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(MADV_HUGEPAGE)
  constexpr std::size_t enough = std::size_t{8} << 20, page = 4096;
  if (bytes < enough) return;
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  static_cast<void>(::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE));
#endif
}

/// Room for `count` entries in all, in such memory.
template <class List>
void reserve_large(List& entries, std::size_t count) {
  entries.reserve(count);
  prefer_huge_pages(entries.data(), entries.capacity() * sizeof(typename List::value_type));
}

}  // namespace hlolint::detail
