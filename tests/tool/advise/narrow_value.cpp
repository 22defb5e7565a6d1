// Values that all readers convert first, and values that some reader uses unconverted.
#include "tool/advise/program_changes.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

constexpr byte_count whole = 1048576 * 4;

const std::string wide = R"(HloModule m, is_scheduled=true

%make (a: f32[1048576]) -> f32[1048576] {
  %a = f32[1048576]{0} parameter(0)
  ROOT %e = f32[1048576]{0} exponential(%a)
}

%read (v: f32[1048576], q: bf16[1048576]) -> bf16[1048576] {
  %v = f32[1048576]{0} parameter(0)
  %q = bf16[1048576]{0} parameter(1)
  %c = bf16[1048576]{0} convert(%v)
  ROOT %s = bf16[1048576]{0} add(%c, %q)
}

ENTRY %main (p: f32[1048576]) -> bf16[1024] {
  %p = f32[1048576]{0} parameter(0)
  %value = f32[1048576]{0} fusion(%p), kind=kLoop, calls=%make, metadata={op_name="exp"}
  %narrow = bf16[1048576]{0} convert(%value)
  %part = bf16[1024]{0} custom-call(%narrow), custom_call_target="__cublas$gemm"
  %other = bf16[1048576]{0} custom-call(%part), custom_call_target="__cublas$gemm"
  %sum = bf16[1048576]{0} fusion(%value, %other), kind=kLoop, calls=%read
  ROOT %r = bf16[1024]{0} custom-call(%sum), custom_call_target="__cublas$gemm"
}
)";

}  // namespace

TEST_CASE("a value that all readers convert to one type is stored in it") {
  const auto found = changes_of(wide);
  REQUIRE(found);
  REQUIRE(found->list.size() == 1);
  const advise::program_change& one = found->list.front();
  CHECK(one.kind == advise::change_kind::narrow);
  CHECK(one.instruction == "value");
  CHECK(one.source == "exp");
  CHECK(one.shape == "f32[1048576]{0}");
  CHECK(one.becomes == "bf16[1048576]{0}");
  CHECK(one.bytes == whole);
  CHECK(one.bytes_after == whole / 2);
  CHECK(found->need_before - found->need_after == whole / 2);
  const hlo_module changed = module_of(found->text);
  CHECK(instruction_of(changed, "narrow").opcode() == hlo_opcode::bitcast);
  CHECK(instruction_of(changed, "v").shape()->type == element_type::bf16);
  CHECK(instruction_of(changed, "e.stored").is_root());
  CHECK(found->text.find("%make (a: f32[1048576]) -> bf16[1048576] {") != std::string::npos);
  CHECK(found->text.find("%read (v: bf16[1048576], q: bf16[1048576]) -> bf16[1048576] {") != std::string::npos);
}

namespace {
// The value is one of two results of a fusion.
std::string one_of_two() {
  std::string text = with(wide, "%make (a: f32[1048576]) -> f32[1048576] {", "%make {");
  text = with(text, "ROOT %e = f32[1048576]{0} exponential(%a)",
              "%e = f32[1048576]{0} exponential(%a)\n  %m = f32[1024]{0} slice(%a), slice={[0:1024]}\n"
              "  ROOT %t = (f32[1024]{0}, f32[1048576]{0}) tuple(%m, %e)");
  text = with(text, "%value = f32[1048576]{0} fusion(%p), kind=kLoop, calls=%make, metadata={op_name=\"exp\"}",
              "%two = (f32[1024]{0}, f32[1048576]{0}) fusion(%p), kind=kLoop, calls=%make\n"
              "  %value = f32[1048576]{0} get-tuple-element((f32[1024]{0}, f32[1048576]{0}) %two), index=1\n"
              "  %few = f32[1024]{0} get-tuple-element(%two), index=0");
  return with(text, "custom-call(%sum)", "custom-call(%sum, %few)");
}
}  // namespace

TEST_CASE("one result of several is stored narrow") {
  const auto found = changes_of(one_of_two());
  REQUIRE(found);
  CHECK(found->list.front().instruction == "value");
  CHECK(found->text.find("ROOT %t = (f32[1024]{0}, bf16[1048576]{0}) tuple(%m, %e.stored)") != std::string::npos);
  CHECK(found->text.find("get-tuple-element((f32[1024]{0}, bf16[1048576]{0}) %two), index=1") != std::string::npos);
}

TEST_CASE("a value stays wide where a reader needs it so, or where it would not be the same") {
  struct refused {
    const char *old, *changed;
  };
  const refused all[] = {
      {"%sum = bf16[1048576]{0} fusion(%value, %other)",
       "%sum = bf16[1048576]{0} custom-call(%value, %other), "
       "custom_call_target=\"__cublas$gemm\"\n"
       "  %unused = bf16[1048576]{0} fusion(%value, %other)"},
      {"%c = bf16[1048576]{0} convert(%v)", "%n = f32[1048576]{0} negate(%v)\n  %c = bf16[1048576]{0} convert(%n)"},
      {"convert(%value)", "custom-call(%value), custom_call_target=\"__cublas$gemm\""},
      {"calls=%make, ", "calls=%make, output_to_operand_aliasing={{}: (0, {})}, "},
      {"fusion(%p), kind=kLoop", "fusion(%p), kind=kCustom"},
      {"%narrow = bf16[1048576]{0}", "%narrow = f16[1048576]{0}"},  // two types
      {"custom-call(%sum)", "custom-call(%sum, %value)"},
  };
  for (const refused& r : all) {
    CAPTURE(r.changed);
    CHECK_FALSE(changes_of(with(wide, r.old, r.changed)));
  }
}

TEST_CASE("a result of the program, an argument and a small value are left as they are") {
  CHECK_FALSE(changes_of(with(with(with(wide, "(p: f32[1048576]) -> bf16[1024] {", "{"), "ROOT %r =", "%r ="),
                              "custom-call(%sum), custom_call_target=\"__cublas$gemm\"\n}",
                              "custom-call(%sum), custom_call_target=\"__cublas$gemm\"\n"
                              "  ROOT %out = (bf16[1024]{0}, f32[1048576]{0}) tuple(%r, %value)\n}")));
  std::string small = wide;
  for (std::size_t at; (at = small.find("1048576")) != std::string::npos;) small.replace(at, 7, "131072");
  CHECK_FALSE(changes_of(small));
}

TEST_CASE("a value is stored narrow in whatever form the text is written") {
  check_in_every_form(wide);
  check_in_every_form(one_of_two());
}
