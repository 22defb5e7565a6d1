// Parts of JSON reports: within a number of bytes, the costliest first, with cursors that reach everything.
#include <hlolint/commands/excerpt.hpp>

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace hlolint::command;

namespace {

json_value report_of(std::size_t findings) {
  json_value out{{"schema", 1}, {"tool", {{"name", "hlolint"}}}, {"diagnostics", json_value::array()}};
  for (std::size_t i = 0; i < findings; ++i)
    out["diagnostics"].push_back({{"rule", "R" + std::to_string(i)},
                                  {"level", i == 3 ? "error" : "warning"},
                                  {"message", std::string(100 + i, 'm')},
                                  {"impacts", json_value::array({{{"amount", i * 10}, {"unit", "resident_bytes"}}})}});
  return out;
}

json_value part_of(const json_value& report, const excerpt_options& wanted) {
  std::string error;
  const std::string text = excerpt_of(report.dump(), wanted, error);
  INFO(error);
  REQUIRE(error.empty());
  if (wanted.max_bytes) CHECK(text.size() <= *wanted.max_bytes);
  return json_value::parse(text);
}

}  // namespace

TEST_CASE("the costliest entries come first, errors before all") {
  const json_value part = part_of(report_of(10), {.top = 3});
  REQUIRE(part["diagnostics"].size() == 3);
  CHECK(part["diagnostics"][0]["rule"] == "R3");
  CHECK(part["diagnostics"][1]["rule"] == "R9");
  CHECK(part["omitted"] ==
        json_value::array({{{"list", "/diagnostics"}, {"left_out", 7}, {"cursor", "/diagnostics@3"}}}));
}

TEST_CASE("the largest module comes first, and what to do is not cut") {
  const std::string how(900, 'h');
  json_value report{{"memory", json_value::array()}, {"time", json_value::array()}};
  for (const int size : {2, 30, 1}) {
    report["memory"].push_back(
        {{"module", "m"}, {"need", {{"bytes", size}}}, {"text", std::string(900, 't')}, {"how", how}});
    report["time"].push_back({{"step_ms", size}});
  }
  const json_value part = part_of(report, {.top = 2});
  CHECK(part["memory"][0]["need"]["bytes"] == 30);
  CHECK(part["memory"][1]["need"]["bytes"] == 2);
  CHECK(part["time"][0]["step_ms"] == 30);
  const json_value fits = part_of(report, {.max_bytes = 2600});
  CHECK(fits["memory"][0]["how"] == how);
  CHECK(fits["memory"][0]["text"].get<std::string>().size() == 400);
}

TEST_CASE("cursors reach every entry once") {
  const json_value report = report_of(100);
  std::multiset<std::string> seen;
  json_value part = part_of(report, {.max_bytes = 2000});
  std::size_t pages = 0;
  for (const json_value* entries = &part["diagnostics"]; pages++ < 200;) {
    for (const json_value& one : *entries) seen.insert(one["rule"].get<std::string>());
    std::string cursor;
    for (const json_value& cut : part.value("omitted", json_value::array()))
      if (cut["list"] == "/diagnostics") cursor = cut["cursor"].get<std::string>();
    if (cursor.empty()) break;
    part = part_of(report, {.max_bytes = 2000, .cursor = cursor});
    CHECK(part["page"]["of"] == 100);
    entries = &part["entries"];
  }
  CHECK(seen.size() == 100);
  CHECK(std::set<std::string>(seen.begin(), seen.end()).size() == 100);
}

TEST_CASE("rankings refer to the entries as they are sorted") {
  json_value report = report_of(5);
  report["costs"] = {{"memory", {{"bytes", 1}, {"ranking", {4, 3}}}}};
  const json_value part = part_of(report, {.top = 5});
  for (const json_value& at : part["costs"]["memory"]["ranking"]) {
    const std::string rule = part["diagnostics"][at.get<std::size_t>()]["rule"];
    CHECK((rule == "R4" || rule == "R3"));
  }
}

TEST_CASE("lists of numbers are whole or left out, long texts are cut between characters") {
  json_value report{{"schema", 1}, {"curve", json_value::array()}, {"text", ""}};
  for (int i = 0; i < 1000; ++i) report["curve"].push_back({i, i * i});
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "\xC3\xA4";
  report["text"] = text;
  const json_value part = part_of(report, {.max_bytes = 1024});
  CHECK(part["curve"].empty());
  CHECK(part["omitted"][0]["left_out"] == 1000);
  CHECK(part["text"].get<std::string>().ends_with("\xC3\xA4..."));
}

TEST_CASE("a list of numbers that is left out has pages of its own") {
  json_value report{{"schema", 1}, {"curve", json_value::array()}};
  for (int i = 0; i < 1000; ++i) report["curve"].push_back({i, i * i});
  std::size_t seen = 0;
  for (std::string cursor = "/curve@0"; !cursor.empty() && seen < 1000;) {
    const json_value part = part_of(report, {.max_bytes = 1024, .cursor = cursor});
    REQUIRE(!part["entries"].empty());
    CHECK(part["entries"][0][0] == seen);
    seen += part["entries"].size();
    cursor = part.contains("omitted") ? part["omitted"][0]["cursor"].get<std::string>() : "";
  }
  CHECK(seen == 1000);
}

TEST_CASE("groups that are asked for take the room of the lists beside them") {
  json_value module{{"allocations", json_value::array()}, {"groups", json_value::array()}};
  for (int i = 0; i < 100; ++i) {
    module["allocations"].push_back({{"size", 1000 - i}, {"kind", "temp"}});
    module["groups"].push_back({{"key", "source.py:" + std::to_string(i)}, {"size", 1000 - i}});
  }
  const json_value report{{"schema", 1}, {"memory", {module}}};
  const json_value part = part_of(report, {.max_bytes = 2000});
  CHECK(part["memory"][0]["allocations"].size() == 3);
  CHECK(part["memory"][0]["groups"].size() > 25);
  module.erase("groups");
  const json_value alone = part_of({{"schema", 1}, {"memory", {module}}}, {.max_bytes = 2000});
  CHECK(alone["memory"][0]["allocations"].size() > 25);
}

TEST_CASE("wrong cursors are named") {
  for (const char* const cursor : {"x", "/diagnostics", "/diagnostics@-1", "/nothing@0", "/schema@0", "/~9@0", "@1"}) {
    CAPTURE(cursor);
    std::string error;
    CHECK(excerpt_of(report_of(2).dump(), {.cursor = cursor}, error).empty());
    CHECK(error.starts_with("--cursor"));
  }
  std::string error;
  excerpt_of("no JSON", {.top = 1}, error);
  CHECK(error.find("--format json") != std::string::npos);
}

TEST_CASE("modules that are left out are always listed, and every page goes on") {
  json_value report{{"schema", 1}, {"memory", json_value::array()}};
  for (int m = 0; m < 18; ++m) {
    json_value module{{"name", "m" + std::to_string(m)}, {"peak", {{"positions", {{370, 370}}}}}};
    for (int list = 0; list < 12; ++list)
      for (int k = 0; k < 40; ++k)
        module["list" + std::to_string(list)].push_back({{"value", std::string(60, 'v')}, {"bytes", k}});
    report["memory"].push_back(std::move(module));
  }
  std::string cursor;
  std::size_t seen = 0, pages = 0;
  for (; pages < 40; ++pages) {
    const json_value part = part_of(report, {.max_bytes = 2500, .cursor = cursor});
    const json_value& modules = part.contains("entries") ? part["entries"] : part["memory"];
    REQUIRE_FALSE(modules.empty());
    CHECK(modules[0]["peak"]["positions"][0] == json_value::array({370, 370}));
    seen += modules.size();
    if (seen == 18) break;
    REQUIRE(part.contains("omitted"));
    CHECK(part["omitted"][0]["list"] == "/memory");
    cursor = part["omitted"][0]["cursor"].get<std::string>();
  }
  CHECK(seen == 18);
}
