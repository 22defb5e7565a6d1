// Texts with many parts: what surrounds HLO is passed over, every part is read, and a damaged module stays an error.
#include <hlolint/tool/logs/compiler_messages.hpp>
#include <hlolint/tool/logs/input_parts.hpp>
#include <hlolint/tool/logs/whole_lines.hpp>
#include <hlolint/tool/parse_parts.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>

using namespace hlolint;

namespace {

const std::string module_text =
    "HloModule m, is_scheduled=true\n\n%add (x: f32[], y: f32[]) -> f32[] {\n  %x = f32[] parameter(0)\n"
    "  %y = f32[] parameter(1)\n  ROOT %s = f32[] add(%x, %y)\n}\n\nENTRY %main (a: f32[8]) -> f32[8] {\n"
    "  %a = f32[8]{0} parameter(0)\n  ROOT %r = f32[8]{0} negate(%a)\n}\n";
const std::string oom =
    "jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 18.40G of 15.75G hbm. "
    "Exceeded hbm capacity by 2.65G.\n";

/// `modules instructions reports` and then the errors by line and rule.
std::string outcome(const parsed_file& file) {
  std::size_t instructions = 0, reports = 0;
  for (const hlo_module& m : file.modules()) instructions += m.instruction_count();
  if (file.buffers && file.buffers->oom()) reports = file.buffers->oom()->reports.size();
  std::string out =
      std::to_string(file.modules().size()) + " " + std::to_string(instructions) + " " + std::to_string(reports);
  for (const diagnostic& d : file.diagnostics)
    if (d.level == severity::error) out += " " + std::to_string(d.where.begin().line) + ":" + d.rule;
  return out;
}
std::string prefixed(const std::string& text, const std::string& prefix) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    out += prefix + text.substr(at, end - at);
    at = end;
  }
  return out;
}
std::string numbered(const std::string& text) {
  std::string out;
  std::size_t number = 8;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    const std::string digits = std::to_string(number++);
    out += std::string(6 - digits.size(), ' ') + digits + "\t" + text.substr(at, end - at);
    at = end;
  }
  return out;
}
std::string found_by_grep(const std::string& text) {
  std::string out;
  std::size_t number = 8;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    out += std::to_string(number) + (number % 2 == 0 ? ":" : "-") + text.substr(at, end - at);
    ++number, at = end;
  }
  return out;
}
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\n' ? "\\n" : c == '"' ? "\\\"" : std::string(1, c);
  return out;
}

/// The module with another text in place of one.
std::string with(const std::string& old, const std::string& replacement) {
  std::string out = module_text;
  out.replace(out.find(old), old.size(), replacement);
  return out;
}
/// Each line as the log driver of Docker writes it.
std::string json_lines(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    out += "{\"log\":\"" + escaped(text.substr(at, end - at)) + "\",\"stream\":\"stderr\"}\n";
    at = end;
  }
  return out;
}
/// Each line as a record of several lines, as `gcloud logging read --format=json` prints them.
std::string json_records(const std::string& text) {
  std::string out = "[";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    out +=
        std::string(at == 0 ? "" : ",") + "\n  {\n    \"insertId\": \"memory of a record\",\n    \"textPayload\": \"" +
        escaped(text.substr(at, end - at)) + "\",\n    \"resource\": {\n      \"type\": \"k8s_container\"\n    }\n  }";
    at = end + 1;
  }
  return out + "\n]\n";
}

}  // namespace

TEST_CASE("what surrounds a module is no syntax error") {
  const struct {
    const char* what;
    std::string text;
    std::string outcome;
  } table[] = {
      {"alone", module_text, "1 5 0"},
      {"Python before it", "compiled = jax.jit(f).lower(x).compile()\n" + module_text, "1 5 0"},
      {"a traceback after it",
       module_text + "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    f(x)\n", "1 5 0"},
      {"prose after the last brace", module_text + "\nAs you see, there is one value.\n  It is small.\n", "1 5 0"},
      {"comments", prefixed(module_text, "# "), "1 5 0"},
      {"comments of C++", prefixed(module_text, "// "), "1 5 0"},
      {"pytest", prefixed(module_text, "E   "), "1 5 0"},
      {"a difference", prefixed(module_text, "+ "), "1 5 0"},
      {"a quotation", "I get\n\n" + prefixed(module_text, "> "), "1 5 0"},
      {"cat -n", numbered(module_text), "1 5 0"},
      {"grep -n", found_by_grep(module_text), "1 5 0"},
      {"times", prefixed(module_text, "2026-01-31T12:59:59.123Z "), "1 5 0"},
      {"a raw string of C++", "TEST(A, B) {\n  const char* hlo = R\"(" + module_text + ")\";\n  Check(hlo);\n}\n",
       "1 5 0"},
      {"a string of Python", "hlo = '''" + module_text + "'''\ncheck(hlo)\n", "1 5 0"},
      {"a delimiter after the brace", "x = R\"(" + module_text.substr(0, module_text.size() - 1) + ")\";\n", "1 5 0"},
      {"one escaped string", "\"" + escaped(module_text) + "\"\n", "1 5 0"},
      {"an OOM before it", oom + module_text, "1 5 1"},
      {"an OOM after it", module_text + oom, "1 5 1"},
      {"Python that looks like an instruction before an OOM", "out = model(x)\n" + oom, "0 0 1"},
      {"all three",
       "step 1\n" + oom + "\n" + module_text + "Traceback (most recent call last):\n  File \"a.py\", line 3\n",
       "1 5 1"},
      {"lines left out",
       module_text.substr(0, module_text.find("  %a =")) + "  ...\n  ROOT %r = f32[8]{0} negate(%a)\n}\n", "1 4 0"},
      {"lines left out, counted",
       module_text.substr(0, module_text.find("  %a =")) + "  [... 300 more lines ...]\n  ROOT %r = f32[8]{0} "
                                                           "negate(%a)\n}\n",
       "1 4 0"},
      {"a raw string with a delimiter",
       "TEST(A, B) {\n  auto m = Parse(R\"hlo(\n" + prefixed(module_text, "    ") + "  )hlo\");\n}\n" + oom, "1 5 1"},
      {"a raw string that begins with the module", "  x = R\"hlo(" + module_text + ")hlo\";\n}\n" + oom, "1 5 1"},
      {"an entry of a list in Markdown",
       "1. It gave\n\n   ```\n" + prefixed(module_text, "   ") + "   ```\n2. and then\n\n   " + oom, "1 5 1"},
      {"a block of YAML", "log: |\n" + prefixed(module_text + oom, "  ") + "exit: 1\n", "1 5 1"},
      {"a quotation with times", "I get\n" + prefixed(module_text + oom, "> 2026-01-31T12:59:59.123Z "), "1 5 1"},
      {"an actor of Ray", prefixed("hello\n" + module_text + oom, "(Worker pid=12, ip=10.0.0.3) "), "1 5 1"},
      {"logging of Python", "2026-01-31 12:59:59,123 - root - INFO - " + module_text + oom, "1 5 1"},
      {"logging of Python on all lines", prefixed(module_text + oom, "2026-01-31 12:59:59,123 - root - INFO - "),
       "1 5 1"},
      {"a progress bar", "10%| 1/10\r" + module_text, "1 5 0"},
      {"CDATA", "<![CDATA[" + module_text + "]]>\n", "1 5 0"},
      {"colors of grep", with("negate", "\x1b[01;31m\x1b[Knegate\x1b[m\x1b[K"), "1 5 0"},
      {"colored lines", prefixed(module_text + oom, "\x1b[36m(Worker pid=3)\x1b[0m "), "1 5 1"},
      {"blanks of a browser", with("  %a", "\xC2\xA0\xC2\xA0%a"), "1 5 0"},
      {"the source of a browser", with("x: f32[], y: f32[]) ->", "x: f32[], y: f32[]) -&gt;"), "1 5 0"},
      {"a difference that has the old line, too",
       with("  ROOT %r = f32[8]{0} negate(%a)\n",
            "-  ROOT %r = f32[8]{0} abs(%a)\n+  ROOT %r = f32[8]{0} negate(%a)\n"),
       "1 5 0"},
      {"quotation marks and arrows of a chat",
       with("negate(%a)", "negate(%a), metadata={op_name=\u201Cjit(f)/neg\u201D}") + "\u2026\n", "1 5 0"},
      {"an arrow", with("(a: f32[8]) ->", "(a: f32[8]) \u2192"), "1 5 0"},
      {"a long dash for an arrow", with("(a: f32[8]) ->", "(a: f32[8]) \u2013>"), "1 5 0"},
      {"narrow blanks", with("  %a", "\u202F\u2009%a"), "1 5 0"},
      {"blanks without a width", "\u200B" + with("  %a", "  \u200B%a"), "1 5 0"},
      {"narrow blanks beside a string",
       "\u200B" +
           with("  ROOT %r = f32[8]{0} negate(%a)", "\u2009ROOT %r = f32[8]{0} negate(%a), metadata={op_name=\"n\"}"),
       "1 5 0"},
      {"typographic marks in a string",
       "See:\n" + with("negate(%a)", "negate(%a), metadata={op_name=\"\u201Cf\u201D\"}"), "1 5 0"},
      {"sizes of JAX before it",
       "CompiledMemoryStats(generated_code_size_in_bytes=0, argument_size_in_bytes=32)\n" + module_text, "1 5 0"},
      {"a log of Docker", json_lines(module_text + oom), "1 5 1"},
      {"records of Cloud Logging", json_records(module_text + oom), "1 5 1"},
      {"a module in a line of JSON",
       "{\"level\":\"info\",\"message\":\"compiled: " + escaped(module_text) + "\"}\n" + oom, "1 5 1"},
      {"a module in a line of a log", "INFO compiled: \"" + escaped(module_text) + "\" in 3 s\n" + oom, "1 5 1"},
  };
  for (const auto& row : table) {
    CAPTURE(std::string(row.what));
    CHECK(outcome(parse_parts(row.text)) == row.outcome);
  }
}

TEST_CASE("the parts of a text are listed in order, with their lines, and all other lines are counted in one note") {
  const auto listed = [](const std::string& text) {
    const parsed_file file = parse_parts(text);
    std::string out;
    for (const file_part& p : file.parts)
      out += std::string(p.what) + " " + std::to_string(p.first_line) + "-" + std::to_string(p.last_line) + "; ";
    for (const diagnostic& d : file.diagnostics)
      if (d.rule == "DMP016") out += d.message;
    return out;
  };
  CHECK(listed(module_text) == "");  // a dump alone has no list
  CHECK(
      listed("step 1\n" + oom + "\n" + module_text + "Traceback (most recent call last):\n  File \"a.py\"\n") ==
      "memory message 2-2; module 4-15; this text has a memory message (line 2) and a module (lines 4 to 15); 3 other "
      "lines are skipped");
  CHECK(listed(module_text + "CompiledMemoryStats(generated_code_size_in_bytes=0, argument_size_in_bytes=32)\n") ==
        "module 1-12; table of sizes 13-13; this text has a module (lines 1 to 12) and a table of sizes (line 13)");
  CHECK(listed(oom + "=========== 1 failed in 3 s ===========\n") ==
        "memory message 1-1; this text has a memory message (line 1); 1 other line is skipped");
  CHECK(listed(module_text + "hello\n") ==
        "module 1-12; this text has a module (lines 1 to 12); 1 other line is skipped");
  const std::string
      some = "  %c = bf16[8]{0} convert(f32[8]{0} %p)\n",
      assignment =
          "BufferAssignment:\nallocation 0: size 32, parameter 0, shape |f32[8]| at ShapeIndex {}:\n value: <0 a @0> "
          "(size=32,offset=0): f32[8]{0}\n";
  CHECK(listed("prose\n" + some + some + "prose\n" + some) ==
        "instructions 2-3; instructions 5-5; this text has instructions (lines 2 to 3) and instructions (line 5); 2 "
        "other "
        "lines are skipped");
  CHECK(listed(prefixed(module_text + assignment, "[rank0]: ") + "bye\n")
            .starts_with("module 1-12; buffer-assignment 13-15; "));
  const std::string log =
      "W external/xla/bfc_allocator.cc:501] Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.00GiB "
      "(rounded to "
      "2147483648)requested by op \nStats: \nLimit:                      6442450944\nInUse:                      "
      "4294967296\nstep 2\n";
  CHECK(listed("Can't reduce memory use below 1.00GiB (1073741824 bytes) by rematerialization; only reduced to 2.00GiB "
               "(2147483648 bytes), down from 3.00GiB (3221225472 bytes) originally\nhello\n")
            .starts_with("compiler message 1-1; "));
  const std::string stamp = "2025-03-04 05:06:07.800001: ", cc = "external/xla/bfc_allocator.cc:501] ";
  CHECK(listed(stamp + "W " + cc +
               "Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.00GiB (rounded to 2147483648)requested by "
               "op \n" +
               stamp + "I " + cc + "BFCAllocator dump for GPU_0_bfc\n" + stamp + "I " + cc +
               "InUse at 7f0000000000 of size 4294967296 next 1\nstep 2\n")
            .starts_with("allocator log 1-3; "));
  CHECK(listed(log) == "allocator log 1-4; this text has an allocator log (lines 1 to 4); 1 other line is skipped");
  // The CPU of JAX has no such allocator.
  CHECK(listed(
            "jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Out of memory allocating 140737488355328 bytes.\nbye\n") ==
        "memory message 1-1; this text has a memory message (line 1); 1 other line is skipped");
  CHECK(listed("hello\n[spmd] Involuntary full rematerialization. The compiler was not able to go from sharding {a} to "
               "{b} for HLO operation: %p = f64[96]{0} pad(%b)\n")
            .starts_with("compiler message 2-2; "));
}

TEST_CASE("a report with a prefix on its lines is whole, and so is its part") {
  const std::string report =
      oom +
      "\nTotal hbm usage >= 18.65G:\n    reserved        260.00M\n    program          14.40G\n\n"
      "Program hbm requirement 14.40G:\n    HLO temp         14.38G\n";
  for (const char* const prefix : {"", "[rank1]: ", "Jan 31 12:59:59 host python[1234]: ", "[train/0] ",
                                   "[2026-01-31 12:59:59] ", "2026-01-31 12:59:59,123 - root - INFO - "})
    for (const std::string& before : {std::string("hello\n"), prefixed(module_text, "[rank0]: "), module_text}) {
      CAPTURE(std::string(prefix));
      CAPTURE(before);
      const parsed_file file =
          parse_parts((before == module_text ? prefixed(before, prefix) : before) + prefixed(report, prefix));
      REQUIRE(file.buffers);
      REQUIRE(file.buffers->oom()->reports.size() == 1);
      CHECK(file.buffers->oom()->reports[0].program_requirement);
      REQUIRE_FALSE(file.parts.empty());
      CHECK(file.parts.back().what == logs::part_words::memory);
      CHECK(file.parts.back().last_line - file.parts.back().first_line == 7);
    }
}

TEST_CASE("emphasis and escapes of Markdown are no HLO") {
  std::string marked = module_text;
  marked.replace(marked.find("%r = f32[8]{0} negate(%a)"), 25, "**%r** = f32\\[8\\]{0} negate(%a)");
  CHECK(outcome(parse_parts(marked)) == "1 5 0");
  CHECK(outcome(parse_parts("See:\n" + marked)) == "1 5 0");
  const parsed_file some = parse_parts(
      "Here it is:\n\n* **%all\\_gather.1 = bf16[16]{0} all-gather(bf16[8]{0} %c), replica\\_groups={{0,1}}, "
      "dimensions={0}**\n");
  REQUIRE(some.modules().size() == 1);
  CHECK(some.modules()[0].entry().root().name() == "all_gather.1");
  CHECK(outcome(some).find("SYN") == std::string::npos);
  // Comments, strings and rows of asterisks stay as they are, and so do the size and the lines of a text.
  CHECK_FALSE(logs::without_markdown("a /**/ b \"x\\n\""));
  CHECK(logs::without_markdown("**a** /**/\n*****\n\"x**y**\" b\\_\r\n") == "a /**/    \n*****\n\"x**y**\" b_ \r\n");
}

TEST_CASE("a damaged module is an error, whatever surrounds it") {
  std::string damaged = module_text;
  damaged.replace(damaged.find("negate("), 7, "negate");
  const std::string cut = module_text.substr(0, module_text.find("  ROOT %r"));
  CHECK(outcome(parse_parts(damaged)) == "1 4 0 11:SYN001");
  CHECK(outcome(parse_parts(oom + damaged)) == "1 4 1 12:SYN001");
  CHECK(outcome(parse_parts(damaged + oom)) == "1 4 1 11:SYN001");
  CHECK(outcome(parse_parts("x = R\"(" + damaged + ")\";\n")) == "1 4 0 11:SYN001");
  CHECK(outcome(parse_parts(oom + cut)).find("SYN001") != std::string::npos);
  CHECK(outcome(parse_parts("Hlo\n\n" + module_text.substr(module_text.find("%add")))).find("SYN001") !=
        std::string::npos);
}

TEST_CASE("a part that was cut off hides none of those after it") {
  const std::string cut_buffers =
      "BufferAssignment:\nallocation 0: size 32, parameter 0, shape |f32[8]| at ShapeIndex {}:\n"
      " value: <0 a @0> (size=32,offset=0): f32[8]{0}\n\nTotal bytes used: 32 (32B)\n\nUsed values:\n<0 a @0>\n"
      " positions:\n  a\n uses:\n from instruction: %a = f32[8]{0} parameter(0), metadata={op_name=\"jit(\n";
  const std::string cut_instruction = "%c = f32[8]{0} negate(f32[8]{0} %p), metadata={op_name=\"jit(\n";
  const std::string cut_comment = "HloModule cut\n\nENTRY %main () -> (f32[], /*index=5*\n";
  for (const std::string between : {"", "\n", "```\n\nAnd then:\n\n```\n", "Traceback (most recent call last):\n"}) {
    CAPTURE(between);
    CHECK(outcome(parse_parts(cut_buffers + between + oom)) == "0 0 1");
    CHECK(outcome(parse_parts(cut_buffers + between + module_text)) == "1 5 0");
    CHECK(outcome(parse_parts(cut_instruction + between + oom)).ends_with(" 1"));
    CHECK(outcome(parse_parts("%b = f32[8]{0} abs(%p)\n" + cut_instruction + between + oom)).ends_with(" 1 2:SYN001"));
    CHECK(outcome(parse_parts(cut_instruction + between + module_text.substr(module_text.find("%add"))))
              .ends_with("5 0 1:SYN001"));
    CHECK(outcome(parse_parts(cut_comment + between + module_text + module_text)).starts_with("3 "));
    CHECK(outcome(parse_parts(cut_comment + between + module_text)).find(":SYN001") != std::string::npos);
  }
  // A comment of several lines, and what only looks like one, are no cut.
  std::string commented = module_text;
  commented.insert(commented.find("  %a ="), "  /* of\n     two lines */\n");
  CHECK(outcome(parse_parts("See:\n" + commented)) == "1 5 0");
  std::string quoted = module_text;
  quoted.insert(quoted.find("negate(%a)") + 10, ", metadata={op_name=\"a/*b\"}");
  CHECK(outcome(parse_parts("See:\n" + quoted + "\n" + module_text)) == "2 10 0");
}

TEST_CASE("a list goes on behind a dump of buffers") {
  const std::string assignment =
      "BufferAssignment:\nallocation 0: size 32, parameter 0, shape |f32[8]| at ShapeIndex {}:\n"
      " value: <0 a @0> (size=32,offset=0): f32[8]{0}\n\nTotal bytes used: 32 (32B)\n\n";
  for (const std::string next : {"3. and then\n", "2) And then\n", "- then it stops\n", "> Thanks!\n"}) {
    CAPTURE(next);
    CHECK(outcome(parse_parts("1. Buffers:\n\n" + assignment + next)) == "0 0 0");
    CHECK(outcome(parse_parts("1. Buffers:\n\n" + assignment + next + oom)) == "0 0 1");
  }
}

TEST_CASE("a line that only sounds like a message is no report about the module beside it") {
  const parsed_file file =
      parse_parts("// RESOURCE_EXHAUSTED: Out of memory is expected here.\nauto m = R\"(" + module_text + ")\";\n");
  REQUIRE(file.modules().size() == 1);
  CHECK_FALSE(file.buffers);
  CHECK(std::any_of(file.diagnostics.begin(), file.diagnostics.end(),
                    [](const diagnostic& d) { return d.rule == "DMP013"; }));
}

TEST_CASE("instructions without their computation are a fragment") {
  const std::string some =
      "  %c = bf16[8]{0} convert(f32[8]{0} %p)\n  %g = bf16[16]{0} all-gather(bf16[8]{0} %c), replica_groups={{0,1}}, "
      "dimensions={0}\n";
  for (const std::string& text :
       {some, "It looks like this:\n" + some, some + "...\n", prefixed(some, "> "), prefixed(some, "[rank0]: ")}) {
    CAPTURE(text);
    const parsed_file file = parse_parts(text);
    CHECK(file.status == parse_status::ok);
    REQUIRE(file.modules().size() == 1);
    CHECK(file.modules()[0].name() == "fragment");
    CHECK(file.modules()[0].instruction_count() == 3);  // with the unknown operand
    REQUIRE_FALSE(file.diagnostics.empty());
    CHECK(file.diagnostics[0].rule == "DMP014");
    CHECK(file.diagnostics[0].message.starts_with("these 2 instructions"));
  }
  const std::string plain = some.substr(0, some.size() - 1);  // without the end of the last line
  for (const std::string& text :
       {plain, prefixed(some, "dump/module_0001.jit_f.txt:12:"), prefixed(some, "module_0001.jit_f.txt:"),
        prefixed(some, "3. "),
        "- `" + some.substr(2, some.find('\n') - 2) + "`\n" + "- `" + plain.substr(plain.find("%g")) + "`\n"}) {
    CAPTURE(text);
    CHECK(outcome(parse_parts(text)) == "1 3 0");
  }
  // What is cut off is damaged.
  CHECK(outcome(parse_parts(some + "  %h = f32[8]{0} negate(f32[8]{0} %p), metadata={op_name=\"a\n")) ==
        "1 3 0 3:SYN001");
  CHECK(outcome(parse_parts("x = foo[3](4)\ny = model(x)\n")) == "0 0 0 1:SYN001");  // begins like HLO
  CHECK(outcome(parse_parts("%c = bf16[8]{0} convert(%p\n%d = f32[8]{0} add(%c, %c)\n")).find("SYN001") !=
        std::string::npos);
}

TEST_CASE("an operand of a fragment is never one that went with a line which could not be read") {
  const parsed_file file = parse_parts(
      "%c = f32[8]{0} add(f32[8]{0} %a, f32[8]{0} %b\n%d = f32[8]{0} negate(f32[8]{0} %b)\n"
      "%e = f32[8]{0} add(%d, %a)\n");
  REQUIRE(file.modules().size() == 1);
  const hlo_module& module = file.modules()[0];
  REQUIRE(module.instruction_count() == 4);  // b, d, a, e
  const hlo_computation all = module.computation(0);
  CHECK(all.find("d").operand(0).name() == "b");
  CHECK(all.find("e").operand(0).name() == "d");
  CHECK(all.find("e").operand(1).name() == "a");
}

TEST_CASE("XLA's own log lines are no modules") {
  const parsed_file file = parse_parts(
      "I0000 00:00:1755684000.123456  123 dump.cc:712] HloModule dump enabled with path prefix: , suffix: x\n");
  CHECK(file.modules().empty());
  CHECK(file.status == parse_status::ok);
}

TEST_CASE("a report without its first line") {
  const parsed_file file = parse_parts(
      "Total hbm usage >= 18.65G:\n    reserved        260.00M\n    program          14.40G\n\n"
      "Program hbm requirement 14.40G:\n    HLO temp         14.38G\n");
  REQUIRE(file.buffers);
  REQUIRE(file.buffers->oom()->reports.size() == 1);
  CHECK(file.buffers->oom()->reports[0].without_head);
  CHECK(file.buffers->oom()->reports[0].program_requirement->bytes == 15461882266);
  // The same lists are printed for programs that fit.
  const parsed_file fits = parse_parts(
      "I0101 00:00:00.0 1 a.cc:1] XLA::TPU program HBM usage: 1.00G / 15.75G\nTotal hbm usage >= 1.65G:\n    reserved  "
      "      260.00M\n");
  CHECK((!fits.buffers || !fits.buffers->oom() || fits.buffers->oom()->reports.empty()));
}

TEST_CASE("messages of the compiler are warnings with advice") {
  const struct {
    const char *log, *message;
  } table[] = {
      {"UserWarning: Some donated buffers were not usable: ShapedArray(float32[2,256]), ShapedArray(int32[]).\n",
       "arrays were donated, and no result can take their place: 2 arrays (float32[2,256], int32[]), 2.0KiB in all"},
      {"W a.cc:1] [spmd] Involuntary full rematerialization. The compiler was not able to go from sharding "
       "{devices=[2]<=[2]} to "
       "{replicated} without doing a full rematerialization of the tensor for HLO operation: %p = f64[96]{0} pad(%b, "
       "%c), padding=1_1.\n",
       "the partitioner makes a whole copy of a sharded array on every device: %p, f64[96] (768B), from "
       "{devices=[2]<=[2]} to {replicated}"},
      {"Can't reduce memory use below 1.00GiB (1073741824 bytes) by rematerialization; only reduced to 2.00GiB "
       "(2147483648 "
       "bytes), down from 3.00GiB (3221225472 bytes) originally\n",
       "the compiler cannot bring the need of a program below its limit: it needs 2.00GiB, down from 3.00GiB, and "
       "1.00GiB are left for it"},
      {"E0102: RuntimeProgramInputMismatch: a\nE0102: RuntimeProgramInputMismatch: a\n",
       "E0102: a program was called with an argument of another size than it was compiled for: "
       "RuntimeProgramInputMismatch: a (2 times)"},
      {"E0000 00:00:17.1 1 rendezvous.cc:1] Expected 8 threads to join the rendezvous, but only 7 of them arrived on "
       "time.\n",
       "a collective waits for devices that do not come: 7 of 8 came"},
  };
  for (const auto& row : table) {
    CAPTURE(std::string(row.log));
    const parsed_file file = parse_parts(std::string(row.log));
    REQUIRE(file.diagnostics.size() == 1);
    CHECK(file.diagnostics[0].message == row.message);
    CHECK(file.diagnostics[0].rule == "DMP015");
    CHECK(file.diagnostics[0].level == severity::warning);
    CHECK_FALSE(file.diagnostics[0].advice.empty());
  }
  // In source code they are no messages.
  CHECK(parse_parts("import jax\n  warnings.warn(f\"Some donated buffers were not usable: {names}\")\n")
            .diagnostics.empty());
}

TEST_CASE("a list of findings that was saved beside the dumps is none of them, whatever it quotes") {
  const std::string finding =
      "dumps/m.txt:9:3: warning: a copy of 1.00GiB only changes the dimension order [PRF002 layout-copy]\n"
      "    9 |   %copy.3 = bf16[8,32]{1,0} copy(%p), metadata={op_name=\"jit(f)...\n      |     ^~~~~~\n";
  for (const std::string& text :
       {finding, std::string("dumps/m.txt: error: the dump is cut off [DMP001 cut-off]\n") + module_text,
        "{\n  \"runs\": [{\"tool\": {\"driver\": {\"name\": \"hlolint\", \"help\": \"" + oom + "\"}}}]\n}\n",
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<title>hlolint report</title>\n" + oom}) {
    CAPTURE(text);
    CHECK(kind_of_parts(text) == input_kind::unknown);
  }
  // A finding in the middle of a log with HLO, and lines that resemble one.
  CHECK(kind_of_parts(module_text + finding) == input_kind::hlo);
  for (const char* const line :
       {"job: error: failed [rank 0]\n", "job: error: failed [E0102]\n", "a [PRF002 copy]\n"}) {
    CAPTURE(line);
    CHECK(kind_of_parts(line + module_text) == input_kind::hlo);
  }
}

TEST_CASE("the rows of a report are read behind the prefixes of loggers") {
  const std::string report =
      "jax.errors.JaxRuntimeError: RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 18.40G of 15.75G "
      "hbm. "
      "Exceeded hbm capacity by 2.65G.\n\nTotal hbm usage >= 18.65G:\n    reserved        258.00M\n"
      "    program          16.40G\n    arguments         2.00G\n\nProgram hbm requirement 16.40G:\n"
      "    HLO temp         16.40G (80.0% utilization: Unpadded (13.12G) Padded (16.40G), 0.0% fragmentation (0B))\n\n"
      "  Largest program allocations in hbm:\n\n  1. Size: 8.00G\n     Operator: op_name=\"jit(step)/dot\"\n"
      "     Shape: bf16[32,16,4096,64]{3,2,1,0:T(8,128)(2,1)}\n     Unpadded size: 4.00G\n"
      "     XLA label: fusion.7 = fusion(p.1, p.2), kind=kOutput, calls=fused.7\n     Allocation type: HLO temp\n"
      "     ==========================\n\n";
  const auto shapes = [](const std::string& text) {
    const parsed_file file = parse_parts(text);
    std::string out;
    if (file.buffers && file.buffers->oom())
      for (const oom_report& r : file.buffers->oom()->reports)
        for (const oom_buffer& b : r.buffers) out += std::string(b.shape) + ";";
    return out;
  };
  REQUIRE(shapes(report) == "bf16[32,16,4096,64]{3,2,1,0:T(8,128)(2,1)};");
  for (const char* const prefix : {"ERROR:trainer.loop:", "train\tRun step\t2026-12-01T02:03:04.1234567Z ",
                                   "logs/worker3.log:7:", "train-0 \u203A trainer ", "1796093584.123456 ", "02:03:04 ",
                                   "Dec  1 02:03:04 host-7 python3[4242]: "}) {
    CAPTURE(std::string(prefix));
    CHECK(shapes(prefixed(report, prefix)) == shapes(report));
  }
}

TEST_CASE("the numbers of an allocator are read behind the prefix of a logger") {
  const std::string log =
      "2026-03-04 05:06:07.800001: W external/xla/xla/tsl/framework/bfc_allocator.cc:501] Allocator (GPU_0_bfc) ran "
      "out of "
      "memory trying to allocate 2.00GiB (rounded to 2147483648)requested by op \n"
      "2026-03-04 05:06:07.800011: I external/xla/xla/tsl/framework/bfc_allocator.cc:1119] Stats: \n"
      "Limit:                      6442450944\nInUse:                      5368709120\n"
      "MaxInUse:                   5368709120\nNumAllocs:                          12\n"
      "MaxAllocSize:               2147483648\n";
  const auto limit = [](const std::string& text) {
    const parsed_file file = parse_parts(text);
    byte_count out = 0;
    if (file.buffers && file.buffers->oom())
      for (const oom_report& r : file.buffers->oom()->reports)
        if (r.capacity) out = r.capacity->bytes;
    return out;
  };
  REQUIRE(limit(log) == 6442450944);
  for (const char* const prefix : {"Dec  1 02:03:04 host-7 python3[4242]: ", "[2026-12-01 02:03:04] ",
                                   "2026-12-01 02:03:04.123 | ERROR    | trainer.loop:run:88 - ", "\xEF\xBB\xBF"}) {
    CAPTURE(std::string(prefix));
    CHECK(limit(std::string_view(prefix) == "\xEF\xBB\xBF" ? prefix + log : prefixed(log, prefix)) == 6442450944);
  }
}
