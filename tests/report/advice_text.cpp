// What `advise` says that a module needs after the edits.
#include <hlolint/report/advise/advice_text.hpp>

#include <doctest/doctest.h>

using namespace hlolint;

TEST_CASE("a gain that rounds to nothing is given in bytes") {
  advise::schedule_advice advice;
  advice.edits.resize(2);
  advice.need = 1000 * 1024 * 1024, advice.after = advice.need;
  CHECK(report::after_text(advice) == "1000.00MiB, as much as before, by 2 edits");
  advice.after = advice.need - 2048;
  CHECK(report::after_text(advice) == "1000.00MiB, 2.0KiB less, by 2 edits");
  advice.after = advice.need / 4 * 3;
  CHECK(report::after_text(advice) == "750.00MiB, 25.0 % less, by 2 edits");
}
