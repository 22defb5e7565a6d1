#include <hlolint/checks/dump/pair_mismatch.hpp>
#include <hlolint/parse.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const std::string hlo =
    "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = f32[16]{0} parameter(0)\n"
    "  %n = f32[16]{0} negate(%p)\n  ROOT %t = (f32[16]{0}) tuple(%n)\n}\n";

std::string buffers(const std::string& negate = "n", const std::string& shape = "f32[16]{0}",
                    const std::string& order = "p n t") {
  std::string out =
      "BufferAssignment:\nallocation 0: size 64, parameter 0, shape |f32[16]| at ShapeIndex {}:\n"
      " value: <0 p @0> (size=64,offset=0): f32[16]{0}\nallocation 1: size 64, maybe-live-out:\n value: <1 " +
      negate + " @0> (size=64,offset=0): " + shape +
      "\nallocation 2: size 8, output shape is |(f32[16])|, maybe-live-out:\n"
      " value: <2 t{} @0> (size=8,offset=0): (f32[16]{0})\n\n\nHloLiveRange (max 3):\n  InstructionSequence:\n";
  std::string::size_type begin = 0;
  for (int t = 0; t < 3; ++t, begin = order.find(' ', begin) + 1)
    out += "    " + std::to_string(t) + ":" + order.substr(begin, order.find(' ', begin) - begin) + "\n";
  return out + "  BufferLiveRange:\n    p{}:0-3\n    " + negate + "{}:1-3\n    t{}:2-3\n  Live ranges at 2 (peak):\n";
}

texts outcome_of(const std::string& dump, const std::string& module = hlo) {
  return outcome(pair_mismatch{}, context(module_of(module), buffers_of(dump)));
}

}  // namespace

TEST_CASE("DMP001 catches") {
  CHECK(outcome_of(buffers("n.1", "f32[16]{0}", "p n.1 t")) ==
        texts{"error: 1 of 3 instructions that the buffer dump names are not in the HLO; the first is n.1"});
  CHECK(outcome_of(buffers("n", "f32[8]{0}")) ==
        texts{"error: 1 of 3 values have another shape than in the HLO; the first is n"});
  CHECK(outcome_of(buffers("n", "f32[16]{0:S(1)}")) ==
        texts{"error: 1 of 2 values have another layout than in the HLO; the first is n"});
  CHECK(outcome_of(buffers("n", "f32[16]{0:T(128)}")) ==
        texts{"error: 1 of 2 values have another layout than in the HLO; the first is n"});
  CHECK(outcome_of(buffers("n", "f32[16]")).empty());  // not written
  CHECK(outcome_of(buffers("n", "f32[16]{0}", "n p t")) ==
        texts{"error: 1 of 3 instructions of the schedule stand in another order in the HLO; the first is p"});
  const findings found = lint(pair_mismatch{}, context(module_of(hlo), buffers_of(buffers("n", "f32[8]{0}"))));
  REQUIRE(found.size() == 1);
  CHECK(found[0].where.text() == " value: <1 n @0> (size=64,offset=0): f32[8]{0}");
  REQUIRE(found[0].related.size() == 1);
  CHECK(found[0].related[0].instruction == "n");
}

TEST_CASE("DMP001 does not catch") {
  CHECK(outcome_of(buffers()).empty());
  // Without a schedule the order of the text means nothing.
  std::string unscheduled = hlo;
  unscheduled.replace(unscheduled.find(", is_scheduled=true"), 19, "");
  CHECK(outcome_of(buffers("n", "f32[16]{0}", "n p t"), unscheduled).empty());
  // Some instructions of a program, which are all that a post has.
  const parsed_file some = parse_hlo(source("%x = f32[16]{0} negate(%y)\n"), hlo_extent::instruction_list);
  CHECK(outcome(pair_mismatch{}, context(some.modules()[0], buffers_of(buffers()))).empty());
  // HLO that was cut off, which is an error of its own.
  const std::string stem = "dump/module_0001.m.cpu_after_optimizations";
  std::vector<parsed_file> files;
  files.push_back(parse(hlo, stem + ".txt"));
  files.push_back(parse(buffers("n.1", "f32[16]{0}", "p n.1 t"), stem + "-buffer-assignment.txt"));
  REQUIRE(lint(pair_mismatch{}, files).size() == 1);
  files[0] = parse(hlo.substr(0, hlo.find("negate")), stem + ".txt");
  REQUIRE(files[0].status == parse_status::partial);
  CHECK(lint(pair_mismatch{}, files).empty());
}
