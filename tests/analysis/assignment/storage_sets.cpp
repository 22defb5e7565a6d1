#include <hlolint/analysis/assignment/storage_sets.hpp>

#include "analysis/assigned_text.hpp"
#include "analysis/facts_of.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("storage_sets: how each set gets its bytes, and the order in which they are looked at") {
  const facts_of facts(
      entry_text("  p = f32[64]{0} parameter(0)\n  q = f32[8]{0} parameter(1)\n  k = f32[4]{0} constant({1, 2, 3, 4})\n"
                 "  f = f32[64]{0} fusion(p), kind=kLoop, calls=fused\n  s = f32[2]{0:S(1)} custom-call(f), "
                 "custom_call_target=\"k\"\n"
                 "  z = f32[] constant(0)\n  d = f32[] reduce(f, z), dimensions={0}, to_apply=sum\n"
                 "  n = f32[8]{0} negate(q)\n  ROOT t = (f32[], f32[8]{0}, f32[64]{0}) tuple(d, n, p)\n",
                 "\nfused {\n  x = f32[64]{0} parameter(0)\n  ROOT y = f32[64]{0} negate(x)\n}\n\nsum {\n  a = f32[] "
                 "parameter(0)\n"
                 "  b = f32[] parameter(1)\n  ROOT c = f32[] add(a, b)\n}\n",
                 ", input_output_alias={ {1}: (1, {}, may-alias) }"));
  const alias_sets& sets = facts.ranges.sets();
  const storage_sets storage(sets, assignment_rules{});
  const auto of = [&](std::string_view value) { return storage[sets.set_of(facts.value(value))]; };
  CHECK(of("p").kind == storage_kind::parameter);
  CHECK(of("p").lives_out);
  CHECK_FALSE(of("p").donated);
  CHECK(of("q").kind == storage_kind::parameter);
  CHECK(of("q").donated);
  CHECK(sets.set_of(facts.value("n")) == sets.set_of(facts.value("q")));
  CHECK(of("k").kind == storage_kind::constant);
  CHECK(of("k").size == 16);
  CHECK(of("f").kind == storage_kind::shared);
  CHECK_FALSE(of("f").lives_out);
  CHECK(of("s").color == 1);
  CHECK(of("t{}").kind == storage_kind::table);
  CHECK(of("x").kind == storage_kind::nowhere);
  CHECK(of("c").kind == storage_kind::thread_local_);
  CHECK_FALSE(storage.has_unknown_size());
  std::string order, local;
  for (const std::uint32_t set : storage.order())
    order += facts.names.text_of(facts.flow().values()[sets.values(set)[0]]) + " ";
  for (const std::uint32_t set : storage.local_order())
    local += facts.names.text_of(facts.flow().values()[sets.values(set)[0]]) + " ";
  CHECK(order.starts_with("p f "));  // the largest first, of equal ones a result
  CHECK(storage.order().size() == 8);
  CHECK(storage.local_order().size() == 3);
}

TEST_CASE("of equal sets the one whose slot comes first goes first") {
  // t{0} is moved to the slot of p, x and y, which has more values when w joins them: t{1} comes before it.
  CHECK(assigned(R"(HloModule m, is_scheduled=true, input_output_alias={ {1}: (0, {}, may-alias) }

ENTRY e {
  p = f32[64]{0} parameter(0)
  q = f32[64]{0} parameter(1)
  t = (f32[64]{0}, f32[64]{0}) custom-call(q), custom_call_target="k"
  v = f32[64]{0} get-tuple-element(t), index=0
  z = f32[64]{0} get-tuple-element(t), index=1
  x = f32[64]{0} custom-call(p), custom_call_target="u", output_to_operand_aliasing={{}: (0, {})}
  y = f32[64]{0} custom-call(x), custom_call_target="u", output_to_operand_aliasing={{}: (0, {})}
  w = f32[64]{0} custom-call(v, y), custom_call_target="u", output_to_operand_aliasing={{}: (0, {})}
  ROOT r = (f32[64]{0}, f32[64]{0}) tuple(z, w)
}
)") == "sizes 256 256 256 16 16; "
       "0: t{1}; "
       "1: t{0} p x y w; "
       "2: q; "
       "3: r{}; "
       "4: t{}");
}

TEST_CASE("of equal sizes the first in post order goes first") {
  CHECK(assigned(R"(HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }

ENTRY e {
  p0 = f32[64]{0} parameter(0)
  v0 = f32[64]{0} negate(p0)
  v1 = f32[64]{0} custom-call(v0, p0), custom_call_target="k"
  v2 = f32[64]{0} copy(p0)
  v3 = f32[64]{0} custom-call(v2), custom_call_target="u", output_to_operand_aliasing={{}: (0, {})}
  ROOT r = (f32[64]{0}, f32[64]{0}, f32[64]{0}) tuple(v3, v0, p0)
}
)") == "sizes 256 256 24 256; "
       "0: p0 v2 v3; "
       "1: v0; "
       "2: r{}; "
       "3: v1");
}

TEST_CASE("of equal sizes, what XLA for CPUs outlined goes in the order of the numbers of its calls") {
  const auto first_of = [](const std::string& prefix) {
    const facts_of facts(
        entry_text("  x = f32[8]{0} parameter(0)\n  call.1 = f32[8]{0} call(x), to_apply=" + prefix +
                       "a\n  call = f32[8]{0} call(x), to_apply=" + prefix +
                       "b\n  ROOT t = (f32[8]{0}, f32[8]{0}) tuple(call.1, call)\n",
                   "\n" + prefix + "a {\n  p = f32[8]{0} parameter(0)\n  ROOT a = f32[8]{0} negate(p)\n}\n\n" + prefix +
                       "b {\n  q = f32[8]{0} parameter(0)\n  ROOT b = f32[8]{0} negate(q)\n}\n"));
    const alias_sets& sets = facts.ranges.sets();
    const storage_sets storage(sets, assignment_rules{});
    for (const std::uint32_t set : storage.order())
      for (const std::string_view name : {"a", "b"})
        if (set == sets.set_of(facts.value(name))) return std::string(name);
    return std::string();
  };
  CHECK(first_of("plain_") == "b");
  CHECK(first_of("parallel_") == "a");
}
