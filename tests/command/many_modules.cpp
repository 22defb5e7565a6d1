// Many modules at once: the output does not depend on the number of threads, and a bar shows how far they are.
#include "outside.hpp"

#include "generate/program.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

using namespace from_outside;

namespace {

void replace_first(std::string& text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
}

/// Programs of different sizes. Every third has a wrong sum in its buffer dump, every ninth is cut off.
void write_modules(const folder& here, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    hlolint::testing::program_texts texts = hlolint::testing::generated_program(50 + i % 10 * 40, i).texts();
    replace_first(texts.hlo, "jit_generated", "jit_step_" + std::to_string(i));
    if (i % 3 == 0) replace_first(texts.buffers, "Total bytes used: ", "Total bytes used: 1");
    if (i % 9 == 1) texts.hlo.resize(texts.hlo.size() / 2);
    const std::string name =
        "dump/module_" + std::to_string(1000 + i) + ".jit_step_" + std::to_string(i) + ".tpu_after_optimizations";
    here.write(name + ".txt", texts.hlo);
    here.write(name + "-buffer-assignment.txt", texts.buffers);
  }
}

}  // namespace

TEST_CASE("the output is the same with one job and with two") {
  const folder here;
  write_modules(here, 24);
  const json report = here.run_json("dump --select ALL", 2);
  CHECK(report.at("inputs").size() == 48);
  CHECK(report.at("diagnostics").size() >= 24 / 3 + 24 / 9);
  for (const char* const format : {"text", "json", "sarif", "junit", "html"}) {
    CAPTURE(format);
    const std::string words = std::string("dump --select ALL --format ") + format;
    const outcome one = here.run(words + " -j1"), two = here.run(words + " -j2"), many = here.run(words + " --jobs 7");
    CHECK(one.status == 2);
    CHECK(one.output.size() > 1000);
    CHECK(two.status == one.status);
    // No CHECK of the texts themselves: they are long.
    CHECK((two.output == one.output && two.errors == one.errors));
    CHECK((many.output == one.output && many.errors == one.errors));
  }
}

// The first of two inputs is standard input and comes after a second: a bar has to be shown while the other is waited
// for.
TEST_CASE("a bar shows the progress on a terminal, and nowhere else") {
  const folder here;
  here.write("clean.txt", clean);
  here.write("late.sh", "(sleep 1; cat clean.txt) | \"$1\" -j1 - clean.txt");

  const outcome piped = here.run("", "sh late.sh");
  CHECK(piped.status == 0);
  CHECK(has(piped.output, "no findings in 2 files"));
  CHECK(piped.errors.empty());
  CHECK_FALSE(has(piped.output, "\x1b"));

  if (std::system("script -qec true /dev/null </dev/null >/dev/null 2>&1") != 0) {
    MESSAGE("there is no `script` (Debian: apt-get install bsdutils) that makes a terminal");
    return;
  }
  // The command, the last word, is put where script wants it.
  const outcome seen = here.run("", "sh -c 'script -qec \"sh late.sh \\\"$0\\\"\" /dev/null'");
  CHECK(seen.status == 0);
  const std::size_t bar = seen.output.find("\rreading [");
  REQUIRE(bar != std::string::npos);
  CHECK(has(seen.output.substr(bar), "] 1/2\x1b[K"));
  CHECK(has(seen.output.substr(bar), "\r\x1b[K"));  // gone before the report
  CHECK(seen.output.rfind("\r\x1b[K") < seen.output.find("no findings in 2 files"));
}

TEST_CASE("modules that are read one by one and those that are read together give the same findings") {
  const folder here, together;
  write_modules(here, 20), write_modules(together, 20);
  together.write("dump/notes.txt", clean);  // has no number, so it may belong to any of them
  const auto findings = [](const folder& in) {
    std::vector<std::string> out;
    const json report = in.run_json("dump --select ALL --ignore DMP004", 2);
    for (const json& d : report.at("diagnostics")) out.push_back(d.dump());
    std::sort(out.begin(), out.end());
    return out;
  };
  const std::vector<std::string> apart = findings(here), whole = findings(together);
  CHECK(apart.size() >= 20 / 3 + 20 / 9);
  CHECK(apart == whole);
  CHECK(has(here.run("dump").output, " | "));  // excerpts of texts that are gone
}

TEST_CASE("modules of one name are reported once, also those that share a number") {
  const folder here;
  for (const char* const name : {"module_0001.m.cl_1.after_codegen", "module_0001.m.cpu_after_optimizations",
                                 "module_0002.m.cpu_after_optimizations"})
    here.write(std::string("d/") + name + ".txt", clean);
  const json found = here.run_json("d --select DMP008", 0).at("diagnostics");
  REQUIRE(found.size() == 1);
  CHECK(has(found.at(0).at("message").get<std::string>(), "is in 3 files"));
}
