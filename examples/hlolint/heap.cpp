// A lint of a few megabytes ends after some milliseconds, of which the first touch of each page of memory takes a good
// part: it touches most pages once. With glibc these settings save that time; other C libraries keep their own ways.
#include "heap.hpp"

#include <cstdint>
#include <cstdlib>
#include <mutex>

#if defined(__linux__) && defined(__GLIBC__)
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace {
bool is_own = false;  // set before there are threads
}

void own_heap() { is_own = true; }

void prepare_heap(std::uint64_t text_bytes) {
#if defined(__linux__) && defined(__GLIBC__)
  constexpr std::uint64_t mebibyte = 1024 * 1024, huge_page = 2 * mebibyte;
  // For less a huge page would take longer than the few small ones; with more, the size of memory matters, not a few
  // milliseconds.
  if (!is_own || text_bytes < mebibyte || text_bytes > 8 * mebibyte) return;
  static std::once_flag once;
  std::call_once(once, [&] {
    // What one table leaves behind is taken by the next one, without a way through the system. Large blocks still go
    // back at once, so that they leave no holes.
    const auto reserved = static_cast<int>(6 * text_bytes);
    mallopt(M_MMAP_THRESHOLD, 4 * mebibyte);
    mallopt(M_TRIM_THRESHOLD, reserved);
    mallopt(M_TOP_PAD, reserved);
    // The heap grows by the reserve now. Where the system has huge pages for whoever asks, one takes the place of 512.
    void* volatile grows = std::malloc(mebibyte);
    std::free(grows);
    const auto end = reinterpret_cast<std::uintptr_t>(sbrk(0)) / huge_page * huge_page;
    const std::uintptr_t size = static_cast<std::uintptr_t>(reserved) / huge_page * huge_page;
    if (end > size) madvise(reinterpret_cast<void*>(end - size), size, MADV_HUGEPAGE);
  });
#else
  static_cast<void>(text_bytes), static_cast<void>(is_own);
#endif
}
