#include <hlolint/parse_hlo.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>

using namespace hlolint;

namespace {

constexpr std::string_view scheduled = ", is_scheduled=true";

/// A module with a fused computation, a body, a condition and two branches of f32[2,3]{1,0}, and the instructions of an
/// entry computation after a parameter %a of that shape.
std::string program(std::string_view lines, std::string_view header = scheduled) {
  std::string out = "HloModule m" + std::string(header) + "\n\n";
  for (const char* name : {"f", "g"})
    out += "%" + std::string(name) +
           " (x: f32[2,3]) -> f32[2,3] {\n  %x = f32[2,3]{1,0} parameter(0)\n"
           "  ROOT %n = f32[2,3]{1,0} negate(%x)\n}\n\n";
  out += "%cond (s: f32[2,3]) -> pred[] {\n  %s = f32[2,3]{1,0} parameter(0)\n  ROOT %t = pred[] constant(true)\n}\n\n";
  return out +
         "ENTRY %e (a: f32[2,3]) -> f32[] {\n  %a = f32[2,3]{1,0} parameter(0)\n  %p = pred[] constant(true)\n  " +
         std::string(lines) + "\n  ROOT %r = f32[] constant(0)\n}\n";
}
std::string messages(std::string text) {
  const parsed_file file = parse_hlo(source(std::move(text)));
  std::string out;
  for (const diagnostic& d : file.diagnostics) {
    CHECK(d.rule == "SYN002");
    out += (out.empty() ? "" : "\n") + d.instruction + ": " + d.message;
  }
  return out;
}
/// There is one finding in a scheduled module, and none in one that is not scheduled.
void catches(std::string_view lines, std::string_view message) {
  CAPTURE(lines);
  CHECK(messages(program(lines)) == message);
  CHECK(messages(program(lines, "")) == "");
}
void catches_not(std::string_view lines) {
  CAPTURE(lines);
  CHECK(messages(program(lines)) == "");
}

}  // namespace

TEST_CASE("layouts of what is called") {
  catches_not("%c = f32[2,3]{1,0} fusion(%a), kind=kLoop, calls=%f");
  catches(
      "%c = f32[2,3]{0,1} fusion(%a), kind=kLoop, calls=%f",
      "c: the result is f32[2,3]{0,1}, but the root of f is f32[2,3]{1,0}: in a scheduled module they have the same "
      "dimension order");
  catches("%b = f32[2,3]{0,1} copy(%a)\n  %c = f32[2,3]{1,0} fusion(%b), kind=kLoop, calls=%f",
          "c: operand 0 is f32[2,3]{0,1}, but parameter 0 of f is f32[2,3]{1,0}: in a scheduled module they have the "
          "same dimension order");
  catches("%c = f32[2,3]{1,0:T(4,128)} fusion(%a), kind=kLoop, calls=%f",
          "c: the result is f32[2,3]{1,0:T(4,128)}, but the root of f is f32[2,3]{1,0}: in a scheduled module they "
          "have the same tiles");
  catches_not("%c = f32[2,3]{1,0:S(1)} fusion(%a), kind=kLoop, calls=%f");  // the inside need not write the space
  catches_not("%c = f32[2,3] fusion(%a), kind=kLoop, calls=%f");
  catches(
      "%c = f32[2,3]{1,0:S(1)} call(%a), to_apply=%f",
      "c: the result is f32[2,3]{1,0:S(1)}, but the root of f is f32[2,3]{1,0}: in a scheduled module they have the "
      "same memory space");
}

TEST_CASE("layouts of loops and branches") {
  catches_not("%c = f32[2,3]{1,0} while(%a), condition=%cond, body=%f");
  catches("%c = f32[2,3]{0,1} while(%a), condition=%cond, body=%f",
          "c: operand 0 is f32[2,3]{1,0}, but the result is f32[2,3]{0,1}: in a scheduled module they have the same "
          "dimension order");
  catches(
      "%b = f32[2,3]{0,1} copy(%a)\n  %c = f32[2,3]{0,1} while(%b), condition=%cond, body=%f",
      "c: operand 0 is f32[2,3]{0,1}, but parameter 0 of cond is f32[2,3]{1,0}: in a scheduled module they have the "
      "same dimension order");
  catches_not("%c = f32[2,3]{1,0} conditional(%p, %a, %a), true_computation=%f, false_computation=%g");
  catches(
      "%c = f32[2,3]{0,1} conditional(%p, %a, %a), true_computation=%f, false_computation=%g",
      "c: the result is f32[2,3]{0,1}, but the root of f is f32[2,3]{1,0}: in a scheduled module they have the same "
      "dimension order");
  catches(
      "%b = f32[2,3]{0,1} copy(%a)\n"
      "  %c = f32[2,3]{1,0} conditional(%p, %a, %b), true_computation=%f, false_computation=%g",
      "c: operand 2 is f32[2,3]{0,1}, but parameter 0 of g is f32[2,3]{1,0}: in a scheduled module they have the "
      "same dimension order");
}

TEST_CASE("layouts of tuples and their elements") {
  catches_not("%t = (f32[2,3]{1,0}, f32[2,3]) tuple(%a, %a)\n  %c = f32[2,3]{1,0} get-tuple-element(%t), index=0");
  catches("%t = (f32[2,3]{1,0}, f32[2,3]{0,1}) tuple(%a, %a)",
          "t: operand 1 is f32[2,3]{1,0}, but its element of the tuple is f32[2,3]{0,1}: in a scheduled module they "
          "have the same dimension order");
  catches("%t = (f32[2,3]{1,0}) tuple(%a)\n  %c = f32[2,3]{1,0:S(1)} get-tuple-element(%t), index=0",
          "c: the result is f32[2,3]{1,0:S(1)}, but element 0 is f32[2,3]{1,0}: in a scheduled module they have the "
          "same memory space");
}

TEST_CASE("layouts of asynchronous operations") {
  catches_not(
      "%s = (f32[2,3]{1,0:S(1)}, f32[2,3]{1,0}, u32[]) copy-start(%a)\n  %c = f32[2,3]{1,0:S(1)} copy-done(%s)");
  catches("%s = (f32[2,3]{1,0:S(1)}, f32[2,3]{0,1}, u32[]) copy-start(%a)",
          "s: operand 0 is f32[2,3]{1,0}, but element 1 of the result is f32[2,3]{0,1}: in a scheduled module they "
          "have the same dimension order");
  catches(
      "%s = (f32[2,3]{1,0:S(1)}, f32[2,3]{1,0}, u32[]) copy-start(%a)\n  %c = f32[2,3]{1,0} copy-done(%s)",
      "c: the result is f32[2,3]{1,0}, but the result of its start is f32[2,3]{1,0:S(1)}: in a scheduled module they "
      "have the same memory space");
  catches("%s = ((f32[2,3]{1,0}), f32[2,3]{0,1}) async-start(%a), calls=%f",
          "s: element 1 of the result is f32[2,3]{0,1}, but the root of f is f32[2,3]{1,0}: in a scheduled module they "
          "have the same dimension order");
  catches(
      "%s = ((f32[2,3]{1,0}), f32[2,3]{1,0}) async-start(%a), calls=%f\n  %c = f32[2,3]{0,1} async-done(%s)",
      "c: the result is f32[2,3]{0,1}, but the result of its start is f32[2,3]{1,0}: in a scheduled module they have "
      "the same dimension order");
}

TEST_CASE("layouts that an operation keeps") {
  catches("%c = f32[1,3]{0,1} slice(%a), slice={[0:1], [0:3]}",
          "c: operand 0 is f32[2,3]{1,0}, but the result is f32[1,3]{0,1}: in a scheduled module they have the same "
          "dimension order");
  catches_not("%c = f32[1,3]{1,0:T(2,128)} slice(%a), slice={[0:1], [0:3]}");  // small results have other tiles
  catches_not("%c = f32[2,3]{0,1} copy(%a)");
  catches_not("%c = f32[2,3]{0,1} negate(%a)");
  const std::string whole = program("%c = f32[2,3]{1,0} fusion(%a), kind=kLoop, calls=%f");
  std::string inside = whole;
  inside.replace(inside.find("ROOT %n = f32[2,3]{1,0} negate(%x)"), 23,
                 "%m = f32[2,3]{0,1} negate(%x)\n  ROOT %n = f32[2,3]{1,0}");
  inside.replace(inside.find("} negate(%x)\n}"), 12, "} copy(%m)");
  CHECK(messages(inside) ==
        "m: operand 0 is f32[2,3]{1,0}, but the result is f32[2,3]{0,1}: in a scheduled module they have the same "
        "dimension order");
}

TEST_CASE("layouts of the entry") {
  const auto header = [](std::string_view layout) {
    return std::string(scheduled) + ", entry_computation_layout={" + std::string(layout) + "}";
  };
  CHECK(messages(program("", header("(f32[2,3]{1,0})->f32[]"))) == "");
  CHECK(messages(program("", header("(f32[2,3]{1,0:S(5)})->f32[]"))) == "");  // spaces may be assigned later
  CHECK(
      messages(program("", header("(f32[2,3]{0,1})->f32[]"))) ==
      "a: this parameter is f32[2,3]{1,0}, but entry_computation_layout has f32[2,3]{0,1}: in a scheduled module they "
      "have the same dimension order");
  CHECK(messages(program("", header("(f32[2,3]{1,0})->f32[]{:T(128)}"))) == "");  // one side has no layout
}
