#include <hlolint/analysis/buffers/overlap_class.hpp>

#include <doctest/doctest.h>

#include <set>
#include <string_view>

using namespace hlolint;

TEST_CASE("overlap_class: names differ, and what may be a fault is what no rule of XLA's explains") {
  std::set<std::string_view> names;
  int conflicts = 0;
  for (int c = 0; c < static_cast<int>(overlap_class::count); ++c) {
    const auto one = static_cast<overlap_class>(c);
    CHECK_FALSE(name_of(one).empty());
    CHECK(names.insert(name_of(one)).second);
    conflicts += is_conflict(one);
  }
  CHECK(name_of(overlap_class::hand_off) == "hand-off");
  CHECK(name_of(overlap_class::clash) == "clash");
  CHECK(conflicts == 6);
  for (const overlap_class fine : {overlap_class::no_range, overlap_class::disjoint, overlap_class::one_buffer,
                                   overlap_class::may_share, overlap_class::hand_off, overlap_class::declared_alias})
    CHECK_FALSE(is_conflict(fine));
}
