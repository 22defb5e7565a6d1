#include <hlolint/report/json.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <sstream>
#include <string>

using namespace hlolint;
using namespace hlolint::report;

namespace {

std::string json_of(const run_result& run) {
  std::ostringstream out;
  json_report report(out);
  report(run);
  return out.str();
}

run_result everything() {
  const source text(std::string("one\ntwo three\n"), "dumps/m.txt");
  run_result run;
  run.tool_version = "0.1.0";
  input_summary hlo;
  hlo.path = "dumps/m.txt";
  hlo.kind = input_kind::hlo;
  hlo.module = "m";
  hlo.target = target::tpu;
  hlo.status = parse_status::ok;
  hlo.modules = 2;
  hlo.computations = 14;
  hlo.instructions = 185;
  run.inputs = {hlo};
  diagnostic found;
  found.rule = "MEM001";
  found.name = "overlapping-live-buffers";
  found.level = severity::warning;
  found.message = "reads \"two\"";
  found.where = {text, {8, 13}};
  found.module = "m";
  found.computation = "main";
  found.instruction = "add.1";
  found.source_file = "train.py";
  found.source_line = 7;
  found.bytes = 64;
  found.buffer = buffer_place{6, 128, 64, 3, 9};
  related_place other;
  other.where = {text, {0, 3}};
  other.instruction = "fusion.1";
  other.buffer = buffer_place{6, 0, 256, {}, {}};
  other.message = "the other";
  found.related.push_back(other);
  found.fingerprint = "0123456789abcdef";
  run.diagnostics = {found};
  run.skipped = {{"COL001", "m", "no HLO text"}};
  return run;
}

}  // namespace

TEST_CASE("json_report: every member in its order") {
  CHECK(json_of(everything()) == R"({
  "schema": 1,
  "tool": {
    "name": "hlolint",
    "version": "0.1.0"
  },
  "inputs": [
    {
      "path": "dumps/m.txt",
      "kind": "hlo",
      "module": "m",
      "target": "tpu",
      "status": "ok",
      "modules": 2,
      "computations": 14,
      "instructions": 185
    }
  ],
  "diagnostics": [
    {
      "rule": "MEM001",
      "name": "overlapping-live-buffers",
      "level": "warning",
      "message": "reads \"two\"",
      "path": "dumps/m.txt",
      "line": 2,
      "column": 5,
      "module": "m",
      "computation": "main",
      "instruction": "add.1",
      "source": {
        "file": "train.py",
        "line": 7
      },
      "bytes": 64,
      "buffer": {
        "allocation": 6,
        "offset": 128,
        "size": 64,
        "start": 3,
        "end": 9
      },
      "related": [
        {
          "path": "dumps/m.txt",
          "line": 1,
          "column": 1,
          "instruction": "fusion.1",
          "buffer": {
            "allocation": 6,
            "offset": 0,
            "size": 256
          },
          "message": "the other"
        }
      ],
      "fingerprint": "0123456789abcdef"
    }
  ],
  "skipped": [
    {
      "rule": "COL001",
      "module": "m",
      "reason": "no HLO text"
    }
  ],
  "summary": {
    "errors": 0,
    "warnings": 1,
    "notes": 0
  }
}
)");
}

TEST_CASE("json_report: arrays are always there, other members only with a value") {
  run_result run;
  run.inputs.resize(1);
  run.inputs[0].path = "p";
  run.inputs[0].modules = 1;
  run.inputs[0].allocations = 0;
  run.diagnostics.resize(1);
  const auto read = nlohmann::ordered_json::parse(json_of(run));
  CHECK(read["inputs"].dump() == R"([{"path":"p","kind":"unknown","status":"failed","allocations":0}])");
  CHECK(read["diagnostics"].dump() ==
        R"([{"rule":"","level":"error","message":"","path":"","line":1,"column":1,"related":[]}])");
  CHECK(read["skipped"].dump() == "[]");
  CHECK(read["summary"].dump() == R"({"errors":1,"warnings":0,"notes":0})");
  CHECK(nlohmann::json::parse(json_of({}))["diagnostics"].is_array());
}

TEST_CASE("json_report: bytes that are not UTF-8 do not get through") {
  run_result run = everything();
  run.diagnostics[0].message =
      "a\xFF"
      "b";
  run.inputs[0].path = "\xC3(.txt";
  const auto read = nlohmann::json::parse(json_of(run));
  CHECK(read["diagnostics"][0]["message"] ==
        "a\xEF\xBF\xBD"
        "b");
  CHECK(read["inputs"][0]["path"] == "\xEF\xBF\xBD(.txt");
}

TEST_CASE("summarize counts what a file holds") {
  parsed_file file;
  file.text = source(std::string("x"), "p");
  input_summary nothing = summarize(file);
  CHECK(nothing.path == "p");
  CHECK_FALSE(nothing.instructions);
  CHECK_FALSE(nothing.allocations);

  file.modules().resize(2);
  file.status = parse_status::ok;
  const input_summary two = summarize(file);
  CHECK(two.modules == 2);
  CHECK(two.computations == std::size_t{0});
  CHECK(two.status == parse_status::ok);
}
