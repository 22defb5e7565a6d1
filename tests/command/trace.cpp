// `hlolint time --format trace` from outside: the invariants of the format, and sums that are those of the step.
#include "loop_dump.hpp"
#include "outside.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

using namespace from_outside;

namespace {

const std::string dump = "loop.gpu_after_optimizations.txt";

std::int64_t nanoseconds(const json& microseconds) { return std::llround(microseconds.get<double>() * 1e3); }

struct slice {
  std::int64_t begin, end;
  std::string name, category;
};

std::vector<slice> slices_of(const json& trace, int track) {
  std::vector<slice> out;
  for (const json& event : trace["traceEvents"])
    if (event["ph"] == "X" && event["tid"] == track) {
      const std::int64_t begin = nanoseconds(event["ts"]);
      out.push_back({begin, begin + nanoseconds(event["dur"]), event["name"], event["cat"]});
    }
  return out;
}

}  // namespace

TEST_CASE("hlolint time --format trace: slices of a track nest and stand in order") {
  folder f;
  f.write(dump, loop_dump);
  const outcome done = f.run("time --format trace --device h100-sxm " + dump);
  REQUIRE(done.status == 0);
  const json trace = json::parse(done.output);
  CHECK(trace["displayTimeUnit"] == "ms");
  std::map<int, std::string> tracks;
  for (const json& event : trace["traceEvents"])
    if (event["name"] == "thread_name") tracks[event["tid"]] = event["args"]["name"];
  CHECK(tracks[0] == "compute");
  REQUIRE(tracks.size() >= 2);
  for (const auto& track : tracks) {
    std::vector<slice> open;
    std::int64_t last = 0;
    for (const slice& s : slices_of(trace, track.first)) {
      CHECK(s.begin >= last);
      CHECK(s.end >= s.begin);
      last = s.begin;
      while (!open.empty() && open.back().end <= s.begin) open.pop_back();
      CHECK((open.empty() || s.end <= open.back().end));
      CHECK((track.first == 0 || open.empty()));  // a queue does one thing at a time
      open.push_back(s);
    }
  }
}

TEST_CASE("hlolint time --format trace: the step is as long as time says, and its iterations as long as the loop") {
  folder f;
  f.write(dump, loop_dump);
  const json trace = json::parse(f.run("time --format trace --device h100-sxm " + dump).output);
  const json report = f.run_json("time --device h100-sxm " + dump, 0);
  const double step_ms = report["time"][0]["step_ms"];
  const std::vector<slice> work = slices_of(trace, 0);
  REQUIRE(!work.empty());
  CHECK(work.front().category == "step");
  CHECK(static_cast<double>(work.front().end) / 1e6 == doctest::Approx(step_ms).epsilon(1e-5));
  std::int64_t loop = 0, iterations = 0, others = 0;
  std::size_t expanded = 0;
  for (const slice& s : work) {
    if (s.name == "w") loop = s.end - s.begin;
    if (s.name.starts_with("iteration ")) iterations += s.end - s.begin, ++expanded;
    if (s.name == "24 more iterations") others = s.end - s.begin;
  }
  CHECK(expanded == 16);
  CHECK(others > 0);
  CHECK(std::abs(loop - iterations - others) <= 1);
  CHECK(static_cast<double>(loop) / 1e6 == doctest::Approx(step_ms).epsilon(1e-3));
  std::size_t unknown = 0;
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] != "i") continue;
    ++unknown;
    CHECK(event["name"] == "kernel");
    CHECK(event["s"] == "t");
    CHECK_FALSE(event.contains("dur"));
  }
  CHECK(unknown == 16);
}

TEST_CASE("hlolint time --format trace: compressed by its name, and refused without a device") {
  folder f;
  f.write(dump, loop_dump);
  const outcome none = f.run("time --format trace " + dump);
  CHECK(none.status == 2);
  CHECK(has(none.errors, "--device"));
  CHECK(f.run("time --format trace --device h100-sxm -o t.json.gz " + dump).status == 0);
  const std::string packed = read(f / "t.json.gz");
  REQUIRE(packed.size() > 18);
  CHECK(packed.substr(0, 3) == "\x1F\x8B\x08");
  CHECK(packed.size() * 4 < f.run("time --format trace --device h100-sxm " + dump).output.size());
}

TEST_CASE("hlolint time: utilization and headroom, and the page") {
  folder f;
  f.write(dump, loop_dump);
  const json time = f.run_json("time --device h100-sxm " + dump, 0)["time"][0];
  CHECK(time["headroom_ms"].get<double>() ==
        doctest::Approx(time["step_ms"].get<double>() -
                        std::max(time["matrix_bound_ms"].get<double>(), time["memory_bound_ms"].get<double>()))
            .epsilon(1e-4));
  CHECK(time["utilisation"].get<double>() > 0);
  CHECK(has(f.run("time --device h100-sxm " + dump).output, "of the step; MFU "));
  const std::string page = f.run("time --format html --device h100-sxm " + dump).output;
  CHECK(has(page, "<title>hlolint report</title>"));
  CHECK(has(page, "\"unchecked\":true"));  // no rule ran, so the page shows nothing of findings
  CHECK(has(f.run("time --device h100-sxm " + dump).output, "could be won, down to the "));
  CHECK(has(f.run("memory --by weight " + dump).output, "params['up']"));
}
