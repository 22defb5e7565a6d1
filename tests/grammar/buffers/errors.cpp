// What the reader reports about damaged dumps, and what it keeps of them.
#include <hlolint/ir/memory_report.hpp>

#include "grammar/buffers/reading.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace hlolint;
using buffer_reading::outcome;
using buffer_reading::read;

namespace {

/// The combined dump with one line replaced; the line is found by its beginning.
std::string with_line(std::string_view beginning, std::string_view replacement) {
  std::string text(buffer_reading::combined);
  const std::size_t at = ("\n" + text).find("\n" + std::string(beginning));
  REQUIRE(at != text.npos);
  text.replace(at, text.find('\n', at) - at, replacement);
  return text;
}

}  // namespace

TEST_CASE("a bad line is one diagnostic at the place, and reading goes on") {
  struct row {
    std::string_view line, replacement, message;
  };
  const row rows[] = {
      {"BufferAssignment:", "BufferAssignment", "1:1 SYN001 expected a line of a buffer dump"},
      {"allocation 2:", "allocation two: size 4, constant:", "7:12 SYN001 expected the number of the allocation"},
      {"allocation 2:", "allocation 2 size 4, constant:", "7:13 SYN001 expected ': size '"},
      {"allocation 2:", "allocation 2: size 4KiB:", "7:21 SYN001 expected a flag, or ':' and the end of the line"},
      {"allocation 2:", "allocation 2: size 4, constant",
       "7:31 SYN001 expected a flag, or ':' and the end of the line"},
      {"allocation 2:", "allocation 2: size 99999999999999999999, constant:",
       "7:20 SYN002 a number beyond the 64 bits of an int64"},
      {" value: <4", " value: 4 limit (size=4,offset=0): s32[]", "8:9 SYN001 expected a value's name in '<' and '>'"},
      {" value: <4", " value: <four limit> (size=4,offset=0): s32[]", "8:10 SYN001 expected the number of a value"},
      {" value: <4", " value: <4 limit @0 (size=4,offset=0): s32[]",
       "8:20 SYN001 expected '>' after the name of the value"},
      {" value: <4", " value: <4 limit{1,x} @0> (size=4,offset=0): s32[]",
       "8:17 SYN001 expected '>' after the name of the value"},
      {" value: <4", " value: <4 limit @0> (size=4;offset=0): s32[]", "8:29 SYN001 expected ',offset='"},
      {" value: <4", " value: <4 limit @0> (size=4,offset=9223372036854775808): s32[]",
       "8:37 SYN002 a number beyond the 64 bits of an int64"},
      {" value: <4", " value: <4 limit @0> (size=4,offset=0): s32[", "8:45 SYN001 expected a dimension"},
      {" value: <4", " value: <4 limit @0> (size=4,offset=0): s32[] s32[]", "8:47 SYN001 expected the end of the line"},
      {" value: <4", " value: <4 limit @0> (size=4,offset=0):", "8:38 SYN001 expected '): '"},
      {" value: <4", "segmentation fault", "8:1 SYN001 expected ' value: <NUMBER NAME> (size=N,offset=N): SHAPE'"},
      {"Total bytes", "Total bytes used: some", "19:19 SYN001 expected a size in bytes"},
      {"Used values:", "Used values", "21:1 SYN001 expected a line of a buffer dump"},
      {" positions:", " position:", "23:2 SYN001 expected ' positions:', and the line after it cannot be read either"},
      {"  sum, operand", "  sum, operand first", "26:16 SYN001 expected the number of an operand"},
      {"  sum, operand", "  sum", "26:6 SYN001 expected ', operand '"},
      {"  p0 {0}", "  p0 [0]", "30:5 SYN001 expected an index or the end of the line"},
      {" from instruction:%p0", " from",
       "35:2 SYN001 expected '  INSTRUCTION, operand NUMBER {INDEX}' or ' from instruction:'"},
      {"HloLiveRange", "HloLiveRange (max many):", "45:19 SYN001 expected the number of instructions"},
      {"  BufferLiveRange:", "  BufferLiveRanges",
       "51:3 SYN001 expected '    POSITION:INSTRUCTION' or '  BufferLiveRange:', and the 4 lines after it cannot be "
       "read either"},
      {"    scale{}:1-2", "    scale:1-2", "53:10 SYN001 expected an index"},
      {"    scale{}:1-2", "    scale{}:1", "53:14 SYN001 expected '-'"},
      {"    2:shift", "    7:shift", "49:7 SYN001 expected position 2 of the schedule"},
      {"  Live ranges at", "  Live ranges at noon (peak):",
       "56:18 SYN001 expected a position of the schedule, and the 3 lines after it cannot be read either"},
      {"    shift{}: 4096", "    shift{}: 4096 bytes (cumulative: 12288)", "59:43 SYN001 expected ' bytes)'"},
      {"      └── p0", "      └── p0 (all)",
       "64:7 SYN001 expected 'NODE (P%, total: N bytes, current: N bytes, remaining: N bytes)'"},
  };
  for (const row& r : rows) {
    CAPTURE(std::string(r.replacement));
    const parsed_file file = read(with_line(r.line, r.replacement));
    CHECK(name_of(file.status) == "partial");
    REQUIRE(!file.diagnostics.empty());
    const diagnostic& first = file.diagnostics.front();
    const line_column at = first.where.begin();
    CHECK(std::to_string(at.line) + ":" + std::to_string(at.column) + " " + first.rule + " " + first.message ==
          r.message);
    CHECK(first.level == severity::error);
    CHECK(first.name == (first.rule == "SYN001" ? "syntax" : "name-or-number-rule"));
    CHECK(file.diagnostics.size() <= 2);  // the second: what a missing heading leaves without one
    CHECK(file.buffers->allocations().size() >= 6);
    CHECK(file.buffers->used_values().size() == 3);
  }
}

TEST_CASE("values of an allocation that cannot be read are passed over") {
  const parsed_file file = read(with_line("allocation 4:", "allocation 4: size lots, preallocated-temp:"));
  CHECK(outcome(file) == "partial 11:20 SYN001 expected a size in bytes");
  REQUIRE(file.buffers->allocations().size() == 6);
  CHECK(file.buffers->values().size() == 6);
  CHECK(file.buffers->allocations()[4].number == 5);
  CHECK(file.buffers->values(file.buffers->allocations()[4])[0].name.instruction == "copy-start");
  CHECK(file.buffers->values(file.buffers->allocations()[4])[0].allocation == 4);
  CHECK(outcome("Used values:\n value: <1 a> (size=4,offset=0): f32[]\n value: <2 b> (size=4,offset=0): f32[]\n") ==
        "partial 2:1 SYN001 expected an allocation before its values");
}

TEST_CASE("neighboring lines no one understands are one diagnostic") {
  CHECK(outcome("BufferAssignment:\nallocation 0: size 4:\nx\ny\nz\n value: <1 a> (size=4,offset=0): f32[]\n") ==
        "partial 3:1 SYN001 expected ' value: <NUMBER NAME> (size=N,offset=N): SHAPE', and the 2 lines after it cannot "
        "be read either");
  const parsed_file file =
      read("BufferAssignment:\nallocation 0: size 4:\nx\ny\n value: <1 a> (size=4,offset=0): f32[]\n");
  CHECK(file.buffers->values().size() == 1);
}

TEST_CASE("the dump of a second module is not read into the first") {
  const parsed_file file = read(std::string(buffer_reading::combined) + std::string(buffer_reading::combined));
  CHECK(outcome(file) ==
        "partial 65:1 SYN001 expected the dump of one module, and here begins another one, which is not read");
  CHECK(file.buffers->values().size() == 9);
  CHECK(file.buffers->live_ranges()->sequence.size() == 4);
}

TEST_CASE("a text that is cut off: wherever it ends, what is whole is kept and the end is reported") {
  const std::string whole(buffer_reading::combined);
  const parsed_file full = read(whole);
  std::size_t ok = 0;
  for (std::size_t size = 20; size < whole.size(); ++size) {
    CAPTURE(whole.substr(0, size));
    const parsed_file file = read(whole.substr(0, size));
    REQUIRE(file.buffers);
    CHECK(file.buffers->values().size() <= full.buffers->values().size());
    if (name_of(file.status) == "ok") {
      ++ok;
      CHECK(file.diagnostics.empty());
      continue;
    }
    REQUIRE(file.diagnostics.size() == 1);
    CHECK(file.diagnostics[0].rule == "SYN001");
    CHECK(file.diagnostics[0].message == "the text is cut off here: the end of the dump is missing");
    CHECK(file.diagnostics[0].where.at == span{static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(size)});
    for (const used_value& value : file.buffers->used_values()) CHECK(!value.from_instruction.empty());
  }
  // Where the text may really end: after whole lines of sections that end anywhere.
  CHECK(ok < 100);

  const parsed_file cut = read(whole.substr(0, whole.find("    2:shift")));
  CHECK(cut.buffers->used_values().size() == 3);
  CHECK(cut.buffers->live_ranges()->sequence.size() == 2);
}

TEST_CASE("nothing to read") {
  for (const std::string& text :
       {std::string(), std::string(" \n\n"), std::string("nothing of XLA's\n"), std::string(3, '\0')}) {
    const parsed_file file = read(text);
    CHECK(name_of(file.status) == "failed");
    CHECK(name_of(file.kind) == "unknown");
    CHECK_FALSE(file.buffers);
    REQUIRE(file.diagnostics.size() == 1);
    CHECK(file.diagnostics[0].rule == "SYN000");
    CHECK(file.diagnostics[0].where.begin().line == 1);
  }
  // Nothing of what the text claims to be.
  CHECK(outcome("HloLiveRange (max x\n") == "failed 1:19 SYN001 expected the number of instructions");
}

TEST_CASE("any bytes: no crash, no hang, no status without its reason") {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < buffer_reading::combined.size();) {
    const std::size_t end = buffer_reading::combined.find('\n', at) + 1;
    lines.emplace_back(buffer_reading::combined.substr(at, end - at));
    at = end;
  }
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (const std::string& line : lines) {
      if (below(40) == 0) continue;
      text += below(40) == 0 ? lines[below(lines.size())] : line;
    }
    for (std::size_t n = below(6); n > 0; --n) {
      const std::size_t at = below(text.size());
      if (below(2))
        text[at] = static_cast<char>(below(256));
      else
        text.erase(at, below(30));
    }
    const parsed_file file = read(text);
    const bool error = std::any_of(file.diagnostics.begin(), file.diagnostics.end(),
                                   [](const diagnostic& d) { return d.level == severity::error; });
    CHECK(error == (name_of(file.status) != "ok"));
    for (const diagnostic& d : file.diagnostics) CHECK(d.where.at.end <= text.size());
  }
}

TEST_CASE("long lines and many lines take the time they need and no more") {
  const std::string name(1 << 20, 'a');
  CHECK(name_of(read("BufferAssignment:\nallocation 0: size 4:\n value: <1 " + name + "> (size=4,offset=0): f32[]\n")
                    .status) == "ok");
  CHECK(outcome("BufferAssignment:\n" + std::string(1 << 20, '(') + "\n") ==
        "partial 2:1 SYN001 expected a line of a buffer dump");
  CHECK(name_of(read("BufferAssignment:\nallocation 0: size 4:\n value: <1 a> (size=4,offset=0): " +
                     std::string(1 << 20, '(') + "\n")
                    .status) == "partial");
  CHECK(name_of(read("Used values:\n<1 a>\n positions:\n uses:\n from instruction: %a = f32[] f(\"" +
                     std::string(1 << 20, '\n') + "\n")
                    .status) == "ok");
  std::string many = "BufferAssignment:\n";
  for (int i = 0; i < 100000; ++i) many += "?\nallocation 0: size 0:\n";
  CHECK(read(many).buffers->allocations().size() == 100000);
}
