#include <hlolint/checks/dump/ambiguous_module.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

std::string hlo(const std::string& name) {
  return "HloModule " + name + ", is_scheduled=true\n\nENTRY %main {\n  ROOT %p = f32[16]{0} parameter(0)\n}\n";
}

texts outcome_of(const std::vector<std::pair<std::string, std::string>>& path_and_name) {
  std::vector<parsed_file> files;
  for (const auto& [path, name] : path_and_name) files.push_back(parse(source(hlo(name), path)));
  std::vector<input_file> inputs;
  for (const parsed_file& file : files) inputs.push_back({file.text.path(), &file, true});
  texts out;
  for (const module_group& group : pair_files(inputs).groups)
    for (const std::string& text : outcome(ambiguous_module{}, context(parts_of(group, inputs)))) out.push_back(text);
  return out;
}

}  // namespace

TEST_CASE("DMP008 catches") {
  CHECK(outcome_of({{"d/module_0003.f.cpu_after_optimizations.txt", "f"},
                    {"d/module_0004.g.cpu_after_optimizations.txt", "g"},
                    {"d/module_0007.f.cpu_after_optimizations.txt", "f"},
                    {"d/module_0009.f.cpu_after_optimizations.txt", "f"}}) ==
        texts{"note: module f is in 3 files of this folder, also in module_0007.f.cpu_after_optimizations"});
}

TEST_CASE("DMP008 does not catch") {
  CHECK(outcome_of({{"d/module_0003.f.cpu_after_optimizations.txt", "f"},
                    {"d/module_0004.g.cpu_after_optimizations.txt", "g"}})
            .empty());
  CHECK(outcome_of({{"d/module_0003.f.cpu_after_optimizations.txt", "f"},
                    {"e/module_0003.f.cpu_after_optimizations.txt", "f"}})
            .empty());
}
