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

TEST_CASE("lines and columns, however long or short the lines are") {
  std::string text = "a\r\nbb\n" + std::string(3000, '\n') + std::string(5000, 'x') + "\n";
  for (int k = 0; k < 700; ++k) text += "l" + std::to_string(k) + "\n";
  text += "end";
  const source in{std::string(text)};
  const line_index& lines = in.lines();
  std::size_t line = 1, column = 1, wrong = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    wrong += lines.at(at) != line_column{line, column};
    if (at < text.size() && text[at] == '\n') ++line, column = 0;
    ++column;
  }
  CHECK(wrong == 0);
  CHECK(lines.lines() == line);
  CHECK(lines.line(1) == "a");
  CHECK(lines.line(2) == "bb");
  CHECK(lines.line(3) == "");
  CHECK(lines.line(3003) == std::string(5000, 'x'));
  CHECK(lines.line(3004) == "l0");
  CHECK(lines.line(3703) == "l699");
  CHECK(lines.line(line) == "end");
  CHECK(source(std::string()).lines().at(0) == line_column{1, 1});
  CHECK(source(std::string()).lines().line(1) == "");
  const source whole{std::string(1024, '\n')};  // ends where a part of the index ends
  CHECK(whole.lines().lines() == 1025);
  CHECK(whole.lines().at(1024) == line_column{1025, 1});
  CHECK(whole.lines().line(1025) == "");
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

TEST_CASE("line_index: a text of nothing but line ends, and of none") {
  for (const std::size_t count : {127u, 128u, 129u, 511u, 512u, 513u, 5000u}) {
    CAPTURE(count);
    const source ends(std::string(count, '\n')), none(std::string(count, 'x'));
    CHECK(ends.lines().lines() == count + 1);
    CHECK(ends.lines().at(count) == line_column{count + 1, 1});
    CHECK(none.lines().lines() == 1);
    CHECK(none.lines().at(count - 1) == line_column{1, count});
  }
}
