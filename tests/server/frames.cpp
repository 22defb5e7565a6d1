// Messages in streams of bytes, whole and broken.
#include "client.hpp"

#include <hlolint/server/rpc/frames.hpp>
#include <hlolint/server/rpc/message.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hlolint::command;
using namespace hlolint::command::server;
using namespace hlolint::command::server::testing;

namespace {

// `M` and the text for a message, `G` for garbage, `L` for one that is too large.
std::string found_in(const std::string& stream, framing how, std::size_t piece = 4096) {
  frame_reader reader(bytes_of(stream, piece), how);
  std::string out;
  while (true) {
    switch (reader.next()) {
      case frame_reader::found::end: return out;
      case frame_reader::found::garbage: out += "G;"; break;
      case frame_reader::found::too_large: out += "L;"; break;
      case frame_reader::found::message:
        out += "M";
        for (int c = reader.get(); c >= 0; c = reader.get()) out += static_cast<char>(c);
        out += ";";
    }
  }
}

}  // namespace

TEST_CASE("messages with headers, in pieces of any size") {
  const std::string stream =
      framed("{}", framing::headers) + framed("", framing::headers) + framed("[1,2]", framing::headers);
  for (const std::size_t piece : {1u, 2u, 3u, 7u, 4096u})
    CHECK(found_in(stream, framing::headers, piece) == "M{};M;M[1,2];");
}

TEST_CASE("headers in any case and order, and with bare line feeds") {
  CHECK(found_in("content-length:2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{}",
                 framing::headers) == "M{};");
  CHECK(found_in("Content-Type: x\nContent-Length:  2 \n\n{}", framing::headers) == "M{};");
}

TEST_CASE("a message that is not read is skipped") {
  frame_reader reader(bytes_of(framed("abc", framing::headers) + framed("de", framing::headers)), framing::headers);
  REQUIRE(reader.next() == frame_reader::found::message);
  CHECK(reader.get() == 'a');
  REQUIRE(reader.next() == frame_reader::found::message);
  CHECK(reader.get() == 'd');
}

TEST_CASE("bytes between messages are reported once, and the next message is found") {
  CHECK(found_in("hello\n\nworld\r\n" + framed("{}", framing::headers), framing::headers) == "G;M{};");
  CHECK(found_in("Content-Length: x\r\n\r\n" + framed("{}", framing::headers), framing::headers) == "M{};");
  CHECK(found_in("Content-Length: -3\r\n\r\nnot\r\n" + framed("{}", framing::headers), framing::headers) == "G;M{};");
  CHECK(found_in(std::string(100000, 'x'), framing::headers) == "G;");
}

TEST_CASE("a stream that ends in the middle") {
  CHECK(found_in("", framing::headers).empty());
  CHECK(found_in("Content-Length: 10\r\n\r\n{}", framing::headers) == "M{};");
  CHECK(found_in("Content-Length: 10", framing::headers).empty());
  CHECK(found_in("Content-Length: 99999999999999999999\r\n\r\n", framing::headers).empty());
  CHECK(found_in("Content-Length: 4000000000\r\n\r\nabc", framing::headers).empty());
}

TEST_CASE("one message on each line") {
  for (const std::size_t piece : {1u, 3u, 4096u})
    CHECK(found_in("\n {}\r\n\n[1]\n", framing::lines, piece) == "M{}\r;M[1];");
  CHECK(found_in("{\"a\":1}", framing::lines) == "M{\"a\":1};");
}

TEST_CASE("long strings are read as short ones are") {
  const auto read = [](const std::string& message, std::size_t piece, json& out) {
    frame_reader reader(bytes_of(framed(message, framing::headers), piece), framing::headers);
    REQUIRE(reader.next() == frame_reader::found::message);
    return read_message(reader, out);
  };
  std::string text;
  for (int line = 0; line < 300; ++line)
    text += "  %a\xC3\xA4." + std::to_string(line) + "\t= \"b\\\" \xE2\x82\xAC\xF0\x9F\x98\x80\r\n\b\f\x01";
  for (const std::size_t size : {0u, 4094u, 4095u, 4096u, 4097u, 5000u, 9000u}) {
    json whole{{"a", std::string(size, 'x')}, {"b", {std::string(size, 'y') + text, 1, text.substr(0, 10)}}};
    whole[std::string(size, 'k') + text] = text;
    for (const bool ascii : {false, true})
      for (const std::size_t piece : {1u, 7u, 4096u}) {
        json got;
        REQUIRE(read(whole.dump(-1, ' ', ascii), piece, got) == reading::whole);
        CHECK((got == whole));
      }
  }
  for (const char* const wrong :
       {"", "\n\"", "\\x\"", "\\", "\\u12", "\\u12g4\"", "\\uD83D\"", "\\uD83D\\u0041\"", "\\uDE00\""}) {
    CAPTURE(wrong);
    for (const std::size_t size : {10u, 5000u}) {
      json got;
      CHECK(read("[\"" + std::string(size, 'x') + wrong, 4096, got) == reading::malformed);
    }
  }
}
