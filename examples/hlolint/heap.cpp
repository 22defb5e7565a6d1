// Linting a few megabytes takes some milliseconds, a good part of which goes to the first touch of each page of memory.
// These settings of glibc save most of that time; with other C libraries nothing is changed.
#include "heap.hpp"

#include <cstdint>
#include <cstdlib>
#include <mutex>

#if defined(__linux__) && defined(__GLIBC__)
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace hlolint::command {

namespace {

bool is_own = false;  // set before any thread starts
[[maybe_unused]] constexpr int mebibyte = 1024 * 1024;
// Blocks of this size are returned as soon as they are freed, so that they leave no holes.
[[maybe_unused]] constexpr int large_block = 4 * mebibyte;

}  // namespace

void own_heap() { is_own = true; }

void prepare_heap(std::uint64_t text_bytes) {
#if defined(__linux__) && defined(__GLIBC__)
  constexpr std::uint64_t huge_page = 2 * mebibyte;
  // For a smaller text, a huge page would cost more than a few small ones; for a larger one, the size of memory matters
  // more than a few milliseconds.
  if (!is_own || text_bytes < mebibyte || text_bytes > 8 * mebibyte) return;
  static std::once_flag once;
  std::call_once(once, [&] {
    // Freed memory of one table is reused by the next one without a system call.
    const auto reserved = static_cast<int>(6 * text_bytes);
    mallopt(M_MMAP_THRESHOLD, large_block);
    mallopt(M_TRIM_THRESHOLD, reserved);
    mallopt(M_TOP_PAD, reserved);
    // The heap grows by the reserve now. If the system gives huge pages on request, one replaces 512 small ones.
    void* volatile grows = std::malloc(mebibyte);
    const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(grows) + huge_page - 1) / huge_page * huge_page;
    std::free(grows);
    const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(sbrk(0)) / huge_page * huge_page;
    if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  });
#else
  static_cast<void>(text_bytes), static_cast<void>(is_own);
#endif
}

void keep_heap_small() {
#if defined(__linux__) && defined(__GLIBC__)
  // Set, the size does not grow with the blocks that are freed.
  if (is_own) mallopt(M_MMAP_THRESHOLD, large_block), mallopt(M_TRIM_THRESHOLD, 8 * large_block);
#endif
  is_own = false;
}

void return_freed_memory() {
#if defined(__linux__) && defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace hlolint::command
