// The short form of get-tuple-element (`%x#1`) beside buffer files, which keep the names.
#include <hlolint/lint/inputs/element_names.hpp>
#include <hlolint/parse.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;

namespace {

// The instructions of the entry with their operands: `y(get-tuple-element.8, p)`.
std::string listed(const hlo_module& module) {
  std::string out;
  for (const hlo_instruction i : module.entry().instructions()) {
    out += (out.empty() ? "" : " ") + std::string(i.name());
    if (i.operand_count() == 0) continue;
    out += '(';
    for (std::size_t k = 0; k < i.operand_count(); ++k)
      out += (k ? "," : "") + (i.operand(k) ? std::string(i.operand(k).name()) : "?");
    if (const auto index = i.attribute(attribute_key::index)) out += "#" + std::string(*index);
    out += ')';
  }
  return out;
}

std::string joined(const std::string& body, const std::string& dump) {
  const parsed_file hlo = parse(
      "HloModule m, is_scheduled=true\n\nENTRY %e (p: (f32[4], f32[4])) -> f32[4] {\n"
      "  %p = (f32[4]{0}, f32[4]{0}) parameter(0)\n" +
      body + "}\n");
  REQUIRE(hlo.modules().size() == 1);
  const parsed_file buffers = parse(dump);
  REQUIRE(buffers.buffers);
  const hlo_module module = with_element_names(hlo.modules()[0], *buffers.buffers);
  return listed(module);
}

std::string used_values(const std::string& entries) { return "Total bytes used: 1 (1B)\n\nUsed values:\n" + entries; }
std::string value(const std::string& name, const std::string& positions, const std::string& uses) {
  return "<" + name + " @0>\n positions:\n" + positions + " uses:\n" + uses +
         " from instruction: %p = f32[4]{0} parameter(0)\n";
}
std::string schedule(const std::string& names) {
  std::string out = "HloLiveRange (max 9):\n  InstructionSequence:\n";
  int at = 0;
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = std::min(names.find(' ', begin), names.size());
    out += "    " + std::to_string(at++) + ":" + names.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return out + "  BufferLiveRange:\n  Live ranges at 0 (peak):\n";
}

const std::string values = used_values(
    value("0 p{}", "  p {}\n", "  get-tuple-element.7, operand 0 {}\n  get-tuple-element.8, operand 0 {}\n") +
    value("1 p{0}", "  p {0}\n  get-tuple-element.8\n", "  y, operand 0\n") +
    value("2 p{1}", "  p {1}\n  get-tuple-element.7\n", "  y, operand 1\n"));
const std::string add = "  ROOT %y = f32[4]{0} add(%p#0, %p#1)\n";

}  // namespace

TEST_CASE("elements get the names and places of the buffer files") {
  CHECK(joined(add, values + schedule("p get-tuple-element.7 get-tuple-element.8 y")) ==
        "p get-tuple-element.7(p#1) get-tuple-element.8(p#0) y(get-tuple-element.8,get-tuple-element.7)");
}

TEST_CASE("an element that nothing uses is in the schedule all the same") {
  CHECK(joined("  ROOT %y = f32[4]{0} negate(%p#0)\n",
               values + schedule("p get-tuple-element.7 get-tuple-element.8 y")) ==
        "p get-tuple-element.7(p#1) get-tuple-element.8(p#0) y(get-tuple-element.8)");
}

TEST_CASE("without used values elements follow in the order of their use") {
  CHECK(joined(add, schedule("p get-tuple-element.7 get-tuple-element.8 y")) ==
        "p get-tuple-element.7(p#0) get-tuple-element.8(p#1) y(get-tuple-element.7,get-tuple-element.8)");
}

TEST_CASE("without a schedule names are found among the positions of values") {
  CHECK(joined(add, values) ==
        "p get-tuple-element.8(p#0) get-tuple-element.7(p#1) y(get-tuple-element.8,get-tuple-element.7)");
}

TEST_CASE("names that fit no element, and texts in the long form, change nothing") {
  CHECK(joined(add, used_values(value("0 q", "  q\n  get-tuple-element.9\n", "")) +
                        schedule("p get-tuple-element.9 y")) == "p p_0(p#0) p_1(p#1) y(p_0,p_1)");
  CHECK(joined("  %g = f32[4]{0} get-tuple-element(%p), index=1\n  ROOT %y = f32[4]{0} negate(%g)\n",
               values + schedule("p g y")) == "p g(p#1) y(g)");
}
