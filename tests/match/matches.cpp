#include <hlolint/match.hpp>

#include <analysis/module_of.hpp>
#include <match/fixtures.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace hlolint;
namespace m = hlolint::match;
using testing::module_of;
using testing::step_text;

namespace {

template <class P>
std::string names(const P& p) {
  const hlo_module module = module_of(step_text);
  std::string out;
  for (const m::found& one : m::matches(p, module))
    out += (out.empty() ? "" : " ") + std::string(one.instruction().name());
  return out;
}

}  // namespace

TEST_CASE("opcodes match with and without operands") {
  CHECK(names(m::all_reduce) == "reduced");
  CHECK(names(m::add(m::copy, m::copy)) == "twice");
  CHECK(names(m::add(m::copy)) == "");  // all operands are listed
  CHECK(names(m::add(m::copy, m::rest)) == "twice");
  CHECK(names(m::add(m::rest)) == "add.9 next twice");
  CHECK(names(m::tuple(m::rest, m::get_tuple_element)) == "carry");
  CHECK(names(m::collective) == "gather reduced");
  CHECK(names(m::elementwise & m::in_loop()) == "next less");
}

TEST_CASE("patterns are combined") {
  CHECK(names(m::copy | m::bitcast) == "copy out");
  CHECK(names(m::add & !m::in_fusion()) == "next twice");
  CHECK(names(m::maybe(m::bitcast, m::all_reduce)) == "reduced out");
  CHECK(names(m::some_operand(m::copy)) == "twice");
  CHECK(names(m::some_user(m::bitcast)) == "reduced");
  CHECK(names(m::body(m::dot)) == "fusion");
}

TEST_CASE("captures hold instructions, and equal names equal ones") {
  const hlo_module module = module_of(step_text);
  const auto found = m::matches(m::all_reduce(m::bind<"sent">(m::type_name("f32"))), module);
  REQUIRE(found.size() == 1);
  CHECK(found[0]["sent"].name() == "twice");
  CHECK_FALSE(found[0]["other"]);
  CHECK(names(m::add(m::bind<"x">(), m::bind<"x">())) == "twice");
  // The first choice of a capture is given up where the rest does not match with it.
  CHECK(names(m::fusion & m::some_operand(m::bind<"x">()) & m::operands(m::any, m::bind<"x">())) == "fusion");
}

TEST_CASE("predicates have units") {
  CHECK(names(m::bytes(m::at_least(16_KiB))) == "b gather");
  CHECK(names(m::all_gather & m::bytes(m::exactly(16384))) == "gather");
  CHECK(names(m::op_name("*mlp*")) == "gather");
  CHECK(names(m::source_line("mlp.py:7")) == "gather");
  CHECK(names(m::runs(m::exactly(4)) & m::collective) == "gather");
  CHECK(names(m::group_size(m::at_least(2.0))) == "gather reduced");
  CHECK(names(m::channel(m::exactly(2))) == "reduced");
}

TEST_CASE("paths lead through tuples, loops and fusions") {
  CHECK(names(m::copy & m::depends_on(m::dot)) == "copy");
  CHECK(names(m::dot & m::depends_on(m::all_gather)) == "dot.1");
  CHECK(names(m::parameter & m::reaches(m::dot) & m::in_entry()) == "p0 p1");
  CHECK(names(m::constant & m::reaches(m::dot)) == "");  // the counter is another element of the tuple
  CHECK(names(m::all_gather & m::depends_on(m::dot)) == "");
  CHECK(names(m::dot & m::depends_on(m::dot)) == "dot.1");  // of the iteration before
  CHECK(names(m::bitcast & m::depends_on(m::copy, 2)) == "");
  CHECK(names(m::bitcast & m::depends_on(m::copy, 3)) == "out");
}

namespace an_author {
using namespace hlolint::match;
inline constexpr auto wide_sum = all_reduce(bind<"sent">(element_type_is(f32))) & bytes(at_least(1_KiB)) & !in_loop();
}  // namespace an_author

TEST_CASE("a pattern as a rule's author writes it") {
  const hlo_module module = module_of(step_text);
  const auto found = m::matches(an_author::wide_sum, module);
  REQUIRE(found.size() == 1);
  CHECK(found[0]["sent"].name() == "twice");
}

TEST_CASE("dimensions, layouts, tiles, text and trip counts") {
  CHECK(names(m::dimensions("32,64") & m::parameter) == "p1");
  CHECK(names(m::layout_text("{0,1}") & !m::all_reduce) == "copy twice");
  CHECK(names(m::tiles("T(8,*)")) == "");
  CHECK(names(m::text_as_written("*known_trip_count*")) == "while");
  CHECK(names(m::iterations(m::exactly(4)) & (m::while_ | m::all_gather)) == "gather while");
}

TEST_CASE("what is in use at the peak") {
  const hlo_module module = module_of(step_text);
  const module_facts facts(module);
  std::string at_peak;
  for (const m::found& one : m::matches(m::at_peak() & (m::all_gather | m::copy), facts))
    at_peak += std::string(one.instruction().name()) + " ";
  CHECK(at_peak == "gather ");
}
