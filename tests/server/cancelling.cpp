// Work on one module ends when the client wants it to: between two checks, not only after the module.
#include "client.hpp"

#include <hlolint/command.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

using namespace hlolint::command;
using namespace hlolint::command::server;
using namespace hlolint::command::server::testing;

namespace {

// A client that sends the rest as soon as the first check has begun. That check ends when the server has read it.
class client_of_slow_check {
 public:
  client_of_slow_check(const std::string& first, const std::string& rest)
      : first_(bytes_of(first)), rest_(bytes_of(rest)) {}

  byte_source source() {
    return [this](char* to, std::size_t size) {
      if (const std::size_t got = first_(to, size)) return got;
      std::unique_lock lock(guard_);
      changed_.wait_for(lock, std::chrono::seconds(10), [&] { return begun_; });
      const std::size_t got = rest_(to, size);
      if (got == 0) all_read_ = true, changed_.notify_all();
      return got;
    };
  }
  void run_first_check() {
    std::unique_lock lock(guard_);
    begun_ = true, ++first_checks;
    changed_.notify_all();
    changed_.wait_for(lock, std::chrono::seconds(10), [&] { return all_read_; });
  }
  int first_checks = 0, second_checks = 0;

 private:
  byte_source first_, rest_;
  bool begun_ = false, all_read_ = false;
  std::mutex guard_;
  std::condition_variable changed_;
};

client_of_slow_check* client = nullptr;  // of the conversation that goes on

struct first_check {
  static constexpr hlolint::rule about{.id = "TST001", .name = "first", .what = "Finds nothing."};
  void operator()(const hlolint::hlo_module&, hlolint::sink auto&) const { client->run_first_check(); }
};
struct second_check {
  static constexpr hlolint::rule about{.id = "TST002", .name = "second", .what = "Finds nothing."};
  void operator()(const hlolint::hlo_module&, hlolint::sink auto&) const { ++client->second_checks; }
};

std::vector<json> talk(client_of_slow_check& with, const std::vector<std::string>& words) {
  const command_checks checks = checks_for_command(hlolint::checks(first_check{}, second_check{}));
  arguments given = arguments_of(words);
  given.checks = &checks;
  client = &with;
  std::string written;
  const bool is_mcp = words.front() == "mcp";
  connection over(
      with.source(), [&](std::string_view bytes) { return written += bytes, true; },
      is_mcp ? mcp_protocol() : lsp_protocol());
  if (is_mcp)
    serve_mcp(over, given);
  else
    serve_lsp(over, given);
  return messages_in(written, is_mcp ? framing::lines : framing::headers);
}

json opened(int version) {
  return {{"textDocument", {{"uri", "file:///m.txt"}, {"languageId", "hlo"}, {"version", version}, {"text", program}}}};
}

}  // namespace

TEST_CASE("lsp: a request is cancelled within a module") {
  const json place{{"textDocument", {{"uri", "file:///m.txt"}}}};
  client_of_slow_check with(
      joined({request(0, "initialize", {{"capabilities", {{"textDocument", {{"diagnostic", json::object()}}}}}}),
              notification("textDocument/didOpen", opened(1)), request(1, "textDocument/diagnostic", place)},
             framing::headers),
      joined({notification("$/cancelRequest", {{"id", 1}}), request(2, "textDocument/diagnostic", place),
              request(3, "shutdown"), notification("exit")},
             framing::headers));
  const auto got = talk(with, {"lsp"});
  CHECK(answer_to(got, 1)["error"]["code"] == -32800);
  CHECK(answer_to(got, 2)["result"]["kind"] == "full");
  CHECK(with.first_checks == 2);
  CHECK(with.second_checks == 1);
}

TEST_CASE("lsp: an edit ends the check of the text before it") {
  const json edit{{"textDocument", {{"uri", "file:///m.txt"}, {"version", 2}}},
                  {"contentChanges", json::array({{{"text", program}}})}};
  client_of_slow_check with(joined({request(0, "initialize", {{"capabilities", json::object()}}),
                                    notification("textDocument/didOpen", opened(1))},
                                   framing::headers),
                            framed(notification("textDocument/didChange", edit).dump(), framing::headers));
  const auto told = notifications(talk(with, {"lsp"}), "textDocument/publishDiagnostics");
  REQUIRE(told.size() == 1);
  CHECK(told[0]["version"] == 2);
  CHECK(with.first_checks == 2);
  CHECK(with.second_checks == 1);
}

TEST_CASE("mcp: a call is cancelled within a module") {
  const scratch folder;
  folder.write("m.txt", program);
  const auto lint = [](int id) {
    return request(id, "tools/call", {{"name", "lint"}, {"arguments", {{"paths", {"m.txt"}}}}});
  };
  client_of_slow_check with(
      joined({request(0, "initialize", {{"protocolVersion", "2025-11-25"}, {"capabilities", json::object()}}), lint(1)},
             framing::lines),
      joined({notification("notifications/cancelled", {{"requestId", 1}}), lint(2)}, framing::lines));
  const auto got = talk(with, {"mcp", "--root", folder.path()});
  CHECK(got.size() == 2);  // a cancelled call has no answer
  CHECK(answer_to(got, 2)["result"]["structuredContent"]["status"] == 0);
  CHECK(with.first_checks == 2);
  CHECK(with.second_checks == 1);
}
