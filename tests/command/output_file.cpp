// What the command writes: never over an input, never half, and never unnoticed when it fails; numbers of a baseline.
#include "outside.hpp"

#include <algorithm>
#include <string>
#include <vector>

using namespace from_outside;

namespace {

// Names in a folder, those of hidden files too.
std::vector<std::string> names_in(const fs::path& path) {
  std::vector<std::string> out;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) out.push_back(entry.path().filename().string());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

TEST_CASE("an input is never overwritten, however its name is spelled") {
  const folder here;
  here.write("d/clean.txt", clean);
  here.write("d/other.txt", aliased_twice);
  here.write("e/clean.txt", clean);
  here.write("known.json", R"({"schema": 1, "findings": [], "modules": []})");
  here.write("own.toml", "fail-on = \"never\"\n");
  fs::create_symlink("d/clean.txt", here / "link");
  fs::create_hard_link(here / "d/clean.txt", here / "hard");
  for (const std::string words : {"d/clean.txt -o d/clean.txt",
                                  "d/clean.txt -o ./d/../d/clean.txt",
                                  "d/clean.txt -o link",
                                  "link -o d/clean.txt",
                                  "d/clean.txt -o hard",
                                  "d -o d/clean.txt",
                                  "d --format json -o hard",
                                  "./d/ -o d/../hard",
                                  "d/other.txt --companions -o hard d/clean.txt",
                                  "parse d -o hard",
                                  "print d/clean.txt -o hard",
                                  "memory d -o hard",
                                  "diff e d -o hard",
                                  "diff d/clean.txt e/clean.txt -o hard",
                                  "ranks e d -o hard",
                                  "-j2 e d -o hard",
                                  "d --update-baseline --baseline hard",
                                  "d --update-baseline --baseline d/clean.txt",
                                  "d --baseline known.json -o known.json",
                                  "d --baseline known.json --update-baseline -o known.json",
                                  "d --baseline known.json --update-baseline -o ./known.json",
                                  "d --config own.toml -o own.toml",
                                  "d --config own.toml --baseline own.toml --update-baseline"}) {
    CAPTURE(words);
    const outcome got = here.run(words);
    CHECK(got.status == 2);
    CHECK_FALSE(got.errors.empty());
    CHECK(got.output.empty());
    CHECK(read(here / "d/clean.txt") == clean);
    CHECK(read(here / "own.toml") == "fail-on = \"never\"\n");
    CHECK(read(here / "known.json").starts_with("{\"schema\": 1"));
  }
  // What is no dump in the folder may be replaced, such as a report of the last run.
  for (int i = 0; i < 2; ++i) CHECK(here.run("d --format json --isolated -o d/report.json").status == 1);
  CHECK(names_in(here / "d") == std::vector<std::string>{"clean.txt", "other.txt", "report.json"});
}

TEST_CASE("a file that is written takes the place of the old one at once") {
  const folder here;
  here.write("clean.txt", clean);
  here.write("old.json", "old");
  fs::create_hard_link(here / "old.json", here / "same.json");
  fs::permissions(here / "old.json", fs::perms(0640));
  fs::create_directories(here / "there");
  fs::create_symlink("there/new.json", here / "link.json");
  CHECK(here.run("clean.txt --format json -o old.json").status == 0);
  CHECK(read(here / "old.json").starts_with("{"));
  CHECK(read(here / "same.json") == "old");  // another file now
  CHECK(fs::status(here / "old.json").permissions() == fs::perms(0640));
  // Through a link, whether something is there or not.
  for (int i = 0; i < 2; ++i) {
    CHECK(here.run("clean.txt --baseline link.json --update-baseline").status == 0);
    CHECK(fs::is_symlink(here / "link.json"));
    CHECK(read(here / "there/new.json").starts_with("{"));
  }
  CHECK(names_in(here / "there") == std::vector<std::string>{"new.json"});
  CHECK(names_in(here / "") == std::vector<std::string>{"clean.txt", "link.json", "old.json", "same.json", "there"});
}

TEST_CASE("what cannot be written is an error, and the old file is kept") {
  const folder here;
  here.write("clean.txt", clean);
  here.write("old.json", "old");
  CHECK(here.run("clean.txt -o missing/report").status == 2);
  CHECK(has(here.run("clean.txt -o .").errors, "cannot write .: Is a directory"));
  // A limit of the file's size stops the writing in the middle.
  const outcome stopped = here.run("rules --format json -o old.json", "trap '' XFSZ; ulimit -f 1;");
  CHECK(stopped.status == 2);
  CHECK(has(stopped.errors, "cannot write old.json: File too large"));
  CHECK(read(here / "old.json") == "old");
  CHECK(names_in(here / "") == std::vector<std::string>{"clean.txt", "old.json"});
}

TEST_CASE("output that is lost makes the exit status 2, whatever was to be printed") {
  if (!fs::exists("/dev/full")) {
    MESSAGE("skipped: there is no /dev/full");
    return;
  }
  const folder here;
  here.write("clean.txt", clean);
  here.write("waiting.txt", waiting);
  std::vector<std::string> commands{"--version",
                                    "--help",
                                    "lint --help",
                                    "parse --help",
                                    "rules",
                                    "rules --format json",
                                    "explain MEM001",
                                    "explain MEM001 --format json",
                                    "completions bash",
                                    "--show-settings",
                                    "parse clean.txt",
                                    "parse clean.txt --format json",
                                    "print clean.txt",
                                    "memory clean.txt",
                                    "memory clean.txt --format json",
                                    "diff clean.txt clean.txt",
                                    "diff clean.txt clean.txt --format json",
                                    "diff clean.txt clean.txt --format markdown",
                                    "ranks clean.txt clean.txt"};
  for (const char* const format :
       {"text", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit", "markdown", "html"})
    commands.push_back(std::string("waiting.txt --target gpu --format ") + format);
  for (const std::string& words : commands) {
    CAPTURE(words);
    CHECK_FALSE(here.run(words).output.empty());
    for (const char* const nowhere : {" >/dev/full 2>../errors #", " >&- 2>../errors #"}) {
      const outcome got = here.run(words + nowhere);
      CHECK(got.status == 2);
      CHECK(has(got.errors, "cannot write"));
    }
    if (words.find("-") == 0 || words == "lint --help" || words == "parse --help") continue;
    CHECK(here.run(words + " -o /dev/full").status == 2);
  }
}

TEST_CASE("a baseline is what hlolint wrote, or an error") {
  const folder here;
  here.write("clean.txt", clean);
  struct row {
    std::string text;
    std::string error;  // empty = it is read
  };
  const std::string entry = R"({"schema": 1, "modules": [], "findings": [{"key": "k", "rule": "r", )";
  const std::string module = R"({"schema": 1, "findings": [], "modules": [{"module": "m", "total": )";
  const std::string number = "is not a whole number from 0 to 2^63-1";
  const row table[] = {
      {R"({"schema": 1, "findings": [], "modules": []})", ""},
      {entry + R"("count": 1}]})", ""},
      {entry + R"("count": 9223372036854775807, "bytes": 9223372036854775807}]})", ""},
      {module + "1}]}", ""},
      {"", "known.json: "},
      {"{", "known.json: "},
      {"[]", "this is no baseline"},
      {"{}", "this is no baseline"},
      {R"({"schema": 1e300, "findings": [], "modules": []})", "'schema' " + number},
      {R"({"schema": -1, "findings": [], "modules": []})", "'schema' " + number},
      {R"({"schema": 1.0, "findings": [], "modules": []})", "'schema' " + number},
      {R"({"schema": "1", "findings": [], "modules": []})", "'schema' " + number},
      {R"({"schema": 2, "findings": [], "modules": []})", ""},
      {R"({"schema": 3, "findings": [], "modules": []})", "has schema 3"},
      {R"({"schema": 4294967297, "findings": [], "modules": []})", "has schema 4294967297"},
      {R"({"schema": 1, "modules": []})", "'findings' is not a list"},
      {R"({"schema": 1, "findings": {}, "modules": []})", "'findings' is not a list"},
      {R"({"schema": 1, "findings": [1], "modules": []})", "an item of 'findings' is not an object"},
      {entry + R"("count": -1}]})", "'count' " + number},
      {entry + R"("count": 1e300}]})", "'count' " + number},
      {entry + R"("count": 18446744073709551615}]})", "'count' " + number},
      {entry + R"("count": 1, "bytes": -1}]})", "'bytes' " + number},
      {entry + R"("count": 1, "bytes": 1e300}]})", "'bytes' " + number},
      {entry + R"("count": 1, "module": 7}]})", "'module' is not a text"},
      {R"({"schema": 1, "modules": [], "findings": [{"key": 1, "rule": "r", "count": 1}]})", "'key' is not a text"},
      {module + "-1}]}", "'total' " + number},
      {module + "1e300}]}", "'total' " + number},
      {module + "9223372036854775808}]}", "'total' " + number},
      {module + "\"1\"}]}", "'total' " + number},
  };
  for (const row& r : table) {
    CAPTURE(r.text);
    here.write("known.json", r.text);
    const outcome got = here.run("clean.txt --isolated --baseline known.json");
    CHECK(got.status == (r.error.empty() ? 0 : 2));
    CHECK_MESSAGE((r.error.empty() ? got.errors.empty() : has(got.errors, r.error)), got.errors);
    CHECK(got.output.empty() == !r.error.empty());
  }
  CHECK(has(here.run("clean.txt --baseline missing.json").errors,
            "cannot read missing.json: No such file or directory; --update-baseline makes it"));
  CHECK(has(here.run("clean.txt --baseline .").errors, "cannot read .: it is a folder"));
}

TEST_CASE("words and files that are no settings are reported in one clear line") {
  const folder here;
  here.write("clean.txt", clean);
  struct row {
    std::string words;
    std::string error;
  };
  const row table[] = {
      {"memory --top -1 clean.txt", "--top: '-1' is not a whole number from 0 up\n"},
      {"memory --top=-1 clean.txt", "--top: '-1' is not a whole number from 0 up\n"},
      {"memory --top 0.5 clean.txt", "--top: '0.5' is not a whole number from 0 up\n"},
      {"memory --top 1e30 clean.txt", "--top: '1e30' is not a whole number from 0 up\n"},
      {"memory --at -1 clean.txt", "--at: '-1' is not a whole number from 0 up\n"},
      {"memory --at 99999999999999999999 clean.txt", "--at: '99999999999999999999' is not a whole number from 0 up\n"},
      {"--config . clean.txt", "hlolint: cannot read .: it is a folder\n"},
      {"--config none.toml clean.txt", "hlolint: cannot read none.toml: No such file or directory\n"},
  };
  for (const row& r : table) {
    CAPTURE(r.words);
    const outcome got = here.run(r.words);
    CHECK(got.status == 2);
    CHECK_MESSAGE(got.errors.starts_with(r.error), got.errors);
    CHECK_FALSE(has(got.errors, ":0:0:"));
  }
  CHECK(here.run("memory --top 0 clean.txt").status == 0);
  CHECK(here.run("memory --top 9223372036854775807 clean.txt").status == 0);
}
