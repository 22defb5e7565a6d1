// Linting a module whose text is cut off before ENTRY: what is whole is linted, and what was not is stated.
#include <hlolint/checks/all.hpp>
#include <hlolint/hlolint.hpp>

#include "checks/paired_fixtures.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

std::string text(const std::string& end) {
  return R"(HloModule m, is_scheduled=true, entry_computation_layout={(f32[16777216]{0}, s32[])->f32[16777216]{0}}, num_partitions=4

%fused (fp: f32[16777216]) -> f32[16777216] {
  %fp = f32[16777216]{0} parameter(0)
  ROOT %fn = f32[16777216]{0} negate(%fp)
}

%body (op: f32[16777216]) -> f32[16777216] {
  %op = f32[16777216]{0} parameter(0)
  %of = f32[16777216]{0} fusion(%op), kind=kLoop, calls=%fused
  %s = (f32[16777216]{0}, f32[67108864]{0}) all-gather-start(%of), channel_id=1, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true
  %done = f32[67108864]{0} all-gather-done(%s)
  ROOT %slice = f32[16777216]{0} slice(%done), slice={[0:16777216]}
}

)" + end;
}

const std::string entry =
    "ENTRY %e (a: f32[16777216], b: s32[]) -> f32[16777216] {\n  %a = f32[16777216]{0} parameter(0)\n  %b = s32[] "
    "parameter(1)\n"
    "  ROOT %c = f32[16777216]{0} call(%a), to_apply=%body\n}\n";

std::size_t count(const findings& found, std::string_view rule) {
  return static_cast<std::size_t>(
      std::count_if(found.begin(), found.end(), [&](const diagnostic& d) { return d.rule == rule; }));
}

}  // namespace

TEST_CASE("a text that ends before ENTRY is linted as far as it is whole, and the report states how far") {
  // An all-gather with nothing between start and done.
  const auto check = [](const std::string& t) {
    const parsed_file file = parse_hlo(source(t));
    return lint(empty_overlap_window{}, context({.hlo = file.modules().at(0), .target = target::gpu}));
  };
  const findings whole = check(text(entry)), cut = check(text(""));
  CHECK(whole.skipped.empty());
  CHECK(count(whole, "COL002") == count(cut, "COL002"));
  CHECK(count(cut, "COL002") == 1);
  REQUIRE(cut.skipped.size() == 1);
  CHECK(cut.skipped[0].rule == "COL002");
  CHECK(cut.skipped[0].reason ==
        "checked in part: ENTRY is missing, 1 of 2 computations are known to run step by step");
}

TEST_CASE("a module cut off anywhere has no finding that the whole module has not") {
  const std::string all_text = text(entry);
  const parsed_file whole_file = parse_hlo(source(all_text));
  std::vector<std::string> known;
  for (const diagnostic& d : lint(all, whole_file.modules().at(0))) known.push_back(d.rule + d.instruction);
  for (std::size_t size = all_text.find("%fused"); size < all_text.size(); size += 7) {
    CAPTURE(all_text.substr(0, size));
    const parsed_file file = parse_hlo(source(all_text.substr(0, size)));
    for (const hlo_module& m : file.modules())
      for (const diagnostic& d : lint(all, m)) {
        CAPTURE(d.message);
        CHECK((d.level != severity::error ||
               std::find(known.begin(), known.end(), d.rule + d.instruction) != known.end()));
      }
  }
}

TEST_CASE("a module cut off anywhere is linted beside its buffers") {
  const std::string small = small_module();
  const buffer_dump buffers = paired_dump(
      module_of(small), {{", parameter 0, shape |f32[8]| at ShapeIndex {}", {{"p", 0, 32, 0, 6}}},
                         {", preallocated-temp", {{"n", 0, 32, 1, 4}, {"m", 32, 32, 2, 3}, {"k", 64, 32, 3, 4}}}});
  for (std::size_t size = 0; size < small.size(); ++size) {
    CAPTURE(small.substr(0, size));
    const parsed_file file = parse_hlo(source(small.substr(0, size)));
    for (const hlo_module& m : file.modules())
      CHECK_NOTHROW(lint(all, context({.hlo = m, .buffers = buffers, .target = target::tpu})));
  }
}
