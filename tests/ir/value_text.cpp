// Values as text: in messages of failed tests, in streams, and as XLA prints them where it does.
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/text/value_text.hpp>
#include <hlolint/parse.hpp>

#include "first_module.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

using namespace hlolint;

namespace {

template <class Value>
std::string streamed(const Value& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

hlo_module module_with(const std::string& instruction, const std::string& header = "") {
  return first_module(parse("HloModule m" + header +
                            "\n\nENTRY %e {\n  %p = f32[8,128]{1,0:T(8,128)} parameter(0)\n  ROOT %r = " + instruction +
                            "\n}\n"));
}
/// The attribute of the root, read and printed again.
template <class Value>
std::string again(const std::string& instruction) {
  const hlo_module module = module_with(instruction);
  const auto value = get<Value>(module.entry().root());
  return value ? to_string(*value) : "none";
}

}  // namespace

TEST_CASE("shapes, instructions and modules print themselves") {
  const hlo_module module = module_with("f32[8,128]{1,0:T(8,128)} negate(%p)");
  const hlo_instruction root = module.entry().root();
  CHECK(streamed(*root.shape()) == "f32[8,128]{1,0:T(8,128)}");
  CHECK(doctest::toString(*root.shape()) == "f32[8,128]{1,0:T(8,128)}");
  CHECK(streamed(root) == "ROOT %r = f32[8,128]{1,0:T(8,128)} negate(%p)");
  CHECK(streamed(module.entry()) == "e");
  CHECK(streamed(module) == "HloModule m: 1 computations, 2 instructions");
  CHECK(streamed(hlo_instruction()) == "no instruction");
  CHECK(streamed(hlo_computation()) == "no computation");
  CHECK(streamed(root.where()) == "<text>:5:9");
  CHECK(streamed(shape_index{1, 2}) == "{1,2}");
}

TEST_CASE("an attribute that is read prints as it was written") {
  const std::string reduce = "f32[8,128] all-reduce(%p), to_apply=%add, ";
  CHECK(again<replica_groups>(reduce + "replica_groups={{0,1},{2,3}}") == "{{0,1},{2,3}}");
  CHECK(again<replica_groups>(reduce + "replica_groups=[2,2]<=[4]") == "{{0,1},{2,3}}");
  CHECK(again<channel_id>(reduce + "channel_id=7") == "7");
  CHECK(again<source_target_pairs>("f32[8,128] collective-permute(%p), source_target_pairs={{0,1},{1,0}}") ==
        "{{0,1},{1,0}}");
  CHECK(again<slices>("f32[4,128] slice(%p), slice={[0:8:2], [0:128]}") == "{[0:8:2], [0:128]}");
  CHECK(again<padding_config>("f32[9,130] pad(%p, %p), padding=0_1x2_0_0") == "0_1x2_0");
  CHECK(again<window>("f32[4,64] reduce-window(%p, %p), window={size=2x2 stride=2x2 pad=0_0x1_0}, to_apply=%add") ==
        "{size=2x2 stride=2x2 pad=0_0x1_0}");
  CHECK(again<convolution_dimension_numbers>("f32[1] convolution(%p, %p), dim_labels=b01f_01io->b01f") ==
        "b01f_01io->b01f");
  CHECK(again<sharding>("f32[8,128] copy(%p), sharding={devices=[2,1]<=[2]}") == "{devices=[2,1]<=[2]}");
  CHECK(again<sharding>("f32[8,128] copy(%p), sharding={replicated}") == "{replicated}");
  for (const std::string text : {"{devices=[2,1,2]<=[4] last_tile_dims={manual}}",
                                 "{devices=[2,1,2,2]<=[8] last_tile_dims={manual, replicated}}",
                                 "{mesh['x'=2,'y'=4], [{'x'}, {?}], replicated={'y'}}",
                                 "{mesh['x'=2,'y'=4], [{'y':(2)2}, {}], unreduced=sum {'x'}}",
                                 "{mesh['x'=2,'y'=4], [{}, {'y', ?}], manual={'x'}}"})
    CHECK(again<sharding>("f32[8,128] copy(%p), sharding=" + text) == text);
  CHECK(
      again<op_metadata>("f32[8,128] copy(%p), metadata={op_name=\"jit(f)/add\" source_file=\"a.py\" source_line=3}") ==
      "{op_name=\"jit(f)/add\" source_file=\"a.py\" source_line=3}");
}

TEST_CASE("records of a buffer dump print themselves") {
  const parsed_file file = parse(
      "BufferAssignment:\nallocation 0: size 512, parameter 0, shape |f32[128]| at ShapeIndex {}:\n"
      " value: <0 p @0> (size=512,offset=0): f32[128]{0}\n");
  REQUIRE(file.buffers);
  const buffer_dump& dump = *file.buffers;
  CHECK(streamed(dump.values().at(0)) == "p of allocation 0: bytes [0, 512)");
  CHECK(streamed(*dump.allocations().at(0).parameter) == "parameter 0, shape |f32[128]| at ShapeIndex {}");
  CHECK(to_string(live_range{.instruction = "p", .index = {1}, .start = 3, .end = 8, .text = {}}) == "p{1}:3-8");
  CHECK(to_string(value_use{.instruction = "add", .operand = 1, .index = {}}) == "add, operand 1");
}

TEST_CASE("a diagnostic prints itself in one line") {
  const parsed_file file = parse("HloModule m\n\nENTRY e {\n  ROOT p = f32[2] parameter(\n}\n", "bad.txt");
  REQUIRE(!file.diagnostics.empty());
  const diagnostic& first = file.diagnostics.front();
  CHECK(streamed(first) == "bad.txt:" + std::to_string(first.where.begin().line) + ":" +
                               std::to_string(first.where.begin().column) + ": error: " + first.message + " [SYN001]");
}
