// Ranges of views: random access, borrowed, and safe to keep an iterator of.
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/transfers/async_windows.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/parse.hpp>

#include "first_module.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <ranges>
#include <string>
#include <vector>

using namespace hlolint;

namespace {

template <class Range>
constexpr bool usable =
    std::ranges::random_access_range<Range>&& std::ranges::sized_range<Range>&& std::ranges::borrowed_range<Range>;

static_assert(usable<decltype(std::declval<const hlo_module&>().computations())>);
static_assert(usable<decltype(std::declval<const hlo_module&>().instructions())>);
static_assert(usable<decltype(hlo_module().attributes())>);
static_assert(usable<decltype(hlo_computation().instructions())>);
static_assert(usable<decltype(hlo_instruction().operands())>);
static_assert(usable<decltype(hlo_instruction().attributes())>);
static_assert(usable<decltype(hlo_instruction().called_computations())>);
static_assert(usable<decltype(std::declval<const users&>().of({}))>);
static_assert(usable<decltype(std::declval<const call_graph&>().callers({}))>);
static_assert(usable<decltype(std::declval<const async_window&>().inside())>);

constexpr const char* text =
    "HloModule m\n\nENTRY %main (a: f32[2]) -> f32[2] {\n  %a = f32[2]{0} parameter(0)\n"
    "  %b = f32[2]{0} negate(f32[2]{0} %a)\n  ROOT %c = f32[2]{0} add(f32[2]{0} %a, f32[2]{0} %b)\n}\n";

}  // namespace

TEST_CASE("an iterator outlives the range that it came from") {
  const hlo_module module = first_module(parse(text));
  auto at = module.entry().instructions().begin();
  const auto end = module.entry().instructions().end();
  std::vector<std::string_view> names;
  for (; at != end; ++at) names.push_back((*at).name());
  CHECK(names == std::vector<std::string_view>{"a", "b", "c"});
}

TEST_CASE("iterators jump, compare and measure distances") {
  const hlo_module module = first_module(parse(text));
  const auto range = module.instructions();
  const auto first = range.begin();
  CHECK(range.end() - first == 3);
  CHECK(first[2].name() == "c");
  CHECK((*(2 + first)).name() == "c");
  CHECK((*(range.end() - 1)).name() == "c");
  CHECK(first < first + 1);
  auto moving = first;
  CHECK((*moving++).name() == "a");
  CHECK((*moving--).name() == "b");
  CHECK(moving == first);
  CHECK(range.front().name() == "a");
  CHECK(range.back().name() == "c");
}

TEST_CASE("algorithms of the standard library take the ranges") {
  const hlo_module module = first_module(parse(text));
  const auto found = std::ranges::find_if(module.entry().instructions(),
                                          [](hlo_instruction i) { return i.opcode() == hlo_opcode::negate; });
  CHECK((*found).name() == "b");
  const auto instructions = module.instructions();
  const auto place =
      std::partition_point(instructions.begin(), instructions.end(), [](hlo_instruction i) { return i.id() < 2; });
  CHECK(place - instructions.begin() == 2);
}

TEST_CASE("what the text names and does not hold is an empty view") {
  const hlo_module module =
      first_module(parse("HloModule m\nENTRY e {\n ROOT r = f32[] fusion(x), kind=kLoop, calls=gone\n}\n"));
  CHECK(!module.entry().root().operands()[0]);
  CHECK(!module.entry().root().called_computations()[0]);
}

TEST_CASE("an attribute of the header has a place; the module's is that of one which is not written") {
  const parsed_file file = parse("HloModule m, is_scheduled=true\n\nENTRY e {\n  ROOT p = f32[] parameter(0)\n}\n");
  const hlo_module& module = first_module(file);
  const location written = module.attribute_location(attribute_key::is_scheduled);
  CHECK(module.text().text().substr(written.at.begin, written.at.end - written.at.begin) == "true");
  CHECK(module.attribute_location(attribute_key::replica_count) == module.where());
}
