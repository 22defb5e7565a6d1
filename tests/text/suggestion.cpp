#include <hlolint/text/suggestion.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;

TEST_CASE("the nearest word is suggested, unless none is near") {
  const std::vector<std::string_view> known{"all-reduce", "all-gather", "add"};
  CHECK(nearest_word("all-redu", known) == "all-reduce");
  CHECK(nearest_word("ad", known) == "add");
  CHECK(nearest_word("ADD", known) == "add");
  CHECK(nearest_word("all-gather-start", known) == "");
  CHECK(did_you_mean("adds", known) == " (did you mean add?)");
  CHECK(did_you_mean("multiply", known) == "");
}

TEST_CASE("long words are not compared") {
  const std::string one(30'000, 'a'), other(30'000, 'b'), almost = one.substr(1);
  CHECK(nearest_word(one, {almost, other}) == "");
  CHECK(nearest_word("b", {other}) == "");
}
