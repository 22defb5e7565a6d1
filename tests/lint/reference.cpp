// "What can be asked" of examples/README.md: each line of code of its tables stands here, in this spelling, and gives
// what is expected. The test `readme` compares the two.
#include <hlolint/analyses.hpp>
#include <hlolint/checks/all.hpp>
#include <hlolint/hlolint.hpp>

#include <analysis/module_of.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::report;
using testing::buffers_of;
using testing::instruction_of;
using testing::module_of;

namespace {

constexpr const char* hlo_text =
    "HloModule jit_step, is_scheduled=true, input_output_alias={ {}: (0, {}, may-alias) }, num_partitions=4\n\n"
    "%add (x: f32[], y: f32[]) -> f32[] {\n"
    "  %x = f32[] parameter(0)\n"
    "  %y = f32[] parameter(1)\n"
    "  ROOT %sum = f32[] add(%x, %y)\n"
    "}\n\n"
    "ENTRY %main (p: f32[8,128]) -> f32[8,128] {\n"
    "  %p = f32[8,128]{1,0:T(8,128)} parameter(0), sharding={devices=[2,2]<=[4]}\n"
    "  %start = f32[8,128]{1,0:T(8,128)} all-reduce-start(%p), channel_id=1, replica_groups=[2,2]<=[4], to_apply=%add, "
    "metadata={op_name=\"jit(step)/psum\" source_file=\"step.py\" source_line=7}\n"
    "  ROOT %done = f32[8,128]{1,0:T(8,128)} all-reduce-done(%start)\n"
    "}\n";

constexpr const char* buffer_text =
    "BufferAssignment:\n"
    "allocation 0: size 4096, parameter 0, shape |f32[8,128]| at ShapeIndex {}, maybe-live-out:\n"
    " value: <0 p @0> (size=4096,offset=0): f32[8,128]{1,0:T(8,128)}\n"
    "\nTotal bytes used: 4096 (4.0KiB)\n"
    "\nUsed values:\n"
    "<0 p @0>\n"
    " positions:\n"
    "  p\n"
    " uses:\n"
    "  start, operand 0\n"
    " from instruction: %p = f32[8,128]{1,0:T(8,128)} parameter(0)\n"
    "\nHloLiveRange (max 3):\n"
    "  InstructionSequence:\n"
    "    0:p\n"
    "    1:start\n"
    "    2:done\n"
    "  BufferLiveRange:\n"
    "    p{}:0-3\n"
    "  Live ranges at 2 (peak):\n"
    "    p: 4096 bytes\n";

}  // namespace

TEST_CASE("what the README of the examples lists for a module") {
  const hlo_module module = module_of(hlo_text);
  CHECK(module.name() == "jit_step");
  CHECK(module.is_scheduled());
  CHECK(module.num_partitions() == 4);
  CHECK(module.entry().name() == "main");
  CHECK(module.computations().size() == 2);
  CHECK(get<input_output_alias>(module)->entries.size() == 1);

  const hlo_computation computation = module.entry();
  CHECK(computation.instructions().size() == 3);
  CHECK(computation.root().name() == "done");
  CHECK(computation.parameter(0).name() == "p");
  CHECK(computation.find("start").opcode() == hlo_opcode::all_reduce_start);

  const hlo_instruction instruction = instruction_of(module, "start");
  CHECK(instruction.name() == "start");
  CHECK(instruction.opcode() == hlo_opcode::all_reduce_start);
  CHECK(to_string(*instruction.shape()) == "f32[8,128]{1,0:T(8,128)}");
  CHECK(instruction.operand(0).name() == "p");
  CHECK(instruction.called_computation(0).name() == "add");
  CHECK(instruction.computation() == module.entry());
  CHECK(instruction.where().begin().line == 11);
  CHECK(instruction.text().substr(0, 8) == "%start =");
  CHECK(get<replica_groups>(instruction)->groups.size() == 2);
  CHECK(get<op_metadata>(instruction)->source_line == 7);
  CHECK(get_integer(instruction, attribute_key::channel_id) == 1);
  CHECK(instruction.attribute(attribute_key::replica_groups) == "[2,2]<=[4]");

  const shape& shape = *instruction.shape();
  CHECK(shape.type == element_type::f32);
  CHECK(shape.dimensions[0].size == 8);
  CHECK(shape.layout->minor_to_major[0] == 1);
  CHECK(shape.layout->tiles[0].dimensions[1] == 128);
  CHECK(shape.memory_space() == 0);
  CHECK(byte_size(shape, size_rule::tpu_tiled) == 4096);
}

TEST_CASE("what the README of the examples lists for buffers") {
  const buffer_dump buffers = buffers_of(buffer_text);
  CHECK(buffers.allocations()[0].size == 4096);
  CHECK(buffers.allocations()[0].parameter->number == 0);
  CHECK(buffers.values()[0].offset == 0);
  CHECK(buffers.values()[0].name.instruction == "p");
  CHECK(to_string(buffers.shape(buffers.values()[0])) == "f32[8,128]{1,0:T(8,128)}");
  CHECK(buffers.total_bytes_used() == 4096);
  CHECK(buffers.live_ranges()->ranges[0].end == 3);
  CHECK(buffers.live_ranges()->sequence[1] == "start");
  CHECK(buffers.uses(buffers.used_values()[0])[0].operand == 0);
}

TEST_CASE("what the README of the examples lists for a context") {
  const context dump(module_of(hlo_text), buffers_of(buffer_text));
  const hlo_instruction instruction = instruction_of(*dump.hlo(), "p");
  CHECK(dump.hlo()->name() == "jit_step");
  CHECK(dump.buffers()->allocations().size() == 1);
  CHECK(dump.target() == target::unknown);
  CHECK(dump.device().is_relative());
  CHECK(dump.get<users>().count(instruction) == 1);
  CHECK(dump.get<call_graph>().is_sequential(instruction.computation()));
  CHECK(dump.get<loops>().runs_of(instruction.computation()).times == 1);
  CHECK(dump.get<flat_schedule>().position_of(instruction) == 0);
  CHECK(dump.get<dataflow>().values().size() == 5);
  CHECK(dump.get<alias_sets>().size() == 4);
  const dataflow& flow = dump.get<dataflow>();
  std::size_t value = 0;
  while (flow.instruction(flow.values().at(value)).name() != "p") ++value;
  REQUIRE(dump.get<live_ranges>().of(value));
  CHECK(dump.get<live_ranges>().of(value)->end == 1);
  CHECK(dump.get<async_windows>().size() == 1);
  CHECK(dump.get<module_groups>().of(instruction) == nullptr);
  CHECK(dump.get<exposed_time>().transfers().size() == 1);
  CHECK(dump.get<occupancy>().total().peak() == 4096);
  CHECK(dump.get<packing_bound>().of_allocation(0)->bound == 4096);
  CHECK(dump.get<value_table>().range(0)->start == 0);
}
