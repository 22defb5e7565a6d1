// `hlolint lsp` through its protocol.
#include "client.hpp"

#include <hlolint/server/lsp/positions.hpp>
#include <hlolint/server/mcp/roots.hpp>

#include <doctest/doctest.h>

#include <iterator>
#include <set>
#include <string>
#include <vector>

using namespace hlolint::command;
using namespace hlolint::command::server;
using namespace hlolint::command::server::testing;

namespace {

json rich_client() {
  return {{"general", {{"positionEncodings", {"utf-16"}}}},
          {"textDocument",
           {{"hover", {{"contentFormat", {"markdown", "plaintext"}}}},
            {"documentSymbol", {{"hierarchicalDocumentSymbolSupport", true}}},
            {"publishDiagnostics", {{"relatedInformation", true}}}}},
          {"workspace", {{"workspaceEdit", {{"documentChanges", true}, {"resourceOperations", {"create"}}}}}}};
}

json hello(json capabilities) {
  return request(0, "initialize",
                 {{"processId", nullptr}, {"rootUri", nullptr}, {"capabilities", std::move(capabilities)}});
}

// A conversation about one document, from initialize to exit.
outcome talk(const std::string& uri, std::string_view text, std::vector<json> messages,
             json capabilities = rich_client(), const std::string& awaited = {}) {
  std::vector<json> all{
      hello(std::move(capabilities)), notification("initialized"),
      notification("textDocument/didOpen",
                   {{"textDocument", {{"uri", uri}, {"languageId", "hlo"}, {"version", 1}, {"text", text}}}})};
  all.insert(all.end(), messages.begin(), messages.end());
  const json end[] = {request(999, "shutdown"), notification("exit")};
  return talk_lsp(joined(all, framing::headers), joined({std::begin(end), std::end(end)}, framing::headers), awaited);
}

// The diagnostics that are published about a document.
json published_about(const std::string& uri, std::string_view text) {
  const auto told = notifications(talk(uri, text, {}, rich_client(), "publishDiagnostics").messages,
                                  "textDocument/publishDiagnostics");
  REQUIRE(!told.empty());
  return told.back();
}

// The position of the first place where `word` follows `before` in a text.
json position_of_word(std::string_view text, std::string_view before, std::string_view word) {
  const std::size_t at = text.find(word, text.find(before));
  const std::size_t line =
      static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  return {{"line", line}, {"character", at - (text.rfind('\n', at) + 1)}};
}

json at(const std::string& uri, std::string_view before, std::string_view word) {
  return {{"textDocument", {{"uri", uri}}}, {"position", position_of_word(program, before, word)}};
}

const std::string uri = "file:///nowhere/module_0001.step.gpu_after_optimizations.txt";

}  // namespace

TEST_CASE("lsp: lifecycle") {
  const outcome done = talk(uri, program, {});
  CHECK(done.status == 0);
  CHECK(answer_to(done.messages, 999)["result"].is_null());
  const json capabilities = answer_to(done.messages, 0)["result"]["capabilities"];
  CHECK(capabilities["positionEncoding"] == "utf-16");
  CHECK(capabilities["textDocumentSync"]["change"] == 2);
  CHECK_FALSE(capabilities.contains("diagnosticProvider"));
  CHECK(talk_lsp(joined({notification("exit")}, framing::headers)).status == 1);
  CHECK(talk_lsp("").status == 1);
  const auto early = talk_lsp(
      joined({request(1, "textDocument/hover"), hello(json::object()), hello(json::object()), request(2, "no/such"),
              request(3, "shutdown"), request(4, "textDocument/hover"), notification("exit")},
             framing::headers));
  CHECK(early.status == 0);
  CHECK(answer_to(early.messages, 1)["error"]["code"] == -32002);
  CHECK(answer_to(early.messages, 2)["error"]["code"] == -32601);
  CHECK(answer_to(early.messages, 4)["error"]["code"] == -32600);
}

TEST_CASE("lsp: hover, definition, references") {
  const auto got = talk(uri, program,
                        {request(1, "textDocument/hover", at(uri, "ENTRY", "fusion.1 =")),
                         request(2, "textDocument/definition", at(uri, "fusion(", "p)")),
                         request(3, "textDocument/definition", at(uri, "calls=", "fused_computation")),
                         request(4, "textDocument/definition", at(uri, "%fused", "param_0 =")),
                         request(5, "textDocument/definition", at(uri, "%fusion.1", "start =")),
                         request(6, "textDocument/definition", at(uri, "all-gather-start", "done =")),
                         request(7, "textDocument/hover", at(uri, "%done", "all-gather-done")),
                         request(8, "textDocument/hover", at(uri, "%start", "replica_groups")),
                         request(9, "textDocument/implementation", at(uri, "fusion(", "p)")),
                         request(10, "textDocument/hover", at(uri, "%fusion.1", "f32[1024")),
                         request(11, "textDocument/hover",
                                 {{"textDocument", {{"uri", uri}}}, {"position", {{"line", 99}, {"character", 9}}}})})
                       .messages;
  const std::string hover = answer_to(got, 1)["result"]["contents"]["value"];
  for (const char* const part : {"**fusion.1: fusion", "1.50MiB", "one kernel", "f.py:2"}) {
    CAPTURE(hover);
    CHECK(hover.find(part) != std::string::npos);
  }
  const auto line = [&](int id) { return answer_to(got, id)["result"][0]["range"]["start"]["line"].get<int>(); };
  CHECK(line(2) == 8);
  CHECK(line(3) == 2);
  CHECK(line(4) == 9);   // the operand of the fusion
  CHECK(line(5) == 11);  // its done
  CHECK(line(6) == 10);  // its start
  CHECK(line(9) == 3);
  CHECK(answer_to(got, 7)["result"]["contents"]["value"].get<std::string>().find("Waits for an all-gather") !=
        std::string::npos);
  CHECK(answer_to(got, 8)["result"]["contents"]["value"].get<std::string>().find("1 group of 4 devices") !=
        std::string::npos);
  CHECK(answer_to(got, 10)["result"]["contents"]["value"].get<std::string>().find("no padding") != std::string::npos);
  CHECK(answer_to(got, 11)["result"].is_null());
}

TEST_CASE("lsp: parameters lead to the operands that give them values, and back") {
  const std::string text = R"(HloModule c

%less (a: f32[], b: f32[], c: s32[], d: s32[]) -> pred[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  %c = s32[] parameter(2)
  %d = s32[] parameter(3)
  ROOT %lt = pred[] compare(%a, %b), direction=LT
}

%sum (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %s = f32[] add(%x, %y)
}

%sum.2 (u: f32[], v: f32[]) -> f32[] {
  %u = f32[] parameter(0)
  %v = f32[] parameter(1)
  ROOT %w = f32[] add(%u, %v)
}

%yes (t: f32[8]) -> f32[8] {
  %t = f32[8]{0} parameter(0)
  ROOT %n = f32[8]{0} negate(%t)
}

%no (f: f32[8]) -> f32[8] {
  %f = f32[8]{0} parameter(0)
  ROOT %m = f32[8]{0} sine(%f)
}

ENTRY %main (p: pred[], q: f32[8], r: f32[8], k: s32[8], at: s32[2,1], by: f32[2]) -> (f32[8], f32[], f32[8]) {
  %p = pred[] parameter(0)
  %q = f32[8]{0} parameter(1)
  %r = f32[8]{0} parameter(2)
  %k = s32[8]{0} parameter(3)
  %at = s32[2,1]{1,0} parameter(4)
  %by = f32[2]{0} parameter(5)
  %if = f32[8]{0} conditional(%p, %q, %r), true_computation=%yes, false_computation=%no
  %zero = f32[] constant(0)
  %red = f32[] reduce(%q, %zero), dimensions={0}, to_apply=%sum
  %sorted = (f32[8]{0}, s32[8]{0}) sort(%r, %k), dimensions={0}, to_apply=%less
  %put = f32[8]{0} scatter(%q, %at, %by), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=%sum.2
  ROOT %out = (f32[8]{0}, f32[], f32[8]{0}) tuple(%if, %red, %put)
}
)";
  struct {
    const char *computation, *parameter, *caller, *operand;
  } const cases[] = {{"%yes", "t =", "conditional", "q, "}, {"%no", "f =", "conditional", "r)"},
                     {"%less", "b =", "sort(", "r, "},      {"%less", "c =", "sort(", "k)"},
                     {"%sum ", "x =", "reduce(", "zero"},   {"%sum ", "y =", "reduce(", "q, "},
                     {"%sum.2", "u =", "scatter(", "q, "},  {"%sum.2", "v =", "scatter(", "by)"}};
  for (const auto& one : cases) {
    CAPTURE(one.caller);
    CAPTURE(one.operand);
    const json document{{"uri", uri}}, parameter = position_of_word(text, one.computation, one.parameter),
                                       operand = position_of_word(text, one.caller, one.operand);
    const auto got =
        talk(uri, text,
             {request(1, "textDocument/definition", {{"textDocument", document}, {"position", parameter}}),
              request(2, "textDocument/implementation", {{"textDocument", document}, {"position", operand}})})
            .messages;
    const json given = answer_to(got, 1)["result"], taken = answer_to(got, 2)["result"];
    REQUIRE(given.size() == 1);
    CHECK(given[0]["range"]["start"] == operand);
    CHECK(taken.dump().find(parameter.dump()) != std::string::npos);
  }
}

TEST_CASE("lsp: calls are those of the module that a computation is in") {
  const auto module_named = [](const std::string& name) {
    return "HloModule " + name + "\nf { x = f32[] parameter(0) ROOT y = f32[] negate(x) }\nENTRY " + name +
           ".main { p = f32[] parameter(0) ROOT c = f32[] call(p), to_apply=f }\n";
  };
  const std::string text = module_named("a") + module_named("b");
  const json place{{"textDocument", {{"uri", uri}}}, {"position", position_of_word(text, "HloModule b", "f {")}};
  const json item =
      answer_to(talk(uri, text, {request(1, "textDocument/prepareCallHierarchy", place)}).messages, 1)["result"][0];
  const json calls =
      answer_to(talk(uri, text, {request(1, "callHierarchy/incomingCalls", {{"item", item}})}).messages, 1)["result"];
  REQUIRE(calls.size() == 1);
  CHECK(calls[0]["from"]["name"] == "b.main");
}

TEST_CASE("lsp: hovers explain the attributes of headers, and words that are values") {
  const std::string text =
      "HloModule m, is_scheduled=true, num_partitions=4\n\nf { x = f32[8] parameter(0) ROOT y = f32[8] negate(x) }\n"
      "ENTRY e {\n  p = f32[8] parameter(0)\n  ROOT c = f32[8] fusion(p), kind=kLoop, calls=f\n}\n";
  struct {
    const char *word, *says;
  } const cases[] = {{"is_scheduled", "Whether the order of the text is the order of execution"},
                     {"num_partitions", "The number of devices"},
                     {"4\n", "The number of devices"},
                     {"kLoop", "kLoop: One loop"}};
  for (const auto& one : cases) {
    CAPTURE(one.word);
    const json asked{{"textDocument", {{"uri", uri}}}, {"position", position_of_word(text, "", one.word)}};
    const json hover = answer_to(talk(uri, text, {request(1, "textDocument/hover", asked)}).messages, 1)["result"];
    CHECK(hover.dump().find(one.says) != std::string::npos);
  }
}

TEST_CASE("lsp: sizes are those of the module's device") {
  const std::string text =
      "HloModule m, is_scheduled=true\n\nENTRY %e (i: s32[], p: f32[64]) -> (s32[], f32[64]) {\n"
      "  %i = s32[] parameter(0)\n  %p = f32[64]{0} parameter(1)\n"
      "  ROOT %t = (s32[], f32[64]{0}) tuple(%i, %p)\n}\n";
  const auto words_on = [&](const std::string& name) {
    const std::string address = "file:///nowhere/module_0001.m." + name + "_after_optimizations.txt";
    const json document{{"uri", address}};
    const auto got =
        talk(address, text,
             {request(1, "textDocument/hover",
                      {{"textDocument", document}, {"position", position_of_word(text, "ROOT", "t =")}}),
              request(
                  2, "textDocument/inlayHint",
                  {{"textDocument", document},
                   {"range", {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 9}, {"character", 0}}}}}}),
              request(3, "textDocument/documentSymbol", {{"textDocument", document}})})
            .messages;
    std::string out = answer_to(got, 1)["result"].dump();
    for (int id = 2; id <= 3; ++id) out += answer_to(got, id)["result"].dump();
    return out;
  };
  for (const char* const name : {"gpu", "cpu"}) {
    const std::string words = words_on(name);
    CAPTURE(words);
    CHECK(words.find("2 elements, 260B together") != words.npos);
    CHECK(words.find("parameter, 4B") != words.npos);
    CHECK(words.find("of result") == words.npos);
  }
  CHECK(words_on("tpu").find("4.0KiB of result") != std::string::npos);
}

TEST_CASE("lsp: references, calls, outline, folding, hints, tokens") {
  json uses = at(uri, "ENTRY", "fusion.1 =");
  uses["context"] = {{"includeDeclaration", true}};
  const json whole{{"textDocument", {{"uri", uri}}},
                   {"range", {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 99}, {"character", 0}}}}}};
  const json document{{"textDocument", {{"uri", uri}}}};
  const auto got =
      talk(uri, program,
           {request(1, "textDocument/references", uses),
            request(2, "textDocument/prepareCallHierarchy", at(uri, "calls=", "fused_computation")),
            request(3, "textDocument/documentSymbol", document), request(4, "textDocument/foldingRange", document),
            request(5, "textDocument/inlayHint", whole), request(6, "textDocument/semanticTokens/full", document),
            request(7, "textDocument/semanticTokens/range", whole), request(8, "textDocument/documentLink", document),
            request(9, "textDocument/documentHighlight", at(uri, "ENTRY", "fusion.1 =")),
            request(10, "workspace/symbol", {{"query", "fusion"}})})
          .messages;
  CHECK(answer_to(got, 1)["result"].size() == 2);
  const json item = answer_to(got, 2)["result"][0];
  CHECK(item["name"] == "fused_computation");
  const json symbols = answer_to(got, 3)["result"];
  CHECK(symbols[0]["name"] == "step");
  CHECK(symbols[0]["children"][1]["children"].size() == 5);
  CHECK(answer_to(got, 4)["result"].size() == 2);
  bool has_bytes = false;
  const json hints = answer_to(got, 5)["result"];
  for (const json& hint : hints)
    has_bytes = has_bytes || hint["label"].get<std::string>().find("1.50MiB") != std::string::npos;
  CHECK(has_bytes);
  const json tokens = answer_to(got, 6)["result"]["data"];
  CHECK(tokens.size() % 5 == 0);
  CHECK(tokens.size() > 5 * 20);
  CHECK(tokens == answer_to(got, 7)["result"]["data"]);
  CHECK(answer_to(got, 8)["result"].empty());
  CHECK(answer_to(got, 9)["result"].size() == 2);
  CHECK(answer_to(got, 10)["result"].size() >= 1);

  const auto calls = talk(uri, program,
                          {request(1, "callHierarchy/incomingCalls", {{"item", item}}),
                           request(2, "callHierarchy/outgoingCalls", {{"item", item}})})
                         .messages;
  CHECK(answer_to(calls, 1)["result"][0]["from"]["name"] == "main");
  CHECK(answer_to(calls, 1)["result"][0]["fromRanges"].size() == 1);
  CHECK(answer_to(calls, 2)["result"].empty());
}

TEST_CASE("lsp: diagnostics are published, or pulled where the editor does so") {
  const std::string broken = std::string(program) + "\nENTRY2 %x {\n  %bad = f32[ parameter(0)\n}\n";
  const json published = published_about(uri, broken);
  bool syntax = false;
  for (const json& one : published["diagnostics"]) syntax = syntax || (one["code"] == "SYN001" && one["severity"] == 1);
  CHECK(syntax);
  CHECK(published["version"] == 1);

  json pulls = rich_client();
  pulls["textDocument"]["diagnostic"] = json::object();
  const json asked{{"textDocument", {{"uri", uri}}}};
  const auto got = talk(uri, broken, {request(1, "textDocument/diagnostic", asked)}, pulls).messages;
  CHECK(notifications(got, "textDocument/publishDiagnostics").empty());
  CHECK(answer_to(got, 0)["result"]["capabilities"]["diagnosticProvider"].is_object());
  const json report = answer_to(got, 1)["result"];
  CHECK(report["kind"] == "full");
  CHECK(!report["items"].empty());
  json again = asked;
  again["previousResultId"] = report["resultId"];
  CHECK(answer_to(talk(uri, broken, {request(1, "textDocument/diagnostic", again)}, pulls).messages,
                  1)["result"]["kind"] == "unchanged");
}

TEST_CASE("lsp: progress of a check that takes a while, where the editor shows it") {
  const std::string large = std::string(program) + "// " + std::string(std::size_t{1} << 20, 'x') + "\n";
  const json window{{"window", {{"workDoneProgress", true}}}};
  const auto talk_of = [&](const json& answered) {
    const json opened{
        {"textDocument", {{"uri", "file:///m.txt"}, {"languageId", "hlo"}, {"version", 1}, {"text", large}}}};
    return talk_lsp(joined({hello(window), notification("textDocument/didOpen", opened)}, framing::headers),
                    answered.is_null() ? "" : framed(answered.dump(), framing::headers), "workDoneProgress/create")
        .messages;
  };
  const auto kinds = [](const std::vector<json>& messages) {
    std::string out;
    for (const json& one : messages) {
      if (one.value("method", "") == "$/progress") out += one["params"]["value"]["kind"].get<std::string>() + " ";
      if (one.value("method", "") == "textDocument/publishDiagnostics") out += "diagnostics ";
    }
    return out;
  };
  const auto accepted = talk_of({{"jsonrpc", "2.0"}, {"id", 1}, {"result", nullptr}});
  CHECK(kinds(accepted) == "diagnostics begin end diagnostics ");
  CHECK(notifications(accepted, "$/progress")[0]["token"] ==
        notifications(accepted, "window/workDoneProgress/create").at(0)["token"]);
  CHECK(kinds(talk_of({{"jsonrpc", "2.0"}, {"id", 1}, {"error", {{"code", -32601}, {"message", "no"}}}})) ==
        "diagnostics diagnostics ");
  CHECK(kinds(talk_of(nullptr)) == "diagnostics diagnostics ");  // it says nothing
}

TEST_CASE("lsp: a large document has the findings of quick rules first, as soon as it is opened") {
  const std::string large = R"(HloModule step, is_scheduled=true

ENTRY %main (p: f32[100000,100000], q: f32[8]) -> (f32[100000,100000], f32[8]) {
  %p = f32[100000,100000]{1,0} parameter(0)
  %q = f32[8]{0} parameter(1)
  %negated = f32[100000,100000]{1,0} negate(%p)
  %q = f32[8]{0} add(%q, %q)
  ROOT %out = (f32[100000,100000]{1,0}, f32[8]{0}) tuple(%negated, %q)
}
)" + ("// " + std::string(std::size_t{1} << 20, 'x') + "\n");
  const std::string address = "file:///m.txt";
  json first = hello(rich_client());
  first["params"]["initializationOptions"] = {{"arguments", {"--device=tpu-v5e"}}};
  const json start{{"line", 0}, {"character", 0}};
  const json edit{{"textDocument", {{"uri", address}, {"version", 2}}},
                  {"contentChanges", {{{"range", {{"start", start}, {"end", start}}}, {"text", "\n"}}}}};
  const auto published = [&](const std::vector<json>& after, const std::string& awaited) {
    return notifications(
        talk_lsp(joined({first,
                         notification("textDocument/didOpen",
                                      {{"textDocument",
                                        {{"uri", address}, {"languageId", "hlo"}, {"version", 1}, {"text", large}}}})},
                        framing::headers),
                 joined(after, framing::headers), awaited)
            .messages,
        "textDocument/publishDiagnostics");
  };
  const auto rules = [](const json& shown) {
    std::set<std::string> out;
    for (const json& one : shown["diagnostics"]) out.insert(one["code"].get<std::string>());
    return out;
  };
  const std::vector<json> opened = published({}, "BUD001");
  REQUIRE(opened.size() == 2);
  CHECK(rules(opened[0]).contains("SYN002"));
  CHECK(!rules(opened[0]).contains("BUD001"));
  CHECK(rules(opened[1]).contains("SYN002"));
  CHECK(rules(opened[1]).contains("BUD001"));
  // After an edit all of them stay until the new ones are there.
  const std::vector<json> edited = published({notification("textDocument/didChange", edit)}, "BUD001");
  REQUIRE(edited.size() == 3);
  CHECK(edited[2]["version"] == 2);
  CHECK(rules(edited[2]) == rules(opened[1]));
}

TEST_CASE("lsp: a hover does not wait for the check by all rules") {
  std::string large = "HloModule step, is_scheduled=true\n\nENTRY %main (p: f32[512,512]) -> f32[512,512] {\n";
  large += "  %v0 = f32[512,512]{1,0} parameter(0)\n";
  constexpr int last = 10000;
  for (int i = 1; i <= last; ++i)
    large += (i == last ? "  ROOT %v" : "  %v") + std::to_string(i) + " = f32[512,512]{1,0} negate(%v" +
             std::to_string(i - 1) +
             "), metadata={op_name=\"jit(step)/layers/block/while/body/mlp/negate_the_value\"}\n";
  large += "}\n";
  const std::string address = "file:///m.txt";
  const json place{{"textDocument", {{"uri", address}}}, {"position", {{"line", 40}, {"character", 4}}}};
  const json opened{{"textDocument", {{"uri", address}, {"languageId", "hlo"}, {"version", 1}, {"text", large}}}};
  const std::string first =
      joined({hello({{"window", {{"workDoneProgress", true}}}}), notification("textDocument/didOpen", opened)},
             framing::headers);
  const json accepted{{"jsonrpc", "2.0"}, {"id", 1}, {"result", nullptr}};
  const auto got =
      talk_lsp(first, {{"workDoneProgress/create", framed(accepted.dump(), framing::headers)},
                       {"\"begin\"", framed(request(1, "textDocument/hover", place).dump(), framing::headers)}})
          .messages;
  CHECK(answer_to(got, 1)["result"]["contents"]["value"].get<std::string>().find("negate") != std::string::npos);
  REQUIRE(notifications(got, "textDocument/publishDiagnostics").size() == 2);
  const auto place_of = [&](auto&& is) { return std::find_if(got.begin(), got.end(), is) - got.begin(); };
  CHECK(place_of([](const json& one) { return one.value("id", json()) == 1 && one.contains("result"); }) <
        place_of([](const json& one) {
          return one.value("method", "") == "$/progress" && one["params"]["value"]["kind"] == "end";
        }));
}

TEST_CASE("lsp: answers about a part of a large text are small") {
  const std::string large = std::string(program) + "// " + std::string(std::size_t{5} << 20, 'x') + "\n";
  const json document{{"uri", "file:///m.txt"}},
      range{{"start", {{"line", 3}, {"character", 0}}}, {"end", {{"line", 5}, {"character", 0}}}};
  const std::vector<json> asked{
      request(1, "textDocument/semanticTokens/full", {{"textDocument", document}}),
      request(2, "textDocument/semanticTokens/range", {{"textDocument", document}, {"range", range}}),
      request(3, "textDocument/codeAction",
              {{"textDocument", document}, {"range", range}, {"context", {{"diagnostics", json::array()}}}})};
  const auto got = talk("file:///m.txt", large, asked).messages;
  CHECK(answer_to(got, 1)["result"].is_null());
  CHECK(answer_to(got, 3)["result"].empty());  // this client cannot resolve an edit
  const json part = answer_to(got, 2)["result"]["data"];
  CHECK(part.size() > 20);
  CHECK(part == answer_to(talk("file:///m.txt", program, asked).messages, 2)["result"]["data"]);
}

TEST_CASE("lsp: changes of parts, in the units of the encoding") {
  for (const char* const units : {"utf-8", "utf-16", "utf-32"}) {
    CAPTURE(units);
    json client = rich_client();
    client["general"]["positionEncodings"] = {units};
    // A comment with characters of 2, 3 and 4 bytes before the place of the change.
    const std::string text =
        "/* \xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80 */ HloModule old\n\nENTRY %e {\n  ROOT %p = f32[] parameter(0)\n}\n";
    const int begin = std::string_view(units) == "utf-8" ? 26 : std::string_view(units) == "utf-16" ? 21 : 20;
    const json change{
        {"range", {{"start", {{"line", 0}, {"character", begin}}}, {"end", {{"line", 0}, {"character", begin + 3}}}}},
        {"text", "fresh"}};
    const auto got = talk(uri, text,
                          {notification("textDocument/didChange", {{"textDocument", {{"uri", uri}, {"version", 2}}},
                                                                   {"contentChanges", json::array({change})}}),
                           request(1, "textDocument/documentSymbol", {{"textDocument", {{"uri", uri}}}})},
                          client)
                         .messages;
    CHECK(answer_to(got, 0)["result"]["capabilities"]["positionEncoding"] == units);
    const json symbol = answer_to(got, 1)["result"][0];
    CHECK(symbol["name"] == "fresh");
    CHECK(symbol["selectionRange"]["start"]["character"] == begin);
    CHECK(symbol["selectionRange"]["end"]["character"] == begin + 5);
  }
}

TEST_CASE("lsp: actions explain, suppress and rewrite") {
  const scratch f;
  const std::string dump = f.write("m.gpu_after_optimizations.txt", "x"), here = uri_of_path(dump);
  json diagnostic{{"range", {{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 0}, {"character", 1}}}}},
                  {"source", "hlolint"},
                  {"code", "PAD001"},
                  {"message", "m"},
                  {"data", {{"rule", "PAD001"}, {"module", "step"}, {"instruction", "fusion.1"}}}};
  const json asked{{"textDocument", {{"uri", here}}},
                   {"range", diagnostic["range"]},
                   {"context", {{"diagnostics", json::array({diagnostic})}}}};
  const auto got =
      talk(here, program,
           {request(1, "textDocument/codeAction", asked),
            request(2, "workspace/executeCommand", {{"command", "hlolint.explain"}, {"arguments", {"PAD001"}}}),
            request(3, "workspace/executeCommand", {{"command", "rm"}}),
            request(4, "hlolint/textDocumentContent", {{"uri", "hlolint:/rule/PAD001"}}),
            request(5, "hlolint/textDocumentContent", {{"uri", "hlolint:" + dump + "?computation=fused_computation"}}),
            request(6, "hlolint/textDocumentContent", {{"uri", "hlolint:" + dump + "?computation=main"}})})
          .messages;
  std::string titles;
  json edit;
  const json actions = answer_to(got, 1)["result"];
  for (const json& action : actions) {
    titles += action["title"].get<std::string>() + "; ";
    if (action["title"].get<std::string>().starts_with("Suppress")) edit = action["edit"];
  }
  CAPTURE(titles);
  CHECK(titles.find("Explain PAD001") != std::string::npos);
  CHECK(titles.find("short form") != std::string::npos);
  CHECK(titles.find("baseline") != std::string::npos);
  REQUIRE(edit["documentChanges"].size() == 2);  // the file is created
  CHECK(edit["documentChanges"][1]["edits"][0]["newText"].get<std::string>().find("instruction = \"fusion.1\"") !=
        std::string::npos);
  CHECK(answer_to(got, 2)["result"].get<std::string>().find("tile-padding") != std::string::npos);
  CHECK(answer_to(got, 3)["error"]["code"] == -32602);
  CHECK(answer_to(got, 4)["result"]["text"].get<std::string>().find("tile-padding") != std::string::npos);
  CHECK(answer_to(got, 5)["result"]["text"].get<std::string>().find("negate.2") != std::string::npos);
  const std::string main = answer_to(got, 6)["result"]["text"];  // with what it calls
  CHECK(main.find("%fused_computation (") < main.find("ENTRY %main"));
}

TEST_CASE("lsp: a computation of a dump is no program to judge") {
  const scratch f;
  const std::string folder = f.path() + "/50% a%20b";
  std::filesystem::create_directory(folder);
  const std::string path = f.write("50% a%20b/m.gpu_after_optimizations.txt", program);
  // As VS Code writes addresses.
  std::string address = "hlolint:" + uri_of_path(path).substr(7) + "?computation%3Dmain";
  const auto got = talk(uri, program, {request(1, "hlolint/textDocumentContent", {{"uri", address}})}).messages;
  const std::string text = answer_to(got, 1)["result"]["text"];
  const json place{{"textDocument", {{"uri", address}}}, {"position", position_of_word(text, "ENTRY", "fusion.1 =")}};
  const auto asked =
      talk(address, text, {request(1, "textDocument/hover", place)}, rich_client(), "publishDiagnostics");
  const std::string hover = answer_to(asked.messages, 1)["result"]["contents"]["value"];
  CAPTURE(hover);
  CHECK(hover.find("1.50MiB") != hover.npos);
  for (const char* const part : {"  schedule", "  memory", "  time", "in use"}) {
    CAPTURE(part);
    CHECK(hover.find(part) == hover.npos);
  }
  CHECK(notifications(asked.messages, "textDocument/publishDiagnostics").back()["diagnostics"].empty());
  // What cannot be read is said.
  CHECK_FALSE(published_about(address, text + "\nbroken {\n")["diagnostics"].empty());
}

TEST_CASE("lsp: an open configuration is edited where the editor has it") {
  const scratch f;
  std::filesystem::create_directory(f.path() + "/a@b");
  const std::string dump = f.write("a@b/m.gpu_after_optimizations.txt", program);
  std::string settings = uri_of_path(f.path()) + "/a%40b/.hlolint.toml", here = uri_of_path(f.path()) + "/a%40b/m.hlo";
  f.write("a@b/.hlolint.toml", "");
  const json range{{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 0}, {"character", 1}}}};
  const json diagnostic{{"range", range}, {"source", "hlolint"}, {"code", "PAD001"}, {"message", "m"}};
  const auto got = talk(here, program,
                        {notification("textDocument/didOpen", {{"textDocument",
                                                                {{"uri", settings},
                                                                 {"languageId", "toml"},
                                                                 {"version", 7},
                                                                 {"text", "# one\n# two\nselect = [\"PAD\"]"}}}}),
                         request(1, "textDocument/codeAction",
                                 {{"textDocument", {{"uri", here}}},
                                  {"range", range},
                                  {"context", {{"diagnostics", json::array({diagnostic})}, {"only", {"quickfix"}}}}})})
                       .messages;
  const json actions = answer_to(got, 1)["result"];
  REQUIRE(actions.size() == 2);
  const json change = actions[1]["edit"]["documentChanges"][0];
  CHECK(change["textDocument"] == json{{"uri", settings}, {"version", 7}});
  CHECK(change["edits"][0]["range"]["start"] == json{{"line", 2}, {"character", 16}});
}

TEST_CASE("lsp: files beside dumps that hold no HLO have no errors") {
  for (const char* const name : {"module_0001.m.hlo_module_config.txt", "module_0001.m.target_arguments.txt",
                                 "module_0001.m.thunk_metadata.txt", "module_0001.m.notes.txt"}) {
    CAPTURE(name);
    CHECK(published_about("file:///nowhere/" + std::string(name), "a: 1\nb { c: 2 }\n")["diagnostics"].empty());
  }
  for (const char* const name : {"m.hlo", "module_0001.m.gpu_after_optimizations.txt"})
    CHECK_FALSE(published_about("file:///nowhere/" + std::string(name), "a: 1\n")["diagnostics"].empty());
}

TEST_CASE("lsp: an error of an unfinished instruction is shown at its end") {
  const std::string text =
      "HloModule m\n\nENTRY e {\n  %p = f32[8] parameter(0)\n  %n = f32[8] mul\n  ROOT %q = f32[8] negate(%p)\n}\n";
  const json shown = published_about("file:///nowhere/m.hlo", text)["diagnostics"];
  REQUIRE(!shown.empty());
  CHECK(shown[0]["range"]["start"] == json{{"line", 4}, {"character", 16}});
}

TEST_CASE("lsp: an opcode that hlolint does not know is shown to those who write HLO") {
  const std::string text = "HloModule m\n\nENTRY e {\n  p = f32[8] parameter(0)\n  ROOT r = f32[8] mutliply(p, p)\n}\n";
  const json shown = published_about("file:///nowhere/m.hlo", text)["diagnostics"];
  REQUIRE(shown.size() == 1);
  CHECK(shown[0]["message"].get<std::string>().starts_with("unknown opcode 'mutliply' (did you mean multiply?)"));
  CHECK(published_about("file:///nowhere/m.gpu_after_optimizations.txt", text)["diagnostics"].empty());
}

TEST_CASE("lsp: a hover of an element of a tuple begins with the element") {
  const std::string text =
      "HloModule m, is_scheduled=true\n\nENTRY e {\n  t = (f32[8], (s32[2], pred[3])) parameter(0)\n"
      "  ROOT r = pred[3] copy(t#1#1)\n}\n";
  const json asked{{"textDocument", {{"uri", uri}}}, {"position", position_of_word(text, "ROOT", "t#1#1")}};
  const json hover = answer_to(talk(uri, text, {request(1, "textDocument/hover", asked)}).messages, 1)["result"];
  const std::string words = hover["contents"]["value"];
  CAPTURE(words);
  CHECK(words.find("element {1,1}: pred[3]") < words.find("t: parameter"));
  CHECK(words.find("t: parameter") != std::string::npos);
  // What stands for an operand that a fragment does not have is no element.
  const std::string fragment = "  %n = f32[8]{0} negate(f32[8]{0} %before)\n  %m = f32[8]{0} sine(%n)\n";
  const json there{{"textDocument", {{"uri", uri}}}, {"position", position_of_word(fragment, "negate", "before")}};
  CHECK(talk(uri, fragment, {request(1, "textDocument/hover", there)}).messages.back().dump().find("element {") ==
        std::string::npos);
}

TEST_CASE("lsp: documents of a folder are checked again when another one changes or closes") {
  const scratch f;
  const std::string first = uri_of_path(f.write("m.gpu_after_optimizations.txt", program)),
                    other = uri_of_path(f.write("n.gpu_after_optimizations.txt", program));
  const auto opened = [](const std::string& address) {
    return notification(
        "textDocument/didOpen",
        {{"textDocument", {{"uri", address}, {"languageId", "hlo"}, {"version", 1}, {"text", program}}}});
  };
  const json close = notification("textDocument/didClose", {{"textDocument", {{"uri", other}}}});
  const json change = notification("textDocument/didChange", {{"textDocument", {{"uri", other}, {"version", 2}}},
                                                              {"contentChanges", json::array({{{"text", program}}})}});
  for (const json& message : {close, change}) {
    // It comes once both were checked.
    const auto messages = talk_lsp(joined({hello(rich_client()), opened(first), opened(other)}, framing::headers),
                                   joined({message}, framing::headers), "\"uri\":\"" + other + "\"")
                              .messages;
    const auto told = notifications(messages, "textDocument/publishDiagnostics");
    const auto index_of_last = [&](const std::string& address) {
      std::size_t out = 0;
      for (std::size_t i = 0; i < told.size(); ++i)
        if (told[i]["uri"] == address) out = i;
      return out;
    };
    CHECK(index_of_last(first) + 2 == told.size() + (message == close ? 1 : 0));
  }
}

TEST_CASE("lsp: a baseline keeps what it has of other files, and holds by the settings of the editor") {
  const scratch f;
  f.write(".hlolint.toml", "baseline = \"known.json\"\n");
  f.write("known.json", R"({"schema": 2, "findings": [{"key": "1", "rule": "MEM001", "module": "other", "count": 1}],
                            "modules": [{"module": "other", "total": 7, "temp": 0, "peak": 7}]})");
  const std::string padded =
      "HloModule step, is_scheduled=true\n\nENTRY %main (p: u32[12582912,1]) -> u32[12582912,1] {\n"
      "  %p = u32[12582912,1]{1,0:T(8,128)} parameter(0)\n"
      "  ROOT %c = u32[12582912,1]{1,0:T(8,128)} negate(%p)\n}\n";
  const std::string here = uri_of_path(f.write("step.hlo", padded));
  json greeting = hello(rich_client());
  greeting["params"]["initializationOptions"] = {{"arguments", {"--target=tpu", "--select=PAD001"}}};
  const json opened{{"textDocument", {{"uri", here}, {"languageId", "hlo"}, {"version", 1}, {"text", padded}}}};
  const auto got =
      talk_lsp(joined({greeting, notification("textDocument/didOpen", opened),
                       request(1, "workspace/executeCommand",
                               {{"command", "hlolint.updateBaseline"}, {"arguments", {here}}})},
                      framing::headers),
               joined({request(999, "shutdown"), notification("exit")}, framing::headers), "publishDiagnostics")
          .messages;
  CHECK(answer_to(got, 1)["result"] == f.path() + "/known.json");
  std::ifstream file(f.path() + "/known.json");
  const json baseline = json::parse(file);
  REQUIRE(baseline["findings"].size() == 2);
  CHECK(baseline["findings"][0]["rule"] == "MEM001");
  CHECK(baseline["findings"][1]["rule"] == "PAD001");
  CHECK(baseline["modules"].size() == 2);
  // What was accepted is not shown any more.
  CHECK(notifications(got, "textDocument/publishDiagnostics").back()["diagnostics"].empty());
}

TEST_CASE("lsp: the configuration as it is typed") {
  const std::string settings = "file:///nowhere/.hlolint.toml";
  const std::string text =
      "selct = [\"MEM\"]\n\n[[rule]]\nid = \"OWN001\"\nmatch = \"copy where byts > 3\"\nmessage = \"m\"\n";
  CHECK(published_about(settings, text)["diagnostics"].dump().find("selct") != std::string::npos);
  const std::string rule = text.substr(text.find("[["));
  const json wrong = published_about(settings, rule)["diagnostics"][0];
  CHECK(wrong["message"].get<std::string>().find("byts") != std::string::npos);
  CHECK(wrong["range"]["start"]["line"] == 2);
  CHECK(published_about(settings, "device = \"tpu-v9\"\n")["diagnostics"].dump().find("tpu-v9") != std::string::npos);
}

TEST_CASE("lsp: completion and renaming") {
  const std::string text =
      "HloModule m\n\n%add.1 {\n  %x = f32[] parameter(0)\n  %y = f32[] parameter(1)\n  ROOT %s = f32[] add(%x, "
      "%y)\n}\n\nENTRY %e {\n"
      "  %operand = f32[8] parameter(0)\n  %zero = f32[] constant(0)\n  ROOT %r = f32[] reduce(%operand, %zero), "
      "dimensions={0}, to_apply=%add.1\n}\n";
  const auto place = [&](std::string_view before, std::string_view word, int more) {
    json position = position_of_word(text, before, word);
    position["character"] = position["character"].get<int>() + more;
    return json{{"textDocument", {{"uri", uri}}}, {"position", position}};
  };
  const auto labels = [](const json& result) {
    std::string out;
    for (const json& item : result["items"]) out += item["label"].get<std::string>() + " ";
    return out;
  };
  json new_name = place("", "operand =", 2);
  new_name["newName"] = "input.1";
  json taken = new_name;
  taken["newName"] = "zero";
  json computation = place("to_apply", "add.1", 2);
  computation["newName"] = "sum";
  const auto got = talk(uri, text,
                        {request(1, "textDocument/completion", place("ROOT %r", "%operand,", 3)),
                         request(2, "textDocument/completion", place("to_apply=", "%add", 2)),
                         request(3, "textDocument/completion", place("ROOT %r", "reduce(", 3)),
                         request(4, "textDocument/completion", place("ROOT %r", "dimensions", 2)),
                         request(5, "textDocument/rename", new_name), request(6, "textDocument/rename", taken),
                         request(7, "textDocument/rename", computation),
                         request(8, "textDocument/prepareRename", place("", "operand =", 2)),
                         request(9, "textDocument/prepareRename", place("", "HloModule", 2))})
                       .messages;
  CHECK(labels(answer_to(got, 1)["result"]) == "operand ");
  CHECK(labels(answer_to(got, 2)["result"]).find("add.1 ") != std::string::npos);
  CHECK(labels(answer_to(got, 3)["result"]).find("reduce-scatter ") != std::string::npos);
  CHECK(labels(answer_to(got, 4)["result"]) == "dimensions ");
  CHECK(answer_to(got, 5)["result"]["documentChanges"][0]["edits"].size() == 2);
  CHECK(answer_to(got, 6)["error"]["code"] == -32803);
  CHECK(answer_to(got, 7)["result"]["documentChanges"][0]["edits"].size() == 2);
  CHECK(answer_to(got, 8)["result"]["placeholder"] == "operand");
  CHECK(answer_to(got, 9)["result"].is_null());
}

TEST_CASE("lsp: completion offers what may stand there") {
  const auto offered = [](const std::string& line) {
    const std::string text =
        "HloModule m\n\n%f {\n  ROOT %x = f32[8] parameter(0)\n}\n\nENTRY %e {\n  %p = f32[8] parameter(0)\n" + line +
        "\n}\n";
    const json asked{{"textDocument", {{"uri", uri}}}, {"position", {{"line", 8}, {"character", line.size()}}}};
    const json answer = answer_to(talk(uri, text, {request(1, "textDocument/completion", asked)}).messages, 1);
    std::string out;
    for (const json& item : answer["result"]["items"]) out += item["label"].get<std::string>() + " ";
    return out;
  };
  CHECK(offered("  %n = f32[8]{").empty());
  CHECK(offered("  %n = f32[").empty());
  CHECK(offered("  %n = (f3") == "f32 ");
  CHECK(offered("  %n = (f32[8], s32[]) tup") == "tuple ");
  CHECK(offered("  %n = f32[8] add(f32[8]{").empty());
  CHECK(offered("  %n = f32[8] fusion(%p), calls=") == "f ");
  CHECK(offered("  %n = f32[8] fusion(%p), calls=%f, kind=") == "kLoop kInput kOutput kCustom ");
  CHECK(offered("  %n = pred[8] compare(%p, %p), direction=G") == "GE GT ");
}

TEST_CASE("lsp: renaming keeps the text readable, and signatures in step") {
  const std::string with_percent =
      "HloModule m\n\nENTRY %e (first: f32[8], p: f32[8]) -> f32[8] {\n  %first = f32[8]{0} parameter(0)\n"
      "  %p = f32[8]{0} parameter(1)\n  ROOT %r = f32[8]{0} add(%first, %p)\n}\n";
  const std::string without =
      "HloModule m\n\nENTRY e {\n  p = f32[8]{0} parameter(0)\n  ROOT r = f32[8]{0} negate(p)\n}\n";
  const auto renamed = [&](const std::string& text, std::string_view before, std::string_view word, const char* name) {
    const json asked{
        {"textDocument", {{"uri", uri}}}, {"position", position_of_word(text, before, word)}, {"newName", name}};
    return answer_to(talk(uri, text, {request(1, "textDocument/rename", asked)}).messages, 1);
  };
  for (const char* const word : {"ROOT", "ENTRY", "HloModule", "f32", "inf", "nan", "true", "replicated"}) {
    CAPTURE(word);
    CHECK(renamed(without, "", "p = ", word)["error"]["code"] == -32803);
    CHECK(renamed(without, "ENTRY", "e {", word)["error"]["code"] == -32803);
    CHECK(renamed(with_percent, "", "p = ", word).contains("result"));
  }
  for (const char* const place : {"p = ", "p: ", "p)"}) {
    CAPTURE(place);
    const json edits = renamed(with_percent, "", place, "pred")["result"]["documentChanges"][0]["edits"];
    REQUIRE(edits.size() == 3);
    CHECK(edits[2]["range"]["start"] == position_of_word(with_percent, "", "p: "));
  }
}

TEST_CASE("lsp: what the short form of elements leaves out is in files beside the text") {
  const std::string text =
      "// seen once\nHloModule m, is_scheduled=true\n\nENTRY %e (p: (f32[4096], f32[4096])) -> f32[4096] {\n"
      "  %p = (f32[4096]{0}, f32[4096]{0}) parameter(0)\n  ROOT %y = f32[4096]{0} add(%p#0, %p#1)\n}\n// the end\n";
  const scratch f;
  f.write("module_0001.m.gpu_after_optimizations-live-range.txt",
          "HloLiveRange (max 9):\n  InstructionSequence:\n    0:p\n    1:get-tuple-element.7\n    2:y\n"
          "  BufferLiveRange:\n  Live ranges at 0 (peak):\n");
  f.write("module_0001.m.gpu_after_optimizations-buffer-assignment.txt",
          "Total bytes used: 32768 (32.0KiB)\n\nUsed values:\n"
          "<0 p{} @0>\n positions:\n  p {}\n uses:\n  get-tuple-element.7, operand 0 {}\n"
          " from instruction: %p = f32[4] parameter(0)\n"
          "<1 p{0} @0>\n positions:\n  p {0}\n  get-tuple-element.7\n uses:\n  y, operand 0\n"
          " from instruction: %p = f32[4] parameter(0)\n");
  f.write(".hlolint.toml", "device = \"h100-sxm\"\n");
  const std::string here = uri_of_path(f.write("module_0001.m.gpu_after_optimizations.txt", text));
  const auto place = [&](std::string_view before, std::string_view word) {
    return json{{"textDocument", {{"uri", here}}}, {"position", position_of_word(text, before, word)}};
  };
  const json document{{"textDocument", {{"uri", here}}}};
  const json start{{"line", 1}, {"character", 0}};
  json uses = place("ENTRY", "p = ");
  uses["context"] = {{"includeDeclaration", false}};
  json renamed = uses;
  renamed["newName"] = "pair";
  const std::vector<json> asked{request(1, "textDocument/documentSymbol", document),
                                request(2, "textDocument/hover", place("ROOT", "y = ")),
                                request(3, "textDocument/references", uses),
                                request(4, "textDocument/rename", renamed),
                                request(5, "textDocument/codeAction",
                                        {{"textDocument", document["textDocument"]},
                                         {"range", {{"start", start}, {"end", start}}},
                                         {"context", {{"diagnostics", json::array()}}}}),
                                request(6, "textDocument/definition", place("add(", "p#1"))};
  const auto got = talk(here, text, asked).messages;
  const std::string outline = answer_to(got, 1)["result"].dump();
  CAPTURE(outline);
  CHECK(outline.find("16.0KiB, ") != std::string::npos);  // bytes and time
  const std::string hover = answer_to(got, 2)["result"]["contents"]["value"];
  CAPTURE(hover);
  CHECK(hover.find("schedule") != std::string::npos);
  CHECK(hover.find("get-tuple-element.7") != std::string::npos);
  CHECK(answer_to(got, 3)["result"].size() == 2);
  CHECK(answer_to(got, 4)["result"]["documentChanges"][0]["edits"].size() == 4);  // also in the signature
  CHECK(answer_to(got, 6)["result"][0]["range"]["start"]["line"] == 4);
  const json actions = answer_to(got, 5)["result"];
  const auto shorter = std::find_if(actions.begin(), actions.end(), [](const json& one) {
    return one["title"].get<std::string>().find("short form") != std::string::npos;
  });
  REQUIRE(shorter != actions.end());
  const json edit = (*shorter)["edit"]["documentChanges"][0]["edits"];
  REQUIRE(edit.size() == 1);
  CHECK(edit[0]["newText"].get<std::string>().find("y = f32[4096]{0} add(p#0, p#1)\n}") != std::string::npos);
  CHECK(edit[0]["range"]["start"]["line"] == 1);  // comments around it stay
  CHECK(edit[0]["range"]["end"]["line"] == 6);
}

TEST_CASE("lsp: a document whose address is that of a folder is its text alone") {
  const scratch folder;
  folder.write("module_0001.other.gpu_after_optimizations.txt", "HloModule other\n\nENTRY %e {\n  broken\n}\n");
  for (const std::string& address : {"file://" + folder.path(), "file://" + folder.path() + "/?.txt"}) {
    CAPTURE(address);
    const std::string text =
        published_about(address, "HloModule m\n\nENTRY e {\n  ROOT p = f32[] negate(q)\n}\n").dump();
    CAPTURE(text);
    CHECK(text.find("no instruction 'q'") != text.npos);
    CHECK(text.find("other") == text.npos);
  }
}

TEST_CASE("positions of offsets and back") {
  const std::string text =
      "a\xC3\xA4\xF0\x9F\x98\x80"
      "b\r\n\n\xFFx";
  for (const auto unit : {hlolint::command::server::lsp::encoding::utf8, hlolint::command::server::lsp::encoding::utf16,
                          hlolint::command::server::lsp::encoding::utf32}) {
    const hlolint::command::server::lsp::position_map map(hlolint::source(text), unit);
    for (std::size_t offset = 0; offset <= text.size(); ++offset) {
      const bool inside = offset < text.size() && (static_cast<unsigned char>(text[offset]) & 0xC0) == 0x80;
      if (inside || offset == 9) continue;  // in a character, or between the two of a line end
      const auto place = map.at(offset);
      CAPTURE(offset);
      CHECK(map.offset(place) == offset);
    }
    CHECK(map.offset({0, 99}) == 8);
    CHECK(map.offset({99, 0}) == text.size());
  }
}
