#include <hlolint/text/record_list.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

using hlolint::record_list;

TEST_CASE("a list of records grows as a vector does, whatever the records hold") {
  record_list<int> numbers;
  record_list<std::string> texts;
  std::vector<int> same;
  for (int i = 0; i != 1000; ++i) {
    numbers.push_back(i);
    same.push_back(i);
    texts.emplace_back(static_cast<std::size_t>(i % 40), 'x');
  }
  CHECK(numbers == record_list<int>(same));
  CHECK(std::vector<int>(numbers) == same);
  REQUIRE(texts.size() == 1000);
  CHECK(texts[79] == std::string(39, 'x'));
  CHECK(texts.back() == std::string(39, 'x'));
}

TEST_CASE("an entry of a list may be added to it while it grows") {
  record_list<std::string> list{"a text that is too long to stand in the object itself"};
  const std::string first = list[0];
  for (int i = 0; i != 20; ++i) list.push_back(list[0]);
  for (const std::string& one : list) CHECK(one == first);
}

TEST_CASE("copies are apart, and what was moved from is empty") {
  record_list<std::string> a{"one", "two"};
  record_list<std::string> b = a;
  b[0] = "other";
  CHECK(a[0] == "one");
  record_list<std::string> c = std::move(a);
  CHECK(a.empty());  // NOLINT
  CHECK(c == record_list<std::string>{"one", "two"});
  const record_list<std::string>& itself = c;
  c = itself;
  CHECK(c.size() == 2);
  a = std::move(c);
  CHECK(c.empty());  // NOLINT
  CHECK(a.size() == 2);
  a = b;
  CHECK(a == b);
}

TEST_CASE("a list takes one of its own parts") {
  struct node {
    int value = 0;
    record_list<node> parts;
  };
  record_list<node> nodes(1);
  nodes[0].parts.resize(2);
  nodes[0].parts[1].value = 7;
  nodes = record_list<node>(nodes[0].parts);
  REQUIRE(nodes.size() == 2);
  CHECK(nodes[1].value == 7);
  nodes[0].parts.emplace_back().value = 8;
  nodes = nodes[0].parts;
  REQUIRE(nodes.size() == 1);
  CHECK(nodes[0].value == 8);
}

TEST_CASE("records are removed, added and replaced") {
  record_list<int> list{1, 2, 3, 4, 5, 6};
  CHECK(erase_if(list, [](int i) { return i % 2 == 0; }) == 3);
  CHECK(list == record_list<int>{1, 3, 5});
  CHECK(*list.erase(list.begin()) == 3);
  const std::vector<int> more{7, 8};
  list.append(more.begin(), more.end());
  list.append(more.data(), more.data() + 2);
  CHECK(list == record_list<int>{3, 5, 7, 8, 7, 8});
  list.resize(2);
  list.resize(4);
  CHECK(list == record_list<int>{3, 5, 0, 0});
  list.assign(std::size_t{2}, 9);
  CHECK(list == record_list<int>{9, 9});
  list.assign(more.begin(), more.end());
  CHECK(std::vector<int>(list.rbegin(), list.rend()) == std::vector<int>{8, 7});
  list.clear();
  CHECK(list.empty());
  CHECK(list.capacity() >= 6);
}

TEST_CASE("each record is destroyed once") {
  const auto count = std::make_shared<int>();
  {
    record_list<std::shared_ptr<int>> list;
    for (int i = 0; i != 9; ++i) list.push_back(count);
    list.erase(list.begin() + 2, list.begin() + 4);
    CHECK(list.take_back() == count);
    CHECK(count.use_count() == 7);
    const record_list<std::shared_ptr<int>> copy = list;
    CHECK(count.use_count() == 13);
  }
  CHECK(count.use_count() == 1);
}

TEST_CASE("records are added in the middle, of whatever kind they are") {
  record_list<int> numbers{1, 5};
  CHECK(*numbers.insert(numbers.begin() + 1, 2) == 2);
  CHECK(*numbers.insert(numbers.begin() + 2, {3, 4}) == 3);
  CHECK(numbers == record_list<int>{1, 2, 3, 4, 5});
  numbers.insert(numbers.end(), std::size_t{2}, 6);
  numbers.insert(numbers.begin(), numbers[4]);
  CHECK(numbers == record_list<int>{5, 1, 2, 3, 4, 5, 6, 6});
  CHECK(erase(numbers, 5) == 2);
  CHECK(numbers.size() == 6);
  record_list<std::string> texts{"a", "d"};
  const std::vector<std::string> more{"b", "c"};
  CHECK(*texts.insert(texts.begin() + 1, more.begin(), more.end()) == "b");
  texts.emplace(texts.begin(), std::size_t{2}, 'x');
  CHECK(texts == record_list<std::string>{"xx", "a", "b", "c", "d"});
  texts.resize(7, texts[0]);
  CHECK(texts.back() == "xx");
  CHECK(texts.size() == 7);
}

TEST_CASE("lists are in order of their first records that differ") {
  CHECK(record_list<int>{1, 2} < record_list<int>{1, 3});
  CHECK(record_list<int>{1, 2} < record_list<int>{1, 2, 0});
  CHECK(record_list<std::string>{"b"} > record_list<std::string>{"a", "z"});
  struct part {
    int number = 0;
    bool operator<(const part& other) const { return number < other.number; }
    bool operator==(const part&) const = default;
  };
  CHECK(record_list<part>{part{1}} < record_list<part>{part{2}});
  CHECK_FALSE(record_list<part>{part{2}} < record_list<part>{part{1}});
}

TEST_CASE("many equal records are made at once") {
  struct wide {
    std::int64_t first = 7;
    bool second = true;
  };
  for (const std::size_t count : {0U, 1U, 2U, 3U, 1000U}) {
    const record_list<wide> list(count);
    REQUIRE(list.size() == count);
    for (const wide& one : list) CHECK(one.first + one.second == 8);
    CHECK(record_list<bool>(count, true) == record_list<bool>(std::vector<bool>(count, true)));
  }
}

TEST_CASE("lists of lists convert to vectors of vectors and back") {
  const record_list<record_list<int>> lists{{1, 2}, {}, {3}};
  const std::vector<std::vector<int>> vectors = lists;
  CHECK(vectors == std::vector<std::vector<int>>{{1, 2}, {}, {3}});
  CHECK(lists == vectors);
  CHECK(record_list<record_list<int>>(vectors) == lists);
}
