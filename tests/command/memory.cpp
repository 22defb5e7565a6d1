// `hlolint memory` from outside, on the pairs of tests/data.
#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

// Exit status and standard output of `hlolint memory`; errors are thrown away.
std::pair<int, std::string> memory(const std::string& words) {
  std::FILE* const pipe = popen(("'" HLOLINT_COMMAND "' memory " + words + " 2>/dev/null </dev/null").c_str(), "r");
  REQUIRE(pipe);
  std::string output;
  char part[4096];
  while (const std::size_t size = std::fread(part, 1, sizeof part, pipe)) output.append(part, size);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}
json memory_json(const std::string& words, int expected_status) {
  const auto [status, output] = memory(words + " --format json");
  CHECK(status == expected_status);
  json value = json::parse(output, nullptr, false);
  REQUIRE_FALSE(value.is_discarded());
  return value;
}

const std::string sample = HLOLINT_TEST_DATA "/sample", stem = "/module_0042.jit_train_step.cl_1.";
const std::string hlo = sample + stem + "after_codegen.txt",
                  buffers = sample + stem + "after_optimizations-buffer-assignment.txt";

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// A buffer dump with a change, in a folder of its own together with its HLO.
class changed_pair {
 public:
  changed_pair(const std::string& from, const std::string& to) {
    path_ = (fs::temp_directory_path() / "hlolint_memory_XXXXXX").string();
    REQUIRE(mkdtemp(path_.data()));
    std::ifstream file(buffers, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    std::ofstream(path_ + stem + "after_optimizations-buffer-assignment.txt", std::ios::binary)
        << text.replace(at, from.size(), to);
    fs::copy_file(hlo, path_ + stem + "after_codegen.txt");
  }
  ~changed_pair() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  changed_pair(const changed_pair&) = delete;
  changed_pair& operator=(const changed_pair&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

TEST_CASE("memory: wrong words") {
  CHECK(memory("").first == 2);
  CHECK(memory(sample + " --at x").first == 2);
  CHECK(memory(sample + " --at -1").first == 2);
  CHECK(memory(sample + " --top -1").first == 2);
  CHECK(memory(sample + "/missing.txt").first == 2);
  CHECK(memory("--help").first == 0);
  CHECK(memory(sample + " --module none").first == 2);
  CHECK(memory(sample + " --module jit_train_step --verify").first == 2);
}

TEST_CASE("memory: the text, of which nothing is cut in a pipe") {
  const auto [status, text] = memory(sample);
  CHECK(status == 0);  // the sample's faults are no business of this
  CHECK(text.starts_with(buffers + ": module jit_train_step (tpu)\n"));
  CHECK(has(text, "at position 16 (fusion.5)"));
  CHECK(has(text, "XLA's peak 950304788 bytes (906.28MiB) at position 14 (fusion.4)\n"));
  CHECK(has(text, "/home/user/moe/train.py:48, jit(train_step)/mlp/tanh"));
  CHECK_FALSE(has(text, "\x1b"));
  CHECK_FALSE(has(text, "..."));
  CHECK(has(memory(sample + " --at 3").second, "what takes the need at position 3 ("));
  CHECK(has(memory(sample + " --at 999").second, "position 999, after the end of the schedule at "));
  CHECK(has(memory(sample + " --blocks").second, "\xE2\x96\x88"));
  CHECK(has(memory(sample + " --top 1").second, "\n  and 14 more\n"));
  CHECK(memory(sample + " --by line").first == 2);
  CHECK(has(memory(sample + " --by source").second, "  /home/user/moe/train.py:4"));
  CHECK(has(memory(sample + " --device tpu-v5e").second, "tpu-v5e has 15.75GiB of HBM: "));
  CHECK(has(memory("--no-companions " + hlo).second, "no buffer assignment"));
  CHECK(memory(hlo).second == memory(buffers).second);  // the other file of the pair is found
}

TEST_CASE("memory: JSON in the common envelope") {
  const json report = memory_json(sample, 0);
  CHECK(report["schema"] == 1);
  CHECK(report["inputs"].size() == 2);
  REQUIRE(report["memory"].size() == 1);
  const json& module = report["memory"][0];
  CHECK(module["path"] == buffers);
  CHECK(module["peak"]["positions"].dump() == "[[16,16]]");
  CHECK(module["printed_peak"]["position"] == 14);
  CHECK(module["curve"].back()[1] == 0);
  CHECK(module["live"]["values"].size() == 10);
  CHECK(memory_json(sample + " --top 3", 0)["memory"][0]["live"]["values"].size() == 3);
  CHECK(memory_json(sample + " --module jit_train_step", 0)["memory"].size() == 1);
}

TEST_CASE("memory --verify") {
  const auto [status, text] = memory("--verify " + sample);
  CHECK(has(text, "section      equal"));
  const json report = memory_json("--verify " + sample, status);
  REQUIRE(report["verified"].size() == 1);
  CHECK(report["verified"][0]["path"] == buffers);
  CHECK(report["verified"][0]["module"] == "jit_train_step");
  const json& verified = report["verified"][0]["verified"];
  for (const char* const section : {"sizes", "sequence", "values", "positions", "uses", "live_ranges", "peak"}) {
    CAPTURE(section);
    CHECK(verified[section]["equal"] == verified[section]["total"]);
    CHECK(verified[section]["total"] > 0);
  }
  CHECK(status == 0);

  const changed_pair changed("fusion.1{}:6-7\n", "fusion.1{}:6-9\n");
  CHECK(memory_json("--verify " + changed.path(), 1)["verified"][0]["verified"]["live_ranges"]["equal"] ==
        verified["live_ranges"]["equal"].get<int>() - 1);
  const auto [different, printed] = memory("--verify " + changed.path());
  CHECK(different == 1);
  CHECK(has(printed, "6-9"));
  CHECK(has(printed, "6-7"));

  // Half of a pair proves nothing.
  CHECK(memory("--verify --no-companions " + hlo).first == 2);
  CHECK(memory_json("--verify --no-companions " + buffers, 2)["skipped"][0]["reason"] == "no HLO text");
}

TEST_CASE("memory: a job's log is a table, and lint fails") {
  const std::string log = HLOLINT_TEST_DATA "/job/train.log";
  const auto [status, text] = memory(log);
  CHECK(status == 0);
  CHECK(has(text, "19.31GiB are needed, and there are 15.75GiB"));
  CHECK(has(text, "/home/user/moe/router.py:41, jit(train_step)/jvp(moe)/router/gather"));
  const json report = memory_json(log, 0)["memory"][0];
  CHECK(report["out_of_memory"].size() == 2);
  CHECK(report["out_of_memory"][0]["messages"] == 2);
  CHECK(WEXITSTATUS(std::system(("'" HLOLINT_COMMAND "' --isolated '" + log + "' >/dev/null 2>&1").c_str())) == 1);
}

TEST_CASE("memory: a log that ends in the middle of a report is no bad input") {
  const std::string log = HLOLINT_TEST_DATA "/job/cut.log";
  const auto [status, text] = memory(log);
  CHECK(status == 0);
  CHECK(has(text, "/home/user/eval/embed.py:28, jit(evaluate)/embed/gather"));
  CHECK(memory_json(log, 0)["memory"][0]["out_of_memory"][0]["values"].size() == 2);
  CHECK(WEXITSTATUS(std::system(("'" HLOLINT_COMMAND "' --isolated '" + log + "' >/dev/null 2>&1").c_str())) == 1);
}
