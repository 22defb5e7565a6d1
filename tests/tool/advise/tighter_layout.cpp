// Values with much padding: stored in another dimension order, and values whose order is prescribed.
#include "tool/advise/program_changes.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

// A program with a value of 32 MiB for 2 MiB of elements.
const std::string padded = R"(HloModule m, is_scheduled=true

%make (a: f32[8,65536]) -> f32[65536,8] {
  %a = f32[8,65536]{1,0:T(8,128)} parameter(0)
  ROOT %t = f32[65536,8]{1,0:T(8,128)} transpose(%a), dimensions={1,0}
}

%read (v: f32[65536,8]) -> f32[8] {
  %v = f32[65536,8]{1,0:T(8,128)} parameter(0)
  %z = f32[] constant(0)
  ROOT %s = f32[8]{0:T(256)} reduce(%v, %z), dimensions={0}, to_apply=%sum
}

%sum (x: f32[], y: f32[]) -> f32[] {
  %x = f32[] parameter(0)
  %y = f32[] parameter(1)
  ROOT %add = f32[] add(%x, %y)
}

ENTRY %main (p: f32[8,65536]) -> f32[8] {
  %p = f32[8,65536]{1,0:T(8,128)} parameter(0)
  %value = f32[65536,8]{1,0:T(8,128)} fusion(%p), kind=kLoop, calls=%make
  ROOT %r = f32[8]{0:T(256)} fusion(%value), kind=kLoop, calls=%read
}
)";

}  // namespace

TEST_CASE("a padded value is stored in the order that takes least") {
  check_in_every_form(padded, target::tpu);
  const auto found = changes_of(padded, target::tpu);
  REQUIRE(found);
  REQUIRE(found->list.size() == 1);
  const advise::program_change& one = found->list.front();
  CHECK(one.kind == advise::change_kind::layout);
  CHECK(one.instruction == "value");
  CHECK(one.becomes == "f32[65536,8]{0,1:T(8,128)}");
  CHECK(one.bytes == 32_MiB);
  CHECK(one.bytes_after == 2_MiB);
  CHECK(found->need_before - found->need_after == 30_MiB);
  const hlo_module changed = module_of(found->text);
  CHECK(instruction_of(changed, "t.stored").opcode() == hlo_opcode::copy);
  CHECK(instruction_of(changed, "v").opcode() == hlo_opcode::copy);
  CHECK(instruction_of(changed, "v.stored").opcode() == hlo_opcode::parameter);
}

TEST_CASE("the order stays where more than the maker and fusions depend on it") {
  struct refused {
    const char *old, *changed;
  };
  const refused all[] = {
      {"ROOT %r = f32[8]{0:T(256)} fusion(%value), kind=kLoop, calls=%read",
       "%r = f32[8]{0:T(256)} fusion(%value), kind=kLoop, calls=%read\n"
       "  ROOT %out = (f32[8]{0:T(256)}, f32[65536,8]{1,0:T(8,128)}) tuple(%r, %value)"},
      {"fusion(%value), kind=kLoop", "fusion(%value), kind=kCustom"},
      {"fusion(%p), kind=kLoop", "fusion(%p), kind=kCustom"},
      {"ROOT %r = f32[8]{0:T(256)} fusion(%value)",
       "%b = f32[4096,128]{1,0:T(8,128)} bitcast(%value)\n  ROOT %r = f32[8]{0:T(256)} fusion(%value)"},
      {"fusion(%p), kind=kLoop, calls=%make", "custom-call(%p), custom_call_target=\"makes\""},
  };
  for (const refused& r : all) {
    CAPTURE(r.changed);
    CHECK_FALSE(
        changes_of(with(with(padded, "ENTRY %main (p: f32[8,65536]) -> f32[8] {", "ENTRY %main {"), r.old, r.changed),
                   target::tpu));
  }
  CHECK_FALSE(changes_of(padded, target::gpu));  // it does not tile
}

TEST_CASE("a copy is made in another order without more") {
  std::string text = with(padded, "%value = f32[65536,8]{1,0:T(8,128)} fusion(%p), kind=kLoop, calls=%make",
                          "%made = f32[65536,8]{0,1:T(8,128)} fusion(%p), kind=kLoop, calls=%make\n"
                          "  %value = f32[65536,8]{1,0:T(8,128)} copy(%made)");
  text = with(text, "ROOT %t = f32[65536,8]{1,0:T(8,128)}", "ROOT %t = f32[65536,8]{0,1:T(8,128)}");
  const auto found = change_of(text, target::tpu);
  REQUIRE(found);
  CHECK(found->instruction == "value");
  CHECK(found->bytes_after == 2_MiB);
}
