#include <hlolint/analysis/buffers/assigned_buffers.hpp>
#include <hlolint/analysis/buffers/memory_need.hpp>

#include "analysis/facts_of.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <string_view>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("assigned_buffers: the plan as a dump, with flags, live ranges and names that are unique") {
  const hlo_module module = module_of(R"(HloModule m, is_scheduled=true

called {
  a = f32[64]{0} parameter(0)
  ROOT n = f32[64]{0} negate(a)
}

ENTRY e {
  p = f32[64]{0} parameter(0)
  k = f32[4]{0} constant({1, 2, 3, 4})
  a = f32[64]{0} custom-call(p, k), custom_call_target="k"
  c = f32[64]{0} call(a), to_apply=called
  b = f32[128]{0} custom-call(c), custom_call_target="k"
  ROOT r = (f32[16]{0}, f32[16]{0}) custom-call(b), custom_call_target="k"
}
)");
  const buffer_dump dump = assigned_buffers(module, assignment_rules::of(target::cpu));
  std::string out;
  for (const allocation& a : dump.allocations()) {
    out += std::to_string(a.size) + (a.parameter ? " parameter" : "") + (a.constant ? " constant" : "") +
           (a.maybe_live_out ? " result" : "") + (a.preallocated_temp ? " temporary" : "") + ":";
    for (std::size_t v = a.first_value; v < a.first_value + std::size_t{a.value_count}; ++v)
      out += " " + std::string(dump.values()[v].name.instruction) +
             (dump.values()[v].name.index ? to_string(*dump.values()[v].name.index) : "") + "@" +
             std::to_string(dump.values()[v].offset);
    out += "; ";
  }
  CHECK(out ==
        "256 parameter: p@0; 64 result: r{0}@0; 64 result: r{1}@0; 16 result: r{}@0; 16 constant: k@0; "
        "768 temporary: n@512 a.1@0 b@0; ");
  // Equal shapes are kept once: those of p and n.
  CHECK(&dump.shape(dump.values().front()) == &dump.shape(dump.values()[5]));
  REQUIRE(dump.live_ranges());
  std::string sequence, ranges;
  for (const std::string_view name : dump.live_ranges()->sequence) sequence += std::string(name) + " ";
  for (const live_range& r : dump.live_ranges()->ranges)
    ranges +=
        std::string(r.instruction) + to_string(r.index) + std::to_string(r.start) + "-" + std::to_string(r.end) + " ";
  CHECK(sequence == "p k a.1 a n c b r ");
  CHECK(ranges.find("a.1{}2-4 ") != ranges.npos);
  CHECK(ranges.find("r{1}7-8 ") != ranges.npos);
}

namespace {

const std::string big = "f32[1048576]{0}";  // 4 MiB
constexpr byte_count four = 4_MiB;

std::string made(const std::string& name, const std::string& rest) {
  return "  " + name + " = " + big + " " + rest + "\n";
}
std::string call_of(const std::string& name, const std::string& operand) {
  return made(name, "custom-call(" + operand + "), custom_call_target=\"kernel\"");
}

byte_count temporaries(const std::string& text, target on = target::gpu) {
  return memory_need(estimated_buffers(module_of(text), on)).temporaries;
}

const std::string p = made("p", "parameter(0)");

}  // namespace

TEST_CASE("a temporary value takes the place of a result until that is made") {
  CHECK(temporaries(entry_text(p + call_of("a", "p") + call_of("b", "a") + "  ROOT" + call_of("r", "b").substr(1))) ==
        four);
  // a lies in the place of the result, b, which is needed when the result is made, does not
  const buffer_dump dump = estimated_buffers(
      module_of(entry_text(p + call_of("a", "p") + call_of("b", "a") + "  ROOT" + call_of("r", "b").substr(1))),
      target::gpu);
  for (const allocation& a : dump.allocations())
    if (a.maybe_live_out) CHECK(a.value_count == 2);
}

TEST_CASE("a smaller value takes the place of a result too") {
  const std::string small = "  s = f32[1024]{0} custom-call(p), custom_call_target=\"kernel\"\n";
  CHECK(temporaries(entry_text(p + small + call_of("b", "s") + "  ROOT" + call_of("r", "b").substr(1))) == four);
}

TEST_CASE("values that a call updates in place hand their bytes on to the result") {
  const std::string updated =
      made("u", "custom-call(a), custom_call_target=\"update\", output_to_operand_aliasing={{}: (0, {})}");
  // a and u are one buffer, which the elementwise root may write over
  CHECK(temporaries(entry_text(p + call_of("a", "p") + updated + "  ROOT" + made("r", "negate(u)").substr(1)),
                    target::unknown) == 0);
}

TEST_CASE("computations that the text implies have values of their own") {
  const auto exchange = [](const std::string& name, const std::string& operand) {
    return "  " + name + "s = ((" + big + "), " + big + ") all-to-all-start(" + operand +
           "), replica_groups={{0,1}}, dimensions={0}\n" + made(name, "all-to-all-done(" + name + "s)");
  };
  const std::string text = entry_text(p + call_of("a", "p") + exchange("x", "a") + call_of("b", "x") +
                                          exchange("y", "b") + "  ROOT" + call_of("r", "y").substr(1),
                                      "", ", replica_count=2");
  // a and b in the place of the result, x and y one after the other, and tables of pointers in no result's place
  CHECK(temporaries(text) < 2 * four);
  const buffer_dump dump = estimated_buffers(module_of(text), target::gpu);
  for (const assigned_value& v : dump.values())
    if (dump.allocation_of(v).maybe_live_out) CHECK_FALSE(dump.shape(v).is_tuple());
}

TEST_CASE("bytes are handed on to the instruction that reads them, not past a bitcast") {
  const auto text = [&](const std::string& negated) {
    return entry_text(made("q", "parameter(0)") + "  c = f32[] constant(0)\n" + call_of("a", "q") + negated +
                      "  e = f32[] custom-call(n), custom_call_target=\"reduce\"\n  ROOT t = (" + big +
                      ", f32[]) tuple(q, e)\n");
  };
  CHECK(temporaries(text(made("n", "negate(a)"))) == four);
  CHECK(temporaries(text(made("b", "bitcast(a)") + made("n", "negate(b)"))) == 2 * four);
}

TEST_CASE("a chain of equal values needs two places") {
  std::string chain = p + call_of("v0", "p");
  for (int k = 1; k < 6; ++k) {
    // bitcasts take positions, but no places: XLA's heap does not count them
    if (k % 2) chain += made("w" + std::to_string(k), "bitcast(v" + std::to_string(k - 1) + ")");
    chain += call_of("v" + std::to_string(k), (k % 2 ? "w" + std::to_string(k) : "v" + std::to_string(k - 1)));
  }
  chain +=
      "  l = f32[] custom-call(v5), custom_call_target=\"reduce\"\n  m = f32[] custom-call(l), "
      "custom_call_target=\"wait\"\n  ROOT r = f32[] custom-call(v5, m), custom_call_target=\"reduce\"\n";
  CHECK(temporaries(entry_text(chain)) < 2 * four + 4096);
}
