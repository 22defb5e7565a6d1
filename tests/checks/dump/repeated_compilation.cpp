#include <hlolint/checks/dump/repeated_compilation.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

// Module `name.i` of the i-th shape, all in one folder.
texts outcome_of(const std::vector<std::string>& shapes, int min_count = 2) {
  std::vector<parsed_file> files;
  for (std::size_t i = 0; i < shapes.size(); ++i)
    files.push_back(parse(source("HloModule jit_f." + std::to_string(i) + "\n\nENTRY %main {\n  %x = " + shapes[i] +
                                     " parameter(0)\n  ROOT %y = f32[2]{0} parameter(1)\n}\n",
                                 "d/module_000" + std::to_string(i) + ".jit_f.cpu_after_optimizations.txt")));
  std::vector<input_file> inputs;
  for (const parsed_file& file : files) inputs.push_back({file.text.path(), &file, true});
  repeated_compilation check;
  check.min_count = min_count;
  texts out;
  for (const module_group& group : pair_files(inputs).groups)
    for (const std::string& text : outcome(check, context(parts_of(group, inputs)))) out.push_back(text);
  return out;
}

}  // namespace

TEST_CASE("DMP011 catches") {
  CHECK(outcome_of({"f32[8,100]{1,0}", "f32[8,101]{1,0}", "f32[8,100]{0,1}"}) ==
        texts{"note: jit_f was compiled 3 times in this folder, for 2 sets of parameters; parameter 0: f32[8,100] (2 "
              "times), f32[8,101]"});
  CHECK(outcome_of({"f32[8]{0}", "f32[8]{0}"}) ==
        texts{"note: jit_f was compiled 2 times in this folder, always with the same parameters: f32[8], f32[2]"});
  CHECK(
      outcome_of({"((f32[8,2]{1,0}))", "((f32[8,2]{0,1}))"}) ==
      texts{"note: jit_f was compiled 2 times in this folder, always with the same parameters: ((f32[8,2])), f32[2]"});
}

TEST_CASE("DMP011 does not catch") {
  CHECK(outcome_of({"f32[8]{0}"}).empty());
  CHECK(outcome_of({"f32[8]{0}", "f32[9]{0}"}, 3).empty());
}
