#include <hlolint/tool/report/html.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;
using namespace hlolint::report;

namespace {

constexpr std::string_view data_begin = "<script type=\"application/json\" id=\"data\">", script_end = "</script>";

std::string page_of(const run_result& run, const std::vector<module_picture>& modules,
                    const std::vector<rule_entry>& rules = {}) {
  std::ostringstream out;
  write_html(out, run, modules, rules);
  return out.str();
}

std::string data_text(const std::string& page) {
  const std::size_t begin = page.find(data_begin) + data_begin.size();
  return page.substr(begin, page.find(script_end, begin) - begin);
}
nlohmann::json data_of(const std::string& page) { return nlohmann::json::parse(data_text(page)); }

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// The texts that a column of numbers names.
std::vector<std::string> named(const nlohmann::json& data, const nlohmann::json& column) {
  std::vector<std::string> out;
  for (const std::size_t number : column) out.push_back(data["texts"][number]);
  return out;
}

module_picture two_values() {
  module_picture m;
  m.name = "m";
  m.target = "tpu";
  m.files = {"dump/m.txt"};
  m.scheduled = true;
  m.sequence = {"a", "b"};
  m.last_position = 2;
  m.spaces = {{0, "HBM", 1, 4096, {{0, 512}, {2, 0}}}};
  m.allocations = {{7, "temp", 0, 4096, 3072, 0, 2}};
  m.values.resize(2);
  m.values[0] = {"a", "{0}", 0, 2048, 1024, position_range{0, 1}, "f32[8,3]{1,0:T(8,128)}", {"jit(f)/a", "f.py", 7},
                 "x"};
  m.values[1] = {"b", "", 1024, 2048, 0, std::nullopt, "f32[512]{0}", {}, ""};
  m.overlaps = {{0, 1, "clash", 1024, 1024, {1, 1}}};
  m.transfers.resize(1);
  m.transfers[0] = {"a", "b", "all-gather", {0, 1}, 96, 3, 2, true, true, false, {"jit(f)/gather", "", 0}};
  memory_facts_picture& memory = m.memory.emplace();
  memory.need.total = 4096, memory.need.temporaries = 4000, memory.need.constants = 96;
  memory.device = "tpu-v5e", memory.capacity = 10000, memory.left = 5904, memory.main_space = "HBM";
  memory.peak = position_range{1, 1}, memory.in_use = 3072, memory.padding = 1024;
  memory.resident = {{0, 0, 2048}, {std::nullopt, 0, 1024}};
  memory.more_resident = 3, memory.more_bytes = 1024;
  memory.origins = {{memory_by::source, {{"f.py:7", 2048, 3000, 1, 0}}, 5}};
  oom_facts& oom = m.out_of_memory.emplace_back();
  oom.message = "out of memory", oom.advice = "shard it", oom.memory_space = "hbm", oom.missing = 700,
  oom.capacity = 900;
  oom.wanted = 650;
  oom.parts = {{"HLO temp", 1000, 800, std::nullopt}};
  oom.values = {{512, 128, "HLO temp", "f32[96]{0:T(128)}", "fusion.1", "jit(f)/big", "f.py", 9}};
  timeline_picture& timeline = m.timeline.emplace();
  timeline.device = "tpu-v5e", timeline.step = 5, timeline.compute = 3, timeline.exposed = 2;
  timeline.length = 4'000'000, timeline.lanes = {"compute", "ici"};
  timeline.blocks = {{"work", 0, 0, 1'000'000, 0, "b", "fusion", 1},
                     {"transfer", 1, 0, 3'000'000, 2'000'000, "a", "all-gather", 2}};
  timeline.loops = {{"loop", 0, 4'000'000, 4'000'000, 9, 0}};
  timeline.transfers = {{"a", "all-gather", "exposed", 96, 9, 100, 50, 0.45, "f.py:7", ""}};
  return m;
}

diagnostic about(std::string rule, std::string path, std::string module) {
  diagnostic out;
  out.rule = std::move(rule);
  out.message = "some message";
  out.where = {source(std::string("text of the dump"), std::move(path)), {0, 4}};
  out.module = std::move(module);
  return out;
}

}  // namespace

TEST_CASE("html: every member of a picture is in the data") {
  const auto data = data_of(page_of({}, {two_values()}));
  const auto& m = data["modules"].at(0);
  CHECK(m["name"] == "m");
  CHECK(m["target"] == "tpu");
  CHECK(m["files"] == nlohmann::json::array({"dump/m.txt"}));
  CHECK(m["last"] == 2);
  CHECK(named(data, m["sequence"]) == std::vector<std::string>{"a", "b"});
  CHECK(m["spaces"] ==
        nlohmann::json::parse(
            R"([{"color":0,"name":"HBM","allocations":1,"allocated":4096,"positions":[0,2],"bytes":[512,0]}])"));
  const auto& a = m["allocations"];
  CHECK(a["number"] == nlohmann::json::array({7}));
  CHECK(named(data, a["kind"]) == std::vector<std::string>{"temp"});
  CHECK(a["bound"] == nlohmann::json::array({3072}));
  CHECK(a["first"] == nlohmann::json::array({0}));
  CHECK(a["count"] == nlohmann::json::array({2}));
  const auto& v = m["values"];
  CHECK(named(data, v["instruction"]) == std::vector<std::string>{"a", "b"});
  CHECK(named(data, v["index"]) == std::vector<std::string>{"{0}", ""});
  CHECK(v["offset"] == nlohmann::json::array({0, 1024}));
  CHECK(v["size"] == nlohmann::json::array({2048, 2048}));
  CHECK(v["padding"] == nlohmann::json::array({1024, 0}));
  CHECK(v["start"] == nlohmann::json::array({0, nullptr}));
  CHECK(v["end"] == nlohmann::json::array({1, nullptr}));
  CHECK(named(data, v["shape"]) == std::vector<std::string>{"f32[8,3]{1,0:T(8,128)}", "f32[512]{0}"});
  CHECK(named(data, v["op_name"]) == std::vector<std::string>{"jit(f)/a", ""});
  CHECK(named(data, v["file"]) == std::vector<std::string>{"f.py", ""});
  CHECK(v["line"] == nlohmann::json::array({7, 0}));
  const auto& o = m["overlaps"];
  CHECK(o["second"] == nlohmann::json::array({1}));
  CHECK(named(data, o["kind"]) == std::vector<std::string>{"clash"});
  CHECK(o["offset"] == nlohmann::json::array({1024}));
  CHECK(o["end"] == nlohmann::json::array({1}));
  const auto& t = m["transfers"];
  CHECK(named(data, t["done"]) == std::vector<std::string>{"b"});
  CHECK(named(data, t["kind"]) == std::vector<std::string>{"all-gather"});
  CHECK(t["bytes"] == nlohmann::json::array({96}));
  CHECK(t["between"] == nlohmann::json::array({3}));
  CHECK(t["real"] == nlohmann::json::array({2}));
  CHECK(t["exposed"] == nlohmann::json::array({false}));
  CHECK(named(data, m["scopes"]["op_name"]) == std::vector<std::string>{"jit(f)/a"});  // the other value has none
  CHECK(named(data, m["scopes"]["scope"]) == std::vector<std::string>{"x"});
}

TEST_CASE("html: what the first screen shows is in the data") {
  const auto data = data_of(page_of({}, {two_values()}));
  const auto& m = data["modules"].at(0);
  const auto& memory = m["memory"];
  CHECK(memory["need"]["total"] == 4096);
  CHECK(memory["need"]["constants"] == 96);
  CHECK(memory["capacity"] == 10000);
  CHECK(memory["left"] == 5904);
  CHECK(memory["main_space"] == "HBM");
  CHECK(memory["peak"] == 1);
  CHECK(memory["in_use"] == 3072);
  CHECK(memory["padding"] == 1024);
  CHECK(memory["resident"]["value"] == nlohmann::json::parse("[0,null]"));
  CHECK(memory["resident"]["bytes"] == nlohmann::json::array({2048, 1024}));
  CHECK(memory["resident"]["more"] == 3);
  const auto& origin = memory["origins"].at(0);
  CHECK(origin["by"] == "source");
  CHECK(named(data, origin["name"]) == std::vector<std::string>{"f.py:7"});
  CHECK(origin["allocated"] == nlohmann::json::array({3000}));
  CHECK(origin["more"] == 5);
  const auto& timeline = m["timeline"];
  CHECK(timeline["exposed_ms"] == 2);
  CHECK(timeline["lanes"] == nlohmann::json::array({"compute", "ici"}));
  CHECK(named(data, timeline["blocks"]["what"]) == std::vector<std::string>{"work", "transfer"});
  CHECK(named(data, timeline["blocks"]["instruction"]) == std::vector<std::string>{"b", "a"});
  CHECK(timeline["blocks"]["exposed"] == nlohmann::json::array({0, 2'000'000}));
  CHECK(timeline["loops"][0]["trips"] == 9);
  CHECK(timeline["transfers"][0]["total_ms"] == 0.45);
  CHECK_FALSE(data_of(page_of({}, {module_picture{}}))["modules"][0].contains("timeline"));
  CHECK_FALSE(data_of(page_of({}, {module_picture{}}))["modules"][0].contains("memory"));
}

TEST_CASE("html: what ran out of memory is in the data") {
  const auto found = data_of(page_of({}, {two_values()}))["modules"].at(0)["out_of_memory"];
  REQUIRE(found.size() == 1);
  CHECK(found[0]["message"] == "out of memory");
  CHECK(found[0]["outcome"] == "failed");
  CHECK(found[0]["advice"] == "shard it");
  CHECK(found[0]["space"] == "hbm");
  CHECK(found[0]["missing"] == 700);
  CHECK(found[0]["wanted"] == 650);
  CHECK(found[0]["phase"] == "run");
  CHECK_FALSE(found[0].contains("needed"));
  CHECK(found[0]["capacity"] == 900);
  CHECK_FALSE(found[0].contains("expected"));
  CHECK(found[0]["parts"] == nlohmann::json::parse(R"([{"name":"HLO temp","size":1000,"unpadded":800}])"));
  CHECK(found[0]["values"] ==
        nlohmann::json::parse(R"([{"size":512,"padding":128,"kind":"HLO temp","shape":"f32[96]{0:T(128)}",)"
                              R"("label":"fusion.1","op_name":"jit(f)/big","file":"f.py","line":9}])"));
  CHECK(data_of(page_of({}, {module_picture{}}))["modules"][0]["out_of_memory"].empty());
}

TEST_CASE("html: findings know their module by file, else by name; only their rules are explained") {
  module_picture other = two_values();
  other.files = {"dump/other.txt"};
  run_result run;
  run.tool_version = "1.2";
  run.diagnostics = {about("MEM001", "dump/other.txt", "m"), about("MEM001", "somewhere.txt", "m"),
                     about("DMP001", "nowhere.txt", "")};
  run.diagnostics[0].buffer = buffer_place{7, 1024, 2048, 3, 4};
  run.diagnostics[2].dismissed = dismissal{false, "known"};
  run.diagnostics[0].related = {{{}, "a", buffer_place{7, 0, 64, {}, {}}, "the other"}};
  run.skipped = {{"COL001", "m", "no HLO text"}};
  const std::vector<rule_entry> rules{{{.id = "COL001", .name = "c"}, {}, {}},
                                      {{.id = "MEM001", .name = "n", .what = "what it reports"}, {}, {}}};
  const auto data = data_of(page_of(run, {two_values(), other}, rules));
  CHECK(data["version"] == "1.2");
  const auto& f = data["findings"];
  REQUIRE(f.size() == 3);
  CHECK(f[0]["picture"] == 1);
  CHECK(f[1]["picture"] == 0);
  CHECK_FALSE(f[2].contains("picture"));
  CHECK(f[0]["buffer"] == nlohmann::json::array({7, 1024, 2048, 3}));
  CHECK(f[0]["related"][0]["buffer"] == nlohmann::json::array({7, 0, 64, nullptr}));
  CHECK(f[0]["line"] == 1);
  CHECK(f[2]["dismissed"] == "suppressed: known");
  REQUIRE(data["rules"].size() == 1);
  CHECK(data["rules"][0]["what"] == "what it reports");
  CHECK(data["skipped"][0]["reason"] == "no HLO text");
}

TEST_CASE("html: no text of a dump gets out of its JSON string") {
  const std::string bad = "</script><!--<script>&\xE2\x80\xA8\xE2\x80\xA9\"\\\x01\xFF";
  module_picture m = two_values();
  m.name = m.sequence[0] = m.values[0].instruction = m.values[0].shape = m.values[0].source.op_name = m.files[0] = bad;
  m.out_of_memory[0].message = m.out_of_memory[0].values[0].label = bad;
  run_result run;
  run.diagnostics = {about("SYN001", bad, bad)};
  run.diagnostics[0].message = run.diagnostics[0].op_name = bad;
  input_summary input;
  input.path = input.module = bad;
  run.inputs = {input};
  run.skipped = {{"COL001", bad, bad}};
  const std::string page = page_of(run, {m}), data = data_text(page);
  CHECK(count_of(page, "</script>") == count_of(page_of({}, {}), "</script>"));
  CHECK(count_of(page, "<!--") == 0);
  CHECK(data.find_first_of("<>&\x01\xFF") == data.npos);
  CHECK(count_of(data, "\xE2\x80\xA8") + count_of(data, "\xE2\x80\xA9") == 0);
  const auto json = nlohmann::json::parse(data);
  CHECK(json["modules"][0]["name"] == printable(bad));
  CHECK(named(json, json["modules"][0]["values"]["shape"])[0] == printable(bad));

  // What the program itself writes keeps its lines, and is as harmless.
  const std::string_view example = "<b>\n\xE2\x80\xA8&";
  run.diagnostics = {about("X1", "", "")};
  const std::string explained = page_of(run, {}, {{{.id = "X1", .name = "x", .example = example}, {}, {}}});
  CHECK(count_of(data_text(explained), "\\u003cb\\u003e\\n\\u2028\\u0026") == 1);
  CHECK(data_of(explained)["rules"][0]["example"] == example);
}

TEST_CASE("html: the page asks for nothing and is the same each time") {
  const std::string page = page_of({}, {two_values()});
  CHECK(page == page_of({}, {two_values()}));
  CHECK(count_of(page, "default-src 'none'") == 1);
  for (const std::string_view forbidden :
       {"http:", "https:", "src=", "@import", "url(", "fetch(", "XMLHttpRequest", "innerHTML", "eval("})
    CHECK_MESSAGE(count_of(page, forbidden) == 0, forbidden);
  CHECK(page.size() < 150'000);  // the page itself; the data comes on top
}

TEST_CASE("html: no modules and no findings are a page too") {
  const auto data = data_of(page_of({}, {}));
  CHECK(data["modules"].empty());
  CHECK(data["findings"].empty());
}

TEST_CASE("twice the time of a finding is twice the time on the page") {
  const auto page_with = [](double seconds) {
    diagnostic d;
    d.rule = "PRF002", d.name = "some-name", d.level = severity::warning, d.message = "message";
    d.where = {source(std::string("a\n"), "m.txt"), {0, 1}};
    d.module = "jit_f", d.instruction = "i1";
    d.impacts = {{seconds, impact_unit::seconds}}, d.impact = d.impacts.front();
    run_result run;
    run.diagnostics = {d};
    return data_text(page_of(run, {}));
  };
  CHECK(page_with(0.0345).find("34.5 ms of a step\"") != std::string::npos);
  CHECK(page_with(0.069).find("69.0 ms of a step\"") != std::string::npos);
}
