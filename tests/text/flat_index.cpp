#include <hlolint/text/flat_index.hpp>

#include <hlolint/text/name_table.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

using hlolint::detail::flat_index;

namespace {

std::uint32_t find(const flat_index& index, const std::vector<std::string>& names, const std::string& name) {
  return index.find(hlolint::detail::hash(name), [&](std::uint32_t n) { return names[n] == name; });
}

}  // namespace

TEST_CASE("flat_index: empty") {
  const flat_index index;
  CHECK(index.size() == 0);
  CHECK(find(index, {}, "a") == flat_index::none);
  CHECK(find(flat_index(1000), {}, "a") == flat_index::none);
}

TEST_CASE("flat_index: of equal ones the first stays") {
  const std::vector<std::string> names{"a", "b", "a"};
  flat_index index;
  std::vector<std::pair<std::uint32_t, bool>> got;
  for (std::uint32_t i = 0; i < names.size(); ++i)
    got.push_back(
        index.insert(hlolint::detail::hash(names[i]), i, [&](std::uint32_t n) { return names[n] == names[i]; }));
  CHECK(got == std::vector<std::pair<std::uint32_t, bool>>{{0, true}, {1, true}, {0, false}});
  CHECK(index.size() == 2);
  CHECK(find(index, names, "a") == 0);
  CHECK(find(index, names, "b") == 1);
  CHECK(find(index, names, "c") == flat_index::none);
}

TEST_CASE("flat_index: finds what an unordered_map finds, with and without room made before") {
  constexpr std::uint32_t count = 20'000;
  for (const std::size_t room : {std::size_t{0}, std::size_t{count}, std::size_t{count / 3}}) {
    std::vector<std::string> names;
    std::unordered_map<std::string, std::uint32_t> expected;
    flat_index index(room);
    for (std::uint32_t i = 0; i < count; ++i) {
      names.push_back("fusion." + std::to_string(std::uint64_t{i} * i % 7919));  // many twice
      const bool is_new = expected.emplace(names[i], i).second;
      const auto got =
          index.insert(hlolint::detail::hash(names[i]), i, [&](std::uint32_t n) { return names[n] == names[i]; });
      REQUIRE(got == std::pair(expected.at(names[i]), is_new));
    }
    CHECK(index.size() == expected.size());
    for (const auto& [name, number] : expected) REQUIRE(find(index, names, name) == number);
    for (std::uint32_t i = 0; i < count; ++i)
      REQUIRE(find(index, names, "copy." + std::to_string(i)) == flat_index::none);
  }
}

TEST_CASE("flat_index: one hash for all is slow, not wrong") {
  for (const std::uint64_t hash : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    flat_index index;
    for (std::uint32_t i = 0; i < 300; ++i)
      REQUIRE(index.insert(hash, i, [&](std::uint32_t n) { return n == i; }).second);
    for (std::uint32_t i = 0; i < 300; ++i) REQUIRE(index.find(hash, [&](std::uint32_t n) { return n == i; }) == i);
    CHECK(index.find(hash, [](std::uint32_t) { return false; }) == flat_index::none);
  }
}
