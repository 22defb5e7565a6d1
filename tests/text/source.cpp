// Sources and places in them.
#include <hlolint/text/source.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;

TEST_CASE("places are equal in one text and in two that were read from one file") {
  const source one(std::string("abc"), "a.txt"), again(std::string("abc"), "a.txt"), other(std::string("abc"), "b.txt");
  CHECK(location{one, {1, 2}} == location{one, {1, 2}});
  CHECK(location{one, {1, 2}} == location{again, {1, 2}});
  CHECK(location{one, {1, 2}} != location{one, {1, 3}});
  CHECK(location{one, {1, 2}} != location{other, {1, 2}});
}

TEST_CASE("two texts that were never files are two places, even where they are alike") {
  const source one(std::string("abc")), other(std::string("abc"));
  CHECK(location{one, {0, 1}} == location{one, {0, 1}});
  CHECK(location{one, {0, 1}} != location{other, {0, 1}});
  CHECK(location{} == location{});
}

TEST_CASE("a borrowed text is not copied, an owned one is kept alive") {
  const std::string text = "x y";
  CHECK(source(text, "t", borrow).text().data() == text.data());
  const source kept = source(std::string(100, 'z'));
  CHECK(kept.text() == std::string(100, 'z'));
  CHECK(kept.contains(kept.text().substr(10, 5)));
  CHECK(!kept.contains(text));
  CHECK(!kept.has_path());
}
