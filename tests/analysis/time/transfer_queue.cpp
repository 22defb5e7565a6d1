#include <hlolint/analysis/time/transfer_queue.hpp>

#include "analysis/timed.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

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
  CHECK(same == nearly(2 * both));
  CHECK(copies(host, host).time->step() == nearly(same));
  CHECK(copies(here, host).time->queue_names() == std::vector<std::string>{"copy from host", "copy to host"});
}

TEST_CASE("queues by what transfers: collectives, streams, sends, copies and other threads") {
  const hlo_module module = module_of(R"(HloModule m

%w {
  ROOT %wp = f32[8]{0} parameter(0)
}

ENTRY %e {
  %p = f32[8]{0} parameter(0)
  %t = token[] after-all()
  %g = f32[16]{0} all-gather(%p), replica_groups={{0,1}}, dimensions={0}
  %own = f32[16]{0} all-gather(%p), replica_groups={{0,1}}, dimensions={0},
      frontend_attributes={_xla_gpu_collective_stream="p2p"}
  %s = (f32[8]{0}, u32[], token[]) send(%p, %t), channel_id=1
  %pipe = (f32[8]{0}, u32[], token[]) send(%p, %t), channel_id=2, frontend_attributes={_xla_send_recv_pipeline="1"}
  %out = (f32[8]{0:S(5)}, f32[8]{0}, u32[]) copy-start(%p)
  %side = ((f32[8]{0}), f32[8]{0}, u32[]) async-start(%p), async_execution_thread="sparsecore", calls=%w
  ROOT %n = f32[8]{0} negate(%p)
}
)");
  const auto queue = [&](bool tpu, const char* name, hlo_opcode kind) {
    detail::transfer_queues queues(tpu);
    transfer_time time;
    time.kind = kind;
    return queues.all()[queues.of(instruction_of(module, name), time)].name;
  };
  using enum hlo_opcode;
  CHECK(queue(false, "g", all_gather) == "nccl");
  CHECK(queue(true, "g", all_gather) == "ici");
  CHECK(queue(false, "own", all_gather) == "p2p");
  CHECK(queue(false, "s", send) == "send");
  CHECK(queue(false, "pipe", send) == "send1");
  CHECK(queue(false, "out", copy) == "copy to host");
  CHECK(queue(true, "side", all_to_all) == "sparsecore");
  detail::transfer_queues gpu(false), tpu(true);
  CHECK(gpu.all()[gpu.of_computation(instruction_of(module, "side"))].name == "compute2");
  CHECK(tpu.all()[tpu.of_computation(instruction_of(module, "side"))].name == "sparsecore");
}

TEST_CASE("computations of a GPU take its streams in turn, those of one annotation the same") {
  std::string computations, lines;
  for (int k = 0; k < 6; ++k) {
    const std::string n = std::to_string(k);
    computations += "%c" + n + " {\n  %p" + n + " = f32[8]{0} parameter(0)\n  ROOT %n" + n + " = f32[8]{0} negate(%p" +
                    n + ")\n}\n\n";
    lines += "  %start" + n + " = ((f32[8]{0}), f32[8]{0}) async-start(%p), calls=%c" + n +
             (k >= 4 ? ", frontend_attributes={_xla_stream_annotation=\"1\"}" : "") + "\n  %d" + n +
             " = f32[8]{0} async-done(%start" + n + ")\n";
  }
  const hlo_module module = module_of("HloModule m\n\n" + computations + "ENTRY %e {\n  %p = f32[8]{0} parameter(0)\n" +
                                      lines + "  ROOT %n = f32[8]{0} negate(%p)\n}\n");
  detail::transfer_queues queues(false);
  const auto of = [&](const char* name) {
    return queues.all()[queues.of_computation(instruction_of(module, name))].name;
  };
  CHECK(of("start0") == "compute2");
  CHECK(of("start1") == "compute3");
  CHECK(of("start0") == "compute2");
  CHECK(of("start4") == "compute4");
  CHECK(of("start5") == "compute4");
  CHECK(of("start2") == "compute5");
  CHECK(of("start3") == "compute2");
  detail::transfer_queues tpu(true);
  for (const char* const name : {"start0", "start1"})
    CHECK(tpu.all()[tpu.of_computation(instruction_of(module, name))].name == "compute2");
}

TEST_CASE("queues are free when their last transfer ends, and can be put back") {
  const hlo_module module = module_of("HloModule m\n\nENTRY %e {\n  ROOT %p = f32[8]{0} parameter(0)\n}\n");
  detail::transfer_queues queues(false);
  transfer_time time;
  time.kind = hlo_opcode::all_reduce;
  const std::size_t q = queues.of(module.entry().root(), time);
  CHECK(queues.are_free(0));
  queues[q].free = 2, queues[q].last = 5;
  CHECK_FALSE(queues.are_free(1));
  CHECK(queues.are_free(2));
  const std::vector<detail::transfer_queue> state = queues.state();
  queues.shift(3);
  CHECK(queues[q].free == 5);
  queues.shift_since(state, 1);
  CHECK(queues[q].free == 6);
  queues.restore(state);
  CHECK(queues[q].free == 2);
  queues.shift_since(state, 1);  // was not used since
  CHECK(queues[q].free == 2);
  CHECK(queues[q].last == 5);
}

TEST_CASE("pending_values: transfers in tuples, by element") {
  using detail::pending_values;
  pending_values values;
  const pending_values::handle a = values.add({7, 0, 1, 2}), b = values.add({8, 0, 3, 4});
  const pending_values::handle inner = values.add_tuple({{1, b}}), outer = values.add_tuple({{2, inner}, {5, a}});
  CHECK(values.transfer(a)->transfer == 7);
  CHECK(values.transfer(inner) == nullptr);
  CHECK(values.transfer(pending_values::nothing) == nullptr);
  CHECK(values.element(outer, 5) == a);
  CHECK(values.element(values.element(outer, 2), 1) == b);
  CHECK(values.element(outer, 0) == pending_values::nothing);
  CHECK(values.element(a, 3) == a);
  CHECK(values.first_transfer(outer)->transfer == 8);
  CHECK(values.first_transfer(pending_values::nothing) == nullptr);
  CHECK(values.add_tuple({}) == pending_values::nothing);
}

TEST_CASE("pending_values: later is another value, and the first one stays") {
  using detail::pending_values;
  pending_values values;
  const pending_values::handle a = values.add({7, 1, 2, 3, 4, 5});
  const pending_values::handle twice = values.add_tuple({{0, a}, {1, a}});
  const pending_values::handle moved = values.later(twice, 10, 4);
  const detail::pending_transfer one = *values.transfer(values.element(moved, 1));
  CHECK(one.issued == 11);
  CHECK(one.begin == 12);
  CHECK(one.end == 13);
  CHECK(one.transfer == 7);
  CHECK(one.blocker == 4);
  CHECK(one.block == 5);
  CHECK(one.waited == 4);
  CHECK(values.element(moved, 0) == values.element(moved, 1));
  CHECK(values.transfer(values.element(twice, 0))->end == 3);
  CHECK(values.later(pending_values::nothing, 10, 4) == pending_values::nothing);
}
