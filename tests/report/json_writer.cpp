#include <hlolint/report/json_writer.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <locale>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;
using namespace hlolint::report;

namespace {

std::string written(std::string_view text) {
  std::ostringstream out;
  json_writer json(out, 0);
  json.value(text);
  return out.str();
}

}  // namespace

TEST_CASE("json_writer nests, indents and separates") {
  std::ostringstream out;
  json_writer json(out);
  json.object([&] {
    json.member("text", "a");
    json.object("empty object", [] {});
    json.array("empty array", [] {});
    json.array("array", [&] {
      json.value(1);
      json.value(true);
      json.null();
      json.object([&] {
        json.member_if("absent", std::optional<int>{});
        json.member_if("also absent", "");
        json.member_if("present", std::optional<int>{-2});
      });
    });
  });
  CHECK(out.str() == R"({
  "text": "a",
  "empty object": {},
  "empty array": [],
  "array": [
    1,
    true,
    null,
    {
      "present": -2
    }
  ]
}
)");
}

TEST_CASE("json_writer: brackets around what functions write") {
  std::ostringstream out;
  json_writer json(out, 0);
  json.object([&] {
    json.object("object", [&] { json.member("a", 1); });
    json.array("array", [&] {
      json.array([&] { json.value(1), json.value(2); });
      json.array([] {});
    });
    json.values("values", std::vector<std::string>{"x", "y"});
    json.values("none", std::vector<int>{});
    json.objects("objects", std::vector<int>{7, 8}, [&](int item) { json.member("is", item); });
  });
  CHECK(out.str() ==
        R"({"object":{"a":1},"array":[[1,2],[]],"values":["x","y"],"none":[],"objects":[{"is":7},{"is":8}]})");
}

TEST_CASE("json_writer: members in a row, without those that have no value") {
  std::ostringstream out;
  json_writer json(out, 0);
  const std::optional<int> none;
  json.object([&] {
    json.members("text", std::string("a"), "empty", "", "truth", true, "number", std::optional(7), "none", none);
    json.members_if("left out", std::string_view(), "zero", 0, "also left out", none, "real", 0.5);
  });
  CHECK(out.str() == R"({"text":"a","empty":"","truth":true,"number":7,"zero":0,"real":0.5})");
}

TEST_CASE("json_writer on one line") {
  std::ostringstream out;
  json_writer json(out, 0);
  json.object([&] { json.members("a", 1, "b", false); });
  CHECK(out.str() == R"({"a":1,"b":false})");
}

TEST_CASE("json_writer escapes") {
  using namespace std::string_view_literals;
  CHECK(written("plain") == R"("plain")");
  CHECK(written("\"\\/") == R"("\"\\/")");
  CHECK(written("a\nb\tc\rd") == R"("a\nb\tc\rd")");
  CHECK(written("\0\x1b\x7f"sv) == R"("\u0000\u001b\u007f")");
  CHECK(written("\xC3\xA4\xF0\x9F\x98\x80") == "\"\xC3\xA4\xF0\x9F\x98\x80\"");
}

TEST_CASE("json_writer puts U+FFFD where there is no UTF-8") {
  CHECK(written("a\xFFz") == "\"a\xEF\xBF\xBDz\"");
  CHECK(written("\xC3") == "\"\xEF\xBF\xBD\"");
  CHECK(written("\xED\xA0\x80") == "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

TEST_CASE("json_writer writes all 64-bit numbers, whatever the locale") {
  struct dots : std::numpunct<char> {
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  std::ostringstream out;
  out.imbue(std::locale(std::locale::classic(), new dots));
  json_writer json(out, 0);
  json.array([&] {
    json.value(std::numeric_limits<std::int64_t>::min());
    json.value(std::numeric_limits<std::int64_t>::max());
    json.value(std::numeric_limits<std::uint64_t>::max());
  });
  CHECK(out.str() == "[-9223372036854775808,9223372036854775807,18446744073709551615]");
}

TEST_CASE("json_writer makes valid JSON of random bytes") {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(random() % 40, ' ');
    for (char& c : bytes) c = static_cast<char>(random() % 3 ? random() : 0xE0 + random() % 32);
    const std::string text = written(bytes);
    CAPTURE(text);
    const nlohmann::json read = nlohmann::json::parse(text, nullptr, false);  // refuses what is not UTF-8
    REQUIRE(read.is_string());
    // What is UTF-8 already comes back as it was.
    CHECK(written(read.get<std::string>()) == text);
  }
}

TEST_CASE("write_source leaves out what is not known") {
  const auto members = [](std::string_view file, std::int64_t line) {
    std::ostringstream out;
    json_writer json(out, 0);
    json.object([&] { write_source(json, file, line); });
    return out.str();
  };
  CHECK(members("train.py", 12) == R"({"source":{"file":"train.py","line":12}})");
  CHECK(members("train.py", 0) == R"({"source":{"file":"train.py"}})");
  CHECK(members("", 12) == "{}");
}
