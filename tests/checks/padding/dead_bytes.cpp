#include <hlolint/checks/padding/dead_bytes.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

texts outcome_of(const std::string& size, const std::vector<std::pair<int, int>>& offset_and_size) {
  std::string text = "allocation 0: size " + size + ", preallocated-temp:\n";
  int id = 0;
  for (const auto& [offset, bytes] : offset_and_size)
    text += " value: <" + std::to_string(id) + " a." + std::to_string(id) + " @0> (size=" + std::to_string(bytes) +
            ",offset=" + std::to_string(offset) + "): u8[" + std::to_string(bytes) + "]{0}\n",
        ++id;
  return outcome(dead_bytes{}, assignment_of(text));
}

}  // namespace

TEST_CASE("PAD006 catches") {
  CHECK(outcome_of("4194304", {{0, 1048576}, {3145728, 1048576}}) ==
        texts{"note: allocation 0: no value ever takes 2.00MiB of 4.00MiB, in 1 gap bytes 1048576 to 3145728"});
  CHECK(outcome_of("4194304", {{1024, 1024}, {512, 1024}}) ==
        texts{"note: allocation 0: no value ever takes 4.00MiB of 4.00MiB, in 2 gaps; the largest are bytes 2048 to "
              "4194304, 0 to 512"});
  CHECK(outcome_of("4194304", {}).size() == 1);
}

TEST_CASE("PAD006 does not catch") {
  CHECK(outcome_of("4194304", {{0, 4194304}}).empty());
  CHECK(outcome_of("4194304", {{0, 2097152}, {1048576, 3145728}}).empty());
  CHECK(outcome_of("4194304", {{0, 4194304}, {512, 1024}}).empty());
  CHECK(outcome_of("2048", {{0, 512}, {1024, 1024}}).empty());  // alignment
}
