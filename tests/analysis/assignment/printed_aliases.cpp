#include <hlolint/analysis/assignment/printed_aliases.hpp>

#include "analysis/facts_of.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

// A fusion of three arrays, of which two come in a tuple, with three results.
std::string program(const std::string& lists) {
  return entry_text(
      "  p = f32[8]{0} parameter(0)\n  a = f32[8]{0} negate(p)\n"
      "  t = (f32[8]{0}, f32[8]{0}) custom-call(p), custom_call_target=\"k\"\n"
      "  f = (f32[8]{0}, (f32[8]{0}, f32[8]{0})) fusion(a, t), kind=kLoop, calls=c, backend_config={" +
          lists + "}\n  ROOT r = f32[8]{0} get-tuple-element(f), index=0\n",
      "\nc {\n  q = f32[8]{0} parameter(0)\n  s = (f32[8]{0}, f32[8]{0}) parameter(1)\n"
      "  u = f32[8]{0} get-tuple-element(s), index=0\n  v = (f32[8]{0}, f32[8]{0}) tuple(u, q)\n"
      "  ROOT w = (f32[8]{0}, (f32[8]{0}, f32[8]{0})) tuple(q, v)\n}\n");
}

}  // namespace

TEST_CASE("printed_aliases: operands and results are numbered by their arrays, results last") {
  const facts_of facts(program(R"("aliasing_operands":{"lists":[{"indices":["0","4"]},{"indices":["2","3","5"]}]})"));
  const printed_aliases printed(facts.flow());
  const auto writes = [&](const char* from, const char* to) {
    return printed.writes_over(static_cast<std::uint32_t>(facts.value(from)),
                               static_cast<std::uint32_t>(facts.value(to)));
  };
  CHECK(writes("a", "f{1,0}") == true);
  CHECK(writes("t{1}", "f{0}") == true);
  CHECK(writes("t{1}", "f{1,1}") == true);
  CHECK(writes("a", "f{0}") == false);
  CHECK(writes("t{0}", "f{0}") == false);
  CHECK(writes("p", "f{0}") == false);  // is not an operand
  CHECK_FALSE(writes("p", "a"));        // prints nothing
}

TEST_CASE("printed_aliases: an empty list forbids, none or one that cannot be read leaves it open") {
  const auto writes = [](const std::string& lists) {
    const facts_of facts(program(lists));
    return printed_aliases(facts.flow())
        .writes_over(static_cast<std::uint32_t>(facts.value("a")), static_cast<std::uint32_t>(facts.value("f{0}")));
  };
  CHECK(writes(R"("aliasing_operands":{"lists":[]})") == false);
  CHECK(writes(R"("aliasing_operands":{"lists":[{"indices":[0,3]}]})") == true);
  CHECK(writes(R"("aliasing_operands":{"lists":[{"indices":["x"]},{}]})") == false);
  CHECK_FALSE(writes(R"("aliasing_operands":{})"));
  CHECK_FALSE(writes(R"("other":1)"));
}
