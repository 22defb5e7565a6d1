#include <hlolint/checks/budget/many_equal_temps.hpp>

#include "checks/buffer_text.hpp"
#include "checks/memory_fixtures.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// `count` values of one size, each at an offset of its own and alive at position 10.
std::vector<value_row> equal(int count, byte_count size, std::int64_t step = 0) {
  std::vector<value_row> out;
  for (int i = 0; i < count; ++i)
    out.push_back({"a." + std::to_string(i), i * size, size, 0 + i * step, 10 + i * step, {10 + i * step}});
  return out;
}

}  // namespace

TEST_CASE("BUD005 catches") {
  CHECK(outcome(many_equal_temps{}, dump_of({{", preallocated-temp", equal(16, 20_MiB)}})) ==
        texts{"warning: at position 0, where most memory is in use, 16 temporaries of shape u8[20971520]{0} take "
              "320.00MiB of 320.00MiB; at most 300.00MiB can be saved"});
  // Small arrays of the same steps go, too.
  std::vector<value_row> both = equal(16, 20_MiB);
  for (int i = 0; i < 8; ++i) both.push_back({"b." + std::to_string(i), 320_MiB + i * 1_MiB, 1_MiB, 0, 10, {10}});
  CHECK(outcome(many_equal_temps{}, dump_of({{", preallocated-temp", both}})) ==
        texts{"warning: at position 0, where most memory is in use, 16 temporaries of shape u8[20971520]{0} take "
              "320.00MiB of 328.00MiB, as do 8.00MiB of 1 other shape; at most 307.00MiB can be saved"});
}

TEST_CASE("BUD005 does not catch") {
  CHECK(outcome(many_equal_temps{}, dump_of({{", preallocated-temp", equal(7, 40_MiB)}})).empty());
  CHECK(outcome(many_equal_temps{}, dump_of({{", preallocated-temp", equal(16, 10_MiB)}})).empty());
  CHECK(outcome(many_equal_temps{}, dump_of({{", maybe-live-out", equal(16, 20_MiB)}})).empty());
  // One after the other.
  CHECK(outcome(many_equal_temps{}, dump_of({{", preallocated-temp", equal(16, 20_MiB, 11)}}, 200)).empty());
  // A small part of what is in use.
  CHECK(outcome(many_equal_temps{}, dump_of({{", preallocated-temp", equal(16, 20_MiB)},
                                             {", maybe-live-out", {{"w", 0, 2_GiB, 0, 20, {}}}}}))
            .empty());
}
