// Inputs that are endless, too large, no files, or compressed and cut off: an error, soon, and what is whole is kept.
#include "command/compressed.hpp"
#include "outside.hpp"

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <sys/stat.h>

using namespace from_outside;

namespace {

// Stops a command that does not end by itself: then the status is 124.
const std::string bounded = "timeout 60";

// What is reported of the only input, which could not be read.
std::string only_problem(const folder& here, const std::string& words, const std::string& before = bounded) {
  const outcome got = here.run(words + " --isolated --format json", before);
  CAPTURE(words);
  CHECK(got.status == 2);
  const json report = json::parse(got.output, nullptr, false);
  REQUIRE_FALSE(report.is_discarded());
  CHECK(report["inputs"][0]["status"] == "failed");
  REQUIRE(report["diagnostics"].size() == 1);
  CHECK(report["diagnostics"][0]["rule"] == "SYN000");
  CHECK(report["diagnostics"][0]["line"] == 1);
  return report["diagnostics"][0]["message"];
}

}  // namespace

TEST_CASE("only regular files are read") {
  const folder here;
  here.write("d/clean.txt", clean);
  REQUIRE(mkfifo((here / "d/pipe").c_str(), 0600) == 0);
  fs::create_symlink("pipe", here / "d/link.txt");
  CHECK(only_problem(here, "/dev/zero") == "is not read: it is a device, not a file");
  CHECK(only_problem(here, "d/pipe") == "is not read: it is a named pipe, not a file");
  CHECK(only_problem(here, "d/link.txt") == "is not read: it is a named pipe, not a file");
  for (const std::string command :
       {"print d/link.txt", "parse d/link.txt", "memory d/link.txt", "diff d/link.txt d/clean.txt",
        "--config d/link.txt d/clean.txt", "--baseline d/link.txt d/clean.txt", "print /dev/zero",
        "--config /dev/zero d", "--baseline /dev/zero d"}) {
    CAPTURE(command);
    const outcome got = here.run(command, bounded);
    CHECK(got.status == 2);
    CHECK((has(got.errors + got.output, "named pipe") || has(got.errors + got.output, "device")));
  }
  // In a folder they are like any other file that is no dump.
  CHECK(here.run_json("d --isolated", 0)["inputs"].size() == 1);
  CHECK(here.run("ranks d d", bounded).status == 0);
  // A pipe that a shell has opened is read, and ends.
  const outcome piped =
      here.run("--isolated /dev/fd/7 7<&0 >../output 2>../errors </dev/null #", "cat d/clean.txt | " + bounded);
  CHECK(piped.status == 0);
  CHECK(has(piped.output, "no findings in 1 file"));
}

TEST_CASE("binary files are not read further than it takes to see that") {
  const folder here;
  here.write("sparse.txt", "");
  fs::resize_file(here / "sparse.txt", 0xC0000000);
  CHECK(only_problem(here, "sparse.txt") == "this is a binary file: neither a text dump nor a protobuf dump of XLA");
  const outcome piped = here.run("- --isolated >../output 2>../errors </dev/zero #", bounded);
  CHECK(piped.status == 2);
  CHECK(has(piped.output, "this is a binary file"));
  here.write("late.txt", std::string(clean) + std::string(60000, ' ') + '\0');
  CHECK(only_problem(here, "late.txt") == "this is a binary file: neither a text dump nor a protobuf dump of XLA");
  here.write("later.txt", std::string(clean) + std::string(70000, ' ') + '\0');
  CHECK(here.run_json("later.txt --isolated", 2)["inputs"][0]["status"] == "partial");
}

TEST_CASE("zeros in the log of a job are blanks") {
  const std::string log =
      "RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 18.40G of 15.75G hbm. Exceeded hbm capacity by "
      "2.65G.\n";
  const folder here;
  here.write("first.log", std::string(512, '\0') + log);
  here.write("last.log", log + std::string(3, '\0') + "\n");
  here.write("clean.log", log);
  const auto message = [&](const std::string& name) {
    const json found = here.run_json(name + " --isolated", 1)["diagnostics"];
    return found.size() == 1 ? found[0]["message"].get<std::string>() : std::string();
  };
  CHECK(message("clean.log") != "");
  CHECK(message("first.log") == message("clean.log"));
  CHECK(message("last.log") == message("clean.log"));
  here.write("core.bin", std::string("\x03\0\x07", 3) + log);
  CHECK(only_problem(here, "core.bin") == "this is a binary file: neither a text dump nor a protobuf dump of XLA");
}

TEST_CASE("what other tools write is named, with what to give instead") {
  const folder here;
  here.write("f.jaxpr", "{ lambda ; a:f32[8]. let b:f32[8] = sin a in (b,) }\n");
  here.write("ir.txt", "IR {\n  %0 = f32[] prim::Constant(), xla_shape=f32[], value=1\n}\n");
  here.write("f.mlirbc", std::string("ML\xEFR\x0DStableHLO_v1.8.0\0\x01", 23));
  CHECK(has(only_problem(here, "f.jaxpr"), "this is a jaxpr"));
  CHECK(has(only_problem(here, "ir.txt"), "this is the IR of torch_xla"));
  CHECK(has(only_problem(here, "f.mlirbc"), "this is a serialized program"));
}

TEST_CASE("--max-size bounds the text of an input") {
  const folder here;
  here.write("clean.txt", clean);
  const std::string size = std::to_string(clean.size()), less = std::to_string(clean.size() - 1);
  for (const std::string command : {"", "parse ", "memory ", "print "}) {
    CAPTURE(command);
    CHECK(here.run(command + "clean.txt --max-size " + size).status == 0);
    const outcome got = here.run(command + "clean.txt --max-size " + less);
    CHECK(got.status == 2);
    CHECK(has(got.output + got.errors, "clean.txt"));
    CHECK(has(got.output + got.errors, "is not read: it is larger than " + less + "B (--max-size sets the limit)"));
  }
  CHECK(here.run("diff clean.txt clean.txt --max-size " + less).status == 2);
  CHECK(here.run("diff clean.txt clean.txt --max-size " + size).status == 0);
  CHECK(here.run("ranks clean.txt clean.txt --max-size " + less).status == 2);
  CHECK(here.run("clean.txt --max-size 1GiB").status == 0);
  // In a folder a large text that does not begin like a dump is none.
  here.write("d/clean.txt", clean);
  here.write("d/log.txt", std::string(10000, 'x'));
  CHECK(here.run("d --max-size 5000").status == 0);
  CHECK(here.run("d --max-size " + less).status == 2);
  // The file of the configuration may set it too.
  here.write(".hlolint.toml", "max-size = " + less + "\n");
  CHECK(here.run("clean.txt").status == 2);
  CHECK(here.run("clean.txt --max-size 1MiB").status == 0);
  CHECK(has(here.run("--show-settings").output, "\nmax-size = " + less + "\n"));
  CHECK(has(here.run("--show-settings --isolated").output, "\nmax-size = 1073741824\n"));
  here.write(".hlolint.toml", "max-size = \"much\"\n");
  CHECK(has(here.run("clean.txt").errors, "'max-size' must be a number of bytes"));
  for (const std::string wrong : {"0", "-1", "5GiB", "much", "1e300"}) {
    CAPTURE(wrong);
    const outcome got = here.run("clean.txt --isolated --max-size " + wrong);
    CHECK(got.status == 2);
    CHECK(has(got.errors, "--max-size: '" + wrong + "' is not a number of bytes up to 4GiB"));
  }
}

TEST_CASE("what is compressed is decompressed as far as --max-size") {
  const folder here;
  constexpr std::size_t size = 1 << 30;
  const std::string limit = " --max-size 1MiB";
  const std::string too_large = "is not read: it holds more than 1.00MiB (--max-size sets the limit)";
  // Less memory than the whole text takes, except under a sanitizer, which needs more to begin with.
  const bool has_limit = here.run("--version", "ulimit -v 400000;").status == 0;
  const std::string little = (has_limit ? "ulimit -v 400000; " : "") + bounded;
  if (reads_compressed(here, ".gz")) {
    here.write("bomb.txt.gz", gzip_bomb(' ', size));
    here.write("zeros.txt.gz", gzip_bomb('\0', size));
    here.write("whole.txt.gz", gzip_of(clean));
    CHECK(only_problem(here, "bomb.txt.gz" + limit, little) == too_large);
    CHECK(only_problem(here, "zeros.txt.gz", little) ==
          "this is a binary file: neither a text dump nor a protobuf dump of XLA");
    CHECK(here.run("whole.txt.gz --max-size " + std::to_string(clean.size())).status == 0);
    CHECK(here.run("whole.txt.gz --max-size " + std::to_string(clean.size() - 1)).status == 2);
    if (has_limit) CHECK(only_problem(here, "bomb.txt.gz", little) == "cannot be read: out of memory");
  }
  if (reads_compressed(here, ".zst")) {
    here.write("bomb.txt.zst", zstd_bomb(' ', size >> 17));
    here.write("zeros.txt.zst", zstd_bomb('\0', size >> 17));
    here.write("whole.txt.zst", zstd_of(clean));
    CHECK(only_problem(here, "bomb.txt.zst" + limit, little) == too_large);
    CHECK(only_problem(here, "zeros.txt.zst", little) ==
          "this is a binary file: neither a text dump nor a protobuf dump of XLA");
    CHECK(here.run("whole.txt.zst").status == 0);
  }
}

TEST_CASE("of compressed data that is cut off or damaged, what comes before is kept") {
  const folder here;
  // All but the last line and a half.
  const std::string_view whole = aliased_twice;
  const std::size_t half = whole.size() - 60;
  struct form {
    std::string ending, data;
    std::size_t cut;  // where so much of the text is over; 0 = not known
  };
  std::vector<form> forms;
  if (reads_compressed(here, ".gz")) forms.push_back({".gz", gzip_of(whole), 15 + half});
  if (reads_compressed(here, ".zst")) forms.push_back({".zst", zstd_of(whole, 16), 9 + half / 16 * 19});
  here.write("whole.txt", whole);
  if (reads_compressed(here, ".xz")) {
    // Several blocks, so that all but the last are whole.
    if (std::system(("cd '" + (here / "").string() + "' && xz --block-size=64 -k whole.txt 2>/dev/null").c_str()) == 0)
      forms.push_back({".xz", read(here / "whole.txt.xz"), 0});
    else
      MESSAGE("skipped: there is no xz to make .xz files with (Debian: apt-get install xz-utils)");
  }
  for (const form& f : forms) {
    CAPTURE(f.ending);
    const std::string name = "m.txt" + f.ending;
    here.write(name, f.data);
    CHECK(here.run_json("parse " + name, 0)["inputs"][0]["instructions"] == 4);
    // Nothing is left of the text: a file that cannot be read.
    here.write(name, f.data.substr(0, 8));
    CHECK(has(only_problem(here, name), "the compressed data is damaged or ends too early"));
    // Only the end of the compressed form is missing; a file of Zstandard ends with its text.
    json report;
    if (f.ending != ".zst") {
      here.write(name, f.data.substr(0, f.data.size() - 1));
      report = here.run_json(name + " --isolated", 2);
      CHECK(report["inputs"][0]["status"] == "partial");
      CHECK(report["inputs"][0]["instructions"] == 4);
      CHECK(rules_in(report) == std::vector<std::string>{"SYN001", "ALI002"});
      CHECK(report["diagnostics"][0]["line"] == 9);
    }
    if (f.cut == 0) continue;
    here.write(name, f.data.substr(0, f.cut));
    report = here.run_json(name + " --isolated", 2);
    CHECK(report["inputs"][0]["status"] == "partial");
    CHECK(report["inputs"][0]["instructions"] == 3);
    CHECK(rules_in(report) == std::vector<std::string>{"SYN001", "SYN001", "ALI002"});
    CHECK(has(report["diagnostics"][1]["message"], "the compressed data is damaged or ends too early"));
    const outcome printed = here.run("print " + name);
    CHECK(printed.status == 2);
    CHECK(has(printed.output, "exponential("));
    CHECK(has(printed.errors, name + ":7:"));
  }
}

TEST_CASE("print takes what the other subcommands take") {
  const folder here;
  here.write("clean.txt", clean);
  const std::string printed = here.run("print clean.txt").output;
  CHECK(has(printed, "negate("));
  CHECK(here.run("print - <clean.txt >../output 2>../errors #").output == printed);
  if (reads_compressed(here, ".gz")) {
    here.write("packed.txt.gz", gzip_of(clean));
    CHECK(here.run("print packed.txt.gz").output == printed);
  }
  for (const std::string file : {"missing.txt", ".", "/dev/null"}) {
    CAPTURE(file);
    const outcome got = here.run("print " + file);
    CHECK(got.status == 2);
    CHECK(got.errors.starts_with("hlolint: " + file + ": "));
    CHECK(got.output.empty());
  }
}
