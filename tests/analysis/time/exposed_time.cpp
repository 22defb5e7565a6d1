#include "analysis/module_of.hpp"

#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

// Times that are easy to add up: a matrix product %mm takes 1 ms and a bit, a transfer of 280 MB 1 ms and 40 us.
device round_device() {
  device d = find_device("h100-sxm").value();
  d.kernel_overhead = d.matmul_overhead = 0;
  return d;
}

constexpr const char* header = "HloModule m, is_scheduled=true, num_partitions=16\n\n";
const std::string inputs = "%a = f32[70000000]{0} parameter(0)\n%w = bf16[8192,8192]{1,0} parameter(1)\n";
const std::string matmul = " = bf16[8192,8192]{1,0} dot(%w, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n";
const std::string start =
    " = (f32[70000000]{0}, f32[70000000]{0}) collective-permute-start(%a), channel_id=1, "
    "source_target_pairs={{0,1},{1,0}}";
constexpr double matmul_time = 2.0 * 8192 * 8192 * 8192 / (989e12 * 0.8), permute_time = 280e6 / 280e9 + 40e-6;

struct timed {
  hlo_module module;
  std::unique_ptr<exposed_time> time;
  const exposed_transfer& of(std::string_view name) const {
    for (const exposed_transfer& t : time->transfers())
      if (t.start.name() == name) return t;
    throw std::runtime_error("no transfer " + std::string(name));
  }
};
timed time_of(const std::string& text, const device& on = round_device(), assumed_trips trips = {}) {
  timed out{module_of(header + text), nullptr};
  out.time = std::make_unique<exposed_time>(out.module, on, trips);
  return out;
}
timed entry(const std::string& lines, const std::string& before = {}) {
  return time_of(before + "ENTRY %e {\n" + inputs + lines + "}\n");
}

const std::string loop_parts =
    "%cond {\n%q = (s32[], f32[70000000]{0}, bf16[8192,8192]{1,0}) parameter(0)\n%j = s32[] get-tuple-element(%q), "
    "index=0\n"
    "%n = s32[] constant(5)\nROOT %lt = pred[] compare(%j, %n), direction=LT\n}\n\n";

}  // namespace

TEST_CASE("a transfer is exposed as far as no work stands beside it") {
  const timed hidden = entry("%s" + start + "\n%m" + matmul + "%n" + matmul +
                             "%d = f32[70000000]{0} collective-permute-done(%s)\n"
                             "ROOT %r = (f32[70000000]{0}, bf16[8192,8192]{1,0}) tuple(%d, %m)\n");
  CHECK(hidden.of("s").exposed == 0);
  CHECK(hidden.of("s").overlap() == exposure_class::hidden);
  CHECK(hidden.of("s").done.name() == "d");
  CHECK(hidden.time->step() == doctest::Approx(2 * matmul_time));

  const timed tight = entry("%s" + start + "\n%m" + matmul +
                            "%d = f32[70000000]{0} collective-permute-done(%s)\n"
                            "ROOT %r = (f32[70000000]{0}, bf16[8192,8192]{1,0}) tuple(%d, %m)\n");
  CHECK(tight.of("s").overlap() == exposure_class::tight);

  const timed open = entry("%s" + start + "\n%d = f32[70000000]{0} collective-permute-done(%s)\n%m" + matmul +
                           "ROOT %r = (f32[70000000]{0}, bf16[8192,8192]{1,0}) tuple(%d, %m)\n");
  CHECK(open.of("s").exposed == doctest::Approx(permute_time));
  CHECK(open.of("s").overlap() == exposure_class::exposed);
  CHECK(open.time->step() == doctest::Approx(open.time->compute() + open.time->exposed()));
}

TEST_CASE("what XLA made synchronous, in both spellings") {
  const timed marked =
      entry("%s" + start + ", backend_config={\"collective_backend_config\":{\"is_sync\":true}}\n%m" + matmul +
            "%d = f32[70000000]{0} collective-permute-done(%s)\n"
            "ROOT %r = (f32[70000000]{0}, bf16[8192,8192]{1,0}) tuple(%d, %m)\n");
  CHECK(marked.of("s").overlap() == exposure_class::synchronous);
  CHECK(marked.of("s").runs == 1);
  CHECK(marked.time->step() == doctest::Approx(matmul_time + permute_time));
  const timed plain =
      entry("ROOT %c = f32[70000000]{0} collective-permute(%a), channel_id=1, source_target_pairs={{0,1},{1,0}}\n");
  CHECK(plain.of("c").overlap() == exposure_class::synchronous);
  CHECK(plain.time->exposed() == doctest::Approx(permute_time));
}

TEST_CASE("transfers of one engine wait for each other, those of two do not") {
  const std::string second =
      " = (f32[70000000]{0}, f32[70000000]{0}) collective-permute-start(%a), channel_id=2, "
      "source_target_pairs={{0,1},{1,0}}";
  const std::string rest =
      "%d = f32[70000000]{0} collective-permute-done(%s)\n%e = f32[70000000]{0} collective-permute-done(%t)\n"
      "ROOT %r = (f32[70000000]{0}, f32[70000000]{0}) tuple(%d, %e)\n";
  const timed one = entry("%s" + start + "\n%t" + second + "\n" + rest);
  CHECK(one.time->step() == doctest::Approx(2 * permute_time));
  CHECK(one.of("t").queued == doctest::Approx(permute_time));
  CHECK(one.of("t").blocker.name() == "s");
  CHECK(!one.of("s").blocker);
  const timed two =
      entry("%s" + start + "\n%t" + second + ", frontend_attributes={_xla_gpu_collective_stream=\"p2p\"}\n" + rest);
  CHECK(two.time->step() == doctest::Approx(permute_time));
}

TEST_CASE("a window across the iterations of a loop") {
  const std::string pair = "(f32[70000000]{0}, f32[70000000]{0})";
  const std::string tuple = "(s32[], " + pair + ", bf16[8192,8192]{1,0})";
  const std::string text =
      "%body {\n%p = " + tuple + " parameter(0)\n%i = s32[] get-tuple-element(%p), index=0\n%f = " + pair +
      " get-tuple-element(%p), index=1\n%w = bf16[8192,8192]{1,0} get-tuple-element(%p), index=2\n"
      "%a = f32[70000000]{0} collective-permute-done(%f)\n%s" +
      start + "\n%m" + matmul + "%n" + matmul + "ROOT %t = " + tuple +
      " tuple(%i, %s, %m)\n}\n\n"
      "%cond {\n%q = " +
      tuple +
      " parameter(0)\nROOT %go = pred[] constant(true)\n}\n\n"
      "ENTRY %e {\n" +
      inputs + "%z = s32[] parameter(2)\n%s0" + start + "\n%t0 = " + tuple + " tuple(%z, %s0, %w)\n%l = " + tuple +
      " while(%t0), condition=%cond, body=%body, "
      "backend_config={\"known_trip_count\":{\"n\":\"10\"}}\n%g = " +
      pair +
      " get-tuple-element(%l), index=1\n"
      "ROOT %r = f32[70000000]{0} collective-permute-done(%g)\n}\n";
  const timed pipe = time_of(text);
  CHECK(pipe.of("s0").exposed == doctest::Approx(permute_time));
  CHECK(pipe.of("s").exposed == doctest::Approx(0));
  CHECK(pipe.of("s").runs == 10);
  CHECK(pipe.of("s").work_each() == doctest::Approx(2 * matmul_time));
  CHECK(pipe.time->step() == doctest::Approx(20 * matmul_time + permute_time));
  CHECK(pipe.time->compute() == doctest::Approx(20 * matmul_time));
}

TEST_CASE("loops count by XLA's word, by their condition, or by what was assumed") {
  const std::string body =
      "%body {\n%p = (s32[], f32[70000000]{0}, bf16[8192,8192]{1,0}) parameter(0)\n%i = s32[] get-tuple-element(%p), "
      "index=0\n"
      "%a = f32[70000000]{0} get-tuple-element(%p), index=1\n%w = bf16[8192,8192]{1,0} get-tuple-element(%p), "
      "index=2\n%m" +
      matmul +
      "%c = f32[70000000]{0} collective-permute(%a), channel_id=1, source_target_pairs={{0,1},{1,0}}\n"
      "%o = s32[] constant(1)\n%j = s32[] add(%i, %o)\n"
      "ROOT %t = (s32[], f32[70000000]{0}, bf16[8192,8192]{1,0}) tuple(%j, %c, %m)\n}\n\n";
  const auto with = [&](const std::string& condition, const std::string& config, assumed_trips trips) {
    return time_of(body + condition + "ENTRY %e {\n" + inputs +
                       "%z = s32[] parameter(2)\n%t0 = (s32[], f32[70000000]{0}, bf16[8192,8192]{1,0}) tuple(%z, %a, "
                       "%w)\nROOT %l = "
                       "(s32[], f32[70000000]{0}, bf16[8192,8192]{1,0}) while(%t0), condition=%cond, body=%body" +
                       config + "\n}\n",
                   round_device(), trips);
  };
  const std::string unknown =
      "%cond {\n%q = (s32[], f32[70000000]{0}, bf16[8192,8192]{1,0}) parameter(0)\nROOT %go = pred[] "
      "constant(true)\n}\n\n";
  struct {
    const std::string &condition, config;
    std::int64_t trip;
    double runs;
    std::size_t unknown;
  } const cases[] = {{loop_parts, ", backend_config={\"known_trip_count\":{\"n\":\"9\"}}", 1, 9, 0},
                     {loop_parts, "", 3, 5, 0},
                     {unknown, "", 1, 1, 1},
                     {unknown, "", 7, 7, 1}};
  for (const auto& c : cases) {
    CAPTURE(c.config);
    const timed t = with(c.condition, c.config, {c.trip});
    CHECK(t.of("c").runs == c.runs);
    CHECK(t.time->step() == doctest::Approx(c.runs * (matmul_time + permute_time)));
    CHECK(t.time->loops_of_unknown_count().size() == c.unknown);
    CHECK(t.time->runs_of(t.module.find_computation("body")) == c.runs);
  }
}

TEST_CASE("of branches the slowest counts, and nothing of the others") {
  const timed t = entry(
      "%k = s32[] parameter(2)\nROOT %r = f32[70000000]{0} conditional(%k, %a, %a), branch_computations={%slow, "
      "%fast}\n",
      "%slow {\n%a = f32[70000000]{0} parameter(0)\nROOT %c = f32[70000000]{0} collective-permute(%a), channel_id=1, "
      "source_target_pairs={{0,8},{8,0}}\n}\n\n"
      "%fast {\n%a = f32[70000000]{0} parameter(0)\nROOT %d = f32[70000000]{0} collective-permute(%a), channel_id=2, "
      "source_target_pairs={{0,1},{1,0}}\n}\n\n");
  CHECK(t.time->worst_first().size() == 1);
  CHECK(t.of("c").time.path == transfer_path::network);
  CHECK(!t.of("d").in_step);  // and still known
  CHECK(t.of("d").exposed == doctest::Approx(permute_time));
  CHECK(t.time->exposed() == doctest::Approx(t.of("c").exposed));
  CHECK(t.time->step() == doctest::Approx(280e6 / 45e9 + 40e-6));
  CHECK(t.time->runs_of(t.module.find_computation("fast")) == 0);
}

TEST_CASE("windows that open in a call and close after it") {
  const timed t = entry("%s = (f32[70000000]{0}, f32[70000000]{0}) call(%a), to_apply=%begin\n%m" + matmul + "%n" +
                            matmul + "ROOT %d = f32[70000000]{0} collective-permute-done(%s)\n",
                        "%begin {\n%a = f32[70000000]{0} parameter(0)\nROOT %in" + start + "\n}\n\n");
  CHECK(t.of("in").exposed == 0);
  CHECK(t.of("in").work == doctest::Approx(2 * matmul_time));
}

TEST_CASE("asynchronous computations: a collective, with and without sugar, and work of another thread") {
  const std::string wrapped =
      "%wrap {\n%p = f32[70000000]{0} parameter(0)\nROOT %x = f32[70000000]{0} all-to-all(%p), channel_id=1, "
      "replica_groups={{0,1,2,3}}, dimensions={0}\n}\n\n";
  const std::string rest = "%m" + matmul + "ROOT %d = f32[70000000]{0} ";
  const timed generic =
      entry("%s = ((f32[70000000]{0}), f32[70000000]{0}) async-start(%a), calls=%wrap\n" + rest + "async-done(%s)\n",
            wrapped);
  const timed sugar = entry(
      "%s = ((f32[70000000]{0}), f32[70000000]{0}) all-to-all-start(%a), channel_id=1, replica_groups={{0,1,2,3}}, "
      "dimensions={0}\n" +
      rest + "all-to-all-done(%s)\n");
  for (const timed* t : {&generic, &sugar}) {
    CHECK(t->of("s").time.kind == hlo_opcode::all_to_all);
    CHECK(t->of("s").time.group == group_extent{4, 1});
    CHECK(t->of("s").time.wire_bytes == doctest::Approx(280e6 * 3 / 4));
  }
  const timed other =
      entry("%s = ((bf16[8192,8192]{1,0}), bf16[8192,8192]{1,0}, u32[]) async-start(%w), calls=%work\n%m" + matmul +
                "ROOT %d = bf16[8192,8192]{1,0} async-done(%s)\n",
            "%work {\n%w = bf16[8192,8192]{1,0} parameter(0)\nROOT %x" + matmul + "}\n\n");
  CHECK(other.of("s").computes);
  CHECK(other.time->exposed() == 0);
  CHECK(other.time->worst_first().empty());
  CHECK(other.time->step() == doctest::Approx(matmul_time));
}

TEST_CASE("fusions of the TPU that start, carry and end a transfer") {
  const std::string attributes =
      "channel_id=2, replica_groups={{0,1,2,3}}, dimensions={0}, use_global_device_ids=true, "
      "frontend_attributes={chain_id=\"0\"}";
  const std::string text =
      "%begin {\n%p = f32[1000000]{0} parameter(0)\n%g = f32[4000000]{0} all-gather(%p), " + attributes +
      "\nROOT %c = (f32[1000000]{0}, f32[4000000]{0}) custom-call(%g), "
      "custom_call_target=\"AsyncCollectiveStart\"\n}\n\n"
      "%middle {\n%p = f32[1000000]{0} parameter(0)\n%q = f32[4000000]{0} parameter(1)\n%g = f32[4000000]{0} "
      "all-gather(%p), " +
      attributes +
      "\n%n = f32[4000000]{0} negate(%q)\nROOT %t = (f32[4000000]{0}, f32[4000000]{0}) tuple(%n, %g)\n}\n\n"
      "%end {\n%p = f32[4000000]{0} parameter(0)\n%g = f32[4000000]{0} all-gather(%p), " +
      attributes +
      "\nROOT %c = f32[4000000]{0} custom-call(%g), custom_call_target=\"AsyncCollectiveDone\"\n}\n\n"
      "ENTRY %e {\n%a = f32[1000000]{0} parameter(0)\n%b = f32[4000000]{0} parameter(1)\n"
      "%s = (f32[1000000]{0}, f32[4000000]{0}) fusion(%a), kind=kCustom, calls=%begin\n"
      "%x = f32[1000000]{0} get-tuple-element(%s), index=0\n"
      "%m = (f32[4000000]{0}, f32[4000000]{0}) fusion(%x, %b), kind=kCustom, calls=%middle\n"
      "%y = f32[4000000]{0} get-tuple-element(%m), index=1\nROOT %d = f32[4000000]{0} fusion(%y), kind=kCustom, "
      "calls=%end\n}\n";
  const timed t = time_of(text, find_device("tpu-v6e").value());
  REQUIRE(t.time->transfers().size() == 1);
  CHECK(t.of("s").done.name() == "d");
  CHECK(t.of("s").time.bytes == 16e6);
  CHECK(t.of("s").work > 0);
}

TEST_CASE("a collective that is only visible inside a fusion") {
  const timed t = time_of(
      "%sum {\n%x = f32[] parameter(0)\n%y = f32[] parameter(1)\nROOT %s = f32[] add(%x, %y)\n}\n\n"
      "%all-reduce-scatter {\n%p = f32[4000000]{0} parameter(0)\n%i = s32[] parameter(1)\n"
      "%r = f32[4000000]{0} all-reduce(%p), channel_id=1, replica_groups={{0,1,2,3}}, use_global_device_ids=true, "
      "to_apply=%sum\n"
      "ROOT %d = f32[1000000]{0} dynamic-slice(%r, %i), dynamic_slice_sizes={1000000}\n}\n\n"
      "ENTRY %e {\n%a = f32[4000000]{0} parameter(0)\n%i = s32[] parameter(1)\n"
      "ROOT %f = f32[1000000]{0} fusion(%a, %i), kind=kCustom, calls=%all-reduce-scatter\n}\n",
      find_device("tpu-v6e").value());
  REQUIRE(t.time->transfers().size() == 1);
  CHECK(t.of("f").synchronous);
  CHECK(t.of("f").time.kind == hlo_opcode::reduce_scatter);
  CHECK(t.of("f").time.wire_bytes == doctest::Approx(16e6 * 3 / 4));
}

TEST_CASE("how many devices a program has decides whether its rings are closed (time_model.md 3.4, version 4)") {
  const device v6e = find_device("tpu-v6e").value();
  const auto seconds = [&](const std::string& devices, const std::string& config, const device& on) {
    const hlo_module module = module_of(
        "HloModule m, is_scheduled=true" + devices +
        "\n\nENTRY %e {\n%a = f32[4000000]{0} parameter(0)\nROOT %r = f32[16000000]{0} all-gather(%a), channel_id=1, "
        "replica_groups={{0,1,2,3}}, use_global_device_ids=true, dimensions={0}" +
        config + "\n}\n");
    const exposed_time time(module, on);
    REQUIRE(time.transfers().size() == 1);
    return time.transfers()[0].time.within;
  };
  const double open = 48e6 / 90e9;
  CHECK(seconds(", num_partitions=4", {}, v6e) == doctest::Approx(open));
  CHECK(seconds(", num_partitions=64", {}, v6e) == doctest::Approx(open));
  CHECK(seconds(", replica_count=2, num_partitions=64", {}, v6e) == doctest::Approx(open / 2));
  // What the compiler chose is what counts: rings through all chips need no link around the end.
  const std::string two =
      ", backend_config={\"ici_strategy_config\":{\"color_strategies\":[{\"phase_rings\":[]},"
      "{\"phase_rings\":[]}]}}";
  CHECK(seconds(", num_partitions=4", two, v6e) == doctest::Approx(open / 2));
  CHECK(seconds(", num_partitions=4", ", backend_config={\"color_strategies\":[]}", v6e) == doctest::Approx(open));
  device own = v6e;
  own.torus_wraps_from = 1;
  CHECK(seconds(", num_partitions=4", {}, own) == doctest::Approx(open / 2));
}

TEST_CASE("groups that stand apart share the links between them (time_model.md 3.4, version 4)") {
  device v6e = find_device("tpu-v6e").value();
  const auto slower = [&](const std::string& devices, const std::string& groups) {
    const hlo_module module = module_of(
        "HloModule m, is_scheduled=true, num_partitions=" + devices +
        "\n\n%sum {\n%x = f32[] parameter(0)\n%y = f32[] parameter(1)\nROOT %s = f32[] add(%x, %y)\n}\n\n"
        "ENTRY %e {\n%a = f32[4000000]{0} parameter(0)\nROOT %r = f32[4000000]{0} all-reduce(%a), channel_id=1, "
        "replica_groups=" +
        groups + ", use_global_device_ids=true, to_apply=%sum\n}\n");
    const exposed_time time(module, v6e);
    REQUIRE(time.transfers().size() == 1);
    const transfer_time& t = time.transfers()[0].time;
    return t.within / (t.wire_bytes / 90e9);
  };
  // 2x4: 0 1, 2 3, 4 5, 6 7. The way from 0 to 4 leads through 2, and so does that from 2 to 6.
  CHECK(slower("8", "[4,2]<=[2,4]T(1,0)") == doctest::Approx(2));
  CHECK(slower("8", "[4,2]<=[8]") == doctest::Approx(1));
  CHECK(slower("8", "[2,4]<=[4,2]T(1,0)") == doctest::Approx(1));
  CHECK(slower("8", "[2,4]<=[8]") == doctest::Approx(1));
  CHECK(slower("8", "[1,8]<=[8]") == doctest::Approx(1));
  CHECK(slower("8", "{{0,4}}") == doctest::Approx(1));                    // no other group uses the link
  CHECK(slower("8", "{{0,5},{1,4},{2,7},{3,6}}") == doctest::Approx(1));  // no line
  CHECK(slower("12", "[6,2]<=[2,6]T(1,0)") == doctest::Approx(1));        // no rectangle that is known
  CHECK(slower("16", "[8,2]<=[2,8]T(1,0)") == doctest::Approx(2));
  CHECK(slower("16", "[8,2]<=[2,2,4]T(0,2,1)") == doctest::Approx(1));
  CHECK(slower("32", "[8,4]<=[4,8]T(1,0)") == doctest::Approx(2));
  v6e.domain_size = 4;  // two slices
  CHECK(slower("8", "[4,2]<=[8]") == doctest::Approx(1));
  CHECK(slice_width(find_device("tpu-v6e").value(), 8) == 2);
  CHECK(slice_width(find_device("tpu-v5e").value(), 256) == 16);
  CHECK(slice_width(find_device("tpu-v5e").value(), 512) == 0);
  CHECK(slice_width(find_device("tpu-v5p").value(), 8) == 0);
  CHECK(slice_width(v6e, 8) == 0);
}

TEST_CASE("calls in calls, however many, end in time") {
  std::string text = "%c0 {\n%p = f32[1024]{0} parameter(0)\nROOT %n = f32[1024]{0} negate(%p)\n}\n\n";
  for (int k = 1; k <= 60; ++k) {  // 2^60 runs
    const std::string before = std::to_string(k - 1), n = std::to_string(k);
    text += "%c" + n + " {\n%p = f32[1024]{0} parameter(0)\n%x = f32[1024]{0} call(%p), to_apply=%c" + before +
            "\nROOT %y = f32[1024]{0} call(%x), to_apply=%c" + before + "\n}\n\n";
  }
  const timed t =
      time_of(text + "ENTRY %e {\n%p = f32[1024]{0} parameter(0)\nROOT %r = f32[1024]{0} call(%p), to_apply=%c60\n}\n");
  CHECK(!t.time->is_complete());
  const timed one =
      time_of(text + "ENTRY %e {\n%p = f32[1024]{0} parameter(0)\nROOT %r = f32[1024]{0} call(%p), to_apply=%c0\n}\n");
  CHECK(one.time->is_complete());
  CHECK(t.time->compute() == doctest::Approx(std::ldexp(one.time->compute(), 60)));
}

TEST_CASE("the link to the host carries both directions at once (time_model.md 6.1, version 3)") {
  const std::string host = "f32[70000000]{0:S(5)}", here = "f32[70000000]{0}";
  const auto copies = [&](const std::string& first, const std::string& second) {
    const auto one = [&](const std::string& to, const std::string& number) {
      const std::string& from = to == host ? here : host;
      return "%start" + number + " = (" + to + ", " + from + ", u32[]) copy-start(%p" + (to == host ? "d" : "h") +
             ")\n";
    };
    return time_of("ENTRY %e {\n%pd = " + here + " parameter(0)\n%ph = " + host + " parameter(1)\n" + one(first, "1") +
                   one(second, "2") + "%d1 = " + first + " copy-done(%start1)\n%d2 = " + second +
                   " copy-done(%start2)\nROOT %r = (" + first + ", " + second + ") tuple(%d1, %d2)\n}\n");
  };
  const double both = copies(host, here).time->step(), same = copies(here, here).time->step();
  CHECK(both > 0);
  CHECK(same == doctest::Approx(2 * both));
  CHECK(copies(host, host).time->step() == doctest::Approx(same));
  CHECK(copies(here, host).time->queue_names() == std::vector<std::string>{"copy from host", "copy to host"});
}
