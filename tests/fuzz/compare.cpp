// libFuzzer target: the first file of an input against the others, as two compilations and as two ranks.
#include "command.hpp"

#include <cstdint>

using namespace hlolint::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const scratch_folder folder;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t choice = hash_of(input);
  std::string side = "a/";
  for (const named_text& file : files_in(input)) {
    folder.write(side + file.name, file.text);
    side = "b/";
  }
  std::string before = folder / "a", after = folder / "b";
  if (side == "a/") after = before;
  if (choice % 2 == 1) std::swap(before, after);
  std::vector<std::string> words;
  if (choice / 2 % 2 == 0)
    words = {"diff", "--isolated", "--select", "ALL", before, after};
  else
    words = {"ranks", "--isolated", before, after};
  const char* const format = choice / 4 % 3 == 0 ? "json" : choice / 4 % 3 == 1 ? "text" : "markdown";
  words.insert(words.begin() + 1, {"--format", format});
  const outcome found = run(words);
  if (words[2] == "json") expect_json(found, words);
  folder.clear();
  return 0;
}
