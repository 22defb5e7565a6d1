// A line that is lost, damaged, doubled or moved costs at most itself: the computations around it are kept, above all
// the entry, and the first error points at the damage (hlo_text.md 12.1, "keep whole computations").
#include <hlolint/parse.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using namespace hlolint;

namespace {

/// A module as XLA prints it, in lines. Every line counts from 1 below.
const std::vector<std::string> long_lines{
    "HloModule jit_step, is_scheduled=true, entry_computation_layout={(f32[8]{0}, s32[])->(f32[8]{0}, s32[])}, "
    "num_partitions=2",  // 1
    "",
    "%add (x: f32[], y: f32[]) -> f32[] {",  // 3
    "  %x = f32[] parameter(0)",
    "  %y = f32[] parameter(1)",
    "  ROOT %sum = f32[] add(%x, %y), metadata={op_name=\"jit(step)/add\" source_file=\"step.py\" source_line=4}",  // 6
    "}",
    "",
    "%body (state: (f32[8], s32[])) -> (f32[8], s32[]) {",  // 9
    "  %state = (f32[8]{0}, s32[]) parameter(0)",
    "  %v = f32[8]{0} get-tuple-element(%state), index=0",
    "  %n = s32[] get-tuple-element(%state), index=1",
    "  %r = f32[8]{0} all-reduce(%v), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%add, "
    "metadata={op_name=\"jit(step)/psum\"}",  // 13
    "  ROOT %next = (f32[8]{0}, s32[]) tuple(%r, %n)",
    "}",
    "",
    "%condition (cs: (f32[8], s32[])) -> pred[] {",  // 17
    "  %cs = (f32[8]{0}, s32[]) parameter(0)",
    "  %cn = s32[] get-tuple-element(%cs), index=1",
    "  %limit = s32[] constant(4)",
    "  ROOT %more = pred[] compare(%cn, %limit), direction=LT",  // 21
    "}",
    "",
    "ENTRY %main (a: f32[8], b: s32[]) -> (f32[8], s32[]) {",  // 24
    "  %a = f32[8]{0} parameter(0), sharding={replicated}",
    "  %b = s32[] parameter(1)",
    "  %twice = f32[8]{0} add(%a, %a)",
    "  %init = (f32[8]{0}, s32[]) tuple(%twice, %b)",
    "  ROOT %loop = (f32[8]{0}, s32[]) while(%init), condition=%condition, body=%body",  // 29
    "}",
    ""};
constexpr std::size_t instruction_total = 17;

std::string join(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

/// As `xla_dump_hlo_as_long_text=false` writes it: no percent signs, no signatures.
std::vector<std::string> short_lines() {
  std::vector<std::string> out = long_lines;
  for (std::string& line : out) {
    line.erase(std::remove(line.begin(), line.end(), '%'), line.end());
    if (line.size() > 2 && line.back() == '{') line.replace(line.find(" ("), line.npos, " {");
  }
  return out;
}

struct outcome {
  std::string errors;  ///< `line:column rule`
  std::size_t error_count = 0, first_line = 0, instructions = 0, computations = 0;
  std::string entry;
};

outcome read(const std::string& text) {
  const parsed_file file = parse(text);
  outcome out;
  for (const diagnostic& d : file.diagnostics) {
    if (d.level != severity::error) continue;
    const line_column at = d.where.begin();
    if (out.error_count++ == 0) out.first_line = at.line;
    out.errors +=
        (out.errors.empty() ? "" : " ") + std::to_string(at.line) + ":" + std::to_string(at.column) + " " + d.rule;
  }
  for (const hlo_module& m : file.modules()) {
    out.instructions += m.instruction_count(), out.computations += m.computation_count();
    if (m.entry()) out.entry = std::string(m.entry().name());
  }
  return out;
}

std::vector<std::string> without(std::vector<std::string> lines, std::size_t number) {
  lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(number - 1));
  return lines;
}
std::vector<std::string> with(std::vector<std::string> lines, std::size_t number, const std::string& text) {
  lines[number - 1] = text;
  return lines;
}
std::vector<std::string> doubled(std::vector<std::string> lines, std::size_t number) {
  const std::string line = lines[number - 1];
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(number), line);
  return lines;
}
std::vector<std::string> swapped(std::vector<std::string> lines, std::size_t number) {
  std::swap(lines[number - 1], lines[number]);
  return lines;
}

}  // namespace

TEST_CASE("the text without damage") {
  for (const auto& lines : {long_lines, short_lines()}) {
    const outcome o = read(join(lines));
    CHECK(o.errors == "");
    CHECK(o.instructions == instruction_total);
    CHECK(o.computations == 4);
    CHECK(o.entry == "main");
  }
}

TEST_CASE("what one damaged line costs") {
  const struct {
    const char* what;
    std::vector<std::string> lines;
    const char* errors;
    std::size_t instructions, computations;
    const char* entry;
  } table[] = {
      {"the brace before ENTRY is missing", without(long_lines, 22), "23:1 SYN001", 17, 4, "main"},
      {"the brace before another computation is missing", without(long_lines, 15), "16:1 SYN001", 17, 4, "main"},
      {"the last brace is missing", without(long_lines, 30), "30:1 SYN001", 17, 4, "main"},
      {"brace and blank line are missing", without(without(long_lines, 22), 22), "22:1 SYN001", 17, 4, "main"},
      {"the ENTRY line is missing", without(long_lines, 24), "24:3 SYN001", 17, 4, "_"},
      {"the head of another computation is missing", without(long_lines, 3), "3:3 SYN001", 17, 4, "main"},
      {"the ENTRY line is cut off inside the signature", with(long_lines, 24, "ENTRY %main (a: f32[8], b: s3"),
       "24:28 SYN001", 17, 4, "main"},
      {"... after the name", with(long_lines, 24, "ENTRY %main"), "25:3 SYN001", 17, 4, "main"},
      {"... after ENTRY", with(long_lines, 24, "ENTRY"), "25:6 SYN001", 17, 4, "_"},
      {"... inside ENTRY", with(long_lines, 24, "ENT"), "25:3 SYN001", 17, 4, "ENT"},
      {"... before the brace", with(long_lines, 24, "ENTRY %main (a: f32[8], b: s32[]) -> (f32[8], s32[])"),
       "25:3 SYN001", 17, 4, "main"},
      {"a shape of the ENTRY line is damaged",
       with(long_lines, 24, "ENTRY %main (a: f32[8, b: s32[]) -> (f32[8], s32[]) {"), "24:24 SYN001", 17, 4, "main"},
      {"the name of the entry is damaged",
       with(long_lines, 24, "ENTRY %@main (a: f32[8], b: s32[]) -> (f32[8], s32[]) {"), "24:7 SYN001", 17, 4, "_"},
      {"the ENTRY line is doubled", doubled(long_lines, 24), "25:1 SYN001", 17, 4, "main"},
      {"the head of another computation is doubled", doubled(long_lines, 9), "10:1 SYN001", 17, 4, "main"},
      {"a brace is doubled", doubled(long_lines, 22), "23:1 SYN001", 17, 4, "main"},
      {"the last brace is doubled", doubled(long_lines, 30), "31:1 SYN001", 17, 4, "main"},
      {"a brace and the root have changed places", swapped(long_lines, 21), "21:1 SYN001", 17, 4, "main"},
      {"the last brace and the entry's root have changed places", swapped(long_lines, 29), "29:1 SYN001", 17, 4,
       "main"},
      {"the ENTRY line and its first instruction have changed places", swapped(long_lines, 24), "24:3 SYN001", 16, 4,
       "main"},
      {"the header is missing", without(long_lines, 1), "", 17, 4, "main"},
      {"the header is cut off", with(long_lines, 1, "HloModule jit_step, is_sched"), "1:21 SYN001", 17, 4, "main"},
      {"the header is cut off inside a value",
       with(long_lines, 1, "HloModule jit_step, entry_computation_layout={(f32[8]{0}, s3"), "1:59 SYN001", 17, 4,
       "main"},
      {"the header is cut off in its first word", with(long_lines, 1, "Hlo"), "3:1 SYN001", 17, 4, "main"},
      {"the header is doubled", doubled(long_lines, 1), "1:122 SYN001", 17, 4, "main"},
      {"an instruction is cut off",
       with(long_lines, 13, "  %r = f32[8]{0} all-reduce(%v), channel_id=1, replica_groups={{0,"), "14:3 SYN001", 16, 4,
       "main"},
      {"... inside a string",
       with(long_lines, 13, "  %r = f32[8]{0} all-reduce(%v), to_apply=%add, metadata={op_name=\"jit(st"), "", 16, 4,
       "main"},
      {"... inside an operand", with(long_lines, 27, "  %twice = f32[8]{0} add(%a, %"), "27:30 SYN001", 16, 4, "main"},
      {"... after its name", with(long_lines, 27, "  %twice"), "28:3 SYN001", 16, 4, "main"},
      {"the root is missing", without(long_lines, 21), "17:12 SYN002 28:35 SYN002", 16, 4, "main"},
      {"an instruction that is used is missing", without(long_lines, 27), "27:37 SYN002", 16, 4, "main"},
      {"an instruction is doubled", doubled(long_lines, 12), "13:4 SYN002", 18, 4, "main"},
      {"a parameter is missing", without(long_lines, 25), "26:27 SYN002", 16, 4, "main"},
      {"the end of a computation is cut off inside its thread's name",
       with(long_lines, 15, "}, execution_thread=\"spa"), "15:21 SYN001", 17, 4, "main"},
      {"an instruction is cut off before an attribute's value",
       with(long_lines, 27, "  %twice = f32[8]{0} add(%a, %a), metadata="), "28:3 SYN001", 16, 4, "main"},
      {"a constant is cut off", with(long_lines, 20, "  %limit = s32[] constant("), "", 16, 4, "main"},
      {"a brace with its comment and the root have changed places", swapped(with(long_lines, 22, "} // condition"), 21),
       "21:1 SYN001", 17, 4, "main"},
      {"two instructions have changed places", swapped(long_lines, 27), "27:37 SYN002", 17, 4, "main"},
  };
  for (const auto& row : table) {
    CAPTURE(std::string(row.what));
    const outcome o = read(join(row.lines));
    if (*row.errors) CHECK(o.errors == std::string(row.errors));
    CHECK(o.instructions == row.instructions);
    CHECK(o.computations == row.computations);
    CHECK(o.entry == row.entry);
  }
}

TEST_CASE("the words of the messages") {
  const struct {
    std::vector<std::string> lines;
    const char* message;
  } table[] = {
      {without(long_lines, 22), "expected an instruction or '}', found 'ENTRY'"},
      {without(long_lines, 24), "expected the head of a computation, found '%a'"},
      {doubled(long_lines, 22), "expected a computation, found '}'"},
      {swapped(long_lines, 21), "expected an instruction, found '}': computation 'condition' goes on after it"},
      {with(long_lines, 24, "ENTRY %main"), "expected '{' before the instructions, found '%a'"},
  };
  for (const auto& row : table) {
    const parsed_file file = parse(join(row.lines));
    REQUIRE(file.diagnostics.size() == 1);
    CHECK(file.diagnostics[0].message == row.message);
    CHECK(file.status == parse_status::partial);
  }
}

TEST_CASE("a computation whose head is lost is kept without a name, and whoever calls it by name is not reported") {
  const parsed_file file = parse(join(without(long_lines, 9)));
  REQUIRE(file.diagnostics.size() == 1);
  REQUIRE(file.modules().size() == 1);
  const hlo_computation nameless = file.modules()[0].computation(1);
  CHECK(nameless.name() == "_");
  CHECK(nameless.instruction_count() == 5);
  CHECK(nameless.root().name() == "next");
  CHECK_FALSE(file.modules()[0].entry().root().called_computation(1));
}

TEST_CASE("the first instruction before its head: the others do not miss it") {
  const parsed_file file = parse(join(swapped(long_lines, 17)));
  CHECK(read(join(swapped(long_lines, 17))).errors == "17:3 SYN001");
  REQUIRE(file.modules().size() == 1);
  CHECK(file.modules()[0].find_computation("condition").instruction_count() == 3);
}

TEST_CASE("braces that close nothing are reported once, however many they are") {
  std::string braces;
  for (int i = 0; i < 100000; ++i) braces += "}\n";
  CHECK(read("HloModule m\nENTRY e {\n  ROOT p = f32[] parameter(0)\n}\n" + braces).errors == "5:1 SYN001");
}

TEST_CASE("the stack tables survive a lost header, and the computations survive lost stack tables") {
  const std::string tables =
      "FileNames\n1 \"a.py\"\n\nFunctionNames\n1 \"f\"\n\nFileLocations\n1 {file_name_id=1 function_name_id=1 line=3 "
      "end_line=3 column=4 end_column=9}\n\nStackFrames\n1 {file_location_id=1 parent_frame_id=1}\n\n\n";
  const std::string program =
      "%f {\n  ROOT %q = f32[] parameter(0)\n}\n\nENTRY %e {\n  %p = f32[] parameter(0)\n  ROOT %c = f32[] call(%p), "
      "to_apply=%f\n}\n";
  const parsed_file headless = parse("\n" + tables + program);
  REQUIRE(headless.modules().size() == 1);
  CHECK(headless.diagnostics.size() == 1);
  CHECK(headless.modules()[0].data().stack_frames.size() == 1);
  CHECK(headless.modules()[0].entry().name() == "e");
  std::vector<std::size_t> ends;
  for (std::size_t at = 0; (at = tables.find('\n', at)) != tables.npos; ++at) ends.push_back(at);
  for (std::size_t line = 0; line + 2 < ends.size(); ++line) {  // without each line
    const std::size_t begin = line == 0 ? 0 : ends[line - 1] + 1;
    const std::string rest = tables.substr(0, begin) + tables.substr(ends[line] + 1);
    CAPTURE(rest);
    const outcome o = read("HloModule m\n\n" + rest + program);
    CHECK(o.entry == "e");
    CHECK(o.instructions == 3);
  }
}

TEST_CASE("300 breakages of a line: the median loses at most one instruction, and the entry is kept") {
  for (const auto& lines : {long_lines, short_lines()}) {
    std::mt19937 random(12);  // the same sequence everywhere
    std::vector<std::size_t> lost;
    for (int round = 0; round < 300; ++round) {
      const std::size_t number = 1 + random() % (lines.size() - 1);
      const unsigned kind = random() % 4;
      const std::string& line = lines[number - 1];
      const std::vector<std::string> broken =
          kind == 0   ? without(lines, number)
          : kind == 1 ? with(lines, number, line.substr(0, line.empty() ? 0 : random() % line.size()))
          : kind == 2 ? doubled(lines, number)
                      : swapped(lines, std::min(number, lines.size() - 1));
      CAPTURE(join(broken));
      const outcome o = read(join(broken));
      CHECK(o.entry != "");  // a lost ENTRY line is made up for by the layout in the header
      lost.push_back(o.instructions < instruction_total ? instruction_total - o.instructions : 0);
      CHECK(lost.back() <= 2);
      if (o.error_count) {
        // Not before the damage, but for a signature or a header that does not fit any more.
        CHECK((o.first_line + 1 >= number || o.errors.find("SYN002") != o.errors.npos));
      }
    }
    std::sort(lost.begin(), lost.end());
    CHECK(lost[lost.size() / 2] <= 1);
  }
}
