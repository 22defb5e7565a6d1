// Orders that no single move reaches are reached by a short list of legal moves.
#include "tool/advise/fixtures.hpp"

#include <hlolint/tool/advise/order_walk.hpp>
#include <hlolint/tool/advise/schedule_advice.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

// Each of two calls makes a value too early; moving one value leaves the peak in the other call.
std::string twins() {
  const auto half = [](const std::string& n) {
    return "%half" + n + " {\n  %p" + n + " = f32[1024]{0} parameter(0)\n  %zero" + n + " = f32[] constant(0)\n  %big" +
           n + " = f32[65536]{0} pad(%p" + n + ", %zero" + n + "), padding=0_64512\n  %wide" + n +
           " = f32[131072]{0} custom-call(%p" + n + "), custom_call_target=\"__cublas$gemm\"\n  %small" + n +
           " = f32[1024]{0} slice(%wide" + n + "), slice={[0:1024]}\n  %part" + n + " = f32[1024]{0} slice(%big" + n +
           "), slice={[0:1024]}\n  ROOT %sum" + n + " = f32[1024]{0} add(%small" + n + ", %part" + n + ")\n}\n\n";
  };
  return "HloModule twins, is_scheduled=true\n\n" + half("1") + half("2") +
         "ENTRY %main {\n  %p = f32[1024]{0} parameter(0)\n  %x = f32[1024]{0} call(%p), to_apply=%half1\n"
         "  ROOT %y = f32[1024]{0} call(%x), to_apply=%half2\n}\n";
}

}  // namespace

TEST_CASE("moves that help only together are found, each legal where it is made") {
  const hlo_module m = module_of(twins());
  const advise::module_editor editor(m, on_gpu());
  const advise::module_editor::state start = editor.start();
  const advise::memory_moves moves(*start->made, *start->rules, *start->live);
  advise::order_walk walk(*start, moves);
  CHECK(walk.movable() == 11);  // all but parameters and roots
  const std::vector<advise::block_move> found = walk.moves_to_less(0, 1000);
  REQUIRE(!found.empty());
  CHECK(found.size() <= 4);
  CHECK(walk.evaluations() > 0);
  advise::instruction_order order(m);
  byte_count first = 0;
  for (const advise::block_move& move : found) {
    order.apply(move);
    CHECK(advise::is_legal(order, *start->rules));
    if (first == 0) first = editor.need_in(*start, order);
  }
  CHECK(first >= start->need);
  CHECK(editor.need_in(*start, order) <= start->need - 65536 * 3);
}

TEST_CASE("it looks no further than it should, and finds nothing where nothing can be gained") {
  const hlo_module m = module_of(twins());
  const advise::module_editor editor(m, on_gpu());
  const advise::module_editor::state start = editor.start();
  const advise::memory_moves moves(*start->made, *start->rules, *start->live);
  CHECK(advise::order_walk(*start, moves).moves_to_less(0, 0).empty());
  CHECK(advise::order_walk(*start, moves).moves_to_less(start->need, 1000).empty());
  const hlo_module chain = module_of(
      "HloModule chain, is_scheduled=true\n\nENTRY %main {\n  %p = f32[1024]{0} parameter(0)\n"
      "  %a = f32[1024]{0} negate(%p)\n  %b = f32[1024]{0} cosine(%a)\n  ROOT %c = f32[1024]{0} sine(%b)\n}\n");
  const advise::module_editor::state end = advise::module_editor(chain, on_gpu()).start();
  const advise::memory_moves none(*end->made, *end->rules, *end->live);
  CHECK(advise::order_walk(*end, none).moves_to_less(0, 1000).empty());
}

TEST_CASE("the search shows them as edits, and none that the others do without") {
  const hlo_module m = module_of(twins());
  const advise::schedule_advice found = advise::advise_memory(m, on_gpu());
  CHECK(found.edits.size() == 2);
  CHECK(found.after <= found.need - 65536 * 3);
  CHECK(found.dropped.empty());
  CHECK(found.after == buffer_assignment(module_of(found.text), on_gpu().rules).plan().need);
}
