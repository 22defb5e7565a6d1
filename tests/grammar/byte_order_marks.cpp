// Texts that went through an editor or a shell of Windows: a UTF-8 byte order mark is passed over, UTF-16 is named as
// such.
#include <hlolint/parse.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;

namespace {

const std::string hlo =
    "HloModule m\r\n\r\nENTRY %e (p: f32[2]) -> f32[2] {\r\n  ROOT %p = f32[2]{0} parameter(0)\r\n}\r\n";
const std::string assignment =
    "BufferAssignment:\nallocation 0: size 8, parameter 0, shape |f32[2]| at ShapeIndex {}, maybe-live-out:\n"
    " value: <0 p @0> (size=8,offset=0): f32[2]{0}\n";

std::string utf16(const std::string& text, bool big, bool mark) {
  std::string out = !mark ? "" : big ? "\xFE\xFF" : "\xFF\xFE";
  for (const char c : text) {
    if (big) out += '\0';
    out += c;
    if (!big) out += '\0';
  }
  return out;
}

}  // namespace

TEST_CASE("a byte order mark of UTF-8 is passed over") {
  const std::string mark = "\xEF\xBB\xBF";
  for (const parsed_file& file :
       {parse(mark + hlo), parse_hlo(source(mark + hlo)), parse(mark + "# a lit test\n" + hlo)}) {
    CHECK(file.kind == input_kind::hlo);
    CHECK(file.status == parse_status::ok);
    CHECK(file.diagnostics.empty());
    REQUIRE(file.modules().size() == 1);
    CHECK(file.modules()[0].entry().name() == "e");
  }
  for (const parsed_file& file : {parse(mark + assignment), parse_buffers(source(mark + assignment))}) {
    CHECK(file.status == parse_status::ok);
    REQUIRE(file.buffers.has_value());
    CHECK(file.buffers->allocations().size() == 1);
  }
  CHECK(parse(mark).diagnostics.at(0).rule == "SYN000");
}

TEST_CASE("UTF-16 is reported as such, with or without its mark, whatever reads it") {
  for (const bool big : {false, true})
    for (const bool mark : {false, true})
      for (const std::string& text : {hlo, assignment}) {
        CAPTURE(big);
        CAPTURE(mark);
        const std::string bytes = utf16(text, big, mark);
        for (const parsed_file& file : {parse(bytes), parse_hlo(source(bytes)), parse_buffers(source(bytes))}) {
          CHECK(file.status == parse_status::failed);
          REQUIRE(file.diagnostics.size() == 1);
          CHECK(file.diagnostics[0].rule == "SYN000");
          CHECK(file.diagnostics[0].level == severity::error);
          CHECK(file.diagnostics[0].message.find("UTF-16") != std::string::npos);
        }
      }
}

TEST_CASE("other binary input is not taken for UTF-16") {
  for (const std::string& bytes : {std::string("\0\0\0\0\0\0\0\0", 8), std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16),
                                   std::string("a\0", 2), std::string("ab\0\0cd\0\0ef\0\0", 12), std::string()}) {
    const parsed_file file = parse(bytes);
    REQUIRE(file.diagnostics.size() == 1);
    CHECK(file.diagnostics[0].rule == "SYN000");
    CHECK(file.diagnostics[0].message.find("UTF-16") == std::string::npos);
  }
}
