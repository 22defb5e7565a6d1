// A dump compared with its HLO: everything equal, and every single change found in the section where it was made.
#include "analysis/module_of.hpp"

#include <hlolint/tool/memory/verification.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const char* const hlo = R"(HloModule m, is_scheduled=true

ENTRY e {
  p = f32[4]{0} parameter(0)
  a = f32[4]{0} negate(p)
  ROOT t = (f32[4]{0}) tuple(a)
}
)";

const std::string printed = R"(BufferAssignment:
allocation 0: size 16, parameter 0, shape |f32[4]| at ShapeIndex {}:
 value: <0 p @0> (size=16,offset=0): f32[4]{0}
allocation 1: size 8, output shape is |(f32[4])|, maybe-live-out:
 value: <2 t{} @0> (size=8,offset=0): (f32[4]{0})
allocation 2: size 16, maybe-live-out:
 value: <1 a @0> (size=16,offset=0): f32[4]{0}

Total bytes used: 40 (40B)

Used values:
<0 p @0>
 positions:
  p
 uses:
  a, operand 0
 from instruction: %p = f32[4]{0} parameter(0)
<1 a @0>
 positions:
  a
  t {0}
 uses:
  t, operand 0
 from instruction: %a = f32[4]{0} negate(%p)
<2 t{} @0>
 positions:
  t {}
 uses:
  (none)
 from instruction: %t = (f32[4]{0}) tuple(%a)


HloLiveRange (max 3):
  InstructionSequence:
    0:p
    1:a
    2:t
  BufferLiveRange:
    p{}:0-3
    a{}:1-3
    t{}:2-3
  Live ranges at 2 (peak):
    a{}: 16 bytes (cumulative: 16 bytes)
    p{}: 16 bytes (cumulative: 32 bytes)
    t{}: 8 bytes (cumulative: 40 bytes)
)";

std::string changed(const std::string& from, const std::string& to) {
  std::string text = printed;
  REQUIRE(text.find(from) != text.npos);
  return text.replace(text.find(from), from.size(), to);
}

std::string counts(const verification& everything) {
  std::string out;
  for (const verified_section s : verified_sections)
    if (const agreement* const found = everything.section(s)) {
      out += (out.empty() ? "" : " ") + std::string(name_of(s)) + ":" + std::to_string(found->equal) + "/" +
             std::to_string(found->total);
      if (found->unknown) out += "+" + std::to_string(found->unknown);
    }
  return out;
}

}  // namespace

TEST_CASE("a dump that its HLO explains") {
  const verification everything(module_of(hlo), buffers_of(printed));
  CHECK(counts(everything) == "sizes:3/3 sequence:3/3 values:3/3 positions:3/3 uses:3/3 live_ranges:3/3 peak:4/4");
  CHECK(everything.all_equal());
  for (const verified_section s : verified_sections) CHECK(everything.section(s)->first.empty());
}

TEST_CASE("every change is found") {
  struct row {
    std::string from, to, counts, what, printed, computed;
    std::string_view where;
  };
  const row rows[] = {
      {"<1 a @0> (size=16", "<1 a @0> (size=12", "sizes:2/3", "a", "12", "16",
       " value: <1 a @0> (size=12,offset=0): f32[4]{0}"},
      {"    1:a\n", "    1:b\n", "sequence:2/3", "position 1", "b", "a", "b"},
      {"    2:t\n", "", "sequence:2/3", "position 2", "", "t", "HloLiveRange (max 3):"},
      {"    2:t\n", "    2:t\n    3:u\n", "sequence:3/4", "position 3", "u", "", "u"},
      {"Used values:\n<0 p @0>", "Used values:\n<0 p (phi) @0>", "values:2/3", "p", "a phi value", "a value",
       "<0 p (phi) @0>"},
      {"  a\n  t {0}\n", "  a\n  t {1}\n", "positions:2/3", "a", "t {1}", "t {0}", "<1 a @0>"},
      {"  a\n  t {0}\n", "  a\n", "positions:2/3", "a", "", "t {0}", "<1 a @0>"},
      {"  a, operand 0\n", "  a, operand 1\n", "uses:2/3", "p", "a, operand 1", "a, operand 0", "<0 p @0>"},
      {"  (none)\n", "  a, operand 0 {}\n", "uses:2/3", "t{}", "a, operand 0 {}", "", "<2 t{} @0>"},
      {"    a{}:1-3\n", "    a{}:1-2\n", "live_ranges:2/3", "a{}", "1-2", "1-3", "    a{}:1-2"},
      {"    a{}:1-3\n", "", "live_ranges:2/3", "a", "", "1-3", "HloLiveRange (max 3):"},
      {"    a{}:1-3\n", "    a{}:1-3\n    b{}:1-3\n", "live_ranges:3/4", "b{}", "1-3", "", "    b{}:1-3"},
      {"at 2 (peak)", "at 1 (peak)", "peak:3/4", "position", "1", "2", "HloLiveRange (max 3):"},
      {"    t{}: 8 bytes (cumulative: 40 bytes)\n", "", "peak:3/4", "t{}", "", "8 bytes, 40 up to here",
       "HloLiveRange (max 3):"},
  };
  for (const row& r : rows) {
    CAPTURE(r.from);
    CAPTURE(r.to);
    const verification everything(module_of(hlo), buffers_of(changed(r.from, r.to)));
    CHECK(!everything.all_equal());
    CHECK((" " + counts(everything) + " ").find(" " + r.counts + " ") != std::string::npos);
    std::vector<disagreement> found;
    for (const verified_section s : verified_sections)
      found.insert(found.end(), everything.section(s)->first.begin(), everything.section(s)->first.end());
    REQUIRE(found.size() == 1);
    CHECK(found[0].what == r.what);
    CHECK(found[0].printed == r.printed);
    CHECK(found[0].computed == r.computed);
    CHECK(found[0].where.text() == r.where);
  }
}

TEST_CASE("a value that is missing, and one that is too much") {
  const std::string a =
      printed.substr(printed.find("<1 a @0>\n"), printed.find("<2 t{} @0>\n") - printed.find("<1 a @0>\n"));
  const verification less(module_of(hlo), buffers_of(changed(a, "")));
  CHECK(counts(less) == "sizes:3/3 sequence:3/3 values:2/3 positions:2/2 uses:2/2 live_ranges:3/3 peak:4/4");
  CHECK(less.section(verified_section::values)->first.at(0).what == "a");
  CHECK(less.section(verified_section::values)->first.at(0).printed.empty());
  std::string b = a;
  for (std::size_t at = b.find("a"); at != b.npos; at = b.find("a", at + 1))
    if (b.substr(at, 2) == "a " || b.substr(at, 2) == "a\n") b[at] = 'b';
  const verification more(module_of(hlo), buffers_of(changed(a, a + b)));
  CHECK(counts(more) == "sizes:3/3 sequence:3/3 values:3/4 positions:3/4 uses:3/4 live_ranges:3/3 peak:4/4");
  CHECK(more.section(verified_section::values)->first.at(0).what == "b");
}

TEST_CASE("only what is printed is compared, in all forms of the peak") {
  CHECK(counts(verification(module_of(hlo), buffers_of(printed.substr(0, printed.find("\nTotal"))))) == "sizes:3/3");
  CHECK(counts(verification(module_of(hlo), buffers_of(printed.substr(printed.find("HloLiveRange"))))) ==
        "sequence:3/3 live_ranges:3/3 peak:4/4");
  const std::string head = printed.substr(0, printed.find("    a{}: 16 bytes"));
  CHECK(verification(module_of(hlo), buffers_of(head + "    p: 16 bytes\n    a: 16 bytes\n    t: 8 bytes\n"))
            .all_equal());
  CHECK(verification(module_of(hlo), buffers_of(head + "    p{}: 16 bytes\n    a{}: 16 bytes\n    t{}: 8 bytes\n"))
            .all_equal());
  CHECK(!verification(module_of(hlo), buffers_of(head + "    p{}: 16 bytes\n    a{}: 16 bytes\n    t{}: 16 bytes\n"))
             .all_equal());
}

TEST_CASE("sizes of arrays without a tile") {
  const hlo_module module = module_of(
      "HloModule m, is_scheduled=true\n\nENTRY e {\n"
      "  p = f32[8,128]{1,0:T(8,128)} parameter(0)\n"
      "  ROOT c = (s32[2]{0:S(4)}, f32[4,4]{1,0:T(8,128)}) custom-call(p), custom_call_target=\"x\"\n}\n");
  const auto with = [&](const std::string& last) {
    return counts(verification(
        module, buffers_of("BufferAssignment:\nallocation 0: size 4096:\n"
                           " value: <0 p @0> (size=4096,offset=0): f32[8,128]{1,0:T(8,128)}\n"
                           "allocation 1: size 32:\n"
                           " value: <1 c{} @0> (size=32,offset=0): (s32[2]{0:S(4)}, f32[4,4]{1,0:T(8,128)})\n"
                           "allocation 2: size 4096:\n"
                           " value: <2 c{0} @4> (size=4096,offset=0): s32[2]{0:S(4)}\n"
                           "allocation 3: size " +
                           last + ":\n value: <3 c{1} @0> (size=" + last + ",offset=0): f32[4,4]{1,0:T(8,128)}\n")));
  };
  CHECK(with("4096") == "sizes:4/4");
  CHECK(with("64") == "sizes:3/4");
}

TEST_CASE("a table of a SparseCore's tuple takes no bytes") {
  const hlo_module module = module_of(
      "HloModule m, is_scheduled=true\n\nENTRY e {\n"
      "  p = f32[8,128]{1,0:T(8,128)} parameter(0)\n"
      "  ROOT c = (f32[4,4]{1,0:T(8,128)}) custom-call(p), custom_call_target=\"x\"\n}\n");
  const auto with = [&](const std::string& table) {
    return counts(verification(module, buffers_of("BufferAssignment:\nallocation 0: size 4096:\n"
                                                  " value: <0 p @0> (size=4096,offset=0): f32[8,128]{1,0:T(8,128)}\n"
                                                  "allocation 1: size 0, preallocated-temp:\n"
                                                  " value: <1 c{} " +
                                                  table + ": (f32[4,4]{1,0:T(8,128)})\n")));
  };
  CHECK(with("@7> (size=0,offset=0)") == "sizes:2/2");
  CHECK(with("@0> (size=0,offset=0)") == "sizes:1/2");
}

TEST_CASE("the size of a set is that of its biggest value") {
  const std::string header = "HloModule m, is_scheduled=true, input_output_alias={ {}: (0, {}, may-alias) }";
  const hlo_module module = module_of(header +
                                      "\n\nENTRY e {\n  p = f32[4]{0} parameter(0)\n"
                                      "  ROOT b = f32[8]{0} custom-call(p), custom_call_target=\"x\"\n}\n");
  const buffer_dump dump = buffers_of(
      "BufferAssignment:\nallocation 0: size 32, parameter 0, shape |f32[4]| at ShapeIndex {}, maybe-live-out:\n"
      " value: <0 p @0> (size=32,offset=0): f32[4]{0}\n"
      " value: <1 b @0> (size=32,offset=0): f32[8]{0}\n");
  CHECK(counts(verification(module, dump)) == "sizes:2/2");
}
