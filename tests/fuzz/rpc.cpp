// libFuzzer target: a stream of JSON-RPC for `hlolint mcp` if it begins with {, else for `hlolint lsp`. Whatever comes,
// the server goes on to the end of the stream, and writes nothing but messages, at most one answer to each id.
#include "command.hpp"

#include <hlolint/settings/arguments.hpp>
#include <hlolint/server/lsp/lsp.hpp>
#include <hlolint/server/mcp/mcp.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
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

void expect_messages(const std::string& written, server::framing how) {
  server::frame_reader reader(bytes_of(written), how);
  for (server::frame_reader::found next; (next = reader.next()) != server::frame_reader::found::end;) {
    server::input message;
    if (next != server::frame_reader::found::message || server::read_message(reader, message) != server::reading::whole)
      fail("the server wrote something that is no message:\n" + written);
    if (!message.is_array() && message.value("jsonrpc", "") != "2.0") fail("no JSON-RPC: " + message.dump());
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
  const std::string_view stream(reinterpret_cast<const char*>(data), size);
  const bool lines = stream.starts_with('{') || stream.starts_with('[');
  std::string written;
  server::connection with(
      bytes_of(stream), [&](std::string_view bytes) { return written += bytes, true; },
      lines ? server::mcp_protocol() : server::lsp_protocol());
  if (lines)
    server::serve_mcp(with, mcp);
  else
    server::serve_lsp(with, lsp);
  expect_messages(written, lines ? server::framing::lines : server::framing::headers);
  return 0;
}
