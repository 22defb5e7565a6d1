#include <hlolint/checks/memory/live_range_disagreement.hpp>

#include "checks/paired_fixtures.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

texts outcome_of(const value_row& n, const value_row& m) {
  return paired_outcome(live_range_disagreement{}, small_module(),
                        {{temp, {n, m}}, {live_out, {{"a", 0, 32, 4, 6, {}}}}});
}

}  // namespace

TEST_CASE("MEM011 catches") {
  CHECK(outcome_of({"n", 0, 32, 1, 1, {4}}, {"m", 0, 32, 2, 3, {3}}) ==
        texts{"warning: m (bytes 0 to 32 of allocation 0, live 2-3 by the HLO, 2-3 by the dump) overlaps n (bytes 0 "
              "to 32 of allocation 0, "
              "live 1-4 by the HLO, 1-1 by the dump), which the HLO still needs"});
  value_row unranged{"n", 0, 32, 1, 4, {4}};
  unranged.ranged = false;
  CHECK(outcome_of(unranged, {"m", 0, 32, 2, 3, {3}}).size() == 1);
}

TEST_CASE("MEM011 is an error without printed ranges, except in alternate memory") {
  const hlo_module module = module_of(small_module());
  const auto level_of = [&](const std::string& flags, std::int64_t place, target backend) {
    const std::string text = dump_text({{flags, {{"n", 0, 32, 1, 4, {4}}, {"m", place, 32, 2, 3, {3}}}}});
    const texts found = outcome(
        live_range_disagreement{},
        context({.hlo = module, .buffers = buffers_of(text.substr(0, text.find("HloLiveRange"))), .target = backend}));
    return found.empty() ? std::string() : found[0].substr(0, found[0].find(':'));
  };
  CHECK(level_of(temp, 0, target::cpu) == "error");
  CHECK(level_of(temp, 0, target::gpu) == "error");
  CHECK(level_of(temp, 0, target::tpu) == "error");
  CHECK(level_of(", color 1, preallocated-temp", 0, target::tpu) == "warning");
  CHECK(level_of(temp, 32, target::cpu) == "");
}

TEST_CASE("MEM011 does not catch") {
  value_row unranged{"n", 0, 32, 1, 4, {4}};
  unranged.ranged = false;  // DMP010
  CHECK(outcome_of(unranged, {"m", 32, 32, 2, 3, {3}}).empty());
  CHECK(outcome_of({"n", 0, 32, 1, 4, {4}}, {"m", 32, 32, 2, 3, {3}}).empty());
  CHECK(outcome_of({"n", 0, 32, 1, 2, {4}}, {"m", 32, 32, 2, 3, {3}}).empty());  // shorter, but in no one's way
  CHECK(outcome_of({"n", 0, 32, 1, 4, {4}}, {"m", 0, 32, 2, 3, {3}}).empty());   // the dump shows it: MEM001
}
