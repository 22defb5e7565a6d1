#include <hlolint/checks/aliasing/donation_defeated.hpp>
#include <hlolint/lint/memory_estimate.hpp>

#include "checks/paired_fixtures.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

constexpr byte_count size = 32_MiB;
// Positions: p 0, c 1, n 2, s 3, t 4.
std::string module_text(const std::string& header, const std::string& second = "copy(%p)",
                        const std::string& third = "negate(%p)") {
  const std::string big = "f32[8192,1024]{1,0}";
  return "HloModule m, is_scheduled=true" + header + "\n\nENTRY %main {\n  %p = " + big +
         " parameter(0)\n  %c = " + big + " " + second + "\n  %n = " + big + " " + third +
         "\n  %s = f32[] custom-call(%c), custom_call_target=\"f\"\n  ROOT %t = (" + big +
         ", f32[]) tuple(%n, %s)\n}\n";
}
const std::string donated = ", input_output_alias={ {0}: (0, {}, may-alias) }";
const std::vector<allocation_rows> buffers{{", parameter 0, shape |f32[8192,1024]| at ShapeIndex {}, maybe-live-out",
                                            {{"p", 0, size, 0, 2, {1, 2}}, {"n", 0, size, 2, 5, {}}}},
                                           {", preallocated-temp", {{"c", 0, size, 1, 3, {3}}}}};

}  // namespace

TEST_CASE("ALI006 catches") {
  CHECK(
      paired_outcome(donation_defeated{}, module_text(donated), buffers) ==
      texts{
          "warning: c: parameter 0 at index {} is donated to output {0}, but copied into temporary memory (32.00MiB); "
          "at most 32.00MiB can be saved"});
  CHECK(paired_outcome(donation_defeated{}, module_text(donated, "sine(%p)", "copy(%c)"), buffers) ==
        texts{"warning: n: output {0} is aliased to parameter 0 at index {}, but made in temporary memory and copied "
              "over (32.00MiB); at most 32.00MiB can be saved"});
  const hlo_module module = module_of(module_text(donated));
  const findings found = lint(donation_defeated{}, context(module, paired_dump(module, buffers)));
  REQUIRE(found.size() == 1);
  CHECK(found[0].bytes == size);
  REQUIRE(found[0].related.size() == 1);
  CHECK(found[0].related[0].instruction == "s");
  CHECK(found[0].advice.find("XLA copies when the old value is still read") == 0);
  // Who makes the result is the only reader of the old value.
  const hlo_module made = module_of(module_text(donated, "sine(%p)", "copy(%c)"));
  const findings by_maker = lint(donation_defeated{}, context(made, paired_dump(made, buffers)));
  REQUIRE(by_maker.size() == 1);
  CHECK(by_maker[0].advice.find("Nothing but what makes the result reads the old value") == 0);
  // The copy is there for its layout.
  std::string turned = module_text(donated);
  turned.replace(turned.find("%c = f32[8192,1024]{1,0}"), 24, "%c = f32[8192,1024]{0,1}");
  const hlo_module other = module_of(turned);
  const findings of_layout = lint(donation_defeated{}, context(other, paired_dump(other, buffers)));
  REQUIRE(of_layout.size() == 1);
  CHECK(of_layout[0].advice.find("The program works on another order in memory") == 0);
}

TEST_CASE("ALI006 sees a donated array that is shifted: nearly all of it is sliced away and put back") {
  const auto outcome_of = [](const std::string& rows, const std::string& reader) {
    const std::string part = "f32[" + rows + ",1024]{1,0}",
                      rest = "f32[" + std::to_string(8192 - std::stoi(rows)) + ",1024]{1,0}";
    const std::string text = "HloModule m, is_scheduled=true" + donated +
                             "\n\nENTRY %main {\n"
                             "  %p = f32[8192,1024]{1,0} parameter(0)\n  %q = " +
                             rest + " parameter(1)\n  %c = " + part + " slice(%p), slice={[" +
                             std::to_string(8192 - std::stoi(rows)) + ":8192], [0:1024]}\n" +
                             "  %n = f32[8192,1024]{1,0} " + reader +
                             "\n  %s = f32[] custom-call(%q), "
                             "custom_call_target=\"f\"\n  ROOT %t = (f32[8192,1024]{1,0}, f32[]) tuple(%n, %s)\n}\n";
    const byte_count part_size = std::stoi(rows) * 4096LL;
    const std::vector<allocation_rows> placed{
        {", parameter 0, shape |f32[8192,1024]| at ShapeIndex {}, maybe-live-out",
         {{"p", 0, size, 0, 2, {2}}, {"n", 0, size, 3, 6, {}}}},
        {", parameter 1, shape |f32[]| at ShapeIndex {}", {{"q", 0, size - part_size, 1, 4, {3, 4}}}},
        {", preallocated-temp", {{"c", 0, part_size, 2, 3, {3}}}}};
    return paired_outcome(donation_defeated{}, text, placed);
  };
  CHECK(outcome_of("8184", "concatenate(%c, %q), dimensions={0}") ==
        texts{"warning: c: parameter 0 at index {} is donated to output {0}, but nearly all of it is sliced into "
              "temporary memory (31.97MiB); at most 31.97MiB can be saved"});
  CHECK(outcome_of("4096", "concatenate(%c, %q), dimensions={0}").empty());
}

TEST_CASE("ALI006 sees copies in the places of other donated parameters") {
  // Positions: p 0, q 1, c 2, n 3, s 4, o 5, t 6. The copy of p stands where q was and where o will be.
  const std::string big = "f32[8192,1024]{1,0}";
  const auto text = [&](const std::string& results) {
    return "HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias), {1}: (1, {}, may-alias) }\n\n"
           "ENTRY %main {\n  %p = " +
           big + " parameter(0)\n  %q = " + big + " parameter(1)\n  %c = " + big + " copy(%p)\n  %n = " + big +
           " negate(%p)\n  %s = f32[] custom-call(%c), custom_call_target=\"f\"\n  %o = " + big +
           " broadcast(%s), dimensions={}\n  ROOT %t = (" + big + ", " + big + ") tuple(" + results + ")\n}\n";
  };
  const std::vector<allocation_rows> beside{
      {", parameter 0, shape |f32[8192,1024]| at ShapeIndex {}, maybe-live-out",
       {{"p", 0, size, 0, 3, {2, 3}}, {"n", 0, size, 3, 7, {}}}},
      {", parameter 1, shape |f32[8192,1024]| at ShapeIndex {}, maybe-live-out",
       {{"q", 0, size, 0, 1, {}}, {"c", 0, size, 2, 4, {4}}, {"o", 0, size, 5, 7, {}}}}};
  CHECK(paired_outcome(donation_defeated{}, text("%n, %o"), beside) ==
        texts{"warning: c: parameter 0 at index {} is donated to output {0}, but copied into the place of parameter 1 "
              "at index {} (32.00MiB)"});
  const hlo_module module = module_of(text("%n, %o"));
  const findings found = lint(donation_defeated{}, context(module, paired_dump(module, beside)));
  REQUIRE(found.size() == 1);
  CHECK_FALSE(found[0].bytes);  // the place is taken anyway
  CHECK_FALSE(found[0].promise);
  // As the first result p could stay where it is, and n could be made in the place of q.
  CHECK(paired_outcome(donation_defeated{}, text("%n, %c"), beside) ==
        texts{"warning: c: output {1} is aliased to parameter 1 at index {}, but is what lies in the place of "
              "parameter 0 at index {}, donated to output {0}, and copied over (32.00MiB)"});
}

// A loop that reads an array and writes one of the same shape, as a scan does that takes it as xs and returns it as ys;
// the result goes into the donated argument.
TEST_CASE("ALI006 sees donated arguments that are returned in another order, and counts their memory once") {
  // Positions: p 0, q 1, c 2, x 3, y 4, t 5. p goes to q's place and q, by way of a copy, to p's.
  const std::string big = "f32[8192,1024]{1,0}";
  const std::string text =
      "HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias), {1}: (1, {}, may-alias) }\n\n"
      "ENTRY %main {\n  %p = " +
      big + " parameter(0)\n  %q = " + big + " parameter(1)\n  %c = " + big + " copy(%q)\n  %y = " + big +
      " copy(%p)\n  %x = " + big + " copy(%c)\n  ROOT %t = (" + big + ", " + big + ") tuple(%x, %y)\n}\n";
  const std::vector<allocation_rows> places{{", parameter 0, shape |f32[8192,1024]| at ShapeIndex {}, maybe-live-out",
                                             {{"p", 0, size, 0, 3, {3}}, {"x", 0, size, 4, 6, {}}}},
                                            {", parameter 1, shape |f32[8192,1024]| at ShapeIndex {}, maybe-live-out",
                                             {{"q", 0, size, 0, 2, {2}}, {"y", 0, size, 3, 6, {}}}},
                                            {", preallocated-temp", {{"c", 0, size, 2, 4, {4}}}}};
  const hlo_module module = module_of(text);
  const findings found = lint(donation_defeated{}, context(module, paired_dump(module, places)));
  byte_count promised = 0;
  std::vector<std::string> copies;
  for (const diagnostic& d : found) {
    CHECK(d.advice.find("return each in the place of the argument that it comes from") != std::string::npos);
    if (d.promise) promised += d.promise->saves;
    copies.push_back(d.instruction);
  }
  CHECK(promised == size);
  std::sort(copies.begin(), copies.end());
  CHECK(copies == std::vector<std::string>{"c", "x", "y"});
  const auto of_y = std::find_if(found.begin(), found.end(), [](const diagnostic& d) { return d.instruction == "y"; });
  REQUIRE(of_y != found.end());
  CHECK(of_y->message.find("output {1} is aliased to parameter 1 at index {}, but is what lies in the place of "
                           "parameter 0 at index {}, donated to output {0}, and copied over") != std::string::npos);
}

TEST_CASE("ALI006 does not blame the order for an argument that is copied away and back to its own place") {
  // Positions: p 0, c 1, n 2, s 3, t 4: c is a copy of p, and n, the result in the place of p, one of c.
  const hlo_module module = module_of(module_text(donated, "copy(%p)", "copy(%c)"));
  const findings found = lint(donation_defeated{}, context(module, paired_dump(module, buffers)));
  REQUIRE_FALSE(found.empty());
  for (const diagnostic& d : found) CHECK(d.advice.find("in another order") == std::string::npos);
}

TEST_CASE("ALI006 names the loop that reads the argument beside its result") {
  const std::string big = "f32[8192,1024]{1,0}", state = "(s32[], " + big + ", " + big + ")";
  const auto message = [&](const std::string& read) {
    const hlo_module module = module_of(
        "HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }\n\n%body {\n  %s = " + state +
        " parameter(0)\n  %i = s32[] get-tuple-element(%s), index=0\n  %x = " + big +
        " get-tuple-element(%s), index=1\n  %y = " + big +
        " get-tuple-element(%s), index=2\n  %one = s32[] constant(1)\n  %next_i = s32[] add(%i, %one)\n  %next = " +
        big + " add(%y, %x)\n  ROOT %b = " + state + " tuple(%next_i, %x, %next)\n}\n\n%cond {\n  %s.1 = " + state +
        " parameter(0)\n  %i.1 = s32[] get-tuple-element(%s.1), index=0\n  %n = s32[] constant(8)\n"
        "  ROOT %less = pred[] compare(%i.1, %n), direction=LT\n}\n\nENTRY %main {\n  %p = " +
        big + " parameter(0)\n  %q = " + big +
        " parameter(1)\n  %zero = s32[] constant(0)\n  %copied = s32[] copy(%zero)\n"
        "  %stack = " +
        big + " custom-call(%" + read + "), custom_call_target=\"f\"\n  %init = " + state + " tuple(%copied, %" + read +
        ", %stack)\n  %w = " + state + " while(%init), condition=%cond, body=%body\n  %made = " + big +
        " get-tuple-element(%w), index=2\n  %home = " + big + " copy(%made)\n  ROOT %t = (" + big +
        ") tuple(%home)\n}\n");
    context::parts parts;
    parts.hlo = module, parts.target = target::gpu;
    return outcome(donation_defeated{}, memory_estimate(context(std::move(parts))).module());
  };
  const std::string copied =
      "warning: home: output {0} is aliased to parameter 0 at index {}, but made in temporary memory and copied over "
      "(32.00MiB)";
  const std::string saved = "; at most 32.00MiB can be saved (estimated from the HLO)";
  CHECK(message("p") ==
        texts{copied +
              "; the loop w reads the parameter beside the result that it stacks: carry the array through the "
              "loop and update it in place (fori_loop, or the carry of a scan)" +
              saved});
  CHECK(message("q") == texts{copied + saved});
}

TEST_CASE("ALI006 does not catch") {
  CHECK(paired_outcome(donation_defeated{}, module_text(""), buffers).empty());
  CHECK(paired_outcome(donation_defeated{}, module_text(donated, "sine(%p)"), buffers).empty());  // no copy
  // The copy brings the result into another order, so it is there without the alias, too.
  std::string ordered = module_text(donated, "sine(%p)", "copy(%c)");
  ordered.replace(ordered.find("{1,0}", ordered.find("%c =")), 5, "{0,1}");
  CHECK(paired_outcome(donation_defeated{}, ordered, buffers).empty());
  CHECK(paired_outcome(donation_defeated{.min_bytes = 64_MiB}, module_text(donated), buffers).empty());
}

TEST_CASE("ALI006 sees calls of the host that only copy into a donated array of the host") {
  const std::string big = "f32[8192,1024]{1,0:S(5)}";
  const auto text = [&](const std::string& work) {
    return "HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }\n\n%work {\n  %q = " + big +
           " parameter(0)\n  ROOT %k = " + big + " " + work +
           "\n}, execution_thread=\"host\"\n\n%call {\n  %x = " + big + " parameter(0)\n  ROOT %h = " + big +
           " custom-call(%x), custom_call_target=\"HostExecute\", called_computations={%work}\n}, "
           "execution_thread=\"host\"\n\nENTRY %main {\n  %p = " +
           big + " parameter(0)\n  %c = " + big + " custom-call(%p), custom_call_target=\"f\"\n  %s = ((" + big +
           "), " + big + ", u32[]) async-start(%c), async_execution_thread=\"host\", calls=%call\n  %d = " + big +
           " async-done(%s)\n  ROOT %t = (" + big + ") tuple(%d)\n}\n";
  };
  // Positions: p 0, c 1, x 2, h 3, s 4, d 5, t 6.
  const std::vector<allocation_rows> on_host{
      {", color 5, parameter 0, shape |f32[8192,1024]| at ShapeIndex {}, maybe-live-out",
       {{"p", 0, size, 0, 1, {1}}, {"h", 0, size, 3, 7, {}}}},
      {", color 5, preallocated-temp", {{"c", 0, size, 1, 5, {3, 4}}}}};
  const auto outcome_of = [&](const std::string& work) {
    std::string dump = dump_text(on_host, 6);
    for (const std::string_view name : {"2x", "4s", "5d", "6t"}) {
      const std::string unnamed = "op." + std::string(name.substr(0, 1));
      for (std::size_t at; (at = dump.find(unnamed)) != std::string::npos;)
        dump.replace(at, unnamed.size(), name.substr(1));
    }
    return outcome(donation_defeated{}, context(module_of(text(work)), buffers_of(dump)));
  };
  CHECK(outcome_of("copy(%q)") ==
        texts{"warning: h: output {0} is aliased to parameter 0 at index {}, but made in temporary memory of the host "
              "and copied over (32.00MiB)"});
  CHECK(outcome_of("sine(%q)").empty());
}
