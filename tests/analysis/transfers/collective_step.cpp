#include <hlolint/analysis/transfers/collective_step.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("collective_step: the bigger side, as far as it is known") {
  collective_step s;
  CHECK_FALSE(s.bytes());
  s.operand_bytes = 32;
  CHECK(s.bytes() == 32);
  s.result_bytes = 64;
  CHECK(s.bytes() == 64);
}

TEST_CASE("step_hash: the order in memory counts, tiles and memory space do not") {
  const auto of = [](const char* text) {
    detail::step_hash hash;
    hash.add(shape_of(text));
    return hash.value();
  };
  CHECK(of("f32[8,4]{1,0}") == of("f32[8,4]{1,0:T(8,128)S(1)}"));
  CHECK(of("f32[8,4]{1,0}") != of("f32[8,4]{0,1}"));
  CHECK(of("f32[8,4]{1,0}") != of("f32[4,8]{1,0}"));
  CHECK(of("f32[8,4]{1,0}") != of("s32[8,4]{1,0}"));
  CHECK(of("(f32[8]{0}, f32[4]{0})") != of("(f32[4]{0}, f32[8]{0})"));
  detail::step_hash one, two;
  one.add(1), one.add(2), two.add(2), two.add(1);
  CHECK(one.value() != two.value());
}

TEST_CASE("device_table: groups that are equal have equal keys, however they are written") {
  const hlo_module module = module_of(R"(HloModule m, replica_count=4

%sum {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %add = f32[] add(%x, %y)
}

ENTRY %e {
  %p = f32[8]{0} parameter(0)
  %t = token[] after-all()
  %a = f32[8]{0} all-reduce(%p), replica_groups={{2,3},{0,1}}, to_apply=%sum
  %b = f32[8]{0} all-reduce(%p), replica_groups=[2,2]<=[4], to_apply=%sum
  %c = f32[8]{0} all-reduce(%p), replica_groups={{2,3},{0,1}}, to_apply=%sum
  %d = f32[8]{0} all-reduce(%p), replica_groups={{0,2},{1,3}}, to_apply=%sum
  %pairs = f32[8]{0} collective-permute(%p), source_target_pairs={{1,0},{0,1}}
  %host = (f32[8]{0}, u32[], token[]) send(%p, %t), channel_id=1, is_host_transfer=true
  %sends = (f32[8]{0}, u32[], token[]) send(%p, %t), channel_id=2,
    frontend_attributes={_xla_send_recv_source_target_pairs={{0,1},{1,2}}}
  ROOT %gs = (f32[8]{0}, f32[32]{0}) all-gather-start(%p), replica_groups={{0,1,2,3}}, dimensions={0}
}
)");
  detail::device_table table(module);
  const auto add = [&](const char* name) { return table.add(instruction_of(module, name)); };
  const std::size_t a = add("a"), b = add("b");
  CHECK(add("c") == a);  // written alike: decoded once
  CHECK(b != a);
  CHECK(table.key(a) == table.key(b));
  CHECK(table.of(a) == table.of(b));
  CHECK(table.of(a).mode == group_mode::cross_replica);
  CHECK(table.of(a).groups == record_list<record_list<std::int64_t>>{{0, 1}, {2, 3}});
  CHECK(table.key(add("d")) != table.key(a));
  CHECK_FALSE(table.of(add("pairs")).mode);
  CHECK(table.of(add("pairs")).groups == record_list<record_list<std::int64_t>>{{0, 1}, {1, 0}});
  CHECK(table.of(add("sends")).groups == record_list<record_list<std::int64_t>>{{0, 1}, {1, 2}});
  CHECK(detail::is_point_to_point(instruction_of(module, "sends")));
  CHECK_FALSE(detail::is_point_to_point(instruction_of(module, "host")));
  CHECK_FALSE(detail::is_point_to_point(instruction_of(module, "pairs")));
  CHECK(*detail::result_part(instruction_of(module, "gs")) == shape_of("f32[32]{0}"));
  CHECK(*detail::result_part(instruction_of(module, "sends")) == shape_of("f32[8]{0}"));
  CHECK(*detail::result_part(instruction_of(module, "a")) == shape_of("f32[8]{0}"));
  CHECK(detail::bytes_of_operands(instruction_of(module, "gs")) == 32);
}
