#include <hlolint/checks/aliasing/alias_lost_in_pipeline.hpp>
#include <hlolint/checks/aliasing/donated_not_used.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const std::string alias_of_0 = ", input_output_alias={ {0}: (0, {}, may-alias) }";
const std::string donor_0 = ", buffer_donor={ (0, {}) }";

/// A parameter of the entry: shape and op_name.
struct given {
  std::string shape, op_name{};
};
using all_given = std::vector<given>;

/// A program that returns something for its parameters.
hlo_module program(const std::string& header, const all_given& parameters) {
  std::string layout, body, operands;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const std::string name = "%p." + std::to_string(p);
    layout += (p ? ", " : "") + parameters[p].shape;
    operands += (p ? ", " : "") + name;
    body += "  " + name + " = " + parameters[p].shape + " parameter(" + std::to_string(p) + ")" +
            (parameters[p].op_name.empty() ? "" : ", metadata={op_name=\"" + parameters[p].op_name + "\"}") + "\n";
  }
  const std::string result = "(f32[8192,1024]{1,0}, f32[8192,1024]{1,0}, f32[2048,1024]{1,0})";
  return module_of("HloModule m" + header + ", entry_computation_layout={(" + layout + ")->" + result +
                   "}\n\nENTRY %main {\n" + body + "  ROOT %c = " + result + " custom-call(" + operands +
                   "), custom_call_target=\"f\"\n}\n");
}

const all_given two{{"f32[8192,1024]{1,0}"}, {"f32[8192,1024]{1,0}"}};

template <class Check = alias_lost_in_pipeline>
texts outcome_of(const std::string& before, const std::string& after, const all_given& given_before = two,
                 const all_given& given_after = two, const Check& check = {}) {
  context::parts parts;
  parts.hlo = program(", is_scheduled=true" + after, given_after);
  parts.compared_with.earlier = program(before, given_before);
  parts.target = target::gpu;
  return outcome(check, context(std::move(parts)));
}

}  // namespace

TEST_CASE("ALI009 catches") {
  CHECK(outcome_of(alias_of_0, "") == texts{"warning: parameter 0 at index {} (f32[8192,1024]{1,0}, 32.00MiB) was "
                                            "aliased to output {0} before XLA optimized the module, "
                                            "and is neither aliased nor donated in the final one"});
  CHECK(outcome_of(donor_0, "") == texts{"warning: parameter 0 at index {} (f32[8192,1024]{1,0}, 32.00MiB) was donated "
                                         "before XLA optimized the module, and is neither "
                                         "aliased nor donated in the final one"});
  CHECK(outcome_of(alias_of_0, ", input_output_alias={ {0}: (1, {}, may-alias) }").size() == 1);
  // Partitioned, the biggest first.
  const all_given shards{{"f32[2048,1024]{1,0}"}, {"f32[8192,1024]{1,0}"}};
  CHECK(outcome_of(", input_output_alias={ {0}: (0, {}, may-alias) }, buffer_donor={ (1, {}) }", "", two, shards) ==
        texts{"warning: parameter 1 at index {} (f32[8192,1024]{1,0}, 32.00MiB) was donated before XLA optimized the "
              "module, and is neither "
              "aliased nor donated in the final one; this affects 2 of 2 such parameters, 40.00MiB in all"});
}

TEST_CASE("ALI009 catches what is too big to be added up") {
  const std::string half = "s8[4611686018427387904]{0}";  // 2^62
  CHECK(outcome_of(", buffer_donor={ (0, {}), (1, {}) }", "", {{half}, {half}}, {{half}, {half}}).size() == 1);
}

TEST_CASE("ALI009 finds a parameter again") {
  const std::string big = "f32[8192,1024]{1,0}", moved = ", input_output_alias={ {0}: (1, {}, may-alias) }";
  // By op_name, though the numbers are others.
  const all_given ab{{big, "a"}, {big, "b"}}, ba{{big, "b"}, {big, "a"}};
  CHECK(outcome_of(alias_of_0, moved, ab, ba).empty());
  CHECK(outcome_of(alias_of_0, alias_of_0, ab, ba).size() == 1);
  CHECK(outcome_of(alias_of_0, "", ab, {{big, "c"}, {big, "a"}, {big, "d"}}).size() == 1);
  // What has its place now is another one by name.
  CHECK(outcome_of(alias_of_0, moved, ab, {{big, "b"}, {big, "c"}}).empty());
  // By its place among all leaves, when a tuple was taken apart.
  const all_given tuple{{"(f32[], " + big + ")"}}, apart{{"f32[]"}, {big}};
  const std::string in_tuple = ", input_output_alias={ {0}: (0, {1}, may-alias) }";
  CHECK(outcome_of(in_tuple, moved, tuple, apart).empty());
  CHECK(outcome_of(in_tuple, "", tuple, apart) ==
        texts{"warning: parameter 1 at index {} (f32[8192,1024]{1,0}, 32.00MiB) was aliased to output {0} before XLA "
              "optimized the module, "
              "and is neither aliased nor donated in the final one"});
  // A name of two parameters is ambiguous.
  const all_given same{{big, "x"}, {big, "x"}};
  CHECK(outcome_of(alias_of_0, alias_of_0, same, same).empty());
  CHECK(outcome_of(alias_of_0, moved, same, same).size() == 1);
}

TEST_CASE("ALI009 does not catch") {
  CHECK(outcome_of("", "").empty());
  CHECK(outcome_of(alias_of_0, alias_of_0).empty());
  CHECK(outcome_of(alias_of_0, ", input_output_alias={ {1}: (0, {}, may-alias) }").empty());
  CHECK(outcome_of(donor_0, alias_of_0).empty());  // honored
  CHECK(outcome_of("", alias_of_0).empty());
  CHECK(outcome_of(alias_of_0, "", two, two, alias_lost_in_pipeline{.min_bytes = 64_MiB}).empty());
  // Which parameter it is is unknown: one is missing, or of another type.
  CHECK(outcome_of(alias_of_0, "", two, {{"f32[8192,1024]{1,0}"}}).empty());
  CHECK(outcome_of(alias_of_0, "", two, {{"s32[8192,1024]{1,0}"}, {"f32[8192,1024]{1,0}"}}).empty());
  CHECK(lint(alias_lost_in_pipeline{}, program("", two)).skipped.size() == 1);
}

TEST_CASE("one lost donation is one finding: a donor that is left in vain is for ALI005") {
  CHECK(outcome_of(donor_0, donor_0).empty());
  CHECK(outcome_of(alias_of_0, donor_0).empty());
  CHECK(outcome_of<donated_not_used>(alias_of_0, donor_0).size() == 1);
  CHECK(outcome_of<donated_not_used>(donor_0, "").empty());
}
