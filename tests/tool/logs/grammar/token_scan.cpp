#include <hlolint/tool/logs/grammar/token_scan.hpp>

#include <doctest/doctest.h>

using namespace hlolint::logs;

TEST_CASE("tokens of reports about memory") {
  CHECK(taken(row_label, "Max free chunk 1.0G") == "Max free chunk");
  CHECK(taken(row_label, "global:  1.0G") == "global");
  CHECK(taken(spaced_size, "2.00 GiB (GPU") == "2.00 GiB");
  CHECK(taken(spaced_size, "2.00 of") == "");
  CHECK(taken(tensor, "[64,9] and type float on /job") == "[64,9] and type float");
  CHECK(taken(vague, "x") == "");
}
