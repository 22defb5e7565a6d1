#include <hlolint/text/containers/hash_map.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>

using namespace hlolint;

TEST_CASE("hash_map: as the map of the standard library, but in the order of adding") {
  std::mt19937 random(1);
  hash_map<std::string, int> texts;
  hash_map<std::int64_t, int> numbers;
  std::unordered_map<std::string, int> same_texts;
  std::unordered_map<std::int64_t, int> same_numbers;
  for (int i = 0; i != 5000; ++i) {
    const std::int64_t key = static_cast<std::int64_t>(random() % 2000) * 65536 - 90000;  // low bits are equal
    CHECK(texts.emplace(std::to_string(key), i).second == same_texts.emplace(std::to_string(key), i).second);
    numbers[key] += i;
    same_numbers[key] += i;
    CHECK(numbers.contains(key + 65536) == same_numbers.contains(key + 65536));
  }
  REQUIRE(texts.size() == same_texts.size());
  REQUIRE(numbers.size() == same_numbers.size());
  for (const auto& [key, value] : same_texts) CHECK(texts.at(key) == value);
  for (const auto& [key, value] : same_numbers) CHECK(numbers.at(key) == value);
  int last = -1;
  for (const auto& [key, value] : texts) {
    CHECK(value > last);
    last = value;
  }
  numbers.clear();
  CHECK(numbers.find(-90000) == numbers.end());
}

TEST_CASE("hash_set: each key once") {
  const int number = 0;
  const hash_set<std::string_view> names{"a", "b", "a"};
  CHECK(names.size() == 2);
  CHECK(names.count("b") == 1);
  CHECK(!names.contains("c"));
  CHECK(hash_set<const int*>{&number}.contains(&number));
}
