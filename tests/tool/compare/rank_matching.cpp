#include <hlolint/lint/related_modules.hpp>
#include <hlolint/tool/compare/rank_digest.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::compare;
using namespace hlolint::testing;

namespace {

/// `0 1 / 2`: positions that match, and those that match nothing.
std::string matched(const std::vector<ranked_module>& modules) {
  std::string out;
  for (const matched_modules& row : match_modules(modules)) {
    out += out.empty() ? "" : " / ";
    for (std::size_t i = 0; i < row.size(); ++i) out += (i ? " " : "") + std::to_string(row[i]);
  }
  return out;
}

}  // namespace

TEST_CASE("modules of ranks match by name") {
  CHECK(matched({{0, "f", 1, 1}, {0, "g", 1, 1}, {1, "f", 1, 1}, {1, "g", 1, 1}}) == "0 2 / 1 3");
  CHECK(matched({{0, "f", 1, 1}, {1, "f", 1, 2}}) == "0 1");  // they differ: that is the finding
  CHECK(matched({{0, "f", 1, 1}, {1, "f", 2, 2}}) == "0 1");
  CHECK(matched({{0, "stage_0", 1, 1}, {1, "stage_1", 1, 2}}) == "0 / 1");
  CHECK(matched({}) == "");
}

TEST_CASE("of several modules of one name equal ones match") {
  // in another order, and one that is on a rank only
  CHECK(matched({{0, "f", 1, 1}, {0, "f", 2, 2}, {0, "f", 3, 3}, {1, "f", 3, 3}, {1, "f", 1, 1}}) == "0 4 / 1 / 2 3");
  // what is left over: equal signatures before others
  CHECK(matched({{0, "f", 1, 1}, {0, "f", 2, 2}, {1, "f", 2, 9}, {1, "f", 1, 8}}) == "0 3 / 1 2");
  CHECK(matched({{0, "f", 1, 1}, {0, "f", 2, 2}, {1, "f", 1, 1}, {1, "f", 3, 3}}) == "0 2 / 1 3");
  // equal ones of one rank stay apart
  CHECK(matched({{0, "f", 1, 1}, {0, "f", 1, 1}, {1, "f", 1, 1}, {1, "f", 1, 1}}) == "0 2 / 1 3");
  // the one that differs joins the many, on whichever rank it is
  CHECK(matched({{0, "f", 1, 9}, {1, "f", 1, 1}, {2, "f", 1, 1}, {3, "f", 1, 1}}) == "0 1 2 3");
}

TEST_CASE("thousands of modules of one name that all differ") {
  constexpr std::size_t many = 100'000;
  std::vector<ranked_module> modules;
  for (std::size_t rank = 0; rank < 2; ++rank)
    for (std::size_t k = 0; k < many; ++k) modules.push_back({rank, "f", 2 * k + rank, k});
  const std::vector<matched_modules> rows = match_modules(modules);
  REQUIRE(rows.size() == many);
  bool in_order = true;
  for (std::size_t k = 0; k < many; ++k) in_order = in_order && rows[k] == matched_modules{k, many + k};
  CHECK(in_order);
  // on three ranks, with some that two of them share
  CHECK(matched({{0, "f", 1, 1}, {1, "f", 2, 2}, {0, "f", 3, 3}, {1, "f", 3, 3}, {2, "f", 4, 4}, {2, "f", 5, 5}}) ==
        "0 1 5 / 2 3 4");
}

TEST_CASE("entry_signature distinguishes shapes, not names") {
  const auto signature = [](const std::string& type, const std::string& name) {
    return entry_signature(module_of("HloModule m\n\nENTRY %e {\n  %" + name + " = " + type +
                                     " parameter(0)\n  ROOT %r = " + type + " negate(%" + name + ")\n}\n"));
  };
  CHECK(signature("f32[8]{0}", "p") == signature("f32[8]{0}", "q.1"));
  CHECK(signature("f32[8]{0}", "p") != signature("f32[9]{0}", "p"));
  CHECK(signature("f32[8]{0}", "p") != signature("bf16[8]{0}", "p"));
}

TEST_CASE("ranks_text names a few") {
  CHECK(ranks_text({"a"}) == "a");
  CHECK(ranks_text({"a", "b"}) == "a and b");
  CHECK(ranks_text({"a", "b", "c"}) == "a, b and c");
  CHECK(ranks_text({"a", "b", "c", "d"}) == "a, b and 2 others");
}
