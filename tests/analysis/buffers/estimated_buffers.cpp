// Where values would lie, from the HLO alone.
#include "analysis/facts_of.hpp"

#include <hlolint/analysis/buffers/estimated_buffers.hpp>
#include <hlolint/analysis/buffers/resident_memory.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace hlolint;
using namespace hlolint::testing;

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
