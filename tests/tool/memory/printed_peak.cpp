// The peak as XLA prints it: unpadded, tuples by their whole table (buffer_dumps.md 4, "Peak").
#include "analysis/facts_of.hpp"

#include <hlolint/tool/memory/printed_peak.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

std::string list(const facts_of& facts, peak_form form = peak_form::cumulative_value) {
  const printed_peak peak(facts.ranges, form);
  std::string out = peak.position() ? std::to_string(*peak.position()) : "unknown";
  for (const peak_entry& e : peak.entries())
    out += " " + facts.names.text_of(facts.flow().values()[e.value]) + ":" + std::to_string(e.bytes) + "/" +
           std::to_string(e.cumulative);
  return out;
}

}  // namespace

TEST_CASE("where the sum is highest first") {
  // a lives from 1 to 2, b from 2 to 3. What has ended just before still counts in the search, but not in the list.
  CHECK(list(facts_of(entry_text("  p = f32[] parameter(0)\n  a = f32[100]{0} broadcast(p), dimensions={}\n"
                                 "  b = f32[100]{0} negate(a)\n"
                                 "  ROOT r = f32[] custom-call(b), custom_call_target=\"x\"\n"))) ==
        "3 b:400/400 p:4/404 r:4/408");
  CHECK(list(facts_of(entry_text("  p = f32[] parameter(0)\n  a = f32[100]{0} broadcast(p), dimensions={}\n"
                                 "  b = f32[100]{0} broadcast(p), dimensions={}\n  ROOT r = f32[] negate(p)\n"))) ==
        "2 b:400/400 p:4/404");
}

TEST_CASE("every part of a tuple counts its table in the search") {
  // At 1 c counts three times 16 bytes; the list shows it in form A only.
  const facts_of facts(
      entry_text("  p = f32[]{:T(128)} parameter(0)\n"
                 "  ROOT c = (f32[8]{0:T(128)}, f32[8]{0}) custom-call(p), custom_call_target=\"x\"\n"));
  CHECK(list(facts) == "1 c{0}:32/32 c{1}:32/64 c{}:16/80 p:4/84");
  CHECK(list(facts, peak_form::value) == "1 p:4/4 c{}:16/20 c{0}:32/52 c{1}:32/84");
  CHECK(list(facts, peak_form::instruction) == "1 p:4/4 c{}:16/20 c{0}:16/36 c{1}:16/52");
}

TEST_CASE("the table, not the element, decides where the peak is") {
  // At 1 three values of 16 bytes each, though one of them holds 400; at 3 one of 80.
  CHECK(list(facts_of(entry_text("  p = f32[] parameter(0)\n"
                                 "  c = (f32[100]{0}, f32[]) custom-call(p), custom_call_target=\"x\"\n"
                                 "  z = f32[] abs(p)\n  b = f32[20]{0} broadcast(p), dimensions={}\n"
                                 "  ROOT n = f32[] negate(p)\n"))) == "3 b:80/80 p:4/84");
}

TEST_CASE("no peak where sizes are not known") {
  CHECK(list(facts_of(entry_text("  p = f32[?]{0} parameter(0)\n  ROOT n = f32[?]{0} negate(p)\n"))) == "unknown");
}
