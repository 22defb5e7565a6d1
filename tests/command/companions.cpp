// The other dumps of the named files' modules are read too, except with --no-companions.
#include "outside.hpp"
#include "tool/protobuf/messages.hpp"

using namespace from_outside;

namespace {

std::vector<std::string> read_by(const folder& here, const std::string& words) {
  std::vector<std::string> paths;
  const json report = here.run_json(words, 0);
  for (const json& input : report.at("inputs")) paths.push_back(input.at("path"));
  return paths;
}

}  // namespace

TEST_CASE("what has the stem and lies in the folder of a named file is read too, once") {
  using names = std::vector<std::string>;
  const folder here;
  for (const std::string folder : {"", "sub/"})
    for (const char* const name : {"m.txt", "m.hlo", "m.notes", "m.2.txt", "n.txt"}) here.write(folder + name, clean);

  CHECK(read_by(here, "--no-companions m.txt") == names{"m.txt"});
  CHECK(read_by(here, "m.txt") == names{"m.txt", "m.hlo"});
  CHECK(read_by(here, "--companions m.txt") == names{"m.txt", "m.hlo"});
  CHECK(read_by(here, "--companions m.hlo") == names{"m.hlo", "m.txt"});
  CHECK(read_by(here, "--companions m.txt m.hlo") == names{"m.txt", "m.hlo"});
  CHECK(read_by(here, "--companions sub/m.txt n.txt") == names{"sub/m.txt", "n.txt", "sub/m.hlo"});
  CHECK(read_by(here, "--companions ./m.txt m.txt") == names{"./m.txt", "./m.hlo"});
  CHECK(here.run("--companions no_such_file.txt").status == 2);
  here.write("c.txt", clean);
  here.write("c.txt.gz", clean);  // the same, compressed
  CHECK(read_by(here, "c.txt") == names{"c.txt"});
}

TEST_CASE("a file is read once, whatever its names") {
  const folder here;
  here.write("d/m.txt", clean);
  here.write("d/n.txt", clean);
  fs::create_symlink("d/m.txt", here / "link.txt");
  fs::create_symlink("d", here / "e");
  fs::create_symlink("n.txt", here / "d/also.txt");
  using names = std::vector<std::string>;
  CHECK(read_by(here, "--no-companions d/m.txt link.txt e/m.txt d/../d/m.txt") == names{"d/m.txt"});
  CHECK(read_by(here, "--no-companions link.txt d/m.txt") == names{"link.txt"});
  CHECK(read_by(here, "e/m.txt d") == names{"e/m.txt", "d/also.txt"});
  CHECK(read_by(here, "d e d/") == names{"d/also.txt", "d/m.txt"});
}

TEST_CASE("without texts, libtpu's message of the optimized module has the buffers of the one after code generation") {
  using namespace messages;
  const folder here;
  const std::string assignment =
      sized(1, number(1, 5) + number(2, 16) + sized(3, number(4, 1))) +
      sized(1, number(1, 6) + number(2, 16) + sized(3, number(4, 3)) + number(4, 1)) +
      sized(3, number(2, 16) + number(5, 1) + sized(9, number(1, 5) + number(3, 16))) +
      sized(3, number(1, 1) + number(2, 64) + number(8, 1) + sized(9, number(1, 6) + number(2, 32) + number(3, 16)));
  here.write("d/module_0001.m.cl_1.after_codegen.hlo.pb", hlo_proto(add_module()));
  here.write("d/module_0001.m.cl_1.after_optimizations.hlo.pb", hlo_proto(add_module(), assignment));
  here.write("d/module_0001.m.cl_1.after_optimizations_after_buffer_assignment.hlo.pb", hlo_proto(add_module()));
  const outcome got = here.run("memory d");
  if (got.errors.find("protozero") != std::string::npos) return;  // this build reads no messages
  CHECK(got.status == 0);
  CHECK(got.output.find("after_codegen.hlo.pb: module m") != std::string::npos);
  CHECK(got.output.find("VMEM                    1   64B") != std::string::npos);  // as in the assignment
}

TEST_CASE("snapshots of the executions of a module are one module, and none beside its final text") {
  using namespace messages;
  const folder here;
  const std::string snapshot = sized(1, hlo_proto(add_module()));
  for (const char* const hash : {"11", "-12", "13"})
    here.write(std::string("d/module_0001.m.snapshot.") + hash + ".pb", snapshot);
  const outcome alone = here.run("parse --format json d");
  if (alone.output.find("protozero") != std::string::npos) return;  // this build reads no messages
  CHECK(json::parse(alone.output).at("inputs").size() == 1);
  here.write("d/module_0001.m.cpu_after_optimizations.txt", clean);
  CHECK(read_by(here, "d") == std::vector<std::string>{"d/module_0001.m.cpu_after_optimizations.txt"});
  // What was executed before it was optimized is an earlier stage.
  here.write("e/module_0001.m.execution_0000.hlo_unoptimized_snapshot.pb", snapshot);
  here.write("e/module_0001.m.execution_0001.hlo_unoptimized_snapshot.pb", snapshot);
  CHECK(has(here.run("e").output, "no final module in this folder, only 2 files of earlier stages"));
}

TEST_CASE("a kernel without a time in its name belongs to the module that has one") {
  const folder here;
  here.write("d/1796011789940084.module_0001.m.sm_9.0a_gpu_after_optimizations.txt", clean);
  here.write("d/module_0001.m.fusion.41.hlo", clean);
  CHECK(read_by(here, "d") ==
        std::vector<std::string>{"d/1796011789940084.module_0001.m.sm_9.0a_gpu_after_optimizations.txt"});
}

TEST_CASE("a file beside a dump that cannot be read is an error, and not missing") {
  const std::string stem = "module_0003.jit_f.sm_9.0_gpu_after_optimizations";
  const auto reported = [&](const std::string& damaged, const std::string& text) {
    const folder here;
    for (const std::string ending :
         {".txt", "-buffer-assignment.txt", "-buffer-assignment-values.txt", "-live-range.txt"})
      here.write("d/" + stem + ending, read(fs::path(HLOLINT_TEST_DATA) / "apart" / (stem + ending)));
    here.write("d/" + stem + damaged, text);
    std::vector<std::string> out;
    const json report = here.run_json("--isolated --select DMP --ignore DMP012 d", 2);
    for (const json& found : report.at("diagnostics"))
      out.push_back(found.at("rule").get<std::string>() + " " +
                    found.at("path").get<std::string>().substr(2 + stem.size()));
    return out;
  };
  const auto unreadable = [](const std::string& ending) { return std::vector<std::string>{"SYN000 " + ending}; };
  for (const std::string ending :
       {"-buffer-assignment-values.txt", "-buffer-assignment.txt", "-live-range.txt", "-memory-usage-report.txt"}) {
    CAPTURE(ending);
    CHECK(reported(ending, "") == unreadable(ending));
    CHECK(reported(ending, std::string("HloLiveRange \0 (max 3)", 22)) == unreadable(ending));
    CHECK(reported(ending, "Dear reader,\nthis is no dump.\n") == unreadable(ending));
  }
}
