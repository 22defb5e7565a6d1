#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/checks/padding/tile_padding.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

std::string with_parameter(const std::string& shape, const std::string& body = {}) {
  return "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = " + shape +
         " parameter(0), metadata={op_name=\"emb\" source_file=\"model.py\" source_line=7}\n" + body +
         "  ROOT %r = f32[] constant(0)\n}\n";
}

findings lint_text(const std::string& text, target backend = target::unknown, const tile_padding& check = {}) {
  return lint(check, context({.hlo = module_of(text), .target = backend}));
}

std::string dump_of(const std::string& values, const char* flags = "preallocated-temp") {
  return std::string("BufferAssignment:\nallocation 0: size 9000000000, ") + flags + ":\n" + values + "\n";
}

findings lint_dump(const std::string& values, const char* flags = "preallocated-temp") {
  return lint(tile_padding{}, buffers_of(dump_of(values, flags)));
}

}  // namespace

TEST_CASE("PAD001 catches, from HLO") {
  const findings found = lint_text(with_parameter("u32[12582912,1]{1,0:T(8,128)}"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].rule == "PAD001");
  CHECK(found[0].level == severity::warning);
  CHECK(found[0].message ==
        "u32[12582912,1]{1,0:T(8,128)} takes 6.00GiB for 48.00MiB of elements (128x): tile (8,128) pads "
        "minor dimension 1 -> 128; u32[12582912,1]{0,1:T(1,128)} would take 48.00MiB");
  CHECK(found[0].bytes == 6_GiB - 48_MiB);
  CHECK(found[0].instruction == "p");
  CHECK(found[0].source_file == "model.py");

  // One finding per shape; what passes a buffer on does not count again.
  const std::string wide = "f32[29184,1,2560]{2,1,0:T(2,128)}";
  const findings same = lint_text(with_parameter(wide, "  %n = " + wide + " negate(%p)\n  %b = " + wide +
                                                           " bitcast(%n)\n  %t = (" + wide +
                                                           ") tuple(%b)\n"
                                                           "  %g = " +
                                                           wide + " get-tuple-element(%t), index=0\n"));
  REQUIRE(same.size() == 1);
  CHECK(same[0].message.ends_with("; 2 values have this shape, all at a time"));
  CHECK(same[0].bytes == 2 * (29184 * 2 * 2560 - 29184 * 2560) * 4);
  REQUIRE(same[0].related.size() == 1);
  CHECK(same[0].related[0].instruction == "n");

  CHECK(lint_text(with_parameter("(pred[64,512,2048]{2,1,0:T(8,128)E(32)}, f32[])")).size() == 1);
}

TEST_CASE("PAD001 counts, from HLO, the arrays of a shape that are in memory at the same time") {
  const std::string wide = "f32[29184,1,2560]{2,1,0:T(2,128)}";
  const auto bytes_of = [&](const std::string& body, const std::string& header) {
    const findings found = lint_text("HloModule m" + header + "\n\nENTRY %main {\n  %p = f32[] parameter(0)\n" + body +
                                     "  ROOT %r = f32[] constant(0)\n}\n");
    REQUIRE(found.size() == 1);
    return *found[0].bytes / (29184 * 2560 * 4);
  };
  const auto line = [&](const std::string& name, const std::string& does) {
    return "  %" + name + " = " + wide + " " + does + "\n";
  };
  // Of a chain one is there at a time; three are there where the first of them is read last.
  const std::string made = line("a", "broadcast(%p), dimensions={}"),
                    chain = made + line("b", "negate(%a)") + line("c", "sine(%b)"),
                    fan = made + line("b", "sine(%a)") + line("c", "cosine(%a)") + line("d", "add(%a, %b)") +
                          line("e", "add(%d, %c)");
  CHECK(bytes_of(made, ", is_scheduled=true") == 1);
  CHECK(bytes_of(chain, ", is_scheduled=true") == 1);
  CHECK(bytes_of(fan, ", is_scheduled=true") == 3);
  CHECK(bytes_of(fan, "") == 1);
}

TEST_CASE("PAD001 measures waste by the memory that it is in") {
  const std::string narrow = "f32[40960,32]{1,0:T(8,128)S(1)}";  // 20 MiB, three quarters of it padding
  const findings found = lint_text(with_parameter(narrow), target::tpu);
  REQUIRE(found.size() == 1);
  CHECK(found[0].bytes == 15_MiB);
  CHECK(found[0].message.find("; 12 % of the 128.00MiB of VMEM holds this padding") != std::string::npos);
  CHECK(lint_text(with_parameter(narrow), target::tpu, {.min_percent = 12}).empty());
  CHECK(lint_text(with_parameter("f32[8192,32]{1,0:T(8,128)S(1)}"), target::tpu).empty());  // 2 % of VMEM
  CHECK(lint_text(with_parameter("f32[40960,32]{1,0:T(8,128)}"), target::tpu).empty());     // in HBM
  CHECK(lint_text(with_parameter(narrow)).empty());                                         // S(1) of what?
  // 16 MiB of VMEM
  context::parts parts;
  parts.hlo = module_of(with_parameter("f32[8192,32]{1,0:T(8,128)S(1)}"));
  parts.target = target::tpu;
  parts.device = *find_device("tpu-v3");
  CHECK(lint(tile_padding{}, context(std::move(parts))).size() == 1);
}

TEST_CASE("PAD001 explains wide elements as such") {
  const findings found = lint_text(with_parameter("pred[64,512,2048]{2,1,0:T(8,128)E(32)}"));
  REQUIRE(found.size() == 1);
  CHECK(
      found[0].message ==
      "pred[64,512,2048]{2,1,0:T(8,128)E(32)} takes 256.00MiB for 64.00MiB of elements (4.00x): each element is stored "
      "in 32 bits instead of 8, E(32)");
  CHECK(found[0].advice.find("no layout changes their width") != std::string::npos);
  const findings both = lint_text(with_parameter("pred[64,4096,32]{2,1,0:T(8,128)E(32)}"));
  REQUIRE(both.size() == 1);
  CHECK(both[0].message.find("tile (8,128) pads minor dimension 32 -> 128, and each element is stored in 32 bits") !=
        std::string::npos);
}

TEST_CASE("PAD001 does not catch, from HLO") {
  CHECK(lint_text(with_parameter("f32[4096,4096]{1,0:T(8,128)}")).empty());
  CHECK(lint_text(with_parameter("f32[1024,245,64]{1,2,0:T(8,128)}")).empty());    // too little waste
  CHECK(lint_text(with_parameter("f32[4096,1]{1,0:T(8,128)}")).empty());           // too little of it
  CHECK(lint_text(with_parameter("f32[1048576,16,96]{2,1,0:T(8,128)}")).empty());  // 1.33x
  CHECK(lint_text(with_parameter("u32[12582912,1]{1,0}")).empty());                // no tiles
  CHECK(lint_text(with_parameter("u32[12582912,1]{1,0:T(8,128)}"), target::gpu).empty());
  CHECK(lint_text(with_parameter("u32[12582912,1]{1,0:T(8,128)}"), target::tpu, {.min_ratio = 200}).empty());
  // Inside a fusion nothing has storage.
  CHECK(lint_text("HloModule m\n\n%fused {\n  %fp = u32[12582912]{0:T(1024)} parameter(0)\n"
                  "  %w = u32[12582912,1]{1,0:T(8,128)} "
                  "reshape(%fp)\n  ROOT %fr = u32[12582912]{0:T(1024)} reshape(%w)\n}\n\nENTRY %main {\n"
                  "  %p = u32[12582912]{0:T(1024)} parameter(0)\n"
                  "  ROOT %f = u32[12582912]{0:T(1024)} fusion(%p), kind=kLoop, "
                  "calls=%fused\n}\n")
            .empty());
}

TEST_CASE("PAD001 catches, from a buffer dump") {
  const findings found = lint_dump(
      " value: <1 a @0> (size=6442450944,offset=0): u32[12582912,1]{1,0:T(8,128)}\n"
      " value: <2 b @0> (size=6442450944,offset=0): u32[12582912,1]{1,0:T(8,128)}\n");
  REQUIRE(found.size() == 1);  // one chunk
  CHECK(found[0].bytes == 6_GiB - 48_MiB);
  CHECK(found[0].instruction == "a");
  REQUIRE(found[0].buffer);
  CHECK(found[0].buffer->size == 6_GiB);
  CHECK(found[0].message.find("2 values share this place, none fills it more") != std::string::npos);

  const findings two = lint_dump(
      " value: <1 a @0> (size=1073741824,offset=0): f32[2097152,1]{1,0:T(8,128)}\n"
      " value: <2 b @0> (size=1073741824,offset=1073741824): f32[2097152,1]{1,0:T(8,128)}\n");
  CHECK(two.size() == 2);
}

TEST_CASE("PAD001 with both: the finding knows the program") {
  const std::string shape = "u32[12582912,1]{1,0:T(8,128)}";
  const findings found = lint(tile_padding{}, module_of(with_parameter(shape)),
                              buffers_of(dump_of(" value: <1 p @0> (size=6442450944,offset=0): " + shape + "\n")));
  REQUIRE(found.size() == 1);
  CHECK(found[0].source_file == "model.py");
  CHECK(found[0].computation == "main");
  REQUIRE(found[0].related.size() == 1);
  CHECK(found[0].related[0].instruction == "p");
}

TEST_CASE("PAD001 catches a padded value whose place a full one takes at another time") {
  const auto found_with = [](const std::string& range_of_b) {
    return lint(
        tile_padding{},
        buffers_of("BufferAssignment:\nallocation 0: size 1073741824, preallocated-temp:\n"
                   " value: <1 a @0> (size=1073741824,offset=0): f32[2097152,1]{1,0:T(8,128)}\n"
                   " value: <2 b @0> (size=1073741824,offset=0): f32[2097152,128]{1,0:T(8,128)}\n\n\n"
                   "HloLiveRange (max 6):\n  InstructionSequence:\n    0:p\n    1:a\n    2:c\n    3:d\n    4:b\n"
                   "    5:e\n  BufferLiveRange:\n    a{}:1-3\n    b{}:" +
                   range_of_b + "\n  Live ranges at 2 (peak):\n"));
  };
  const findings found = found_with("4-6");
  REQUIRE(found.size() == 1);
  CHECK(found[0].instruction == "a");
  CHECK(found[0].bytes == 1_GiB - 8_MiB);
  CHECK(found_with("3-6").empty());  // b is made in the place of a
}

TEST_CASE("PAD001 does not catch, from a buffer dump") {
  // The place is filled by another value.
  CHECK(lint_dump(" value: <1 a @0> (size=1073741824,offset=0): f32[2097152,1]{1,0:T(8,128)}\n"
                  " value: <2 b @0> (size=1073741824,offset=0): f32[2097152,128]{1,0:T(8,128)}\n")
            .empty());
  // The tool that assigned the sizes did not tile.
  CHECK(lint_dump(" value: <1 a @0> (size=8388608,offset=0): f32[2097152,1]{1,0:T(8,128)}\n"
                  " value: <2 b @0> (size=1073741824,offset=8388608): f32[2097152,128]{1,0:T(8,128)}\n")
            .empty());
  CHECK(
      lint_dump(" value: <1 a @0> (size=1073741824,offset=0): f32[2097152,1]{1,0:T(8,128)}\n", "thread-local").empty());
}
