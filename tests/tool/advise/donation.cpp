// Arguments whose memory a result could take; the reported need is that of the text with the alias.
#include "tool/advise/fixtures.hpp"

#include <hlolint/lint/inputs/element_names.hpp>
#include <hlolint/parse.hpp>
#include <hlolint/tool/advise/schedule_advice.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <string_view>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

constexpr byte_count whole = 1048576 * 4;

// A program with a result `next` of the argument's shape: `made` is its definition, `more` the lines after it.
std::string step(std::string_view made, std::string_view more = "", std::string_view header = "") {
  return "HloModule m, is_scheduled=true" + std::string(header) +
         "\n\nENTRY %main {\n"
         "  %p = f32[1048576]{0} parameter(0), metadata={op_name=\"state\"}\n"
         "  %q = f32[1024]{0} parameter(1)\n"
         "  %small = f32[1024]{0} slice(%p), slice={[0:1024]}\n"
         "  %next = f32[1048576]{0} " +
         std::string(made) + "\n" + std::string(more) +
         "  ROOT %r = (f32[1048576]{0}, f32[1024]{0}) tuple(%next, %small)\n}\n";
}
std::optional<advise::donation_advice> found_in(const std::string& text, bool looked_for = true,
                                                target on = target::gpu) {
  advise::advice_options how = on_gpu();
  how.rules = assignment_rules::of(on);
  how.donations = looked_for;
  return advise::advise_memory(module_of(text), how).donation;
}
const std::string made = "custom-call(%small), custom_call_target=\"__cublas$gemm\"";

}  // namespace

TEST_CASE("a result that begins after the argument was read could lie in it") {
  const auto found = found_in(step(made));
  REQUIRE(found);
  REQUIRE(found->arguments.size() == 1);
  const advise::donated_argument& one = found->arguments[0];
  CHECK(one.parameter == 0);
  CHECK(to_string(one.index) == "{}");
  CHECK(to_string(one.output) == "{0}");
  CHECK(one.source == "state");
  CHECK(one.shape == "f32[1048576]{0}");
  CHECK(one.bytes == whole);
  CHECK(found->need_after == found->need_before - whole);
  CHECK(found->text.find("input_output_alias={ {0}: (0, {}, may-alias) }") != std::string::npos);
  const hlo_module given = module_of(found->text);
  CHECK(buffer_assignment(given, on_gpu().rules).plan().need == found->need_after);
  CHECK_FALSE(found_in(found->text));  // no more
  CHECK_FALSE(found_in(step(made), false));
}

TEST_CASE("arguments count by their sum") {
  // Each is an eighth of 1 MiB or less.
  const auto of_many = [](std::size_t count, const std::string& elements) {
    std::string parameters, negated, shapes, names;
    for (std::size_t k = 0; k < count; ++k) {
      const std::string n = std::to_string(k), type = "f32[" + elements + "]{0}";
      parameters += "  %p" + n + " = " + type + " parameter(" + n + ")\n";
      negated += "  %n" + n + " = " + type + " negate(%p" + n + ")\n";
      shapes += (k ? ", " : "") + type, names += (k ? ", %n" : "%n") + n;
    }
    return "HloModule m, is_scheduled=true\n\nENTRY %main {\n" + parameters + negated + "  ROOT %r = (" + shapes +
           ") tuple(" + names + ")\n}\n";
  };
  const auto found = found_in(of_many(12, "32768"));
  REQUIRE(found);
  CHECK(found->arguments.size() == 12);
  CHECK(found->need_before - found->need_after == 12 * 32768 * 4);
  CHECK_FALSE(found_in(of_many(12, "16384")));  // 768 KiB together
}

TEST_CASE("what reads the argument last may make the result only if it can do so in place") {
  CHECK(found_in(step("negate(%p)")));
  CHECK_FALSE(found_in(step("custom-call(%p), custom_call_target=\"__cublas$gemm\"")));
}

TEST_CASE("an argument that is read once the result is there keeps its bytes") {
  CHECK_FALSE(found_in(step(made, "  %late = f32[1024]{0} custom-call(%p), custom_call_target=\"writes_a_file\"\n")));
}

TEST_CASE("an alias that is there stays, and its result is taken") {
  const auto both = found_in(step(made, "", ", input_output_alias={ {1}: (1, {}, may-alias) }"));
  REQUIRE(both);
  CHECK(both->text.find("input_output_alias={ {1}: (1, {}, may-alias), {0}: (0, {}, may-alias) }") !=
        std::string::npos);
  CHECK_FALSE(found_in(step(made, "", ", input_output_alias={ {0}: (0, {}, may-alias) }")));
  CHECK_FALSE(found_in(step(made, "", ", buffer_donor={ (0, {}) }")));
}

// libtpu's final text leaves get-tuple-elements out, and its buffer files name them; the text with the alias has no
// such names.
TEST_CASE("names that only the buffer files have are no edit of the text") {
  const hlo_module plain =
      module_of(step(made,
                     "  %pair = (f32[1024]{0}, f32[1024]{0}) custom-call(%small), custom_call_target=\"pair\"\n"
                     "  %total = f32[1024]{0} add(%pair#0, %pair#1)\n"));
  const parsed_file buffers = parse(
      "HloLiveRange (max 9):\n  InstructionSequence:\n    0:p\n    1:q\n    2:small\n    3:next\n    4:pair\n"
      "    5:left.1\n    6:right.1\n    7:total\n    8:r\n  BufferLiveRange:\n  Live ranges at 0 (peak):\n"
      "Used values:\n<1 pair{0} @0>\n positions:\n  pair {0}\n  left.1\n uses:\n  total, operand 0\n"
      " from instruction: %pair = (f32[1024]{0}, f32[1024]{0}) custom-call(%small)\n"
      "<2 pair{1} @0>\n positions:\n  pair {1}\n  right.1\n uses:\n  total, operand 1\n"
      " from instruction: %pair = (f32[1024]{0}, f32[1024]{0}) custom-call(%small)\n");
  REQUIRE(buffers.buffers);
  const hlo_module named = with_element_names(plain, *buffers.buffers);
  REQUIRE(named.entry().find("left.1"));
  advise::advice_options how = on_gpu();
  how.donations = true;
  const auto found = advise::advise_memory(named, how).donation;
  REQUIRE(found);
  CHECK(found->need_after == found->need_before - whole);
}

namespace {

// A loop that adds to an argument in place: XLA copies an argument that the caller keeps.
const std::string loop = R"(HloModule m, is_scheduled=true

%body {
  %s = (s32[], f32[1048576]{0}) parameter(0)
  %i = s32[] get-tuple-element(%s), index=0
  %x = f32[1048576]{0} get-tuple-element(%s), index=1
  %one = s32[] constant(1)
  %next_i = s32[] add(%i, %one)
  %next_x = f32[1048576]{0} negate(%x)
  ROOT %t = (s32[], f32[1048576]{0}) tuple(%next_i, %next_x)
}

%cond {
  %s.1 = (s32[], f32[1048576]{0}) parameter(0)
  %i.1 = s32[] get-tuple-element(%s.1), index=0
  %n = s32[] constant(8)
  ROOT %less = pred[] compare(%i.1, %n), direction=LT
}

ENTRY %main {
  %p = f32[1048576]{0} parameter(0)
  %zero = s32[] constant(0)
  %copy.1 = f32[1048576]{0} copy(%p)
  %copy.2 = s32[] copy(%zero)
  %init = (s32[], f32[1048576]{0}) tuple(%copy.2, %copy.1)
  %while = (s32[], f32[1048576]{0}) while(%init), condition=%cond, body=%body
  ROOT %r = f32[1048576]{0} get-tuple-element(%while), index=1
}
)";
std::string with_late_reader(std::string text) {
  text.replace(text.find("  ROOT %r"), 0, "  %late = f32[1024]{0} slice(%p), slice={[0:1024]}\n");
  text.replace(text.find("ROOT %r = f32[1048576]{0} get-tuple"), 7, "%r1");
  return text.insert(text.size() - 2, "  ROOT %r = (f32[1048576]{0}, f32[1024]{0}) tuple(%r1, %late)\n");
}
// The argument is read behind the result that could lie in it, and nothing says that it has to be.
const std::string early_result =
    "HloModule m, is_scheduled=true\n\nENTRY %main {\n"
    "  %p = f32[1048576]{0} parameter(0)\n"
    "  %q = f32[1024]{0} parameter(1)\n"
    "  %next = f32[1048576]{0} pad(%q, %zero), padding=0_1047552\n"
    "  %zero = f32[] constant(0)\n"
    "  %small = f32[1024]{0} slice(%p), slice={[0:1024]}\n"
    "  ROOT %r = (f32[1048576]{0}, f32[1024]{0}) tuple(%next, %small)\n}\n";

}  // namespace

TEST_CASE("a copy that only saved the argument is gone once it is donated") {
  for (const target on : {target::cpu, target::gpu}) {
    const auto found = found_in(loop, true, on);
    REQUIRE(found);
    CHECK(found->need_after == found->need_before - whole);
    CHECK(found->text.find("%copy.1") == std::string::npos);
    CHECK(found->text.find("tuple(%copy.2, %p)") != std::string::npos);
    CHECK_FALSE(found_in(with_late_reader(loop), true, on));  // the copy stays
  }
}

TEST_CASE("libtpu writes into a donated argument behind all that reads it, other compilers copy") {
  std::string text = early_result;
  const std::string zero = "  %zero = f32[] constant(0)\n";
  text.erase(text.find(zero), zero.size());
  text.insert(text.find("  %next"), zero);
  const auto found = found_in(text, true, target::tpu);
  REQUIRE(found);
  CHECK(found->need_after == found->need_before - whole);
  CHECK(found->text.find("%small =") < found->text.find("%next ="));
  CHECK(found->promise == certainty::estimate);  // the compiler may copy instead
  CHECK(found->least_after == found->need_after);
  CHECK_FALSE(found_in(text, true, target::gpu));
  CHECK_FALSE(found_in(text, true, target::cpu));
  // A GPU only needs the order of the text.
  const std::size_t small = text.find("  %small"), end = text.find('\n', small) + 1;
  const std::string reader = text.substr(small, end - small);
  text.erase(small, reader.size());
  text.insert(text.find("  %next"), reader);
  const auto early = found_in(text, true, target::gpu);
  REQUIRE(early);
  CHECK(early->promise == certainty::proven);
  CHECK_FALSE(found_in(text, true, target::cpu));
}

namespace {

// An argument, what reads it, a result that may lie in it, and something large after all that; in the order of XLA for
// CPU.
std::string on_cpu(std::string_view late_reads, std::string_view next = "fusion(%p, %first), kind=kLoop, calls=added") {
  return "HloModule m, is_scheduled=true\n\nadded {\n"
         "  x = f32[1048576]{0} parameter(0)\n"
         "  y = f32[1024]{0} parameter(1)\n"
         "  n = f32[] constant(0)\n"
         "  z = f32[1048576]{0} pad(y, n), padding=0_1047552\n"
         "  ROOT sum = f32[1048576]{0} add(x, z)\n}\n\nENTRY %main {\n"
         "  %p = f32[1048576]{0} parameter(0)\n"
         "  %q = f32[1024]{0} parameter(1)\n"
         "  %first = f32[1024]{0} custom-call(%p), custom_call_target=\"__onednn$f\"\n"
         "  %late = f32[1024]{0} custom-call(" +
         std::string(late_reads) +
         "), custom_call_target=\"__onednn$g\"\n"
         "  %next = f32[1048576]{0} " +
         std::string(next) +
         "\n"
         "  %large = f32[4194304]{0} custom-call(%next, %late), custom_call_target=\"__onednn$h\"\n"
         "  %last = f32[1024]{0} custom-call(%large), custom_call_target=\"__onednn$i\"\n"
         "  ROOT %r = (f32[1048576]{0}, f32[1024]{0}) tuple(%next, %last)\n}\n";
}

}  // namespace

// XLA for CPU decides on copies before it orders the program: by what depends on what.
TEST_CASE("on CPU all read a copy of an argument that is read by what the result does not depend on") {
  const auto in_place = found_in(on_cpu("%first"), true, target::cpu);
  REQUIRE(in_place);
  CHECK(in_place->need_after == in_place->need_before - whole);
  CHECK(in_place->promise == certainty::proven);
  CHECK(in_place->least_after == in_place->need_after);
  CHECK(in_place->text.find(" copy(") == std::string::npos);

  const auto copied = found_in(on_cpu("%p"), true, target::cpu);
  REQUIRE(copied);
  CHECK(copied->need_after == copied->need_before - whole);  // what is large takes the place of the copy
  CHECK(copied->promise == certainty::proven);
  CHECK(copied->text.find("%p.copy = f32[1048576]{0} copy(%p)\n  %first = f32[1024]{0} custom-call(%p.copy)") !=
        std::string::npos);
  CHECK(copied->text.find("fusion(%p.copy, %first)") != std::string::npos);
  const hlo_module given = module_of(copied->text);
  CHECK(buffer_assignment(given, assignment_rules::of(target::cpu)).plan().need == copied->need_after);

  // Another order than breadth first: how the compiler would order the copies is not known.
  std::string text = on_cpu("%p");
  const std::size_t at = text.find("  %late"), end = text.find('\n', at) + 1;
  const std::string late = text.substr(at, end - at);
  text.insert(text.find("  %large"), late);
  text.erase(at, late.size());
  const auto ordered = found_in(text, true, target::cpu);
  REQUIRE(ordered);
  CHECK(ordered->promise == certainty::estimate);
  CHECK(ordered->least_after <= ordered->need_after);

  // The result does not depend on the argument at all: it is copied into the argument, and the argument away.
  const std::string apart = "custom-call(%q), custom_call_target=\"__onednn$n\"";
  CHECK_FALSE(found_in(on_cpu("%p", apart), true, target::cpu));
}

TEST_CASE("copies around a donated argument that XLA for CPU keeps") {
  const hlo_module module = module_of(
      "HloModule m\n\nENTRY main {\n"
      "  p = f32[8]{0} parameter(0)\n"
      "  early = f32[8]{0} negate(p)\n"
      "  saved = f32[8]{0} copy(p)\n"
      "  begun = f32[8]{0} add(early, saved)\n"
      "  between = f32[8]{0} cosine(p)\n"
      "  result = f32[8]{0} add(begun, between)\n"
      "  late = f32[8]{0} sine(p)\n"
      "  told = f32[8]{0} tan(p)\n"
      "  apart = f32[8]{0} iota(), iota_dimension=0, control-predecessors={told}\n"
      "  ROOT r = (f32[8]{0}, f32[8]{0}, f32[8]{0}) tuple(result, late, apart)\n}\n");
  const hlo_computation entry = module.entry();
  struct row {
    std::string_view first, result, reader;
    bool reads, in_place, is_copied;
    std::string_view kept;
  };
  for (const row& r :
       {row{"begun", "result", "early", false, false, false, ""},
        row{"begun", "result", "early", false, false, true, ""}, row{"begun", "result", "early", true, true, false, ""},
        row{"begun", "result", "early", true, false, false, "result"},
        row{"begun", "result", "between", false, false, false, "result"},
        row{"begun", "result", "between", false, false, true, "first result"},
        row{"begun", "result", "late", true, true, false, "argument"},
        row{"begun", "result", "late", false, false, true, "argument first"},
        row{"apart", "apart", "late", false, false, false, "argument result"},
        row{"apart", "apart", "told", false, false, false, ""}}) {
    const advise::detail::kept_copies kept = advise::detail::copies_kept(
        {entry.find(r.first), entry.find(r.result), {entry.find(r.reader)}, r.reads, r.in_place, r.is_copied});
    std::string names = kept.argument ? " argument" : "";
    names += std::string(kept.first ? " first" : "") + (kept.result ? " result" : "");
    CAPTURE(r.first);
    CAPTURE(r.reader);
    CHECK(names == (r.kept.empty() ? "" : " ") + std::string(r.kept));
  }
}

TEST_CASE("results take donated arguments of their type in turn, as JAX pairs them") {
  const auto two = [](std::string_view first, std::string_view second, std::string_view header = "") {
    return "HloModule m, is_scheduled=true" + std::string(header) +
           "\n\nENTRY %main {\n"
           "  %p = f32[1048576]{0} parameter(0)\n"
           "  %q = f32[1048576]{0} parameter(1)\n"
           "  %a = f32[1048576]{0} negate(%p)\n"
           "  %b = f32[1048576]{0} negate(%q)\n"
           "  ROOT %r = (f32[1048576]{0}, f32[1048576]{0}) tuple(" +
           std::string(first) + ", " + std::string(second) + ")\n}\n";
  };
  const auto straight = found_in(two("%a", "%b"));
  REQUIRE(straight);
  REQUIRE(straight->arguments.size() == 2);
  for (const advise::donated_argument& one : straight->arguments)
    CHECK(to_string(one.output) == (one.parameter == 0 ? "{0}" : "{1}"));
  CHECK(straight->need_after == straight->need_before - 2 * whole);
  // The first result would take %p, whose memory %b cannot be written to before %a has read it; a GPU does both in
  // turn.
  const auto crossed = found_in(two("%b", "%a"));
  REQUIRE(crossed);
  CHECK(crossed->arguments.size() == 1);
  // What is donated already keeps its result.
  const auto more = found_in(two("%a", "%b", ", input_output_alias={ {0}: (0, {}, may-alias) }"));
  REQUIRE(more);
  REQUIRE(more->arguments.size() == 1);
  CHECK(more->arguments[0].parameter == 1);
  CHECK_FALSE(found_in(two("%a", "%b", ", input_output_alias={ {0}: (1, {}, may-alias) }")));
}
