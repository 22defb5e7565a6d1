#include <hlolint/grammar/attributes/json.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hlolint;

TEST_CASE("what is JSON and what is not") {
  for (const std::string_view text :
       {"{}", "[]", "null", "-0.5e+3", "\"a\\\"b\"", R"({"a": [1, {"b": true}], "c": ""})", " [ 1 , 2 ] "}) {
    CAPTURE(text);
    CHECK(is_json(text));
  }
  for (const std::string_view text :
       {"", "{", "{a:1}", "{\"a\"}", "{\"a\":}", "[1,]", "01", "+1", "1.", "tru", "\"a", "{}{}", "// c\n1", "'a'"}) {
    CAPTURE(text);
    CHECK_FALSE(is_json(text));
  }
  CHECK_FALSE(is_json(std::string(1000000, '[')));
}

TEST_CASE("values are found by their path") {
  constexpr std::string_view text = R"({"a": {"b": [1, {"c": "x\"y"}], "d": null}, "e" : "f", "n": -1.5, "b": 2})";
  CHECK(json_find(text, "e") == "f");
  CHECK(json_find(text, "n") == "-1.5");
  CHECK(json_find(text, "b") == "2");
  CHECK(json_find(text, "a", "d") == "null");
  CHECK(json_find(text, "a", "b") == R"([1, {"c": "x\"y"}])");
  CHECK_FALSE(json_find(text, "c"));
  CHECK_FALSE(json_find(text, "e", "f"));
  CHECK_FALSE(json_find("not json", "a"));
  CHECK_FALSE(json_find("", "a"));
}

TEST_CASE("members and elements come in text order") {
  std::vector<std::string> seen;
  const auto note = [&](std::string_view key, std::string_view value) {
    seen.push_back(std::string(key) + "=" + std::string(value));
  };
  json_for_each(R"({"x": 1, "y": [2]})", note);
  json_for_each("[true, {}]", note);
  json_for_each("3", note);
  CHECK(seen == std::vector<std::string>{"x=1", "y=[2]", "=true", "={}"});
}
