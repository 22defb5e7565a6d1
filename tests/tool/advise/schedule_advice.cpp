// The search: the edits that it finds, the instructions that it must not move, and that reported needs are those of the
// written texts.
#include "tool/advise/fixtures.hpp"
#include "tool/advise/made_up.hpp"

#include <hlolint/analysis/buffers/assigned_buffers.hpp>
#include <hlolint/analysis/buffers/memory_need.hpp>
#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/tool/advise/edit_proof.hpp>
#include <hlolint/tool/advise/schedule_advice.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

byte_count bytes_needed(const hlo_module& module) { return buffer_assignment(module, on_gpu().rules).plan().need; }
// Sorted.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  std::sort(out.begin(), out.end());
  return out;
}
// Whether every instruction of a text comes after its operands, by the text alone.
bool is_in_order(const hlo_module& module) {
  for (const hlo_instruction i : module.instructions())
    for (const hlo_instruction operand : i.operands())
      if (!operand || operand.id() >= i.id()) return false;
  return true;
}

}  // namespace

TEST_CASE("elements of tuples that are written in operands do not keep lines from moving") {
  const std::string start = R"(HloModule early, is_scheduled=true

%parts (q: (f32[1024], f32[65536], (f32[1024]))) -> (f32[1024], (f32[65536])) {
  %q = (f32[1024]{0}, f32[65536]{0}, (f32[1024]{0})) parameter(0)
  %one = f32[1024]{0} add(%q#0, %q#2#0)
  %inner = (f32[65536]{0}) tuple(%q#1)
  ROOT %both = (f32[1024]{0}, (f32[65536]{0})) tuple(%one, %inner)
}

ENTRY %main (p: f32[1024]) -> f32[1024] {
  %p = f32[1024]{0} parameter(0)
  %zero = f32[] constant(0)
  %big = f32[65536]{0} pad(%p, %zero), padding=0_64512
  %wide = (f32[131072]{0}, s8[64]{0}) custom-call(%p), custom_call_target="__cublas$gemm"
)";
  const hlo_module brief = module_of(start + R"(  %small = f32[1024]{0} slice(%wide#0), slice={[0:1024]}
  %part = f32[1024]{0} slice(%big), slice={[0:1024]}
  ROOT %sum = f32[1024]{0} add(%small, %part)
}
)");
  const hlo_module spelled = module_of(start + R"(  %wide_0 = f32[131072]{0} get-tuple-element(%wide), index=0
  %small = f32[1024]{0} slice(%wide_0), slice={[0:1024]}
  %part = f32[1024]{0} slice(%big), slice={[0:1024]}
  ROOT %sum = f32[1024]{0} add(%small, %part)
}
)");
  const advise::schedule_advice found = advise::advise_memory(brief, on_gpu());
  REQUIRE(found.edits.size() == 1);
  CHECK(found.text == advise::advise_memory(spelled, on_gpu()).text);
  CHECK(found.after == bytes_needed(module_of(found.text)));
  CHECK(found.text.find("  %q_2_0 = f32[1024]{0} get-tuple-element(%q_2), index=0\n"
                        "  %one = f32[1024]{0} add(%q_0, %q_2_0)\n") != std::string::npos);
}

TEST_CASE("a value that is made too early is moved behind what takes the most") {
  const hlo_module m = module_of(early_value_text());
  advise::advice_options how = on_gpu();
  how.recomputes = false;
  const advise::schedule_advice found = advise::advise_memory(m, how);
  CHECK(found.need == bytes_needed(m));
  REQUIRE(found.edits.size() == 1);
  CHECK(found.edits[0].kind == advise::edit_kind::move);
  CHECK(found.after <= found.need - 65536 * 4);
  CHECK(found.after == bytes_needed(module_of(found.text)));
  CHECK(found.bound <= found.after);
  CHECK(found.dropped.empty());
  std::string before = early_value_text(), after = found.text;
  std::sort(before.begin(), before.end()), std::sort(after.begin(), after.end());
  CHECK(before == after);
}

TEST_CASE("an edit that a check refuses is dropped, with the reason") {
  const hlo_module m = module_of(early_value_text());
  advise::advice_options how = on_gpu();
  std::size_t asked = 0;
  how.refuses = [&](const hlo_module& edited) {
    ++asked;
    return edited.text().text() == m.text().text() ? std::string() : std::string("a rule reports more");
  };
  const advise::schedule_advice found = advise::advise_memory(m, how);
  CHECK(asked == 1);
  CHECK(found.edits.empty());
  CHECK(found.text.empty());
  CHECK(found.after == found.need);
  REQUIRE(found.dropped.size() == 1);
  CHECK(found.dropped[0].instruction == "big");
  CHECK(found.dropped[0].fault == "a rule reports more");
}

TEST_CASE("time is worth a fifth of the share of the bytes, and more where more time is allowed") {
  advise::edited_module now, next;
  now.need = 1000, now.step = 1;
  advise::advice_options how = on_gpu();
  const auto worth = [&](byte_count need, double step) {
    next.need = need, next.step = step;
    return advise::time_limit(now, how).allows(now, next);
  };
  CHECK(worth(1000, 2));  // without a device there is no time
  how.on = find_device("h100-sxm");
  CHECK(worth(1000, 1.0004));
  CHECK_FALSE(worth(1000, 1.001));
  CHECK(worth(900, 1.019));
  CHECK_FALSE(worth(900, 1.021));
  CHECK_FALSE(worth(500, 1.031));
  how.most_time = 0.06;
  CHECK(worth(900, 1.039));
  CHECK_FALSE(worth(900, 1.041));
}

TEST_CASE("what the limit of time refuses is remembered with the least limit that allows it") {
  advise::edited_module now, next;
  now.need = 1000, now.step = 1;
  advise::advice_options how = on_gpu();
  how.on = find_device("h100-sxm");
  advise::time_limit limit(now, how);
  const auto refused_at = [&](byte_count need, double step) {
    next.need = need, next.step = step;
    REQUIRE_FALSE(limit.allows(now, next));
    CHECK(limit.refused().back().need == need);
    return limit.refused().back().most_time;
  };
  for (const auto& [need, step] : {std::pair<byte_count, double>{900, 1.04}, {500, 1.14}, {990, 1.02}}) {
    how.most_time = refused_at(need, step) * 1.0001;
    CHECK(advise::time_limit(now, how).allows(now, next));
    how.most_time = limit.refused().back().most_time * 0.999;
    CHECK_FALSE(advise::time_limit(now, how).allows(now, next));
  }
  const std::size_t count = limit.refused().size();
  next.need = 1000, next.step = 2;
  CHECK_FALSE(limit.allows(now, next));
  CHECK(limit.refused().size() == count);  // no limit makes what saves nothing a trade
}

namespace {

// A transform that is made early and read late; what runs in between needs the most.
const std::string early_transform = R"(HloModule m, is_scheduled=true

ENTRY %main {
  %p = c64[65536]{0} parameter(0)
  %q = f32[1024]{0} parameter(1)
  %long = c64[65536]{0} fft(%p), fft_type=FFT, fft_length={65536}
  %first = f32[1024]{0} custom-call(%q, %long), custom_call_target="__cublas$gemm"
  %most = f32[262144]{0} custom-call(%first), custom_call_target="__cublas$gemm"
  %less = f32[1024]{0} slice(%most), slice={[0:1024]}
  %again = f32[1024]{0} custom-call(%less, %long), custom_call_target="__cublas$gemm"
  ROOT %done = f32[1024]{0} negate(%again)
}
)";

}  // namespace

TEST_CASE("what the limit of time refuses is listed with its price, and the limit that takes it does") {
  const hlo_module m = module_of(early_transform);
  advise::advice_options how = on_gpu();
  how.on = find_device("h100-sxm");
  const advise::schedule_advice found = advise::advise_memory(m, how);
  CHECK(found.edits.empty());
  REQUIRE(found.trades.size() == 1);
  const advise::time_trade& trade = found.trades[0];
  CHECK(trade.need <= found.need - 65536 * 8);
  CHECK(trade.edits == 1);
  CHECK(trade.most_time > how.most_time);
  CHECK(trade.extra_seconds > how.most_time * *found.step);
  CHECK(trade.extra_seconds < *found.step);
  how.most_time = trade.most_time;
  const advise::schedule_advice taken = advise::advise_memory(m, how);
  CHECK(taken.after == trade.need);
  CHECK(*taken.step_after - *taken.step == doctest::Approx(trade.extra_seconds));
  CHECK(taken.trades.empty());
  how.target = found.need;  // it fits as it is
  CHECK(advise::advise_memory(m, how).trades.empty());
}

TEST_CASE("a program for a TPU needs what the report of its memory counts") {
  const hlo_module m = module_of(R"(HloModule m, is_scheduled=true

%fused (a: f32[1024,1024]) -> f32[1024,1024] {
  %a = f32[1024,1024]{1,0:T(8,128)} parameter(0)
  ROOT %n = f32[1024,1024]{1,0:T(8,128)} negate(%a)
}

ENTRY %main (p: f32[1024,1024]) -> f32[1024,1024] {
  %p = f32[1024,1024]{1,0:T(8,128)} parameter(0)
  %near = f32[1024,1024]{1,0:T(8,128)S(1)} copy(%p)
  ROOT %f = f32[1024,1024]{1,0:T(8,128)} fusion(%near), kind=kLoop, calls=%fused
}
)");
  advise::advice_options how;
  how.rules = assignment_rules::of(target::tpu);
  const advise::schedule_advice found = advise::advise_memory(m, how);
  CHECK(found.need == 2 * 4 * 1024 * 1024);
  CHECK(found.need == memory_need(assigned_buffers(m, how.rules), target::tpu).total);
}

TEST_CASE("it stops at the target, and when no more orders may be tried") {
  const hlo_module m = module_of(early_value_text());
  advise::advice_options how = on_gpu();
  how.target = bytes_needed(m);
  CHECK(advise::advise_memory(m, how).edits.empty());
  how.target = 0, how.most_evaluations = 0;
  CHECK(advise::advise_memory(m, how).edits.empty());
}

TEST_CASE("a value that is cheap is computed again, with the computation that it is fused from") {
  const hlo_module m = module_of(R"(HloModule m, is_scheduled=true

%make (a: f32[]) -> f32[65536] {
  %a = f32[] parameter(0)
  ROOT %wide = f32[65536]{0} broadcast(%a), dimensions={}
}

ENTRY %main (p: f32[], q: f32[1024]) -> f32[1024] {
  %p = f32[] parameter(0)
  %q = f32[1024]{0} parameter(1)
  %cheap = f32[65536]{0} fusion(%p), kind=kLoop, calls=%make
  %first = f32[1024]{0} custom-call(%q, %cheap), custom_call_target="__cublas$gemm"
  %most = f32[262144]{0} custom-call(%first), custom_call_target="__cublas$gemm"
  %less = f32[1024]{0} slice(%most), slice={[0:1024]}
  ROOT %last = f32[1024]{0} custom-call(%less, %cheap), custom_call_target="__cublas$gemm"
}
)");
  const advise::schedule_advice found = advise::advise_memory(m, on_gpu());
  CHECK(found.edits.empty());  // the root reads it, and stays
  std::string text(m.text().text());
  text.replace(text.find("ROOT %last"), 10, "%again");
  text.insert(text.rfind('}'), "  ROOT %done = f32[1024]{0} negate(%again)\n");
  const hlo_module inner = module_of(text);
  const advise::schedule_advice better = advise::advise_memory(inner, on_gpu());
  REQUIRE(better.edits.size() == 1);
  CHECK(better.edits[0].kind == advise::edit_kind::recompute);
  CHECK(better.edits[0].instructions.front() == "cheap");
  CHECK(better.text.find("%cheap.remat = f32[65536]{0} fusion(%p), kind=kLoop, calls=%make.remat") !=
        std::string::npos);
  CHECK(better.after == bytes_needed(module_of(better.text)));
  CHECK(better.after <= better.need - 65536 * 4);
  advise::advice_options off = on_gpu();
  off.recomputes = false;
  CHECK(advise::advise_memory(inner, off).edits.empty());
}

TEST_CASE("a value made of a loop counter is not computed again once the counter has its next value") {
  const auto text = [](std::string_view made_of) {
    return "HloModule m, is_scheduled=true\n\n%body {\n  %s = (s32[], f32[1024]{0}, s32[]) parameter(0)\n"
           "  %n = s32[] get-tuple-element(%s), index=0\n  %x = f32[1024]{0} get-tuple-element(%s), index=1\n"
           "  %scale = s32[] get-tuple-element(%s), index=2\n  %one = s32[] constant(1)\n"
           "  %cheap = s32[65536]{0} broadcast(" +
           std::string(made_of) +
           "), dimensions={}\n"
           "  %first = f32[1024]{0} custom-call(%x, %cheap), custom_call_target=\"__cublas$gemm\"\n"
           "  %next = s32[] add(%n, %one)\n"
           "  %most = f32[262144]{0} custom-call(%first, %next), custom_call_target=\"__cublas$gemm\"\n"
           "  %less = f32[1024]{0} slice(%most), slice={[0:1024]}\n"
           "  %again = f32[1024]{0} custom-call(%less, %cheap), custom_call_target=\"__cublas$gemm\"\n"
           "  ROOT %t = (s32[], f32[1024]{0}, s32[]) tuple(%next, %again, %scale)\n}\n\n"
           "%until {\n  %c = (s32[], f32[1024]{0}, s32[]) parameter(0)\n"
           "  %k = s32[] get-tuple-element(%c), index=0\n  %end = s32[] constant(4)\n"
           "  ROOT %go = pred[] compare(%k, %end), direction=LT\n}\n\n"
           "ENTRY %main {\n  %p = (s32[], f32[1024]{0}, s32[]) parameter(0)\n"
           "  ROOT %w = (s32[], f32[1024]{0}, s32[]) while(%p), condition=%until, body=%body\n}\n";
  };
  CHECK(advise::advise_memory(module_of(text("%n")), on_gpu()).edits.empty());
  const advise::schedule_advice found = advise::advise_memory(module_of(text("%scale")), on_gpu());
  REQUIRE(found.edits.size() == 1);
  CHECK(found.edits[0].kind == advise::edit_kind::recompute);
}

TEST_CASE("one of several results of a fusion is computed again, and read from the clone") {
  const hlo_module m = module_of(R"(HloModule m, is_scheduled=true

%make (a: f32[]) -> (f32[1024], f32[65536]) {
  %a = f32[] parameter(0)
  %narrow = f32[1024]{0} broadcast(%a), dimensions={}
  %wide = f32[65536]{0} broadcast(%a), dimensions={}
  ROOT %both = (f32[1024]{0}, f32[65536]{0}) tuple(%narrow, %wide)
}

ENTRY %main (p: f32[], q: f32[1024]) -> f32[1024] {
  %p = f32[] parameter(0)
  %q = f32[1024]{0} parameter(1)
  %cheap = (f32[1024]{0}, f32[65536]{0}) fusion(%p), kind=kLoop, calls=%make
  %little = f32[1024]{0} get-tuple-element(%cheap), index=0
  %much = f32[65536]{0} get-tuple-element(%cheap), index=1
  %first = f32[1024]{0} custom-call(%q, %little), custom_call_target="__cublas$gemm"
  %most = f32[262144]{0} custom-call(%first), custom_call_target="__cublas$gemm"
  %less = f32[1024]{0} slice(%most), slice={[0:1024]}
  %again = f32[1024]{0} custom-call(%less, %much), custom_call_target="__cublas$gemm"
  ROOT %done = f32[1024]{0} negate(%again)
}
)");
  const advise::schedule_advice found = advise::advise_memory(m, on_gpu());
  REQUIRE(found.edits.size() == 1);
  CHECK(found.edits[0].kind == advise::edit_kind::recompute);
  CHECK(found.text.find("get-tuple-element(%cheap.remat), index=1") != std::string::npos);
  CHECK(found.text.find("get-tuple-element(%cheap), index=0") != std::string::npos);
  CHECK(found.after == bytes_needed(module_of(found.text)));
  CHECK(found.after <= found.need - 65536 * 3);
}

TEST_CASE("a value that is overwritten in place is not computed again") {
  const auto text = [](std::string_view last) {
    return "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = f32[] parameter(0)\n"
           "  %q = f32[1024]{0} parameter(1)\n  %i = s32[] parameter(2)\n"
           "  %cheap = f32[65536]{0} broadcast(%p), dimensions={}\n"
           "  %first = f32[1024]{0} custom-call(%q, %cheap), custom_call_target=\"__cublas$gemm\"\n"
           "  %most = f32[262144]{0} custom-call(%first), custom_call_target=\"__cublas$gemm\"\n"
           "  %less = f32[1024]{0} slice(%most), slice={[0:1024]}\n  %again = f32[65536]{0} " +
           std::string(last) +
           "\n  %part = f32[1024]{0} slice(%again), slice={[0:1024]}\n"
           "  ROOT %done = f32[1024]{0} negate(%part)\n}\n";
  };
  CHECK(advise::advise_memory(module_of(text("dynamic-update-slice(%cheap, %less, %i)")), on_gpu()).edits.empty());
  const std::string elsewhere = "custom-call(%cheap, %less), custom_call_target=\"__cublas$gemm\"";
  CHECK(advise::advise_memory(module_of(text(elsewhere)), on_gpu()).edits.size() == 1);
}

TEST_CASE("what takes time is computed again only where a device says how much, and it may take that") {
  const auto text = [](std::string_view made) {
    return "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = c64[65536]{0} parameter(0)\n"
           "  %q = f32[1024]{0} parameter(1)\n  %long = c64[65536]{0} " +
           std::string(made) +
           "\n  %first = f32[1024]{0} custom-call(%q, %long), custom_call_target=\"__cublas$gemm\"\n"
           "  %most = f32[262144]{0} custom-call(%first), custom_call_target=\"__cublas$gemm\"\n"
           "  %less = f32[1024]{0} slice(%most), slice={[0:1024]}\n"
           "  %again = f32[1024]{0} custom-call(%less, %long), custom_call_target=\"__cublas$gemm\"\n"
           "  ROOT %done = f32[1024]{0} negate(%again)\n}\n";
  };
  const std::string transform = text("fft(%p), fft_type=FFT, fft_length={65536}");
  CHECK(advise::advise_memory(module_of(transform), on_gpu()).edits.empty());
  advise::advice_options how = on_gpu();
  how.on = find_device("h100-sxm");
  how.most_time = 1e-9;
  CHECK(advise::advise_memory(module_of(transform), how).edits.empty());
  how.most_time = 10;
  const advise::schedule_advice found = advise::advise_memory(module_of(transform), how);
  REQUIRE(found.edits.size() == 1);
  CHECK(found.edits[0].kind == advise::edit_kind::recompute);
  CHECK(found.edits[0].extra_seconds > 0);
  CHECK(found.after == bytes_needed(module_of(found.text)));
  const std::string pure = "custom-call(%p), custom_call_target=\"__cublas$gemm\"";
  CHECK(advise::advise_memory(module_of(text(pure)), how).edits.size() == 1);
  const std::string unknown = "custom-call(%p), custom_call_target=\"counts_its_calls\"";
  CHECK(advise::advise_memory(module_of(text(unknown)), how).edits.empty());
}

TEST_CASE("what stays above the need of XLA's own assignment saves nothing") {
  advise::schedule_advice found;
  found.need = 400, found.after = 300;
  found.edits.resize(2), found.text = "HloModule m";
  found.donation.emplace(), found.donation->need_after = 380;
  found.changes.emplace(), found.changes->need_after = 250;
  advise::schedule_advice same = found;
  advise::keep_what_goes_below(same, 400);
  CHECK((same.edits.size() == 2 && same.after == 300 && same.donation && same.changes));
  advise::schedule_advice below = found;
  advise::keep_what_goes_below(below, 350);
  CHECK((below.edits.size() == 2 && below.after == 300 && !below.donation && below.changes));
  advise::keep_what_goes_below(found, 300);
  CHECK((found.edits.empty() && found.text.empty() && found.after == 400 && !found.donation && found.changes));
}

TEST_CASE("10,000 lists of legal moves: same lines, all dependences, and the need that the text has") {
  std::mt19937_64 random(29);
  std::size_t lists = 0, renumbered = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const std::string text = made_up_program(12 + seed % 24, seed, seed % 2 == 0).text();
    const hlo_module m = module_of(text);
    REQUIRE(is_in_order(m));
    const advise::module_editor editor(m, on_gpu());
    const advise::module_editor::state start = editor.start();
    const advise::edit_proof proof(m, on_gpu().rules);
    for (int list = 0; list < 50;) {
      advise::instruction_order order(m);
      for (std::size_t k = 1 + random() % 8; k > 0; --k) {
        const hlo_instruction i = m.instruction(static_cast<id>(random() % m.instruction_count()));
        if (start->rules->is_fixed(i.id()) || !advise::has_own_lines(i.computation())) continue;
        advise::instruction_order next = order;
        next.apply({{i.id()}, random() % i.computation().instruction_count()});
        if (advise::is_legal(next, *start->rules)) order = next;
      }
      ++list, ++lists;
      const std::string moved = advise::reordered_text(m, order);
      const hlo_module edited = module_of(moved);
      CHECK(is_in_order(edited));
      CHECK(lines_of(moved) == lines_of(text));
      REQUIRE(editor.need_in(*start, order) == bytes_needed(edited));
      if (!start->numbers->hold(order)) ++renumbered;
      if (list % 10 != 0) continue;
      const std::string wrong = proof.fault_of(edited);
      CHECK_MESSAGE(wrong.empty(), wrong);
    }
  }
  CHECK(lists == 10'000);
  CHECK(renumbered > 100);
}
