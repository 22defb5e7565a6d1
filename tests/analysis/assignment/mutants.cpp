// Assignments of programs that are wrong in their schedule, their shapes or their aliases: nothing crashes, what is
// said to be exact adds up, and a schedule that was changed is assigned as if it were the first.
#include "analysis/module_of.hpp"

#include <hlolint/analysis/assignment/buffer_assignment.hpp>
#include <hlolint/analysis/buffers/assigned_buffers.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;

namespace {

const std::string_view programs[] = {
    R"(HloModule loop, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias), {1}: (1, {}, may-alias) }

sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}

fused {
  x = f32[64]{0} parameter(0)
  y = f32[64]{0} parameter(1)
  n = f32[64]{0} negate(x)
  m = f32[64]{0} multiply(n, y)
  ROOT o = (f32[64]{0}, f32[64]{0}) tuple(n, m)
}

condition {
  s = (s32[], f32[64]{0}, f32[128]{0}) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  z = s32[] constant(7)
  ROOT less = pred[] compare(i, z), direction=LT
}

body {
  t = (s32[], f32[64]{0}, f32[128]{0}) parameter(0)
  j = s32[] get-tuple-element(t), index=0
  u = f32[64]{0} get-tuple-element(t), index=1
  w = f32[128]{0} get-tuple-element(t), index=2
  one = s32[] constant(1)
  k = s32[] add(j, one)
  d = f32[128]{0} dynamic-update-slice(w, u, j)
  h = f32[64]{0} custom-call(u, d), custom_call_target="work"
  f = (f32[64]{0}, f32[64]{0}) fusion(h, u), kind=kLoop, calls=fused
  g = f32[64]{0} get-tuple-element(f), index=1
  ROOT r = (s32[], f32[64]{0}, f32[128]{0}) tuple(k, g, d)
}

ENTRY main {
  p = f32[64]{0} parameter(0)
  q = f32[128]{0} parameter(1)
  zero = s32[] constant(0)
  v = f32[64]{0} copy(p)
  e = f32[128]{0} copy(q)
  init = (s32[], f32[64]{0}, f32[128]{0}) tuple(zero, v, e)
  while = (s32[], f32[64]{0}, f32[128]{0}) while(init), condition=condition, body=body
  l = f32[64]{0} get-tuple-element(while), index=1
  a2 = f32[128]{0} get-tuple-element(while), index=2
  zf = f32[] constant(0)
  red = f32[] reduce(l, zf), dimensions={0}, to_apply=sum
  last = f32[64]{0} custom-call(l, red), custom_call_target="last"
  ROOT out = (f32[64]{0}, f32[128]{0}, f32[]) tuple(last, a2, red)
}
)",
    R"(HloModule pieces, is_scheduled=true, input_output_alias={ {}: (0, {}, may-alias) }

wrapped {
  x = f32[256]{0} parameter(0)
  ROOT y = f32[256]{0} custom-call(x), custom_call_target="far"
}

left {
  c = f32[256]{0} parameter(0)
  ROOT d = f32[256]{0} negate(c)
}

right {
  g = f32[256]{0} parameter(0)
  h = f32[256]{0:S(1)} copy(g)
  ROOT k = f32[256]{0} custom-call(h), custom_call_target="near"
}

ENTRY main {
  p = f32[256]{0} parameter(0)
  b = pred[] parameter(1)
  v0 = f32[256]{0} custom-call(p), custom_call_target="a"
  start = ((f32[256]{0}), f32[256]{0}, u32[]) async-start(v0), calls=wrapped
  t = (f32[512]{0}, f32[128]{0}, f32[0]{0}) custom-call(v0, p), custom_call_target="b"
  t0 = f32[512]{0} get-tuple-element(t), index=0
  t1 = f32[128]{0} get-tuple-element(t), index=1
  u = f32[512]{0} custom-call(t0), custom_call_target="c", output_to_operand_aliasing={{}: (0, {})}
  done = f32[256]{0} async-done(start)
  cond = f32[256]{0} conditional(b, done, v0), true_computation=left, false_computation=right
  w = f32[128]{0} custom-call(u, cond), custom_call_target="d"
  n = f32[256]{0} negate(cond)
  m = f32[256]{0} bitcast(n)
  ROOT r = f32[256]{0} custom-call(m, w, t1), custom_call_target="e"
}
)"};

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

class mutator {
 public:
  explicit mutator(std::uint64_t seed) : random_(seed) {}
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

  std::string mutant_of(std::string_view text) {
    std::vector<std::string> lines = lines_of(text);
    for (std::size_t edits = 1 + below(4); edits > 0; --edits) change(lines);
    std::string out;
    for (const std::string& line : lines) out += line + '\n';
    return out;
  }
  std::vector<id> order_of(const hlo_module& module) {
    std::vector<id> out(module.instruction_count());
    for (id i = 0; i < out.size(); ++i) out[i] = i;
    for (std::size_t moves = 1 + below(3); moves > 0; --moves) {
      const hlo_computation c = module.computation(static_cast<id>(below(module.computation_count())));
      if (c.instruction_count() < 2) continue;
      const auto first = out.begin() + static_cast<std::ptrdiff_t>(c.record().instructions.first);
      const auto from = static_cast<std::ptrdiff_t>(below(c.instruction_count()));
      const auto to = static_cast<std::ptrdiff_t>(below(c.instruction_count()));
      if (from < to)
        std::rotate(first + from, first + from + 1, first + to + 1);
      else
        std::rotate(first + to, first + from, first + from + 1);
    }
    return out;
  }

 private:
  void change(std::vector<std::string>& lines) {
    static constexpr std::string_view numbers[] = {"0",
                                                   "1",
                                                   "3",
                                                   "1000",
                                                   "4294967296",
                                                   "2305843009213693951",
                                                   "2305843009213693952",
                                                   "4611686018427387904",
                                                   "9223372036854775807",
                                                   "9223372036854775808"};
    std::string& line = lines[below(lines.size())];
    switch (below(6)) {
      case 0: std::swap(line, lines[below(lines.size())]); return;  // the schedule
      case 1: line.clear(); return;
      case 2: lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(below(lines.size())), std::string(line)); return;
      default: break;
    }
    std::vector<std::size_t> digits;
    for (std::size_t at = 0; at < line.size(); ++at)
      if (line[at] >= '0' && line[at] <= '9' && at > 0 && (line[at - 1] < '0' || line[at - 1] > '9'))
        digits.push_back(at);
    if (digits.empty()) return;
    const std::size_t at = digits[below(digits.size())];
    line.replace(at, std::min(line.find_first_not_of("0123456789", at), line.size()) - at,
                 numbers[below(std::size(numbers))]);
  }

  std::mt19937_64 random_;
};

bool is_same(const buffer_plan& a, const buffer_plan& b) {
  const auto same = [](const planned_value& x, const planned_value& y) {
    return x.allocation == y.allocation && x.offset == y.offset && x.size == y.size;
  };
  return a.total == b.total && a.is_exact == b.is_exact && a.values.size() == b.values.size() &&
         std::equal(a.values.begin(), a.values.end(), b.values.begin(), same);
}
bool adds_up(const buffer_plan& plan) {
  checked_int64 total = 0;
  for (const planned_allocation& a : plan.allocations) total += a.size;
  if (plan.is_exact && total.clamped() != plan.total) return false;
  for (const planned_value& v : plan.values)
    if (v.allocation != none && plan.is_exact &&
        (v.offset < 0 || (checked_int64(v.offset) + v.size).clamped() > plan.allocations[v.allocation].size))
      return false;
  return true;
}

}  // namespace

TEST_CASE("mutants of programs are assigned without a crash, and a changed order as if it were the first") {
  std::size_t count = 300, assigned = 0, huge = 0;
  if (const char* const text = std::getenv("HLOLINT_MUTANTS")) count = std::strtoull(text, nullptr, 10);
  for (std::size_t n = 0; n < count; ++n) {
    mutator change(n);
    const std::string text = change.mutant_of(programs[n % std::size(programs)]);
    const parsed_file file = parse(std::string(text));
    for (const hlo_module& module : file.modules()) {
      if (!module.is_scheduled() || !module.entry()) continue;
      const target on[] = {target::unknown, target::cpu, target::gpu, target::tpu};
      const assignment_rules rules = assignment_rules::of(on[n / 2 % 4], n % 3 == 0 ? 20250501 : xla_rules::newest);
      CAPTURE(n);
      CAPTURE(text);
      const buffer_assignment made(module, rules);
      const buffer_plan whole = made.plan();
      CHECK(adds_up(whole));
      ++assigned, huge += whole.total > std::numeric_limits<byte_count>::max() / 4;
      if (whole.is_exact) CHECK(made.bound().total <= whole.total);
      (void)assigned_buffers(made, whole, instruction_names(module)).allocations().size();
      for (int moves = 0; moves < 2; ++moves) {
        const std::vector<id> order = change.order_of(module);
        const buffer_plan again = made.plan(order);
        CHECK(adds_up(again));
        CHECK(is_same(again, buffer_assignment(module, rules).plan(order)));
      }
    }
  }
  CHECK(assigned > count / 4);
  CHECK(huge > 0);
}

TEST_CASE("a few moves in a long schedule are assigned as if it were the first") {
  mutator random(1);
  std::string text = "HloModule m, is_scheduled=true\n\nENTRY main {\n  v0 = f32[64]{0} parameter(0)\n";
  for (std::size_t i = 1; i < 1500; ++i) {
    const auto earlier = [&] { return "v" + std::to_string(i - 1 - random.below(std::min<std::size_t>(i, 40))); };
    text += "  v" + std::to_string(i) + " = f32[" + std::to_string(64 * (1 + random.below(5))) + "]{0} custom-call(" +
            earlier() + ", " + earlier() + "), custom_call_target=\"k\"\n";
  }
  const hlo_module module = hlolint::testing::module_of(text +
                                                        "  ROOT r = f32[64]{0} custom-call(v1499), "
                                                        "custom_call_target=\"k\"\n}\n");
  const assignment_rules rules = assignment_rules::of(target::gpu);
  const buffer_assignment made(module, rules);
  CHECK(is_same(made.plan(), buffer_assignment(module, rules).plan()));
  for (int n = 0; n < 20; ++n) {
    const std::vector<id> order = random.order_of(module);
    CHECK(is_same(made.plan(order), buffer_assignment(module, rules).plan(order)));
    CHECK(made.bound(order).total <= made.plan(order).total);
  }
}
