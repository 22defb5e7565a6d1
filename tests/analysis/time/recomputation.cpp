#include <hlolint/analysis/time/recomputation.hpp>

#include "analysis/checkpointed.hpp"
#include "analysis/timed.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

constexpr double product = 2.0 * 4096 * 4096 * 4096 / (989e12 * 0.8);
constexpr byte_count one_copy = 2 * 4096 * 4096;

}  // namespace

TEST_CASE("recomputation: its time, and what keeping its results saves and takes") {
  const hlo_module module = module_of(checkpointed_text());
  const exposed_time time(module, round_device());
  const recomputation again(module, time);
  const double tanh_time = time.work().of(instruction_of(module, "act")).seconds;
  REQUIRE(tanh_time > 0);
  CHECK(again.seconds() == nearly(8 * (product + tanh_time)));
  // What the tanh makes is all that the backward pass reads: kept, neither runs again.
  REQUIRE(again.keeps().size() == 1);
  const keepable_result& kept = again.keeps()[0];
  CHECK(kept.from.op_name == "jit(step)/transpose(jvp())/while/body/checkpoint/rematted_computation/tanh");
  CHECK(kept.from.at.line == 8);
  CHECK(kept.copies == 8);  // one for each layer
  CHECK(kept.bytes == 8 * one_copy);
  CHECK_FALSE(kept.is_product);
  const double moved = 2.0 * 8 * one_copy / (3352e9 * 0.85);
  CHECK(kept.seconds == nearly(8 * (product + tanh_time) - moved));
  REQUIRE(kept.saves.size() == 2);
  CHECK(kept.saves[0].name() == "h");
  CHECK(kept.saves[1].name() == "act");
}

TEST_CASE(
    "recomputation: instructions of the forward pass that were moved into the backward pass are no forward pass") {
  std::string text = checkpointed_text();
  const std::string before = "  %act =";
  text.insert(text.find(before),
              "  %mask = bf16[64,64]{1,0} slice(%x.backward), slice={[0:64], [0:64]}, "
              "metadata={op_name=\"jit(step)/jvp()/while/body/slice\"}\n");
  const hlo_module module = module_of(text);
  const exposed_time time(module, round_device());
  const recomputation again(module, time);
  REQUIRE(again.keeps().size() == 1);
  CHECK(again.keeps()[0].copies == 8);
  CHECK(again.keeps()[0].bytes == 8 * one_copy);
}

TEST_CASE("recomputation: nothing without names of recomputed operations") {
  std::string text = checkpointed_text();
  for (std::size_t at = 0; (at = text.find("rematted_computation/", at)) != text.npos;) text.erase(at, 21);
  const hlo_module module = module_of(text);
  const exposed_time time(module, round_device());
  const recomputation again(module, time);
  CHECK(again.seconds() == 0);
  CHECK(again.keeps().empty());
}

TEST_CASE("recomputation: what others need, too, runs again however much is kept") {
  std::string text = checkpointed_text();
  // The gradient reads the product itself, besides what is made of it.
  const std::string from = "dot(%act, %x.backward)", to = "dot(%act, %h)";
  text.replace(text.find(from), from.size(), to);
  const hlo_module module = module_of(text);
  const exposed_time time(module, round_device());
  const recomputation again(module, time);
  REQUIRE_FALSE(again.keeps().empty());
  CHECK(again.keeps()[0].is_product);
  CHECK(again.keeps()[0].from.at.line == 7);
  REQUIRE(again.keeps()[0].saves.size() == 1);
  CHECK(again.keeps()[0].saves[0].name() == "h");
}

TEST_CASE("recomputation: a trifle that costs fewer bytes a second saved does not stand in the way") {
  std::string text = checkpointed_text();
  const std::string before = "  %act =";
  // A few bytes that save next to nothing, but more for each of them than the product saves for each of its.
  text.insert(text.find(before),
              "  %few = bf16[4,64]{1,0} dot(%part, %narrow), lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
              "metadata={op_name=\"jit(step)/transpose(jvp())/while/body/checkpoint/rematted_computation/few\"}\n"
              "  %used = bf16[4,64]{1,0} negate(%few), "
              "metadata={op_name=\"jit(step)/transpose(jvp())/while/body/checkpoint/neg\"}\n");
  text.insert(text.find("  %few ="),
              "  %part = bf16[4,4096]{1,0} slice(%x.backward), slice={[0:4], [0:4096]}\n"
              "  %narrow = bf16[4096,64]{1,0} slice(%x.backward), slice={[0:4096], [0:64]}\n");
  const hlo_module module = module_of(text);
  const exposed_time time(module, round_device());
  const recomputation again(module, time);
  REQUIRE_FALSE(again.keeps().empty());
  CHECK(again.keeps()[0].bytes == 8 * one_copy);
}

TEST_CASE("recomputation: a fusion that works for the backward pass, too, runs whatever is kept") {
  std::string text = checkpointed_text();
  const std::string from =
      text.substr(text.find("  %act ="), text.find('\n', text.find("  %act =")) - text.find("  %act ="));
  const std::string place = "metadata={op_name=\"jit(step)/transpose(jvp())/while/body/checkpoint/";
  text.replace(text.find(from), from.size(),
               "  %act = bf16[4096,4096]{1,0} fusion(%h, %x.backward), kind=kLoop, calls=%both, " + place +
                   "rematted_computation/tanh\" source_file=\"model.py\" source_line=8}");
  text.insert(text.find("\n\n") + 2,
              "%both {\n%a = bf16[4096,4096]{1,0} parameter(0)\n%b = bf16[4096,4096]{1,0} "
              "parameter(1)\n%g = bf16[4096,4096]{1,0} multiply(%a, %b), " +
                  place + "mul\"}\nROOT %t = bf16[4096,4096]{1,0} tanh(%g), " + place +
                  "rematted_computation/tanh\"}\n}\n\n");
  const hlo_module module = module_of(text);
  const exposed_time time(module, round_device());
  const recomputation again(module, time);
  REQUIRE(again.keeps().size() == 1);
  CHECK(again.keeps()[0].is_product);  // what the fusion reads, not what it makes
}

TEST_CASE("recomputation: a collective that is hidden in a fusion keeps nothing of it from being kept") {
  std::string text = checkpointed_text();
  const std::size_t act = text.find("  %act =");
  const std::string place = "metadata={op_name=\"jit(step)/transpose(jvp())/while/body/checkpoint/";
  text.replace(act, text.find('\n', act) - act,
               "  %act = bf16[4096,4096]{1,0} fusion(%h), kind=kOutput, calls=%hides, " + place +
                   "rematted_computation/tanh\" source_file=\"model.py\" source_line=8}");
  text.insert(text.find("\n\n") + 2,
              "%hides {\n%a = bf16[4096,4096]{1,0} parameter(0)\n%part = bf16[2048,4096]{1,0} slice(%a), "
              "slice={[0:2048], [0:4096]}\n%g = bf16[4096,4096]{1,0} all-gather(%part), replica_groups=[1,2]<=[2], "
              "dimensions={0}, " +
                  place + "remat2\"}\nROOT %t = bf16[4096,4096]{1,0} tanh(%a), " + place +
                  "rematted_computation/tanh\"}\n}\n\n");
  const hlo_module module = module_of(text);
  const exposed_time time(module, round_device());
  const recomputation again(module, time);
  REQUIRE(again.keeps().size() == 1);
  CHECK_FALSE(again.keeps()[0].is_product);  // what the fusion makes
}

TEST_CASE("recomputation: what partitioning gathers after a value was named cannot be kept") {
  const auto is_kept = [](const std::string& op) {
    std::string text = checkpointed_text(", num_partitions=2");
    const std::string before = "tanh(%h)", name = "rematted_computation/tanh";
    text.replace(text.find(before), before.size(),
                 "all-gather(%half), channel_id=1, replica_groups={{0,1}}, dimensions={0}, use_global_device_ids=true");
    text.replace(text.find(name), name.size(), "rematted_computation/" + op);
    text.insert(text.find("  %act ="),
                "  %half = bf16[2048,4096]{1,0} slice(%x.backward), slice={[0:2048], [0:4096]}\n");
    const hlo_module module = module_of(text);
    const exposed_time time(module, round_device());
    const recomputation again(module, time);
    return std::ranges::any_of(again.keeps(),
                               [](const keepable_result& r) { return r.instructions[0].name() == "act"; });
  };
  CHECK_FALSE(is_kept("convert_element_type"));
  CHECK(is_kept("all_gather"));
}

TEST_CASE("recomputation: products of weights have no batch dimensions") {
  std::string text = checkpointed_text();
  const std::string from = "dot(%act, %x.backward)", to = "dot(%act, %h)";
  text.replace(text.find(from), from.size(), to);
  const auto is_product = [&] {
    const hlo_module module = module_of(text);
    const exposed_time time(module, round_device());
    const recomputation again(module, time);
    REQUIRE_FALSE(again.keeps().empty());
    return again.keeps()[0].is_product;
  };
  CHECK(is_product());
  // The same product, of one matrix in a batch.
  const std::size_t h = text.find("  %h = ");
  const std::string place = text.substr(text.find("metadata=", h), text.find('\n', h) - text.find("metadata=", h));
  text.replace(h, text.find('\n', h) - h,
               "  %h = bf16[4096,4096]{1,0} fusion(%x.backward), kind=kOutput, calls=%batched, " + place);
  text.insert(text.find("\n\n") + 2,
              "%batched {\n%m = bf16[4096,4096]{1,0} parameter(0)\n%b = bf16[1,4096,4096]{2,1,0} bitcast(%m)\n"
              "%d = bf16[1,4096,4096]{2,1,0} dot(%b, %b), lhs_batch_dims={0}, rhs_batch_dims={0}, "
              "lhs_contracting_dims={2}, rhs_contracting_dims={1}\nROOT %r = bf16[4096,4096]{1,0} bitcast(%d)\n}\n\n");
  CHECK_FALSE(is_product());
}
