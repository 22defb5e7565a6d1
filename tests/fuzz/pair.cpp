// libFuzzer target: the files of a module, all rules with their notes, and a renderer for each input; what takes memory
// and whether it is what XLA printed.
#include "command.hpp"

#include <cstdint>

using namespace hlolint::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const scratch_folder folder;
  static const char* const formats[] = {"json",   "text",   "concise", "jsonl",    "sarif",
                                        "github", "gitlab", "junit",   "markdown", "html"};
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t choice = hash_of(input);
  for (const named_text& file : files_in(input)) folder.write(file.name, file.text);
  const std::string format = formats[choice % 10];
  std::vector<std::string> words{"lint", "--isolated", "--select", "ALL", "--format", format, folder.path()};
  if (format == "text") words.insert(words.end(), {"--color", "always"});
  const outcome found = run(words);
  if (format == "json") expect_json(found, words);
  switch (choice / 10 % 3) {
    case 0: words = {"memory", "--isolated", "--format", "json", folder.path()}; break;
    case 1: words = {"memory", "--isolated", "--verify", "--format", "json", folder.path()}; break;
    default: words = {"memory", "--isolated", folder.path()};
  }
  const outcome memory = run(words);
  if (words[2] != folder.path()) expect_json(memory, words);
  folder.clear();
  return 0;
}
