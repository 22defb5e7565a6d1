// Runs the command from outside, in a folder of its own: words in, exit status and text out.
#pragma once

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace from_outside {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

inline std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct outcome {
  int status = -1;
  std::string output;
  std::string errors;
};

/// A folder that is there as long as the test runs; the command is run in it.
class folder {
 public:
  folder() {
    std::string name = (fs::temp_directory_path() / "hlolint_command_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()));
    path_ = name;
    fs::create_directories(path_ / "in");
  }
  ~folder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;

  void write(const std::string& name, std::string_view text) const {
    const fs::path path = path_ / "in" / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  fs::path operator/(const std::string& name) const { return path_ / "in" / name; }

  outcome run(const std::string& words, const std::string& environment = "") const {
    const std::string command = "cd '" + (path_ / "in").string() + "' && " + environment + " '" HLOLINT_COMMAND "' " +
                                words + " >../output 2>../errors </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(path_ / "output"), read(path_ / "errors")};
  }
  json run_json(const std::string& words, int status) const {
    const outcome got = run(words + " --format json");
    INFO(got.errors);
    CHECK(got.status == status);
    json value = json::parse(got.output, nullptr, false);
    REQUIRE_FALSE(value.is_discarded());
    return value;
  }

 private:
  fs::path path_;
};

/// Whether this build reads files with that ending (`.gz`); if not, the test's output states it.
inline bool reads_compressed(const folder& here, const std::string& ending) {
  here.write("probe" + ending, "none");
  const bool does = here.run("parse probe" + ending).output.find("built without the library") == std::string::npos;
  fs::remove(here / ("probe" + ending));
  if (!does) MESSAGE("skipped: this hlolint was built without the library for ", ending, " files");
  return does;
}

inline bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

inline std::vector<std::string> rules_in(const json& report) {
  std::vector<std::string> out;
  for (const json& found : report.at("diagnostics")) out.push_back(found.at("rule"));
  return out;
}

inline constexpr std::string_view clean =
    R"(HloModule clean, is_scheduled=true, entry_computation_layout={(f32[8]{0})->f32[8]{0}}

ENTRY %main (p: f32[8]) -> f32[8] {
  %p = f32[8]{0} parameter(0)
  ROOT %negate.1 = f32[8]{0} negate(f32[8]{0} %p)
}
)";

// ALI002, an error.
inline constexpr std::string_view aliased_twice =
    R"(HloModule twice, input_output_alias={ {0}: (0, {}, may-alias), {1}: (0, {}, may-alias) }, entry_computation_layout={(f32[8]{0})->(f32[8]{0}, f32[8]{0})}

ENTRY %main (p: f32[8]) -> (f32[8], f32[8]) {
  %p = f32[8]{0} parameter(0)
  %negate.1 = f32[8]{0} negate(f32[8]{0} %p)
  %exponential.1 = f32[8]{0} exponential(f32[8]{0} %p)
  ROOT %tuple.1 = (f32[8]{0}, f32[8]{0}) tuple(f32[8]{0} %negate.1, f32[8]{0} %exponential.1)
}
)";

// COL001, a warning, if the target is GPU or TPU.
inline constexpr std::string_view waiting =
    R"(HloModule waiting, is_scheduled=true, entry_computation_layout={(f32[1048576]{0})->f32[4194304]{0}}, num_partitions=4

ENTRY %main (p: f32[1048576]) -> f32[4194304] {
  %p = f32[1048576]{0} parameter(0)
  ROOT %all-gather.1 = f32[4194304]{0} all-gather(f32[1048576]{0} %p), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true, metadata={op_name="jit(f)/gather" source_file="f.py" source_line=3}
  %work = f32[67108864]{0} iota(), iota_dimension=0
}
)";

}  // namespace from_outside
