// Texts that name much with little: nothing may grow exponentially with their depth or with the square of their length.
// Sizes are such that the right algorithm needs no time worth mentioning and a wrong one never ends, or not while
// anybody waits.
#include <hlolint/checks/all.hpp>
#include <hlolint/lint/lint.hpp>
#include <hlolint/parse.hpp>

#include "first_module.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;

namespace {

const std::string array = "f32[4]{0}";

/// Every rule with its notes; every finding has a file and a line.
findings lint_everything(const std::string& text, target backend = target::gpu) {
  rule_settings settings = default_settings(all);
  for (rule_setting& s : settings) s.enabled = s.notes = true;
  const std::vector<parsed_file> files{parse(source(text, "m.txt"))};
  const std::vector<input_file> inputs{{"m.txt", &files[0], true}};
  findings out;
  for (const module_group& group : pair_files(inputs).groups) {
    const findings found = lint(all, context(parts_of(group, inputs, backend)), settings);
    for (const diagnostic& d : found) {
      CHECK(!d.where.in.path().empty());
      CHECK(d.where.begin().line >= 1);
    }
    out.diagnostics.insert(out.diagnostics.end(), found.begin(), found.end());
  }
  return out;
}

bool has(const findings& found, std::string_view rule) {
  for (const diagnostic& d : found)
    if (d.rule == rule) return true;
  return false;
}

/// Which rules found how much: `ALI003 PAD001x2`.
std::string rules_of(const findings& found) {
  std::map<std::string, std::size_t> counts;
  for (const diagnostic& d : found) ++counts[std::string(d.rule)];
  std::string out;
  for (const auto& [rule, count] : counts)
    out += (out.empty() ? "" : " ") + rule + (count > 1 ? "x" + std::to_string(count) : "");
  return out;
}

/// All that is found of a module in which nothing is wrong: that no other file of its dump is there.
const std::string alone = "DMP004";

std::string numbered(const std::string& name, int k) { return name + "." + std::to_string(k); }

std::string module_text(const std::string& computations, const std::string& entry,
                        const std::string& header = "is_scheduled=true") {
  return "HloModule m, " + header + "\n\n" + computations + "ENTRY %main {\n" + entry + "}\n";
}

/// `levels` computations, each of which runs `body(k, the one before it)` on its parameter `p.K`.
template <class Body>
std::string nested(int levels, const std::string& innermost, Body&& body) {
  std::string out = innermost;
  for (int k = 1; k <= levels; ++k)
    out += "%" + numbered("c", k) + " (" + numbered("p", k) + ": f32[4]) -> f32[4] {\n  %" + numbered("p", k) + " = " +
           array + " parameter(0)\n" + body(k, numbered("c", k - 1)) + "}\n\n";
  return out;
}

const std::string exchange =
    "%c.0 (p.0: f32[4]) -> f32[4] {\n  %p.0 = f32[4]{0} parameter(0)\n  %t = token[] after-all()\n"
    "  %s = (f32[4]{0}, u32[], token[]) send(%p.0, %t), channel_id=1, "
    "frontend_attributes={_xla_send_recv_source_target_pairs={{0,1}}}\n"
    "  %sd = token[] send-done(%s), channel_id=1\n"
    "  %r = (f32[4]{0}, u32[], token[]) recv(%t), channel_id=1, "
    "frontend_attributes={_xla_send_recv_source_target_pairs={{0,1}}}\n"
    "  %rd = (f32[4]{0}, token[]) recv-done(%r), channel_id=1\n"
    "  ROOT %g = f32[4]{0} get-tuple-element(%rd), index=0\n}\n\n";
const std::string negation =
    "%c.0 (p.0: f32[4]) -> f32[4] {\n  %p.0 = f32[4]{0} parameter(0)\n  ROOT %n.0 = f32[4]{0} negate(%p.0)\n}\n\n";

/// Two instructions in a row that both run what is inside.
std::string twice(const std::string& opcode, const std::string& attributes, int k) {
  return "  %" + numbered("a", k) + " = " + array + " " + opcode + "(%" + numbered("p", k) + ")" + attributes +
         "\n  ROOT %" + numbered("b", k) + " = " + array + " " + opcode + "(%" + numbered("a", k) + ")" + attributes +
         "\n";
}

std::string run_outermost(const std::string& opcode, const std::string& attributes) {
  return "  %x = f32[4]{0} parameter(0)\n  ROOT %end = f32[4]{0} " + opcode + "(%x)" + attributes + "\n";
}

}  // namespace

TEST_CASE("calls that double at each of 64 levels") {
  const std::string calls =
      nested(64, exchange, [](int k, const std::string& inner) { return twice("call", ", to_apply=%" + inner, k); });
  const std::string text = module_text(calls, run_outermost("call", ", to_apply=%c.64"));
  CHECK_FALSE(has(lint_everything(text), "COL007"));
  // One send more, deep inside: found, though the others are not run again and again.
  std::string broken = text;
  broken.insert(broken.find("  ROOT %g"),
                "  %s.2 = (f32[4]{0}, u32[], token[]) send(%p.0, %t), channel_id=2, "
                "frontend_attributes={_xla_send_recv_source_target_pairs={{2,3}}}\n"
                "  %sd.2 = token[] send-done(%s.2), channel_id=2\n");
  CHECK(has(lint_everything(broken), "COL007"));
}

TEST_CASE("fusions that double at each of 64 levels") {
  const findings found = lint_everything(module_text(
      nested(64, negation,
             [](int k, const std::string& inner) { return twice("fusion", ", kind=kLoop, calls=%" + inner, k); }),
      run_outermost("fusion", ", kind=kLoop, calls=%c.64")));
  CHECK(rules_of(found) == alone);
}

TEST_CASE("fusions that nest 3000 deep") {
  const std::string text = module_text(nested(3000, negation,
                                              [](int k, const std::string& inner) {
                                                return "  ROOT %" + numbered("b", k) + " = f32[4]{0} fusion(%" +
                                                       numbered("p", k) + "), kind=kLoop, calls=%" + inner + "\n";
                                              }),
                                       run_outermost("fusion", ", kind=kLoop, calls=%c.3000"));
  CHECK(rules_of(lint_everything(text, target::tpu)) == alone);
}

TEST_CASE("tuples without shapes that double at each of 64 lines, or nest without end") {
  std::string doubling = "  %t.0 = f32[4]{0} parameter(0)\n", nesting = doubling;
  for (int k = 1; k <= 64; ++k)
    doubling += "  %" + numbered("t", k) + " = tuple(%" + numbered("t", k - 1) + ", %" + numbered("t", k - 1) + ")\n";
  for (int k = 1; k <= 2000; ++k) nesting += "  %" + numbered("t", k) + " = tuple(%" + numbered("t", k - 1) + ")\n";
  CHECK(rules_of(lint_everything(module_text({}, doubling + "  ROOT %end = tuple(%t.64)\n"))) == alone);
  CHECK(rules_of(lint_everything(module_text({}, nesting + "  ROOT %end = tuple(%t.2000)\n"))) == alone);
}

TEST_CASE("a big tuple that is handed on without a shape") {
  std::string shape = "(f32[]", entry;
  for (int k = 1; k < 1000; ++k) shape += ", f32[]";
  entry = "  %o.0 = " + shape + ") parameter(0)\n";
  for (int k = 1; k <= 1000; ++k) entry += "  %" + numbered("o", k) + " = opt-barrier(%" + numbered("o", k - 1) + ")\n";
  CHECK(rules_of(lint_everything(module_text({}, entry + "  ROOT %end = opt-barrier(%o.1000)\n"))) == alone);
}

TEST_CASE("a hundred collectives over eight million devices") {
  std::string entry = "  %x = f32[4]{0} parameter(0)\n";
  for (int k = 0; k < 100; ++k)
    entry += "  %" + numbered("a", k) + " = f32[4]{0} all-reduce(%x), replica_groups=[" + std::to_string(k % 7 + 1) +
             ",100000]<=[" + std::to_string((k % 7 + 1) * 100000) + "], to_apply=%sum\n  %" + numbered("b", k) +
             " = f32[4]{0} all-reduce(%x), replica_groups=[2,4000000]<=[2,4000000]T(1,0), to_apply=%sum\n  %" +
             numbered("c", k) + " = f32[4]{0} all-reduce(%x), replica_groups=[" + std::to_string(k + 2) + "," +
             std::to_string(8000000 / (k + 2)) + "]<=[" + std::to_string((k + 2) * (8000000 / (k + 2))) +
             "], to_apply=%sum\n";
  const findings found = lint_everything(
      module_text("%sum (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n"
                  "  %b = f32[] parameter(1)\n  ROOT %ab = f32[] add(%a, %b)\n}\n\n",
                  entry + "  ROOT %end = f32[4]{0} negate(%x)\n", "is_scheduled=true, replica_count=1000000"));
  // 14 of %a.K name devices beyond those that are decoded; 7 groups of %a.K and that of %b.K could be combined.
  CHECK(rules_of(found) == "COL009x86 COL015x8 " + alone);
}

TEST_CASE("one computation with 3000 callers") {
  std::string entry = "  %y.0 = f32[4]{0} parameter(0)\n";
  for (int k = 1; k <= 3000; ++k)
    entry += "  %" + numbered("y", k) + " = f32[4]{0} call(%" + numbered("y", k - 1) + "), to_apply=%c.0\n";
  CHECK(rules_of(lint_everything(module_text(negation, entry + "  ROOT %end = f32[4]{0} negate(%y.3000)\n"))) == alone);
}

TEST_CASE("an array of 200 dimensions with three tiled ones") {
  std::string dimensions = "2", order = "199";
  for (int d = 1; d < 200; ++d) dimensions += ",1", order += "," + std::to_string(199 - d);
  const std::string parameter = "  ROOT %x = f32[" + dimensions + "]{" + order + ":T(4,1024,1024)} parameter(0)\n";
  CHECK(rules_of(lint_everything(module_text({}, parameter), target::tpu)) == alone + " PAD001");
}

TEST_CASE("20000 names that are nowhere") {
  std::string entry = "  %x = f32[4]{0} parameter(0)\n";
  for (int k = 0; k < 20000; ++k)
    entry += "  %" + numbered("a", k) + " = f32[4]{0} " + numbered("op", k) + "(%" + numbered("nowhere", k) + ")\n";
  const parsed_file file = parse(module_text({}, entry + "  ROOT %end = f32[4]{0} negate(%x)\n"));
  CHECK(file.status == parse_status::partial);
  CHECK(first_module(file).instruction_count() == 20002);
  CHECK(file.diagnostics.size() == 40000);  // an opcode and an operand of each
}

namespace {

/// A module with a line for each number below `count`, before the root of its entry.
template <class Line>
std::string with_lines(int count, Line&& line) {
  std::string entry = "  %x = f32[4]{0} parameter(0)\n";
  for (int k = 0; k < count; ++k) entry += line(k);
  return module_text({}, entry + "  ROOT %end = f32[4]{0} negate(%x)\n");
}

}  // namespace

TEST_CASE("20000 lines with a bracket, a string or a comment that nothing closes") {
  for (const std::string rest :
       {"(f32[4], f32[4] add(%x, %x)", "f32[4] constant({1,2", "f32[4] add(%x, %x), later={1",
        "f32[4] add(%x, %x), metadata={op_type=\"a\"", "f32[4] add(%x, %x), metadata={op_name=\"a",
        "f32[4] add(%x, %x), sharding={devices=[2,1]0,1", "f32[4] custom-call(%x), backend_config={\"a\":1",
        "f32[4] custom-call(%x), backend_config={\"a",
        "f32[4] custom-call(%x), custom_call_target='\"', backend_config={\"a",
        "f32[4] custom-call(%x), custom_call_target='\"', later={\"a",
        "f32[4] call(%x), to_apply={ %y = f32[4] parameter(0)", "f32[4] /* add(%x, %x)", "/*"}) {
    CAPTURE(rest);
    const parsed_file file =
        parse(with_lines(20000, [&](int k) { return "  %" + numbered("a", k) + " = " + rest + "\n"; }));
    CHECK(file.status == parse_status::partial);
    REQUIRE(file.modules().size() == 1);
    // What stands before and after the lines is there; an open body takes all that follows.
    const bool takes_all = rest.find("to_apply") != std::string::npos;
    CHECK(file.modules()[0].instruction_count() == (takes_all ? 1 : 2));
    CHECK((file.diagnostics.size() == 20000) == !takes_all);
  }
  std::string headers, heads = "HloModule m\n\n";
  for (int k = 0; k < 20000; ++k)
    headers += "HloModule m, later={\n", heads += "%" + numbered("c", k) + " (p: f32[4]\n";
  const parsed_file modules = parse(headers), computations = parse(heads);
  CHECK(modules.status == parse_status::partial);
  CHECK(modules.modules().size() == 20000);
  CHECK(modules.diagnostics.size() == most_listed + 1);
  CHECK(computations.status == parse_status::partial);
  CHECK(first_module(computations).computation_count() == 0);
  CHECK(computations.diagnostics.size() == 20000);
}

TEST_CASE("what a bracket runs over is not lost with it") {
  const std::string lost = "  %b = f32[4] add(%x, %x), later={1\n";
  const std::string text = module_text({}, "  %x = f32[4] parameter(0)\n" + lost + "  ROOT %end = f32[4] negate(%x)\n");
  const parsed_file file = parse(text);
  REQUIRE(file.modules().size() == 1);
  CHECK(file.modules()[0].entry().root().name() == "end");
  CHECK(file.modules()[0].instruction_count() == 2);
  CHECK(file.diagnostics.size() == 1);
}

TEST_CASE("20000 computations in one line, and as many instructions") {
  std::string text = "HloModule m " + std::string(1 << 20, ' ');
  for (int k = 0; k < 20000; ++k)
    text += "%" + numbered("c", k) + " { %a = f32[4] parameter(0) ROOT %b = f32[4] negate(%a) } ";
  CHECK(first_module(parse(text)).computation_count() == 20000);
  text = "HloModule m ENTRY %main { %x = f32[4] parameter(0) ";
  for (int k = 0; k < 20000; ++k) text += "%" + numbered("a", k) + " = f32[4] negate(%x) ";
  CHECK(first_module(parse(text + "}\n")).instruction_count() == 20001);
}

TEST_CASE("bodies in place of names that nest without end, or not quite so deep and end in a fault") {
  const auto body = [](int k) { return "  " + numbered("a", k) + " = f32[4] call(x), to_apply={\n"; };
  std::string open = "HloModule m\n\nENTRY main {\n  x = f32[4] parameter(0)\n", broken = open;
  for (int k = 0; k < 20000; ++k) open += body(k);
  const parsed_file endless = parse(open);
  CHECK(endless.status == parse_status::partial);
  CHECK(first_module(endless).instruction_count() == 1);
  REQUIRE_FALSE(endless.diagnostics.empty());
  CHECK(endless.diagnostics[0].message == "expected less nesting (the limit is 256 levels), found '{'");
  for (int k = 0; k < 250; ++k) broken += body(k);
  broken += "  wrong wrong\n";
  for (int k = 0; k < 100000; ++k) broken += "  wrong\n";
  const parsed_file faulty = parse(broken);
  CHECK(faulty.status == parse_status::partial);
  CHECK(first_module(faulty).instruction_count() == 1);
  REQUIRE(faulty.diagnostics.size() == 1);
  CHECK(faulty.diagnostics[0].where.begin().line == 255);
}

TEST_CASE("places after millions of blank lines") {
  const std::string blank(5'000'000, '\n');
  const parsed_file file =
      parse("HloModule m\n" + blank + "  \nENTRY %main {\n  ROOT %x = f32[4] negate(%y)\n}\n" + blank);
  REQUIRE(file.diagnostics.size() == 1);
  CHECK(file.diagnostics[0].where.begin().line == 5'000'004);
  const parsed_file dump = parse("BufferAssignment:\n" + blank + "\t \r\nwrong\n" + blank);
  REQUIRE(dump.diagnostics.size() == 1);
  CHECK(dump.diagnostics[0].where.begin().line == 5'000'003);
}

TEST_CASE("of more problems than anybody reads the first are listed, and the rest is counted") {
  const int count = static_cast<int>(most_listed) + 100;
  const auto last_of_many = [&](const parsed_file& file) {
    CHECK(file.status == parse_status::partial);
    REQUIRE(file.diagnostics.size() == most_listed + 1);
    return file.diagnostics.back();
  };
  diagnostic last = last_of_many(
      parse(with_lines(count, [](int k) { return "  wrong\n  %" + numbered("y", k) + " = f32[4] negate(%x)\n"; })));
  CHECK(last.level == severity::error);
  last = last_of_many(parse(with_lines(count, [](int k) {
    return "  %" + numbered("a", k) + " = f32[4]{0} negate(%" + numbered("nowhere", k) + ")\n";
  })));
  CHECK(last.message == "100 more like the 32768 before are not listed");
  CHECK(last.where.begin().line == most_listed + 5);
  std::string dump = "BufferAssignment:\n";
  for (int k = 0; k < count; ++k) dump += "allocation x\nallocation 0: size 16, thread-local:\n";
  const parsed_file buffers = parse(dump);
  CHECK(buffers.diagnostics.size() == most_listed + 1);
  CHECK(buffers.diagnostics.back().level == severity::error);
}
