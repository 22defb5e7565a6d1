// Captures of profilers: counts that were made independently (index.tsv), known answers, and what holds in all.
#include "corpus.hpp"

#if __has_include(<protozero/pbf_reader.hpp>)

#include <hlolint/text/file.hpp>
#include <hlolint/tool/parse_profile.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

using namespace hlolint;

namespace {

measured_profile profile_of(const std::string& name) {
  const std::string path = (corpus() / "profiles" / name).string();
  const mapped_file bytes(path);
  const profile_file read = parse_profile(bytes.bytes(), path);
  CHECK(read.status == parse_status::ok);
  return read.profile;
}
const profile_collective& collective(const profile_module& module, const std::string& kind) {
  for (const profile_collective& c : module.collectives)
    if (c.kind == kind) return c;
  FAIL("no " << kind);
  std::abort();
}

}  // namespace

TEST_CASE("captures: what was counted of them independently") {
  std::size_t files = 0;
  for (const auto& row : table(corpus() / "profiles" / "index.tsv", 13)) {
    if (!row[0].ends_with(".pb")) continue;
    CAPTURE(row[0]);
    const measured_profile profile = profile_of(row[0]);
    std::size_t devices = 0, modules = 0, events = 0, collectives = 0;
    double collective_us = 0;
    for (const profile_device& d : profile.devices) {
      devices += !d.modules.empty();
      modules += d.modules.size();
      for (const profile_module& m : d.modules) {
        picoseconds runs = 0, idle = 0;
        for (const profile_run& r : m.runs) {
          CHECK(r.length() >= 0);
          CHECK(r.idle >= 0);
          CHECK(r.idle <= r.length());
          runs += r.length(), idle += r.idle;
        }
        CHECK(m.idle == idle);
        for (const profile_collective& c : m.collectives) {
          CHECK(c.exposed <= c.total);
          collectives += c.count, collective_us += microseconds_of(c.total);
        }
        for (const profile_operation& o : m.operations) events += o.count;
        // Of a TPU self times are those of one core: never more than its runs.
        if (d.kind == profiled_device::tpu) CHECK(m.operations_total() <= runs);
      }
    }
    CHECK(devices == std::stoul(row[6]));
    if (devices > 0) {
      CHECK(modules == std::stoul(row[7]));
      CHECK(collectives == std::stoul(row[9]));
      CHECK(collective_us == doctest::Approx(std::stod(row[10])).epsilon(1e-6));
      CHECK(events > 0);
    }
    CHECK(profile.programs.size() == std::stoul(row[11]));
    ++files;
  }
  MESSAGE(files << " captures");
  CHECK(files > 0);
}

TEST_CASE("captures: known answers") {
  const measured_profile gpu = profile_of("synthetic/gpu_nccl.xplane.pb");
  REQUIRE(gpu.devices.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const profile_module& m = gpu.devices[i].modules.at(0);
    REQUIRE(m.runs.size() == 3);
    for (const profile_run& r : m.runs) CHECK(r.length() == 300'000'000);
    CHECK(m.idle == (i == 0 ? 60'000'000 : 30'000'000));
    CHECK(collective(m, "all-reduce").count == 3);
    CHECK(collective(m, "all-reduce").total == (i == 0 ? 600'000'000 : 630'000'000));
    CHECK(collective(m, "all-reduce").exposed == (i == 0 ? 210'000'000 : 240'000'000));
  }
  const measured_profile tpu = profile_of("synthetic/tpu_async.xplane.pb");
  REQUIRE(tpu.devices.size() == 1);
  const profile_module& m = tpu.devices[0].modules.at(0);
  REQUIRE(m.runs.size() == 2);
  for (const profile_run& r : m.runs) {
    CHECK(r.length() == 500'000'000);
    CHECK(r.idle == 48'000'000);
  }
  for (const profile_operation& o : m.operations) {
    if (o.instruction == "while.1") CHECK(o.total == 60'000'000);
    if (o.instruction == "fusion.4") CHECK((o.count == 6 && o.total == 540'000'000));
  }
  CHECK(collective(m, "all-gather").total == 704'000'000);
  CHECK(collective(m, "all-gather").exposed == 104'000'000);
  CHECK(collective(m, "all-reduce").total == 200'000'000);
  CHECK(collective(m, "all-reduce").exposed == 200'000'000);
}

#endif
