#include <hlolint/match.hpp>
#include <hlolint/tool/query/compiled_query.hpp>

#include <analysis/module_of.hpp>
#include <match/fixtures.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace hlolint;
namespace m = hlolint::match;
using testing::module_of;
using testing::step_text;

namespace {

using query_of_module = m::compiled_query<module_facts>;

// Names of what matches, or `COLUMN: what is wrong`.
std::string names(std::string_view text, std::string_view module = step_text) {
  const query_of_module q(text, m::module_properties<module_facts>());
  if (q.error()) return std::to_string(q.error()->at + 1) + ": " + q.error()->message;
  const module_facts facts(module_of(module));
  std::string out;
  for (const m::found& one : m::matches(q.pattern(), facts))
    out += (out.empty() ? "" : " ") + std::string(one.instruction().name());
  return out;
}

}  // namespace

TEST_CASE("what XLA prints is a query") {
  CHECK(names("all-reduce") == "reduced");
  CHECK(names("all-reduce(add(...))") == "reduced");
  CHECK(names("f32[8,64]{0,1}") == "copy twice reduced");
  CHECK(names("f32[8,...] parameter") == "a p0");
  CHECK(names("_[_,64]{0,1}") == "copy twice reduced");
  CHECK(names("(s32[], ...) tuple") == "carry init");
  CHECK(names("all-gather(...), dimensions={0}, replica_groups={{0, 1}}") == "gather");
  CHECK(names("all-gather(...), dimensions={1}") == "");
  CHECK(names("parameter(1)") == "b y p1");
  CHECK(names("constant(4)") == "limit");
  CHECK(names("%p*") == "p0 p1");
  CHECK(names("add(%copy, _)") == "twice");
  CHECK(names("all-*") == "gather reduced");
}

TEST_CASE("a printed line finds its like") {
  CHECK(names("%x = f32[8,64]{0,1} add(f32[8,64]{0,1} %y, f32[8,64]{0,1} %z), metadata={op_name=\"a b\"}") == "twice");
  CHECK(names("ROOT add.5 = f32[] add(x.1, y.1)") == "add.9");
  CHECK(names("%ag = f32[64,64]{1,0} all-gather(%q), channel_id=7, replica_groups={{0,1}}, dimensions={0}") ==
        "gather");
  CHECK(names("%ag = f32[64,64]{1,0} all-gather(%q), channel_id=7, replica_groups={{0,1},{2,3}}, dimensions={0}") ==
        "");
}

TEST_CASE("captures, negation, alternatives") {
  CHECK(names("add($x, $x)") == "twice");
  CHECK(names("all-reduce($x: f32[...]) where users($x) = 1") == "reduced");
  CHECK(names("copy | bitcast") == "copy out");
  CHECK(names("add(!copy, _)") == "add.9 next");
  CHECK(names("maybe(bitcast|copy) all-reduce") == "reduced out");
  CHECK(names("bitcast(!maybe(bitcast) all-reduce)") == "");
  CHECK(names("add(!maybe(copy|bitcast) parameter|constant, _)") == "next twice");
  CHECK(names("collective") == "gather reduced");
}

TEST_CASE("the name of a collective matches its starts, async computations around it, and calls in these") {
  constexpr std::string_view forms = R"(HloModule forms, is_scheduled=true
%sum (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %add = f32[] add(%x, %y)
}
%wrapped (q: f32[64]) -> f32[64] {
  %q = f32[64]{0} parameter(0)
  ROOT %inside = f32[64]{0} all-to-all(%q), channel_id=3, replica_groups={{0,1}}, dimensions={0}
}
%offloaded (o: f32[32]) -> f32[64] {
  %o = f32[32]{0} parameter(0)
  ROOT %deep = f32[64]{0} all-gather(%o), channel_id=4, replica_groups={{0,1}}, dimensions={0}
}
%sparse (s: f32[32]) -> f32[64] {
  %s = f32[32]{0} parameter(0)
  ROOT %called = f32[64]{0} call(%s), to_apply=%offloaded
}
ENTRY %main (p: f32[64], r: f32[32]) -> f32[64] {
  %p = f32[64]{0} parameter(0)
  %r = f32[32]{0} parameter(1)
  %started = f32[64]{0} all-reduce-start(%p), channel_id=1, replica_groups={{0,1}}, to_apply=%sum
  %reduced = f32[64]{0} all-reduce-done(%started)
  %gathering = (f32[32]{0}, f32[64]{0}) all-gather-start(%r), channel_id=2, replica_groups={{0,1}}, dimensions={0}
  %gathered = f32[64]{0} all-gather-done(%gathering)
  %exchange = ((f32[64]{0}), f32[64]{0}, u32[]) async-start(%reduced), calls=%wrapped
  %exchanged = f32[64]{0} async-done(%exchange)
  %core = ((f32[32]{0}), f32[64]{0}, u32[]) async-start(%r), async_execution_thread="sparsecore", calls=%sparse
  %cored = f32[64]{0} async-done(%core)
  %both = f32[64]{0} add(%exchanged, %cored)
  ROOT %all = f32[64]{0} add(%both, %gathered)
}
)";
  CHECK(names("all-reduce", forms) == "started");
  CHECK(names("all-reduce($x: f32[...]) where bytes($x) >= 256", forms) == "started");
  CHECK(names("all-reduce-start", forms) == "started");
  CHECK(names("all-gather", forms) == "gathering core");
  CHECK(names("f32[64] all-gather(f32[32]), dimensions={0}", forms) == "gathering core");
  CHECK(names("f32[32] all-gather", forms) == "");
  CHECK(names("all-to-all", forms) == "exchange");
  CHECK(names("all-to-all, channel_id=3", forms) == "exchange");
  CHECK(names("all-to-all, channel_id=4", forms) == "");
  CHECK(names("all-* where opcode = all-to-all", forms) == "inside");
  CHECK(names("collective", forms) == "started gathering exchange core");
  CHECK(names("collective where group size = 2 and bytes = 256", forms) == "started gathering exchange core");
  CHECK(names("add where depends on within 3 (all-gather)", forms) == "both all");
  CHECK(names("%x = f32[64]{0} all-reduce(%p), replica_groups={{0,1}}, to_apply=%sum", forms) == "");
}

TEST_CASE("what can match nothing in any dump is a mistake") {
  CHECK(names("dot($x)") == "1: a pattern with 1 operand matches no dot, which has 2: `...` stands for the others");
  CHECK(names("dot($x, ...)") == "dot.1");
  CHECK(names("dot(_, _, _)") == "1: a pattern with 3 operands matches no dot, which has 2");
  CHECK(names("copy(add(_))") ==
        "6: a pattern with 1 operand matches no add, which has 2: `...` stands for the others");
  CHECK(names("dot where group size > 2") == "11: only transfers have 'group size', so this matches no dot");
  CHECK(names("all-reduce-done where transfer bytes > 2 and in loop") ==
        "23: only transfers have 'transfer bytes', so this matches no all-reduce-done (all-reduce-start has it)");
  CHECK(names("dot where not group size > 2") == "dot.1");
  CHECK(names("dot where in fusion or group size > 2") == "dot.1");
  CHECK(names("all-gather(...), dimension={0}") == "18: there is no attribute 'dimension' (did you mean dimensions?)");
  CHECK(names("all-gather(...), of_next_year={0}") == "");
}

TEST_CASE("conditions") {
  CHECK(names("collective where bytes >= 16KiB and in loop") == "gather");
  CHECK(names("collective where not in loop") == "reduced");
  CHECK(names("any where op_name = \"*mlp*\"") == "gather");
  CHECK(names("any where source = mlp.py:*") == "gather");
  CHECK(names("add where element_type != s32 and not in_fusion") == "twice");
  CHECK(names("add where (users = 1 or root) and in loop") == "next");
  CHECK(names("fusion where holds (dot)") == "fusion");
  CHECK(names("dot where depends on (collective)") == "dot.1");
  CHECK(names("bitcast where depends on within 2 (copy)") == "");
  CHECK(names("bitcast where depends on within 3 (copy)") == "out");
  CHECK(names("all-reduce($x) where $x has operand (copy)") == "reduced");
  CHECK(names("copy where has user (add)") == "copy");
  CHECK(names("add where has operand ($c: copy) and bytes = bytes($c)") == "twice");
  CHECK(names("add($x, $y) where bytes($x) = bytes($y) and name($x) = copy") == "twice");
  CHECK(names("any where padding > 100%") == "");
  CHECK(names("any where wasted bytes > 0") == "");
  CHECK(names("any where operation = dot and sequential") == "fusion");
  CHECK(names("any where reorders") == "copy");
  CHECK(names("while where counted") == "while");
  CHECK(names("collective where partitions = 1 and elements >= 4096") == "gather");
  CHECK(names("any where s32 elements = 1 and takes time") == "next");
  CHECK(names("while where f32 elements = 2048") == "while");  // the biggest of its tuple
  CHECK(names("any where f64 elements > 0") == "");
}

TEST_CASE("what enters computations, and what loops carry") {
  CHECK(names("all-gather where enters (parameter(1))") == "gather");
  CHECK(names("any where enters ($p: f32[...]) and $p has user (dot)") == "h gather");
  CHECK(names("%init where enters ($p: parameter) and root($p)") == "");
  CHECK(names("any where enters (%state*)") == "init");
  CHECK(names("any where carried element = 2") == "w");
  CHECK(names("any where result element >= 0") == "w fusion next carry less");
  CHECK(names("collective where repeats >= 50%") == "gather");  // the weights are the same in all four iterations
  CHECK(names("fusion where repeats > 0") == "");
}

TEST_CASE("what transfers move") {
  CHECK(names("any where transfer bytes >= 2KiB") == "gather reduced");
  CHECK(names("collective where moves nothing") == "");
  CHECK(names("collective where wasted transfer > 0") == "");
}

TEST_CASE("mistakes name their place and what is near") {
  CHECK(names("all-redu") == "1: there is no opcode 'all-redu' (did you mean all-reduce?)");
  CHECK(names("copy where byts > 3") == "12: there is no property 'byts' (did you mean bytes?)");
  CHECK(names("copy where result > 3")
            .starts_with("12: there is no property 'result'; about that are: bytes, padded bytes, users, "));
  CHECK(names("copy where bytes > 3ms") == "20: bytes is compared with bytes such as 16MiB");
  CHECK(names("copy where bytes") == "12: bytes is a number: compare it with one");
  CHECK(names("copy where in loop = 1") == "12: in loop holds or not: it is not compared");
  CHECK(names("copy where op_name > 3") == "12: op_name is a text: only = and != compare it");
  CHECK(names("copy where users($y) = 1") == "19: nothing is captured as $y");
  CHECK(names("add($xs, _) where users($x) = 1") == "26: nothing is captured as $x (did you mean xs?)");
  CHECK(names("all-reduce(") == "12: expected an operand, '...', ',' or ')'");
  CHECK(names("copy where") == "11: expected a condition");
  CHECK(names("copy copy") == "6: expected 'where', ',', '|' or the end of the query");
  CHECK(names("") == "1: expected a pattern such as all-reduce(...)");
}

TEST_CASE("hostile queries end") {
  CHECK(names(std::string(100'000, '(')) == "1: a query has at most 64 KiB");
  CHECK(names(std::string(60'000, '(')).find("less nesting") != std::string::npos);
  std::string deep;
  for (int k = 0; k < 5'000; ++k) deep += "add(";
  CHECK(names(deep).find("less nesting") != std::string::npos);
  for (const std::string level : {"maybe(!", "maybe(!maybe(_) _|", "add(a, (_) _|!"}) {
    std::string nest;
    for (int k = 0; k < 60; ++k) nest += level;  // each is read once
    CHECK(names(nest).find("expected a") != std::string::npos);
  }
  std::string captures = "add(...";
  for (int k = 0; k < 10'000; ++k) captures += ",$x";
  CHECK(names(captures + ")") == "1: a query has at most 2000 parts");
  std::string conditions = "any where root";
  for (int k = 0; k < 7'000; ++k) conditions += " and root";  // one call deeper for each
  CHECK(names(conditions) == "1: a query has at most 2000 parts");
  CHECK(names(conditions.substr(0, 14 + 9 * 1'997)).find("carry") != std::string::npos);
  std::string choices = "tuple(...";
  for (int k = 0; k < 40; ++k) choices += ",(f32[...])|_,...";
  const query_of_module q(choices + ",dot)", m::module_properties<module_facts>());
  REQUIRE_FALSE(q.error());
  std::string wide = "HloModule m\nENTRY %e {\n  %p = f32[2]{0} parameter(0)\n  ROOT %t = (";
  for (int k = 0; k < 200; ++k) wide += k ? ", f32[2]{0}" : "f32[2]{0}";
  wide += ") tuple(";
  for (int k = 0; k < 200; ++k) wide += k ? ", %p" : "%p";
  const module_facts facts(module_of(wide + ")\n}\n"));
  m::match_state<module_facts> state(facts);
  std::size_t found = 0;
  m::for_each_match(q.pattern(), state, [&](hlo_instruction, const auto&) { return ++found, true; });
  CHECK(found == 0);
  CHECK(state.exhausted());
}

TEST_CASE("what stands for the rest of dimensions takes as few as it can") {
  std::string sizes = "2", rests = "...";
  for (int k = 0; k < 60; ++k) sizes += k % 10 == 9 ? ",5" : ",2";
  for (int k = 0; k < 20; ++k) rests += ",2,2,...";
  const std::string shape = "f32[" + sizes + "]";
  const module_facts facts(module_of("HloModule m\nENTRY %e {\n  ROOT %p = " + shape + " parameter(0)\n}\n"));
  const auto fits = [&](const std::string& query) {
    const query_of_module q(query, m::module_properties<module_facts>());
    REQUIRE_FALSE(q.error());
    return !m::matches(q.pattern(), facts).empty();
  };
  CHECK(fits("_[" + rests + "]"));
  CHECK(fits("_[" + rests + ",5]"));
  CHECK_FALSE(fits("_[" + rests + ",3]"));  // there are 10^14 ways to divide them
  CHECK(fits("_[2,...,5,2,...,_,...,...]"));
  CHECK_FALSE(fits("_[...,5,5,...]"));
}

TEST_CASE("paths count as steps") {
  std::string paths = "any where depends on (any)";
  for (int k = 0; k < 900; ++k) paths += " or reaches (dot)";
  const query_of_module q(paths, m::module_properties<module_facts>());
  REQUIRE_FALSE(q.error());
  std::string chain = "HloModule m\nENTRY %e {\n  %i.0 = f32[2]{0} parameter(0)\n";
  for (int k = 1; k < 1'000; ++k)
    chain += "  %i." + std::to_string(k) + " = f32[2]{0} negate(%i." + std::to_string(k - 1) + ")\n";
  const module_facts facts(module_of(chain + "}\n"));
  m::match_state<module_facts> state(facts);
  m::for_each_match(q.pattern(), state, [](hlo_instruction, const auto&) { return true; });
  CHECK(state.exhausted());
}

TEST_CASE("an instruction that does not match names the step") {
  const query_of_module q("all-reduce($x: f32[...]) where bytes($x) >= 1MiB and not in loop",
                          m::module_properties<module_facts>());
  const hlo_module module = module_of(step_text);
  const module_facts facts(module);
  const auto why = [&](const char* name) {
    m::match_state<module_facts> state(facts);
    state.explain();
    state.start();
    const bool matched = q.pattern().match(testing::instruction_of(module, name), state, [] { return true; });
    return matched ? std::string("matches") : std::string(state.furthest().step);
  };
  CHECK(why("reduced") == "bytes($x) >= 1MiB");
  CHECK(why("copy") == "all-reduce");
}
