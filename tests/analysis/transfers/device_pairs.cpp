#include <hlolint/analysis/transfers/device_pairs.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("cycles of pairs") {
  CHECK(has_cycle({{0, 1}, {1, 0}}));
  CHECK(has_cycle({{0, 1}, {1, 2}, {2, 3}, {3, 1}}));
  CHECK(has_cycle({{4, 4}}));
  CHECK_FALSE(has_cycle({{0, 1}, {1, 2}, {0, 2}, {5, 1}}));
  CHECK_FALSE(has_cycle({}));
}

TEST_CASE("repeated devices") {
  CHECK(find_repeated_device({{0, 1}, {0, 2}}) == repeated_device{0, true});
  CHECK(find_repeated_device({{0, 1}, {2, 1}}) == repeated_device{1, false});
  CHECK(find_repeated_device({{0, 1}, {0, 2}}, 2) == std::nullopt);
  CHECK(find_repeated_device({{0, 1}, {1, 0}}) == std::nullopt);
}

TEST_CASE("connected devices") {
  using sets = std::vector<std::vector<std::int64_t>>;
  CHECK(connected_devices({{0, 1}, {3, 2}, {1, 2}, {5, 5}}) == sets{{0, 1, 2, 3}, {5}});
  CHECK(connected_devices({{0, 1}, {2, 3}}) == sets{{0, 1}, {2, 3}});
  CHECK(connected_devices({}).empty());
}

TEST_CASE("pairs of send and recv") {
  const hlo_module module = module_of(
      "HloModule m\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n  %t = token[] after-all()\n"
      "  %s = (f32[8]{0}, u32[], token[]) send(%p, %t), channel_id=1, "
      "frontend_attributes={_xla_send_recv_pipeline=\"0\",_xla_send_recv_source_target_pairs={{0,1},{1,2}}}\n"
      "  ROOT %d = token[] send-done(%s), channel_id=1\n}\n");
  const auto pairs = send_recv_pairs(instruction_of(module, "s"));
  REQUIRE(pairs);
  CHECK(pairs->pairs == std::vector<device_pair>{{0, 1}, {1, 2}});
  CHECK(pairs_text(pairs->pairs) == "{{0,1},{1,2}}");
  CHECK(pairs_text(pairs->pairs, 1) == "{{0,1},...}");
  CHECK(is_pipelined_send_recv(instruction_of(module, "s")));
  CHECK_FALSE(send_recv_pairs(instruction_of(module, "d")));
  CHECK_FALSE(is_pipelined_send_recv(instruction_of(module, "d")));
}
