#include "first_module.hpp"
#include "messages.hpp"

#include <hlolint/ir/same_module.hpp>
#include <hlolint/parse.hpp>
#include <hlolint/tool/parse_proto.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;
using namespace messages;

namespace {

std::string text_of(const std::string& bytes) { return std::string(parse_proto(bytes).text.text()); }
std::string first_problem(const std::string& bytes) {
  const parsed_file read = parse_proto(bytes);
  return read.diagnostics.empty() ? std::string() : read.diagnostics.front().message;
}

// The line of the last instruction of a computation with two parameters: f32[4] and s32[].
std::string line_of(std::string_view opcode, std::string_view shape, std::string_view more) {
  const std::string text =
      text_of(hlo_proto(module_of({computation(7, "e", 3,
                                               {parameter(1, "a", 0, array(f32, {4})), parameter(2, "b", 1, array(s32)),
                                                instruction(3, "r", opcode, shape, {1}, more)})},
                                  7)));
  const std::size_t at = text.find("ROOT ");
  return at == text.npos ? text : text.substr(at + 5, text.find('\n', at) - at - 5);
}

}  // namespace

TEST_CASE("every message with a module is read as the text that XLA prints") {
  const std::string module = add_module();
  CHECK(text_of(hlo_proto(module)) == add_text);
  CHECK(text_of(module) == add_text);
  const std::string snapshot = sized(1, hlo_proto(module)) + sized(2, sized(1, array(f32, {4}))) + sized(4, "TPU");
  CHECK(text_of(snapshot) == add_text);
  const std::string unoptimized = sized(1, module) + number(3, 1);
  CHECK(text_of(unoptimized) == add_text);
  CHECK(text_of(varint(unoptimized.size()) + unoptimized + std::string(16, '\0')) == add_text);

  CHECK(parse_proto(hlo_proto(module)).kind == input_kind::hlo_proto);
  CHECK(parse_proto(module).kind == input_kind::hlo_proto);
  CHECK(parse_proto(snapshot).kind == input_kind::hlo_snapshot);
  CHECK(parse_proto(unoptimized).kind == input_kind::hlo_snapshot);
  const parsed_file read = parse_proto(hlo_proto(module));
  CHECK(read.status == parse_status::ok);
  CHECK(first_module(read) == first_module(parse(std::string(add_text))));
}

TEST_CASE("what is none of XLA's messages is not taken for one") {
  CHECK_FALSE(is_proto("HloModule m\n"));
  CHECK_FALSE(is_proto("\nHloModule m\n"));
  CHECK_FALSE(is_proto(""));
  // A newline is the tag of field 1, and a letter a length.
  CHECK_FALSE(
      is_proto("\nfusion {\n  p0 = f32[1,8,6,4,8]{4,3,2,1,0} parameter(0)\n  ROOT b = f32[8]{0} bitcast(p0)\n}\n"));
  CHECK_FALSE(is_proto(std::string(100, '\0')));
  CHECK_FALSE(is_proto(sized(1, "a name") + sized(2, "another")));
  const std::string plane = number(1, 3) + sized(2, "/host:metadata");
  CHECK(first_problem(sized(1, plane)).find("profile (XSpace)") != std::string::npos);
  CHECK(first_problem("\x83\xaf\x70\xd1\x0d\x88\x4a\x3f" + std::string(56, '\0')).find("riegeli") != std::string::npos);
}

TEST_CASE("attributes are printed as XLA prints them") {
  const std::string four = array(f32, {4});
  CHECK(line_of("broadcast", array(f32, {4, 2}), packed(14, {0})) ==
        "%r = f32[4,2]{1,0} broadcast(%a), dimensions={0}");
  CHECK(line_of("get-tuple-element", four, number(13, 2)) == "%r = f32[4]{0} get-tuple-element(%a), index=2");
  CHECK(line_of("greater-than", array(pred, {4}), "") == "%r = pred[4]{0} compare(%a), direction=GT");
  CHECK(line_of("compare", array(pred, {4}), sized(63, "LT") + sized(72, "TOTALORDER")) ==
        "%r = pred[4]{0} compare(%a), direction=LT, type=TOTALORDER");
  CHECK(line_of("slice", four, sized(17, number(1, 0) + number(2, 4) + number(3, 1))) ==
        "%r = f32[4]{0} slice(%a), slice={[0:4]}");
  CHECK(line_of("pad", four, sized(21, sized(1, number(1, -1) + number(2, 2)))) ==
        "%r = f32[4]{0} pad(%a), padding=-1_2");
  CHECK(line_of("all-reduce", four,
                number(26, 5) + sized(92, number(1, 2) + number(2, 4) + packed(3, {2, 4}) + packed(4, {1, 0}))) ==
        "%r = f32[4]{0} all-reduce(%a), channel_id=5, replica_groups=[2,4]<=[2,4]T(1,0)");
  CHECK(line_of("all-to-all", four, sized(87, sized(1, packed(1, {0, 1})) + sized(1, packed(1, {2, 3})))) ==
        "%r = f32[4]{0} all-to-all(%a), replica_groups={{0,1},{2,3}}");
  CHECK(line_of("custom-call", four, sized(28, "f\"\xc3\xa9") + number(77, 4) + sized(43, "{\"a\": {}}")) ==
        "%r = f32[4]{0} custom-call(%a), custom_call_target=\"f\\\"\\303\\251\", api_version=API_VERSION_TYPED_FFI, "
        "backend_config={\"a\": {}}");
  CHECK(line_of("copy", four, sized(40, number(1, 3) + packed(3, {2, 1}) + packed(4, {1, 0}))) ==
        "%r = f32[4]{0} copy(%a), sharding={devices=[2,1]1,0}");
  CHECK(line_of("copy", four,
                sized(7, sized(2, "a/b") + number(4, 9)) + sized(68, sized(1, sized(1, "k") + sized(2, "v")))) ==
        "%r = f32[4]{0} copy(%a), frontend_attributes={k=\"v\"}, metadata={op_name=\"a/b\" source_line=9}");
  CHECK(line_of("copy", four, sized(7, number(4, 9))) == "%r = f32[4]{0} copy(%a)");  // a line alone is not printed
  CHECK(line_of("exponential", four, sized(91, sized(2, real(1, 0) + real(2, 0.5) + number(3, 2)))) ==
        "%r = f32[4]{0} exponential(%a), result_accuracy={tolerance={atol=0,rtol=0.5,ulps=2}}");
}

TEST_CASE("what a later XLA adds is no error") {
  const std::string four = array(f32, {4});
  CHECK(line_of("frobnicate", four, sized(900, "x") + number(901, 1)) == "%r = f32[4]{0} frobnicate(%a)");
  CHECK(line_of("copy", number(2, 77) + packed(3, {4}), "") == "%r = type77[4] copy(%a)");
  CHECK(line_of("dot", four, sized(51, packed(1, {9, 0}) + number(2, 99))) ==
        "%r = f32[4]{0} dot(%a), lhs_contracting_dims={}, rhs_contracting_dims={}");
  const parsed_file read = parse_proto(hlo_proto(add_module(sized(200, "new"))));
  CHECK(read.status == parse_status::ok);
}

TEST_CASE("lists may be packed or not, parts of a message come in any order and are merged") {
  const std::string four = array(f32, {4});
  CHECK(line_of("reverse", four, number(14, 0) + packed(14, {1, 2})) ==
        "%r = f32[4]{0} reverse(%a), dimensions={0,1,2}");
  // A shape in two parts, an opcode twice.
  const std::string parts = sized(3, packed(3, {4})) + sized(3, number(2, f32)) + sized(2, "add") + sized(2, "copy") +
                            number(35, 1) + sized(1, "r");
  const std::string text =
      text_of(hlo_proto(module_of({number(6, 1) + number(5, 7) + sized(2, parts) + sized(1, "e")}, 7)));
  CHECK(text.find("ROOT %r = f32[4] copy()") != std::string::npos);
}

TEST_CASE("ids count in their lower 32 bits and within their computation") {
  const std::int64_t high = std::int64_t{7} << 32;
  const std::string four = array(f32, {4});
  const std::string module =
      module_of({computation(7, "e", high | 3,
                             {parameter(high | 1, "a", 0, four), parameter(high | 2, "b", 1, four),
                              instruction(high | 3, "sum", "add", four, {1, high | 2})})},
                7);
  CHECK(text_of(hlo_proto(module)) == add_text);
}

TEST_CASE("a schedule gives the order of the lines, and callees come before their callers") {
  const std::string one = array(f32);
  const std::string callee = computation(9, "f", 1, {parameter(1, "p", 0, one)});
  const std::string entry = computation(7, "e", 3,
                                        {parameter(1, "a", 0, one), instruction(2, "n", "negate", one, {1}),
                                         instruction(3, "c", "call", one, {1}, packed(38, {9}))});
  const std::string schedule = sized(7, sized(1, number(1, 7) + sized(2, packed(1, {1, 3, 2}))));
  CHECK(text_of(hlo_proto(module_of({entry, callee}, 7, schedule))) == R"(HloModule m, is_scheduled=true

%f (p: f32[]) -> f32[] {
  ROOT %p = f32[] parameter(0)
}

ENTRY %e (a: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  ROOT %c = f32[] call(%a), to_apply=%f
  %n = f32[] negate(%a)
}

)");
}

TEST_CASE("the header states what the message has, and the counts that are only in its device assignment") {
  const std::string header =
      sized(8, sized(1, packed(1, {0}) + number(2, 1) + number(4, 2))) + sized(18, sized(1, number(1, 1))) +
      sized(4, sized(1, array(f32, {4})) + sized(2, array(f32, {4}))) + sized(15, number(1, 1) + number(2, 8));
  const std::string text = text_of(hlo_proto(add_module(header)));
  CHECK(text.substr(0, text.find('\n')) ==
        "HloModule m, input_output_alias={ {0}: (1, {}, must-alias) }, buffer_donor={ (1, {}) }, "
        "entry_computation_layout={(f32[4]{0})->f32[4]{0}}, num_partitions=8");
}

TEST_CASE("the lines of a finding are those of the text") {
  const parsed_file read = parse_proto(hlo_proto(add_module()), "m.hlo.pb");
  REQUIRE(read.modules().size() == 1);
  const hlo_module module = read.modules().front();
  CHECK(module.text().path() == "m.hlo.pb");
  CHECK(module.entry().root().where().begin().line == 6);
}

TEST_CASE("a buffer assignment becomes a buffer dump") {
  const std::string assignment =
      sized(1, number(1, 5) + number(2, 16) + sized(3, number(4, 1))) +
      sized(1, number(1, 6) + number(2, 16) + sized(3, number(4, 3)) + number(4, 1)) +
      sized(3, number(2, 16) + number(5, 1) + sized(9, number(1, 5) + number(3, 16))) +
      sized(3, number(1, 1) + number(2, 64) + number(8, 1) + sized(9, number(1, 6) + number(2, 32) + number(3, 16)));
  const parsed_file read = parse_proto(hlo_proto(add_module(), assignment), "m.hlo.pb");
  CHECK(read.status == parse_status::ok);
  REQUIRE(read.buffers.has_value());
  CHECK(read.text.text() == std::string(add_text) + R"(BufferAssignment:
allocation 0: size 16, parameter 0, shape |f32[4]| at ShapeIndex {}:
 value: <5 a @0> (size=16,offset=0): f32[4]{0}
allocation 1: size 64, color 1, preallocated-temp:
 value: <6 sum @1> (size=16,offset=32): f32[4]{0}
)");
  REQUIRE(read.buffers->values().size() == 2);
  const location where = read.buffers->where(read.buffers->values()[1].text);
  CHECK(where.begin().line == 13);  // after the module
  CHECK(where.in.path() == "m.hlo.pb");
  CHECK_FALSE(read.buffers->allocations()[1].page.has_value());
}

TEST_CASE("the assignment of another module is left out, and noted") {
  const auto buffer = [](std::int64_t id, std::int64_t size, std::int64_t instruction) {
    return sized(1, number(1, id) + number(2, size) + sized(3, number(4, instruction)));
  };
  const std::string allocation = sized(3, number(2, 64) + sized(9, number(1, 5) + number(3, 16)));
  const auto read = [&](const std::string& buffers) {
    return parse_proto(hlo_proto(add_module(), buffers + allocation), "m.hlo.pb");
  };
  // One buffer whose instruction is not there, and one of another size than the result.
  const parsed_file foreign = read(buffer(5, 16, 1) + buffer(6, 16, 99) + buffer(7, 48, 3));
  CHECK(foreign.status == parse_status::ok);
  CHECK_FALSE(foreign.buffers.has_value());
  CHECK(foreign.modules().size() == 1);
  CHECK(foreign.text.text() == add_text);
  REQUIRE(foreign.diagnostics.size() == 1);
  CHECK(foreign.diagnostics[0].level == severity::note);
  CHECK(foreign.diagnostics[0].advice == "For the buffers, let XLA dump the program: XLA_FLAGS=--xla_dump_to=FOLDER.");
  CHECK(foreign.diagnostics[0].message ==
        "HloProto.buffer_assignment: is left out: it is that of the optimized module, while this message has the one "
        "before");
  // A single one is a fault of a buffer.
  CHECK(read(buffer(5, 16, 1) + buffer(6, 16, 3) + buffer(7, 48, 3)).buffers.has_value());
}

TEST_CASE("a memory usage report gives the bytes of each memory space") {
  const std::string report = sized(1, number(1, 4096) + sized(3, number(1, 1) + number(2, 64) + real(4, 0.5))) +
                             sized(1, number(1, 512) + number(2, 1));
  const parsed_file read = parse_proto(report);
  CHECK(read.kind == input_kind::memory_usage_proto);
  CHECK(read.status == parse_status::ok);
  REQUIRE(read.buffers.has_value());
  CHECK(read.text.text() ==
        "Memory Space: default (color=0)\nTotal bytes: 4096 (4.0KiB)\n\n"
        "Memory Space: vmem (color=1)\nTotal bytes: 512 (512B)\n\n");
}

TEST_CASE("ids are found in whatever order they come") {
  protobuf::id_index ids;
  CHECK_FALSE(ids.find(0));
  std::vector<std::uint64_t> added;
  const auto all_found = [&] {
    for (std::size_t i = 0; i < added.size(); ++i) CHECK(ids.find(added[i]) == i);
    for (const std::uint64_t other : std::vector<std::uint64_t>{0, 4, 6, 99, 1'000'001}) CHECK_FALSE(ids.find(other));
  };
  // Upwards, by steps of all sizes.
  for (const std::uint64_t id : std::vector<std::uint64_t>{3, 5, 7, 8, 100, 1'000'000}) {
    CHECK(ids.add(id));
    added.push_back(id);
    all_found();
  }
  CHECK(ids.add(50));
  added.push_back(50);
  all_found();
  CHECK_FALSE(ids.add(7));
  CHECK(ids.find(7) == 2);
}
