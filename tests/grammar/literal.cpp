#include <hlolint/grammar/hlo/literal.hpp>

#include "attributes/checks.hpp"

using namespace hlolint;
using enum tests::outcome;

namespace {
struct row {
  std::string_view type, text;
};

/// The rule for literals as if it stood in a constant of that shape.
struct literal_of_shape : grammar::parser_part, grammar::valued<grammar::x3::unused_type> {
  static constexpr bool handles_container = false;
  explicit literal_of_shape(const shape& s) : type(s) {}
  template <class Context, class Rule, class To>
  bool parse(const char*& first, const char* const& last, const Context& context, Rule&, To&) const {
    grammar::literal_fit fit(type, grammar::from<grammar::parse_state>(context));
    return grammar::literal.parse(first, last, grammar::with(fit, context), grammar::x3::unused, grammar::x3::unused);
  }
  const shape& type;
};
void check_rows(std::initializer_list<row> rows, tests::outcome expected) {
  for (const row& r : rows) {
    CAPTURE(r.type);
    const auto s = grammar::value_of<shape>(grammar::any_shape, r.type);
    REQUIRE(s);
    tests::check_row(literal_of_shape(*s), r.text, expected);
  }
}
}  // namespace

TEST_CASE("the range of an integer type") {
  using grammar::integer_range_of;
  static_assert(integer_range_of(element_type::u4).largest == 15 && integer_range_of(element_type::s1).least == -1);
}

TEST_CASE("literals that fit their shapes") {
  check_rows(
      {
          {"s32[]", "-3"},
          {"pred[]", "true"},
          {"pred[3]", "{1, 0, true}"},
          {"f32[]", "1"},
          {"f32[]", "-0.5e-3"},
          {"f32[]", "-inf"},
          {"f32[]", "nan(0x7fffff)"},
          {"f32[]", "1e-400"},
          {"f64[]", "-nan"},
          {"f64[]", "nan(0xfffffffffffff)"},
          {"c64[]", "(1, -inf)"},
          {"c128[2]", "{(1, 2), (nan, 1e300)}"},
          {"f32[2]", "{1, 2}"},
          {"f32[2,2]", "{ { 1, 2 }, { 3, 4 } }"},
          {"f32[0]", "{}"},
          {"f32[2,0]", "{ {}, {} }"},
          {"f32[0,2]", "{}"},
          {"s32[1,1,1,2]", "{ { /*i0=0*/ { /*i1=0*/ { 1, 2 } } } }"},
          {"f32[100]", "{...}"},
          {"f32[4]", "{1, 2, ...}"},
          {"f32[9,9]", "{...}"},
          {"s32[]", "{...}"},
          {"(pred[], f32[2])", "({...}, {...})"},
          {"s32[2,2]", "{{1 2}{3,,4}}"},
          {"()", "()"},
          {"(s32[], f32[2])", "( 1, {2, 3} )"},
          {"(s32[], f32[2])", "{...}"},
          {"((s32[]), s8[1])", "((1), {...})"},
          {"(s32[], s32[])", "()"},
          {"u64[]", "18446744073709551615"},
          {"u64[]", "-1"},
          {"s64[]", "-9223372036854775808"},
          {"u4[2]", "{15, 0}"},
          {"s4[]", "-8"},
          {"s1[]", "-1"},
          {"f16[]", "65504"},
          {"f16[]", "65519"},
          {"bf16[]", "3.39e38"},
          {"f8e4m3fn[]", "448"},
          {"f8e5m2[]", "57344"},
          {"f8e8m0fnu[]", "1e-30"},
          {"f8e8m0fnu[]", "-inf"},
          {"c64[]", "(nan(0x7fffff), 1)"},
          {"c128[]", "(nan(0xfffffffffffff), 1)"},
          {"f4e2m1fn[]", "1000"},
          {"f8e5m2[]", "nan(0x3)"},
          {"f32[<=4]", "{1, 2, 3, 4}"},
          {"f99[2]", "{1, ((x))}"},
          {"s32[3]", "1"},
      },
      fine);
}

TEST_CASE("literals that break a rule") {
  check_rows(
      {
          {"s32[2]", "{1, 2, |3}"},
          {"s32[2]", "{1|}"},
          {"s32[2]", "{|{1, 2}}"},
          {"s32[2,2]", "{{1, 2}|}"},
          {"s32[2,2]", "{{1, 2}, {3|}}"},
          {"s32[2,2]", "{|1, 2}"},
          {"s32[2,2]", "{{1, 2}, {3, 4}, |{5, 6}}"},
          {"s32[]", "|{1}"},
          {"s32[2,2]", "{{|...}, {1, 2}}"},
          {"s8[]", "|128"},
          {"u8[3]", "{1, |-1, 2}"},
          {"u4[]", "|16"},
          {"s2[]", "|2"},
          {"s32[]", "|3000000000"},
          {"s32[]", "|1.5"},
          {"s32[]", "|1e3"},
          {"s32[]", "|true"},
          {"f32[]", "|false"},
          {"s32[]", "|nan"},
          {"f32[]", "|1e39"},
          {"f32[]", "|340282360000000000000000000000000000000.0"},
          {"f64[]", "|1e309"},
          {"f16[]", "|65520"},
          {"f8e4m3fn[]", "|480"},
          {"f8e3m4[]", "|17"},
          {"c64[]", "(|1e39, 0)"},
          {"c64[]", "(|nan(0x800000), 1)"},
          {"c64[2]", "|(1, 2)"},
          {"f8e8m0fnu[]", "|0"},
          {"f8e8m0fnu[]", "|-1"},
          {"f8e8m0fnu[2]", "{1, |-0.5}"},
          {"f32[]", "|nan(0x800000)"},
          {"f8e4m3fn[]", "|nan(0x1)"},
          {"f8e5m2[]", "|nan(0x4)"},
          {"token[]", "|token"},
          {"(s32[], s8[])", "(1, |300)"},
          {"(s32[])", "(1, |2)"},
          {"c64[]", "|1"},
          {"s64[]", "|18446744073709551616"},
      },
      broken);
}

TEST_CASE("texts that are no literals") {
  check_rows(
      {
          {"s32[]", "|"},
          {"s32[]", "|x"},
          {"s32[2]", "{1, |x}"},
          {"s32[2]", "{1, 2|"},
          {"f32[]", "|nan(0x0)"},
          {"f32[]", "|\"1\""},
          {"c64[]", "(1|)"},
          {"c64[]", "(1, 2|"},
          {"(s32[], s32[])", "|1"},
          {"(s32[], s32[])", "(1, 2|"},
          {"s32[2]", "{1, |..}"},
          {"s32[]", "1| 2"},
          {"f99[2]", "|{1, 2"},
          {"s32[2]", "|}"},
      },
      failed);
}

TEST_CASE("a big literal is read whole, and one wrong element in it is found") {
  std::string text = "{";
  for (int i = 0; i < 100000; ++i) text += i ? ", 1.25" : "1.25";
  const auto s = *grammar::value_of<shape>(grammar::any_shape, "f16[100000]");
  CHECK(tests::check_text(literal_of_shape(s), text + "}").found == fine);
  text.replace(text.size() - 4, 4, "9e9");
  const auto found = tests::check_text(literal_of_shape(s), text + "}");
  CHECK(found.found == broken);
  CHECK(found.findings == 1);
  CHECK(found.where == text.size() - 3);
}
