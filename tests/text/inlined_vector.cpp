// Few entries in the object itself, more of them apart: everything that a shape does with its dimensions and tiles.
#include <hlolint/ir/shape.hpp>
#include <hlolint/text/inlined_vector.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

using hlolint::inlined_vector;

namespace {

using numbers = inlined_vector<std::int64_t, 3>;

bool stands_inside(const numbers& n) {
  const auto* const begin = reinterpret_cast<const std::int64_t*>(&n);
  return std::greater_equal<>()(n.data(), begin) && std::less<>()(n.data(), begin + sizeof(n) / sizeof(std::int64_t));
}

}  // namespace

TEST_CASE("the first entries stand in the object, more of them apart") {
  numbers n;
  for (std::int64_t k = 0; k != 3; ++k) n.push_back(k);
  CHECK(stands_inside(n));
  n.push_back(3);
  CHECK_FALSE(stands_inside(n));
  CHECK(n == numbers{0, 1, 2, 3});
  n.pop_back();
  n.push_back(7);
  CHECK(n.back() == 7);
  CHECK(n.front() == 0);
  CHECK(std::vector<std::int64_t>(n.rbegin(), n.rend()) == std::vector<std::int64_t>{7, 2, 1, 0});
}

TEST_CASE("copies and moves are values, inside and apart") {
  for (const numbers& original : {numbers{}, numbers{1, 2}, numbers{1, 2, 3, 4, 5}}) {
    numbers copy = original;
    CHECK(copy == original);
    copy.push_back(9);
    CHECK(copy.size() == original.size() + 1);
    numbers moved = std::move(copy);
    CHECK(moved.back() == 9);
    CHECK(copy.empty());  // NOLINT: that is what is tested
    copy.push_back(1);
    CHECK(copy == numbers{1});
    copy = moved;
    CHECK(copy == moved);
    copy = std::move(moved);
    CHECK(copy.back() == 9);
    const numbers& same = copy;
    copy = same;
    CHECK(copy.back() == 9);
    copy = original;
    CHECK(copy == original);
  }
}

TEST_CASE("sizes change both ways; new entries are zero") {
  numbers n{5, 6, 7, 8};
  n.resize(2);
  n.resize(6);
  CHECK(n == numbers{5, 6, 0, 0, 0, 0});
  n.clear();
  CHECK(n.empty());
  const std::vector<std::int64_t> others{4, 3, 2, 1};
  n.assign(others.begin(), others.end());
  CHECK(n == numbers{4, 3, 2, 1});
  CHECK_FALSE(n == numbers{4, 3, 2});
}

TEST_CASE("entries with memory of their own are freed once") {
  std::weak_ptr<int> watched;
  {
    inlined_vector<std::shared_ptr<int>, 1> owners;
    owners.push_back(std::make_shared<int>(1));
    watched = owners.front();
    for (int k = 0; k != 5; ++k) owners.push_back(owners.front());
    CHECK(watched.use_count() == 6);
    owners.resize(2);
    CHECK(watched.use_count() == 2);
    inlined_vector<std::shared_ptr<int>, 1> others = owners;
    CHECK(watched.use_count() == 4);
    others = std::move(owners);
    CHECK(watched.use_count() == 2);
  }
  CHECK(watched.expired());
}

TEST_CASE("a shape of six dimensions with two tiles has no memory of its own") {
  hlolint::shape s;
  s.layout.emplace();
  for (std::int64_t d = 0; d != 6; ++d) {
    s.dimensions.push_back({d + 1, false});
    s.layout->minor_to_major.push_back(d);
  }
  s.layout->tiles = {{{8, 128}}, {{2, 1}}};
  const auto inside = [&](const void* entries) {
    const auto* const begin = reinterpret_cast<const char*>(&s);
    return std::greater_equal<const void*>()(entries, begin) && std::less<const void*>()(entries, begin + sizeof(s));
  };
  CHECK(inside(s.dimensions.data()));
  CHECK(inside(s.layout->minor_to_major.data()));
  CHECK(inside(s.layout->tiles.data()));
  CHECK(inside(s.layout->tiles[1].dimensions.data()));
  const hlolint::shape copy = s;
  CHECK(copy == s);
}
