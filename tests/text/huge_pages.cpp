// Memory that the system is asked to back with huge pages is memory like any other.
#include <hlolint/text/huge_pages.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

TEST_CASE("a large table keeps its entries when it moves into such memory") {
  constexpr std::size_t few = 1000, many = std::size_t{6} << 20;  // 24 MiB
  std::vector<std::uint32_t> entries(few);
  std::iota(entries.begin(), entries.end(), 0u);
  hlolint::detail::reserve_large(entries, many);
  REQUIRE(entries.capacity() >= many);
  const auto* const begin = entries.data();
  entries.resize(many);
  CHECK(entries.data() == begin);
  CHECK(entries[few - 1] == few - 1);
  CHECK(std::all_of(entries.begin() + few, entries.end(), [](std::uint32_t e) { return e == 0; }));
}

TEST_CASE("no memory, little memory and odd ends are taken") {
  hlolint::detail::prefer_huge_pages(nullptr, 0);
  std::vector<char> bytes(std::size_t{9} << 20, 'x');
  hlolint::detail::prefer_huge_pages(bytes.data() + 1, bytes.size() - 3);
  hlolint::detail::prefer_huge_pages(bytes.data(), 100);
  CHECK(std::all_of(bytes.begin(), bytes.end(), [](char c) { return c == 'x'; }));
}
