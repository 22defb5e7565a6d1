#include <hlolint/tool/logs/line_prefix.hpp>

#include <doctest/doctest.h>

using namespace hlolint::logs;

TEST_CASE("what loggers and launchers write before a message") {
  CHECK(bare("(w pid=1, ip=10.0.0.1) E0102 03:04:05.6 7 x.cc:8] a", true).text == "a");
  CHECK(bare("    reserved  1.0G", true).text == "    reserved  1.0G");
  CHECK(bare("    a [b]", true).text == "    a [b]");
  CHECK(bare("12: [rank3]: a", true).process[0] == "12");
  CHECK(bare("12: [rank3]: a", true).process[1] == "rank3");
  CHECK(bare("2026-01-18T12:34:56.78Z stderr P a", true).goes_on);
  CHECK(bare("web-1  | a", true).text == "a");
}

TEST_CASE("colors of a terminal") {
  CHECK(color_size("\x1b[0m") == 4);
  CHECK(color_size("[2m") == 3);
  CHECK(color_size("[2]") == 0);
  CHECK(color_size("[m") == 0);
}

TEST_CASE("a prefix is what two lines have in common but for its digits") {
  CHECK(common_prefix_size("app 12:00:01 x: a: b", "app 12:00:02 x: c", 99) == 16);
  CHECK(common_prefix_size("a: b", "c: d", 99) == 0);
  CHECK(common_prefix_size("ERROR:trainer.loop:a b", "ERROR:trainer.loop:  c", 99) == 19);
  CHECK(common_prefix_size("logs/worker3.log:9:a", "logs/worker3.log:8:  b", 99) == 19);
  CHECK(common_prefix_size("train\tRun step\tE a", "train\tRun step\tF", 99) == 15);
  CHECK(common_prefix_size("02:03:04 Ran", "02:03:05 Size", 99) == 9);
  CHECK(common_prefix_size("1796093584.12 Ran", "1796093584.25 Size", 99) == 14);
  CHECK(common_prefix_size("Size of a", "Size of b", 99) == 0);
  CHECK(common_prefix_size("Error: no a", "Error: no b", 6) == 0);
  CHECK(after_prefix("12:00:01: b", "12:00:02: ") == "b");
}
