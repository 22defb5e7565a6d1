// The hlolint command in this process, for targets that run it thousands of times.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::fuzz {

/// What came of a run.
struct outcome {
  int status = 0;
  std::string output, errors;
};

/// Runs the command with these words. It fails with an exit status other than 0, 1 and 2, and with 2 without a word
/// why.
outcome run(const std::vector<std::string>& words);

/// Fails unless the output is JSON and all findings in it have a file and a line.
void expect_json(const outcome& of, const std::vector<std::string>& words);

/// Ends the process with a message, and libFuzzer saves the input; only counts if `goes_on`.
void fail(const std::string& message);
inline bool goes_on = false;
inline std::size_t failures = 0;

/// A folder for the files of one run after the other, in memory where the system has such; there as long as the
/// process.
class scratch_folder {
 public:
  scratch_folder();
  ~scratch_folder();
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;

  const std::string& path() const { return path_; }
  /// The path of a file in the folder, which need not be there.
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }
  /// Writes a file, with the folders its name has, and returns its path.
  std::string write(std::string_view name, std::string_view text) const;
  /// Removes all that is in it.
  void clear() const;

 private:
  std::string path_;
};

/// A file of an input.
struct named_text {
  std::string name, text;
};

/// An input is one file, or several: a line `=== NAME` begins each but the first. Names come from a short list, so that
/// no input can name other places: what is unknown becomes one of them.
std::vector<named_text> files_in(std::string_view input);

/// FNV-1a: chooses what else an input decides, such as the format of a report.
std::size_t hash_of(std::string_view input);

}  // namespace hlolint::fuzz
