#include "report/listed_rules.hpp"

#include <hlolint/tool/report/reading_rules.hpp>
#include <hlolint/tool/report/rule_tables.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <sstream>
#include <vector>

using namespace hlolint;
using namespace hlolint::report;
using namespace hlolint::testing;

namespace {

std::vector<rule_entry> all_rules() { return with_reading_rules(listed_rules()); }

}  // namespace

TEST_CASE("the rules of reading stand between those of a catalogue, by id") {
  const auto list = all_rules();
  REQUIRE(list.size() == 1 + reading_rules.size());
  CHECK(list[0].about == big_value::about);
  CHECK(list[1].about.id == "CFG001");
  CHECK(list.back().about.id == "SYN002");
}

TEST_CASE("only SYN rules report that something was not read") {
  CHECK(is_reading_error("SYN001"));
  CHECK_FALSE(is_reading_error("DMP006"));
  CHECK_FALSE(is_reading_error(""));
}

TEST_CASE("find_rule: by id or name") {
  const auto list = all_rules();
  CHECK(find_rule(list, "big-value") == &list[0]);
  CHECK(find_rule(list, "SYN001")->about.name == "syntax");
  CHECK(find_rule(list, "big") == nullptr);
}

TEST_CASE("write_rule_table") {
  std::ostringstream out;
  write_rule_table(out, {all_rules()[0]});
  CHECK(out.str() ==
        "AAA001  big-value  warning  buffers, live-ranges\n"
        "        A value that is big.\n");
}

TEST_CASE("write_rules_json") {
  std::ostringstream out;
  write_rules_json(out, all_rules());
  const auto read = nlohmann::ordered_json::parse(out.str());
  CHECK(read["schema"] == 1);
  CHECK(read["rules"].size() == 1 + reading_rules.size());
  CHECK(read["rules"][0].dump() ==
        R"({"id":"AAA001","name":"big-value","level":"warning","since":"0.2","reads":["buffers","live-ranges"],)"
        R"("what":"A value that is big.","why":"Memory is small. And this sentence goes on for longer than one line.",)"
        R"("advice":"Make it smaller.","example":"line one\n  line two","source":"arithmetic",)"
        R"("options":[{"name":"most","default":"16MiB","help":"largest size that is not big"}]})");
}

TEST_CASE("write_explanation") {
  std::ostringstream out;
  write_explanation(out, all_rules()[0], 40);
  CHECK(out.str() == R"(AAA001 big-value (warning, since 0.2)

What it reports
  A value that is big.

Why this is bad
  Memory is small. And this sentence
  goes on for longer than one line.

What to do
  Make it smaller.

Example
  line one
    line two

Reads
  buffers, live-ranges

Options
  most = 16MiB
    largest size that is not big

Where this comes from
  arithmetic
)");
}
