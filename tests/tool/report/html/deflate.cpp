// An inflater returns the text that was compressed.
#include <hlolint/tool/report/html/deflate.hpp>

#include <boost/beast/zlib/inflate_stream.hpp>
#include <doctest/doctest.h>

#include <cstddef>
#include <random>
#include <string>
#include <string_view>

namespace {

std::string inflated(const std::string& packed, std::size_t size) {
  REQUIRE(packed.size() >= 18);
  std::string out(size + 1, '\0');
  boost::beast::zlib::inflate_stream inflate;
  boost::beast::zlib::z_params buffers;
  buffers.next_in = packed.data() + 10;
  buffers.avail_in = packed.size() - 18;
  buffers.next_out = out.data();
  buffers.avail_out = out.size();
  boost::beast::error_code problem;
  inflate.write(buffers, boost::beast::zlib::Flush::sync, problem);
  CHECK(problem == boost::beast::zlib::error::end_of_stream);
  CHECK(buffers.avail_in == 0);
  out.resize(buffers.total_out);
  return out;
}

}  // namespace

TEST_CASE("gzip: an inflater returns the text") {
  for (const std::string& text : {std::string(), std::string("a"), std::string("aaaa"), std::string(70'000, 'x'),
                                  std::string("%add.1 = f32[8]{0} add(%p, %q)\n%add.2 = f32[8]{0} add(%p, %add.1)\n")})
    CHECK(inflated(hlolint::gzip(text), text.size()) == text);
  std::mt19937 random(7);
  for (const unsigned letters : {2u, 30u, 256u}) {
    std::string text;
    for (int i = 0; i < 150'000; ++i) text.push_back(static_cast<char>(random() % letters));
    CHECK(inflated(hlolint::gzip(text), text.size()) == text);
  }
}

TEST_CASE("gzip: the head, the checksum and the size are those of RFC 1952") {
  const std::string packed = hlolint::gzip("123456789");
  CHECK(packed.substr(0, 10) == std::string("\x1F\x8B\x08\x00\x00\x00\x00\x00\x00\xFF", 10));
  CHECK(packed.substr(packed.size() - 8) == std::string("\x26\x39\xF4\xCB\x09\x00\x00\x00", 8));
  CHECK(packed == hlolint::gzip("123456789"));
}

TEST_CASE("gzip: repeated text gets shorter") { CHECK(hlolint::gzip(std::string(70'000, 'x')).size() < 200); }

TEST_CASE("base64: as RFC 4648 defines it") {
  CHECK(hlolint::base64("") == "");
  CHECK(hlolint::base64("f") == "Zg==");
  CHECK(hlolint::base64("fo") == "Zm8=");
  CHECK(hlolint::base64("foo") == "Zm9v");
  CHECK(hlolint::base64("foobar") == "Zm9vYmFy");
}
