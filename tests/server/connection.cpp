// The loop: what is no message does no harm, requests are answered once, cancelled ones as the protocol says.
#include "client.hpp"

#include <doctest/doctest.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace hlolint::command;
using namespace hlolint::command::server;
using namespace hlolint::command::server::testing;

namespace {

protocol plain(framing how = framing::headers) {
  return {
      .how = how, .cancel_method = "cancel", .cancelled_id = "id", .takes_batches = true, .answered_at_once = "ping"};
}

std::vector<json> answers(const std::string& input, protocol how = plain()) {
  std::string written;
  connection with(
      bytes_of(input), [&](std::string_view bytes) { return written += bytes, true; }, how);
  with.run({.request = [](call& asked) -> output {
              if (asked.method == "fail") throw request_failure{error_code::invalid_params, "no", {{"why", 1}}};
              if (asked.method == "throw") throw std::runtime_error("thrown");
              return output(asked.params);
            },
            .notification =
                [](call& told) {
                  if (told.method == "fail") throw std::runtime_error("thrown");
                }});
  return messages_in(written, how.how);
}

std::string in(const json& message) { return framed(message.dump(), framing::headers); }

}  // namespace

TEST_CASE("requests are answered, notifications are not") {
  const auto got = answers(in(request(1, "echo", {{"x", 2}})) + in(notification("fail")) + in(request(2, "fail")) +
                           in(request(3, "throw")));
  REQUIRE(got.size() == 3);
  CHECK(answer_to(got, 1)["result"] == json{{"x", 2}});
  CHECK(answer_to(got, 2)["error"] == json{{"code", -32602}, {"message", "no"}, {"data", {{"why", 1}}}});
  CHECK(answer_to(got, 3)["error"]["code"] == -32603);
}

TEST_CASE("what is no message is answered by an error, and the next one works") {
  struct {
    const char* text;
    int code;
  } const cases[] = {{"{", -32700},
                     {"nonsense", -32700},
                     {"\"\xFF\"", -32700},
                     {"{\"a\":1e999999}", -32700},
                     {"3", -32600},
                     {"[]", -32600},
                     {"{}", -32600},
                     {R"({"jsonrpc":"1.0","id":1,"method":"m"})", -32600},
                     {R"({"jsonrpc":"2.0","id":1.5,"method":"m"})", -32600},
                     {R"({"jsonrpc":"2.0","id":1,"method":3})", -32600},
                     {R"({"jsonrpc":"2.0","id":1,"method":"m","params":3})", -32600}};
  for (const auto& one : cases) {
    CAPTURE(one.text);
    const auto got = answers(framed(one.text, framing::headers) + in(request(7, "echo")));
    REQUIRE(got.size() == 2);
    CHECK(got[0]["error"]["code"] == one.code);
    CHECK(answer_to(got, 7).contains("result"));
  }
  const std::string deep = std::string(100000, '[');
  CHECK(answers(framed(deep, framing::headers))[0]["error"]["code"] == -32600);
}

TEST_CASE("an array of messages gets an array of answers") {
  const json batch = json::array({request(1, "echo"), notification("told"), request(2, "fail"), 5});
  const auto got = answers(in(batch));
  REQUIRE(got.size() == 1);
  REQUIRE(got[0].size() == 3);
  CHECK(answers(in(json::array({notification("told")}))).empty());
}

TEST_CASE("a response to nothing is ignored") {
  CHECK(answers(in({{"jsonrpc", "2.0"}, {"id", 9}, {"result", nullptr}})).empty());
}

TEST_CASE("a request that waits can be cancelled; the one at work notices it") {
  for (const bool answered : {true, false}) {
    CAPTURE(answered);
    protocol how = plain();
    how.answers_cancelled = answered;
    std::string written;
    std::mutex guard;
    std::condition_variable changed;
    bool begun = false, all_read = false;
    // The first request is at work while the rest of the input is read.
    const std::string first = in(request(1, "slow")),
                      rest = in(request(2, "echo")) + in(notification("cancel", {{"id", 1}})) +
                             in(notification("cancel", {{"id", 2}})) + in(request(3, "ping"));
    byte_source begin = bytes_of(first), end = bytes_of(rest);
    connection with(
        [&](char* to, std::size_t size) {
          if (const std::size_t got = begin(to, size)) return got;
          std::unique_lock lock(guard);
          changed.wait(lock, [&] { return begun; });
          const std::size_t got = end(to, size);
          if (got == 0) all_read = true, changed.notify_all();
          return got;
        },
        [&](std::string_view bytes) { return written += bytes, true; }, how);
    with.run({.request = [&](call& asked) -> output {
                if (asked.method == "slow") {
                  std::unique_lock lock(guard);
                  begun = true;
                  changed.notify_all();
                  changed.wait(lock, [&] { return all_read; });
                  asked.stop_if_cancelled();
                }
                return output::object();
              },
              .notification = [](call&) {}});
    const auto got = messages_in(written, framing::headers);
    CHECK(answer_to(got, 3)["result"] == json::object());
    CHECK(got.size() == (answered ? 3 : 1));
    CHECK(got[0]["id"] == 3);  // while the first one was at work
    if (answered)
      for (const int id : {1, 2}) CHECK(answer_to(got, id)["error"]["code"] == -32800);
  }
}

TEST_CASE("requests that wait for an answer of the client are worked on when it comes") {
  for (const bool comes : {true, false}) {
    CAPTURE(comes);
    const json response{{"jsonrpc", "2.0"}, {"id", 1}, {"result", 5}};
    patient_client client(in(notification("begin")) + in(request(1, "needs")), comes ? in(response) : "", "give");
    connection with(client.source(), client.sink(), plain());
    json known;
    bool asked_for = true;
    with.run({.request = [&](call&) -> output {
                if (known.is_null()) throw not_yet{};
                return output(known);
              },
              .notification =
                  [&](call&) {
                    with.ask("give", nullptr, [&](const input& given) {
                      asked_for = false;
                      if (!given.is_discarded()) known = given;  // else the client has not answered
                    });
                  }});
    const auto got = messages_in(client.written(), framing::headers);
    CHECK_FALSE(asked_for);
    if (comes)
      CHECK(answer_to(got, 1)["result"] == 5);
    else
      CHECK(answer_to(got, 1)["error"]["code"] == -32603);
  }
}

TEST_CASE("work when idle answers requests that wait, up to the first that it refuses") {
  const std::string rest = in(request(1, "read")) + in(request(2, "write")) + in(request(3, "read"));
  patient_client client("", rest, "started");
  connection with(client.source(), client.sink(), plain());
  std::vector<std::string> order;
  bool is_done = false;
  with.run({.request = [&](call& asked) -> output { return order.push_back(asked.method), output::object(); },
            .notification = [](call&) {},
            .idle =
                [&] {
                  if (std::exchange(is_done, true)) return false;
                  with.notify("started", output::object());
                  while (!with.has_waiting("write")) std::this_thread::yield();
                  with.answer_waiting([](const call& asked) { return asked.method == "read"; });
                  order.push_back("idle");
                  return false;
                }});
  CHECK(order == std::vector<std::string>{"read", "idle", "write", "read"});
}
