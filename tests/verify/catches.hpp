// What the rules of names, numbers and shapes report about a text that breaks one of them.
#pragma once

#include <hlolint/parse_hlo.hpp>
#include <hlolint/verify/verify.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

using namespace hlolint;

/// Reads a text in which a `|` marks where the one finding is, if there is one.
struct reading {
  std::size_t mark;
  parsed_file file;
  explicit reading(std::string text) : mark(text.find('|')) {
    if (mark != std::string::npos) text.erase(mark, 1);
    file = parse_hlo(source(std::move(text)));
  }
};
/// The instructions of an entry computation after three parameters: two of f32[2,3], and a pair of them.
inline std::string entry(std::string_view lines) {
  return "HloModule m\n\n%f (x: f32[2,3]) -> f32[2,3] {\n  ROOT %x = f32[2,3]{1,0} parameter(0)\n}\n\nENTRY %e {\n"
         "  %a = f32[2,3]{1,0} parameter(0)\n  %b = f32[2,3]{1,0} parameter(1)\n  %t = (f32[2,3]{1,0}, f32[2,3]{1,0}) "
         "parameter(2)\n  " +
         std::string(lines) + "\n}\n";
}
/// A program of parameters p0, p1 and so on of these shapes, and of an instruction `r`, which may call `add` of two
/// f32, `less` of two f32, `keep` and `half` of f32[4,8], and `more` of f32[4,8], which gives a pred.
inline std::string program(std::initializer_list<std::string_view> parameters, std::string_view root) {
  std::string out =
      "HloModule m\n\n%add {\n  %x = f32[] parameter(0)\n  %y = f32[] parameter(1)\n  ROOT %s = f32[] add(%x, "
      "%y)\n}\n\n"
      "%less {\n  %x = f32[] parameter(0)\n  %y = f32[] parameter(1)\n  ROOT %s = pred[] compare(%x, %y), "
      "direction=LT\n}\n\n%keep {\n  ROOT %x = f32[4,8]{1,0} parameter(0)\n}\n\n%half {\n  %x = f32[4,8]{1,0} "
      "parameter(0)\n  ROOT %s = f32[2,8]{1,0} slice(%x), slice={[0:2], [0:8]}\n}\n\n%more {\n  %x = f32[4,8]{1,0} "
      "parameter(0)\n  ROOT %s = pred[] constant(true)\n}\n\nENTRY %e {\n";
  std::size_t number = 0;
  for (const std::string_view shape : parameters) {
    const std::string n = std::to_string(number++);
    out += "  %p" + n + " = " + std::string(shape) + " parameter(" + n + ")\n";
  }
  return out + "  ROOT %r = " + std::string(root) + "\n}\n";
}
inline void catches(const std::string& text, std::string_view message, std::string_view instruction = {}) {
  CAPTURE(text);
  const reading r(text);
  REQUIRE(r.file.diagnostics.size() == 1);
  const diagnostic& d = r.file.diagnostics[0];
  CHECK(d.rule == "SYN002");
  CHECK(d.message == message);
  CHECK(d.where.at.begin == r.mark);
  if (!instruction.empty()) CHECK(d.instruction == instruction);
  REQUIRE(r.file.modules().size() == 1);
  CHECK(verify(r.file.modules()[0]).size() == 1);
}
inline void catches_not(const std::string& text) {
  CAPTURE(text);
  CHECK(reading(text).file.diagnostics.empty());
}
