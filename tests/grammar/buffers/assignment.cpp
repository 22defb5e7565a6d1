#include "grammar/buffers/reading.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using buffer_reading::outcome;
using buffer_reading::read;

TEST_CASE("a whole dump: allocations with their flags") {
  const parsed_file file = read(std::string(buffer_reading::combined));
  CHECK(outcome(file) == "ok");
  CHECK(file.kind == input_kind::buffer_assignment);
  REQUIRE(file.buffers);
  const buffer_dump& dump = *file.buffers;
  REQUIRE(dump.allocations().size() == 7);
  CHECK(dump.values().size() == 9);
  CHECK(dump.total_bytes_used() == 16668);
  CHECK(dump.total_text() == "Total bytes used: 16668 (16.3KiB)");

  const allocation& parameter = dump.allocations()[0];
  CHECK(parameter.size == 4096);
  REQUIRE(parameter.parameter);
  CHECK(parameter.parameter->number == 0);
  CHECK(parameter.parameter->shape == "f32[32,32]");
  CHECK(parameter.parameter->index == shape_index{0});
  CHECK(parameter.maybe_live_out);
  CHECK_FALSE(parameter.constant);
  const line_column where = dump.where(parameter.text).begin();
  CHECK(where.line == 2);
  CHECK(where.column == 1);
  CHECK(parameter.text.ends_with("maybe-live-out:"));
  CHECK(dump.allocations()[1].output_shape == "(f32[32,32], /*index=1*/s32[])");
  CHECK(dump.allocations()[2].constant);
  CHECK(dump.allocations()[3].thread_local_storage);
  CHECK(dump.allocations()[4].preallocated_temp);
  CHECK(dump.allocations()[4].color == 0);
  CHECK(dump.allocations()[5].color == 1);
  CHECK(dump.allocations()[6].value_count == 0);
  CHECK_FALSE(dump.allocations()[6].page);
}

TEST_CASE("a whole dump: values") {
  const parsed_file file = read(std::string(buffer_reading::combined));
  REQUIRE(file.buffers);
  const buffer_dump& dump = *file.buffers;
  const auto temp = dump.values(dump.allocations()[4]);
  REQUIRE(temp.size() == 3);
  CHECK(temp[1].name.id == 6);
  CHECK(temp[1].name.instruction == "shift");
  CHECK_FALSE(temp[1].name.index);
  CHECK(temp[1].name.color == 0);
  CHECK(temp[1].offset == 4096);
  CHECK(temp[1].size == 4096);
  CHECK(temp[1].allocation == 4);
  CHECK(temp[0].shape == temp[1].shape);  // equal texts are one
  CHECK(dump.shape(temp[2]).type == element_type::s32);
  CHECK(dump.shape(temp[2]).dimensions.front().size == 64);

  const assigned_value& phi = dump.values(dump.allocations()[0])[1];
  CHECK(phi.name.phi);
  CHECK(phi.name.at() == shape_index{0});
  CHECK(to_string(phi.name) == "while.1{0}");
  const assigned_value& tuple = dump.values(dump.allocations()[1])[0];
  CHECK(tuple.name.index == shape_index{});
  CHECK(dump.shape(tuple).elements.size() == 2);
  CHECK(dump.shape(dump.values(dump.allocations()[5])[0]).memory_space() == 1);
  CHECK(dump.data().shapes.size() == 6);
}

TEST_CASE("the form of 2026: pages, recolored values, no totals") {
  const parsed_file file = read(
      "BufferAssignment:\n"
      "allocation 0: size 64, color 2, page 0, parameter 1, shape |<unknown shape>| at ShapeIndex {}:\n"
      "allocation 1: size 512, page 1, preallocated-temp:\n"
      " value: <5 a @0> (size=256,offset=0): f32[64]{0}\n"
      " reused by buffers of a different color:\n"
      "  value: <6 b{1} @1> (color=1)\n"
      "  value: <7 c @1> (color=1)\n"
      "allocation 2: size 4, page 0, constant:\n"
      " value: <8 d> (size=4,offset=0): s32[]\n");
  CHECK(outcome(file) == "ok");
  REQUIRE(file.buffers);
  const buffer_dump& dump = *file.buffers;
  REQUIRE(dump.allocations().size() == 3);
  CHECK(dump.allocations()[0].page == 0);
  CHECK(dump.allocations()[0].parameter->shape == "<unknown shape>");
  const auto recolored = dump.recolored(dump.allocations()[1]);
  REQUIRE(recolored.size() == 2);
  CHECK(recolored[0].color == 1);
  CHECK(recolored[0].name.index == shape_index{1});
  CHECK(recolored[1].text == "  value: <7 c @1> (color=1)");
  CHECK(dump.recolored(dump.allocations()[2]).empty());
  CHECK_FALSE(dump.values().back().name.color);  // not colored yet
  CHECK_FALSE(dump.total_bytes_used());
  CHECK(dump.has_assignment());
  CHECK_FALSE(dump.has_used_values());
}

TEST_CASE("flags of a later XLA are kept and reported once") {
  const parsed_file file = read(
      "BufferAssignment:\n"
      "allocation 0: size 64, shard 3 of {1,2}, preallocated-temp, thing |a, b:|:\n"
      "allocation 1: size 64, shard 4 of {1,2}:\n"
      "allocation 2: size 64, constant-ish:\n");
  CHECK(outcome(file) ==
        "ok 2:24 DMP006 unknown flag 'shard' of an allocation 2:61 DMP006 unknown flag 'thing' of an allocation "
        "4:24 DMP006 unknown flag 'constant-ish' of an allocation");
  REQUIRE(file.buffers);
  const auto& allocations = file.buffers->allocations();
  REQUIRE(allocations.size() == 3);
  CHECK(allocations[0].preallocated_temp);
  CHECK(allocations[0].unknown_flags == ", shard 3 of {1,2}, preallocated-temp, thing |a, b:|");
  CHECK(allocations[1].unknown_flags == ", shard 4 of {1,2}");
  CHECK_FALSE(allocations[2].constant);
  for (const diagnostic& d : file.diagnostics) CHECK(d.level == severity::note);
}

TEST_CASE("carriage returns and trailing blanks are of no matter") {
  std::string text;
  for (const char c : buffer_reading::combined) {
    if (c == '\n') text += " \t\r";
    text += c;
  }
  const parsed_file file = read(text);
  CHECK(outcome(file) == "ok");
  REQUIRE(file.buffers);
  CHECK(file.buffers->values().size() == 9);
  CHECK(file.buffers->values()[0].text.ends_with("{1,0:T(8,128)}"));
  CHECK(file.buffers->data().shapes.size() == 6);
  CHECK(file.buffers->live_ranges()->breakdown.size() == 4);
}

TEST_CASE("what a flag sets stays when a later one is not known") {
  const parsed_file file = read(
      "BufferAssignment:\n"
      "allocation 0: size 8, page 3, parameter 1, shape |f32[2]| at ShapeIndex {}, sheet x, maybe-live-out:\n");
  REQUIRE(file.buffers->allocations().size() == 1);
  const allocation& a = file.buffers->allocations()[0];
  CHECK(a.page == 3);
  REQUIRE(a.parameter);
  CHECK(a.parameter->number == 1);
  CHECK(a.maybe_live_out);
  CHECK(a.unknown_flags == ", sheet x");
}
