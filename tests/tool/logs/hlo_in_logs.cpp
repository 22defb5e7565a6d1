// HLO inside logs: streams of `--xla_dump_to=-`, and lines with the prefix of a logging library or a launcher. The
// modules are found, everything else is passed over, and places are those of the log.
#include <hlolint/tool/logs/input_parts.hpp>
#include <hlolint/tool/parse_parts.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hlolint;

namespace {

std::string module_text(const std::string& name) {
  return "HloModule " + name +
         ", is_scheduled=true, entry_computation_layout={(f32[8]{0})->f32[8]{0}}\n\n"
         "%add (x: f32[], y: f32[]) -> f32[] {\n  %x = f32[] parameter(0)\n  %y = f32[] parameter(1)\n  ROOT %sum = "
         "f32[] add(%x, %y)\n}\n\n"
         "ENTRY %main (a: f32[8]) -> f32[8] {\n  %a = f32[8]{0} parameter(0)\n"
         "  ROOT %r = f32[8]{0} all-reduce(%a), replica_groups={}, to_apply=%add, metadata={op_name=\"" +
         name + "/sum\"}\n}\n\n";
}
const std::string buffers =
    "BufferAssignment:\nallocation 0: size 32, parameter 0, shape |f32[8]| at ShapeIndex {}, maybe-live-out:\n"
    " value: <0 a @0> (size=32,offset=0): f32[8]{0}\n\nTotal bytes used: 32 (32B)\n";

std::string section(const std::string& file, const std::string& text) {
  return "*** Begin " + file + " ***\n" + text + "\n*** End " + file + " ***\n";
}

std::string prefixed(const std::string& text, const std::vector<std::string>& prefixes) {
  std::string out;
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    out += prefixes[number++ % prefixes.size()] + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out;
}

/// Names of the modules, then the errors.
std::string outcome(const parsed_file& file) {
  std::string out;
  for (const hlo_module& m : file.modules())
    out += std::string(m.name()) + ":" + std::to_string(m.instruction_count()) + (m.entry() ? "" : "?") + " ";
  for (const diagnostic& d : file.diagnostics)
    if (d.level == severity::error)
      out += std::to_string(d.where.begin().line) + ":" + std::to_string(d.where.begin().column) + " " + d.rule + " ";
  return out;
}

}  // namespace

TEST_CASE("a stream of --xla_dump_to=-") {
  const std::string log =
      "some program logs hello\n" + section("module_0001.jit_f.before_optimizations.txt", module_text("jit_f")) +
      "I0000 00:00:1700000000.000000     123 service.cc:148] XLA service initialized\n" +
      section("module_0001.jit_f.after_optimizations.txt", module_text("jit_f")) +
      section("module_0001.jit_f.after_optimizations-buffer-assignment.txt", buffers) + "step 1: loss 0.5\n" +
      section("module_0002.jit_g.after_optimizations.txt", module_text("jit_g")) + "done (all) -> ok {\n";
  const parsed_file file = parse_parts(log);
  CHECK(file.kind == input_kind::hlo);
  CHECK(file.status == parse_status::ok);
  CHECK(outcome(file) == "jit_f:5 jit_f:5 jit_g:5 ");
  // The dump of buffers is read, too.
  CHECK(file.parts.size() == 4);
  REQUIRE(file.buffers);
  CHECK(file.buffers->allocations().size() == 1);
  CHECK(outcome(parse_parts(section("a.txt", module_text("m")))) == "m:5 ");
}

TEST_CASE("the log ends inside a module") {
  const std::string log = "starting\n*** Begin module_0001.m.txt ***\n" + module_text("m");
  const parsed_file file = parse_parts(log.substr(0, log.find("  ROOT %r")));
  CHECK(outcome(file) == "m:4 12:30 SYN001 ");
}

TEST_CASE("prefixes of lines") {
  const struct {
    const char* what;
    std::vector<std::string> prefixes;
  } table[] = {
      {"absl",
       {"I0000 00:00:1700000000.000000     123 dump.cc:12] ", "I0000 00:00:1700000000.000417     123 dump.cc:12] "}},
      {"glog", {"I0131 12:59:59.999999  4711 hlo.cc:345] ", "I0131 13:00:00.000001  4711 hlo.cc:345] "}},
      {"torchrun", {"[rank0]: "}},
      {"torchrun with a time", {"[rank7]:I0131 12:59:59.999000 140 a.py:3] "}},
      {"srun -l", {"0: "}},
      {"srun -l, many", {"117: "}},
      {"mpirun", {"[1,3]<stdout>:"}},
      {"mpirun with a blank", {"[1,3]<stdout>: "}},
      {"a time", {"2026-01-31T12:59:59.123456Z ] "}},
      {"a time and a level", {"2026-01-31 12:59:59,123 INFO xla: ", "2026-01-31 12:59:59,124 INFO xla: "}},
      {"kubectl", {"pod/train-0: 2026-01-31T12:59:59.123456789Z stderr F: "}},
      {"launcher and absl", {"[rank0]: I0000 00:00:1700000000.000000     123 dump.cc:12] "}},
      {"indented", {"    "}},
  };
  for (const auto& row : table) {
    CAPTURE(std::string(row.what));
    const parsed_file file =
        parse_parts("first line of the log\n" + prefixed(module_text("m"), row.prefixes) + "last line of the log\n");
    CHECK(outcome(file) == "m:5 ");
    REQUIRE(file.diagnostics.size() == 1);
    CHECK(file.diagnostics[0].message == "this text has a module (lines 2 to 13); 2 other lines are skipped");
    REQUIRE(file.modules().size() == 1);
    const line_column at = file.modules()[0].entry().root().where().begin();
    CHECK(at.line == 12);
    CHECK(at.column == row.prefixes[0].size() + 9);
    CHECK(file.modules()[0].entry().root().attribute(attribute_key::metadata) == "{op_name=\"m/sum\"}");
  }
}

TEST_CASE("a message of many lines has its prefix once") {
  for (const char* const prefix :
       {"I0000 00:00:1700000000.000000     123 dump.cc:12] ", "2026-01-31 12:59:59,123 INFO xla: ", "compiled: "}) {
    CAPTURE(std::string(prefix));
    CHECK(outcome(parse_parts("before\n" + (prefix + module_text("m")) +
                              "I0000 00:00:1700000001.000000     123 other.cc:1] after\n")) == "m:5 ");
  }
}

TEST_CASE("a blank at the end of an empty line may be lost") {
  std::string log = prefixed(module_text("m"), {"[rank0]: "});
  for (std::size_t at = 0; (at = log.find("[rank0]: \n", at)) != log.npos;) log.replace(at, 10, "[rank0]:\n");
  CHECK(outcome(parse_parts(log)) == "m:5 ");
}

TEST_CASE("lines of other messages and processes between those of a module") {
  std::string lines = prefixed(module_text("m"), {"[rank0]: "});
  std::string mixed;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = lines.find('\n', at) + 1;
    mixed += lines.substr(at, end - at) + "[rank1]: loss 0.25\nWARNING: (a) -> {\n";
    at = end;
  }
  CHECK(outcome(parse_parts(mixed)) == "m:5 ");
  // Without prefixes, a line of a log begins in the first column, and those of a body do not.
  const std::string text = module_text("m");
  const std::size_t inside = text.find("  %y"), between = text.find("ENTRY");
  CHECK(outcome(parse_parts("hello\n" + text.substr(0, inside) + "I0000 00:00:1700000000.000000 1 a.cc:1] note\n" +
                            text.substr(inside, between - inside) + "W0000 00:00:1700000000.000000 1 a.cc:1] note\n" +
                            text.substr(between))) == "m:5 ");
}

TEST_CASE("several processes: one after the other all are read; at the same time the first, and the others are noted") {
  const std::string zero = prefixed(module_text("m"), {"[rank0]: "}), one = prefixed(module_text("n"), {"[rank1]: "});
  CHECK(outcome(parse_parts(zero + one)) == "m:5 n:5 ");
  const std::size_t half = zero.find("[rank0]: ENTRY");
  const parsed_file mixed = parse_parts(zero.substr(0, half) + one + zero.substr(half));
  CHECK(outcome(mixed) == "m:5 ");
  REQUIRE(mixed.diagnostics.size() == 2);
  CHECK(mixed.diagnostics[1].rule == "DMP006");
  CHECK(mixed.diagnostics[1].where.begin().line == 9);
}

TEST_CASE("an error in a log has the place that it has in the log") {
  std::string text = module_text("m");
  text.replace(text.find("f32[] add"), 5, "f32[ ");
  const parsed_file file = parse_parts("hello\n" + prefixed(text, {"0: "}));
  CHECK(outcome(file) == "m:4 7:24 SYN001 ");
}

TEST_CASE("what is no log is read as it is") {
  // The first header is damaged, and a second module follows.
  const std::string damaged = "Hlo\n\n" + module_text("x").substr(module_text("x").find('%')) + module_text("m");
  const parsed_file two = parse_parts(damaged);
  CHECK(two.modules().size() == 2);
  CHECK(outcome(parse_parts(module_text("a") + "// -----\n" + module_text("b"))) == "a:5 b:5 ");
  // Prose about HLO holds none.
  for (const char* const prose :
       {"The HloModule is printed.\n", "see HloModule m\n", "xHloModule m\n", "HloModule: what is it?\n"}) {
    const parsed_file file = parse_parts(prose);
    CHECK(file.modules().empty());
    CHECK(file.status == parse_status::failed);
  }
}

TEST_CASE("what stands around the HLO of a Markdown file is counted in one note") {
  const std::string stablehlo =
      "module @jit_f attributes {mhlo.num_partitions = 1 : i32} {\n"
      "  func.func public @main(%arg0: tensor<8xf32>) -> (tensor<8xf32> {jax.result_info = \"\"}) {\n"
      "    %0 = stablehlo.negate %arg0 : tensor<8xf32>\n    return %0 : tensor<8xf32>\n  }\n}\n";
  const auto note_of = [](const parsed_file& file) {
    REQUIRE(file.diagnostics.size() == 1);
    CHECK(file.status == parse_status::ok);
    CHECK(file.diagnostics[0].level == severity::note);
    return file.diagnostics[0].message;
  };
  const std::string block = "```hlo\n" + module_text("m") + "```\n",
                    prose = "And so on: %x = {a} (b) -> c {\n  ROOT it is\n";
  for (const std::string& before : {std::string("# A step\n\n"), std::string()}) {
    INFO(before);
    const parsed_file both = parse_parts(before + block + "\n" + prose + "\n```mlir\n" + stablehlo + "```\n\n" + prose);
    CHECK(outcome(both) == "m:5 ");
    CHECK(note_of(both).ends_with(", among them a program in MLIR (StableHLO or another dialect)"));
    const parsed_file text = parse_parts(before + block + "\n" + prose);
    CHECK(outcome(text) == "m:5 ");
    CHECK(note_of(text).ends_with(before.empty() ? "; 2 other lines are skipped" : "; 3 other lines are skipped"));
    const parsed_file second = parse_parts(before + block + prose + block + "\n");
    CHECK(outcome(second) == "m:5 m:5 ");
    CHECK(note_of(second).ends_with(before.empty() ? "; 2 other lines are skipped" : "; 3 other lines are skipped"));
    CHECK(outcome(parse_parts(before + block + "\n" + block)) == "m:5 m:5 ");
  }
  CHECK(parse_parts(block).diagnostics.empty());
  // without fences
  const parsed_file bare = parse_parts(module_text("m") + stablehlo);
  CHECK(outcome(bare) == "m:5 ");
  CHECK(note_of(bare).ends_with(", among them a program in MLIR (StableHLO or another dialect)"));
  CHECK(outcome(parse_parts("```\n" + module_text("m").substr(0, 300))) != "m:5 ");  // a damaged module stays one

  CHECK(logs::holds_mlir(stablehlo));
  CHECK(logs::holds_mlir("#loc = loc(unknown)\n" + stablehlo));
  CHECK_FALSE(logs::holds_mlir(block + "the module @a\n"));
}

TEST_CASE("the graphs of a file of torch_xla are modules, and nothing between them is HLO") {
  const auto graph = [](const std::string& name) {
    return "[ScheduleSyncTensorsGraph]\nTensorsGraphInfo:\n  sync (/home/user/train.py:87)\n  <module> "
           "(/home/user/train.py:13)\n\n"
           "Root Hashes: (d5ec)\n\n## BEGIN_GRAPH\nHloModule " +
           name + "\n\nENTRY %" + name +
           " (p: f32[8]) -> f32[8] {\n"
           "  ROOT %p = f32[8]{0} parameter(0)\n}\n\n\nGraph Hash: 6d44\n\n## END_GRAPH\n\n";
  };
  const parsed_file file = parse_parts(graph("IrToHlo.3") + graph("IrToHlo.5"));
  CHECK(file.status == parse_status::ok);
  REQUIRE(file.modules().size() == 2);
  CHECK(file.modules()[1].name() == "IrToHlo.5");
}
