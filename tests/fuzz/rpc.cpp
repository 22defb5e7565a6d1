// libFuzzer target: a stream of JSON-RPC for `hlolint mcp` if it begins with { or [, else for `hlolint lsp`; if it
// begins with #, each line after it is a message, so that what changes a message leaves it one. Whatever comes, the
// server goes on to the end of the stream, and writes nothing but messages, at most one answer to each id.
#include "command.hpp"

#include <hlolint/settings/arguments.hpp>
#include <hlolint/server/lsp/lsp.hpp>
#include <hlolint/server/mcp/mcp.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>

using namespace hlolint::fuzz;
using namespace hlolint::command;

namespace {

server::byte_source bytes_of(std::string_view text) {
  return [text](char* to, std::size_t size) mutable {
    const std::size_t count = std::min(size, text.size());
    std::memcpy(to, text.data(), count);
    text.remove_prefix(count);
    return count;
  };
}

// The messages of one line each, with headers.
std::string with_headers(std::string_view lines) {
  std::string out;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    out += server::framed(std::string(line), server::framing::headers);
  }
  return out;
}

using counts = std::map<std::string, int>;  // by id

void count_ids(const server::input& message, counts& of) {
  if (message.is_array())
    for (const server::input& one : message) count_ids(one, of);
  else if (const server::input& id = server::member(message, "id"); !id.is_null())
    ++of[id.dump(-1, ' ', false, server::input::error_handler_t::replace)];
}

counts ids_in(std::string_view stream, server::framing how) {
  counts out;
  server::frame_reader reader(bytes_of(stream), how);
  for (server::frame_reader::found next; (next = reader.next()) != server::frame_reader::found::end;) {
    server::input message;
    if (next == server::frame_reader::found::message && server::read_message(reader, message) == server::reading::whole)
      count_ids(message, out);
  }
  return out;
}

void expect_answers(const server::input& message, counts& left) {
  if (message.is_array()) {
    for (const server::input& one : message) expect_answers(one, left);
    return;
  }
  if (server::text_member(message, "jsonrpc") != "2.0") fail("no JSON-RPC: " + message.dump());
  if (message.contains("method") || server::member(message, "id").is_null()) return;
  if (--left[message["id"].dump()] < 0) fail("answered more often than asked: " + message.dump());
}

void expect_messages(const std::string& written, server::framing how, counts asked) {
  server::frame_reader reader(bytes_of(written), how);
  for (server::frame_reader::found next; (next = reader.next()) != server::frame_reader::found::end;) {
    server::input message;
    if (next != server::frame_reader::found::message || server::read_message(reader, message) != server::reading::whole)
      fail("the server wrote something that is no message:\n" + written);
    expect_answers(message, asked);
  }
}

arguments mcp_arguments(const std::string& root) {
  std::string words[] = {"hlolint", "mcp", "--root", root};
  char* pointers[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  arguments out;
  if (read_arguments(4, pointers, out)) fail("hlolint mcp does not start");
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const scratch_folder folder;
  static const std::string dump =
      folder.write("m.txt", "HloModule m\n\nENTRY %e {\n  ROOT %p = f32[8] parameter(0)\n}\n");
  static const arguments mcp = mcp_arguments(folder.path()), lsp;
  std::string_view stream(reinterpret_cast<const char*>(data), size);
  const bool lines = stream.starts_with('{') || stream.starts_with('[');
  std::string framed;
  if (stream.starts_with('#')) stream = framed = with_headers(stream.substr(1));
  std::string written;
  server::connection with(
      bytes_of(stream), [&](std::string_view bytes) { return written += bytes, true; },
      lines ? server::mcp_protocol() : server::lsp_protocol());
  if (lines)
    server::serve_mcp(with, mcp);
  else
    server::serve_lsp(with, lsp);
  const server::framing how = lines ? server::framing::lines : server::framing::headers;
  expect_messages(written, how, ids_in(stream, how));
  return 0;
}
