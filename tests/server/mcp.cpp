// `hlolint mcp` through its protocol.
#include "client.hpp"

#include <hlolint/server/mcp/answers.hpp>
#include <hlolint/server/mcp/roots.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

using namespace hlolint::command;
using namespace hlolint::command::server;
using namespace hlolint::command::server::testing;

namespace {

json hello(const std::string& version = "2025-11-25", json capabilities = json::object()) {
  return request(0, "initialize",
                 {{"protocolVersion", version},
                  {"capabilities", capabilities},
                  {"clientInfo", {{"name", "t"}, {"version", "1"}}}});
}

json tool_call(int id, const std::string& name, json arguments) {
  return request(id, "tools/call", {{"name", name}, {"arguments", std::move(arguments)}});
}

std::vector<json> talk(std::vector<json> messages, const std::string& root) {
  messages.insert(messages.begin(), {hello(), notification("notifications/initialized")});
  return talk_mcp(joined(messages, framing::lines), root).messages;
}

}  // namespace

TEST_CASE("mcp: the version of the client, else the newest") {
  const scratch f;
  for (const char* const version : {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}) {
    const auto got = talk_mcp(framed(hello(version).dump(), framing::lines), f.path()).messages;
    CHECK(answer_to(got, 0)["result"]["protocolVersion"] == version);
  }
  const auto got = talk_mcp(framed(hello("1999-01-01").dump(), framing::lines), f.path()).messages;
  CHECK(answer_to(got, 0)["result"]["protocolVersion"] == "2025-11-25");
  CHECK(answer_to(got, 0)["result"]["serverInfo"]["name"] == "hlolint");
}

TEST_CASE("mcp: lifecycle errors") {
  const scratch f;
  const auto early =
      talk_mcp(joined({request(1, "ping"), request(2, "tools/list"), request(3, "initialize")}, framing::lines),
               f.path())
          .messages;
  CHECK(answer_to(early, 1)["result"] == json::object());
  CHECK(answer_to(early, 2)["error"]["code"] == -32600);
  CHECK(answer_to(early, 3)["error"]["code"] == -32602);
  const auto got = talk({request(1, "nothing"), hello(), request(3, "tools/list", {{"cursor", "x"}})}, f.path());
  CHECK(answer_to(got, 1)["error"]["code"] == -32601);
  CHECK(answer_to(got, 3)["error"]["code"] == -32602);
}

TEST_CASE("mcp: requests that name their revision need no initialize") {
  const scratch f;
  const json meta{{"_meta", {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"}}}};
  const json wrong{{"_meta", {{"io.modelcontextprotocol/protocolVersion", "2099-01-01"}}}};
  const auto got =
      talk_mcp(
          joined({request(1, "server/discover", meta), request(2, "tools/list", meta), request(3, "tools/list", wrong)},
                 framing::lines),
          f.path())
          .messages;
  CHECK(answer_to(got, 1)["result"]["supportedVersions"] == json{"2026-07-28"});
  CHECK(answer_to(got, 2)["result"]["resultType"] == "complete");
  CHECK(answer_to(got, 2)["result"]["tools"].size() == 8);
  CHECK(answer_to(got, 3)["error"]["code"] == -32022);
  CHECK(answer_to(got, 3)["error"]["data"]["requested"] == "2099-01-01");
}

TEST_CASE("mcp: eight tools with schemas") {
  const scratch f;
  const auto tools = answer_to(talk({request(1, "tools/list")}, f.path()), 1)["result"]["tools"];
  std::string names;
  for (const json& tool : tools) {
    names += tool["name"].get<std::string>() + " ";
    CHECK(tool["inputSchema"]["type"] == "object");
    CHECK(tool["inputSchema"]["additionalProperties"] == false);
    CHECK(tool["outputSchema"]["type"] == "object");
    CHECK(tool["annotations"]["readOnlyHint"] == true);
    for (const auto& [name, schema] : tool["inputSchema"]["properties"].items())
      CHECK(!schema["description"].get<std::string>().empty());
  }
  CHECK(names == "lint memory time show query diff advise explain ");
}

TEST_CASE("mcp: every tool answers within 8 KB, as text and as values") {
  const scratch f;
  const std::string dump = f.write("module_0001.step.gpu_after_optimizations.txt", program);
  const std::vector<json> calls{
      tool_call(1, "lint", {{"paths", {dump}}}),
      tool_call(2, "memory", {{"paths", {dump}}}),
      tool_call(3, "time", {{"paths", {dump}}, {"device", "h100-sxm"}}),
      tool_call(4, "show", {{"path", dump}, {"name", "fusion.1"}}),
      tool_call(5, "query", {{"query", "fusion"}, {"paths", {dump}}}),
      tool_call(6, "diff", {{"old", dump}, {"new", dump}}),
      tool_call(7, "advise", {{"paths", {dump}}, {"max_search", 10}}),
      tool_call(8, "explain", {{"rule", "PAD001"}}),
      tool_call(9, "query", {{"query", "dot"}, {"paths", {dump}}}),
      tool_call(10, "lint", {{"paths", {"module_0001.step.gpu_after_optimizations.txt"}}, {"top", 1}})};
  const auto got = talk(calls, f.path());
  for (int id = 1; id <= 10; ++id) {
    CAPTURE(id);
    const json result = answer_to(got, id)["result"];
    CAPTURE(result.dump());
    CHECK(!result.contains("isError"));
    CHECK(result.dump().size() <= 8192);
    CHECK(result["content"][0]["type"] == "text");
    CHECK(result["structuredContent"].is_object());
  }
  CHECK(answer_to(got, 4)["result"]["structuredContent"]["show"][0]["name"] == "fusion.1");
  CHECK(answer_to(got, 5)["result"]["structuredContent"]["status"] == 0);
  CHECK(answer_to(got, 9)["result"]["structuredContent"]["status"] == 1);
}

TEST_CASE("mcp: a query asks about bytes on the module's device") {
  const scratch f;
  const std::string dump = f.write("m.txt", "HloModule m\n\nENTRY e {\n  ROOT p = s32[] parameter(0)\n}\n");
  const json asked{{"query", "any where padded bytes >= 1KiB"}, {"paths", {dump}}, {"count", true}};
  json on_gpu = asked, on_tpu = asked;
  on_gpu["target"] = "gpu", on_tpu["target"] = "tpu";
  const auto got =
      talk({tool_call(1, "query", on_gpu), tool_call(2, "query", on_tpu), tool_call(3, "query", asked)}, f.path());
  const auto count = [&](int id) { return answer_to(got, id)["result"]["structuredContent"]["count"]; };
  CHECK(count(1) == 0);
  CHECK(count(2) == 1);
  CHECK(count(3) == 0);
}

TEST_CASE("mcp: what is wrong with a call is said to the model") {
  const scratch f;
  const std::string dump = f.write("m.txt", program);
  struct {
    const char* tool;
    json arguments;
    const char* says;
  } const cases[] = {
      {"lint", json::object(), "'paths' is missing"},
      {"lint", {{"paths", json::array()}}, "'paths' is empty"},
      {"lint", {{"paths", {3}}}, "'paths' is a text"},
      {"lint", {{"paths", {dump}}, {"pahts", 1}}, "there is no argument 'pahts'"},
      {"lint", {{"path", dump}}, "there is no argument 'path' (did you mean paths?); lint takes paths, "},
      {"show", {{"path", dump}, {"thing", "p"}}, "show takes path, name, "},
      {"show", {{"path", dump}}, "'name' is missing: "},
      {"lint", {{"paths", {dump}}, {"target", "abacus"}}, "is one of cpu, gpu, tpu"},
      {"lint", {{"paths", {dump}}, {"max_bytes", 10}}, "from 2048 to 8192"},
      {"lint", {{"paths", {dump}}, {"cursor", "x"}}, "no cursor of a report; `omitted`"},
      {"lint", {{"paths", {f.path() + "/none.txt"}}}, "cannot be read"},
      {"show", {{"path", dump}, {"name", "nobody"}}, "nothing named 'nobody'"},
      {"show", {{"path", dump}, {"name", "fusion.9"}}, "(did you mean fusion.1?)"},
      {"query", {{"query", "copy where"}, {"paths", {dump}}}, "query:1:"},
      {"explain", {{"rule", "--help"}}, "unknown rule"},
      {"lint", {{"paths", {"/etc/hostname"}}}, "outside of the folders"}};
  int id = 1;
  for (const auto& one : cases) {
    CAPTURE(one.says);
    const json result = answer_to(talk({tool_call(id, one.tool, one.arguments)}, f.path()), id)["result"];
    CHECK(result["isError"] == true);
    CHECK(result["content"][0]["text"].get<std::string>().find(one.says) != std::string::npos);
  }
  const json refused = answer_to(talk({tool_call(1, "rm", json::object())}, f.path()), 1)["error"];
  CHECK(refused["code"] == -32602);
  CHECK(refused["message"] == "Unknown tool: rm; there are lint, memory, time, show, query, diff, advise, explain");
}

TEST_CASE("mcp: numbers of bytes are readable, and nothing is said twice") {
  const output report{
      {"memory", output::array({{{"resident", output::array({{{"bytes", 4096}}})},
                                 {"live", {{"values", output::array({{{"value", "v"}, {"size", 2048}}})}}},
                                 {"groups", output::array({{{"passes", {{"forward", 1 << 20}}}}})}}})},
      {"diagnostics", output::array({{{"impact", {{"amount", 3221225472.0}, {"unit", "moved_bytes"}}}},
                                     {{"impact", {{"amount", 0.002}, {"unit", "seconds"}}}}})}};
  const output answer = answer_of({.status = 0, .report = report, .errors = {}}, {});
  const std::string text = answer["content"][0]["text"];
  CAPTURE(text);
  CHECK(text.find("resident") == std::string::npos);
  CHECK(text.find("value v, size 2.0KiB") != std::string::npos);
  CHECK(text.find("passes (forward 1.00MiB)") != std::string::npos);
  CHECK(text.find("impact 3.00GiB moved") != std::string::npos);
  CHECK(text.find("impact 2.00 ms") != std::string::npos);
}

TEST_CASE("mcp: the text about a thing says what runs before it and after it") {
  const scratch f;
  const std::string dump = f.write("module_0001.step.gpu_after_optimizations.txt", program);
  const json result =
      answer_to(talk({tool_call(1, "show", {{"path", dump}, {"name", "start"}})}, f.path()), 1)["result"];
  const std::string text = result["content"][0]["text"];
  CAPTURE(text);
  CHECK(text.find("runs after fusion.1, runs before done") != text.npos);
  CHECK(result["structuredContent"]["show"][0]["before"] == "fusion.1");
}

TEST_CASE("mcp: cursors reach all that a report has") {
  const scratch f;
  std::string text = "HloModule m, is_scheduled=true\n\nENTRY e {\n  i0 = s32[256] parameter(0)\n";
  constexpr int count = 1500;
  for (int i = 1; i < count; ++i)
    text += "  " + std::string(i + 1 == count ? "ROOT " : "") + "i" + std::to_string(i) + " = s32[256] negate(i" +
            std::to_string(i - 1) + ")\n";
  const std::string dump = f.write("module_0001.m.gpu_after_optimizations.txt", text + "}\n");
  const json asked{{"query", "any"}, {"paths", {dump}}};
  json page = asked;
  page["cursor"] = "/matches@1490";
  const auto got = talk({tool_call(1, "query", asked), tool_call(2, "query", page),
                         tool_call(3, "show", {{"path", dump}, {"name", "i"}})},
                        f.path());
  const auto values = [&](int id) { return answer_to(got, id)["result"]["structuredContent"]; };
  const auto all_of = [](const json& answer, const char* list) {
    return answer[list].size() + answer["omitted"][0]["left_out"].get<std::size_t>();
  };
  CHECK(all_of(values(1), "matches") == count);
  CHECK(values(2)["page"]["of"] == count);
  CHECK(values(2)["entries"].size() == 10);
  CHECK(all_of(values(3), "candidates") >= count);
}

TEST_CASE("mcp: what the command itself leaves out is counted") {
  const output report{
      {"matches", output::array({{{"name", "a"}}, {{"name", "b"}}})},
      {"omitted", output::array({{{"list", "/matches"}, {"left_out", 7}, {"cursor", "/matches@2"}},
                                 {{"list", "/memory/0/curve"}, {"left_out", 9}, {"cursor", "/memory/0/curve@0"}}})}};
  const report_of_run run{.status = 0, .report = report, .errors = {}};
  const output whole = answer_of(run, {})["structuredContent"]["omitted"];
  CHECK(whole[0] == output{{"list", "/matches"}, {"left_out", 7}});
  CHECK(whole[1] == output{{"list", "/memory/0/curve"}, {"left_out", 9}});
  hlolint::command::excerpt_options wanted;
  wanted.top = 1;
  const output first = answer_of(run, wanted)["structuredContent"]["omitted"][0];
  CHECK(first == output{{"list", "/matches"}, {"left_out", 8}, {"cursor", "/matches@1"}});
  wanted.cursor = "/matches@1";
  CHECK(answer_of(run, wanted)["structuredContent"]["page"]["of"] == 9);
}

TEST_CASE("mcp: files that a configuration names are read only in the folders of the client") {
  const scratch allowed, other;
  const std::string dump = allowed.write("m.txt", program);
  const std::string secret = other.write("device.toml", "base = \"h100-sxm\"\n");
  for (const char* const key : {"baseline", "device"}) {
    CAPTURE(key);
    allowed.write(".hlolint.toml", std::string(key) + " = \"" + secret + "\"\n");
    const json result = answer_to(talk({tool_call(1, "lint", {{"paths", {dump}}})}, allowed.path()), 1)["result"];
    CHECK(result["isError"] == true);
    CHECK(result.dump().find(secret + " is not read: it is outside of the folders") != std::string::npos);
  }
  allowed.write(".hlolint.toml", "device = \"h100-sxm\"\n");
  CHECK(!answer_to(talk({tool_call(1, "lint", {{"paths", {dump}}})}, allowed.path()), 1)["result"].contains("isError"));
}

TEST_CASE("mcp: refusals repeat only a part of what is long") {
  const scratch f;
  const std::string dump = f.write("m.txt", program), endless(20'000, 'z');
  json unknown{{"paths", {dump}}}, cursor = unknown;
  unknown[endless] = 1, cursor["cursor"] = "/" + endless + "@0";
  const auto got =
      talk({tool_call(1, "lint", {{"paths", {endless}}}), tool_call(2, "lint", {{"paths", {"/" + endless}}}),
            tool_call(3, "query", {{"query", endless}, {"paths", {dump}}}),
            tool_call(4, "show", {{"path", dump}, {"name", endless}}), tool_call(5, "explain", {{"rule", endless}}),
            tool_call(6, "lint", unknown), tool_call(7, "lint", cursor), tool_call(8, endless, json::object()),
            request(9, "resources/read", {{"uri", "file:///" + endless}}), request(10, endless)},
           f.path());
  for (int id = 1; id <= 10; ++id) {
    CAPTURE(id);
    CHECK(answer_to(got, id).dump().size() < 8192);
  }
  CHECK(answer_to(got, 2)["result"].dump().find("is not read: it is outside of the folders") != std::string::npos);
}

TEST_CASE("mcp: the folders of the client hold, and links do not lead out of them") {
  const scratch allowed, other;
  const std::string inside = allowed.write("m.txt", program), outside = other.write("secret.txt", program);
  std::filesystem::create_symlink(outside, allowed.path() + "/link.txt");
  const json roots_answer{
      {"jsonrpc", "2.0"}, {"id", 1}, {"result", {{"roots", json::array({{{"uri", uri_of_path(allowed.path())}}})}}}};
  const std::string input =
      joined({hello("2025-11-25", {{"roots", json::object()}}), notification("notifications/initialized"),
              tool_call(1, "lint", {{"paths", {inside}}}), tool_call(2, "lint", {{"paths", {outside}}}),
              tool_call(3, "lint", {{"paths", {allowed.path() + "/link.txt"}}}),
              tool_call(4, "query", {{"query", "fusion"}, {"count", true}, {"paths", {allowed.path()}}})},
             framing::lines);
  const auto got = talk_mcp(input, other.path(), framed(roots_answer.dump(), framing::lines), "roots/list").messages;
  CHECK(!answer_to(got, 1)["result"].contains("isError"));
  CHECK(answer_to(got, 2)["result"]["isError"] == true);
  CHECK(answer_to(got, 3)["result"]["isError"] == true);
  CHECK(answer_to(got, 4)["result"].dump().find("secret") == std::string::npos);
}

TEST_CASE("mcp: a path that does not exist is named as that, and the folder is known by its name, too") {
  const scratch f;
  f.write("m.txt", program);
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(std::filesystem::path(f.path()).parent_path());
  const std::string name = std::filesystem::path(f.path()).filename().string();
  const auto got = talk({tool_call(1, "lint", {{"paths", {"nosuch.txt"}}}), tool_call(2, "lint", {{"paths", {name}}}),
                         tool_call(3, "lint", {{"paths", {"m.txt"}}})},
                        name);
  std::filesystem::current_path(before);
  CHECK(answer_to(got, 1)["result"].dump().find("No such file") != std::string::npos);
  CHECK(!answer_to(got, 2)["result"].contains("isError"));
  CHECK(!answer_to(got, 3)["result"].contains("isError"));
  CHECK(answer_to(got, 0)["result"]["instructions"].get<std::string>().find(f.path()) != std::string::npos);
}

TEST_CASE("mcp: texts name arguments of the tools, not options of the command") {
  const scratch f;
  const std::string dump = f.write("m.txt", program);
  const auto got = talk({request(1, "tools/list"), tool_call(2, "time", {{"paths", {dump}}, {"trip", -3}}),
                         tool_call(3, "time", {{"paths", {dump}}, {"module", "nosuch"}}),
                         tool_call(4, "time", {{"paths", {dump}}, {"device", "tpu-v5e"}})},
                        f.path());
  for (const json& tool : answer_to(got, 1)["result"]["tools"])
    for (const json& argument : tool["inputSchema"]["properties"])
      CHECK(argument["description"].get<std::string>().find("--by ") == std::string::npos);
  CHECK(answer_to(got, 2)["result"]["isError"] == true);
  CHECK(answer_to(got, 2)["result"].dump().find("--help") == std::string::npos);
  CHECK(answer_to(got, 3)["result"].dump().find("module: there is no module nosuch, but step") != std::string::npos);
  CHECK(answer_to(got, 4)["result"].dump().find(" (--") == std::string::npos);
}

TEST_CASE("mcp: progress for those who ask for it") {
  const scratch f;
  const std::string dump = f.write("m.txt", program);
  json asked = tool_call(1, "lint", {{"paths", {dump}}});
  asked["params"]["_meta"] = {{"progressToken", "p"}};
  const auto told = notifications(talk({asked}, f.path()), "notifications/progress");
  REQUIRE(told.size() >= 2);
  for (std::size_t i = 0; i < told.size(); ++i) {
    CHECK(told[i]["progressToken"] == "p");
    CHECK(told[i]["progress"] == i);
  }
  CHECK(notifications(talk({tool_call(1, "lint", {{"paths", {dump}}})}, f.path()), "notifications/progress").empty());
}

TEST_CASE("mcp: resources") {
  const scratch f;
  const std::string dump = f.write("module_0001.step.gpu_after_optimizations.txt", program);
  f.write("notes.txt", "no dump");
  const auto got =
      talk({request(1, "resources/list"), request(2, "resources/read", {{"uri", uri_of_path(dump)}}),
            request(3, "resources/read", {{"uri", "file:///etc/hostname"}}),
            request(4, "resources/read", {{"uri", "hlolint://rule/PAD001"}}), request(5, "resources/templates/list"),
            request(6, "resources/read"), request(7, "resources/read", {{"uri", "hlolint://rule/X"}}),
            request(8, "resources/read", {{"uri", "hlolint://rules"}})},
           f.path());
  const json list = answer_to(got, 1)["result"]["resources"];
  REQUIRE(list.size() == 2);
  CHECK(list[1]["uri"] == uri_of_path(dump));
  const json rules = answer_to(got, 8)["result"]["contents"][0];
  CHECK(rules["uri"] == list[0]["uri"]);
  CHECK(rules["mimeType"] == list[0]["mimeType"]);
  CHECK(answer_to(got, 2)["result"]["contents"][0]["text"] == std::string(program));
  CHECK(answer_to(got, 3)["error"]["code"] == -32002);
  CHECK(answer_to(got, 4)["result"]["contents"][0]["text"].get<std::string>().find("tile-padding") !=
        std::string::npos);
  CHECK(answer_to(got, 5)["result"]["resourceTemplates"].size() == 2);
  CHECK(answer_to(got, 6)["error"]["code"] == -32602);
  CHECK(answer_to(got, 7)["error"]["code"] == -32002);
}

TEST_CASE("mcp: an answer changes when the file does") {
  const scratch f;
  const std::string dump = f.write("m.txt", program);
  const json asked{{"query", "fusion"}, {"paths", {dump}}, {"count", true}};
  const std::string first = joined({hello(), tool_call(1, "query", asked)}, framing::lines);
  patient_client client(first, framed(tool_call(2, "query", asked).dump(), framing::lines), "\"id\":1");
  bool changed = false;
  std::size_t sent = 0;
  byte_source all = client.source();
  connection with(
      [&](char* to, std::size_t size) {
        const std::size_t got = all(to, size);
        sent += got;
        // The first answer is there before the second question is.
        if (sent > first.size() && !std::exchange(changed, true))
          f.write("m.txt", "HloModule other\n\nENTRY %e {\n  ROOT %p = f32[] parameter(0)\n}\n");
        return got;
      },
      client.sink(), mcp_protocol());
  const arguments given = arguments_of({"mcp", "--root", f.path()});
  serve_mcp(with, given);
  const auto got = messages_in(client.written(), framing::lines);
  CHECK(answer_to(got, 1)["result"]["structuredContent"]["count"] == 1);
  CHECK(answer_to(got, 2)["result"]["structuredContent"]["count"] == 0);
}

TEST_CASE("addresses of files") {
  CHECK(uri_of_path("/a b/%c\xC3\xA4.txt") == "file:///a%20b/%25c%C3%A4.txt");
  CHECK(path_of_uri("file:///a%20b/%25c%C3%A4.txt") == "/a b/%c\xC3\xA4.txt");
  CHECK(path_of_uri("file://host/x#L3") == "/x");
  for (const char* const wrong : {"http://x/y", "file:", "file:///a%2", "file:///a%zz", "file:///a%00", ""})
    CHECK_FALSE(path_of_uri(wrong));
}
