#include <hlolint/text/containers/ordered_map.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>

using namespace hlolint;

namespace {

template <class Own, class Standard>
void check_same(const Own& own, const Standard& standard) {
  REQUIRE(own.size() == standard.size());
  auto at = standard.begin();
  for (const auto& [key, value] : own) {
    CHECK((key == at->first && value == at->second));
    ++at;
  }
  auto back = own.end();
  for (auto other = standard.end(); other != standard.begin();) CHECK((*--back).first == (*--other).first);
}

}  // namespace

TEST_CASE("ordered_map, ordered_multimap: as the maps of the standard library, whatever is added and removed") {
  std::mt19937 random(1);
  for (int round = 0; round != 20; ++round) {
    ordered_map<int, std::string> map;
    ordered_multimap<int, int> multimap;
    std::map<int, std::string> same;
    std::multimap<int, int> same_multimap;
    for (int i = 0; i != 400; ++i) {
      const int key = static_cast<int>(random() % 150);
      if (random() % 3 != 0) {
        CHECK(map.emplace(key, std::to_string(i)).second == same.emplace(key, std::to_string(i)).second);
        multimap.emplace(key, i);
        same_multimap.emplace(key, i);
      } else {
        CHECK(map.erase(key) == same.erase(key));
        CHECK(multimap.erase(key) == same_multimap.erase(key));
      }
      CHECK(multimap.count(key) == same_multimap.count(key));
      const auto not_before = map.lower_bound(key), after = map.upper_bound(key);
      CHECK((not_before == map.end() ? -1 : not_before->first) ==
            (same.lower_bound(key) == same.end() ? -1 : same.lower_bound(key)->first));
      CHECK((after == map.end() ? -1 : after->first) ==
            (same.upper_bound(key) == same.end() ? -1 : same.upper_bound(key)->first));
    }
    check_same(map, same);
    check_same(multimap, same_multimap);
  }
}

TEST_CASE("ordered_map: a million keys in order make no deep tree") {
  ordered_set<std::uint32_t> keys;
  for (std::uint32_t i = 0; i != 1'000'000; ++i) keys.insert(i);  // a list of them would take hours
  CHECK(keys.contains(999'999));
  CHECK(!keys.contains(1'000'000));
}

TEST_CASE("ordered_map: copies are apart, and what was moved from is empty") {
  ordered_map<std::string, int> a{{"one", 1}, {"two", 2}};
  ordered_map<std::string, int> b = a;
  b["one"] = 3;
  b.insert_or_assign("three", 4);
  CHECK(a.at("one") == 1);
  CHECK(!a.contains("three"));
  const ordered_map<std::string, int> c = std::move(a);
  CHECK(a.empty());  // NOLINT
  CHECK(a.begin() == a.end());
  a = c;
  CHECK(a == c);
  CHECK(!(b == c));
}

TEST_CASE("ordered_set: each key once, in order") {
  const ordered_set<std::string> set{"b", "a", "b"};
  CHECK(set.size() == 2);
  CHECK(*set.begin() == "a");
  CHECK(set.count("b") == 1);
}
