#include <hlolint/tool/job_log/oom_incidents.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

using namespace hlolint;

namespace {

printed_size gib(std::int64_t n) {
  printed_size out;
  out.bytes = n * 1_GiB;
  return out;
}

struct sizes_of_a_report {
  std::optional<printed_size> used{}, capacity{}, exceeded{}, wanted{}, free{}, largest_free{}, reservable{}, in_use{};
};
oom_report report_of(const sizes_of_a_report& s) {
  oom_report r;
  r.used = s.used, r.capacity = s.capacity, r.exceeded = s.exceeded, r.wanted = s.wanted, r.free = s.free;
  r.largest_free = s.largest_free, r.reservable = s.reservable, r.in_use = s.in_use;
  return r;
}
oom_incident with_sizes(const sizes_of_a_report& s) { return {report_of(s), 1, {}, {}, {}}; }

oom_log log_of(const std::vector<oom_report>& reports) {
  oom_log out;
  for (const oom_report& r : reports) out.reports.push_back(r);
  return out;
}

}  // namespace

TEST_CASE("what is missing, from whatever numbers the message has") {
  CHECK(with_sizes({.used = gib(20), .capacity = gib(16), .exceeded = gib(5)}).missing() ==
        5_GiB);  // its own word first
  CHECK(with_sizes({.used = gib(20), .capacity = gib(16)}).missing() == 4_GiB);
  CHECK(with_sizes({.wanted = gib(8), .free = gib(9), .reservable = gib(6)}).missing() == 2_GiB);
  CHECK(with_sizes({.wanted = gib(8), .free = gib(9), .largest_free = gib(5)}).missing() == 3_GiB);
  CHECK(with_sizes({.wanted = gib(8), .free = gib(7)}).missing() == 1_GiB);
  CHECK(with_sizes({.capacity = gib(16), .wanted = gib(8), .in_use = gib(10)}).missing() == 2_GiB);
  CHECK(with_sizes({.capacity = gib(16), .wanted = gib(24)}).missing() == 8_GiB);
  CHECK_FALSE(with_sizes({.capacity = gib(16), .wanted = gib(8), .in_use = gib(4)}).missing());
  CHECK_FALSE(with_sizes({.wanted = gib(8), .free = gib(9)}).missing());
  CHECK_FALSE(with_sizes({.wanted = gib(8)}).missing());
  CHECK(with_sizes({.wanted = gib(8), .free = gib(9)}).fragmented());
  CHECK_FALSE(with_sizes({.wanted = gib(8), .free = gib(9), .reservable = gib(6)}).fragmented());
  CHECK(with_sizes({.capacity = gib(16), .wanted = gib(24)}).larger_than_all());
  CHECK_FALSE(with_sizes({.capacity = gib(16), .wanted = gib(8)}).larger_than_all());
  oom_incident scratch = with_sizes({.wanted = gib(8)});
  CHECK_FALSE(scratch.is_scratch());
  oom_usage temporaries;
  temporaries.label = "preallocated temp allocation", temporaries.size = gib(8);
  scratch.report.usage.push_back(temporaries);
  CHECK(scratch.is_scratch());
}

TEST_CASE("messages of the same space and sizes are one incident, with all that each of them knows") {
  oom_report first = report_of({.wanted = gib(8)}), same = report_of({.wanted = gib(8), .free = gib(2)}),
             other = report_of({.wanted = gib(9)});
  first.process = "rank0", same.process = "rank1", other.process = "rank0";
  oom_buffer buffer;
  buffer.shape = "f32[8]";
  same.buffers.push_back(buffer);
  same.allocator = "GPU_0_bfc";
  const std::vector<oom_incident> found = incidents_of(log_of({first, same, other, same}));
  REQUIRE(found.size() == 2);
  CHECK(found[0].messages == 3);
  CHECK(found[0].processes == std::vector<std::string_view>{"rank0", "rank1"});
  CHECK(found[0].report.free->bytes == 2_GiB);
  CHECK(found[0].report.buffers.size() == 1);
  CHECK(found[0].report.allocator == "GPU_0_bfc");
  CHECK(found[1].messages == 1);
  CHECK(found[1].report.wanted->bytes == 9_GiB);
  same.memory_space = "host";
  CHECK(incidents_of(log_of({first, same})).size() == 2);
  CHECK(incidents_of(oom_log{}).empty());
}

TEST_CASE("a message that was cut before its last size is one with the whole message") {
  const oom_report whole = report_of({.used = gib(20), .capacity = gib(16), .exceeded = gib(5)}),
                   cut = report_of({.used = gib(20), .capacity = gib(16)});
  for (const auto& both : {log_of({whole, cut}), log_of({cut, whole})}) {
    const std::vector<oom_incident> found = incidents_of(both);
    REQUIRE(found.size() == 1);
    CHECK(found[0].messages == 2);
    CHECK(found[0].missing() == 5_GiB);
  }
}

TEST_CASE("what the compiler expected is part of the failure that follows in the same process") {
  oom_report hint = report_of({.used = gib(20), .capacity = gib(16)}), failure = report_of({.wanted = gib(8)});
  hint.outcome = oom_outcome::hint;
  hint.process = failure.process = "rank0";
  const std::vector<oom_incident> found = incidents_of(log_of({hint, failure}));
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].expected);
  CHECK(found[0].expected->bytes == 20_GiB);
  CHECK(found[0].report.outcome == oom_outcome::failed);
  failure.process = "rank1";
  CHECK(incidents_of(log_of({hint, failure})).size() == 2);
  CHECK(incidents_of(log_of({hint})).size() == 1);
  oom_report worse = hint;
  worse.used = gib(30);
  const std::vector<oom_incident> hints = incidents_of(log_of({hint, worse, hint}));
  REQUIRE(hints.size() == 1);
  CHECK(hints[0].report.used->bytes == 30_GiB);
}
