// The short form of get-tuple-element (`%x#1`) beside buffer files, which keep the names.
#include <hlolint/lint/inputs/element_names.hpp>
#include <hlolint/parse.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string>

using namespace hlolint;

namespace {

// The instructions of the entry with their operands: `y(get-tuple-element.8, p)`.
std::string listed(const hlo_module& module) {
  std::string out;
  for (const hlo_instruction i : module.entry().instructions()) {
    out += (out.empty() ? "" : " ") + std::string(i.name());
    if (i.operand_count() == 0) continue;
    out += '(';
    for (std::size_t k = 0; k < i.operand_count(); ++k)
      out += (k ? "," : "") + (i.operand(k) ? std::string(i.operand(k).name()) : "?");
    if (const auto index = i.attribute(attribute_key::index)) out += "#" + std::string(*index);
    out += ')';
  }
  return out;
}

std::string joined(const std::string& body, const std::string& dump) {
  const parsed_file hlo = parse(
      "HloModule m, is_scheduled=true\n\nENTRY %e (p: (f32[4], f32[4])) -> f32[4] {\n"
      "  %p = (f32[4]{0}, f32[4]{0}) parameter(0)\n" +
      body + "}\n");
  REQUIRE(hlo.modules().size() == 1);
  const parsed_file buffers = parse(dump);
  REQUIRE(buffers.buffers);
  const hlo_module module = with_element_names(hlo.modules()[0], *buffers.buffers);
  return listed(module);
}

std::string used_values(const std::string& entries) { return "Total bytes used: 1 (1B)\n\nUsed values:\n" + entries; }
std::string value(const std::string& name, const std::string& positions, const std::string& uses) {
  return "<" + name + " @0>\n positions:\n" + positions + " uses:\n" + uses +
         " from instruction: %p = f32[4]{0} parameter(0)\n";
}
std::string schedule(const std::string& names) {
  std::string out = "HloLiveRange (max 9):\n  InstructionSequence:\n";
  int at = 0;
  for (std::size_t begin = 0; begin < names.size();) {
    const std::size_t end = std::min(names.find(' ', begin), names.size());
    out += "    " + std::to_string(at++) + ":" + names.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return out + "  BufferLiveRange:\n  Live ranges at 0 (peak):\n";
}

const std::string values = used_values(
    value("0 p{}", "  p {}\n", "  get-tuple-element.7, operand 0 {}\n  get-tuple-element.8, operand 0 {}\n") +
    value("1 p{0}", "  p {0}\n  get-tuple-element.8\n", "  y, operand 0\n") +
    value("2 p{1}", "  p {1}\n  get-tuple-element.7\n", "  y, operand 1\n"));
const std::string add = "  ROOT %y = f32[4]{0} add(%p#0, %p#1)\n";

}  // namespace

TEST_CASE("elements get the names and places of the buffer files") {
  CHECK(joined(add, values + schedule("p get-tuple-element.7 get-tuple-element.8 y")) ==
        "p get-tuple-element.7(p#1) get-tuple-element.8(p#0) y(get-tuple-element.8,get-tuple-element.7)");
}

TEST_CASE("an element that nothing uses is in the schedule all the same") {
  CHECK(joined("  ROOT %y = f32[4]{0} negate(%p#0)\n",
               values + schedule("p get-tuple-element.7 get-tuple-element.8 y")) ==
        "p get-tuple-element.7(p#1) get-tuple-element.8(p#0) y(get-tuple-element.8)");
}

TEST_CASE("without used values elements follow in the order of their use") {
  CHECK(joined(add, schedule("p get-tuple-element.7 get-tuple-element.8 y")) ==
        "p get-tuple-element.7(p#0) get-tuple-element.8(p#1) y(get-tuple-element.7,get-tuple-element.8)");
}

TEST_CASE("without used values the element goes first whose tuple's table has to be read first") {
  const std::string body =
      "  %q = (f32[4]{0}, f32[4]{0}) custom-call(%p), custom_call_target=\"f\"\n"
      "  %r = (f32[4]{0}, f32[4]{0}) custom-call(%p), custom_call_target=\"f\"\n"
      "  %x = f32[4]{0} add(%q#0, %r#1)\n  ROOT %y = f32[4]{0} add(%x, %q#1)\n";
  const auto with_ranges = [&](const std::string& ranges) {
    std::string dump = schedule("p q r g1 g2 g3 x y");
    dump.insert(dump.find("  Live ranges"), ranges);
    return joined(body, dump);
  };
  const std::string first = "p q(p) r(p) ", last = " y(x,";
  // One reader of q is the last, then both are before that of r.
  CHECK(with_ranges("    q{}:1-5\n    r{}:2-4\n") == first + "g1(q#0) g2(r#1) g3(q#1) x(g1,g2)" + last + "g3)");
  CHECK(with_ranges("    q{}:1-4\n    r{}:2-5\n") == first + "g1(q#0) g2(q#1) g3(r#1) x(g1,g3)" + last + "g2)");
  CHECK(with_ranges("    q{}:1-5\n    r{}:2-3\n") == first + "g1(r#1) g2(q#0) g3(q#1) x(g2,g1)" + last + "g3)");
}

TEST_CASE("used values that are cut off give no names") {
  std::string dump =
      "BufferAssignment:\nallocation 0: size 64, preallocated-temp:\n value: <0 p{} @0> (size=16,offset=0): "
      "(f32[4]{0}, f32[4]{0})\n value: <1 p{0} @0> (size=16,offset=16): f32[4]{0}\n value: <2 p{1} @0> "
      "(size=16,offset=32): f32[4]{0}\n\n" +
      used_values("") + schedule("p get-tuple-element.7 get-tuple-element.8 y");
  CHECK(joined(add, dump) ==
        "p get-tuple-element.7(p#0) get-tuple-element.8(p#1) y(get-tuple-element.7,get-tuple-element.8)");
}

TEST_CASE("without a schedule names are found among the positions of values") {
  CHECK(joined(add, values) ==
        "p get-tuple-element.8(p#0) get-tuple-element.7(p#1) y(get-tuple-element.8,get-tuple-element.7)");
}

TEST_CASE("names that fit no element, and texts in the long form, change nothing") {
  CHECK(joined(add, used_values(value("0 q", "  q\n  get-tuple-element.9\n", "")) +
                        schedule("p get-tuple-element.9 y")) == "p p_0(p#0) p_1(p#1) y(p_0,p_1)");
  CHECK(joined("  %g = f32[4]{0} get-tuple-element(%p), index=1\n  ROOT %y = f32[4]{0} negate(%g)\n",
               values + schedule("p g y")) == "p g(p#1) y(g)");
}

namespace {

// A program of n elements, with its buffer files.
struct large_program {
  std::string hlo, dump;
};
// Of one tuple; `alike`: the elements have one value. Without `known` values the dump has the schedule only.
large_program one_tuple(std::size_t n, bool alike, bool known) {
  std::string type, body, names = "p", all = value("0 p{}", "  p {}\n", ""), positions;
  for (std::size_t k = 0; k < n; ++k) {
    const std::string number = std::to_string(k), name = "get-tuple-element." + number;
    type += (k ? ", f32[4]{0}" : "f32[4]{0}");
    body += "  %y." + number + " = f32[4]{0} negate(%p#" + number + ")\n";
    names += " " + name + " y." + number;
    const std::string here = "  p {" + number + "}\n  " + name + "\n";
    if (alike)
      positions += here;
    else
      all += value(std::to_string(k + 1) + " p{" + number + "}", here, "");
  }
  if (alike) all += value("1 q", positions, "");
  return {"HloModule m, is_scheduled=true\n\nENTRY %e {\n  %p = (" + type + ") parameter(0)\n" + body +
              "  ROOT %r = f32[4]{0} negate(%y.0)\n}\n",
          (known ? used_values(all) : "") + schedule(names + " r")};
}
// Of computations without a schedule, through which one value goes.
large_program many_computations(std::size_t n) {
  std::string text = "HloModule m, is_scheduled=true\n\n", calls, all;
  for (std::size_t k = 0; k < n; ++k) {
    const std::string number = std::to_string(k);
    text += "%f." + number + " {\n  %p." + number + " = (f32[4]{0}) parameter(0)\n  ROOT %y." + number +
            " = f32[4]{0} negate(%p." + number + "#0)\n}\n\n";
    all += value(std::to_string(2 * k) + " p." + number + "{}", "  p." + number + " {}\n",
                 "  get-tuple-element." + number + ", operand 0 {}\n");
    all += value(std::to_string(2 * k + 1) + " v." + number,
                 "  p." + number + " {0}\n  get-tuple-element." + number + "\n", "");
    calls += "  %c." + number + " = f32[4]{0} fusion(%q), kind=kLoop, calls=%f." + number + "\n";
  }
  return {text + "ENTRY %e {\n  %q = (f32[4]{0}) parameter(0)\n" + calls + "  ROOT %r = f32[4]{0} negate(%c.0)\n}\n",
          used_values(all)};
}

// How many elements are looked at; all have to get their names.
std::size_t work(const large_program& program, std::size_t n) {
  const parsed_file hlo = parse(program.hlo), buffers = parse(program.dump);
  REQUIRE(hlo.modules().size() == 1);
  REQUIRE(buffers.buffers);
  detail::element_naming naming(hlo.modules()[0], *buffers.buffers);
  const auto named = naming.result();
  REQUIRE(named);
  std::size_t count = 0;
  for (const hlo_instruction i : named->instructions()) count += i.name().starts_with("get-tuple-element.");
  CHECK(count == n);
  return naming.looked_at();
}

}  // namespace

TEST_CASE("the work grows with the text and not faster") {
  const auto grows = [](auto&& make) {
    constexpr std::size_t n = 400;
    const std::size_t small = work(make(n), n), large = work(make(4 * n), 4 * n);
    CHECK(small >= n);
    CHECK(large <= 5 * small);
  };
  grows([](std::size_t k) { return one_tuple(k, false, true); });
  grows([](std::size_t k) { return one_tuple(k, true, true); });
  grows([](std::size_t k) { return one_tuple(k, false, false); });
  grows([](std::size_t k) { return many_computations(k); });
}
