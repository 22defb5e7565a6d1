#include "tool/report/memory/memory_fixture.hpp"

#include <hlolint/tool/report/verification_report.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <sstream>
#include <string>

using namespace hlolint;
using namespace hlolint::report;
using namespace hlolint::testing;

namespace {

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}
std::string text_of(const verification& compared) {
  std::ostringstream out;
  write_verification(out, compared, "small", "dumps/small.txt");
  return out.str();
}
nlohmann::ordered_json json_of(const verification& compared) {
  std::ostringstream out;
  json_writer json(out);
  write_verification_json(json, compared, "small", "dumps/small.txt");
  return nlohmann::ordered_json::parse(out.str());
}

}  // namespace

TEST_CASE("write_verification: equal") {
  const verification compared(module_of(small_hlo), buffers_of(small_buffers));
  CHECK(text_of(compared) == R"(dumps/small.txt: module small: all equal
  section      equal  of  unknown
  sizes            4   4        0
  sequence         4   4        0
  values           4   4        0
  positions        4   4        0
  uses             4   4        0
  live_ranges      4   4        0
  peak             4   4        0

)");
  CHECK(json_of(compared)["verified"]["peak"].dump() == R"({"equal":4,"total":4,"unknown":0})");
}

TEST_CASE("write_verification: different values side by side") {
  const verification compared(module_of(small_hlo), buffers_of(changed(small_buffers, "b{}:2-3", "b{}:2-4")));
  const std::string text = text_of(compared);
  CHECK(text.find("module small: not all equal\n") != std::string::npos);
  CHECK(text.find("  live_ranges      3   4        0\n") != std::string::npos);
  CHECK(text.find(R"(
  the first that differ in each section
  line  section      value  printed  computed
    47  live_ranges  b{}    2-4      2-3
)") != std::string::npos);
  CHECK(json_of(compared)["verified"]["live_ranges"].dump() == R"({"equal":3,"total":4,"unknown":0})");
}

TEST_CASE("write_verification: a section that the dump does not have is left out") {
  const verification compared(module_of(small_hlo), buffers_of(without_live_ranges()));
  const auto sections = json_of(compared)["verified"];
  CHECK(sections.contains("uses"));
  CHECK_FALSE(sections.contains("live_ranges"));
  CHECK_FALSE(sections.contains("peak"));
  CHECK(text_of(compared).find("peak") == std::string::npos);
}

TEST_CASE("write_verification: the assignment, where its rules are known") {
  const hlo_module module = module_of(small_hlo);
  const buffer_dump dump = buffers_of(small_buffers);
  const verification compared(module, dump);
  const assignment_comparison assigned(module, dump, target::gpu);
  std::ostringstream out, members;
  write_verification(out, compared, "small", "dumps/small.txt", &assigned);
  CHECK(out.str().find("\n  assignment ") != std::string::npos);
  CHECK((out.str().find("cause: ") == std::string::npos) == assigned.is_equal());
  json_writer json(members);
  write_verification_json(json, compared, "small", "dumps/small.txt", &assigned);
  const auto section = nlohmann::ordered_json::parse(members.str())["verified"]["assignment"];
  CHECK(section["equal"] == assigned.values().equal);
  CHECK(section["total"] == assigned.values().total);
  CHECK(section.contains("cause") == (assigned.cause() != assignment_cause::equal));
  CHECK(text_of(compared).find("assignment") == std::string::npos);
}
