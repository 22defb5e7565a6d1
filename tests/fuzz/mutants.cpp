// mutants [--count N] [--from N] [--seconds N] [--most BYTES] [--keep FOLDER] FOLDER...
// Changes the dumps in the folders in N ways (by their numbers, always the same ways) and runs the command on each
// mutant: lint with all rules, memory --verify, time, advise, query, show, and diff and ranks with the dumps as they
// were. Fails if one ends with anything but 0, 1 or 2, writes no valid JSON, names no place, crashes, or takes more
// than so many seconds of CPU; these mutants are kept.
#include "command.hpp"
#include "mutate.hpp"

#include <hlolint/lint/inputs/file_stem.hpp>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace hlolint::fuzz;

namespace {

struct options {
  std::size_t count = 1000, from = 0, seconds = 60, most = 1 << 16;
  std::string keep = "failed_mutants";
  std::vector<std::string> folders;
};

options read_options(int count, char** words) {
  options out;
  const std::map<std::string_view, std::size_t*> numbers{
      {"--count", &out.count}, {"--from", &out.from}, {"--seconds", &out.seconds}, {"--most", &out.most}};
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (const auto number = numbers.find(word); number != numbers.end() && i + 1 < count) {
      const std::string_view value = words[++i];
      std::from_chars(value.data(), value.data() + value.size(), *number->second);
    } else if (word == "--keep" && i + 1 < count) {
      out.keep = words[++i];
    } else {
      out.folders.emplace_back(word);
    }
  }
  return out;
}

/// The dumps of a module.
using module_files = std::vector<named_text>;

std::vector<module_files> read_modules(const options& how) {
  std::map<std::pair<std::string, std::string>, module_files> modules;
  std::vector<fs::path> paths;
  for (const std::string& folder : how.folders)
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file() && entry.file_size() <= how.most &&
          (entry.path().extension() == ".txt" || entry.path().extension() == ".hlo"))
        paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (text.empty()) continue;
    const std::string name = path.string();
    const hlolint::file_stem stem = hlolint::file_stem_of(name);
    modules[{std::string(stem.folder), std::string(stem.stem)}].push_back({path.filename().string(), std::move(text)});
  }
  std::vector<module_files> out;
  for (auto& [key, files] : modules) out.push_back(std::move(files));
  return out;
}

/// What the process that makes the mutants leaves for the one that waits for it.
struct progress {
  std::size_t number = 0;  ///< of the mutant that is tried
  std::size_t runs[3] = {0, 0, 0};
  std::size_t failures = 0;
  double slowest = 0;
  std::size_t slowest_number = 0;
};

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// The name of an instruction or a computation of a dump, if it has one at all.
std::string name_in(const std::string& text, dice& random) {
  std::size_t begin = text.find('%', random.below(text.size()));
  if (begin == std::string::npos) begin = text.find('%');
  if (begin == std::string::npos) return "main";
  return text.substr(begin, text.find_first_of(" ,(){}=\n", begin) - begin);
}

void try_mutant(const std::vector<module_files>& modules, const options& how, const scratch_folder& folder,
                progress& done) {
  folder.clear();
  dice random(done.number * 0x5851F42D4C957F2Du + 1);
  const module_files& files = modules[random.below(modules.size())];
  const module_files& others = modules[random.below(modules.size())];
  const std::size_t changed = random.below(files.size());
  const std::string& other = others[random.below(others.size())].text;
  for (std::size_t i = 0; i < files.size(); ++i) {
    folder.write("before/" + files[i].name, files[i].text);
    folder.write("after/" + files[i].name,
                 i == changed ? mutate(files[i].text, other, how.most, random) : files[i].text);
  }
  const std::string before = folder / "before", after = folder / "after";
  const double start = cpu_seconds();
  itimerval limit{};
  limit.it_value.tv_sec = static_cast<time_t>(how.seconds);
  setitimer(ITIMER_PROF, &limit, nullptr);  // SIGPROF ends the process
  for (std::vector<std::string> words : std::initializer_list<std::vector<std::string>>{
           {"lint", "--isolated", "--select", "ALL", after},
           {"memory", "--isolated", "--verify", after},
           {"time", "--isolated", "--device", "tpu-v5e", after},
           {"advise", "--isolated", after},
           {"query", "--isolated", "* where bytes >= 1KiB and not in loop", after},
           {"show", "--isolated", after, name_in(files[changed].text, random)},
           {"diff", "--isolated", "--select", "ALL", before, after},
           {"ranks", "--isolated", before, after}}) {
    words.insert(words.end(), {"--format", "json"});
    const outcome got = run(words);
    expect_json(got, words);
    if (got.status >= 0 && got.status <= 2) ++done.runs[got.status];
  }
  const double took = cpu_seconds() - start;
  if (took > done.slowest) done.slowest = took, done.slowest_number = done.number;
}

void keep_files(const options& how, const scratch_folder& folder, std::size_t number) {
  std::error_code ignored;
  const fs::path to = fs::path(how.keep) / std::to_string(number);
  fs::create_directories(to, ignored);
  fs::copy(folder.path(), to, fs::copy_options::recursive | fs::copy_options::overwrite_existing, ignored);
  std::fprintf(stderr, "mutant %zu is kept in %s\n", number, to.c_str());
}

[[noreturn]] void try_until_end(const std::vector<module_files>& modules, const options& how,
                                const scratch_folder& folder, progress& done) {
  goes_on = true;
  for (; done.number < how.from + how.count; ++done.number) {
    failures = 0;
    try_mutant(modules, how, folder, done);
    if (failures == 0) continue;
    ++done.failures;
    keep_files(how, folder, done.number);
  }
  std::fflush(nullptr);
  _exit(0);  // the folder is the parent's
}

}  // namespace

int main(int count, char** words) {
  const options how = read_options(count, words);
  const std::vector<module_files> modules = read_modules(how);
  if (modules.empty()) {
    std::fprintf(stderr, "mutants: no dumps of at most %zu bytes in these folders\n", how.most);
    return 2;
  }
  const scratch_folder folder;
  void* const shared = mmap(nullptr, sizeof(progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 2;
  progress& done = *new (shared) progress;
  done.number = how.from;
  while (done.number < how.from + how.count) {  // a crash ends only the process that made it
    const pid_t child = fork();
    if (child == 0) try_until_end(modules, how, folder, done);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) return 2;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
      std::fprintf(stderr, "FAILED: mutant %zu takes more than %zu s of CPU\n", done.number, how.seconds);
    ++done.failures;
    keep_files(how, folder, done.number);
    ++done.number;
  }
  std::printf(
      "%zu mutants of %zu modules: %zu failed; exit status 0: %zu, 1: %zu, 2: %zu; slowest: %.2f s of CPU (%zu)\n",
      how.count, modules.size(), done.failures, done.runs[0], done.runs[1], done.runs[2], done.slowest,
      done.slowest_number);
  return done.failures == 0 ? 0 : 1;
}
