#include "command.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <streambuf>

#include <unistd.h>

int hlolint_main(int count, char** words);  // main of examples/hlolint/hlolint.cpp, renamed where it is compiled

namespace hlolint::fuzz {

namespace fs = std::filesystem;

namespace {

/// Sends a stream elsewhere as long as it is there.
class redirected {
 public:
  redirected(std::ostream& from, std::ostream& to) : from_(from), old_(from.rdbuf(to.rdbuf())) {}
  ~redirected() {
    from_.rdbuf(old_);
    from_.clear();
  }
  redirected(const redirected&) = delete;
  redirected& operator=(const redirected&) = delete;

 private:
  std::ostream& from_;
  std::streambuf* old_;
};

std::string joined(const std::vector<std::string>& words) {
  std::string out = "hlolint";
  for (const std::string& word : words) out += " " + word;
  return out;
}

}  // namespace

void fail(const std::string& message) {
  std::fprintf(stderr, "FAILED: %s\n", message.c_str());
  if (!goes_on) std::abort();
  ++failures;
}

outcome run(const std::vector<std::string>& words) {
  std::vector<std::string> all{"hlolint"};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> pointers;
  for (std::string& word : all) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  outcome got;
  // The command does so too, and gives std::cout another buffer by it: before its output is redirected.
  std::ios::sync_with_stdio(false);
  {
    std::ostringstream output, errors;
    const redirected out(std::cout, output), err(std::cerr, errors);
    got.status = hlolint_main(static_cast<int>(all.size()), pointers.data());
    got.output = output.str();
    got.errors = errors.str();
  }
  if (got.status < 0 || got.status > 2) fail(joined(words) + ": exit status " + std::to_string(got.status));
  if (got.status == 2 && got.output.empty() && got.errors.empty()) fail(joined(words) + ": status 2, and no word why");
  return got;
}

void expect_json(const outcome& of, const std::vector<std::string>& words) {
  if (of.output.empty() && of.status == 2) return;
  const nlohmann::json report = nlohmann::json::parse(of.output, nullptr, false);
  if (report.is_discarded()) return fail(joined(words) + ": the output is not JSON:\n" + of.output.substr(0, 2000));
  for (const nlohmann::json& found : report.value("diagnostics", nlohmann::json::array()))
    if (found.value("path", "").empty() || found.value("line", 0) < 1)
      fail(joined(words) + ": no place: " + found.dump());
}

scratch_folder::scratch_folder() {
  std::error_code none;
  const fs::path memory = "/dev/shm";
  std::string name =
      ((fs::is_directory(memory, none) ? memory : fs::temp_directory_path()) / "hlolint_fuzz_XXXXXX").string();
  if (!mkdtemp(name.data())) fail("no temporary folder");
  path_ = name;
}

scratch_folder::~scratch_folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string scratch_folder::write(std::string_view name, std::string_view text) const {
  const fs::path path = fs::path(path_) / name;
  std::error_code ignored;
  fs::create_directories(path.parent_path(), ignored);
  std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
  return path.string();
}

void scratch_folder::clear() const {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, ignored)) fs::remove_all(entry.path(), ignored);
}

std::vector<named_text> files_in(std::string_view input) {
  static constexpr std::array<std::string_view, 8> names{
      "module_0001.f.gpu_after_optimizations-buffer-assignment.txt",
      "module_0001.f.gpu_after_optimizations.txt",
      "module_0001.f.gpu_after_optimizations-memory-usage-report.txt",
      "module_0001.f.gpu_after_optimizations-live-range.txt",
      "module_0001.f.before_optimizations.txt",
      "module_0001.f.thunk_sequence.txt",
      "module_0002.g.tpu_after_optimizations.txt",
      "module_0003.h.cpu_after_optimizations.txt",
  };
  constexpr std::string_view mark = "\n=== ";
  std::vector<named_text> files{{std::string(names[1]), {}}};
  while (true) {
    const std::size_t end = input.find(mark);
    files.back().text = input.substr(0, end == std::string_view::npos ? end : end + 1);
    if (end == std::string_view::npos || files.size() == names.size()) return files;
    input.remove_prefix(end + mark.size());
    const std::string_view word = input.substr(0, input.find('\n'));
    input.remove_prefix(std::min(input.size(), word.size() + 1));
    std::size_t known = 0;
    while (known < names.size() && names[known] != word) ++known;
    files.push_back({std::string(names[known < names.size() ? known : hash_of(word) % names.size()]), {}});
  }
}

std::size_t hash_of(std::string_view input) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : input) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return static_cast<std::size_t>(hash >> 16);
}

}  // namespace hlolint::fuzz
