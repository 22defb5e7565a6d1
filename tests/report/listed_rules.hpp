// A list of one rule with all that a rule can have.
#pragma once

#include <hlolint/report/rule_list.hpp>

#include <tuple>
#include <vector>

namespace hlolint::testing {

struct big_value {
  static constexpr rule about{.id = "AAA001",
                              .name = "big-value",
                              .level = severity::warning,
                              .since = "0.2",
                              .needs = need::live_ranges,
                              .what = "A value that is big.",
                              .why = "Memory is small. And this sentence goes on for longer than one line.",
                              .advice = "Make it smaller.",
                              .example = "line one\n  line two",
                              .source = "arithmetic"};
  byte_count most = 16_MiB;
  static constexpr auto options = std::tuple{option{"most", &big_value::most, "largest size that is not big"}};
  void operator()(const buffer_dump&, sink auto&) const {}
};
inline std::vector<report::rule_entry> listed_rules() { return report::list_check_rules(catalogue{big_value{}}); }

}  // namespace hlolint::testing
