#include <hlolint/checks/aliasing/outputs_share_bytes.hpp>

#include "checks/paired_fixtures.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// Two values with positions in the root, `t`, which the dump names.
texts outcome_of(const value_row& first, const value_row& second) {
  return outcome(outputs_share_bytes{},
                 dump_of({{live_out, {first, second}},
                          {", output shape is |(u8[32], u8[32])|, maybe-live-out", {{"t{}", 0, 16, 5, 6, {}}}}},
                         5));
}
value_row row_at(const std::string& name, std::int64_t offset, std::int64_t start, std::int64_t end,
                 std::vector<std::string> positions, std::vector<std::int64_t> uses = {}) {
  value_row out{name, offset, 32, start, end, std::move(uses)};
  out.positions = std::move(positions);
  return out;
}

}  // namespace

TEST_CASE("ALI003 catches") {
  // The ranges are cut, because XLA holds both for one buffer.
  CHECK(outcome_of(row_at("a", 0, 1, 2, {"t {0}"}), row_at("b", 0, 2, 6, {"t {1}"})) ==
        texts{"error: b and a are both results of the program, and share bytes of allocation 0"});
  CHECK(outcome_of(row_at("a", 0, 1, 2, {"t {0}"}), row_at("b", 16, 2, 6, {"t {1}"})).size() == 1);
  CHECK(outcome_of(row_at("f{0}", 0, 1, 1, {}, {4}), row_at("f{1}", 0, 1, 4, {}, {4})) ==
        texts{"error: f{1} and f{0} are both made by f and read, and share bytes of allocation 0"});
  // The root is known from the HLO.
  CHECK(paired_outcome(outputs_share_bytes{}, small_module("%n, %a"),
                       {{live_out, {row_at("n", 0, 1, 4, {"t {0}"}), row_at("a", 0, 4, 6, {"t {1}"})}}})
            .size() == 1);
}

TEST_CASE("ALI003 does not catch") {
  CHECK(outcome_of(row_at("a", 0, 1, 6, {"t {0}"}), row_at("b", 32, 2, 6, {"t {1}"})).empty());
  CHECK(outcome_of(row_at("a", 0, 1, 6, {"t {0}"}), row_at("b", 0, 2, 6, {"t {1}"})).empty());  // MEM001
  // only b is a result
  CHECK(outcome_of(row_at("a", 0, 1, 2, {}, {2}), row_at("b", 0, 2, 6, {"t {1}"})).empty());
  CHECK(outcome_of(row_at("a", 0, 1, 2, {"t {0}"}), row_at("b", 0, 2, 6, {"t {0}"})).empty());  // either of them is
  CHECK(outcome_of(row_at("f{0}", 0, 1, 1, {}), row_at("f{1}", 0, 1, 4, {}, {4})).empty());     // no one reads f{0}
}
