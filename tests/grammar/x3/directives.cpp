// The directives of grammar/x3 on small values of their own.
#include <hlolint/grammar/x3/by.hpp>
#include <hlolint/grammar/x3/tokens.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace hlolint::grammar;

struct point {
  std::int64_t x = 0, y = 0;
  std::string_view label;
  std::vector<std::int64_t> tail;
};
inline constexpr auto number = must("a number")[integer];
inline constexpr auto point_rule = rule<point>("point rule") =
    '{' >> *by(attribute_name)(on("x", "horizontal")[into<&point::x>[number]], on("y")[into<&point::y>[number]],
                               on("label")[into<&point::label>[must("a string")[string]]],
                               on("tail")['[' >> -(append<&point::tail>[integer] % ',') >> must("',' or ']'")[']']]) >>
    must("a field or '}'")['}'];

struct failure {
  std::string_view text, expected;
  std::size_t at;
};

TEST_CASE("by: the key decides what follows, into and append fill the value of the rule") {
  const auto value = value_of<point>(point_rule, " { x=1 /* c */ label='a' tail=[1,2] y=-3 }");
  REQUIRE(value);
  CHECK(value->x == 1);
  CHECK(value->y == -3);
  CHECK(value->label == "'a'");
  CHECK(value->tail == std::vector<std::int64_t>{1, 2});
  CHECK(value_of<point>(point_rule, "{horizontal=7}")->x == 7);
}

TEST_CASE("must: the furthest place that could not be read, and what was expected there") {
  for (const failure& failed : {failure{"{x=a}", "a number", 3},
                                {"{z=1}", "a field or '}'", 1},
                                {"{x=1", "a field or '}'", 4},
                                {"{tail=[1,]}", "',' or ']'", 8},
                                {"{x=99999999999999999999}", "an integer of 64 bits", 3}}) {
    const std::string_view text = failed.text;
    CAPTURE(text);
    parse_state state;
    const char* first = text.data();
    CHECK_FALSE(parse_alone(point_rule, first, text.data() + text.size(), state));
    REQUIRE(state.furthest);
    CHECK(state.expected == failed.expected);
    CHECK(static_cast<std::size_t>(state.furthest - text.data()) == failed.at);
  }
}

inline constexpr x3::rule<struct tree_id> tree{"tree"};
inline constexpr auto tree_def = nested['(' >> -(tree % ',') >> must("',' or ')'")[')']];
BOOST_SPIRIT_DEFINE(tree)

TEST_CASE("nested: too deep is a failure with a message") {
  for (const std::size_t depth : {std::size_t{1}, std::size_t{256}, std::size_t{257}, std::size_t{100000}}) {
    const std::string whole = std::string(depth, '(') + std::string(depth, ')');
    parse_state state;
    const char* first = whole.data();
    CHECK(parse_alone(tree, first, whole.data() + whole.size(), state) == (depth <= 256));
    CHECK(state.depth == 0);
    if (depth > 256) CHECK(std::string_view(state.expected) == "less nesting (the limit is 256 levels)");
  }
}

void check_point(parse_state& state, std::string_view where, const point& p) {
  if (p.x < 0) state.broke(where.data(), "x is negative");
}
TEST_CASE("checked: a rule of numbers is noted, and the text is well formed all the same") {
  parse_state state;
  const std::string_view whole = " {x=-1}";
  const char* first = whole.data();
  CHECK(parse_alone(checked<&check_point>[point_rule], first, whole.data() + whole.size(), state));
  REQUIRE(state.broken.size() == 1);
  CHECK(state.broken[0].where == whole.data() + 1);
  CHECK_FALSE(value_of<point>(checked<&check_point>[point_rule], whole));
}

struct numbers {
  std::vector<point> points;
  std::vector<std::string_view> texts;
  std::string_view begin, all;
  bool keep(point&& p, std::string_view whole) {
    if (p.x > 9) return false;
    points.push_back(std::move(p));
    texts.push_back(whole);
    return true;
  }
  numbers& open(std::string_view where) { return begin = where, *this; }
  bool close(std::string_view text) { return all = text, points.size() > 1; }
};
inline constexpr auto list = part<&numbers::open, &numbers::close>[*call<&numbers::keep>[without_state[point_rule]]];

TEST_CASE("call and part: functions of the state take values and texts, and may refuse them") {
  parse_state state;
  numbers found;
  const x3::context<x3::skipper_tag, const blanks_and_comments> skipping{hlo_blanks};
  const skipping_context inner{state, skipping};
  const auto context = with(found, inner);
  const std::string_view whole = " {x=1} {y=2}\n {x=10}\n";
  const char* first = whole.data();
  const char* const last = first + whole.size();
  CHECK(list.parse(first, last, context, x3::unused, x3::unused));
  CHECK(std::string_view(first, 3) == "\n {");
  REQUIRE(found.points.size() == 2);
  CHECK(found.points[1].y == 2);
  CHECK(found.texts[0] == "{x=1}");
  CHECK(found.begin.data() == whole.data() + 1);
  CHECK(found.all == "{x=1} {y=2}");
  first = whole.data() + 13;
  found.points.clear();
  CHECK_FALSE(list.parse(first, last, context, x3::unused, x3::unused));
  CHECK(first == whole.data() + 13);
}

}  // namespace
