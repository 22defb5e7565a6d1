// Texts that are no legal edits of others; each is refused by one of the checks.
#include "tool/advise/fixtures.hpp"

#include <hlolint/tool/advise/edit_proof.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

// Exchanges two neighboring lines.
std::string swapped(std::string text, std::string_view first, std::string_view second) {
  const auto begin_of = [&](std::string_view word) { return text.rfind('\n', text.find(word)) + 1; };
  const std::size_t a = begin_of(first), b = begin_of(second), end = text.find('\n', b) + 1;
  return text.substr(0, a) + text.substr(b, end - b) + text.substr(a, b - a) + text.substr(end);
}
std::string fault(const std::string& before, const std::string& after) {
  return advise::edit_proof(module_of(before), on_gpu().rules).fault_of(module_of(after));
}

const std::string in_place = R"(HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }

ENTRY %main (p: f32[8], u: f32[1], i: s32[]) -> (f32[8], f32[8]) {
  %p = f32[8]{0} parameter(0)
  %u = f32[1]{0} parameter(1)
  %i = s32[] parameter(2)
  %reader = f32[8]{0} negate(%p)
  %dus = f32[8]{0} dynamic-update-slice(%p, %u, %i)
  ROOT %r = (f32[8]{0}, f32[8]{0}) tuple(%dus, %reader)
}
)";

}  // namespace

TEST_CASE("another order of independent instructions passes") {
  const std::string before = early_value_text();
  CHECK(fault(before, before).empty());
  CHECK(fault(before, swapped(before, "%big =", "%wide =")).empty());
}

TEST_CASE("an instruction that is changed, missing or new does not pass") {
  const std::string before = early_value_text();
  std::string changed = before;
  changed.replace(changed.find("slice={[0:1024]}"), 16, "slice={[1:1025]}");
  CHECK(fault(before, changed).find("is another one") != std::string::npos);
  std::string added = before;
  added.insert(added.find("  %small"), "  %extra = f32[1024]{0} negate(%p)\n");
  CHECK(fault(before, added).find("is new") != std::string::npos);
  CHECK(fault(added, before).find("lacks an instruction") != std::string::npos);
  std::string rewired = before;
  rewired.replace(rewired.find("slice(%big)"), 11, "slice(%wide)");
  CHECK_FALSE(fault(before, rewired).empty());
}

TEST_CASE("the computations of asynchronous operations are compared where they are called") {
  const std::string before = R"(HloModule m, is_scheduled=true

ENTRY %main (p: f32[8], q: f32[16]) -> (f32[8], f32[16]) {
  %p = f32[8]{0} parameter(0)
  %q = f32[16]{0} parameter(1)
  %s = ((f32[8]{0}), f32[8]{0}) all-to-all-start(%p), replica_groups={{0,1}}, dimensions={0}
  %d = f32[8]{0} all-to-all-done(%s)
  %t = ((f32[16]{0}), f32[16]{0}) all-to-all-start(%q), replica_groups={{0,1}}, dimensions={0}
  %e = f32[16]{0} all-to-all-done(%t)
  ROOT %r = (f32[8]{0}, f32[16]{0}) tuple(%d, %e)
}
)";
  CHECK(fault(before, before).empty());
  std::string other = before;
  other.replace(other.rfind("{{0,1}}"), 7, "{{1,0}}");
  CHECK(fault(before, other).find("is another one") != std::string::npos);
}

TEST_CASE("a clone passes if it is the same instruction") {
  const std::string before = early_value_text();
  std::string cloned = before;
  cloned.insert(cloned.find("  %part"), "  %big.remat = f32[65536]{0} pad(%p, %zero), padding=0_64512\n");
  cloned.replace(cloned.find("slice(%big)"), 11, "slice(%big.remat)");
  CHECK(fault(before, cloned).empty());
  std::string other = cloned;
  other.replace(other.rfind("padding=0_64512"), 15, "padding=64512_0");
  CHECK_FALSE(fault(before, other).empty());
}

TEST_CASE("a clone that shares a fused computation does not pass, since XLA's verifier refuses it") {
  const std::string fused = R"(HloModule m, is_scheduled=true

%make (a: f32[]) -> f32[64] {
  %a = f32[] parameter(0)
  ROOT %wide = f32[64]{0} broadcast(%a), dimensions={}
}

ENTRY %main (p: f32[]) -> (f32[64], f32[64]) {
  %p = f32[] parameter(0)
  %cheap = f32[64]{0} fusion(%p), kind=kLoop, calls=%make
  %once = f32[64]{0} negate(%cheap)
  ROOT %both = (f32[64]{0}, f32[64]{0}) tuple(%cheap, %once)
}
)";
  std::string shared = fused;
  shared.insert(shared.find("  %once"), "  %cheap.remat = f32[64]{0} fusion(%p), kind=kLoop, calls=%make\n");
  shared.replace(shared.find("negate(%cheap)"), 14, "negate(%cheap.remat)");
  CHECK(fault(fused, shared) == "computation make is fused into two instructions");
}

TEST_CASE("a reader behind the writer of its buffer does not pass, although XLA takes it") {
  const std::string after = swapped(in_place, "%reader =", "%dus =");
  CHECK(fault(in_place, after) == "p is read after dus has overwritten it");
}

TEST_CASE("effects in another order do not pass") {
  const std::string before = R"(HloModule m, is_scheduled=true

ENTRY %main (p: f32[8]) -> (f32[8], f32[8]) {
  %p = f32[8]{0} parameter(0)
  %a = f32[8]{0} custom-call(%p), custom_call_target="first"
  %b = f32[8]{0} custom-call(%p), custom_call_target="second"
  ROOT %r = (f32[8]{0}, f32[8]{0}) tuple(%a, %b)
}
)";
  CHECK(fault(before, swapped(before, "%a =", "%b =")) == "effects change their order");
}
