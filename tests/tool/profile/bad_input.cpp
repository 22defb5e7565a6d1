// Profiles that are damaged, or say what cannot be.
#include "tool/profile/captures.hpp"

#include <hlolint/tool/parse_profile.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;

TEST_CASE("a profile that is cut off anywhere is refused, never half read") {
  for (const std::string& whole : {captures::xspace({captures::tpu()}), captures::trace({captures::tpu()})}) {
    std::size_t read = 0;
    for (std::size_t size = 1; size < whole.size(); size += 7) {
      const auto cut = parse_profile(std::string_view(whole).substr(0, size));
      CHECK((cut.status == parse_status::failed) == !cut.diagnostics.empty());
      if (cut.status == parse_status::ok)
        ++read;
      else
        CHECK(cut.profile == measured_profile{});
    }
    CHECK(read <= 1);  // between a plane and the name of the host
  }
}

TEST_CASE("line ends that were converted are damage") {
  std::string damaged;
  for (const char c : captures::xspace({captures::tpu(), captures::gpu()})) {
    if (c == '\n') damaged += '\r';
    damaged += c;
  }
  CHECK(parse_profile(damaged).status == parse_status::failed);
}

TEST_CASE("a trace that ends early is reported where it ends") {
  const std::string whole = captures::trace({captures::tpu()});
  const auto read = parse_profile(std::string_view(whole).substr(0, whole.size() - 40), "t.json");
  REQUIRE(read.diagnostics.size() == 1);
  CHECK(read.diagnostics[0].rule == "SYN000");
  CHECK(read.diagnostics[0].where.begin().line > 10);
}

TEST_CASE("clocks that run backwards") {
  captures::plane tpu = captures::tpu();
  std::string bytes = captures::xspace({tpu});
  tpu.lines[1].stamp = INT64_MAX;
  tpu.lines[0].stamp = INT64_MIN;
  const auto read = parse_profile(captures::xspace({tpu}));
  CHECK(read.status == parse_status::ok);
  CHECK(!read.profile.notes.empty());
}

TEST_CASE("events that overlap without being inside one another keep their times") {
  captures::plane tpu = captures::tpu();
  tpu.lines[1].events = {{"%a = f32[] add()", 0, 10, {}, "a"}, {"%b = f32[] add()", 5, 10, {}, "b"}};
  const auto read = parse_profile(captures::xspace({tpu}));
  const profile_module& m = read.profile.devices.at(0).modules.at(0);
  CHECK(m.operations_total() == 20'000'000);
  CHECK(m.idle == 985'000'000);
}

TEST_CASE("a profile of no device, and no profile") {
  const auto nothing = parse_profile(captures::xspace({captures::plane{.name = "/host:CPU"}}));
  CHECK(nothing.status == parse_status::ok);
  CHECK(!nothing.profile.has_runs());
  CHECK(parse_profile("").status == parse_status::ok);
  CHECK(!is_profile("HloModule m"));
  CHECK(!is_profile("{\"a\":1}"));
  CHECK(is_profile("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[]}"));
}
