#include "grammar/buffers/reading.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using buffer_reading::outcome;
using buffer_reading::read;

TEST_CASE("used values: positions, uses, instruction") {
  const parsed_file file = read(std::string(buffer_reading::combined));
  REQUIRE(file.buffers);
  const buffer_dump& dump = *file.buffers;
  REQUIRE(dump.used_values().size() == 3);
  const used_value& value = dump.used_values()[1];
  CHECK(value.name.id == 3);
  CHECK(value.text == "<3 p0{0} @0>");
  REQUIRE(dump.positions(value).size() == 2);
  CHECK(dump.positions(value)[0] == value_position{"p0", shape_index{0}});
  CHECK(dump.positions(value)[1] == value_position{"get-tuple-element.1", std::nullopt});
  REQUIRE(dump.uses(value).size() == 2);
  CHECK(dump.uses(value)[0] == value_use{"scale", 0, std::nullopt});
  CHECK(dump.uses(value)[1] == value_use{"while.1", 0, shape_index{0, 1}});
  // Without a blank, as older dumps of TPUs print it, and with brackets and quotes inside a string.
  CHECK(value.from_instruction == R"(%p0 = (f32[32,32]{1,0:T(8,128)}) parameter(0), metadata={op_name="a \"b\" }"})");
  // Over several lines, as long as brackets are open.
  CHECK(dump.used_values()[2].from_instruction.ends_with("\"kind\": \"} of two lines\"\n}"));
  CHECK(dump.uses(dump.used_values()[2]).empty());
  CHECK(dump.used_values()[2].uses_known);
}

TEST_CASE("used values in a file of their own") {
  const parsed_file file = read(
      "Total bytes used: 1023 (1023B)\n"
      "\n"
      "Used values:\n"
      "<0 a>\n"
      " positions:\n"
      "  a\n"
      " uses:\n"
      "  (none)\n"
      " from instruction: %a = f32[] parameter(0)\n"
      "<1 b{} (phi) @2>\n"
      " positions:\n"
      "  b {}\n"
      "  c {}\n"
      " uses are not initialized yet.\n"
      " from instruction: %b = (f32[]) tuple(%a)\n");
  CHECK(outcome(file) == "ok");
  CHECK(file.kind == input_kind::buffer_values);
  REQUIRE(file.buffers);
  const auto& values = file.buffers->used_values();
  REQUIRE(values.size() == 2);
  CHECK(values[0].uses_known);
  CHECK(values[0].use_count == 0);
  CHECK_FALSE(values[1].uses_known);
  CHECK(values[1].name == value_name{1, "b", shape_index{}, true, 2});
  CHECK_FALSE(file.buffers->has_assignment());
}

TEST_CASE("used values: XLA of 2024 ends no line after an instruction") {
  const parsed_file file = read(
      "Used values:\n"
      "<0 a>\n"
      " positions:\n"
      "  a\n"
      " uses:\n"
      "  b, operand 0\n"
      " from instruction: %a = f32[] parameter(0), replica_groups=[2]<=[2], metadata={op_name=\"<3 x\"}<17 b{} @0>\n"
      " positions:\n"
      "  b {}\n"
      " uses:\n"
      " from instruction: %b = (f32[]) tuple(%a)\n"
      "\n");
  CHECK(outcome(file) == "ok");
  REQUIRE(file.buffers);
  const auto& values = file.buffers->used_values();
  REQUIRE(values.size() == 2);
  CHECK(values[0].from_instruction.ends_with("metadata={op_name=\"<3 x\"}"));
  CHECK(values[1].text == "<17 b{} @0>");
  CHECK(file.buffers->positions(values[1]).size() == 1);
  CHECK(values[1].from_instruction == "%b = (f32[]) tuple(%a)");
}
