#include "memory_fixture.hpp"

#include <hlolint/tool/report/memory/memory_json.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <sstream>

using namespace hlolint;
using namespace hlolint::report;
using namespace hlolint::testing;

namespace {

using json = nlohmann::ordered_json;

json json_of(const context& module, memory_options options = {}) {
  std::ostringstream out;
  json_writer writer(out);
  write_memory_json(writer, module, "dumps/small.txt", options);
  return json::parse(out.str());
}

}  // namespace

TEST_CASE("write_memory_json: the whole curve, of all and of each memory space") {
  const json module = json_of(*small_module());
  CHECK(module["path"] == "dumps/small.txt");
  CHECK(module["module"] == "small");
  CHECK_FALSE(module.contains("missing"));
  CHECK(module["total_bytes_used"] == 6656);
  CHECK(module["last_position"] == 4);
  CHECK(module["printed_peak"].dump() == R"({"position":3,"instruction":"c","bytes":4096})");
  CHECK(module["peak"].dump() == R"({"bytes":5120,"positions":[[2,2]],"instruction":"b"})");
  CHECK(module["curve"].dump() == "[[0,1024],[1,3072],[2,5120],[3,4096],[4,2048],[5,0]]");
  CHECK(
      module["spaces"].dump() ==
      R"([{"color":0,"name":"color 0","allocations":2,"allocated":2048,"peak":{"bytes":2048,"positions":[[3,4]],"instruction":"c"},"curve":[[0,1024],[3,2048],[5,0]]},)"
      R"({"color":1,"name":"color 1","allocations":1,"allocated":4608,"peak":{"bytes":4096,"positions":[[2,2]],"instruction":"b"},"curve":[[1,2048],[2,4096],[3,2048],[4,0]]}])");
}

TEST_CASE("write_memory_json: allocations and values") {
  const json module = json_of(*small_module(), {2, {}, false});
  REQUIRE(module["allocations"].size() == 3);  // all of them
  CHECK(
      module["allocations"][0].dump() ==
      R"({"number":0,"kind":"parameter","parameter":0,"color":0,"size":1024,"bound":1024,"position":0,"slack":0,"gaps":0})");
  CHECK(
      module["allocations"][2].dump() ==
      R"({"number":2,"kind":"temp","color":1,"size":4608,"bound":4096,"position":2,"slack":512,"gaps":512,"repacked":4096,"method":"settled","alignment":512})");
  CHECK(module["live"]["position"] == 2);
  CHECK(module["live"]["count"] == 3);
  REQUIRE(module["live"]["values"].size() == 2);
  CHECK(
      module["live"]["values"][0].dump() ==
      R"({"value":"a","allocation":2,"offset":0,"size":2048,"start":1,"end":2,"shape":"f32[512]{0}","op_name":"jit(f)/a","source":{"file":"f.py","line":7}})");
  CHECK(json_of(*small_module(), {2, 4, false})["live"]["values"][1]["value"] == "c");
}

TEST_CASE("write_memory_json: what is not known is left out, and reported") {
  const json untimed = json_of(*module_with(nullptr, without_live_ranges()));
  CHECK(untimed.contains("missing"));
  for (const char* const member : {"peak", "curve", "printed_peak", "live", "last_position"})
    CHECK_FALSE(untimed.contains(member));
  CHECK(untimed["spaces"][1].dump() == R"({"color":1,"name":"color 1","allocations":1,"allocated":4608})");
  CHECK(untimed["allocations"][2].dump() == R"({"number":2,"kind":"temp","color":1,"size":4608})");
  // Without a schedule nothing follows from the HLO; with one, what XLA assigns does.
  std::string unscheduled = small_hlo;
  const std::string_view mark = ", is_scheduled=true";
  REQUIRE(unscheduled.find(mark) != std::string::npos);
  unscheduled.erase(unscheduled.find(mark), mark.size());
  CHECK(json_of(*module_with(unscheduled.c_str(), "")).dump().find("allocations") == std::string::npos);
  CHECK(json_of(*module_with(small_hlo, "")).contains("basis"));
}

TEST_CASE("write_memory_json: the need, and what takes it") {
  memory_options options;
  options.by = memory_by::source;
  const json module = json_of(*small_module(), options);
  CHECK(
      module["need"].dump() ==
      R"({"bytes":6656,"arguments":1024,"outputs":1024,"aliased":0,"temporaries":4608,"constants":0,"thread_local":0,"tuple_tables":0})");
  CHECK(module["resident"][0].dump() == R"({"bytes":2048,"kind":"temp","allocation":2,"value":"a"})");
  CHECK(module["resident"][4].dump() == R"({"bytes":512,"kind":"temp","allocation":2})");
  CHECK(module["by"] == "source");
  CHECK(module["groups"][1].dump() == R"({"name":"f.py:7","bytes":2048,"allocated":2048,"items":1})");
  CHECK_FALSE(json_of(*small_module()).contains("groups"));
}

TEST_CASE("write_memory_json: temporary values belong to the weights that they are made with") {
  // Each iteration multiplies with the weight, stacks up what comes out, and hands on what is computed of it.
  const char* const scan = R"(HloModule scan, is_scheduled=true

body {
  p = (s32[], f32[64,64]{1,0}, f32[4,64,64]{2,1,0}, f32[64,64]{1,0}) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[64,64]{1,0} get-tuple-element(p), index=1
  stack = f32[4,64,64]{2,1,0} get-tuple-element(p), index=2
  w = f32[64,64]{1,0} get-tuple-element(p), index=3
  zero = s32[] constant(0)
  one = s32[] constant(1)
  next = s32[] add(i, one)
  h = f32[64,64]{1,0} dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  row = f32[1,64,64]{2,1,0} reshape(h)
  written = f32[4,64,64]{2,1,0} dynamic-update-slice(stack, row, i, zero, zero)
  y = f32[64,64]{1,0} tanh(h)
  ROOT t = (s32[], f32[64,64]{1,0}, f32[4,64,64]{2,1,0}, f32[64,64]{1,0}) tuple(next, y, written, w)
}

cond {
  q = (s32[], f32[64,64]{1,0}, f32[4,64,64]{2,1,0}, f32[64,64]{1,0}) parameter(0)
  k = s32[] get-tuple-element(q), index=0
  n = s32[] constant(4)
  ROOT c = pred[] compare(k, n), direction=LT
}

ENTRY main {
  batch = f32[64,64]{1,0} parameter(0), metadata={op_name="batch"}
  weight = f32[64,64]{1,0} parameter(1), metadata={op_name="params['w']"}
  start = s32[] constant(0)
  null = f32[] constant(0)
  empty = f32[4,64,64]{2,1,0} broadcast(null), dimensions={}
  first = f32[64,64]{1,0} negate(batch)
  init = (s32[], f32[64,64]{1,0}, f32[4,64,64]{2,1,0}, f32[64,64]{1,0}) tuple(start, first, empty, weight)
  loop = (s32[], f32[64,64]{1,0}, f32[4,64,64]{2,1,0}, f32[64,64]{1,0}) while(init), condition=cond, body=body
  all = f32[4,64,64]{2,1,0} get-tuple-element(loop), index=2
  last = f32[64,64]{1,0} get-tuple-element(loop), index=1
  twice = f32[64,64]{1,0} add(last, last)
  part = f32[1,64,64]{2,1,0} slice(all), slice={[0:1], [0:64], [0:64]}
  flat = f32[64,64]{1,0} reshape(part)
  ROOT r = f32[64,64]{1,0} multiply(twice, flat)
}
)";
  memory_options options;
  options.by = memory_by::weight;
  const json module = json_of(*module_with(scan, ""), options);
  byte_count sum = 0, of_weight = 0;
  std::string names;
  for (const json& group : module["groups"]) {
    const std::string name = group["name"];
    sum += group["bytes"].get<byte_count>();
    if (name == "params['w']") of_weight = group["bytes"];
    names += name + " ";
  }
  INFO(names);
  CHECK(sum == module["need"]["bytes"]);
  // Itself and the stack, and the product while it lives.
  CHECK(of_weight >= 5 * 64 * 64 * 4);
  CHECK(of_weight <= 6 * 64 * 64 * 4);
  CHECK(names.find("batch") != names.npos);
}

TEST_CASE("write_enveloped: members after those of every report") {
  std::ostringstream out;
  write_enveloped(out, run_result{}, "{\n  \"memory\": [\n    1\n  ]\n}\n");
  const json report = json::parse(out.str());
  CHECK(report["schema"] == 1);
  CHECK(report["summary"].dump() == R"({"errors":0,"warnings":0,"notes":0})");
  CHECK(report["memory"].dump() == "[1]");
}
