// Every subcommand and format over the dumps of tests/data and broken forms of them: the exit status is 0, 1 or 2, what
// is JSON is valid, each finding has a place, and nothing is written that a terminal would act on.
#include "outside.hpp"

#include <hlolint/report/utf8.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

using namespace from_outside;

namespace {

const std::vector<std::string> formats{"text",   "concise", "json",  "jsonl",    "sarif",
                                       "github", "gitlab",  "junit", "markdown", "html"};

// Controls other than line ends, and what is not UTF-8.
bool is_clean(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const hlolint::report::utf8_unit unit = hlolint::report::utf8_at(text, at);
    if (!unit.valid || (hlolint::report::is_control(unit.code_point) && unit.code_point != '\n')) return false;
    at += unit.size;
  }
  return true;
}

void check_place(const json& place, const char* path, const char* line) {
  CHECK_FALSE(place.at(path).get<std::string>().empty());
  CHECK(place.at(line).get<long>() >= 1);
}

// The findings of a report: each has a rule, a file and a line, and so have the other places it names.
void check_findings(const json& findings) {
  for (const json& found : findings) {
    CAPTURE(found.dump());
    CHECK(found.at("rule").get<std::string>().size() == 6);
    check_place(found, "path", "line");
    for (const json& other : found.value("related", json::array())) check_place(other, "path", "line");
  }
}

void check_output(const std::string& format, const outcome& got) {
  CHECK(is_clean(got.errors));
  if (format == "text" || format == "concise" || format == "github" || format == "markdown" || format == "junit")
    CHECK(is_clean(got.output));  // what programs read has escapes of its own
  const auto parsed = [](std::string_view text) {
    json value = json::parse(text, nullptr, false);
    REQUIRE_FALSE(value.is_discarded());
    return value;
  };
  if (format == "json") check_findings(parsed(got.output).value("diagnostics", json::array()));
  if (format == "jsonl") {
    std::string_view rest = got.output;
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      REQUIRE(end != rest.npos);
      if (const json line = parsed(rest.substr(0, end)); line.contains("rule")) check_findings(json::array({line}));
      rest.remove_prefix(end + 1);
    }
  }
  if (format == "sarif")
    for (const json& result : parsed(got.output).at("runs").at(0).at("results")) {
      const json& place = result.at("locations").at(0).at("physicalLocation");
      CHECK_FALSE(place.at("artifactLocation").at("uri").get<std::string>().empty());
      CHECK(place.value("region", json{{"startLine", 1}}).at("startLine").get<long>() >= 1);
    }
  if (format == "gitlab")
    for (const json& issue : parsed(got.output)) {
      CHECK_FALSE(issue.at("location").at("path").get<std::string>().empty());
      CHECK(issue.at("location").at("lines").at("begin").get<long>() >= 1);
    }
}

void run_and_check(const folder& here, const std::string& words, const std::string& format) {
  CAPTURE(words);
  const outcome got = here.run(words, "timeout 60");
  CHECK((got.status == 0 || got.status == 1 || got.status == 2));
  // Without an answer there is an explanation.
  if (got.output.empty() && format != "github" && format != "jsonl" && format != "print") {
    CHECK(got.status == 2);
    CHECK(got.errors.starts_with("hlolint: "));
    CHECK(is_clean(got.errors));
  } else {
    check_output(format == "print" ? "html" : format, got);
  }
}

// All that can be done with an input, or with two.
void run_all(const folder& here, const std::string& input, const std::string& other) {
  for (const std::string& format : formats) {
    run_and_check(here, input + " --isolated --select ALL --target tpu --format " + format, format);
    run_and_check(here, "ranks " + other + " " + input + " --isolated --format " + format, format);
  }
  for (const std::string format : {"text", "json"}) {
    run_and_check(here, "parse " + input + " --format " + format, format);
    run_and_check(here, "memory " + input + " --format " + format, format);
    run_and_check(here, "memory --verify " + input + " --format " + format, format);
  }
  run_and_check(here, "memory " + input + " --format html", "html");
  for (const std::string format : {"text", "json", "markdown"})
    run_and_check(here, "diff " + other + " " + input + " --isolated --select ALL --format " + format, format);
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("every subcommand and format over the dumps of the tests") {
  const folder here;
  const fs::path data = HLOLINT_TEST_DATA;
  for (const char* const name : {"ok", "sample", "language"}) fs::copy(data / name, here / name);
  for (const std::string input : {"ok", "sample", "language"}) run_all(here, input, "ok");
  for (const fs::directory_entry& file : fs::directory_iterator(here / "language")) {
    const std::string path = "language/" + file.path().filename().string();
    run_and_check(here, "parse " + path + " --format json", "json");
    run_and_check(here, path + " --isolated --select ALL --format json", "json");
    run_and_check(here, "print " + path, "print");
  }
}

TEST_CASE("every subcommand and format over damaged dumps") {
  const folder here;
  const fs::path data = HLOLINT_TEST_DATA;
  fs::copy(data / "ok", here / "ok");
  const std::string stem = "module_0042.jit_train_step.cl_1.";
  const std::string hlo = read(data / "sample" / (stem + "after_codegen.txt"));
  const std::string buffers = read(data / "sample" / (stem + "after_optimizations-buffer-assignment.txt"));
  struct damage {
    std::string name;
    std::string hlo, buffers;
  };
  std::vector<damage> list;
  const auto replaced = [&](const std::string& name, std::string_view from, std::string_view to) {
    damage d{name, hlo, buffers};
    replace_all(d.hlo, from, to), replace_all(d.buffers, from, to);
    list.push_back(d);
  };
  list.push_back({"cut", hlo.substr(0, hlo.size() / 2), buffers.substr(0, buffers.size() / 2)});
  list.push_back({"headless", hlo.substr(hlo.find("ENTRY")), buffers.substr(buffers.size() / 3)});
  list.push_back({"swapped", buffers, hlo});
  replaced("controls", "fusion",
           "fu\x1b[2J\x07\xC2\x9B"
           "31m\xE2\x80\xAE\xFFsion");
  replaced("metadata", "op_name=\"", "op_name=\"\x1b]0;title\x07\r::error::%0A<script>|`\\n");
  replaced("huge", "size=", "size=9223372036854775807");
  replaced("negative", "offset=", "offset=-");
  replaced("dimensions", "65536", "9223372036854775807");
  replaced("returns", "\n", "\r\n");
  for (const damage& d : list) {
    CAPTURE(d.name);
    here.write(d.name + "/" + stem + "after_codegen.txt", d.hlo);
    here.write(d.name + "/" + stem + "after_optimizations-buffer-assignment.txt", d.buffers);
    run_all(here, d.name, "ok");
    run_and_check(here, "print " + d.name + "/" + stem + "after_codegen.txt", "print");
  }
}

TEST_CASE("names of files, words and settings cannot act on a terminal either") {
  const folder here;
  const std::string bad = "a\x1b[2J\x07\xC2\x9B\xFF";
  here.write(bad + ".txt", waiting);
  here.write(bad + "-broken.txt", waiting.substr(0, waiting.size() - 20));
  here.write(bad + ".toml", "x = \"" + bad + "\"\n");
  here.write(bad + ".json", "{\"" + bad + "\"");
  const std::string quoted = "'" + bad;
  run_all(here, ".", ".");
  for (const std::string& words : {quoted + ".txt' --no-such",
                                   "--" + bad.substr(1),
                                   "--select " + quoted + "' .",
                                   "--level " + quoted + "' .",
                                   "--level " + quoted + "=error' .",
                                   "--set " + quoted + "' .",
                                   "--set " + quoted + ".b=c' .",
                                   "--target " + quoted + "' .",
                                   "--format " + quoted + "' .",
                                   "--max-size " + quoted + "' .",
                                   "--fail-on " + quoted + "' .",
                                   "--config " + quoted + ".toml' .",
                                   "--config " + quoted + "' .",
                                   "--baseline " + quoted + ".json' .",
                                   "--baseline " + quoted + "' .",
                                   "explain " + quoted + "'",
                                   "rules " + quoted + "'",
                                   "memory --top " + quoted + "' .",
                                   "diff --tolerance " + quoted + "' . .",
                                   "completions " + quoted + "'",
                                   "print " + quoted + "'",
                                   ". -o " + quoted + "/b'",
                                   quoted + "' x"}) {
    CAPTURE(words);
    const outcome got = here.run(words);
    CHECK(got.status == 2);
    CHECK((got.errors + got.output).size() > 0);
    CHECK(is_clean(got.errors));
    CHECK(is_clean(got.output));
  }
}
