// Modules, computations and instructions: what is read, what is reported about what cannot be read.
#include <hlolint/parse.hpp>
#include <hlolint/parse_hlo.hpp>

#include "first_module.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace hlolint;

namespace {

parsed_file read(std::string text) { return parse_hlo(source(std::move(text), "m.txt")); }

std::size_t error_count(const parsed_file& file) {
  std::size_t count = 0;
  for (const diagnostic& d : file.diagnostics) count += d.level == severity::error;
  return count;
}

/// `line:column rule` of every error, joined by semicolons.
std::string errors(const parsed_file& file) {
  std::string out;
  for (const diagnostic& d : file.diagnostics) {
    if (d.level != severity::error) continue;
    const line_column at = d.where.begin();
    out += (out.empty() ? "" : "; ") + std::to_string(at.line) + ":" + std::to_string(at.column) + " " + d.rule;
  }
  return out;
}

constexpr const char* long_text =
    R"(HloModule jit_f, is_scheduled=true, entry_computation_layout={(f32[4]{0}, f32[4]{0})->f32[4]{0}}, num_partitions=2

%region (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %sum = f32[] add(%x, %y)
}

ENTRY %main (a: f32[4], b: f32[4]) -> f32[4] {
  %a = f32[4]{0} parameter(0)
  %b = f32[4]{0} parameter(1), sharding={replicated}
  %c = f32[4]{0} add(%a, %b), metadata={op_name="jit(f)/add" source_file="f.py" source_line=3}
  ROOT %r = f32[4]{0} all-reduce(%c), channel_id=1, replica_groups={{0,1}}, use_global_device_ids=true, to_apply=%region
}

)";

}  // namespace

TEST_CASE("the long form") {
  const parsed_file file = read(long_text);
  CHECK(file.status == parse_status::ok);
  CHECK(file.diagnostics.empty());
  REQUIRE(file.modules().size() == 1);
  const hlo_module& m = file.modules()[0];
  CHECK(m.name() == "jit_f");
  CHECK(m.is_scheduled());
  CHECK(m.num_partitions() == 2);
  CHECK(m.replica_count() == 1);
  CHECK(m.computation_count() == 2);
  CHECK(m.instruction_count() == 7);
  const hlo_computation entry = m.entry();
  CHECK(entry.name() == "main");
  CHECK(entry.root().name() == "r");
  CHECK(entry.parameter(1).name() == "b");
  const hlo_instruction reduce = entry.root();
  CHECK(reduce.opcode() == hlo_opcode::all_reduce);
  CHECK(reduce.operand(0).name() == "c");
  CHECK(reduce.operand(0).operand(1) == entry.parameter(1));
  CHECK(reduce.called_computation(0) == m.find_computation("region"));
  CHECK(reduce.attribute(attribute_key::channel_id) == "1");
  CHECK(reduce.where().begin() == line_column{13, 9});
  CHECK(reduce.shape()->dimensions.size() == 1);
  CHECK(entry.signature() == "(a: f32[4], b: f32[4]) -> f32[4]");
}

TEST_CASE("the short form, in one line as well, is the same module") {
  const std::string text =
      "HloModule m\n\nf {\n  p = f32[] parameter(0)\n  ROOT n = f32[] negate(p)\n} // f\n\nENTRY e {\n  q = f32[] "
      "parameter(0)\n"
      "  ROOT r = f32[] fusion(q), kind=kLoop, calls=f\n}\n";
  std::string line = text;
  line.replace(line.find(" // f"), 5, "");
  std::replace(line.begin(), line.end(), '\n', ' ');
  const parsed_file a = read(text), b = read(line);
  CHECK(errors(a) == "");
  CHECK(errors(b) == "");
  REQUIRE(a.modules().size() == 1);
  REQUIRE(b.modules().size() == 1);
  CHECK(a.modules()[0] == b.modules()[0]);
  CHECK_FALSE(a.modules()[0] == first_module(read(long_text)));
}

TEST_CASE("nodes that no one wrote count as XLA counts them") {
  struct {
    const char* text;
    std::size_t instructions, computations;
  } const table[] = {
      {"ENTRY e {\n  a = f32[2] add(f32[2] parameter(0), f32[2] parameter(1))\n}\n", 3, 1},
      {"ENTRY e {\n  a = (f32[], f32[]) parameter(0)\n  ROOT b = f32[] add(a#0, a#1)\n}\n", 4, 1},
      {"ENTRY e {\n  a = (f32[], f32[]) parameter(0)\n  ROOT b = f32[] add(a#0, a#0)\n}\n", 3, 1},
      {"ENTRY e {\n  a = f32[8] parameter(0)\n  s = ((f32[8]), f32[8], u32[]) all-to-all-start(a), replica_groups={}\n"
       "  ROOT d = f32[8] all-to-all-done(s)\n}\n",
       5, 2},
      {"ENTRY e {\n  a = f32[] parameter(0)\n  ROOT c = f32[] call(a), to_apply={\n    p = f32[] parameter(0)\n    "
       "ROOT n = f32[] negate(p)\n  }\n}\n",
       4, 2},
      {"ROOT r = f32[2] add(f32[2] x, f32[2] y)", 3, 1},
      {"f32[2] add(f32[2], f32[2])", 3, 1},
  };
  for (const auto& row : table) {
    CAPTURE(row.text);
    const parsed_file file = read(row.text);
    CHECK(errors(file) == "");
    REQUIRE(file.modules().size() == 1);
    CHECK(file.modules()[0].instruction_count() == row.instructions);
    CHECK(file.modules()[0].computation_count() == row.computations);
  }
}

TEST_CASE("equal elements of tuples share a shape") {
  const parsed_file file = read(
      "HloModule m\nENTRY e {\n  a = (f32[4]{0}, f32[4]{0}, f32[4]{0:S(5)}) parameter(0)\n"
      "  b = (f32[4]{0}, s32[4]{0}, f32[5]{0}) parameter(1)\n  ROOT t = (f32[4], f32[4], f32[4], f32[4], s32[4], "
      "f32[5]) tuple(a#0, a#1, a#2, b#0, b#1, b#2)\n}\n");
  REQUIRE(file.modules().size() == 1);
  const hlo_module& module = file.modules()[0];
  CHECK(module.data().shapes.size() == 7);  // of a, b and t, and four kinds of elements
  const hlo_instruction root = module.entry().root();
  for (std::size_t k = 0; k < 6; ++k) {
    CAPTURE(k);
    const hlo_instruction from = root.operand(k).operand(0);
    REQUIRE(root.operand(k).shape());
    CHECK(*root.operand(k).shape() == from.shape()->elements[k % 3]);
  }
}

TEST_CASE("the instruction behind async sugar has the attributes of the start") {
  const parsed_file file = read(
      "HloModule m\nENTRY e {\n  a = f32[8] parameter(0)\n  s = ((f32[8]), f32[8], u32[]) all-to-all-start(a), "
      "channel_id=7\n"
      "  ROOT d = f32[8] all-to-all-done(s)\n}\n");
  REQUIRE(file.modules().size() == 1);
  const hlo_instruction start = file.modules()[0].entry().find("s");
  CHECK(start.opcode() == hlo_opcode::async_start);
  CHECK(start.wrapped_opcode() == hlo_opcode::all_to_all);
  REQUIRE(start.called_computation_count() == 1);
  const hlo_instruction wrapped = start.called_computation(0).root();
  CHECK(wrapped.opcode() == hlo_opcode::all_to_all);
  CHECK(wrapped.is_synthesized());
  CHECK(wrapped.attribute(attribute_key::channel_id) == "7");
}

TEST_CASE("several modules in a file") {
  const parsed_file file = read(
      "HloModule a\nENTRY e {\n  p = f32[] parameter(0)\n}\n// -----\nHloModule b\nENTRY e {\n  p = s32[] "
      "parameter(0)\n}\n// -----\n"
      "ENTRY c {\n  p = f32[] parameter(0)\n}\n// --------- no separator\nHloModule d\nENTRY e {\n  p = f32[] "
      "parameter(0)\n}\n");
  CHECK(errors(file) == "");
  REQUIRE(file.modules().size() == 4);
  CHECK(file.modules()[1].name() == "b");
  CHECK(file.modules()[2].name() == "module_c");
}

TEST_CASE("name and number rules: one message, at the place") {
  const auto entry = [](const std::string& body) {
    return "HloModule m\nENTRY e {\n  p = f32[4] parameter(0)\n  " + body + "\n}\n";
  };
  struct {
    std::string text;
    const char* expected;
  } const table[] = {
      {entry("ROOT a = f32[4] add(p, q)"), "4:26 SYN002"},
      {entry("a = f32[4] add(p, q)\n  ROOT b = f32[4] add(a, q)"), "4:21 SYN002"},
      {entry("ROOT a = f32[4] add(p)"), "4:19 SYN002"},
      {entry("p = f32[4] negate(p)"), "4:3 SYN002"},
      {entry("ROOT a = f32[4] negate(p)\n  ROOT b = f32[4] negate(p)"), "5:8 SYN002"},
      {entry("ROOT a = f32[4] negate(f32[5] p)"), "4:33 SYN002"},
      {entry("q = f32[4] parameter(0)"), "4:24 SYN002"},
      {entry("q = f32[4] parameter(2)"), "2:7 SYN002"},
      {entry("ROOT a = f32[4] negate(p), to_apply=p"), "4:30 SYN002"},
      {entry("ROOT a = f32[4] negate(p), metadata={}, metadata={}"), "4:43 SYN002"},
      {entry("ROOT a = f32[4] call(p), to_apply=nowhere"), "4:37 SYN002"},
      {entry("ROOT a = f32[4] compare(p, p)"), "4:19 SYN002"},
      {entry("ROOT a = f32[4]{1,0} negate(p)"), "4:12 SYN002"},
      {entry("ROOT %f32 = f32[4] negate(p)"), "4:9 SYN002"},
      {entry("ROOT a = (f32[4], f32[4]) tuple(p)"), "4:29 SYN002"},
      {entry("ROOT a = f32[5] reshape(p)"), "4:19 SYN002"},
      {"HloModule m\nENTRY e {\n  p = f32[] parameter(0)\n}\nENTRY f {\n  p = f32[] parameter(0)\n}\n", "5:7 SYN002"},
      {"HloModule m\ne {\n  p = f32[] parameter(0)\n}\nENTRY e {\n  p = f32[] parameter(0)\n}\n", "5:7 SYN002"},
      {"HloModule m\nENTRY e (p: f32[]) -> f32[2] {\n  p = f32[] parameter(0)\n}\n", "2:9 SYN002"},
      {"HloModule m\nENTRY e {\n}\n", "3:1 SYN002"},
      {"HloModule m\na {\n  p = f32[] parameter(0)\n  ROOT c = f32[] call(p), to_apply=b\n}\nb {\n  p = f32[] "
       "parameter(0)\n"
       "  ROOT c = f32[] call(p), to_apply=a\n}\nENTRY e {\n  p = f32[] parameter(0)\n  ROOT c = f32[] call(p), "
       "to_apply=b\n}\n",
       "8:8 SYN002"},
  };
  for (const auto& row : table) {
    CAPTURE(row.text);
    const parsed_file file = read(row.text);
    CHECK(errors(file) == row.expected);
    CHECK(file.status == parse_status::partial);
  }
}

TEST_CASE("a called computation may come later, a control predecessor may not") {
  const auto waiting_for = [](const std::string& predecessor) {
    return errors(
        read("HloModule m\nENTRY e {\n  p = f32[] parameter(0)\n  a = f32[] negate(p), control-predecessors={" +
             predecessor + "}\n  b = f32[] negate(p)\n" +
             "  ROOT c = f32[] call(a), to_apply=f\n}\nf {\n  p = f32[] parameter(0)\n}\n"));
  };
  CHECK(waiting_for("p") == "");
  CHECK(waiting_for("b") == "4:46 SYN002");
}

TEST_CASE("a text that only breaks a rule of shapes is one module, with or without its header") {
  const std::string text =
      "f {\n  a = s32[4] parameter(0)\n  ROOT b = s32[] parameter(1)\n}\n\n"
      "ENTRY main {\n  a = s32[4] parameter(0)\n  ROOT c = s32[] call(a, a), to_apply=f\n}\n";
  for (const std::string& each : {text, "HloModule m\n\n" + text}) {
    const parsed_file file = read(each);
    CHECK(errors(file).find("SYN001") == std::string::npos);
    CHECK(errors(file).find("SYN002") != std::string::npos);
    REQUIRE(file.modules().size() == 1);
    CHECK(file.modules()[0].computation_count() == 2);
    CHECK(file.modules()[0].instruction_count() == 4);
    const parsed_file of_any_kind = parse(each);
    REQUIRE(of_any_kind.modules().size() == 1);
    CHECK(of_any_kind.modules()[0] == file.modules()[0]);
    CHECK(of_any_kind.diagnostics.size() == file.diagnostics.size());
  }
}

TEST_CASE("a control predecessor may be a get-tuple-element that the short form leaves out") {
  const std::string begin = "HloModule m\nENTRY e {\n  p = f32[] parameter(0)\n  t = (f32[], f32[]) tuple(p, p)\n";
  const std::string end = ", control-predecessors={get-tuple-element.7}\n}\n";
  CHECK(errors(read(begin + "  ROOT a = f32[] negate(t#1)" + end)) == "");
  CHECK(errors(read(begin + "  ROOT a = f32[] negate(p)" + end)) != "");  // a text in the long form
  CHECK(errors(read(begin + "  ROOT a = f32[] negate(t#1), control-predecessors={get-tuple-element.x}\n}\n")) != "");
}

TEST_CASE("a bad instruction costs itself only") {
  struct {
    const char* line;
    const char* expected;
  } const table[] = {
      {"  a = f32[4 negate(p)", "4:13 SYN001"},
      {"  a = f32[4] negate p", "4:21 SYN001"},
      {"  a = f32[4] negate(p", "5:3 SYN001"},
      {"  a f32[4] negate(p)", "4:5 SYN001"},
      {"  a = f32[4] negate(p), =3", "4:25 SYN001"},
      {"  @a = f32[4] negate(p)", "4:3 SYN001"},
      {"  a = f32[4] negate(p,=)", "4:23 SYN001"},
      {"  a = f32[4] #", "4:14 SYN001"},
      {"  a = f32[4]{0 negate(p), metadata={op_name=\"x\"}", "4:16 SYN001"},
      {"  a = f32[4] warp p", "4:19 SYN001"},  // no word of an opcode that was not read
  };
  for (const auto& row : table) {
    CAPTURE(row.line);
    const parsed_file file = read("HloModule m\nENTRY e {\n  p = f32[4] parameter(0)\n" + std::string(row.line) +
                                  "\n  b = f32[4] exponential(p)\n  ROOT c = f32[4] add(b, a)\n}\n");
    CHECK(errors(file) == row.expected);
    CHECK(std::none_of(file.diagnostics.begin(), file.diagnostics.end(),
                       [](const diagnostic& d) { return d.rule == "DMP006"; }));
    CHECK(file.status == parse_status::partial);
    REQUIRE(file.modules().size() == 1);
    CHECK(file.modules()[0].instruction_count() == 3);
    CHECK(file.modules()[0].entry().root().name() == "c");
  }
}

TEST_CASE("a bad attribute costs itself only") {
  const parsed_file file = read(
      "HloModule m\nENTRY e {\n  p = f32[4] parameter(0)\n  ROOT s = f32[2] slice(p), slice={[0:x]}, "
      "metadata={op_name=\"s\"}\n}\n");
  CHECK(errors(file) == "4:39 SYN001");
  REQUIRE(file.modules().size() == 1);
  CHECK(file.modules()[0].entry().root().attribute(attribute_key::metadata) == "{op_name=\"s\"}");
}

TEST_CASE("a bad head costs its signature only") {
  const parsed_file file = read(
      "HloModule m\n%f (p f32[]) > f32[] {\n  %p = f32[] parameter(0)\n}\n\nENTRY %e {\n  %p = f32[] parameter(0)\n"
      "  ROOT %c = f32[] call(%p), to_apply=%f\n}\n");
  CHECK(error_count(file) == 1);
  REQUIRE(file.modules().size() == 1);
  CHECK(file.modules()[0].computation_count() == 2);
  CHECK(file.modules()[0].find_computation("f").signature() == "");
  CHECK(file.modules()[0].entry().name() == "e");
  CHECK(file.modules()[0].entry().root().called_computation(0).name() == "f");
}

TEST_CASE("a colon belongs to the bare word before it, and stands nowhere else in a signature") {
  const auto accepts = [](const std::string& parameter) {
    return errors(read("HloModule m\n\nENTRY %e (" + parameter + ") -> f32[] {\n  %x = f32[] parameter(0)\n" +
                       "  ROOT %r = f32[] negate(%x)\n}\n"))
        .empty();
  };
  for (const char* const parameter : {"x: f32[]", "x f32[]", "%x f32[]"}) CHECK_MESSAGE(accepts(parameter), parameter);
  for (const char* const parameter : {"x:: f32[]", "x: : f32[]", "x : f32[]", "%x: f32[]", "%x : f32[]"})
    CHECK_MESSAGE(!accepts(parameter), parameter);
}

TEST_CASE("a cut-off text keeps what is whole") {
  const std::string text = long_text;
  for (std::size_t size = text.size() - 3; size > 20; --size) {
    CAPTURE(text.substr(0, size));
    const parsed_file file = read(text.substr(0, size));
    CHECK(error_count(file) == 1);
    CHECK(file.status != parse_status::ok);
    const std::size_t whole = size > text.find("\n}\n\nENTRY") + 2 ? 1 : 0;
    REQUIRE((whole == 0 || file.modules().size() == 1));
    if (whole) CHECK(file.modules()[0].find_computation("region").is_complete());
    for (const hlo_module& m : file.modules())
      for (const hlo_computation c : m.computations())
        if (c.name() == "main") CHECK_FALSE(c.is_complete());
  }
}

TEST_CASE("what no XLA knows is kept, and reported once") {
  const parsed_file file = read(
      "HloModule m, new_flag={a,b}\nENTRY e {\n  p = f99[4] parameter(0)\n  a = f99[4] warp(p), speed=9\n  ROOT b = "
      "f99[4] warp(a), speed={8}\n}\n");
  CHECK(file.status == parse_status::ok);
  std::string words;
  for (const diagnostic& d : file.diagnostics) {
    CHECK(d.rule == "DMP006");
    CHECK(d.level == severity::note);
    words += std::string(d.where.text()) + " ";
  }
  CHECK(words == "new_flag f99 warp speed ");
  const hlo_instruction b = file.modules().at(0).entry().root();
  CHECK(b.opcode() == hlo_opcode::unknown);
  CHECK(b.opcode_text() == "warp");
  CHECK(b.attribute(0).value == "{8}");
}

TEST_CASE("the API version that older compilers print for none is known") {
  const parsed_file file = read(
      "HloModule m\nENTRY e {\n  p = f32[] parameter(0)\n  ROOT c = f32[] custom-call(p), custom_call_target=\"t\", "
      "api_version=API_VERSION_UNSPECIFIED\n}\n");
  CHECK(file.diagnostics.empty());
  CHECK(file.modules().at(0).entry().root().attribute(attribute_key::api_version).has_value());
}

TEST_CASE("a comment that does not end hides nothing silently") {
  const parsed_file file = read(
      "HloModule m\nENTRY e {\n  p = f32[] parameter(0)\n}\n// fine\n/* fine */ /* not\nENTRY f {\n  p = f32[] "
      "parameter(0)\n}\n");
  CHECK(errors(file) == "6:12 SYN001");
  CHECK(file.modules().at(0).computation_count() == 1);
}

TEST_CASE("metadata keys of the future are kept, and reported once") {
  const parsed_file file = read(
      "HloModule m\nENTRY e {\n  p = f32[] parameter(0), metadata={op_name=\"p\" color=3}\n  ROOT n = f32[] "
      "negate(p), metadata={color=4}\n}\n");
  CHECK(errors(file) == "");
  REQUIRE(file.diagnostics.size() == 1);
  CHECK(file.diagnostics[0].rule == "DMP006");
  CHECK(file.diagnostics[0].where.text() == "color");
}

TEST_CASE("an attribute that does not fit the conditional's selector is the place of the message") {
  const parsed_file file = read(
      "HloModule m\nb { ROOT x = f32[] parameter(0) }\nc { ROOT y = f32[] parameter(0) }\nENTRY e {\n  s = pred[] "
      "parameter(0)\n"
      "  v = f32[] parameter(1)\n  ROOT r = f32[] conditional(s, v, v),\n    branch_computations={b, c}\n}\n");
  REQUIRE(file.diagnostics.size() == 1);
  CHECK(file.diagnostics[0].where.begin().line == 8);
}

TEST_CASE("an operand without a name is left out, as XLA does, with a warning") {
  for (const char* const operands : {"f32[], %p", "%p, f32[1]{0}", "%p,", ", %p"}) {
    CAPTURE(operands);
    const parsed_file file =
        read(std::string("HloModule m\nENTRY e {\n  %p = f32[] parameter(0)\n  ROOT n = f32[] negate(") + operands +
             ")\n}\n");
    CHECK(file.status == parse_status::ok);
    REQUIRE(file.diagnostics.size() == 1);
    CHECK(file.diagnostics[0].level == severity::warning);
    CHECK(file.modules().at(0).entry().root().operand_count() == 1);
    CHECK(file.modules()[0].entry().root().operand(0).name() == "p");
  }
  CHECK(errors(read("HloModule m\nENTRY e {\n  %p = f32[] parameter(0)\n  ROOT n = f32[] negate(, ,)\n}\n")) != "");
}

TEST_CASE("what follows from a mistake is not reported again") {
  // The root cannot be read, so neither the signature nor the alias can be compared with it.
  CHECK(errors(
            read("HloModule m, input_output_alias={ {1}: (0, {}, may-alias) }\nENTRY e (p: f32[]) -> (f32[], f32[]) "
                 "{\n  p = f32[] parameter(0)\n"
                 "  q = f32[2] custom-call(p), custom_call_target=\"x\"\n  ROOT t = (f32[], f32[) tuple(p, p)\n}\n")) ==
        "5:24 SYN001");
  CHECK(errors(read("HloModule m, entry_computation_layout={(f32[])->f32[2]}\ne {\n  p = f32[] parameter(0)\n  q = "
                    "f32[2 negate(p)\n}\n")) == "4:13 SYN001");
  // The brace that is missing here is that of the next line's value.
  CHECK(
      errors(read("HloModule m\nENTRY e {\n  p = f32[2,3] parameter(0)\n  q = f32[3,2] transpose(p), dimensions={1,x\n"
                  "  ROOT r = f32[3,2] transpose(p), dimensions={1,0}\n}\n")) == "4:44 SYN001");
  // The instruction that could not be read has a body with instructions of its own.
  CHECK(errors(read("HloModule m\nENTRY e {\n  p = f32[] parameter(0)\n  q = f32[] call(p), to_apply={\n    p = f32[] "
                    "parameter(0)\n"
                    "    ROOT r = f32[ negate(p)\n  }\n  ROOT s = f32[] negate(p)\n}\n")) == "6:19 SYN001");
  // A number that stands twice leaves another one out.
  CHECK(errors(read("HloModule m\nENTRY e {\n  p = f32[] parameter(0)\n  q = f32[] parameter(0)\n  ROOT r = f32[] "
                    "parameter(2)\n}\n")) == "4:23 SYN002");
}

TEST_CASE("a text that is indented as a whole recovers like any other") {
  const parsed_file file = read(
      "  HloModule m\n\n  %c (a: f32[]) -> f32[] {\n    %a = f32[] parameter(0)\n    ROOT %b = f32[ negate(%a)\n  }\n\n"
      "  %d (a: f32[) -> f32[] {\n    ROOT %a = f32[] parameter(0)\n  }\n\n"
      "  ENTRY %e (p: f32[]) -> f32[] {\n    %p = f32[] parameter(0)\n    ROOT %q = f32[] call(%p), to_apply=%c\n  "
      "}\n");
  CHECK(errors(file) == "5:20 SYN001; 8:14 SYN001");
  REQUIRE(file.modules().size() == 1);
  CHECK(file.modules()[0].computation_count() == 3);
  CHECK(file.modules()[0].entry().instructions().size() == 2);
}

TEST_CASE("parameter_replication has one word per array of the result") {
  const auto with = [](const std::string& words) {
    return errors(read(
        "HloModule m\nENTRY e {\n  ROOT p = (f32[], (s32[2], pred[])) parameter(0), parameter_replication=" + words +
        "\n}\n"));
  };
  CHECK(with("{true,false,true}") == "");
  CHECK(with("{true,false}") == "3:74 SYN002");
}

TEST_CASE("stack tables") {
  const parsed_file file = read(
      "HloModule m\n\nFileNames\n1 \"a.py\"\n\nFunctionNames\n1 \"f\"\n2 \"g\"\n\nFileLocations\n"
      "1 {file_name_id=1 function_name_id=2 line=3 end_line=3 column=4 end_column=9}\n\nStackFrames\n"
      "1 {file_location_id=1 parent_frame_id=1}\n\n\nENTRY e {\n  p = f32[] parameter(0)\n}\n");
  CHECK(errors(file) == "");
  const module_data& d = file.modules().at(0).data();
  CHECK(d.function_names.size() == 2);
  CHECK(d.file_locations.at(0).end_column == 9);
  CHECK(d.stack_frames.at(0).parent_frame_id == 1);
}

TEST_CASE("a row of the stack tables that leaves something out is a warning, and 0 stands for it") {
  const parsed_file file = read(
      "HloModule m\n\nFileNames\n1 \"a.py\"\n\nFunctionNames\n1 \"f\"\n\nFileLocations\n"
      "1 {file_name_id=1 function_name_id=1 line=3 end_line=3}\n\nStackFrames\n"
      "1 {file_location_id=1}\n\n\nENTRY e {\n  p = f32[] parameter(0)\n}\n");
  CHECK(file.status == parse_status::ok);
  REQUIRE(file.diagnostics.size() == 2);
  CHECK(file.diagnostics[0].rule == "SYN002");
  CHECK(file.diagnostics[0].level == severity::warning);
  CHECK(file.diagnostics[0].where.begin().line == 10);
  CHECK(file.diagnostics[0].message == "this row of the stack tables has no column; 0 is used");
  CHECK(file.diagnostics[1].message == "this row of the stack tables has no parent_frame_id; 0 is used");
  CHECK(file.modules().at(0).data().file_locations.at(0).end_line == 3);
}

TEST_CASE("the modules inside a recovery table are read too") {
  const auto with = [](const std::string& inner) {
    return read("HloModule m, origin_recovery_table={\n  {\"a\"} : {\"b\"},\n  \"" + inner +
                "\"\n}\n\nENTRY e {\n  p = f32[] parameter(0)\n}\n");
  };
  CHECK(errors(with("HloModule r\n\nENTRY f {\n  q = f32[] parameter(0), metadata={op_name=\\\"q\\\"}\n}\n")) == "");
  const parsed_file wrong = with("HloModule r\n\nENTRY f {\n  q = f32[] parameter(zero)\n}\n");
  REQUIRE(wrong.diagnostics.size() == 1);
  CHECK(wrong.diagnostics[0].where.begin().line == 3);
  CHECK(wrong.diagnostics[0].message.find("in its line 4, column") != std::string::npos);
  CHECK(wrong.modules().size() == 1);
}

TEST_CASE("bytes that are no HLO are an error and nothing worse") {
  CHECK(read("").diagnostics.at(0).rule == "SYN000");
  CHECK(read("// only a comment\n").diagnostics.at(0).rule == "SYN000");
  for (const std::string& text :
       {std::string("HloModule"), std::string("HloModule m\0 x", 14), std::string("ENTRY e {"), std::string("}"),
        std::string(1000000, '{'), std::string(1000000, '('),
        "HloModule m\nENTRY e {\n  a = " + std::string(1000000, '('),
        "HloModule m\nENTRY e {\n  a = f32[] add(" +
            [] {
              std::string s;
              for (int i = 0; i < 100000; ++i) s += "add(";
              return s;
            }(),
        "HloModule m\nENTRY e {\n  a = f32[] call(), to_apply=" +
            [] {
              std::string s;
              for (int i = 0; i < 100000; ++i) s += "{a = f32[] call(), to_apply=";
              return s;
            }(),
        std::string("\x89PNG\r\n\x1a\n\0\0\0", 11), std::string("/*"), std::string("%")}) {
    const parsed_file file = read(text);
    CHECK(error_count(file) >= 1);
    CHECK(error_count(file) < 10);
  }
}
