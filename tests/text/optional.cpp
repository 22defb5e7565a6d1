#include <hlolint/text/optional.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

using hlolint::optional;

static_assert(std::is_trivially_copyable_v<optional<int>>);
static_assert(!std::is_convertible_v<optional<int>, bool>);
static_assert(!std::is_convertible_v<optional<int>, int>);
static_assert(optional<int>(3) == 3);
static_assert(optional<int>() != optional(3));
static_assert(optional<int>() < optional(-3));
static_assert(optional(2) < 3);
static_assert(optional<int>() == std::nullopt);
static_assert(optional<long>(optional<int>(3)).value_or(4) == 3);
static_assert(optional<long>().value_or(4) == 4);

TEST_CASE("an optional holds a value or nothing") {
  optional<std::string> text;
  CHECK(!text);
  CHECK(text == std::nullopt);
  text = "a text that is too long to stand in the object itself";
  REQUIRE(text.has_value());
  CHECK(text->size() == 53);
  const optional<std::string> copy = text;
  CHECK(copy == text);
  optional<std::string> moved = std::move(text);
  CHECK(moved == copy);
  CHECK(*copy == "a text that is too long to stand in the object itself");
  moved = std::nullopt;
  CHECK(moved < copy);
  CHECK(moved.value_or("nothing") == "nothing");
  CHECK_THROWS_AS(moved.value(), std::bad_optional_access);
  moved = copy;
  CHECK(moved == copy);
  moved.emplace(3, 'x');
  CHECK(moved == "xxx");
  moved = optional<std::string>();
  CHECK(!moved);
}

TEST_CASE("the value of an optional is destroyed once") {
  const auto count = std::make_shared<int>();
  {
    optional<std::shared_ptr<int>> a = count, b = a, c;
    CHECK(count.use_count() == 3);
    c = std::move(b);
    CHECK(count.use_count() == 3);
    const optional<std::shared_ptr<int>>& itself = a;
    a = itself;
    CHECK(count.use_count() == 3);
    a = c;
    CHECK(count.use_count() == 3);
    a = nullptr;
    CHECK(a.has_value());
    CHECK(count.use_count() == 2);
    c.reset();
    CHECK(count.use_count() == 1);
  }
  CHECK(count.use_count() == 1);
}

TEST_CASE("an optional converts to the standard one and back") {
  const std::optional<std::string> standard = optional<std::string>("text");
  CHECK(standard == "text");
  const optional<std::string> back = standard;
  CHECK(back == "text");
  CHECK(optional<int>() == std::optional<int>());
  CHECK(std::optional<int>(2) == optional<int>(2));
  CHECK(optional<int>() != std::optional<int>(0));
  CHECK(!optional<std::string>(std::optional<std::string>()));
  CHECK(!std::optional<int>(optional<int>()).has_value());
  const optional<std::unique_ptr<int>> owner(std::make_unique<int>(3));
  CHECK(**owner == 3);
}
