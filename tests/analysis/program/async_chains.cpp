#include <hlolint/analysis/program/async_chains.hpp>

#include <hlolint/analysis/program/module_tables.hpp>

#include "analysis/facts_of.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

constexpr const char* chains_text = R"(HloModule m

%two (a: f32[8], b: f32[4]) -> f32[8] {
  %a = f32[8]{0} parameter(0)
  %b = f32[4]{0} parameter(1)
  ROOT %n = f32[8]{0} negate(%a)
}

ENTRY %e {
  %p = f32[8]{0} parameter(0)
  %q = f32[4]{0} parameter(1)
  %s = ((f32[8]{0}), f32[8]{0}, u32[]) async-start(%p), calls=%two
  %u = ((f32[8]{0}, f32[4]{0}), f32[8]{0}, u32[]) async-update(%s, %q)
  %d = f32[8]{0} async-done(%u)
  %whole = ((f32[8]{0}, f32[4]{0}), f32[8]{0}, u32[]) async-start(%d, %q), calls=%two
  ROOT %r = f32[8]{0} async-done(%whole)
}
)";

}  // namespace

TEST_CASE("async_chains: the ops of a chain, what each of them binds, and where the computation runs") {
  const hlo_module module = module_of(chains_text);
  const module_tables tables(module);
  const async_chains& chains = tables.chains;
  const auto of = [&](const char* name) { return instruction_of(module, name); };
  CHECK(chains.next(of("s")) == of("u"));
  CHECK(chains.next(of("u")) == of("d"));
  CHECK_FALSE(chains.next(of("d")));
  CHECK(chains.last(of("s")) == of("d"));
  CHECK(chains.last(of("d")) == of("d"));
  for (const char* const name : {"s", "u", "d"}) CHECK(chains.start_of(of(name)) == of("s"));
  CHECK_FALSE(chains.start_of(of("p")));
  CHECK(chains.runs_at(of("s")) == of("u"));  // the start binds one operand of two
  CHECK(chains.runs_at(of("whole")) == of("whole"));
  CHECK(chains.bound_before(of("s")) == 0);
  CHECK(chains.bound_before(of("u")) == 1);
  CHECK(chains.bound_before(of("d")) == 2);
  CHECK(chains.bound_operand(of("s"), 0) == of("p"));
  CHECK(chains.bound_operand(of("s"), 1) == of("q"));
  CHECK_FALSE(chains.bound_operand(of("s"), 2));
}

TEST_CASE("async_chains: operands are counted up to an op, and up to a number") {
  const hlo_module module = module_of(chains_text);
  const module_tables tables(module);
  const hlo_instruction start = instruction_of(module, "s");
  const auto bound = [&](const char* upto, std::size_t most) {
    std::string out;
    tables.chains.for_each_bound(
        start, instruction_of(module, upto), most,
        [&](std::size_t k, hlo_instruction operand) { out += std::to_string(k) + std::string(operand.name()) + " "; });
    return out;
  };
  CHECK(bound("s", 9) == "0p ");
  CHECK(bound("u", 9) == "0p 1q ");
  CHECK(bound("d", 9) == "0p 1q ");
  CHECK(bound("d", 1) == "0p ");
}

TEST_CASE("async_chains: tuples and copies pass a chain on, loops do not") {
  const hlo_module module = module_of(
      "HloModule m\n\n%w {\n  ROOT %wp = f32[8]{0} parameter(0)\n}\n\n%body {\n"
      "  %bp = ((f32[8]{0}), f32[8]{0}, u32[]) parameter(0)\n  %bd = f32[8]{0} async-done(%bp)\n"
      "  ROOT %bs = ((f32[8]{0}), f32[8]{0}, u32[]) async-start(%bd), calls=%w\n}\n\n"
      "ENTRY %e {\n  %p = f32[8]{0} parameter(0)\n  %s = ((f32[8]{0}), f32[8]{0}, u32[]) async-start(%p), calls=%w\n"
      "  %t = (f32[8]{0}, ((f32[8]{0}), f32[8]{0}, u32[])) tuple(%p, %s)\n"
      "  %g = ((f32[8]{0}), f32[8]{0}, u32[]) get-tuple-element(%t), index=1\n"
      "  %other = f32[8]{0} get-tuple-element(%t), index=0\n"
      "  %c = ((f32[8]{0}), f32[8]{0}, u32[]) copy(%g)\n  ROOT %d = f32[8]{0} async-done(%c)\n}\n");
  const module_tables tables(module);
  for (const char* const name : {"g", "c", "d"})
    CHECK(tables.chains.start_of(instruction_of(module, name)) == instruction_of(module, "s"));
  for (const char* const name : {"other", "t", "bd"}) CHECK_FALSE(tables.chains.start_of(instruction_of(module, name)));
}

TEST_CASE("an operand list as long as programs have them, of one asynchronous call") {
  std::string parameters, operands, shapes, body;
  constexpr int count = 20'000;
  for (int k = 0; k < count; ++k) {
    const std::string n = std::to_string(k);
    parameters += "  p" + n + " = s32[] parameter(" + n + ")\n";
    body += "  wp" + n + " = s32[] parameter(" + n + ")\n";
    operands += (k ? ", p" : "p") + n;
    shapes += k ? ", s32[]" : "s32[]";
  }
  const facts_of facts(entry_text(parameters + "  s = ((" + shapes + "), s32[], s32[]) async-start(" + operands +
                                      "), calls=w\n  ROOT d = s32[] async-done(s)\n",
                                  "\nw {\n" + body + "  ROOT wr = s32[] negate(wp7)\n}\n"));
  CHECK(facts.positions("p7") == "p7 wp7 s{0,7}");
  CHECK(facts.uses("p7") == "s.7 wr.0 d.0{0,7}");
}
