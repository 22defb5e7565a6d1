// The rules on what may move or be computed again, tested directly: in a search, the proof of the edited text would
// hide most of their faults.
#include "tool/advise/fixtures.hpp"

#include <hlolint/tool/advise/block_mover.hpp>
#include <hlolint/tool/advise/memory_moves.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

// Whether `made` may be computed again before `again`, in the body of a loop whose counter changes in between.
bool may_be_made_again(std::string_view made, bool any_work = false) {
  const hlo_module m = module_of(
      "HloModule m, is_scheduled=true\n\n%body {\n  %s = (s32[], f32[8]{0}, s32[]) parameter(0)\n"
      "  %n = s32[] get-tuple-element(%s), index=0\n  %x = f32[8]{0} get-tuple-element(%s), index=1\n"
      "  %scale = s32[] get-tuple-element(%s), index=2\n  %one = s32[] constant(1)\n"
      "  %wide = s32[64]{0} broadcast(%scale), dimensions={}\n  %made = s32[64]{0} " +
      std::string(made) +
      "\n  %first = f32[8]{0} custom-call(%x, %made), custom_call_target=\"__cublas$gemm\"\n"
      "  %next = s32[] add(%n, %one)\n"
      "  %again = f32[8]{0} custom-call(%first, %made), custom_call_target=\"__cublas$gemm\"\n"
      "  ROOT %t = (s32[], f32[8]{0}, s32[]) tuple(%next, %again, %scale)\n}\n\n"
      "%until {\n  %c = (s32[], f32[8]{0}, s32[]) parameter(0)\n"
      "  %k = s32[] get-tuple-element(%c), index=0\n  %end = s32[] constant(4)\n"
      "  ROOT %go = pred[] compare(%k, %end), direction=LT\n}\n\n"
      "ENTRY %main {\n  %p = (s32[], f32[8]{0}, s32[]) parameter(0)\n"
      "  ROOT %w = (s32[], f32[8]{0}, s32[]) while(%p), condition=%until, body=%body\n}\n");
  const buffer_assignment assigned(m, on_gpu().rules);
  const advise::schedule_constraints order(assigned.sets());
  const advise::live_model live(assigned, 0);
  advise::recompute edit;
  edit.producer = instruction_of(m, "made").id();
  edit.late_users = {instruction_of(m, "again").id()};
  return advise::memory_moves(assigned, order, live).can_recompute(edit, assigned.plan().schedule, any_work);
}

}  // namespace

TEST_CASE("what operands held when a value was made has to be there when it is made again") {
  CHECK(may_be_made_again("broadcast(%scale), dimensions={}"));
  CHECK_FALSE(may_be_made_again("broadcast(%n), dimensions={}"));
}

TEST_CASE("only what is cheap and has no effect is made again") {
  CHECK(may_be_made_again("broadcast(%scale), dimensions={}"));
  CHECK_FALSE(may_be_made_again("custom-call(%scale), custom_call_target=\"__cublas$gemm\""));
  CHECK_FALSE(
      may_be_made_again("broadcast(%scale), dimensions={}, "
                        "frontend_attributes={_scheduling_group_id=\"1\"}"));
}

TEST_CASE("where times decide, what takes some is made again, unless it writes to its operand or may have an effect") {
  const std::string product = "custom-call(%scale), custom_call_target=\"__cublas$gemm\"";
  CHECK(may_be_made_again(product, true));
  CHECK_FALSE(may_be_made_again(product + ", output_to_operand_aliasing={{}: (0, {})}", true));
  CHECK_FALSE(may_be_made_again("custom-call(%scale), custom_call_target=\"counts_its_calls\"", true));
  CHECK_FALSE(may_be_made_again("copy(%wide)", true));
}

TEST_CASE("parameters and roots stay, and so does what would have to move with them") {
  const hlo_module m = module_of(early_value_text());
  const alias_sets sets(m);
  const advise::schedule_constraints order(sets);
  const advise::instruction_order as_written(m);
  const advise::block_mover mover(order, as_written);
  const std::size_t count = m.entry().instruction_count();
  const auto closure = [&](std::string_view name, bool forward, std::size_t low) {
    const id from[] = {instruction_of(m, name).id()};
    return mover.closure(from, forward, low, count, count).size();
  };
  CHECK(order.is_fixed(instruction_of(m, "p").id()));
  CHECK(order.is_fixed(instruction_of(m, "sum").id()));
  CHECK(closure("part", false, 1) == 3);  // with `big` and its constant
  CHECK(closure("part", false, 0) == 0);  // `big` reads `p`
  CHECK(closure("part", true, 0) == 0);   // `sum` reads it
}
