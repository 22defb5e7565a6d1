#include <hlolint/grammar/input_kind.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace hlolint;
using namespace std::string_view_literals;

TEST_CASE("the kind of a text follows from its content") {
  struct row {
    std::string_view text;
    input_kind kind;
  };
  const row rows[] = {
      {"HloModule m, is_scheduled=true\n\nENTRY e {\n", input_kind::hlo},
      {"\n  // a comment\n/* another */ HloModule m\n", input_kind::hlo},
      {"\xEF\xBB\xBFHloModule m\n", input_kind::hlo},
      {"# RUN: hlo-opt %s | FileCheck %s\n# more\nHloModule m\n", input_kind::hlo},
      {"// -----\n\nHloModule m\n", input_kind::hlo},
      {"ENTRY %e (p: f32[]) -> f32[] {", input_kind::hlo},
      {"ENTRY {", input_kind::hlo},
      {"%add.1 (x: f32[], y: (f32[], s32[2])) -> f32[] {\n", input_kind::hlo},
      {"add (x: f32[]) -> f32[] {\n", input_kind::hlo},
      {"body {\n", input_kind::hlo},
      {"ROOT %a.1 = f32[2]{0} add(%b, %c)\n", input_kind::hlo},
      {"a = (f32[], s32[]) tuple(b, c)\n", input_kind::hlo},
      {"a=add(b, c)\n", input_kind::hlo},
      {"BufferAssignment:\nallocation 0: size 4:\n", input_kind::buffer_assignment},
      {"\r\nBufferAssignment:\r\n", input_kind::buffer_assignment},
      {"allocation 0: size 4:\n", input_kind::buffer_assignment},
      {"W0102 x.cc:3] here it comes\nBufferAssignment:\n", input_kind::buffer_assignment},
      {"Total bytes used: 4 (4B)\n\nUsed values:\n", input_kind::buffer_values},
      {"Used values:\n", input_kind::buffer_values},
      {"<3 a>\n positions:\n", input_kind::buffer_values},
      {"HloLiveRange (max 3):\n", input_kind::live_range},
      {"  Stack trace breakdown for peak usage: 4 bytes\n", input_kind::live_range},
      {"Live range is not available.\n", input_kind::live_range},
      {"Total bytes used: 4 (4B)\r\n\r\nAllocations sorted by size:\r\n", input_kind::memory_usage_report},
      {"Memory Space: hbm (color=3)\n", input_kind::memory_usage_report},
      {"cumulative_size;       size;", input_kind::memory_usage_report},
      {"buffer_id,buffer_name,offset,size\n", input_kind::buffer_info},
      {"kCopy  \t\n", input_kind::thunk_sequence},
      {"  004: kCopy x\n", input_kind::thunk_sequence},
      {"No thunks.", input_kind::thunk_sequence},
      {"log line\nHloModule m\n", input_kind::hlo},
      {"", input_kind::unknown},
      {" \n\t\r\n", input_kind::unknown},
      {"/* never closed", input_kind::unknown},
      {"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"sv, input_kind::unknown},
      {"m {\0\0"sv, input_kind::unknown},
      {"\x0a\x05main\x12\x03\x00"sv, input_kind::unknown},
      {"{\"a\": [1, 2]}", input_kind::unknown},
      {"<html><body></body></html>", input_kind::unknown},
      {"int main(int argc, char** argv) {\n", input_kind::unknown},
      {"x = 5\n", input_kind::unknown},
      {"Dear reader, this is a letter.\n", input_kind::unknown},
      {"module @jit_f {\n", input_kind::unknown},
      {"kilo\t3\n", input_kind::unknown},
  };
  for (const row& r : rows) {
    CAPTURE(std::string(r.text));
    CHECK(name_of(kind_of(r.text)) == name_of(r.kind));
  }
}
