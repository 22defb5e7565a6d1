// Sorting in one function for each order. std::sort and std::stable_sort are about twenty functions each.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>

namespace hlolint {

/// Whether the first two values that differ, of `a, b, a, b, ...`, are in order: `in_order(x.id, y.id, x.at, y.at)`
/// says of x and y what comparing tuples of their ids and places would.
template <class A, class... Rest>
[[gnu::always_inline]] constexpr bool in_order(const A& a, const std::type_identity_t<A>& b, const Rest&... rest) {
  if constexpr (sizeof...(rest) == 0) {
    return a < b;
  } else {
    if (a < b) return true;
    if (b < a) return false;
    return in_order(rest...);
  }
}

/// Sorts records; equal ones keep their order. `before(a, b)` tells whether `a` comes first; it must not throw. @{
template <class T, class Before>
void sort_records(T* first, T* last, Before before) {
  static_assert(std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T>);
  static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
  const auto count = static_cast<std::size_t>(last - first);
  constexpr std::size_t short_run = 12;
  for (std::size_t begin = 0; begin < count; begin += short_run) {  // sorts short runs by insertion
    const std::size_t end = count - begin < short_run ? count : begin + short_run;
    for (std::size_t next = begin + 1; next < end; ++next) {
      if (!before(first[next], first[next - 1])) continue;
      T record(static_cast<T&&>(first[next]));
      std::size_t to = next;
      do {
        first[to] = static_cast<T&&>(first[to - 1]);
        --to;
      } while (to != begin && before(record, first[to - 1]));
      first[to] = static_cast<T&&>(record);
    }
  }
  if (count <= short_run) return;
  T* const spare = static_cast<T*>(::operator new(count * sizeof(T)));  // for the first of two runs
  for (std::size_t run = short_run; run < count; run *= 2) {
    for (std::size_t begin = 0; count - begin > run; begin += 2 * run) {
      T *out = first + begin, *right = out + run;
      if (!before(*right, right[-1])) {
        if (count - begin <= 2 * run) break;
        continue;
      }
      T* const right_end = count - begin < 2 * run ? last : out + 2 * run;
      T* left_end = spare;
      for (T* from = out; from != right; ++from, ++left_end)
        ::new (static_cast<void*>(left_end)) T(static_cast<T&&>(*from));
      T* left = spare;
      while (left != left_end && right != right_end) {
        const bool of_right = before(*right, *left);
        *out = static_cast<T&&>(of_right ? *right : *left);
        right += of_right;
        left += !of_right;
        ++out;
      }
      for (; left != left_end; ++left, ++out) *out = static_cast<T&&>(*left);
      while (left_end != spare) (--left_end)->~T();
      if (right_end == last) break;
    }
  }
  ::operator delete(spare);
}
template <class List, class Before>
[[gnu::always_inline]] inline void sort_records(List& list, Before before) {
  sort_records(list.data(), list.data() + list.size(), before);
}
template <class List>
[[gnu::always_inline]] inline void sort_records(List& list) {
  using record = typename List::value_type;
  sort_records(list, [](const record& a, const record& b) { return a < b; });
}
/// @}

/// Sorts a list and removes all but the first of equal records.
template <class List>
void sort_unique(List& list) {
  using record = typename List::value_type;
  sort_records(list);
  const record* kept = nullptr;
  erase_if(list, [&](const record& next) {
    const bool known = kept && *kept == next;
    if (!known) kept = kept ? kept + 1 : list.data();
    return known;
  });
}

/// Calls `f(begin, end)` with the places of each run of records for which `same(first_of_run, record)` holds.
template <class List, class Same, class F>
void for_each_run(const List& list, Same&& same, F&& f) {
  for (std::size_t begin = 0, end = 0; begin < list.size(); begin = end) {
    while (end < list.size() && same(list[begin], list[end])) ++end;
    f(begin, end);
  }
}

}  // namespace hlolint
