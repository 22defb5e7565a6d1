#include <hlolint/lint/accept/baseline.hpp>
#include <hlolint/lint/accept/suppression.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace hlolint;

static_assert(is_day("2026-12-31") && !is_day("2026-13-01") && !is_day("31.12.2026"));

namespace {
diagnostic found(std::string rule, std::string module, std::string instruction, std::optional<byte_count> bytes = {}) {
  diagnostic d;
  d.rule = std::move(rule);
  d.name = "tile-padding";
  d.module = std::move(module);
  d.instruction = std::move(instruction);
  d.op_name = "jit(f)/dot_general";
  d.bytes = bytes;
  return d;
}
suppression of(std::string rule, std::string module, std::string instruction, std::string op_name) {
  return {std::move(rule), std::move(module), std::move(instruction), std::move(op_name), "known", ""};
}
}  // namespace

TEST_CASE("a suppression covers what all of its patterns match") {
  const diagnostic d = found("PAD001", "jit_f.12", "fusion.3.1");
  struct {
    suppression s;
    bool covered;
  } const table[] = {
      {of("PAD001", "", "", ""), true},
      {of("PAD", "", "", ""), true},
      {of("tile-padding", "", "", ""), true},
      {of("ALL", "", "", ""), true},
      {of("PAD002", "", "", ""), false},
      {of("", "", "", ""), false},
      {of("PAD", "jit_f", "", ""), true},
      {of("PAD", "jit_f.12", "", ""), true},
      {of("PAD", "jit_g*", "", ""), false},
      {of("PAD", "", "fusion", ""), true},
      {of("PAD", "", "fusion.3.1", ""), true},
      {of("PAD", "", "fusion.4", ""), false},
      {of("PAD", "", "", "*/dot_general"), true},
      {of("PAD", "", "", "*/add"), false},
      {of("PAD", "jit_*", "f*", "jit(?)/*"), true},
  };
  for (const auto& row : table) {
    const std::string patterns = row.s.rule + " " + row.s.module + " " + row.s.instruction + " " + row.s.op_name;
    CAPTURE(patterns);
    CHECK(covers(row.s, d) == row.covered);
  }
}

TEST_CASE("suppressions count what they dismiss, expire, and leave reading errors alone") {
  std::vector<diagnostic> list{found("PAD001", "m", "a"), found("SYN001", "m", "a"), found("COL001", "m", "a")};
  suppression late = of("COL", "", "", "");
  late.expires = "2026-01-31";
  CHECK(dismiss({of("ALL", "other", "", ""), of("PAD", "", "", ""), late}, "2026-02-01", list) ==
        std::vector<std::size_t>{0, 1, 0});
  CHECK(list[0].dismissed->reason == "known");
  CHECK(!list[1].dismissed);
  CHECK(!list[2].dismissed);
  CHECK(dismiss({late}, "2026-01-31", list) == std::vector<std::size_t>{1});
}

TEST_CASE("a baseline keeps old findings quiet, and not those that are more or worse") {
  const std::vector<diagnostic> before{found("PAD001", "jit_f.1", "fusion.1", 100),
                                       found("PAD001", "jit_f.1", "fusion.2", 200), found("SYN001", "jit_f.1", "x")};
  baseline known;
  known.findings = baseline_entries(before);
  REQUIRE(known.findings.size() == 1);  // the names differ in numbers only
  CHECK(known.findings[0].count == 2);
  CHECK(known.findings[0].bytes == 200);

  std::vector<diagnostic> same{found("PAD001", "jit_f.7", "fusion.8", 200),
                               found("PAD001", "jit_f.7", "fusion.9", 100)};
  CHECK(dismiss(known, same) == std::vector<std::size_t>{2});
  CHECK(same[0].dismissed.has_value());
  CHECK(same[1].dismissed.has_value());

  std::vector<diagnostic> more{found("PAD001", "jit_f", "fusion", 200), found("PAD001", "jit_f", "fusion", 150),
                               found("PAD001", "jit_f", "fusion", 100)};
  dismiss(known, more);
  CHECK(!more[0].dismissed);  // the worst of three where two are known
  CHECK(more[2].dismissed.has_value());

  std::vector<diagnostic> worse{found("PAD001", "jit_f", "fusion", 201), found("PAD001", "jit_g", "fusion", 1)};
  dismiss(known, worse);
  CHECK(!worse[0].dismissed);
  CHECK(worse[0].message.ends_with("(at most 200B in the baseline)"));
  CHECK(!worse[1].dismissed);
  CHECK(worse[1].message == found("PAD001", "jit_g", "fusion", 1).message);
}

TEST_CASE("the memory that a baseline keeps of a module is found by its name without a number") {
  baseline known;
  CHECK(known.module("jit_f") == nullptr);
  known.modules.resize(2);
  known.modules[0].module = "jit_f";
  known.modules[1].module = "jit_g";
  CHECK(known.module("module_0012.jit_g.3") == &known.modules[1]);
  CHECK(known.module("jit_g_2") == nullptr);
}
