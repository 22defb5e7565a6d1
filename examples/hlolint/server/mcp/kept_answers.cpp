#include "kept_answers.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include <sys/stat.h>

namespace hlolint::command::server {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_kept = 64, most_bytes = std::size_t{32} << 20, most_files = 20'000;

// The names, sizes and times of a folder's files: those beside a dump count, too.
std::string state_of(const std::vector<std::string>& files) {
  std::set<std::string> folders;
  std::string out;
  std::size_t seen = 0;
  const auto add = [&](const std::string& path) {
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0) return;
    out += path + ' ' + std::to_string(found.st_size) + ' ' + std::to_string(found.st_ino) + ' ' +
           std::to_string(found.st_mtim.tv_sec) + '.' + std::to_string(found.st_mtim.tv_nsec) + '\n';
  };
  for (const std::string& file : files) {
    std::error_code error;
    if (fs::is_directory(file, error)) {
      fs::recursive_directory_iterator entry(file, error), end;
      for (; !error && entry != end && ++seen < most_files; entry.increment(error)) add(entry->path().string());
    } else if (const std::string folder = fs::absolute(file, error).parent_path().string();
               folders.insert(folder).second) {
      fs::directory_iterator entry(folder, error), end;
      for (; !error && entry != end && ++seen < most_files; entry.increment(error)) add(entry->path().string());
    }
  }
  return seen < most_files ? out : std::string{};  // too many to tell
}

}  // namespace

report_of_run kept_answers::find(const std::vector<std::string>& words, const std::vector<std::string>& files,
                                 const std::function<report_of_run()>& make) {
  const std::string state = state_of(files);
  const auto known = std::find_if(kept_.begin(), kept_.end(), [&](const entry& e) { return e.words == words; });
  if (known != kept_.end()) {
    if (!state.empty() && known->state == state) {
      kept_.splice(kept_.begin(), kept_, known);
      return known->answer;
    }
    kept_.erase(known);
  }
  report_of_run made = make();
  const std::size_t bytes = made.report.is_null() ? 0 : text_of(made.report).size() * 4;
  if (state.empty() || bytes > most_bytes) return made;
  kept_.push_front({words, state, made, bytes});
  std::size_t sum = 0, count = 0;
  const auto dropped = std::find_if(
      kept_.begin(), kept_.end(), [&](const entry& e) { return (sum += e.bytes) > most_bytes || ++count > most_kept; });
  kept_.erase(dropped, kept_.end());
  return made;
}

}  // namespace hlolint::command::server
