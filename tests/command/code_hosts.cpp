// Where findings stand for code hosts: in the repository, from its root.
#include "outside.hpp"

using namespace from_outside;

namespace {

// The same transfer twice; `program` made it.
std::string step(const std::string& program) {
  return "HloModule step, is_scheduled=true, num_partitions=4\n\nENTRY %main (p: f32[1048576]) -> f32[4194304] {\n"
         "  %p = f32[1048576]{0} parameter(0)\n"
         "  ROOT %all-gather.1 = f32[4194304]{0} all-gather(f32[1048576]{0} %p), channel_id=1, "
         "replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true, metadata={op_name=\"jit(f)/gather\" "
         "source_file=\"" +
         program + "\" source_line=3}\n  %work = f32[67108864]{0} iota(), iota_dimension=0\n}\n";
}

const std::string no_ci = "env -u GITHUB_WORKSPACE -u CI_PROJECT_DIR";

}  // namespace

TEST_CASE("code hosts: a line in the repository, from its root") {
  const folder f;
  f.write(".git/HEAD", "");
  f.write("src/train.py", "");
  f.write("work/m.sm_9.0_gpu_after_optimizations.txt", step((f / "src/train.py").string()));
  const auto run = [&](const std::string& format) {
    return f.run("--isolated --format " + format + " .", no_ci + " sh -c 'cd work && exec \"$0\" \"$@\"'").output;
  };
  CHECK(has(run("github"), ",file=src/train.py,line=3::"));
  const json issue = json::parse(run("gitlab")).at(0);
  CHECK(issue.at("location").at("path") == "src/train.py");
  CHECK(issue.at("location").at("lines").at("begin") == 3);
  const json result = json::parse(run("sarif")).at("runs").at(0).at("results").at(0);
  CHECK(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "src/train.py");
  CHECK(result["locations"][1]["physicalLocation"]["artifactLocation"]["uri"] ==
        "work/m.sm_9.0_gpu_after_optimizations.txt");
  CHECK(has(run("junit"), "<testsuite name=\"work/m.sm_9.0_gpu_after_optimizations.txt\""));
}

TEST_CASE("code hosts: a line elsewhere is named, and the finding stands in the dump") {
  const folder f;
  f.write(".git/HEAD", "");
  f.write("m.sm_9.0_gpu_after_optimizations.txt", step("/usr/lib/python3/moe/train.py"));
  const auto run = [&](const std::string& format) {
    return f.run("--isolated --format " + format + " '" + (f / "").string() + "'", no_ci).output;
  };
  const std::string github = run("github");
  CHECK(has(github, ",file=m.sm_9.0_gpu_after_optimizations.txt,line=5,col=9,"));
  CHECK(has(github, "(program: /usr/lib/python3/moe/train.py:3)"));
  const json issue = json::parse(run("gitlab")).at(0);
  CHECK(issue.at("location").at("path") == "m.sm_9.0_gpu_after_optimizations.txt");
  CHECK(has(issue.at("description").get<std::string>(), "(program: /usr/lib/python3/moe/train.py:3)"));
  CHECK(json::parse(run("sarif")).at("runs").at(0).at("results").at(0).at("locations").size() == 1);
  CHECK(has(run("junit"), "<testsuite name=\"m.sm_9.0_gpu_after_optimizations.txt\""));
  // Findings about the configuration stand in it.
  f.write(".hlolint.toml", "target = \"gpu\"\n\n[[suppress]]\nrule = \"PAD001\"\nreason = \"known\"\n");
  CHECK(has(f.run("--format github .", no_ci).output,
            "title=hlolint (CFG001 unused-suppression),file=.hlolint.toml,line=3"));
}
