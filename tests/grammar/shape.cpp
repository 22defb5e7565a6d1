#include <hlolint/grammar/hlo/shape.hpp>
#include <hlolint/ir/text/shape_text.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

using namespace hlolint;

namespace {
/// One whole text as a shape, or nothing.
std::optional<shape> parse_shape(std::string_view whole) { return grammar::value_of<shape>(grammar::any_shape, whole); }
}  // namespace

TEST_CASE("shapes are read and printed back") {
  for (const std::string_view text : {
           "f32[]",
           "f32[2,3]{1,0}",
           "f32[<=2,?]{1,0}",
           "s32[]{:S(2)}",
           "f32[]{:T(128)}",
           "token[]",
           "opaque[]",
           "()",
           "(f32[], s8[1]{0})",
           "(f32[], f32[], f32[], f32[], f32[], /*index=5*/(u8[], pred[]))",
           "b(f32[2]{0})",
           "bf16[4096,3584]{1,0:T(8,128)(2,1)S(1)}",
           "f32[4]{0:T(*,128)}",
           "s4[16]{0:E(4)}",
           "f32[10]{0:L(16)}",
           "f32[8,8]{0,1:T(8,128)L(2)E(32)S(5)SC(0:2,4)(1:3)M(8)}",
           "f32[4]{0:D(C+~)}",
           "f8e4m3b11fnuz[1]{0}",
           "f99[2]{0}",
       }) {
    CAPTURE(text);
    const auto s = parse_shape(text);
    REQUIRE(s);
    CHECK(to_string(*s) == text);
  }
}

TEST_CASE("what says nothing is not printed") {
  for (const std::pair<std::string_view, std::string_view> row : {std::pair{"f32[8]{0:SC}", "f32[8]{0}"},
                                                                  {"f32[8]{0:S(0)}", "f32[8]{0}"},
                                                                  {"f32[]{:S(0)}", "f32[]"},
                                                                  {"f32[]{:L(1)}", "f32[]"},
                                                                  {"f32[]{:}", "f32[]"}}) {
    CAPTURE(row.first);
    const auto s = parse_shape(row.first);
    REQUIRE(s);
    CHECK(to_string(*s) == row.second);
  }
}

TEST_CASE("texts that are not shapes") {
  for (const std::string_view text : {
           "",
           "f32",
           "f32[",
           "f32[2",
           "f32[-1]",
           "f32[2]{1,0}",
           "f32[2,2]{1,1}",
           "f32[2]{0:T(2}",
           "f32[2]{0:S(5)T(2)}",
           "f32[2]{0:X(1)}",
           "(f32[]",
           "f32[])",
           "token[1]",
           "b((f32[8]{0}))",
           "b(b(f32[8]{0}))",
           "b(token[])",
           "token[]{0}",
           "f32[2]{0} x",
           "f32[99999999999999999999]",
       }) {
    CAPTURE(text);
    CHECK_FALSE(parse_shape(text));
  }
}

TEST_CASE("what should stand after a comma is reported at its place") {
  struct {
    std::string_view text;
    std::size_t at;
    std::string_view expected;
  } const table[] = {
      {"f32[2,]{1,0}", 6, "a dimension"},
      {"f32[2,<=]{1,0}", 8, "a bound"},
      {"f32[2,3]{1,,0}", 11, "the number of a dimension"},
      {"f32[2,3]{1,a}", 11, "the number of a dimension"},
      {"f32[2,3]{1,0:T(8,)}", 17, "a tile extent or '*'"},
  };
  for (const auto& row : table) {
    CAPTURE(row.text);
    grammar::parse_state with;
    const char* first = row.text.data();
    shape out;
    CHECK_FALSE((grammar::parse_alone(grammar::any_shape, first, first + row.text.size(), with, out) &&
                 first == row.text.data() + row.text.size()));
    REQUIRE(with.furthest);
    CHECK(static_cast<std::size_t>(with.furthest - row.text.data()) == row.at);
    CHECK(std::string_view(with.expected) == row.expected);
  }
}

TEST_CASE("blanks and comments may stand between the tokens of a shape") {
  CHECK(parse_shape("( f32[ 2 , 3 ] { 1 , 0 } , /*index=1*/ s8[] )") == parse_shape("(f32[2,3]{1,0}, s8[])"));
}

TEST_CASE("what a shape holds") {
  const shape s = *parse_shape("(f32[2,<=3]{1,0:T(8,128)(2,1)S(1)}, s8[])");
  REQUIRE(s.is_tuple());
  const shape& a = *s.at({0});
  CHECK(a.type == element_type::f32);
  CHECK(a.dimensions == decltype(a.dimensions){{2, false}, {3, true}});
  CHECK(a.layout->minor_to_major == dimension_numbers{1, 0});
  CHECK(a.layout->tiles.size() == 2);
  CHECK(a.layout->tiles[1].dimensions == decltype(tile::dimensions){2, 1});
  CHECK(a.memory_space() == 1);
  CHECK(s.at({2}) == nullptr);
  CHECK(s.at({0, 0}) == nullptr);
  CHECK(leaf_count(s) == 2);
}

TEST_CASE("a million brackets are an error, not a crash") {
  CHECK_FALSE(parse_shape(std::string(1000000, '(')));
  CHECK_FALSE(parse_shape(std::string(1000000, '(') + "f32[]" + std::string(1000000, ')')));
  CHECK(parse_shape(std::string(200, '(') + "f32[]" + std::string(200, ')')));
}
