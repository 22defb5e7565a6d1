// A line that is lost or doubled in a buffer assignment is one error where it is, and no list of bugs of the compiler.
#include <hlolint/parse_buffers.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;

namespace {

const std::string dump =
    "BufferAssignment:\n"                                                      // 1
    "allocation 0: size 64, parameter 0, shape |f32[16]| at ShapeIndex {}:\n"  // 2
    " value: <0 p @0> (size=64,offset=0): f32[16]{0}\n"                        // 3
    "allocation 1: size 4, constant:\n"                                        // 4
    " value: <1 c @0> (size=4,offset=0): f32[]\n"                              // 5
    "allocation 2: size 128, preallocated-temp:\n"                             // 6
    " value: <2 t @0> (size=64,offset=0): f32[16]{0}\n"                        // 7
    " value: <3 u @0> (size=64,offset=64): f32[16]{0}\n"                       // 8
    "\nTotal bytes used: 196 (196B)\n";

std::string outcome(const std::string& text) {
  const parsed_file file = parse_buffers(source(text));
  std::string out(name_of(file.status));
  for (const diagnostic& d : file.diagnostics) {
    const line_column at = d.where.begin();
    out += " " + std::to_string(at.line) + ":" + std::to_string(at.column) + " " + d.rule + " " + d.message + ";";
  }
  return out;
}
std::string without(std::string text, const std::string& line) {
  return text.erase(text.find(line), text.find('\n', text.find(line)) + 1 - text.find(line));
}
std::string doubled(std::string text, const std::string& line) {
  const std::size_t at = text.find(line);
  return text.insert(at, text.substr(at, text.find('\n', at) + 1 - at));
}

}  // namespace

TEST_CASE("the whole dump") { CHECK(outcome(dump) == "ok"); }

TEST_CASE("the line of an allocation is lost: one error, and no value is taken for another allocation's") {
  const std::string cut = without(dump, "allocation 1:");
  CHECK(outcome(cut) ==
        "failed 5:1 SYN001 expected allocation 1: its line is lost, so that its values cannot be distinguished from "
        "those before "
        "them, and the assignment is not used;");
  const parsed_file file = parse_buffers(source(
      cut + "\nUsed values:\n<0 p @0>\n positions:\n  p\n uses:\n from instruction: %p = f32[16]{0} parameter(0)\n"));
  REQUIRE(file.buffers.has_value());
  CHECK_FALSE(file.buffers->has_assignment());
  CHECK(file.buffers->allocations().size() == 0);
  CHECK(file.buffers->values().size() == 0);
  CHECK(file.buffers->used_values().size() == 1);
}

TEST_CASE("an allocation or a value that is listed twice is reported once, at the second line") {
  CHECK(outcome(doubled(dump, "allocation 1:")) == "partial 5:1 SYN002 allocation 1 is listed twice;");
  CHECK(outcome(doubled(dump, " value: <2 ")) == "partial 8:1 SYN002 value 2 is listed twice;");
  CHECK(outcome(doubled(doubled(dump, " value: <2 "), " value: <2 ")) == "partial 8:1 SYN002 value 2 is listed twice;");
  std::string same = dump;
  same.replace(same.find("<3 u"), 2, "<1");
  CHECK(outcome(same) == "partial 8:1 SYN002 value 1 is listed twice;");
}

TEST_CASE("an excerpt may begin with any allocation") {
  std::string text = dump;
  text.erase(text.find("allocation 0"), text.find("allocation 1") - text.find("allocation 0"));
  CHECK(outcome(text) == "ok");
}

TEST_CASE("numbers at the ends of their range") {
  CHECK(outcome("BufferAssignment:\nallocation 9223372036854775807: size 4:\nallocation 0: size 4:\n") == "ok");
  CHECK(outcome("BufferAssignment:\nallocation 0: size 4:\nallocation 9223372036854775807: size 4:\n")
            .find("expected allocation 1") != std::string::npos);
}
