// The fast path for lines of buffer dumps as XLA prints them: it takes such lines, refuses all others, and changes nothing.
#include "../both_buffer_readings.hpp"
#include "../fuzz/mutate.hpp"

#include <hlolint/parse_buffers.hpp>

#include <doctest/doctest.h>

#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace hlolint;

namespace {

const char* const tpu_dump = R"(BufferAssignment:
allocation 0: size 4096, parameter 0, shape |f32[32,32]| at ShapeIndex {0}, maybe-live-out:
 value: <3 p0{0} @0> (size=4096,offset=0): f32[32,32]{1,0:T(8,128)}
 value: <9 while.1{0,1} (phi) @0> (size=4096,offset=0): f32[32,32]{1,0:T(8,128)}
allocation 1: size 16, color 1, output shape is |(f32[32,32], /*index=1*/s32[])|, maybe-live-out:
 value: <11 result{} @1> (size=16,offset=0): (f32[32,32]{1,0:T(8,128)S(1)}, s32[]{:T(128)})
allocation 2: size 4, page 0, constant:
 value: <4 limit> (size=4,offset=0): s32[]
allocation 3: size 4, thread-local:
 value: <1 x @0> (size=4,offset=0): f32[]
allocation 4: size 0, color 3, page 1, preallocated-temp:

Total bytes used: 4120 (4.0KiB)

Used values:
<1 x @0>
 positions:
  x
 uses:
  sum, operand 0
 from instruction: %x = f32[] parameter(0)
<3 p0{0} @0>
 positions:
  p0 {0}
  get-tuple-element.1
 uses:
  scale, operand 0
  while.1, operand 0 {0,1}
 from instruction:%p0 = (f32[32,32]{1,0:T(8,128)}) parameter(0), metadata={op_name="a \"b\" }"}
<4 limit>
 positions:
  limit
 uses:
  (none)
 from instruction: %limit = s32[] constant(24)
<9 while.1{0,1} (phi) @0>
 positions:
  while.1 {0,1}
  body.arg {}
 uses:
 from instruction: %while.1 = ((s32[], f32[32,32]{1,0:T(8,128)}), s32[]) while((s32[], f32[32,32]{1,0:T(8,128)}) %start), condition=%c, body=%b, backend_config={"known_trip_count":{"n":"24"},"text":"((("}
<11 result{} @1>
 positions:
  result {}
 uses:
 from instruction: %result = (f32[32,32]{1,0:T(8,128)}, s32[]) tuple(%a, %b), backend_config={
   "kind": "} of two lines"
}

)";

const char* const live_ranges = R"(HloLiveRange (max 4):
  InstructionSequence:
    0:p0
    1:scale
    2:shift
    3:result
  BufferLiveRange:
    p0{0}:0-4
    scale{}:1-2
    shift{}:2-3
    result{0,12}:3-4
  Live ranges at 2 (peak):
    p0{0}: 4096 bytes (cumulative: 4096 bytes)
    scale: 4096 bytes (cumulative: 8192 bytes)
    shift: 4096 bytes
  Stack trace breakdown for peak usage: 12 288 bytes
    main (100.0%, total: 12 288 bytes, current: 0 bytes, remaining: 12 288 bytes)
      ├── jit(step) (now) (66.7%, total: 8 192 bytes, current: 4 096 bytes, remaining: 8 192 bytes)
      │   └── scale (33.3%, total: 4 096 bytes, current: 4 096 bytes, remaining: 4 096 bytes)
      └── p0{0} (33.3%, total: 4 096 bytes, current: 4 096 bytes, remaining: 0 bytes)
)";

/// A dump, and how many of its lines are left to the grammar: the heads of sections, `(none)`, and all but the first line of
/// an instruction.
const struct { const char* text; std::size_t others; } dumps[] = {{tpu_dump, 6}, {live_ranges, 5}};
constexpr std::size_t other_lines = 11;

std::string both_dumps() { return std::string(tpu_dump) + live_ranges; }

/// The two dumps together with one of their lines replaced; the line is found by its beginning.
std::string with_line(std::string_view beginning, std::string_view line) {
  std::string text = both_dumps();
  const std::size_t at = ("\n" + text).find("\n" + std::string(beginning));
  REQUIRE(at != text.npos);
  return text.replace(at, text.find('\n', at) - at, line);
}

}  // namespace

TEST_CASE("every line of a buffer dump as XLA prints it is read in one go, with the same result") {
  for (const auto& [text, others] : dumps) {
    const both_buffer_readings read{source(std::string(text))};
    CHECK(read.difference() == "");
    CHECK(read.lines() - read.taken() == others);
    CHECK(read.diagnostics().empty());
  }
  for (const bool printed_lines : {true, false}) {
    const parsed_file file = parse_buffers(source(both_dumps()), {.printed_lines = printed_lines});
    CHECK(file.status == parse_status::ok);
    REQUIRE(file.buffers);
    CHECK(file.buffers->values().size() == 5);
    CHECK(file.buffers->used_values().size() == 5);
    CHECK(file.buffers->live_ranges()->ranges.size() == 4);
    CHECK(file.buffers->live_ranges()->breakdown.size() == 4);
  }
}

TEST_CASE("any other line of a buffer dump is refused and read by the grammar") {
  // A line, another in its place, and how many lines more than before are left to the grammar.
  const struct { std::string_view line, other; std::size_t more = 1; } table[] = {
      {"allocation 2:", "allocation 2: size 4, page 0, constant-ish:"},
      {"allocation 2:", "allocation 2: size 4, constant: "},
      {"allocation 2:", "allocation 2: size 4, constant", 2},
      {"allocation 2:", "allocation 2: size 99999999999999999999, constant:", 2},
      {"allocation 2:", "allocation 2: size 4, parameter 0, shape || at ShapeIndex {}:"},
      {"allocation 2:", "allocation 2: size 4, parameter 0, shape |f32[]| at ShapeIndex {}, parameter 1, shape |f32[]| at ShapeIndex {1}:"},
      {" value: <4", " value: <4 limit> (size=4,offset=0): s32[2]{1}"},
      {" value: <4", " value: <4 limit> (size=4,offset=0): s33[2]"},
      {" value: <4", " value: <4 limit> (size=4,offset=0): s32[] "},
      {" value: <4", " value: <4 limit> (size=4,offset=0): "},
      {" value: <4", " value: <4 limit> (size=4, offset=0): s32[]"},
      {" value: <4", " value: <4 l\xC3\xAFmit> (size=4,offset=0): s32[]"},
      {" value: <4", " value: <4 limit{0,} @0> (size=4,offset=0): s32[]"},
      {" value: <4", " value: <4 limit{4294967296}> (size=4,offset=0): s32[]"},
      {" value: <4", " value: <000000000000000004 limit @0> (size=4,offset=0): s32[]", 0},
      {" value: <4", " value: <0000000000000000004 limit @0> (size=4,offset=0): s32[]"},
      {"<9 while.1", "<9 while.1{0,1}(phi) @0>", 6},
      {"  while.1 {0,1}", "  while.1  {0,1}", 6},
      {"  while.1, operand 0", "  while.1, operand first", 8},
      {" from instruction: %x", " from instruction: ", 6},
      {" from instruction: %x", " from instruction: %x = f32[] parameter(0) ", 6},
      {" from instruction: %x", " from instruction: %x = f32[] parameter(0", 0},
      {"    2:shift", "    7:shift", 2},
      {"    2:shift", "    2:shift{}", 2},
      {"    scale{}:1-2", "    scale:1-2"},
      {"    scale{}:1-2", "    scale{}:1"},
      {"    scale: 4096", "    scale: 4096 bytes (cumulative: 8192)"},
      {"    scale: 4096", "    scale: 4096 byte"},
      {"    main (100", "    main (all, total: 12 288 bytes, current: 0 bytes, remaining: 12 288 bytes)"},
      {"    main (100", "    main (100.0%, total: 12 288 bytes, current: 0 bytes, remaining: 12 288 bytes) "},
  };
  for (const auto& row : table) {
    CAPTURE(std::string(row.other));
    const both_buffer_readings read{source(with_line(row.line, row.other))};
    CHECK(read.difference() == "");
    CHECK(read.lines() - read.taken() == other_lines + row.more);
  }
}

TEST_CASE("a buffer dump that ends anywhere, or has other line ends, is the same") {
  const std::string whole = both_dumps();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const both_buffer_readings read{source(whole.substr(0, size))};
    if (const std::string difference = read.difference(); !difference.empty())
      FAIL_CHECK(difference << " after " << whole.substr(0, size));
  }
  std::string returns;
  for (const char c : whole) returns += c == '\n' ? "\r\n" : std::string(1, c);
  const both_buffer_readings read{source(returns)};
  CHECK(read.difference() == "");
  CHECK(read.taken() == 0);
}

TEST_CASE("where an instruction ends is the same 64 bytes at a time and byte by byte") {
  const std::string_view pieces[] = {"(", ")", "[", "]", "{", "}", "\"", "\\", "()", "[8,2]{1,0}", ", ", "%fusion.1", "\n", " "};
  for (std::size_t number = 0; number != 20000; ++number) {
    fuzz::dice random(number);
    std::string text;
    const std::size_t kinds = 4 + random.below(std::size(pieces) - 3);
    for (std::size_t k = random.below(60); k > 0; --k) text += pieces[random.one_in(3) ? random.below(kinds) : 8 + random.below(4)];
    text += std::string(random.below(3), ')') + "\n" + std::string(random.below(80), 'x');
    const char* const last = text.data() + text.size();
    if (scan::lines::instruction_text(text.data(), last) != scan::lines::instruction_text_by_bytes(text.data(), last))
      FAIL_CHECK(text);
  }
}

// HLOLINT_MUTANTS=100000 for the proof of a release.
TEST_CASE("mutants of buffer dumps are the same") {
  std::size_t count = 2000, taken = 0, lines = 0;
  if (const char* const text = std::getenv("HLOLINT_MUTANTS"))
    std::from_chars(text, text + std::string_view(text).size(), count);
  for (std::size_t number = 0; number != count; ++number) {
    fuzz::dice random(number);
    const std::string whole = both_dumps();
    const std::string one = random.one_in(2) ? whole : dumps[random.below(std::size(dumps))].text;
    const std::string text = fuzz::mutate(one, whole, 1 << 14, random);
    const both_buffer_readings read{source(text)};
    taken += read.taken();
    lines += read.lines();
    if (const std::string difference = read.difference(); !difference.empty())
      FAIL_CHECK("mutant " << number << ": " << difference << "\n" << text);
  }
  CHECK(2 * taken > lines);  // the mutants are not so broken that the fast path takes nothing
}
