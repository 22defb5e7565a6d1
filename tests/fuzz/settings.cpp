// libFuzzer target: an input that begins with { is a baseline, another one a configuration. A configuration that is
// accepted is printed by --show-settings so that it reads back as the same; a baseline that was written covers all.
#include "command.hpp"

#include <cstdint>

using namespace hlolint::fuzz;

namespace {

// With a copy that is not needed and a parameter that is neither used nor donated: findings of several rules.
constexpr std::string_view program =
    R"(HloModule step, is_scheduled=true, entry_computation_layout={(f32[4096,1024]{1,0}, f32[64]{0})->f32[4096,1024]{1,0}}

ENTRY %main.4 (p.1: f32[4096,1024], p.2: f32[64]) -> f32[4096,1024] {
  %p.1 = f32[4096,1024]{1,0} parameter(0)
  %p.2 = f32[64]{0} parameter(1)
  %copy.1 = f32[4096,1024]{1,0} copy(%p.1)
  ROOT %negate.1 = f32[4096,1024]{1,0} negate(%copy.1)
}
)";

// Its first line names the file.
std::string without_first_line(const std::string& text) { return text.substr(std::min(text.size(), text.find('\n'))); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const scratch_folder folder;
  static const std::string dump = folder.write("module_0001.step.gpu_after_optimizations.txt", program);
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t first = input.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && input[first] == '{') {
    const std::string baseline = folder.write("baseline.json", input);
    std::vector<std::string> words{"lint", "--isolated", "--select", "ALL", "--format",
                                   "json", "--baseline", baseline,   dump};
    const outcome known = run(words);
    expect_json(known, words);
    words.push_back("--update-baseline");
    if (run(words).status == 2) return 0;
    words.pop_back();
    if (run(words).status != 0) fail("a baseline of what is found does not cover what is found");
  } else {
    const std::string path = folder.write("settings.toml", input);
    const std::vector<std::string> words{"lint", "--config", path, "--format", "json", dump};
    const outcome found = run(words);
    if (found.status != 2) expect_json(found, words);
    const outcome shown = run({"lint", "--config", path, "--show-settings"});
    if (shown.status != 0) return 0;
    const std::string printed = folder.write("printed.toml", shown.output);
    const outcome again = run({"lint", "--config", printed, "--show-settings"});
    if (again.status != 0) fail("what --show-settings prints cannot be read:\n" + shown.output + again.errors);
    if (without_first_line(again.output) != without_first_line(shown.output))
      fail("what --show-settings prints reads as something else:\n" + shown.output + again.output);
  }
  return 0;
}
