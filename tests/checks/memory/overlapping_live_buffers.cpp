#include "checks/memory/memory_outcome.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;
using namespace hlolint::testing::memory;

TEST_CASE("MEM001 alone: values that live at the same time") {
  const auto list = as_catalogue(overlapping_live_buffers{});
  const auto found = [&](const std::vector<value_row>& values) {
    return lint(list, context({.buffers = dump_of({{temp, values}}), .target = target::gpu}), all_settings(list))
        .size();
  };
  CHECK(found({{"a", 0, 64, 1, 6, {6}}, {"b", 0, 64, 5, 9, {9}}}) == 1);
  CHECK(found({{"a", 0, 64, 1, 5, {4}}, {"b", 0, 64, 5, 9, {9}}}) == 0);
  CHECK(found({{"a", 0, 64, 1, 5, {5}}, {"b", 32, 64, 5, 9, {9}}}) == 0);
  CHECK(found({{"a", 0, 64, 1, 4, {4}}, {"b", 0, 64, 5, 9, {9}}}) == 0);
}

TEST_CASE("a value that is only renamed after the other one starts is a note, in temporary memory") {
  // op.8 is called bitcast.8 here.
  const auto with = [](const std::string& flags, std::int64_t last_read) {
    std::string text =
        dump_text({{flags, {{"a", 0, 64, 1, 8, {last_read}, "", "", {"op.8"}}, {"b", 0, 64, 5, 9, {9}}}}});
    for (std::size_t at = text.find("op.8"); at != std::string::npos; at = text.find("op.8"))
      text.replace(at, 4, "bitcast.8");
    return outcome(*parse(std::move(text)).buffers);
  };
  CHECK(with(temp, 4) == "MEM001 note");
  CHECK(with(temp, 6) == "MEM001 error");
  CHECK(with(", maybe-live-out", 4) == "MEM001 error");
}

TEST_CASE("with the HLO at hand") {
  const buffer_dump dump = dump_of({{temp, {{"a", 0, 64, 1, 6, {6}}, {"b", 0, 64, 5, 9, {9}}}}});
  const auto with = [&](std::string_view header) {
    const parsed_file file = parse("HloModule m" + std::string(header) +
                                   "\n\nENTRY %main (p: u8[64]) -> u8[64] {\n"
                                   "  %p = u8[64]{0} parameter(0)\n"
                                   "  %a = u8[64]{0} not(u8[64]{0} %p)\n"
                                   "  ROOT %b = u8[64]{0} not(u8[64]{0} %a), metadata={op_name=\"jit(g)/not\" "
                                   "source_file=\"g.py\" source_line=7}\n}\n");
    return context({.hlo = file.modules().at(0), .buffers = dump, .target = target::gpu});
  };
  CHECK(outcome(with(", is_scheduled=true")) == "MEM001 error");
  CHECK(outcome(with("")) == "MEM001 warning");
  const findings found = lint(memory_rules, with(", is_scheduled=true"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].computation == "main");
  CHECK(found[0].source_file == "g.py");
  CHECK(found[0].source_line == 7);
}

TEST_CASE("the text of a finding") {
  const buffer_dump dump = dump_of({{temp, {{"a{0}", 128, 64, 1, 6, {6}}, {"b", 160, 64, 5, 9, {9}}}}});
  const findings found = lint(memory_rules, dump);
  REQUIRE(found.size() == 1);
  const diagnostic& d = found[0];
  CHECK(d.message ==
        "b (bytes 160 to 224, live 5-9) overlaps a{0} (bytes 128 to 192, live 1-6): 32B in common, both "
        "live from position 5 (b) on");
  CHECK(d.instruction == "b");
  CHECK(d.shape == "u8[64]{0}");
  CHECK(d.bytes == 32);
  CHECK(d.buffer == buffer_place{0, 160, 64, 5, 9});
  CHECK(d.where.text() == dump.values()[1].text);
  CHECK(d.op_name == "jit(f)/b");
  CHECK(d.source_file == "f.py");
  CHECK(d.source_line == 4);
  CHECK(!d.advice.empty());
  REQUIRE(d.related.size() == 1);
  CHECK(d.related[0].instruction == "a");
  CHECK(d.related[0].buffer == buffer_place{0, 128, 64, 1, 6});
  CHECK(d.related[0].where.text() == dump.values()[0].text);
}
